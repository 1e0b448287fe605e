"""Locals of running verbs that a player does not know, guessed: what stood there in games played at random."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl.ir.nodes import Acting, Node
from rulewright.interpreter.knowledge.guesses import described_kinds, met
from rulewright.interpreter.knowledge.locations import CannotBeSaid, realized
from rulewright.interpreter.knowledge.secret_locals import Unknown, secret_locals
from rulewright.interpreter.knowledge.writable_values import (
    any_of_its_type,
    choices_of,
    writable,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_STACKS = 10
"""So many other games are looked at for one in which what was chosen stands to choice here."""


class GuessedLocals:
    """Guesses what a player does not know of some running verbs, as often as is needed."""

    def __init__(
        self,
        program: Program,
        frames: Sequence[Frame],
        player: Thing,
        asked: bool,
        unknown: Unknown,
    ) -> None:
        self.program = program
        self.player = player
        self.asked = asked
        self.unknown = unknown
        self.kinds = described_kinds(program.layout)
        self.choices = choices_of(program)
        self.found: list[tuple[Sequence[Frame], Unknown]] = []
        """What stood in its place in random games, where the player would know as much."""

        if unknown:
            secrets, shape = secret_locals(program), unknown.shape(frames)
            units, me = [frame.unit for frame in frames], frames[-1].me
            kind = program.op(frames[-1]).kind
            for stack in met(program).stacks:
                # Which verbs run is seen, and for whom they wait.
                alike = stack[-1].me is me and program.op(stack[-1]).kind == kind
                if alike and [frame.unit for frame in stack] == units:
                    other = secrets.of(stack, None, player, asked)
                    if other.shape(stack) == shape:
                        self.found.append((stack, other))

    @property
    def names(self) -> tuple[str, ...]:
        """What is guessed, in words."""
        return ("running verbs",) if self.unknown else ()

    def write(self, store: Store, generator: Generator, apart: bool = False) -> None:
        """Let the locals of a state that was drawn be guessed: all as in one other game or, if nothing of that
        goes on, each `apart`."""
        for depth, names in self.unknown.dead.items():
            for name in names:
                store.frames[depth].locals.pop(name, None)
        if not self.unknown:
            return
        if self.found and not (apart and not self.unknown.clouded):
            before = store.frames
            for stack, other in generator.shuffled(self.found)[:MOST_STACKS]:
                store.frames = [frame.copy() for frame in before]
                if self._take(store, stack, other, generator, strict=not apart):
                    return
            if self.unknown.clouded:
                raise CannotBeSaid
            store.frames = before
        for depth, held in self.unknown.names.items():
            frame = store.frames[depth]
            true = {name: frame.locals.pop(name) for name in held}
            for name in sorted(held, key=lambda one: self.choices.order(frame.unit, one)):
                # What a loop goes through says what its own local is.
                if name not in frame.locals:
                    value = self._anything(store, depth, name, generator)
                    frame.locals[name] = self._with_return(frame, name, value, true[name])

    def _take(
        self,
        store: Store,
        stack: Sequence[Frame],
        other: Unknown,
        generator: Generator,
        strict: bool,
    ) -> bool:
        """Let everything that is not known be as it was in another game; return whether all that was chosen there
        stands to choice here."""
        frames = store.frames
        known = iter(
            [
                (frame, self.unknown.names.get(depth, frozenset()))
                for depth, frame in enumerate(frames)
                if depth not in self.unknown.clouded
            ]
        )
        store.frames = []
        things: dict[int, Thing] = {}
        for depth, met_frame in enumerate(stack):
            if depth in other.clouded:
                handed = self.unknown.handed.get(depth, frozenset())
                kept = {name: frames[depth].locals[name] for name in handed}
                frame = Frame(met_frame.unit, met_frame.node, kept, met_frame.me)
                unknown = frozenset(met_frame.locals) - other.dead.get(depth, frozenset()) - handed
            else:
                frame, unknown = next(known)
                # What he knows here stays, also if he would not know it there.
                stays = frame.locals.keys() - unknown
                unknown |= other.names.get(depth, frozenset()) - stays
            true = {name: frame.locals.pop(name, None) for name in unknown}
            store.frames.append(frame)
            for name in sorted(unknown, key=lambda one: self.choices.order(met_frame.unit, one)):
                if name in met_frame.locals:
                    value = met_frame.locals[name]
                    value = self._now(store, value, frame, generator, things, strict)
                    value = self._with_return(frame, name, value, true[name])
                    if not self.choices.put(store, depth, name, value):
                        return False
        return True

    def _now(
        self,
        store: Store,
        value: Value,
        frame: Frame,
        generator: Generator,
        things: dict[int, Thing],
        strict: bool = False,
    ) -> Value:
        layout, kinds = self.program.layout, self.kinds
        return realized(layout, store, value, frame.me, kinds, generator, things, strict)

    def _with_return(self, frame: Frame, name: str, value: Value, true: Value) -> Value:
        """Return what a loop goes through with the player who acts again behind it: it was told who that is."""
        node = _loop(self.program, frame.unit, name)
        if isinstance(node, Acting) and isinstance(value, tuple) and isinstance(true, tuple):
            return (*value[:2], *true[2:])
        return value

    def _anything(self, store: Store, depth: int, name: str, generator: Generator) -> Value:
        """Return what the rules could write into a local now, or what it was in random games, wherever the verb
        stood."""
        frame = store.frames[depth]
        argument = self.choices.handed(store, depth, name)
        if argument:
            return argument[0]
        values = {
            one.locals[name]: None
            for stack in met(self.program).stacks
            for one in stack
            if one.unit == frame.unit and name in one.locals
        }
        acting = isinstance(_loop(self.program, frame.unit, name), Acting)
        fitting = [one for one in values if not acting or _acts(one) is frame.me]
        if fitting and generator.below(2):
            trial = frame.copy()
            value = trial.locals[name] = self._now(
                store, generator.pick(fitting), frame, generator, {}
            )
            if self.choices.fits(store, trial, name):
                return value
        found = writable(self.program, store, frame, name, generator)
        if found:
            return found[0]
        if fitting:
            return self._now(store, generator.pick(fitting), frame, generator, {})
        return any_of_its_type(self.program, store, frame, name, generator)


def _loop(program: Program, unit: str, name: str) -> Node | None:
    """Return the node to which a local belongs in which a loop keeps what it goes through."""
    number = name.removeprefix("#")
    is_loop = number != name and number.isdecimal()
    return program.plans[unit].nodes[int(number)] if is_loop else None


def _acts(passed: Value) -> Value:
    """Return the player who acts, from what a loop goes through."""
    players, number, _ = passed
    return players[number - 1]
