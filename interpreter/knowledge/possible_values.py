"""What locals of running verbs can hold in a state that was drawn: whether what another game brings fits there, and what
the rules could write where no other game has come."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulewright.dsl import model
from rulewright.dsl.ir.definitions import PARAMETER
from rulewright.dsl.ir.dominators import reached
from rulewright.dsl.ir.known_facts import KnownFacts
from rulewright.dsl.ir.nodes import Acting, Decide, Draw, Let, Loop
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.knowledge.locations import CannotBeSaid
from rulewright.interpreter.knowledge.secret_locals import secret_locals
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

_found: WeakKeyDictionary[Program, PossibleValues] = WeakKeyDictionary()


def possible_values(program: Program) -> PossibleValues:
    """Return what locals can hold in the verbs of a game; found out once."""
    if program not in _found:
        _found[program] = PossibleValues(program)
    return _found[program]


class PossibleValues:
    """What locals of running verbs can hold in a state that was drawn. What has been chosen stands to choice, and a loop
    goes through what there is, as long as nothing that was read there is written between there and where the verb
    stands, but by what offers do."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.flow = secret_locals(program).flow
        self.facts = KnownFacts(program.game, program.effects)
        self._steps: dict[tuple[str, int, str], model.Choose | model.ForEach | None] = {}

    def order(self, unit: str, name: str) -> tuple[int, bool, str]:
        """Return what puts locals in the order in which they are written: a loop before its own local."""
        written = self.flow.set_in[unit].get(name, ())
        return min(written, default=PARAMETER), not name.startswith("#"), name

    def put(self, store: Store, depth: int, name: str, value: Value) -> bool:
        """Write into a local what it held in another game, as far as that is not known here; return whether it can be so.
        What was handed on is what the caller has, a loop goes through what there is here."""
        frame = store.frames[depth]
        for handed in self.handed(store, depth, name):
            value = handed
        frame.locals[name] = value
        match self.step(frame, name):
            case model.Choose() as step:
                return self._stands_to_choice(store, frame, step, value)
            case model.ForEach(name=own, source=source):
                for items in self._evaluated(store, frame, source):
                    if value[1] > len(items):
                        return False
                    frame.locals[name] = (tuple(items), value[1])
                    if own in frame.locals:
                        frame.locals[own] = items[value[1] - 1]
        for loop in self.program.plans[frame.unit].nodes[frame.node].loops:
            node, passed = self.program.plans[frame.unit].nodes[loop], frame.locals.get(f"#{loop}")
            if isinstance(node.step, model.ForEach) and node.step.name == name and passed:
                frame.locals[name] = passed[0][passed[1] - 1]
        return True

    def fits(self, store: Store, frame: Frame, name: str) -> bool:
        """Return whether what a local holds can have been chosen, as far as that is known."""
        step = self.step(frame, name)
        return not isinstance(step, model.Choose) or self._stands_to_choice(
            store, frame, step, frame.locals[name]
        )

    def handed(self, store: Store, depth: int, name: str) -> tuple[Value, ...]:
        """Return what the caller of the verb in a frame has handed it for a parameter, or nothing if that may have
        changed since."""
        frame = store.frames[depth]
        verb = self.program.game.verbs.get(frame.unit)
        if depth == 0 or verb is None:
            return ()
        if self.flow.defined(frame.unit, frame.node, name) != {PARAMETER}:
            # The verb may have written something else into it.
            return ()
        caller = store.frames[depth - 1]
        step = self.program.op(caller).step
        if not isinstance(step, model.CallVerb) or step.verb != verb.id:
            return ()
        for parameter, argument in zip(verb.parameters, step.arguments, strict=True):
            if parameter.name == name and not self.program.effects.reads(argument):
                found = self._evaluated(store, caller, argument)
                alone = isinstance(parameter.type, types.ListType)
                alone = alone and types.element(argument.type) is None
                # One thing where a list is wanted.
                return tuple([(one,) if alone else one for one in found])
        return ()

    def step(self, frame: Frame, name: str) -> model.Choose | model.ForEach | None:
        """Return the step that has written a local if what it read is still the same, or None."""
        key = frame.unit, frame.node, name
        if key not in self._steps:
            self._steps[key] = self._step(*key)
        return self._steps[key]

    def _step(self, unit: str, at: int, name: str) -> model.Choose | model.ForEach | None:
        defined = self.flow.defined(unit, at, name)
        plan = self.flow.plans[unit]
        written = min(defined, default=PARAMETER)
        if len(defined) != 1 or written == PARAMETER:
            return None
        match plan.nodes[written].step:
            case model.Choose(name=chosen) as step if chosen == name:
                bounds = (step.low, step.high)
                parts = (step.source, *[bound for bound in bounds if bound is not None])
            case model.ForEach() as step if name == f"#{written}":
                parts = (step.source,)
            case _:
                return None
        if self.flow.acts[unit][written] != self.flow.acts[unit][at]:
            # Somebody else was acting there than the one who acts now.
            return None
        read = self.program.effects.reads(parts)
        for one in self._passed(unit, written, at):
            node = plan.nodes[one]
            if not isinstance(node, Decide) and self.facts.touched(node).writes & read:
                return None
        return step

    def _passed(self, unit: str, start: int, end: int) -> set[int]:
        """Return the nodes that may be passed from one to another without coming to the first one again; the last one is
        among them."""
        plan = self.flow.plans[unit]
        if isinstance(plan.nodes[start], Loop):
            # It may have come round before.
            return {one for one, node in enumerate(plan.nodes) if start in node.loops}
        edges = plan.edges
        following: dict[int, list[int]] = {one: [] for one in range(len(edges))}
        before: dict[int, list[int]] = {one: [] for one in range(len(edges))}
        for one, ways in enumerate(edges):
            for other in ways.values():
                if other != start:
                    following[one].append(other)
                    if one != start:
                        before[other].append(one)
        return {*reached(following, start)} & {*reached(before, end)}

    def _stands_to_choice(
        self, store: Store, frame: Frame, step: model.Choose, value: Value
    ) -> bool:
        for options in self._evaluated(store, frame, step.source):
            if step.word == "one":
                return value in options
            low, high = (
                () if bound is None else self._evaluated(store, frame, bound)
                for bound in (step.low, step.high)
            )
            return (
                set(value) <= set(options)
                and all(least <= len(value) for least in low)
                and all(most >= len(value) for most in high)
            )
        return True

    def writable(
        self, store: Store, frame: Frame, name: str, generator: Generator
    ) -> tuple[Value, ...]:
        """Return a value that a verb could write into a local now, or nothing if that cannot be said. A loop over a list
        sets its own local, too, if that is free."""
        written_by = self.flow.defined(frame.unit, frame.node, name) - {PARAMETER}
        for at in generator.shuffled(sorted(written_by)):
            written = self._written(store, frame, at, name, generator)
            if written:
                return written
        return ()

    def any_of_its_type(self, store: Store, frame: Frame, name: str, generator: Generator) -> Value:
        """Return a value of the type of a local; raises `CannotBeSaid` if there is none."""
        for kind in _types(self.program, frame.unit, name):
            if not isinstance(kind, types.ThingType):
                return self.program.layout.start_value(kind)
            there = store.things(kind.kind)
            if there:
                return generator.pick(there)
        raise CannotBeSaid

    def _evaluated(
        self, store: Store, frame: Frame, expression: model.Argument
    ) -> tuple[Value, ...]:
        """Return the value of an expression in a verb, or nothing if it reads what is not known or goes wrong."""
        read: set[str] = set()
        bound: set[str] = set()
        for part in visitor.walk(expression):
            if isinstance(part, model.Local | model.LocalPlace):
                read.add(part.name)
            binding = visitor.binding(part)
            if binding is not None:
                bound.add(binding[0])
        if not read - bound <= frame.locals.keys():
            return ()
        look = store.clone()
        # Whoever acts there reads what the one who is asked may not see.
        look.viewer = look.transaction = None
        try:
            return (self.program.evaluator.argument(expression)(look, frame.me, frame.locals),)
        except PlayError:
            return ()

    def _written(
        self, store: Store, frame: Frame, at: int, name: str, generator: Generator
    ) -> tuple[Value, ...]:
        """Return what a node could write, or nothing."""
        node = self.flow.plans[frame.unit].nodes[at]
        match node:
            case Let(step=model.Let(value=value)):
                for draw in self.flow.plans[frame.unit].nodes:
                    if isinstance(draw, Draw) and isinstance(value, model.Local):
                        if draw.name == value.name:
                            return self._drawn(store, frame, draw.step, generator)
                return self._evaluated(store, frame, value)
            case Decide(step=model.Choose(name=chosen, word="one", source=source)) if (
                name == chosen
            ):
                options = self._evaluated(store, frame, source)
                return (generator.pick(options[0]),) if options and options[0] else ()
            case Decide(step=model.Choose(name=chosen) as step) if name == chosen:
                return self._chosen(store, frame, step, generator)
            case Loop(step=model.ForEach(name=own, source=source)) if name == f"#{at}":
                for items in self._evaluated(store, frame, source):
                    fitting = [
                        number
                        for number, item in enumerate(items)
                        if frame.locals.get(own, item) == item
                    ]
                    if fitting:
                        number = generator.pick(fitting)
                        frame.locals[own] = items[number]
                        return ((items, number + 1),)
            case Acting(step=step):
                for players in self._evaluated(store, frame, step.players):
                    if frame.me in players:
                        return ((players, players.index(frame.me) + 1, None),)
            case Loop(step=model.Repeat(word="times", value=value)) if value is not None:
                for most in self._evaluated(store, frame, value):
                    if most > 0:
                        return (generator.below(most),)
            case Draw(step=step) if name == node.name:
                return self._drawn(store, frame, step, generator)
            case Decide() | Draw() if name[0] in "@#":
                # Nothing has been picked or drawn yet.
                return ((),)
        return ()

    def _chosen(
        self, store: Store, frame: Frame, step: model.Choose, generator: Generator
    ) -> tuple[Value, ...]:
        """Return what somebody could have chosen of several, or nothing; a condition on all of it is not looked at."""
        for options in self._evaluated(store, frame, step.source):
            bounds = [(0,), (len(options),)]
            for number, bound in enumerate((step.low, step.high)):
                if bound is not None:
                    bounds[number] = self._evaluated(store, frame, bound)
            for least, most in itertools.product(*bounds):
                counts = range(max(least, 0), min(most, len(options)) + 1)
                if counts:
                    chosen = generator.draw(range(len(options)), generator.pick(counts))
                    # What has no order of its own stands in that of the options.
                    places = chosen if step.word == "ordered" else sorted(chosen)
                    return (tuple([options[place] for place in places]),)
        return ()

    def _drawn(
        self, store: Store, frame: Frame, step: model.Chance, generator: Generator
    ) -> tuple[Value, ...]:
        """Return what chance could give, or nothing."""
        number = 1
        if step.count is not None:
            counts = self._evaluated(store, frame, step.count)
            if not counts:
                return ()
            number = counts[0]
        for source in self._evaluated(store, frame, step.source):
            match step.word:
                case "roll":
                    faces = range(1, source + 1)
                    return (tuple([generator.pick(faces) for _ in range(number if faces else 0)]),)
                case "shuffled":
                    return (generator.shuffled(source),)
                case "pick":
                    return (generator.pick(source) if source else None,)
            return (generator.draw(source, min(number, len(source))),)
        return ()


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
