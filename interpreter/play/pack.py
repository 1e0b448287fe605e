"""The columns of a store as bytes: plans the sections in which they are written and read.

Columns that hold the same sort of values stand together in a *section*, so that a handful of calls
into C carries all of them over, instead of one for each entry:

| section | columns | bytes |
| --- | --- | --- |
| `IndexSection` | things, enumeration values, flags, owners; families of them | an index into the list of possible values for each entry |
| `NumberSection` | numbers, families of them, undecided parts of piles | a width, then each number in as many bytes |
| `ZoneSection` | the zones of a kind; the places of its things follow from them | how many lie in each zone, then which |

Everything else (lists, texts, verbs, numbers that may be none) is left to the caller: `PackPlan.others`.
How many bytes a section takes follows from the layout and from what it has read, so nothing says
its own length. Reading trusts nothing: an index that is none, a thing in two zones, and bytes that
end too soon are a `ValueError` or an `IndexError`; nothing is made that is larger than the layout
or the bytes allow.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Protocol, TypeAlias

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.state.errors import LARGEST_NUMBER
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

Columns: TypeAlias = list[list[Value]]

WIDTHS = (("B", 1), ("i", 4), ("q", 8))
"""How wide numbers may be: type codes of `array` with their bytes."""

_BYTE = WIDTHS[0]
_WIDE = ("I", 4)
_number_of = attrgetter("number")


class ColumnSection(Protocol):
    """Some columns that are written together."""

    def pack(self, columns: Columns) -> bytes:
        """Return what the columns hold."""

    def unpack(self, data: bytes, at: int, columns: Columns) -> int:
        """Fill the columns from bytes and return where the next section begins."""


# ------------------------------------------------------------------------------------------ numbers


def _written(numbers: Iterable[int], width: tuple[str, int]) -> bytes:
    code, _ = width
    if code == "B":
        return bytes(numbers)
    held = array(code, numbers)
    if sys.byteorder == "big":
        held.byteswap()
    return held.tobytes()


def _read(data: bytes, at: int, count: int, width: tuple[str, int]) -> tuple[Sequence[int], int]:
    """Return so many numbers, and where they end."""
    code, size = width
    end = at + count * size
    chunk = data[at:end]
    if len(chunk) != count * size:
        raise ValueError("it ends too soon")
    if code == "B":
        return chunk, end
    held = array(code, chunk)
    if sys.byteorder == "big":
        held.byteswap()
    return held, end


@attrs.frozen(eq=False)
class ColumnSlice:
    """A column in a section: its number and where its entries stand among those of the section."""

    slot: int
    start: int
    stop: int
    keys: int = 0
    """Of a column of families: how many entries a family has."""


def _flat(
    plain: Sequence[ColumnSlice], families: Sequence[ColumnSlice], columns: Columns
) -> Iterable[Value]:
    listed = [columns[part.slot] for part in plain]
    if families:
        listed += [family for part in families for family in columns[part.slot]]
    return chain.from_iterable(listed)


def _spread(parts: Sequence[ColumnSlice], values: list[Value], columns: Columns) -> None:
    for part in parts:
        if not part.keys:
            columns[part.slot] = values[part.start : part.stop]
        else:
            entries = range(part.start, part.stop, part.keys)
            columns[part.slot] = [tuple(values[at : at + part.keys]) for at in entries]


@attrs.frozen(eq=False)
class IndexSection:
    """Columns whose entries are among a few values, known when the game is loaded."""

    values: tuple[Value, ...]
    indices: dict[Value, int]
    plain: tuple[ColumnSlice, ...]
    families: tuple[ColumnSlice, ...]
    count: int
    width: tuple[str, int]

    def pack(self, columns: Columns) -> bytes:
        """Return an index for each entry; `KeyError` if a column holds what it cannot hold."""
        flat = _flat(self.plain, self.families, columns)
        return _written(map(self.indices.__getitem__, flat), self.width)

    def unpack(self, data: bytes, at: int, columns: Columns) -> int:
        """Read the entries; `IndexError` if there is no such value."""
        numbers, end = _read(data, at, self.count, self.width)
        values = list(map(self.values.__getitem__, numbers))
        _spread(self.plain, values, columns)
        _spread(self.families, values, columns)
        return end


@attrs.frozen(eq=False)
class NumberSection:
    """Columns of numbers."""

    plain: tuple[ColumnSlice, ...]
    families: tuple[ColumnSlice, ...]
    count: int

    def pack(self, columns: Columns) -> bytes:
        """Return the numbers in the least width into which all of them fit."""
        flat = list(_flat(self.plain, self.families, columns))
        for index, width in enumerate(WIDTHS):
            try:
                return bytes((index,)) + _written(flat, width)
            except (ValueError, OverflowError):
                continue
        raise ValueError("a number is too large")

    def unpack(self, data: bytes, at: int, columns: Columns) -> int:
        """Read the numbers; `IndexError` if the width is none."""
        numbers, end = _read(data, at + 1, self.count, WIDTHS[data[at]])
        values = list(numbers)
        if WIDTHS[data[at]] is not _BYTE and max(map(abs, values)) > LARGEST_NUMBER:
            raise ValueError("a number is too large")
        _spread(self.plain, values, columns)
        _spread(self.families, values, columns)
        return end


# -------------------------------------------------------------------------------------------- zones


@attrs.frozen(eq=False)
class ZoneSection:
    """The zones of a kind. Where each thing lies is not written: it follows, and so agrees."""

    kind: str
    things: tuple[Thing, ...]
    place_slot: int
    parts: tuple[ColumnSlice, ...]
    places: tuple[PlaceValue, ...]
    """The zones in the order in which they are written."""

    singles: tuple[int, ...]
    """The numbers of those in which one thing may lie at most."""

    width: tuple[str, int]

    def pack(self, columns: Columns) -> bytes:
        """Return how many things lie in each zone, and the numbers of all of them."""
        zones = list(chain.from_iterable([columns[part.slot] for part in self.parts]))
        numbers = map(_number_of, chain.from_iterable(zones))
        return _written(map(len, zones), self.width) + _written(numbers, self.width)

    def unpack(self, data: bytes, at: int, columns: Columns) -> int:
        """Read the zones, and note where everything lies."""
        lengths, at = _read(data, at, len(self.places), self.width)
        count = sum(lengths)
        if count > len(self.things):
            raise ValueError(f"there are not so many things of {self.kind}")
        numbers, end = _read(data, at, count, self.width)
        if len(set(numbers)) != count:
            raise ValueError(f"a thing of {self.kind} lies in two places")
        for single in self.singles:
            if lengths[single] > 1:
                raise ValueError(f"several things of {self.kind} lie where one may")
        things = tuple(map(self.things.__getitem__, numbers))
        zones: list[Value] = [()] * len(lengths)
        lies: list[Value] = [None] * len(self.things)
        start = 0
        for index, length in enumerate(lengths):
            # Most zones are empty.
            if length:
                stop = start + length
                zones[index] = things[start:stop]
                place = self.places[index]
                for number in numbers[start:stop]:
                    lies[number] = place
                start = stop
        _spread(self.parts, zones, columns)
        columns[self.place_slot] = lies
        return end


# -------------------------------------------------------------------------------------------- plans


@attrs.frozen(eq=False)
class PackPlan:
    """How the columns of a layout are written; the scalars are not among them."""

    sections: tuple[ColumnSection, ...]
    others: tuple[int, ...]
    """The columns that are in no section."""

    bare: tuple[tuple[int, int], ...]
    """The places of kinds without zones, which lie nowhere: column and number of things."""

    loose: tuple[str, ...] = ()
    """The kinds whose things come and go, or lie in zones of such: their zones are in no section,
    and their places are found out when all is read."""


class _PlanBuilder:
    """Sorts columns into sections; a section is as it is found, so the order is that of the game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.words: dict[tuple[Value, ...], list[tuple[int, int, int]]] = {}
        self.numbers: list[tuple[int, int, int]] = []
        self.zones: dict[str, list[int]] = {}
        self.others: list[int] = []
        self.loose = _loose(layout)

    def _holder(self, slot: int) -> str | None:
        field = self.layout.fields.get(slot)
        return None if field is None else field.holder

    def field(self, slot: int, kind: types.Type, count: int) -> None:
        """Find the section of the column of a field."""
        if _kinds_in(kind) & self.loose or self._holder(slot) in self.layout.living_slots:
            self.others.append(slot)
            return
        keys = 0
        if isinstance(kind, types.FamilyType):
            keys, kind = len(self.layout.keys(kind.key)), kind.value
            if not keys:
                self.others.append(slot)
                return
        values = self.alphabet(kind)
        if values:
            self.words.setdefault(values, []).append((slot, count, keys))
        elif isinstance(kind, types.NumberType):
            self.numbers.append((slot, count, keys))
        elif isinstance(kind, types.ZoneType) and not keys:
            assert isinstance(kind.kind, types.ThingType), "zones are of one kind of things"
            self.zones.setdefault(kind.kind.kind, []).append(slot)
        else:
            self.others.append(slot)

    def alphabet(self, kind: types.Type) -> tuple[Value, ...]:
        """Return all values of a type, if it has few; otherwise nothing."""
        match kind:
            case types.OptionalType(types.ThingType() | types.EnumType() as inner):
                return self.alphabet(inner)
            case types.ThingType(name) if name not in self.layout.living_slots:
                return None, *self.layout.things.get(name, ())
            case types.EnumType(name):
                # A field without a start value holds none until it is given one.
                return None, *self.layout.enums[name]
            case types.FlagType():
                return False, True
        return ()


