"""Which copies an answer of an example may mean: the readings of an expression.

`Card("Bolt")` in an answer is any Bolt that fits, and `[Card("Bolt"), Card("Bolt")]` are two of them.
So an answer has several readings, one after the other is tried, and those with what stands to choice
come first. Only names that are the answer or a part of it are read so; within other expressions a
name means the first copy, as it does everywhere in the rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice, permutations, product
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import watch_unit
from rulewright.dsl.ir.nodes import Decide
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value

MOST_READINGS = 300
"""So many readings of an answer are tried."""

Name = tuple[str, str]


def readings(
    expression: model.Expression, store: Store, choice: Sequence[Value]
) -> tuple[model.Expression, Iterator[Locals]]:
    """Return an answer with locals in the place of the names that several copies have, and what these
    are in each of its readings, one at least; `choice` is what stands to choice."""
    copies = {name: _copies(store, name, choice) for name in set(_names(expression))}
    several = {name for name, listed in copies.items() if len(listed) > 1}
    if not several:
        return expression, iter([{}])
    locals: dict[str, Name] = {}
    open_expression = _opened(expression, several, locals)
    times = Counter(locals.values())
    ways = [islice(_ways(copies[name], times[name]), MOST_READINGS) for name in times]
    return open_expression, (
        _in_their_places(locals, dict(zip(times, map(iter, way), strict=True)))
        for way in islice(product(*ways), MOST_READINGS)
    )


def _in_their_places(locals: Mapping[str, Name], taken: Mapping[Name, Iterator[Thing]]) -> Locals:
    return {local: next(taken[name]) for local, name in locals.items()}


def _ways(copies: Sequence[Thing], times: int) -> Iterator[tuple[Thing, ...]]:
    """Yield the ways to name so many copies; a name without enough of them means some twice."""
    if times > len(copies):
        return iter([(*copies, *[copies[0]] * (times - len(copies)))])
    return permutations(copies, times)


def _names(node: Any) -> Iterator[Name]:
    match node:
        case model.NamedThing(kind=kind, name=name) if kind != "Player":
            yield kind, name
        case model.ListOf() | model.VerbOf() | model.FamilyOf():
            for part in visitor.parts(node):
                yield from _names(part)


def _copies(store: Store, name: Name, choice: Sequence[Value]) -> list[Thing]:
    kind, called = name
    found = [thing for thing in store.things(kind) if thing.name == called]
    standing = {one for one in choice if isinstance(one, Thing)}
    return sorted(found, key=lambda thing: thing not in standing)


def _opened(node: Any, several: Collection[Name], locals: dict[str, Name]) -> Any:
    """Return an answer with locals in the place of names, and note which name each stands for."""

    match node:
        case model.NamedThing(kind=kind, name=name) if (kind, name) in several:
            # No author can write such a name.
            local = f"@copy {len(locals)}"
            locals[local] = kind, name
            return model.Local(name=local, type=node.type, span=node.span)
        case model.ListOf() | model.VerbOf() | model.FamilyOf():
            return visitor.with_parts(node, lambda part: _opened(part, several, locals))
    return node


# ---------------------------------------------------------------------------------- questions ahead


Node = tuple[str, int]
"""A node of an action graph: unit and number."""


def verb_starts(verbs: Iterable[str]) -> tuple[Node, ...]:
    """Return where the verbs begin, one of which an example begins."""
    return tuple((verb, 0) for verb in verbs)


def after_return(program: Program, frames: Sequence[Frame]) -> tuple[Node, ...]:
    """Return where it goes on once the units on top of a stack have ended; the frames stand at calls."""
    plans = program.plans
    standing = [frame for frame in frames if frame.unit in plans]
    return tuple(
        (frame.unit, after_answer)
        for frame in standing
        for after_answer in plans[frame.unit].edges[frame.node].values()
    )


def after_answer(program: Program, frames: Sequence[Frame], way: str | None) -> tuple[Node, ...]:
    """Return where it goes on after an answer to the open decision; `way`: the edge that the answer
    takes, None if that is not known."""
    if not frames or frames[-1].unit not in program.plans:
        return after_return(program, frames)
    top = frames[-1]
    edges = program.plans[top.unit].edges[top.node]
    if way is not None and way in edges:
        return ((top.unit, edges[way]), *after_return(program, frames[:-1]))
    return ((top.unit, top.node), *after_return(program, frames))


def could_answer(program: Program, start: Iterable[Node], answer: model.Answer, text: str) -> bool:
    """Return whether some decision ahead could have an answer; `text` is what its text comes out as."""
    for step in _met(program, start):
        if answer.text is not None and any(_reads(label, text) for label in _labels(step)):
            return True
        if isinstance(step, model.Choose | model.Split) and _takes(program, step, answer):
            return True
    return False


def _met(program: Program, start: Iterable[Node]) -> Iterator[model.Step | model.Offer]:
    """Yield the decisions ahead, and the offers beside them."""
    plans = program.plans
    watches = tuple(watch_unit(watch) for watch in program.game.watches)
    offers = program.game.offers
    open = [*start]
    if open:
        open += verb_starts(watches)  # when a verb has ended they are looked at
    seen: set[Node] = set()
    while open:
        node = open.pop()
        if node in seen or node[0] not in plans:
            continue
        seen.add(node)
        unit, number = node
        data = plans[unit].nodes[number]
        if isinstance(data, Decide):
            yield data.step
            yield from offers
            open += verb_starts(offer.id for offer in offers)
        open += verb_starts(data.begins)
        open += ((unit, target) for target in plans[unit].edges[number].values())


def _labels(step: model.Step | model.Offer) -> tuple[model.Expression, ...]:
    match step:
        case model.May(label=label) | model.Offer(label=label):
            return (label,)
        case model.Either(arms=arms):
            return tuple(arm.label for arm in arms)
    return ()


def _reads(label: model.Expression, text: str) -> bool:
    """Return whether a label may come out as a text."""
    if isinstance(label, model.Constant):
        return label.value == text
    if not isinstance(label, model.TextOf):
        return True
    parts = (re.escape(part) if isinstance(part, str) else ".*" for part in label.parts)
    return re.fullmatch("".join(parts), text, re.DOTALL) is not None


def _takes(program: Program, step: model.Choose | model.Split, answer: model.Answer) -> bool:
    """Return whether a `choose` could have an answer, by its name or the type of its value."""
    if answer.name is not None and answer.name != step.name:
        return False
    if isinstance(answer.value, model.VerbOf):
        return bool({*answer.value.verbs} & _verbs_of(program, step.source))
    if answer.name is not None:
        return True
    item = types.element(step.source.type) or step.source.type
    if answer.value is None:
        return isinstance(step, model.Choose) and types.fits(types.TEXT, item)
    found = answer.value.type
    if isinstance(step, model.Split):
        inner = found.value if isinstance(found, types.FamilyType) else types.element(found)
        return inner is not None and types.fits(inner, types.NUMBER)
    if types.fits(found, item):
        return True
    held = types.element(found)
    return step.word != "one" and held is not None and types.fits(held, item)


def _verbs_of(program: Program, source: model.Expression) -> Set[str]:
    """Return the verbs that a list may hold: those that it names, itself or through defines; if it comes
    from somewhere else, all that are values anywhere."""
    own = [*visitor.nodes_in(source)]
    bound = {name for name, _ in filter(None, map(visitor.binding, own))}
    inside = [*visitor.through_defines(program.game, source)]
    for one in inside:
        if isinstance(one, model.Read | model.Entry | model.OptionValue) and _is_verb(one):
            return program.effects.values
    if any(isinstance(one, model.Local) and _is_verb(one) and one.name not in bound for one in own):
        return program.effects.values
    return {verb for one in inside if isinstance(one, model.VerbOf) for verb in one.verbs}


def _is_verb(value: model.Node) -> bool:
    """Return whether a value is a verb, or a list or family of verbs."""
    found = value.type
    if isinstance(found, types.FamilyType):
        found = found.value
    found = types.without_none(found)
    return isinstance(types.element(found) or found, types.VerbType)
