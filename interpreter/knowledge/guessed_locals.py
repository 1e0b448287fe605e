"""Locals of running verbs that a player does not know, guessed: what stood there in games played at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.guesses import described_kinds, met
from rulewright.interpreter.knowledge.locations import realized
from rulewright.interpreter.knowledge.secret_locals import Unknown, secret_locals
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value


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
            stack, other = generator.pick(self.found)
            self._take(store, stack, other, generator, strict=not apart)
            return
        for depth, held in self.unknown.names.items():
            frame = store.frames[depth]
            for name in sorted(held):
                frame.locals[name] = self._anything(store, frame, name, generator)

    def _take(
        self,
        store: Store,
        stack: Sequence[Frame],
        other: Unknown,
        generator: Generator,
        strict: bool,
    ) -> None:
        """Let everything that is not known be as it was in another game."""
        known = iter(
            [frame for depth, frame in enumerate(store.frames) if depth not in self.unknown.clouded]
        )
        held = iter(
            [
                self.unknown.names.get(depth, frozenset())
                for depth in range(len(store.frames))
                if depth not in self.unknown.clouded
            ]
        )
        frames = []
        things: dict[int, Thing] = {}
        for depth, met_frame in enumerate(stack):
            if depth in other.clouded:
                frame = Frame(met_frame.unit, met_frame.node, {}, met_frame.me)
                taken: Iterable[str] = met_frame.locals.keys()
                taken = [name for name in taken if name not in other.dead.get(depth, ())]
            else:
                frame = next(known)
                taken = sorted(next(held) | other.names.get(depth, frozenset()))
                for name in taken:
                    frame.locals.pop(name, None)
            for name in taken:
                if name in met_frame.locals:
                    value = met_frame.locals[name]
                    frame.locals[name] = self._now(store, value, frame, generator, things, strict)
            frames.append(frame)
        store.frames = frames

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

    def _anything(self, store: Store, frame: Frame, name: str, generator: Generator) -> Value:
        """Return what a local was in random games, wherever the verb stood; or what says nothing."""
        values = {
            one.locals[name]: None
            for stack in met(self.program).stacks
            for one in stack
            if one.unit == frame.unit and name in one.locals
        }
        if values:
            return self._now(store, generator.pick(list(values)), frame, generator, {})
        kinds = list(_types(self.program, frame.unit, name))
        if kinds and isinstance(kinds[0], types.ThingType):
            there = store.things(kinds[0].kind)
            return generator.pick(there) if there else None
        return self.program.layout.start_value(kinds[0]) if kinds else None


def _types(program: Program, unit: str, name: str) -> Iterator[types.Type]:
    """Yield the types of what a verb writes into a local."""
    for node in program.plans[unit].nodes:
        match node.step:
            case model.Let(name=found, value=value) if found == name:
                yield types.without_none(value.type)
            case model.ForEach(name=found, source=source) if found == name:
                yield from filter(None, [types.element(source.type)])
            case model.Choose(name=found, source=source, high=high) if found == name:
                kind = types.element(source.type)
                if kind is not None:
                    yield types.ListType(kind) if high is not None else kind
    verb = program.game.verbs.get(unit)
    for parameter in () if verb is None else verb.parameters:
        if parameter.name == name:
            yield types.without_none(parameter.type)
