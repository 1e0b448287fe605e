"""Who decides for a seat: a state that waits for an answer in, the answer given.

An agent answers through the state, as a person would, and never touches the generator of the game:
a random agent has one of its own, so that the same cards come whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator

Line: TypeAlias = int | str | Sequence[int | str]
"""One answer: its number or label; or the numbers or labels of several things."""


class Agent(Protocol):
    """Decides for one seat or several: whatever has this method.

    >>> class First:
    ...     def answer(self, state: State, player: int | None = None) -> None:
    ...         state.apply_action(0, player)
    >>> play(state, [First(), First()]), state.returns()
    (2, (-2.0, 2.0))
    """

    def answer(self, state: State, player: int | None = None) -> None:
        """Give one answer to the decision that waits; of several at once, to that of the player."""


class RandomAgent:
    """Takes each possible answer with the same chance; the same seed takes the same ones.

    >>> agent = RandomAgent(seed=1)
    >>> play(state, [agent, agent]), state.is_terminal()
    (2, True)
    """

    def __init__(self, seed: int | str = 0) -> None:
        self.generator = Generator(seed)

    def answer(self, state: State, player: int | None = None) -> None:
        """Give a random answer."""
        store = state.asking(player)
        assert store is not None, "nothing is asked"
        state.apply_value(pick_random(state.game.program, store, self.generator), player)


def generators(agents: Mapping[int, Agent]) -> dict[int, int]:
    """Return where the generators of random agents stand, by seats."""
    return {
        seat: agent.generator.state
        for seat, agent in agents.items()
        if isinstance(agent, RandomAgent)
    }


def go_on_from(agents: Mapping[int, Agent], places: Mapping[int, int]) -> None:
    """Let random agents go on from where their generators stood; seats may share one."""
    for seat, place in places.items():
        agent = agents.get(seat)
        if isinstance(agent, RandomAgent):
            agent.generator.state = place


class ScriptedAgent:
    """Says its lines, one after the other: labels or numbers of actions, or lists of them where several
    things are chosen at once. When there are none left it raises `InvalidActionError`.

    >>> play(state, [ScriptedAgent(["Bet"]), ScriptedAgent(["Fold"])]), state.returns()
    (2, (1.0, -1.0))
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = list(lines)

    def answer(self, state: State, player: int | None = None) -> None:
        """Give the answer that comes next in the script."""
        if not self.lines:
            raise InvalidActionError(f"the script is at its end: {state.prompt(player)}")
        line = self.lines.pop(0)
        if isinstance(line, int | str):
            state.apply_action(line, player)
        else:
            state.answer_whole(line, player)


def play(state: State, agents: Sequence[Agent], most_answers: int | None = None) -> int:
    """Let agents play a game to its end, one for each seat in seat order, or until they have given
    `most_answers`; return how many they gave. Raises what `State.apply_action` does.

    >>> play(state, [RandomAgent(1), RandomAgent(2)], most_answers=1)
    1
    """
    given = 0
    while not state.is_terminal() and given != most_answers:
        # Of several who decide at once it is the first: for the others nothing comes of it.
        player = state.current_players()[0]
        agents[player].answer(state, player)
        given += 1
    return given
