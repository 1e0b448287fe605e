"""The values that rules compute with: all of them immutable, so that a copy of a game is cheap.

| in the rules | here |
| --- | --- |
| number, flag, text, `none` | `int`, `bool`, `str`, `None` |
| list, content of a zone (a slot, too) | `tuple`; in a pile the last one lies on top |
| family | `tuple`, one value for each key in the order of the keys' `number` |
| thing (players are things) | `Thing`, one object for each, compared by identity |
| value of an enumeration | `EnumValue`, likewise |
| verb as a value | `VerbValue` |
| expression about `it`, handed on | `Closure`: the id of the code and the locals it uses |
| place handed on | `PlaceValue`; a place about `it`: `PlaceClosure` |
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

Value: TypeAlias = Any
"""One of the above. Which one it is follows from the type of the expression, so the code that the
evaluator makes neither asks nor casts at run time."""

Locals: TypeAlias = dict[str, Value]
"""The names of a running verb or define."""


class Thing:
    """A card, a planet, a player: an entry in the tables, without any state of its own."""

    __slots__ = ("copy", "key", "kind", "name", "number", "row")

    def __init__(
        self, kind: str, number: int, row: int = 1, copy: int = 1, key: str = "", name: str = ""
    ) -> None:
        self.kind = kind
        self.number = number
        """Its index among the things of its kind: the index into every column of that kind."""

        self.row = row
        self.copy = copy
        self.key = key or f"{kind}:{row}.{copy}"
        """A stable text for records: `Planet:Cinder`, `NavComp:12.1`."""

        self.name = name
        """The printed name, or an empty text."""

    def __repr__(self) -> str:
        return self.key


class EnumValue:
    """A value of an enumeration: `fame` of `Sort`."""

    __slots__ = ("enum", "number", "order", "shown", "value")

    def __init__(self, enum: str, value: str, order: int, shown: str = "") -> None:
        self.enum = enum
        self.value = value
        self.shown = shown or value.replace("_", " ")
        """What it is called for readers."""

        self.order = order
        self.number = order
        """The same as `order`: keys of families have a `number`, be they things or not."""

    def __repr__(self) -> str:
        return self.value


@attrs.frozen(slots=True, cache_hash=True)
class VerbValue:
    """A verb as a value: the ids of its overloads, and the arguments it carries."""

    name: str
    verbs: tuple[str, ...]
    arguments: tuple[Value, ...] = ()


@attrs.frozen(slots=True, cache_hash=True)
class Taken:
    """The answer that an offer is taken, instead of an answer to what is asked."""

    offer: str


@attrs.frozen(slots=True)
class Closure:
    """An expression about `it` with the locals it was made with."""

    lambda_id: str
    locals: tuple[tuple[str, Value], ...] = ()


@attrs.frozen(slots=True)
class PlaceClosure:
    """A place about `it` with the locals it was made with."""

    lambda_id: str
    locals: tuple[tuple[str, Value], ...] = ()


@attrs.frozen(slots=True)
class PlaceValue:
    """A field, zone or entry of a family: something to write to."""

    slot: int
    holder: Thing | None
    """The thing that has the field; None for a field of the game."""

    key_index: int | None = None
    """The number of the key, if it is one entry of a family."""

    @property
    def index(self) -> int:
        """The index into the column."""
        return 0 if self.holder is None else self.holder.number


GONE = -1
"""The column of no field: that of what is out of the game."""


@attrs.frozen(slots=True)
class GonePlace(PlaceValue):
    """Where things are that have left the game: it remembers who saw them when they did."""

    seers: int = 0
    """A bit for the number of each player."""

    @property
    def index(self) -> int:
        """The bits of the seers: what is asked of a column that is none."""
        return self.seers


def by_identity(value: Value) -> bool:
    """Return whether a known value is compared by identity."""
    return value is None or isinstance(value, bool | Thing | EnumValue)
