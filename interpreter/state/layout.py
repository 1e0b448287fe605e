"""Where everything stands in a store: numbers the columns of a game.

The state of a game is a list of *columns* (`Store.columns`), one for each field: entry i of the
column of `Planet.claim` belongs to the i-th planet, a field of the game has one entry. Besides the
fields there are columns that the language needs itself:

- column 0, the *scalars*: state of the generator, reason of the end, counters
- for each kind the place at which each thing lies (a `PlaceValue`, or none) and its owner
- for each pile how many cards at its bottom are undecided: a shuffled pile is a bag, and which card
  lies where is decided when somebody looks
- for each watched condition whether it held at the last look (for each player, if it is about `me`)

Printed fields never change, so they are no part of a store: they stand in `Layout.printed`, under
numbers that follow those of the columns. Things, tables and options are filled in by `engine/setup`.

Kinds whose things come and go (`Layout.living_slots`) have one more column, whose only entry is the
tuple of the things that are in the game, in the order of their creation. Their other columns have
an entry for each thing there has ever been in this game, and what is printed on created things
stands in columns, too (`Layout.carried`). The n-th thing of a kind is the same object in all games
of a program, so `Layout.things` and `Layout.places` grow with the game that has most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.state.errors import MOST_CREATED
from rulewright.interpreter.state.values import GONE, EnumValue, GonePlace, PlaceValue, Thing, Value

SCALARS = 0
"""The column of the scalars."""

RANDOM = 0
"""Scalar: the state of the generator."""

ENDING = 1
"""Scalar: the reason of the end, or none."""

DECISIONS = 2
"""Scalar: the number of decisions so far."""

EVENTS = 3
"""Scalar: the number of events so far."""

AWAKE = 4
"""Scalar: whether watched conditions are looked at."""

LASTING = 5
"""Scalar: the records of what `until` says, in the order in which they were made; none if there are
none. A record is number, maker, run of the verb that it waits for (none if that has not begun), and
the values it has taken along."""

OPENED = 6
"""Scalar: whether nothing has been answered yet in the running transaction; only where there are
offers."""

SCALAR_COUNT = 8
"""The others are for the executor."""

START_SCALARS: tuple[Value, ...] = (0, None, 0, 0, True, None, None, None)


@attrs.define(eq=False)
class Layout:
    """The things of a loaded game and the numbers of its columns."""

    game: model.Game
    players: tuple[Thing, ...] = ()
    """The seats, in their order."""

    neutrals: tuple[Thing, ...] = ()
    """The players without a seat; as things of the kind `Player` they come after the seats."""

    enums: dict[str, tuple[EnumValue, ...]] = attrs.field(factory=dict)
    things: dict[str, Sequence[Thing]] = attrs.field(factory=dict)
    """The things of each kind in table order, and `Player`: the seats, then the neutral players. Of
    a kind whose things come and go all that there have ever been in any game."""

    by_key: dict[str, Thing] = attrs.field(factory=dict)
    by_name: dict[tuple[str, str], Thing] = attrs.field(factory=dict)
    """Things by kind and printed name; of several alike the first."""

    options: dict[str, Value] = attrs.field(factory=dict)
    """The chosen values of the options and rulings."""

    slots: dict[str, int] = attrs.field(factory=dict)
    """The number of the column of each field, printed ones too."""

    fields: dict[int, model.Field] = attrs.field(factory=dict)
    """The field of each column that has one."""

    place_slots: dict[str, int] = attrs.field(factory=dict)
    owner_slots: dict[str, int] = attrs.field(factory=dict)
    """For each kind the columns of place and owner."""

    bag_slots: dict[int, int] = attrs.field(factory=dict)
    """For the column of each pile that of its undecided part."""

    watch_slots: dict[str, int] = attrs.field(factory=dict)
    printed: dict[int, tuple[Value, ...]] = attrs.field(factory=dict)
    """The values of the printed fields: one for each thing."""

    places: dict[int, Sequence[PlaceValue]] = attrs.field(factory=dict)
    """For each column of a field the place of each holder: one object each, which a `place` column
    holds, so that places can be compared by identity."""

    unordered: frozenset[int] = frozenset()
    """The columns of `cards of` zones."""

    face_down: frozenset[str] = frozenset()
    """The kinds whose things lie at a place of their own wherever they lie hidden."""

    counters: tuple[int, ...] = ()
    """The columns that count what is running, for `during`."""

    size: int = 1
    """The number of columns in a store."""

    living_slots: dict[str, int] = attrs.field(factory=dict)
    """For each kind whose things come and go the column of those that are in the game."""

    carried: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    """For each kind of which things are created the columns of its printed fields."""

    tabled: dict[str, int] = attrs.field(factory=dict)
    """How many things of a kind whose things come and go the tables give."""

    table_values: dict[int, tuple[Value, ...]] = attrs.field(factory=dict)
    """What the tables give to the columns of printed fields."""

    _gone: dict[int, GonePlace] = attrs.field(factory=dict)
    _growing: Lock = attrs.field(factory=Lock)

    def is_neutral(self, player: Thing) -> bool:
        """Return whether a player has no seat, so that chance decides for him."""
        return player.number >= len(self.players)

    def holders(self, field: model.Field) -> Sequence[Thing]:
        """Return the things that have the field; none for a field of the game."""
        return () if field.holder is None else self.things.get(field.holder, ())

    def count(self, kind: str) -> int:
        """Return how many things of a kind there are when a game starts."""
        return self.tabled.get(kind, len(self.things.get(kind, ())))

    def known_count(self, kind: str) -> int | None:
        """Return how many things of a kind there are; None if that changes."""
        return None if kind in self.living_slots else len(self.things.get(kind, ()))

    def length(self, field: model.Field) -> int:
        """Return the number of entries in the column of a field when a game starts."""
        return 1 if field.holder is None else self.count(field.holder)

    def thing(self, kind: str, number: int) -> Thing:
        """Return the thing of a kind with a number; made now if no game had so many before."""
        things = self.things[kind]
        if number >= len(things):
            assert isinstance(things, list), f"{kind} has no more things"
            with self._growing:
                while number >= len(things):
                    self._grow(kind, things)
        return things[number]

    def created(self, key: str) -> Thing | None:
        """Return the created thing with a key such as `Fleet#3`, if there can be one."""
        kind, _, digits = key.partition("#")
        if kind not in self.living_slots or not digits.isascii() or not digits.isdigit():
            return None
        if len(digits) > len(str(MOST_CREATED)) or digits != str(int(digits)):
            return None
        if not 1 <= int(digits) <= MOST_CREATED:
            return None
        return self.thing(kind, self.tabled[kind] + int(digits) - 1)

    def _grow(self, kind: str, things: list[Thing]) -> None:
        number = len(things)
        thing = Thing(kind, number, key=f"{kind}#{number + 1 - self.tabled[kind]}")
        for slot in self.slots_of(kind):
            places = self.places.get(slot)
            if isinstance(places, list):
                places.append(PlaceValue(slot, thing))
        things.append(thing)

    def slots_of(self, kind: str) -> tuple[int, ...]:
        """Return the columns of the fields of a kind."""
        return tuple(
            slot for slot, field in self.fields.items() if field.holder == kind and slot < self.size
        )

    def columns_of(self, kind: str) -> tuple[int, ...]:
        """Return the columns that have an entry for each thing of a kind."""
        return tuple(slot for slot, _ in self.new_entries(kind))

    def new_entries(self, kind: str) -> Iterator[tuple[int, Value]]:
        """Yield the columns of a kind, each with what its entry for a new thing holds at first."""
        for slot in self.slots_of(kind):
            yield slot, self.start_value(self.fields[slot].type)
            bag = self.bag_slots.get(slot)
            if bag is not None:
                yield bag, 0
        yield self.place_slots[kind], None
        yield self.owner_slots[kind], None

    def gone(self, seers: int) -> GonePlace:
        """Return where things are that have left the game when these players saw them."""
        return self._gone.setdefault(seers, GonePlace(GONE, None, None, seers))

    def zone(self, slot: int) -> types.ZoneType | None:
        """Return the type of the zone in a column, or None if it is no zone."""
        field = self.fields.get(slot)
        return field.type if field is not None and isinstance(field.type, types.ZoneType) else None

    def keys(self, kind: types.Type) -> tuple[Value, ...]:
        """Return the keys of a family in the order of its entries."""
        match kind:
            case types.ThingType(name):
                return tuple(self.things.get(name, ()))
            case types.EnumType(name):
                return self.enums.get(name, ())
            case types.FlagType():
                return (False, True)
        raise ValueError(f"there is no family per {types.shown(kind)}")

    def start_value(self, kind: types.Type) -> Value:
        """Return what a field or entry of this type holds when nothing is said."""
        match kind:
            case types.NumberType():
                return 0
            case types.FlagType():
                return False
            case types.TextType():
                return ""
            case types.ListType() | types.ZoneType():
                return ()
            case types.FamilyType(value, key):
                return (self.start_value(value),) * len(self.keys(key))
        return None


def plan(game: model.Game) -> Layout:
    """Return the layout of a game with its columns numbered, but without any things yet."""
    layout = Layout(game)
    for enumeration in game.enumerations.values():
        layout.enums[enumeration.name] = tuple(
            EnumValue(enumeration.name, value, order, shown)
            for order, (value, shown) in enumerate(
                zip(
                    enumeration.values,
                    enumeration.shown or [""] * len(enumeration.values),
                    strict=True,
                )
            )
        )
    number = SCALARS + 1
    for field in game.fields.values():
        if not field.printed or field.holder in game.created:
            layout.slots[field.id] = number
            layout.fields[number] = field
            number += 1
    for slot, field in list(layout.fields.items()):
        if isinstance(field.type, types.ZoneType) and field.type.shape == "pile":
            layout.bag_slots[slot] = number
            number += 1
    for kind in {"Player": None, **dict.fromkeys(game.kinds)}:
        layout.place_slots[kind] = number
        layout.owner_slots[kind] = number + 1
        number += 2
    for watch in game.watches:
        layout.watch_slots[watch.id] = number
        number += 1
    for kind in game.kinds:
        if kind in game.created | game.destroyed:
            layout.living_slots[kind] = number
            number += 1
    layout.size = number
    for kind in game.created:
        layout.carried[kind] = tuple(
            slot for slot in layout.slots_of(kind) if layout.fields[slot].printed
        )
    for field in game.fields.values():
        if field.printed and field.id not in layout.slots:
            layout.slots[field.id] = number
            layout.fields[number] = field
            number += 1
    layout.counters = tuple(slot for slot, field in layout.fields.items() if field.internal)
    layout.unordered = frozenset(
        slot
        for slot, field in layout.fields.items()
        if isinstance(field.type, types.ZoneType) and not field.type.ordered
    )
    heaped = {
        field.type.kind
        for field in game.fields.values()
        if isinstance(field.type, types.ZoneType)
        and not field.type.ordered
        and field.viewers.who != "everybody"
    }
    layout.face_down = frozenset(
        kind
        for kind in game.kinds
        if types.ThingType(kind) not in heaped and types.ANYTHING not in heaped
    )
    return layout


def settle(layout: Layout) -> None:
    """Make the places of the fields, when all things are known."""
    for slot, field in layout.fields.items():
        if slot >= layout.size:
            continue
        holders: Sequence[Thing | None] = (None,) if field.holder is None else layout.holders(field)
        places = [PlaceValue(slot, holder) for holder in holders]
        layout.places[slot] = places if field.holder in layout.living_slots else tuple(places)
