"""Locals of running verbs that a player does not know, guessed: what stood there in games played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from rulewright.dsl import model
from rulewright.dsl.ir.definitions import PARAMETER
from rulewright.dsl.ir.nodes import Acting, Decide, Loop, Node
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

        self.places = {depth: list(self._places(frames, depth)) for depth in unknown.clouded}
        """Where the verbs of which he does not know it may stand, by the numbers of frames."""

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
        if self.found and not apart:
            before = store.frames
            for stack, other in generator.shuffled(self.found)[:MOST_STACKS]:
                store.frames = [frame.copy() for frame in before]
                with suppress(CannotBeSaid):
                    if self._take(store, stack, other, generator):
                        return
            if self.unknown.clouded:
                raise CannotBeSaid
            store.frames = before
        for depth in sorted(self.unknown.names.keys() | self.unknown.clouded):
            frame, held = store.frames[depth], self.unknown.names.get(depth, frozenset())
            true = {name: frame.locals.pop(name) for name in held}
            if depth in self.unknown.clouded:
                held = self._stand(frame, generator.pick(self.places[depth] or [frame.node]))
            for name in sorted(held, key=lambda one: self.choices.order(frame.unit, one)):
                # What a loop goes through says what its own local is.
                if name not in frame.locals:
                    value = self._anything(store, depth, name, generator)
                    frame.locals[name] = self._with_return(frame, name, value, true.get(name))

    def _places(self, frames: Sequence[Frame], depth: int) -> Iterator[int]:
        """Yield the nodes at which the verb in a frame may stand as far as the player knows, where the same one acts:
        where the verb above it begins, or where he is asked."""
        frame, secrets = frames[depth], secret_locals(self.program)
        unit, acts = frame.unit, secrets.flow.acts[frame.unit]
        following = frames[depth + 1].unit if depth + 1 < len(frames) else None
        for at, node in enumerate(self.program.plans[unit].nodes):
            if (
                at not in secrets.clouded[frame.me is self.player][unit]
                or acts[at] != acts[frame.node]
            ):
                continue
            if following in node.begins or (
                isinstance(node, Decide) and (following is None or following in self.program.offers)
            ):
                yield at

    def _stand(self, frame: Frame, at: int) -> frozenset[str]:
        """Let the verb in a frame stand at a node; return the locals that are read there and that it does not have."""
        secrets, unit = secret_locals(self.program), frame.unit
        node, live = self.program.plans[unit].nodes[at], secrets.live[unit].get(at, frozenset())
        frame.node = at
        for name in frame.locals.keys() - live:
            del frame.locals[name]
        plan = self.program.plans[unit]

        def is_held(name: str) -> bool:
            if name.startswith("#") or name in picked:
                # He has picked nothing so far.
                return name in own
            # A loop takes its own local away when it ends.
            return any(
                one in node.loops or one == PARAMETER or not isinstance(plan.nodes[one], Loop)
                for one in secrets.flow.written_at(unit, at, name)
            )

        picked = frozenset().union(*secrets.picked[unit])
        own = {f"#{loop}" for loop in node.loops if _is_counted(plan.nodes[loop])}
        return frozenset(filter(is_held, live - frame.locals.keys()))

    def _take(
        self,
        store: Store,
        stack: Sequence[Frame],
        other: Unknown,
        generator: Generator,
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
                there = frames[depth].locals
                kept = {name: there[name] for name in handed if name in there}
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
                    value = self._now(store, value, frame, generator, things, strict=True)
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


def _is_counted(loop: Node) -> bool:
    """Return whether a loop keeps what it goes through, or how often it still runs."""
    return not isinstance(loop.step, model.Repeat) or loop.step.word == "times"


def _loop(program: Program, unit: str, name: str) -> Node | None:
    """Return the node to which a local belongs in which a loop keeps what it goes through."""
    number = name.removeprefix("#")
    is_loop = number != name and number.isdecimal()
    return program.plans[unit].nodes[int(number)] if is_loop else None


def _acts(passed: Value) -> Value:
    """Return the player who acts, from what a loop goes through."""
    players, number, _ = passed
    return players[number - 1]
