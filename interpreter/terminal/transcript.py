"""A whole game between programs, told line by line.

    3. ann: turn
      ann: Claim a planet, planet Cinder, card Code (number 3)
        ann moves Code (number 3) from hand to discards
        claim of Cinder is now ann

Told is what all seats know, and besides what each has chosen, in the eyes of who chose: nobody plays
here who must not know. The same seed gives the same lines.

A *turn* is the outermost verb that a `repeat` calls for a player. Games without such a verb have no
headings; each line says whose choice it is anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulewright.dsl import model
from rulewright.interpreter.agents.agent import Agent, let_answer
from rulewright.interpreter.engine.actions import Decision
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.program.decisions import told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value, VerbValue
from rulewright.interpreter.terminal.ending import GameResult, stopped
from rulewright.interpreter.terminal.table import wrapped
from rulewright.interpreter.words.text import printable

CHOICE = "  "
EVENT = "    "


class Transcript:
    """Plays a game and tells it."""

    def __init__(
        self, state: State, agents: Sequence[Agent], limit: int, spoken: Game | None = None
    ) -> None:
        self.state = state
        self.program = (spoken or state.game).program
        """The program that tells what happens, in its language."""

        self.say = self.program.evaluator.words
        self.agents = agents
        """Who plays each seat."""

        self.limit = limit
        self.turns = 0
        self.turn: Frame | None = None
        self.chosen: list[str] = []
        """What the player has chosen since the last line, in words."""

        self.site = ""
        """Where the last thing was chosen."""

        self.begun: int | None = None
        """How many verbs were running when the last choice was one of a verb."""

        self.chooser = ""
        # The past of a game that was loaded has been told already.
        self.told = state.store.count_events() if state.history() else 0
        self.repeated: tuple[str, int] = ("", 0)
        """The last event and how often it came: three cards that are dealt are one line."""

    def lines(self) -> Iterator[str]:
        """Yield the game line by line, its end last."""
        state = self.state
        decisions = 0
        yield from self._news()
        while not state.is_terminal() and decisions < self.limit:
            decisions += 1
            yield from self._choose()
            yield from self._news()
        yield from self._choices()
        yield from self._events()
        if state.is_terminal():
            yield from GameResult(self.program, state.store).lines()
        else:
            yield ""
            yield stopped(self.say, self.limit)

    # ----------------------------------------------------------------------------------- choices

    def _choose(self) -> Iterator[str]:
        """Let the agent decide, and note what it has chosen; a turn that begins is told."""
        state = self.state
        player = state.current_players()[0]
        decision = state.decision(player)
        assert decision is not None, "nobody is asked"
        chooser = state.game.names[decision.player]
        if chooser != self.chooser:
            yield from self._choices()
        self.chooser = chooser
        yield from self._heading()
        running = len(state.store.frames)
        store = None if self.program is state.game.program else state.clone().asking(player)
        let_answer(self.agents[player], state, player)
        value, label = state.history()[-1].value, state.history()[-1].label
        if store is not None:
            label = told(self.program, store, value)
        if self._is_another(decision, value, running):
            yield from self._choices()
        self.site = decision.site
        self.begun = running if isinstance(value, VerbValue) else None
        name = self.say.name(decision.name.replace("_", " "))
        if decision.kind in ("may", "either") or isinstance(value, VerbValue | Taken):
            self.chosen.append(label)
        elif decision.kind == "split":
            if label != self.say("nothing") or not decision.picked:
                self.chosen.append(f"{name} {label}")
        elif value is DONE:
            if not decision.picked:
                self.chosen.append(f"{name} {self.say('none')}")
        elif decision.picked and self.chosen:
            # A further piece of one selection.
            self.chosen[-1] += f" + {label}"
        else:
            self.chosen.append(f"{name} {label}")

    def _is_another(self, decision: Decision, value: Value, running: int) -> bool:
        """Return whether a choice is no part of what was chosen last, even if nothing has come of
        that: a verb begins, or has ended, or the same is asked again."""
        if isinstance(value, Taken):
            return True
        if isinstance(value, VerbValue) or decision.site == self.site:
            return not decision.picked
        return self.begun is not None and running <= self.begun

    def _heading(self) -> Iterator[str]:
        turn = turn_of(self.state.game.program, self.state.store)
        if turn is None or turn is self.turn:
            return
        self.turn = turn
        self.turns += 1
        yield from self._choices()
        yield from self._events()
        reader = EventNarrator(self.program, self.state.store, turn.me)
        verb = reader.verb_name(turn.unit)
        yield ""
        yield printable(f"{self.turns}. {reader.value(turn.me)}: {verb}")

    def _choices(self) -> Iterator[str]:
        if self.chosen:
            yield from self._events()
            yield from _wrapped(CHOICE, f"{self.chooser}: {', '.join(self.chosen)}")
        self.chosen = []

    # ------------------------------------------------------------------------------------ events

    def _news(self) -> Iterator[str]:
        """Yield what has happened since the last look."""
        store = self.state.seen_by(None)
        reader = EventNarrator(self.program, store, None)
        news = events_since(store, self.told)
        self.told += len(news)
        for event in news:
            line = reader.line(event)
            if line is None or (event.kind == "begin" and reader.verb(event) in self.chosen):
                continue
            if self.chosen or line != self.repeated[0]:
                yield from self._choices()
                yield from self._events()
                self.repeated = (line, 0)
            self.repeated = (line, self.repeated[1] + 1)

    def _events(self) -> Iterator[str]:
        line, times = self.repeated
        if times:
            if times > 1:
                line += f" {self.say('({number} times)', number=times)}"
            yield from _wrapped(EVENT, line)
        self.repeated = ("", 0)


def turn_of(program: Program, store: Store) -> Frame | None:
    """Return the running verb that is a turn of somebody."""
    for caller, called in pairwise(store.frames):
        if called.me is None or called.me is not caller.me or called.unit in program.offers:
            continue
        code = program.code[caller.unit]
        loops = program.op(caller).loops
        if any(isinstance(code[loop].step, model.Repeat) for loop in loops):
            return called
    return None


def _wrapped(indent: str, line: str) -> list[str]:
    return wrapped("", printable(line), indent=indent)
