"""Locals of running verbs that a player does not know, guessed: what stood there in games played at random."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.dsl import model
from rulewright.dsl.ir.definitions import PARAMETER
from rulewright.dsl.ir.nodes import Acting, Decide, Edge, Loop, Node
from rulewright.interpreter.knowledge.guesses import described_kinds, met
from rulewright.interpreter.knowledge.locations import CannotBeSaid, realized
from rulewright.interpreter.knowledge.possible_values import possible_values
from rulewright.interpreter.knowledge.secret_locals import Unknown, secret_locals
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
        self.possible = possible_values(program)
        self.found: list[tuple[Sequence[Frame], Unknown]] = []
        """What stood in its place in random games, where the player would know as much."""

        self.places = {depth: self._places(frames, depth) for depth in unknown.clouded}
        """Where the verbs of which he does not know it may stand, by the numbers of frames."""

        if unknown:
            secrets, shape = secret_locals(program), unknown.shape(frames)
            running = [(frame.unit, frame.me) for frame in frames]
            kind = program.op(frames[-1]).kind
            for stack in met(program).stacks:
                # Which verbs run is seen, who acts in them, and what they wait for.
                alike = program.op(stack[-1]).kind == kind
                if alike and [(frame.unit, frame.me) for frame in stack] == running:
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
            for name in held:
                del frame.locals[name]
            if depth in self.unknown.clouded:
                if not self.places[depth]:
                    raise CannotBeSaid
                held = self._stand(frame, generator.pick(self.places[depth]))
            for name in sorted(held, key=lambda one: self.possible.order(frame.unit, one)):
                # What a loop goes through says what its own local is.
                if name not in frame.locals:
                    value = self._anything(store, depth, name, generator)
                    frame.locals[name] = self._with_return(store, depth, name, value)

    def _places(self, frames: Sequence[Frame], depth: int) -> Sequence[int]:
        """Return the nodes at which the verb in a frame may stand as far as the player knows: where the verb above it
        begins, or where what it waits for comes."""
        frame, secrets = frames[depth], secret_locals(self.program)
        plan = self.program.plans[frame.unit]
        following = frames[depth + 1].unit if depth + 1 < len(frames) else None
        found = set[int]()
        for at, node in enumerate(plan.nodes):
            if following is None:
                if type(node) is type(plan.nodes[frame.node]):
                    found.add(at)
            elif following in node.begins:
                found.add(at)
            elif isinstance(node, Decide) and following in self.program.offers:
                found.add(plan.edges[at].get(Edge.TAKEN, at))
        return sorted(found & secrets.clouded[frame.me is self.player][frame.unit])

    def _stand(self, frame: Frame, at: int) -> frozenset[str]:
        """Let the verb in a frame stand at a node; return the locals that are read there and that it does not have."""
        secrets, plan = secret_locals(self.program), self.program.plans[frame.unit]
        loops = plan.nodes[at].loops
        iterators = {f"#{loop}" for loop in loops if _is_counted(plan.nodes[loop])}
        picked = frozenset().union(*secrets.picked[frame.unit])

        def is_held(name: str) -> bool:
            if name.startswith("#") or name in picked:
                # He has picked nothing so far.
                return name in iterators
            # A loop takes its own local away when it ends.
            return any(
                one in loops or one == PARAMETER or not isinstance(plan.nodes[one], Loop)
                for one in secrets.flow.written_at(frame.unit, at, name)
            )

        frame.node = at
        held = set(filter(is_held, secrets.live[frame.unit].get(at, ())))
        for name in frame.locals.keys() - held:
            del frame.locals[name]
        return frozenset(held - frame.locals.keys())

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
            for name in unknown & frame.locals.keys():
                del frame.locals[name]
            store.frames.append(frame)
            for name in sorted(unknown, key=lambda one: self.possible.order(met_frame.unit, one)):
                if name in met_frame.locals:
                    value = met_frame.locals[name]
                    value = self._now(store, value, frame, generator, things, strict=True)
                    value = self._with_return(store, depth, name, value)
                    if not self.possible.put(store, depth, name, value):
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

    def _with_return(self, store: Store, depth: int, name: str, value: Value) -> Value:
        """Return what a loop over players goes through with the one who acts again behind it: who acts around it, or has
        begun the verb. Nobody begins an `as soon as`."""
        frame = store.frames[depth]
        if not isinstance(_loop(self.program, frame.unit, name), Acting):
            return value
        around = secret_locals(self.program).flow.acts[frame.unit][int(name[1:])]
        passed = frame.locals.get(f"#{around[-1]}") if around else None
        if passed is not None:
            return (*value[:2], _acts(passed))
        begun = depth > 0 and frame.unit in self.program.game.verbs
        return (*value[:2], store.frames[depth - 1].me if begun else None)

    def _anything(self, store: Store, depth: int, name: str, generator: Generator) -> Value:
        """Return what the rules could write into a local now, or what it was in random games, wherever the verb
        stood."""
        frame = store.frames[depth]
        argument = self.possible.handed(store, depth, name)
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
            if self.possible.fits(store, trial, name):
                return value
        found = self.possible.writable(store, frame, name, generator)
        if found:
            return found[0]
        if fitting:
            return self._now(store, generator.pick(fitting), frame, generator, {})
        return self.possible.any_of_its_type(store, frame, name, generator)


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
