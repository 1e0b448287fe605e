"""Which copies an answer of an example may mean: an expression in, its readings out.

`Card("Bolt")` in an answer is any Bolt that fits, and `[Card("Bolt"), Card("Bolt")]` are two of them.
So an answer has several readings, one after the other is tried, and those with what stands to choice
come first. Only names that are the answer or a part of it are read so; within other expressions a
name means the first copy, as it does everywhere in the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, permutations, product
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Locals, Thing, Value

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
        case _:
            for part in _parts(node):
                yield from _names(part)


def _parts(node: Any) -> Iterator[Any]:
    match node:
        case model.ListOf(items=parts) | model.VerbOf(arguments=parts):
            yield from parts
        case model.FamilyOf(pairs=pairs):
            for pair in pairs:
                yield from pair


def _copies(store: Store, name: Name, choice: Sequence[Value]) -> list[Thing]:
    kind, called = name
    found = [thing for thing in store.things(kind) if thing.name == called]
    standing = {one for one in choice if isinstance(one, Thing)}
    return sorted(found, key=lambda thing: thing not in standing)


def _opened(node: Any, several: Collection[Name], locals: dict[str, Name]) -> Any:
    """Return an answer with locals in the place of names, and note which name each stands for."""

    def opened(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(_opened(part, several, locals) for part in parts)

    match node:
        case model.NamedThing(kind=kind, name=name) if (kind, name) in several:
            # No author can write such a name.
            local = f"@copy {len(locals)}"
            locals[local] = kind, name
            return model.Local(name=local, type=node.type, span=node.span)
        case model.ListOf(items=parts):
            return attrs.evolve(node, items=opened(parts))
        case model.VerbOf(arguments=parts):
            return attrs.evolve(node, arguments=opened(parts))
        case model.FamilyOf(pairs=pairs):
            return attrs.evolve(node, pairs=tuple(opened(pair) for pair in pairs))
    return node
