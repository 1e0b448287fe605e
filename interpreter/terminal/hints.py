"""`hint`: the best answers to what is asked, found by playing on from states that may be the real one.

The search knows no more than the one who asks (`Seat`), so a hint tells nothing that he may not see.
"""

from __future__ import annotations

import attrs

from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.search import SearchAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.agents.specs import read_budget
from rulewright.interpreter.engine.actions import UNSEEN, Action
from rulewright.interpreter.engine.whole_selections import WHOLE
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.program.decisions import told
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.errors import KnowledgeError, PlayError
from rulewright.interpreter.terminal.commands import CommandContext
from rulewright.interpreter.terminal.table import STEP
from rulewright.interpreter.words.text import printable

PLAYOUTS = 100
"""So many are played if nothing is said."""

SHOWN = 3
PART = 4
"""What follows a first piece of several things has this part of the playouts."""

BUDGET = "[N]"
"""What stands behind `hint`."""


@attrs.frozen
class Advice:
    """One of the best answers."""

    answer: str
    """In words; of several things with all that belongs to it."""

    action: Action
    value: float
    """What it is worth, 0 to 1."""

    visits: int
    """How often it was tried."""


@attrs.frozen
class Hints:
    """What was found out about what is asked."""

    best: tuple[Advice, ...]
    """The best answers; none if no samples can be drawn here."""

    iterations: int
    possible: str = ""
    """If there is no best one: an answer that can be given."""

    noticed: str = ""
    """What has to be known about the figures, in words."""


def hints(
    state: State,
    player: int,
    spoken: Game,
    iterations: int | None = PLAYOUTS,
    seconds: float | None = None,
    seed: int | str = 0,
) -> Hints:
    """Return the best answers of a player to what is asked, in the language of a game that is spoken."""
    agent = SearchAgent(iterations, seconds, seed=seed)
    seat = Seat(state, player)
    say = spoken.program.evaluator.words
    try:
        found = agent.think(seat)
    except (KnowledgeError, PlayError):
        # What may be cannot be said here, or goes wrong there; what can be done is known all the same.
        answer = _whole(state, player, spoken, seat.draw(agent.generator), agent, by_chance=True)
        return Hints((), 0, answer or say("none"))
    briefly = SearchAgent(max(found.iterations // PART, 1))
    briefly.generator = agent.generator
    best = []
    for one in [option for option in found.options if option.visits][:SHOWN]:
        answer = _whole(state, player, spoken, one.action, briefly) or say("none")
        best.append(Advice(answer, one.action, one.value, one.visits))
    return Hints(tuple(best), found.iterations, noticed=found.rollouts.told(say))


def show_hint(context: CommandContext, rest: str) -> None:
    """Print the best answers, what each is worth, and how often it was tried."""
    try:
        iterations, seconds = read_budget(rest) if rest else (PLAYOUTS, None)
    except AgentError:
        context.complain(
            context.say("write `{form}` or `{other}`", form="hint 800", other="hint 2s")
        )
        return
    session, say = context.session, context.say
    answers = len(session.state.history())
    context.hinted = (answers, context.hinted[1] + 1 if context.hinted[0] == answers else 1)
    # A game that was saved and loaded gives the same hints as one that simply goes on.
    seed = "hints {} {}".format(*context.hinted)
    found = hints(session.state, context.seat, session.spoken, iterations, seconds, seed)
    if found.possible:
        context.tell(say("You could answer: {answer}", answer=found.possible), "note")
        return
    after = (
        "The best after {number} playouts:" if found.iterations > 1 else "The best after 1 playout:"
    )
    context.tell(say(after, number=found.iterations), "note")
    for one in found.best:
        text = "{answer}: worth {value} of 100 ({number} playouts)"
        if one.visits == 1:
            text = "{answer}: worth {value} of 100 (1 playout)"
        line = say(text, answer=one.answer, value=round(100 * one.value), number=one.visits)
        context.tell(f"{STEP}{line}", "note")
    if found.noticed:
        context.tell(f"{STEP}{found.noticed}", "note")


def _whole(
    state: State,
    player: int,
    spoken: Game,
    action: Action,
    agent: SearchAgent,
    *,
    by_chance: bool = False,
) -> str:
    """Return an answer in words; of several things with all that the agent would add to the first."""
    state = state.clone()
    asked = state.decision(player)
    assert asked is not None, "nobody is asked"
    chosen: list[str] = []
    while True:
        asking = state.asking(player)
        assert asking is not None, "nobody is asked"
        if action.value is not DONE:
            unseen = action.value is UNSEEN
            chosen.append(action.label if unseen else told(spoken.program, asking, action.value))
        state.apply_action(action, player)
        following = state.decision(player)
        if asked.kind not in WHOLE or following is None or not following.picked:
            return printable(", ".join(chosen))
        seat = Seat(state, player)
        action = seat.draw(agent.generator) if by_chance else agent.choose(seat)
