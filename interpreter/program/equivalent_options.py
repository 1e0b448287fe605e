"""Things that a player cannot tell apart: groups the options of a decision.

Two things are alike for a player if they are of one kind, lie in one zone and are equal in every
field that he sees, and nothing he sees refers to one of them only. Where places can be told apart
(in a row or slot, and at the top of a pile) a thing is like no other. Of a hidden thing only the
fields are seen that are shown although it lies hidden.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rulewright.dsl.model import types
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, PlaceValue, Thing, Value

Group = tuple[Value, ...]
"""Options that are alike, in the order of the source."""


class Equivalence:
    """Compares the things of one loaded game."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout = layout = evaluator.layout
        self.looks: dict[str, tuple[int, ...]] = {}
        """For each kind a number for each thing: equal where all printed fields are equal."""

        self.unique: set[str] = {"Player"}
        """The kinds of which no two things look the same."""

        self.states: dict[str, tuple[int, ...]] = {}
        """For each kind the columns of its fields that change."""

        self.references: dict[str, tuple[int, ...]] = {}
        """For each kind the columns of fields that may hold its things."""

        for kind, things in layout.things.items():
            slots = [slot for slot, field in layout.fields.items() if field.holder == kind]
            carried = layout.carried.get(kind, ())
            printed = [layout.printed[slot] for slot in slots if slot in layout.printed]
            numbers: dict[Hashable, int] = {}
            self.looks[kind] = tuple(
                numbers.setdefault(tuple(column[thing.number] for column in printed), len(numbers))
                for thing in things
            )
            if len(numbers) == len(things) and kind not in layout.carried:
                self.unique.add(kind)
            self.states[kind] = tuple(
                slot for slot in slots if slot not in layout.printed and slot not in carried
            )
            self.references[kind] = tuple(
                slot
                for slot, field in layout.fields.items()
                if slot not in layout.printed
                and not isinstance(field.type, types.ZoneType)
                and kind in _kinds_in(field.type)
            )

    def look(self, store: Store, thing: Thing) -> Hashable:
        """Return what is printed on a thing, as something that is equal if that is."""
        carried = self.layout.carried.get(thing.kind)
        if carried is None:
            return self.looks[thing.kind][thing.number]
        return tuple(store.columns[slot][thing.number] for slot in carried)

    def as_seen(self, store: Store, player: Thing, items: Sequence[Value]) -> Sequence[Value]:
        """Return the items in an order that tells nothing: what the player sees as it stands in the
        source, behind it what lies hidden, by the place where it lies. In a list of a whole kind
        a hidden card would stand where its row stands in the table, between those he knows."""
        hidden: list[tuple[int, int, int, Thing]] = []
        columns, slots = store.columns, self.layout.place_slots
        seen: PlaceValue | None = None
        for item in items:
            if isinstance(item, Thing):
                place = columns[slots[item.kind]][item.number]
                # Most often they all lie in one zone.
                if place is not None and place is not seen:
                    if self.evaluator.sees(store, place, player):
                        seen = place
                    else:
                        hidden.append((*self._position(store, place, item), item))
        if not hidden:
            return items
        unseen = {entry[3] for entry in hidden}
        hidden.sort(key=lambda entry: entry[:3])
        return (*(item for item in items if item not in unseen), *(entry[3] for entry in hidden))

    def _position(self, store: Store, place: PlaceValue, thing: Thing) -> tuple[int, int, int]:
        """Return where a hidden thing lies, as far as its place can be told apart from others."""
        if place.slot in self.layout.unordered or place.slot == GONE:
            return place.slot, place.index, 0
        zone = store.columns[place.slot][place.index]
        return place.slot, place.index, zone.index(thing)

    def groups(self, store: Store, player: Thing, items: Sequence[Value]) -> list[Group]:
        """Return the items in groups, in the order of the first of each."""
        found: dict[Hashable, list[Value]] = {}
        columns, slots = store.columns, self.layout.place_slots
        distinct: tuple[PlaceValue | None, str] = None, ""
        for item in items:
            key: Hashable = item
            if isinstance(item, Thing):
                place = columns[slots[item.kind]][item.number]
                if place is None or place is not distinct[0] or item.kind != distinct[1]:
                    key = self._key(store, player, item)
                    if key is item and self._tells_apart(store, player, item.kind, place):
                        distinct = place, item.kind
            found.setdefault(key, []).append(item)
        if len(found) == len(items):
            return [(item,) for item in items]
        groups: list[Group] = []
        for group in found.values():
            if len(group) > 1 and isinstance(group[0], Thing):
                groups += self.by_reference(store, player, group)
            else:
                groups.append(tuple(group))
        return groups

    def _tells_apart(
        self, store: Store, player: Thing, kind: str, place: PlaceValue | None
    ) -> bool:
        """Return whether no two things of a kind at a place are alike."""
        if place is None:
            return False
        zone = self.layout.zone(place.slot)
        if zone is not None and zone.shape in ("row", "slot"):
            return True
        return kind in self.unique and self.evaluator.sees(store, place, player)

    def _key(self, store: Store, player: Thing, thing: Thing) -> Hashable:
        kind = thing.kind
        place: PlaceValue | None = store.columns[self.layout.place_slots[kind]][thing.number]
        if place is None:
            if kind in self.unique:
                return thing
            return self._visible(store, player, thing, None)
        if self.evaluator.sees(store, place, player):
            if kind in self.unique or place.slot not in self.layout.unordered:
                return thing
            return self._visible(store, player, thing, place)
        zone = self.layout.zone(place.slot)
        if zone is not None and zone.shape in ("row", "slot"):
            return thing
        if zone is not None and zone.shape == "pile":
            undecided = store.columns[self.layout.bag_slots[place.slot]][place.index]
            pile = store.columns[place.slot][place.index]
            on_top = undecided < len(pile) and bool(pile[-1] is thing)
            if on_top:
                return thing
        return kind, place, "unseen", self._shown(store, player, thing)

    def _visible(
        self, store: Store, player: Thing, thing: Thing, place: PlaceValue | None
    ) -> tuple[Hashable, ...]:
        look = self.look(store, thing)
        return thing.kind, place, look, self._shown(store, player, thing)

    def _shown(self, store: Store, player: Thing, thing: Thing) -> tuple[Hashable, ...]:
        """Return the state fields of a thing that the player sees."""
        sees, places = self.evaluator.sees, self.layout.places
        return tuple(
            store.columns[slot][thing.number]
            if sees(store, places[slot][thing.number], player)
            else None
            for slot in self.states.get(thing.kind, ())
        )

    def by_reference(
        self, store: Store, player: Thing | None, group: Sequence[Thing]
    ) -> list[Group]:
        """Return things that look alike in groups to which the same fields refer, as far as the player
        (None: every seat) sees it."""
        if not self.references.get(group[0].kind, ()):
            return [tuple(group)]
        found: dict[Hashable, list[Value]] = {}
        for thing in group:
            found.setdefault(self.references_to(store, player, thing), []).append(thing)
        return [tuple(part) for part in found.values()]

    def references_to(
        self, store: Store, player: Thing | None, thing: Thing
    ) -> tuple[tuple[int, int], ...]:
        """Return the fields, by column and entry, that refer to a thing, as far as the player sees it."""
        sees, places = self.evaluator.sees, self.layout.places
        return tuple(
            (slot, index)
            for slot in self.references.get(thing.kind, ())
            for index, value in enumerate(store.columns[slot])
            if (value is thing or (isinstance(value, tuple) and thing in value))
            and sees(store, places[slot][index], player)
        )

    def differ(self, store: Store, group: Group) -> bool:
        """Return whether the things of a group differ for somebody."""
        first = group[0]
        if not isinstance(first, Thing):
            return False
        look, slots = self.look(store, first), self.states.get(first.kind, ())
        return any(
            self.look(store, thing) != look
            or any(
                store.columns[slot][thing.number] != store.columns[slot][first.number]
                for slot in slots
            )
            for thing in group[1:]
        )

    def meant(self, store: Store, group: Group) -> Group:
        """Return what an answer may mean: of a pile the topmost of the things, if it is known."""
        thing = group[0]
        place = store.columns[self.layout.place_slots[thing.kind]][thing.number]
        bag = None if place is None else self.layout.bag_slots.get(place.slot)
        if place is None or bag is None:
            return group
        undecided = store.columns[bag][place.index]
        pile = store.columns[place.slot][place.index]
        decided = [card for card in pile[undecided:] if card in group]
        return tuple(decided[-1:]) or group


def _kinds_in(kind: types.Type) -> frozenset[str]:
    match kind:
        case types.ThingType(name):
            return frozenset({name})
        case types.OptionalType(inner) | types.ListType(inner):
            return _kinds_in(inner)
        case types.FamilyType(value, _):
            return _kinds_in(value)
    return frozenset()