def plan_of(layout: Layout) -> PackPlan:
    """Return how the columns of a layout are written."""
    sorting = _PlanBuilder(layout)
    for slot, field in layout.fields.items():
        if slot < layout.size:
            sorting.field(slot, field.type, layout.length(field))
    for slot, bag in layout.bag_slots.items():
        if layout.fields[slot].holder in layout.living_slots:
            sorting.others.append(bag)
        else:
            sorting.numbers.append((bag, layout.length(layout.fields[slot]), 0))
    flag, player = types.FlagType(), types.ThingType("Player")
    for kind, slot in layout.owner_slots.items():
        if kind in layout.living_slots:
            sorting.others.append(slot)
            continue
        sorting.field(slot, player, len(layout.things.get(kind, ())))
    for watch in layout.game.watches:
        count = len(layout.players) if watch.needs_me else 1
        sorting.field(layout.watch_slots[watch.id], flag, count)
    sections: list[ColumnSection] = [
        _lying(layout, kind, slots) for kind, slots in sorting.zones.items()
    ]
    for values, columns in sorting.words.items():
        plain, families, count = _parts(columns)
        indices = {value: index for index, value in enumerate(values)}
        width = _width(len(values) - 1)
        sections.append(IndexSection(values, indices, plain, families, count, width))
    if sorting.numbers:
        sections.append(NumberSection(*_parts(sorting.numbers)))
    bare = tuple(
        (slot, len(layout.things.get(kind, ())))
        for kind, slot in layout.place_slots.items()
        if kind not in sorting.zones and kind not in sorting.loose
    )
    return PackPlan(tuple(sections), tuple(sorting.others), bare, tuple(sorted(sorting.loose)))


