"""Values as floats: how many a value of a type takes, between which bounds, and which they are.

What a player cannot tell apart gives the same floats. Where a type has no finite number of values a
fingerprint stands for what the numbers beside it do not tell: the order of a list, a text.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.bounds import Interval
from rulewright.interpreter.knowledge.seen_things import PLAYER, Eyes, Kinds
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST
from rulewright.interpreter.state.values import Thing, Value

Range = tuple[float, float]
UNIT: Range = (0.0, 1.0)
WHOLE: Range = (-float(LARGEST_NUMBER), float(LARGEST_NUMBER))

Vector = list[float]


class ValueFloats:
    """Writes a value of one type into a vector. This one by its fingerprint; 0 is none."""

    ranges: Sequence[Range] = (UNIT,)

    @property
    def size(self) -> int:
        """How many floats it takes."""
        return len(self.ranges)

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        """Write a value; the floats are 0 before. None leaves them."""
        if value is not None and value != "":
            vector[at] = eyes.fingerprint(value)


class NumberFloats(ValueFloats):
    """A number or flag as it is."""

    def __init__(self, found: Interval) -> None:
        low, high = found
        self.ranges = (
            # What is not seen is 0, too.
            (
                WHOLE[0] if low is None else min(float(low), 0.0),
                WHOLE[1] if high is None else max(float(high), 0.0),
            ),
        )

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        vector[at] = float(value or 0)


class EnumFloats(ValueFloats):
    """A value of an enumeration: 1 at its place."""

    def __init__(self, values: int) -> None:
        self.ranges = (UNIT,) * values

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        if value is not None:
            vector[at + value.number] = 1.0


class SeatFloats(EnumFloats):
    """A player: 1 at his seat, counted from who looks."""

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        if value is not None:
            vector[at + eyes.seat(value)] = 1.0


class ThingFloats(ValueFloats):
    """A thing: 1 at its row if it is seen, and otherwise only that it is hidden.
    `brief`: the number of its row, from 1; of a kind of which things are created that of its slot."""

    def __init__(self, kinds: Kinds, kind: str, brief: bool) -> None:
        self.created = not kinds.rows[kind]
        self.brief = brief or self.created
        most = float(max(kinds.slots[kind], kinds.rows[kind]))
        rows = ((0.0, most),) if self.brief else (UNIT,) * kinds.rows[kind]
        self.unseen = 1 if kind in kinds.hiding or kind in kinds.layout.living_slots else 0
        self.ranges = ((UNIT,) * self.unseen) + rows

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        if value is None:
            return
        if self.unseen and not eyes.is_seen(value):
            vector[at] = 1.0
        elif self.created:
            slot = eyes.slot(value)
            vector[at + self.unseen] = 0.0 if slot is None else 1.0 + slot
        elif self.brief:
            vector[at + self.unseen] = 1.0 + eyes.row(value)
        else:
            vector[at + self.unseen + eyes.row(value)] = 1.0


class OptionalFloats(ValueFloats):
    """A value or none: whether there is one, and the value."""

    def __init__(self, inner: ValueFloats) -> None:
        self.inner = inner
        self.ranges = (UNIT, *inner.ranges)

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        if value is not None:
            vector[at] = 1.0
            self.inner.put(vector, at + 1, value, eyes)


class ListFloats(ValueFloats):
    """A list: how long it is, the sum of what its items give, and a fingerprint for their order."""

    def __init__(self, inner: ValueFloats) -> None:
        self.inner = inner
        most = float(LONGEST_LIST)
        summed = tuple((low * most, high * most) for low, high in inner.ranges)
        self.ranges = ((0.0, most), *summed, UNIT)

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        if not value:
            return
        vector[at] = float(len(value))
        size = self.inner.size
        for item in value:
            own = [0.0] * size
            self.inner.put(own, 0, item, eyes)
            for place, amount in enumerate(own, at + 1):
                vector[place] += amount
        vector[at + 1 + size] = eyes.fingerprint(value)


class FamilyFloats(ValueFloats):
    """A family: one value for each key; players from who looks on, things by their slots, and those that
    are not seen in no order."""

    def __init__(self, kinds: Kinds, key: types.Type, inner: ValueFloats) -> None:
        self.inner = inner
        self.kind = key.kind if isinstance(key, types.ThingType) else ""
        keys = len(kinds.layout.keys(key)) if self.kind in ("", PLAYER) else kinds.slots[self.kind]
        self.keys = keys
        self.unseen = self.kind in kinds.hiding
        self.ranges = tuple(inner.ranges) * (keys * (2 if self.unseen else 1))

    def put(self, vector: Vector, at: int, value: Value, eyes: Eyes) -> None:
        size, unseen = self.inner.size, []
        things = eyes.layout.things.get(self.kind, ())
        for number, entry in enumerate(value or ()):
            place: int | None = number
            if self.kind == PLAYER:
                place = eyes.seat(things[number])
            elif self.kind:
                place = self._slot(things[number], eyes)
            if place is not None:
                self.inner.put(vector, at + place * size, entry, eyes)
            elif self.unseen:
                own = [0.0] * size
                self.inner.put(own, 0, entry, eyes)
                unseen.append(own)
        for number, own in enumerate(sorted(unseen)):
            start = at + (self.keys + number) * size
            vector[start : start + size] = own

    def _slot(self, thing: Thing, eyes: Eyes) -> int | None:
        return eyes.slot(thing) if eyes.is_seen(thing) else None


def floats_of(kinds: Kinds, kind: types.Type, found: Interval, brief: bool = False) -> ValueFloats:
    """Return how a value of a type is written; `found` are the bounds of its numbers, `brief` that many
    holders have one, so that things are told by one number each."""
    layout = kinds.layout
    match kind:
        case types.NumberType():
            return NumberFloats(found)
        case types.FlagType():
            return NumberFloats((0, 1))
        case types.EnumType(name):
            return EnumFloats(len(layout.enums[name]))
        case types.ThingType("Player"):
            return SeatFloats(len(layout.things[PLAYER]))
        case types.ThingType(name):
            return ThingFloats(kinds, name, brief)
        case types.OptionalType(inner):
            return OptionalFloats(floats_of(kinds, inner, found, brief))
        case types.ListType(inner):
            return ListFloats(floats_of(kinds, inner, (None, None)))
        case types.FamilyType(value, key):
            if not isinstance(key, types.ThingType) or key.kind not in layout.carried:
                return FamilyFloats(kinds, key, floats_of(kinds, value, found, brief))
    return ValueFloats()
