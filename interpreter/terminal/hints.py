"""`hint`: the best answers to what is asked, found by playing on from states that may be the real one.

The search knows no more than the one who asks (`Seat`), so a hint tells nothing that he may not see.
"""

from __future__ import annotations

from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.search import SearchAgent, Thought
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.agents.specs import read_budget
from rulewright.interpreter.engine.actions import UNSEEN, Action
from rulewright.interpreter.engine.whole_selections import WHOLE
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


def show_hint(context: CommandContext, rest: str) -> None:
    """Print the best answers, what each is worth, and how often it was tried."""
    try:
        iterations, seconds = read_budget(rest) if rest else (PLAYOUTS, None)
    except AgentError:
        context.complain(
            context.say("write `{form}` or `{other}`", form="hint 800", other="hint 2s")
        )
        return
    answers = len(context.session.state.history())
    context.hinted = (answers, context.hinted[1] + 1 if context.hinted[0] == answers else 1)
    # A game that was saved and loaded gives the same hints as one that simply goes on.
    seed = "hints {} {}".format(*context.hinted)
    agent = SearchAgent(iterations, seconds, seed=seed)
    seat = Seat(context.session.state, context.seat)
    try:
        found = agent.think(seat)
    except (KnowledgeError, PlayError):
        # What may be cannot be said here, or goes wrong there; what can be done is known all the same.
        answer = _whole(context, seat.draw(agent.generator), agent, by_chance=True)
        context.tell(context.say("You could answer: {answer}", answer=answer), "note")
        return
    _tell(context, found, agent)


def _tell(context: CommandContext, found: Thought, agent: SearchAgent) -> None:
    say = context.say
    after = (
        "The best after {number} playouts:" if found.iterations > 1 else "The best after 1 playout:"
    )
    context.tell(say(after, number=found.iterations), "note")
    briefly = SearchAgent(max(found.iterations // PART, 1))
    briefly.generator = agent.generator
    for one in [option for option in found.options if option.visits][:SHOWN]:
        text = "{answer}: worth {value} of 100 ({number} playouts)"
        if one.visits == 1:
            text = "{answer}: worth {value} of 100 (1 playout)"
        answer = _whole(context, one.action, briefly)
        line = say(text, answer=answer, value=round(100 * one.value), number=one.visits)
        context.tell(f"{STEP}{line}", "note")


def _whole(
    context: CommandContext, action: Action, agent: SearchAgent, *, by_chance: bool = False
) -> str:
    """Return an answer in words; of several things with all that the agent would add to the first."""
    state = context.session.state.clone()
    asked = state.decision(context.seat)
    assert asked is not None, "nobody is asked"
    chosen: list[str] = []
    while True:
        asking = state.asking(context.seat)
        assert asking is not None, "nobody is asked"
        if action.value is not DONE:
            unseen = action.value is UNSEEN
            program = context.session.spoken.program
            chosen.append(action.label if unseen else told(program, asking, action.value))
        state.apply_action(action, context.seat)
        following = state.decision(context.seat)
        if asked.kind not in WHOLE or following is None or not following.picked:
            return printable(", ".join(chosen)) or context.say("none")
        seat = Seat(state, context.seat)
        action = seat.draw(agent.generator) if by_chance else agent.choose(seat)
