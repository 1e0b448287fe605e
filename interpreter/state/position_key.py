"""A position as something hashable, without its history: `Store.key` puts its parts together.

Left out are what says how the position was reached (the generator and the counters) and the order in
unordered zones. Things that come and go have no numbers in it: they are told apart by the order of their
creation alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from rulewright.interpreter.state.layout import DECISIONS, EVENTS, OPENED, RANDOM, SCALARS, Layout
from rulewright.interpreter.state.values import (
    Closure,
    Locals,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)

Cell: TypeAlias = tuple[int, int, Value]
"""Column, index and what has been written there."""


class HasKey(Protocol):
    """Something that can say what it is as something hashable."""

    def key(self) -> tuple[Any, ...]:
        """Return the content as something hashable."""


def contents(layout: Layout, columns: Sequence[list[Value]]) -> tuple[Any, ...]:
    """Return what the columns of a store hold."""
    unordered = layout.unordered
    scalars = _scalars(columns)
    return scalars, tuple(
        tuple(tuple(sorted(zone, key=number_of)) for zone in column)
        if slot in unordered
        else tuple(column)
        for slot, column in enumerate(columns[1:], 1)
    )


def written(layout: Layout, cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return what has been written into single entries."""
    return frozenset(
        [
            (slot, index, tuple(sorted(value, key=number_of)))
            if slot in layout.unordered
            else (slot, index, value)
            for slot, index, value in cells
        ]
    )


def keys(frames: Iterable[HasKey]) -> tuple[Any, ...]:
    """Return the running verbs."""
    return tuple([frame.key() for frame in frames])


def number_of(thing: Thing) -> int:
    """Return the number of a thing among those of its kind."""
    return thing.number


# The generator and the counters say how a position was reached, not what it is.
HISTORY = frozenset({RANDOM, DECISIONS, EVENTS, OPENED})


def _scalars(columns: Sequence[list[Value]]) -> tuple[Value, ...]:
    """Return the scalars that are not history."""
    return tuple(value for number, value in enumerate(columns[SCALARS]) if number not in HISTORY)


class KeyedFrame(Protocol):
    """What a key says of a frame."""

    unit: str
    node: int
    locals: Locals
    me: Thing | None


class KeyedStore(Protocol):
    """What a key says of a store."""

    layout: Layout
    columns: list[list[Value]]
    transaction: tuple[Any, ...] | None

    @property
    def is_beginning(self) -> bool:
        """Whether nothing has been answered yet in the running transaction."""

    @property
    def running(self) -> Sequence[KeyedFrame]:
        """The frames."""

    def things(self, kind: str) -> Sequence[Thing]:
        """Return the things of a kind that are in the game."""


def key_without_numbers(state: KeyedStore) -> tuple[Any, ...]:
    """Return the key of a position with things that come and go: these are told apart by the order of
    their creation alone, and what has left the game is forgotten."""
    layout, columns = state.layout, state.columns
    names: Names = {
        thing: (kind, place)
        for kind in layout.living_slots
        for place, thing in enumerate(state.things(kind))
    }
    holder_of = {slot: kind for kind in layout.living_slots for slot in layout.columns_of(kind)}
    found: list[Value] = []
    for slot, column in enumerate(columns[1:], 1):
        kept = column
        if slot in holder_of:
            kept = [column[thing.number] for thing in state.things(holder_of[slot])]
        entries = [_renamed(value, names) for value in kept]
        if slot in layout.unordered:
            entries = [tuple(sorted(zone, key=repr)) for zone in entries]
        found.append(tuple(entries))
    scalars = _scalars(columns)
    frames = tuple(
        (
            frame.unit,
            frame.node,
            frame.me,
            frozenset((name, _renamed(held, names)) for name, held in frame.locals.items()),
        )
        for frame in state.running
    )
    return scalars, tuple(found), frames, state.transaction, state.is_beginning


Names = dict[Thing, tuple[str, int]]


def _renamed(value: Value, names: Names) -> Value:
    """Return a value in which things that come and go have the names by which a key knows them."""
    match value:
        case Thing():
            return names.get(value, value)
        case tuple():
            return tuple(_renamed(item, names) for item in value)
        case PlaceValue(slot, holder, key):
            return "place", slot, _renamed(holder, names), key
        case VerbValue():
            return "verb", value.verbs, _renamed(value.arguments, names)
        case Closure() | PlaceClosure():
            return "closure", value.lambda_id, _renamed(value.locals, names)
    return value
