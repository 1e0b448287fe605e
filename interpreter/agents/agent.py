"""Who decides for a seat: what its player sees and may answer in, the answer out.

An agent meets a `Seat`, never the state, and does not touch the generator of the game: a random agent
has one of its own, so that the same cards come whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from rulewright.interpreter.agents.errors import AgentError, shown, whole_number
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.engine.whole_selections import WHOLE
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator

Choice: TypeAlias = Action | int | str | Sequence[Action | int | str]
"""One answer: an action, its number or label; or those of several things, where several are chosen at
once."""

MAY_RETURN = (
    "an agent returns one of `seat.actions`, its number or its label, or a list of them where several"
    " things are chosen"
)


class Agent(Protocol):
    """Decides for one seat or several: whatever has this method. If it draws, let it have a `Generator`
    called `generator`: where that stands is then saved with the game.

    >>> class First:
    ...     def choose(self, seat: Seat) -> Action:
    ...         return seat.actions[0]
    >>> play(state, [First(), First()]), state.returns()
    (2, (-2.0, 2.0))
    """

    def choose(self, seat: Seat) -> Choice:
        """Return one answer to what the seat is asked."""


class RandomAgent:
    """Takes each possible answer with the same chance; the same seed takes the same ones.

    >>> agent = RandomAgent(seed=1)
    >>> play(state, [agent, agent]), state.is_terminal()
    (2, True)
    """

    def __init__(self, seed: int | str = 0) -> None:
        self.generator = Generator(seed)

    def choose(self, seat: Seat) -> Action:
        """Return a random answer."""
        return seat.draw(self.generator)


class ScriptedAgent:
    """Says its lines, one after the other: labels or numbers of actions, or lists of them where several
    things are chosen at once. When there are none left it raises `InvalidActionError`. Raises `AgentError`
    if the lines are no lines, but a text.

    >>> play(state, [ScriptedAgent(["Bet"]), ScriptedAgent(["Fold"])]), state.returns()
    (2, (1.0, -1.0))
    """

    def __init__(self, lines: Iterable[Choice]) -> None:
        if isinstance(lines, str):
            raise AgentError(f"a script is a list of lines: write [{shown(lines)}]")
        self.lines = list(lines)

    def choose(self, seat: Seat) -> Choice:
        """Return the answer that comes next in the script."""
        if not self.lines:
            raise InvalidActionError(f"the script is at its end: {seat.prompt}")
        return self.lines.pop(0)


def generators(agents: Mapping[int, Agent]) -> dict[int, int]:
    """Return where the generators of agents that draw stand, by seats."""
    return {seat: found.state for seat, found in _drawing(agents)}


def go_on_from(agents: Mapping[int, Agent], places: Mapping[int, int]) -> None:
    """Let agents that draw go on from where their generators stood; seats may share one."""
    for seat, found in _drawing(agents):
        if seat in places:
            found.state = places[seat]


def _drawing(agents: Mapping[int, Agent]) -> Iterable[tuple[int, Generator]]:
    for seat, agent in agents.items():
        found = getattr(agent, "generator", None)
        if isinstance(found, Generator):
            yield seat, found


def give(state: State, player: int, choice: Choice) -> None:
    """Give an answer that an agent has chosen. Raises what `State.apply_action` does."""
    if isinstance(choice, Action | int | str) and not isinstance(choice, bool):
        state.apply_action(choice, player)
        return
    asked = state.decision(player)
    several = asked is not None and asked.kind in WHOLE
    if not several or not isinstance(choice, Sequence | Mapping):
        raise InvalidActionError(f"{shown(choice)} is no answer: {MAY_RETURN}")
    state.answer_whole(choice, player)


def let_answer(agent: Agent, state: State, player: int) -> None:
    """Let an agent answer for a player who is asked. Raises what `State.apply_action` does."""
    with told_who(agent, state, player):
        give(state, player, agent.choose(Seat(state, player)))


@contextmanager
def told_who(agent: object, state: State, player: int) -> Iterator[None]:
    """Note in an error whose answer it was, and in which game."""
    try:
        yield
    except Exception as error:
        which = f"{state.game.title} with seed {state.seed}"
        whose = f"{state.game.names[player]} (seat {player + 1})"
        count = len(state.history())
        error.add_note(
            f"{type(agent).__name__} was asked for {whose} in a game of {which}, at answer {count + 1}"
        )
        raise


def seated(agents: Sequence[Agent], game: Game) -> None:
    """Raise `AgentError` unless there is an agent for each seat."""
    if len(agents) != game.num_players:
        text = f"{game.num_players} agents play, one for each seat, and {len(agents)} are given"
        raise AgentError(text)
    for agent in agents:
        check_agent(agent)


def check_agent(agent: object) -> None:
    """Raise `AgentError` if something is no agent."""
    if isinstance(agent, type):
        raise AgentError(
            f"`{agent.__name__}` is a class: an agent is made from it first, as in {agent.__name__}()"
        )
    if not callable(getattr(agent, "choose", None)):
        hint = f"; write make_agent({agent!r})" if isinstance(agent, str) else ""
        raise AgentError(f"{shown(agent)} is no agent: it has no method `choose`{hint}")


def play(state: State, agents: Sequence[Agent], most_answers: int | None = None) -> int:
    """Let agents play a game to its end, one for each seat in seat order, or until they have given
    `most_answers`; return how many they gave. Raises `AgentError` if there is no agent for a seat, or the
    game stops for chance, and what `State.apply_action` does, with a note that says whose answer it was.

    >>> play(state, [RandomAgent(1), RandomAgent(2)], most_answers=1)
    1
    """
    seated(agents, state.game)
    if state.store.explicit_chance:
        raise AgentError(
            "this game stops for chance (`explicit_chance`), and agents say nothing for it"
        )
    if most_answers is not None:
        whole_number(most_answers, "`most_answers`", 0)
    given = 0
    while not state.is_terminal() and given != most_answers:
        # Of several who decide at once it is the first: for the others nothing comes of it.
        player = state.current_players()[0]
        let_answer(agents[player], state, player)
        given += 1
    return given
