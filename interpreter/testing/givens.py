"""Setting up a worked example: carries out its `given` lines on a store.

`given` is no event: nothing is told, no watched condition fires, no requirement is asked. Things
are taken "in table order from those not used yet": those that no `given` has put anywhere and that
still lie where the game began. They are put on top of what lies in the zone already. What cannot be
done (a full slot, a number out of its range, too few things) is a `GivenError`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.lifetime import maker
from rulewright.interpreter.state.errors import TICKS_PER_STEP, PlayError
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value


class GivenError(Exception):
    """A `given` line cannot be carried out; the text says why, in a few words."""


class Givens:
    """Writes the `given` lines of one example."""

    def __init__(self, evaluator: Evaluator, start: Store, players: Mapping[str, Thing]) -> None:
        self.evaluator = evaluator
        self.layout: Layout = evaluator.layout
        self.start = start
        self.players = dict(players)
        self.used: set[Thing] = set()

    def value(self, store: Store, expression: model.Expression) -> Value:
        """Return the value of an expression outside of any action."""
        store.allowance = TICKS_PER_STEP, None
        return self.evaluator.expression(expression)(store, None, self.players)

    def place(self, store: Store, place: model.Place) -> PlaceValue:
        """Return the place that a line names."""
        store.allowance = TICKS_PER_STEP, None
        return self.evaluator.place(place)(store, None, self.players)

    # --------------------------------------------------------------------------------------- fields

    def field(self, store: Store, line: model.GivenField) -> None:
        """Set a field, a family or one entry of a family."""
        if isinstance(line.place, model.FieldPlace | model.EntryPlace):
            named = self.layout.fields[self.layout.slots[line.place.field]]
            if named.printed:  # it has no place that could be asked for
                raise GivenError(f"`{named.name}` is printed and cannot be given")
        place = self.place(store, line.place)
        value = self.value(store, line.value)
        field = self.layout.fields[place.slot]
        if isinstance(field.type, types.FamilyType):
            value = self._family(store, place, field.type, line, value)
        check = self.evaluator.range_check(field.id)
        if check is not None:
            try:
                check(store, place.holder, value, line.span)
            except PlayError as error:
                raise GivenError(error.diagnostic().headline) from None
        store.write(place.slot, place.index, value)

    def _family(
        self,
        store: Store,
        place: PlaceValue,
        kind: types.FamilyType,
        line: model.GivenField,
        value: Value,
    ) -> Value:
        if place.key_index is not None:
            family = store.columns[place.slot][place.index]
            return (*family[: place.key_index], value, *family[place.key_index + 1 :])
        if isinstance(line.value.type, types.FamilyType):
            return value
        return (value,) * len(self.layout.keys(kind.key))

    # ---------------------------------------------------------------------------------------- zones

    def zone(self, store: Store, line: model.GivenZone) -> None:
        """Put things into a zone."""
        place = self.place(store, line.place)
        place = self.layout.places[place.slot][place.index]
        for holding in line.holdings:
            for thing in self._things(store, holding):
                self.used.add(thing)
                self._put(store, thing, place)

    def _things(self, store: Store, holding: model.Holding) -> tuple[Thing, ...]:
        if holding.cells is not None:
            return self._new(store, holding)
        if holding.value is not None:
            value = self.value(store, holding.value)
            things = value if isinstance(value, tuple) else (value,)
            if None in things:
                raise GivenError("there is no such thing")
            return things
        found: list[Thing] = []
        code = None
        if holding.condition is not None:
            code = self.evaluator.expression(holding.condition)
        for thing in store.things(holding.kind):
            if len(found) == holding.number:
                break
            if thing in self.used or self._has_moved(store, thing):
                continue
            store.allowance = TICKS_PER_STEP, None
            if code is None or code(store, None, {**self.players, holding.name: thing}):
                found.append(thing)
        if len(found) < holding.number:
            raise GivenError(f"only {len(found)} of these are left")
        return tuple(found)

    def _new(self, store: Store, holding: model.Holding) -> tuple[Thing, ...]:
        work_out = maker(self.evaluator, holding.kind, holding.cells or (), holding.span)
        store.allowance = TICKS_PER_STEP, None
        try:
            return tuple(work_out(store, None, self.players)(None) for _ in range(holding.number))
        except PlayError as error:
            raise GivenError(error.diagnostic().headline) from None

    def _has_moved(self, store: Store, thing: Thing) -> bool:
        places = self.layout.place_slots[thing.kind]
        now, before = store.columns[places], self.start.columns[places]
        if thing.number >= len(before):
            return True
        return now[thing.number] is not before[thing.number]

    def _put(self, store: Store, thing: Thing, place: PlaceValue) -> None:
        zone = self.layout.zone(place.slot)
        if zone is None:
            raise GivenError(f"`{self.layout.fields[place.slot].name}` is no zone")
        # What lies there already comes to lie on top as well.
        self._take(store, thing)
        held = store.columns[place.slot][place.index]
        if zone.shape == "slot" and held:
            raise GivenError(f"`{self.layout.fields[place.slot].name}` is full")
        store.write(place.slot, place.index, (*held, thing))
        store.write(self.layout.place_slots[thing.kind], thing.number, place)
        if place.holder is not None and place.holder.kind == "Player":
            store.write(self.layout.owner_slots[thing.kind], thing.number, place.holder)

    def _take(self, store: Store, thing: Thing) -> None:
        """Take a thing out of where it lies."""
        place: PlaceValue | None
        place = store.columns[self.layout.place_slots[thing.kind]][thing.number]
        if place is None:
            return
        held: tuple[Thing, ...] = store.columns[place.slot][place.index]
        at = held.index(thing)
        bag = self.layout.bag_slots.get(place.slot)
        if bag is not None and at < store.columns[bag][place.index]:
            store.write(bag, place.index, store.columns[bag][place.index] - 1)
        store.write(place.slot, place.index, (*held[:at], *held[at + 1 :]))
