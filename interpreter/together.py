"""`as ps together`: the node at which several players begin at once, and at which they are joined.

Each has a branch of his own (`forks`). The walker runs one after the other to its first decision, and
whenever one has come to its end, or to `end game`, it is the turn of the next. What is left when all
are done is one state again.
"""

from __future__ import annotations

from rulewright.dsl import kinds, model
from rulewright.dsl.source import Span
from rulewright.interpreter import forks
from rulewright.interpreter.calls import end_game
from rulewright.interpreter.compiling import list_too_long, number_too_large
from rulewright.interpreter.effects import Effects
from rulewright.interpreter.errors import LARGEST_NUMBER, LONGEST_LIST, Horizon, PlayError
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import RESTS, SWITCH, Op, Run
from rulewright.interpreter.store import DONE, NEW, Fork, Frame, Store
from rulewright.interpreter.values import Value


class Together:
    """Runs the forks of one loaded game."""

    def __init__(self, program: Program, effects: Effects) -> None:
        self.program = program
        self.layout = program.layout
        self.effects = effects

    def fork(self, op: Op, step: model.As) -> Run:
        """Return the handler of a fork: all come by here at their beginning and at their end."""
        code, body, done = self.program.evaluator.expression(step.players), *_ways(op)

        def run(store: Store, frame: Frame) -> int:
            if store.trail is not None:
                # What the others do is nothing that anybody can know.
                raise Horizon
            if store.fork is not None:
                if not _is_end(store, store.fork, op):
                    raise PlayError("RW621", op.span)
                return self.arrived(store)
            found = code(store, frame.me, frame.locals)
            players = tuple(dict.fromkeys(found if isinstance(found, tuple) else (found,)))
            if not players:
                return done
            store.eyes = store.transaction = None
            frame.node = op.node
            forks.begin(store, players, body)
            return self.next(store)

        return run

    def arrived(self, store: Store, ending: tuple[Value] | None = None) -> int:
        """Note that the branch in which a store stands is done, and go on with the next one."""
        forks.park(store, DONE, ending)
        return self.next(store)

    def next(self, store: Store) -> int:
        """Go into the next branch, or join them."""
        phase = forks.go_on(store)
        if phase == DONE:
            return self.join(store)
        return SWITCH if phase == NEW else RESTS

    def join(self, store: Store) -> int:
        """Join the branches, and go on behind them."""
        fork = store.fork
        assert fork is not None, "nobody acts at once"
        op = self.program.op(fork.frames[-1])
        try:
            forks.join(store)
        except forks.Collision as met:
            raise PlayError("RW716", op.span, name=self.name(met.slot, met.index)) from None
        store.frames[-1].node = op.edges["done"]
        self.check(store, fork, op.span)
        for branch in fork.branches:
            if branch.ending is not None:
                witnesses, after = self.program.witnesses, self.program.after_play
                return end_game(witnesses, store, branch.player, branch.ending[0], after)
        return SWITCH

    def check(self, store: Store, fork: Fork, span: Span) -> None:
        """Check that everything several players have changed is in its range."""
        written: set[tuple[int, int]] = set()
        for branch in fork.branches:
            for slot, index, _ in branch.cells:
                if (slot, index) in written and slot in self.layout.fields:
                    self._check(store, slot, index, span)
                written.add((slot, index))

    def _check(self, store: Store, slot: int, index: int, span: Span) -> None:
        value = store.columns[slot][index]
        check = self.effects.ranges.get(slot)
        entries = value if isinstance(value, tuple) else (value,)
        zone = self.layout.zone(slot)
        if zone is not None and zone.shape == "slot" and len(value) > 1:
            raise PlayError("RW708", span, name=self.layout.fields[slot].name)
        if len(entries) > LONGEST_LIST:
            raise list_too_long(span)
        if isinstance(_number_in(self.layout.fields[slot].type), kinds.NumberType):
            for entry in entries:
                if not -LARGEST_NUMBER <= entry <= LARGEST_NUMBER:
                    raise number_too_large(span)
                if check is not None:
                    check(store, self.layout.places[slot][index].holder, entry, span)

    def name(self, slot: int, index: int) -> str:
        """Return what a column is called in the rules; of where things lie, the thing."""
        field = self.layout.fields.get(slot)
        if field is not None:
            return field.name
        for kind in self.layout.place_slots:
            if slot in (self.layout.place_slots[kind], self.layout.owner_slots[kind]):
                return self.layout.things[kind][index].kind
        return "a shuffled pile"


def _ways(op: Op) -> tuple[int, int]:
    return op.edges["body"], op.edges["done"]


def _is_end(store: Store, fork: Fork, op: Op) -> bool:
    """Return whether a branch has come back to its fork, and not to another one."""
    at = fork.frames[-1]
    return len(store.frames) == len(fork.frames) and (at.unit, at.node) == (op.unit, op.node)


def _number_in(kind: kinds.Type) -> kinds.Type:
    return kind.value if isinstance(kind, kinds.FamilyType) else kind
