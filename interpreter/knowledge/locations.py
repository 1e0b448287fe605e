"""Things by where they lie, not by which they are: what a hidden value spoke of in another game.

A value of another game says nothing about which card it is, but it does say that it was one in the hand of
whoever holds it. `described` writes that in place of things that may lie hidden; `realized` puts things there
again that lie so now.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator

import attrs

from rulewright.interpreter.knowledge.renaming import PLAYER
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    GONE,
    Closure,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)

OWN, OTHERS = "own", "others"


@attrs.frozen
class Location:
    """A thing of a kind that lies somewhere."""

    kind: str
    slot: int | None
    """The column of the zone, None if it lies nowhere."""

    whose: object
    """Whose zone it is: of the one who holds the value, of others, or of which thing; None: of the game,
    or of something that may lie hidden itself."""

    which: int | None = None
    """Of several values that are described together: equal for one and the same thing."""


class CannotBeSaid(Exception):
    """A value speaks of hidden things in a way that has no other words, or nothing lies so."""


def described(
    layout: Layout,
    store: Store,
    value: Value,
    me: Thing | None,
    kinds: Container[str],
    numbers: dict[Thing, int] | None = None,
) -> Value:
    """Return a value in which things of these kinds are described; `me` holds it, or acts. With `numbers` it
    can be told where values speak of the same thing."""
    match value:
        case Thing() if value.kind in kinds:
            lies = _lies(layout, store, value, me, kinds)
            if numbers is None:
                return lies
            return attrs.evolve(lies, which=numbers.setdefault(value, len(numbers)))
        case tuple():
            return tuple([described(layout, store, one, me, kinds, numbers) for one in value])
        case PlaceValue(holder=Thing(kind=kind)) if kind in kinds:
            raise CannotBeSaid
        case VerbValue() | Closure() | PlaceClosure():
            held = value.arguments if isinstance(value, VerbValue) else value.locals
            if described(layout, store, held, me, kinds) != held:
                raise CannotBeSaid
    return value


def _lies(
    layout: Layout, store: Store, thing: Thing, me: Thing | None, kinds: Container[str]
) -> Location:
    place = store.columns[layout.place_slots[thing.kind]][thing.number]
    if place is None or place.slot == GONE:
        return Location(thing.kind, None, None)
    return Location(thing.kind, place.slot, _whose(place.holder, me, kinds))


def _whose(holder: Thing | None, me: Thing | None, kinds: Container[str]) -> object:
    if holder is None or holder.kind in kinds:
        return None
    if holder.kind == PLAYER and me is not None and me.kind == PLAYER:
        return OWN if holder is me else OTHERS
    return holder


def realized(
    layout: Layout,
    store: Store,
    value: Value,
    me: Thing | None,
    kinds: Container[str],
    generator: Generator,
    found_before: dict[int, Thing] | None = None,
    strict: bool = False,
) -> Value:
    """Return a value with things that lie in a state as they are described, each once in a list. Raises
    `CannotBeSaid` if there are none of the kind. What has a number is the thing of this number in
    `found_before`, which is added to. If it is not `strict`, where none lies so any is taken."""
    match value:
        case Location(which=int() as which) if found_before is not None:
            if which not in found_before:
                taken = found_before.values()
                found_before[which] = _picked(
                    layout, store, value, me, kinds, generator, taken, strict
                )
            return found_before[which]
        case tuple() if found_before is not None:
            return tuple(
                [
                    realized(layout, store, one, me, kinds, generator, found_before, strict)
                    for one in value
                ]
            )
        case Location():
            return _picked(layout, store, value, me, kinds, generator, ())
        case tuple() if any(isinstance(one, Location) for one in value):
            found: list[Value] = []
            for one in value:
                if isinstance(one, Location):
                    one = _picked(layout, store, one, me, kinds, generator, found)
                found.append(one)
            return tuple(found)
        case tuple():
            return tuple([realized(layout, store, one, me, kinds, generator) for one in value])
    return value


def _picked(
    layout: Layout,
    store: Store,
    wanted: Location,
    me: Thing | None,
    kinds: Container[str],
    generator: Generator,
    taken: Collection[Value],
    strict: bool = False,
) -> Thing:
    wanted = attrs.evolve(wanted, which=None)
    there = [one for one in store.things(wanted.kind) if one not in taken]
    like = [one for one in there if _lies(layout, store, one, me, kinds) == wanted]
    if not (like if strict else there):
        raise CannotBeSaid
    return generator.pick(like or there)


def are_described(value: Value) -> Iterator[Location]:
    """Yield the descriptions in a value."""
    if isinstance(value, Location):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from are_described(one)
