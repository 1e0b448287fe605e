"""What the rules could write into a local of a running verb in a state: a guess where no random game has shown one."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulewright.dsl import model
from rulewright.dsl.ir.definitions import PARAMETER
from rulewright.dsl.ir.dominators import reached
from rulewright.dsl.ir.known_facts import KnownFacts
from rulewright.dsl.ir.live_locals import names_set
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

_found: WeakKeyDictionary[Program, Choices] = WeakKeyDictionary()


def choices_of(program: Program) -> Choices:
    """Return which locals hold what was chosen, in the verbs of a game; found out once."""
    if program not in _found:
        _found[program] = Choices(program)
    return _found[program]


class Choices:
    """Which locals of running verbs hold something that was chosen, and that still stands to choice: nothing that the
    question reads is written between there and where the verb stands, but by what offers do."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.flow = secret_locals(program).flow
        self.facts = KnownFacts(program.game, program.effects)
        self._steps: dict[tuple[str, int, str], model.Choose | None] = {}

    def order(self, unit: str, name: str) -> tuple[int, str]:
        """Return what puts locals in the order in which they are written: of a loop its own one last."""
        written = self.flow.set_in[unit].get(name, ())
        return min(written, default=-1), name

    def fits(self, store: Store, frame: Frame, name: str) -> bool:
        """Return whether what a local holds can have been chosen, as far as that is known."""
        key = frame.unit, frame.node, name
        if key not in self._steps:
            self._steps[key] = self._step(*key)
        step, value = self._steps[key], frame.locals[name]
        if step is None:
            return True
        for options in _evaluated(self.program, store, frame, step.source):
            if step.word == "one":
                return value in options
            low, high = (
                () if bound is None else _evaluated(self.program, store, frame, bound)
                for bound in (step.low, step.high)
            )
            return (
                set(value) <= set(options)
                and all(least <= len(value) for least in low)
                and all(most >= len(value) for most in high)
            )
        return True

    def _step(self, unit: str, at: int, name: str) -> model.Choose | None:
        """Return the step at which a local was chosen if its options are still the same, or None."""
        defined = self.flow.defined(unit, at, name)
        plan = self.flow.plans[unit]
        chosen = min(defined, default=PARAMETER)
        if len(defined) != 1 or chosen == PARAMETER:
            return None
        step = plan.nodes[chosen].step
        if not isinstance(step, model.Choose) or step.name != name:
            return None
        if self.flow.acts[unit][chosen] != self.flow.acts[unit][at]:
            # Somebody else has chosen it than the one who acts now.
            return None
        following: dict[int, list[int]] = {one: [] for one in range(len(plan.nodes))}
        before: dict[int, list[int]] = {one: [] for one in range(len(plan.nodes))}
        for one, edges in enumerate(plan.edges):
            for other in edges.values():
                if other != chosen:
                    following[one].append(other)
                if chosen not in (one, other):
                    before[other].append(one)
        passed = {*reached(following, chosen)} & {*reached(before, at)}
        parts = [part for part in (step.source, step.low, step.high) if part is not None]
        read = self.program.effects.reads(tuple(parts))
        for one in passed:
            node = plan.nodes[one]
            if not isinstance(node, Decide) and self.facts.touched(node).writes & read:
                return None
        return step


def handed(program: Program, store: Store, depth: int, name: str) -> tuple[Value, ...]:
    """Return what the caller of the verb in a frame hands it for a parameter, or nothing."""
    verb = program.game.verbs.get(store.frames[depth].unit)
    if depth == 0 or verb is None:
        return ()
    caller = store.frames[depth - 1]
    step = program.op(caller).step
    if not isinstance(step, model.CallVerb) or step.verb != verb.id:
        return ()
    for parameter, argument in zip(verb.parameters, step.arguments, strict=True):
        if parameter.name == name:
            found = _evaluated(program, store, caller, argument)
            alone = isinstance(parameter.type, types.ListType) and not types.element(argument.type)
            # One thing where a list is wanted.
            return tuple([(one,) if alone else one for one in found])
    return ()


def writable(
    program: Program, store: Store, frame: Frame, name: str, generator: Generator
) -> tuple[Value, ...]:
    """Return a value that a verb could write into a local now, or nothing if that cannot be said. A loop over a list
    sets its own local, too, if that is free."""
    for at, node in enumerate(program.plans[frame.unit].nodes):
        if name in names_set(node, at):
            written = _written(program, store, frame, at, name, generator)
            if written:
                return written
    return ()


def any_of_its_type(
    program: Program, store: Store, frame: Frame, name: str, generator: Generator
) -> Value:
    """Return a value of the type of a local; raises `CannotBeSaid` if there is none."""
    for kind in _types(program, frame.unit, name):
        if not isinstance(kind, types.ThingType):
            return program.layout.start_value(kind)
        there = store.things(kind.kind)
        if there:
            return generator.pick(there)
    raise CannotBeSaid


def _evaluated(
    program: Program, store: Store, frame: Frame, expression: model.Argument
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
        return (program.evaluator.argument(expression)(look, frame.me, frame.locals),)
    except PlayError:
        return ()


def _written(
    program: Program, store: Store, frame: Frame, at: int, name: str, generator: Generator
) -> tuple[Value, ...]:
    """Return what a node could write, or nothing."""
    node = program.plans[frame.unit].nodes[at]
    match node:
        case Let(step=model.Let(value=value)):
            for draw in program.plans[frame.unit].nodes:
                if isinstance(draw, Draw) and isinstance(value, model.Local):
                    if draw.name == value.name:
                        return _drawn(program, store, frame, draw.step, generator)
            return _evaluated(program, store, frame, value)
        case Decide(step=model.Choose(name=chosen, word="one", source=source)) if name == chosen:
            options = _evaluated(program, store, frame, source)
            return (generator.pick(options[0]),) if options and options[0] else ()
        case Decide(step=model.Choose(name=chosen) as step) if name == chosen:
            return _chosen(program, store, frame, step, generator)
        case Loop(step=model.ForEach(name=own, source=source)) if name == f"#{at}":
            for items in _evaluated(program, store, frame, source):
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
            for players in _evaluated(program, store, frame, step.players):
                if frame.me in players:
                    return ((players, players.index(frame.me) + 1, None),)
        case Loop(step=model.Repeat(word="times", value=value)) if value is not None:
            for most in _evaluated(program, store, frame, value):
                if most > 0:
                    return (generator.below(most),)
        case Draw(step=step) if name == node.name:
            return _drawn(program, store, frame, step, generator)
        case Decide() | Draw() if name[0] in "@#":
            # Nothing has been picked or drawn yet.
            return ((),)
    return ()


def _chosen(
    program: Program, store: Store, frame: Frame, step: model.Choose, generator: Generator
) -> tuple[Value, ...]:
    """Return what somebody could have chosen of several, or nothing; a condition on all of it is not looked at."""
    for options in _evaluated(program, store, frame, step.source):
        least = 0 if step.low is None else max((0, *_evaluated(program, store, frame, step.low)))
        most = len(options)
        if step.high is not None:
            most = min((most, *_evaluated(program, store, frame, step.high)))
        if least <= most:
            return (generator.draw(options, generator.pick(range(least, most + 1))),)
    return ()


def _drawn(
    program: Program, store: Store, frame: Frame, step: model.Chance, generator: Generator
) -> tuple[Value, ...]:
    """Return what chance could give, or nothing."""
    number = 1
    if step.count is not None:
        counts = _evaluated(program, store, frame, step.count)
        if not counts:
            return ()
        number = counts[0]
    for source in _evaluated(program, store, frame, step.source):
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