def _loose(layout: Layout) -> frozenset[str]:
    """Return the kinds whose things come and go, or may lie in a zone of such a thing."""
    found = set(layout.living_slots)
    for field in layout.fields.values():
        if isinstance(field.type, types.ZoneType) and field.holder in layout.living_slots:
            found |= _kinds_in(field.type)
    return frozenset(found)


def _kinds_in(kind: types.Type) -> frozenset[str]:
    """Return the kinds of the things in a zone; nothing of other types."""
    if isinstance(kind, types.ZoneType) and isinstance(kind.kind, types.ThingType):
        return frozenset({kind.kind.kind})
    return frozenset()


def _parts(
    columns: Iterable[tuple[int, int, int]],
) -> tuple[tuple[ColumnSlice, ...], tuple[ColumnSlice, ...], int]:
    """Return the parts of a section, plain ones first, and how many entries they have."""
    at = 0
    parts: list[ColumnSlice] = []
    for slot, count, keys in sorted(columns, key=lambda column: column[2] > 0):
        stop = at + count * max(keys, 1)
        parts.append(ColumnSlice(slot, at, stop, keys))
        at = stop
    plain = tuple(part for part in parts if not part.keys)
    return plain, tuple(part for part in parts if part.keys), at


def _lying(layout: Layout, kind: str, slots: Sequence[int]) -> ZoneSection:
    things = layout.things.get(kind, ())
    parts, _, _ = _parts((slot, len(layout.places[slot]), 0) for slot in slots)
    places = tuple(place for slot in slots for place in layout.places[slot])
    singles = []
    for number, place in enumerate(places):
        zone = layout.zone(place.slot)
        if zone is not None and zone.shape == "slot":
            singles.append(number)
    width = _width(len(things))
    return ZoneSection(
        kind, tuple(things), layout.place_slots[kind], parts, places, tuple(singles), width
    )


def _width(greatest: int) -> tuple[str, int]:
    return _BYTE if greatest < 256 else _WIDE
