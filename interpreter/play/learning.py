"""Whether somebody has learned something hidden since an earlier state.

The answers are given once more, on handlers that look at each step of the rules twice: what was
shown, drawn or moved into sight by it, and whether it reads something that is hidden from who looks,
on a copy of the state that is thrown away. Public effects alone teach nobody anything: he has seen
what decided them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import attrs

from rulewright.dsl import model
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.engine.load import program_on
from rulewright.interpreter.ir.machine import Op, Run
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.play.api import State
from rulewright.interpreter.semantics.events import ChanceStop
from rulewright.interpreter.state.errors import PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import Event, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

MOVERS = (model.Move, model.Shuffle, model.Swap, model.Create, model.Destroy, model.Show)
"""What these teach is seen by what becomes visible."""

UNWATCHED = ("decide", "chance")
"""Kinds of operations that may read hidden things: those of who decides, and those of chance."""


def learned(before: State, answers: Sequence[Answer], seats: Iterable[int]) -> bool:
    """Return whether one of some seats has learned something hidden since a state in which these answers
    were given. What several have done at once counts as learned: they are told of it together."""
    watching = _LearningReplay(before, seats)
    return watching.learned or watching.play(answers)


class _HiddenRead(Exception):
    """Something hidden was read."""


class _ProbeStore(Store):
    """A copy of a state on which one step is tried out, as who watches sees it."""

    __slots__ = ()

    def meet_hidden(self) -> None:
        """Note that it was met."""
        raise _HiddenRead

    def end_pass(self) -> None:
        """Nothing ends here: no transaction is running."""


class _LearningReplay:
    """Plays answers once more and watches what its seats learn."""

    def __init__(self, before: State, seats: Iterable[int]) -> None:
        game = before.game
        program = program_on(game.model, game.program.layout)
        program.runs.make = lambda unit: [self._watched(op) for op in program.code[unit]]
        self.state = before.told_by(attrs.evolve(game, program=program)).clone()
        self.seers = program.evaluator.visibility
        self.layout = program.layout
        self.seats = tuple(before.seat(seat) for seat in seats)
        self.learned = before.store.fork is not None

    def play(self, answers: Sequence[Answer]) -> bool:
        """Give answers; return whether somebody has learned something by them."""
        hidden = self._hidden()
        for answer in answers:
            if self.learned:
                break
            self._give(answer)
        columns = self.state.store.columns
        return self.learned or any(
            self._sees(place, seat) and columns[place.slot][place.index] not in (None, ())
            for place, seat in hidden
        )

    def _give(self, answer: Answer) -> None:
        state = self.state
        decision = state.decision(answer.player) if answer.player is not None else None
        if decision is None:
            # A driver has said what chance brings, and who he is nobody knows.
            self.learned = True
        elif not answer.whole:
            state.apply_value(answer.value, answer.player)
        elif decision.kind == "split":
            assert isinstance(answer.value, tuple), "one amount for each"
            state.answer_whole(answer.value, answer.player)
        else:
            assert isinstance(answer.value, tuple), "several things"
            pieces = [Action(place, one, "", "piece") for place, one in enumerate(answer.value)]
            state.answer_whole(pieces, answer.player)

    # ------------------------------------------------------------------------------ what is visible

    def _hidden(self) -> list[tuple[PlaceValue, Thing]]:
        """Return the fields and zones that one of the seats does not see."""
        columns = self.state.store.columns
        return [
            (place, seat)
            for slot, field in self.layout.fields.items()
            if slot < self.layout.size and not field.printed and not field.internal
            if self.seers.seer(slot) is not None
            for place in self.layout.places[slot][: len(columns[slot])]
            for seat in self.seats
            if not self._sees(place, seat)
        ]

    def _sees(self, place: PlaceValue, seat: Thing) -> bool:
        return self.seers.sees(self.state.store, place, seat)

    # ----------------------------------------------------------------------------- what a step does

    def _watched(self, op: Op) -> Run:
        run = op.run
        moves = op.kind == "effect" and isinstance(op.step, MOVERS)
        silent = op.kind in UNWATCHED or moves

        def watched(store: Store, frame: Frame) -> int:
            if store.trail is not None or self.learned:
                return run(store, frame)
            if store.fork is not None:
                self.learned = True
                return run(store, frame)
            was = store.clone()
            met = () if silent else [seat for seat in self.seats if _reads(run, was, seat)]
            result = run(store, frame)
            if store.fork is None:
                news = [*latest_first(store.log, was.log)]
                self.learned = any(self._shows(one, was) for one in news) or any(
                    op.kind != "effect" or any(_notices(one, seat) for one in news) for seat in met
                )
            return result

        return watched

    def _shows(self, event: Event, was: Store) -> bool:
        """Return whether an event shows somebody what he has not seen before it."""
        looking = [seat for seat in self.seats if seat.number in event.seers]
        match event.kind, event.data:
            case "show", (Thing() | tuple() as value, *_) if _is_of_things(value):
                knowing = self.state.game.program.witnesses.of_values(was, (value,))
                return any(seat.number not in knowing for seat in looking)
            case "chance" | "show", _:
                return bool(looking)
            case "move", (_, PlaceValue() as source, _):
                return any(not self.seers.sees(was, source, seat) for seat in looking)
            case "swap", (first, second):
                return any(
                    not (self.seers.sees(was, first, seat) and self.seers.sees(was, second, seat))
                    for seat in looking
                )
        return False


def _is_of_things(value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return all(isinstance(item, Thing) for item in items)


def _reads(run: Run, was: Store, seat: Thing) -> bool:
    """Return whether a step reads what is hidden from a seat."""
    trial = was.clone()
    trial.__class__ = _ProbeStore
    trial.viewer, trial.transaction = seat, None
    try:
        # What is left to chance is decided later, and wrong rules have gone well before.
        with suppress(Undecided, ChanceStop, PlayError):
            run(trial, trial.frames[-1])
    except _HiddenRead:
        return True
    return False


def _notices(event: Event, seat: Thing) -> bool:
    return seat.number in event.seers or seat.number in event.counters
