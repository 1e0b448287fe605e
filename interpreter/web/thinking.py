"""How agents and hints think: in processes of their own with low priority, so that no page waits for them.

A task holds the table as bytes. What comes back is an answer as plain data; the table checks it like any other.
"""

from __future__ import annotations

import os
from contextlib import suppress

import attrs

from rulewright.interpreter.agents.agent import RandomAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.agents.specs import make_agents
from rulewright.interpreter.engine.actions import UNSEEN, Action
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.save_format import saved_answer
from rulewright.interpreter.program.encoding import ValueCodec
from rulewright.interpreter.state.errors import KnowledgeError, PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.terminal.hints import hints
from rulewright.interpreter.web.games import LoadedGames, Served
from rulewright.interpreter.web.pages import Hint, HintLine
from rulewright.interpreter.web.storage import TableRow
from rulewright.interpreter.web.table import Thought

NICENESS = 10
GAMES_KEPT = 8


@attrs.frozen
class Task:
    """A table at which somebody is asked; of whom, and for what."""

    row: TableRow
    n: int
    state: bytes
    seat: int
    agents: tuple[str, ...] = ()
    """The agents of all seats; none if it is a hint that is wanted."""

    place: int | None = None
    """Where the generator of the agent stands."""

    language: str | None = None
    hint: int = 0
    """The how-manieth hint to this question it is."""

    alone: bool = False
    """Whether nobody but agents sits there."""

    briefly: bool = False
    """Whether it has taken too long before: then chance decides."""


def begin(served: Served) -> Thinker:
    """Return what carries out tasks in a process of its own."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    return Thinker(served)


class Thinker:
    """Carries out tasks."""

    def __init__(self, served: Served) -> None:
        self.games = LoadedGames(served, GAMES_KEPT, GAMES_KEPT)

    def __call__(self, task: Task) -> Thought | Hint:
        """Return what an agent decides, or what a hint says."""
        game = self.games.load(task.row.game, task.row.setup)
        state = game.unpack(task.state)
        return self._decided(task, state) if task.agents else self._hint(task, state)

    def _decided(self, task: Task, state: State) -> Thought:
        agent = make_agents(task.agents, task.row.seed)[task.seat]
        generator = getattr(agent, "generator", None)
        if isinstance(generator, Generator) and task.place is not None:
            generator.state = task.place
        seat = Seat(state, task.seat)
        try:
            choice = (
                RandomAgent(f"in haste {task.n}").choose(seat)
                if task.briefly
                else agent.choose(seat)
            )
        except (KnowledgeError, PlayError):
            # What may be cannot be said here; what can be done is known all the same.
            choice = RandomAgent(f"at a loss {task.n}").choose(seat)
        assert isinstance(choice, Action), "our agents choose what was listed"
        place = generator.state if isinstance(generator, Generator) else None
        if choice.value is UNSEEN:
            choice = state.legal_actions(task.seat)[choice.index]
        codec = ValueCodec(state.game.program.layout)
        said = Answer(0, task.seat, seat.decision.site, choice.value, choice.label)
        return Thought(task.n, task.seat, saved_answer(said, codec), place)

    def _hint(self, task: Task, state: State) -> Hint:
        spoken = self.games.spoken(state.game, task.language or "en")
        answers = len(state.history())
        found = hints(state, task.seat, spoken, seed=f"hints {answers} {task.hint}")
        if found.possible:
            return Hint((HintLine(found.possible),))
        lines = [HintLine(one.answer, round(100 * one.value), one.visits) for one in found.best]
        return Hint(tuple(lines), found.iterations, noticed=found.noticed)
