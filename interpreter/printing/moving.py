"""Moves and shuffles for generated code: one function for each kind and each goal zone.

Who sees a move follows from where the things come from and where they go, as long as both zones are
open, hidden from everybody or the zones of players which they see: then it is found out once for
each pair of places. Everything else is left to the handlers of the walker.

The other functions that generated code calls stand here as well: draws, notes and effects of the walker,
prepared for one loaded game, with what follows from the layout worked out beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.ir.machine import Run
from rulewright.interpreter.printing.emit import NotGenerated, Slow
from rulewright.interpreter.semantics import events
from rulewright.interpreter.semantics.effects import EffectCompiler
from rulewright.interpreter.semantics.events import OWN, Witnesses, decide_cards
from rulewright.interpreter.state.errors import Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import RANDOM, SCALARS, Layout
from rulewright.interpreter.state.log import NOBODY, SECRET, Numbers, Seen
from rulewright.interpreter.state.random import below
from rulewright.interpreter.state.store import Store, blank
from rulewright.interpreter.state.values import Locals, PlaceValue, Thing, Value

NUMBER = attrgetter("number")

Mover: TypeAlias = Callable[[Store, Thing | None, Any, int, Any], None]
"""Moves a thing, or a list of things, to the zone with an index; the last argument is the step that
does it."""


Way: TypeAlias = tuple[
    int,
    int,
    int | None,
    frozenset[Thing],
    tuple[tuple[int, int], ...],
    PlaceValue,
    Thing | None,
    Seen,
]
"""What a move from one place to another needs: the column and the index that it comes from, and the
column of the undecided part there (if there is one); who sees what comes to the goal, but not what
lies at the source; where to look whether everybody sees the things whose zones these are; the goal
and whose it is; who sees the move."""


PlainWay: TypeAlias = tuple[int, int, frozenset[Thing], Seen]
"""Of a way from a zone that is no pile, between zones of which everybody sees whose they are: the
column and the index that it comes from, who sees what comes to the goal but not what lies at the
source, and who sees the move."""


class Moving:
    """The moves of one loaded game, and what is known beforehand about who sees what."""

    def __init__(self, effects: EffectCompiler, witnesses: Witnesses) -> None:
        self.effects = effects
        self.witnesses = witnesses
        self.layout: Layout = effects.layout
        self.everybody = witnesses.everybody
        self.openly: Seen = self.everybody, self.everybody, NOBODY
        """Who sees what happens in the open."""

        layout = self.layout
        self.hiding = frozenset(
            field.type.kind.kind
            for field in layout.fields.values()
            if isinstance(field.type, types.ZoneType)
            and isinstance(field.type.kind, types.ThingType)
            and field.viewers.who != "everybody"
        )
        """The kinds of things that may lie where not everybody sees them."""

        self.open = frozenset(
            slot
            for slot, field in layout.fields.items()
            if field.printed or field.viewers.who == "everybody"
        )
        self.slots = frozenset(
            slot
            for slot, field in layout.fields.items()
            if isinstance(field.type, types.ZoneType) and field.type.shape == "slot"
        )
        self._shown: dict[int, bool] = {
            slot: field.holder is None
            or field.holder == "Player"
            or field.holder not in self.hiding
            for slot, field in layout.fields.items()
        }
        """Whether everybody sees the things to which the fields of a column belong."""

        self._movers: dict[tuple[str, int, bool], Mover] = {}
        self._plain: dict[tuple[str, int], tuple[dict[int, PlainWay], ...]] = {}

    def put(
        self, store: Store, me: Thing | None, things: Value, goal: PlaceValue, step: Any
    ) -> None:
        """Move things (a list or one) into a zone that is known only now, the last on top."""
        if not isinstance(things, tuple):
            things = (things,)
        if None in things:
            raise Slow
        if not things:
            return
        kind = things[0].kind
        if goal.key_index is None and all(thing.kind == kind for thing in things):
            self.mover(kind, goal.slot, listed=True)(store, me, things, goal.index, step)
        else:
            self.effects.put(store, me, things, goal, step.span)

    def mover(self, kind: str, slot: int, listed: bool = False) -> Mover:
        """Return what moves a thing of a kind, or a list of them, into a zone of a column."""
        key = kind, slot, listed
        if key not in self._movers:
            self._movers[key] = self._mover(kind, slot, listed)
        return self._movers[key]

    def _mover(self, kind: str, slot: int, listed: bool) -> Mover:
        layout = self.layout
        if layout.fields[slot].holder in layout.living_slots:
            return self._checked(slot)
        places_slot, owners_slot = layout.place_slots[kind], layout.owner_slots[kind]
        goals = layout.places[slot]
        steady = frozenset(one for one in layout.fields if self.is_fixed(one))
        crowded = slot in self.slots
        fixed = self.is_fixed(slot)
        put = self.effects.put
        known: tuple[dict[int, Way], ...] = tuple({} for _ in goals)
        plain = self.plain_ways(kind, slot)
        seen = self.open
        witnesses = self.witnesses
        after: dict[int, Numbers] = {}

        def learn(store: Store, place: PlaceValue | None, index: int) -> bool:
            """Find out what a move needs, unless that must be found out each time."""
            goal = goals[index]
            if place is None or place is goal or not fixed or place.slot not in steady:
                return False
            way = known[index][id(place)] = self._way(store, place, goal)
            source, at, bag, blind, holders, _, _, told = way
            if bag is None and not holders:
                plain[index][id(place)] = source, at, blind, told
            return True

        def move(store: Store, me: Thing | None, thing: Any, index: int, step: Any) -> None:
            columns = store.columns
            number = thing.number
            places = columns[places_slot]
            place = places[number]
            try:
                source, at, bag, blind, holders, goal, owner, told = known[index][id(place)]
            except KeyError:
                if learn(store, place, index):
                    move(store, me, thing, index, step)
                else:
                    put(store, me, (thing,), goals[index], step.span)
                return
            if holders:
                for kept, keeper in holders:
                    lies = columns[kept][keeper]
                    if lies is not None and lies.slot not in seen:
                        put(store, me, (thing,), goal, step.span)
                        return
            if blind and store.viewer in blind:
                store.meet_hidden()
            column = columns[source]
            zone = column[at]
            if zone[-1] is thing:
                rest = zone[:-1]
            else:
                where = zone.index(thing)
                rest = zone[:where] + zone[where + 1 :]
            if bag is not None:
                undecided = columns[bag][at]
                if undecided and thing in zone[:undecided]:
                    store.write(bag, at, undecided - 1)
            target = columns[slot]
            held = target[index]
            if crowded and held:
                raise Slow
            trail = store.trail
            if trail is None:
                data = (thing,), place, goal
                store.log = (store.log, "move", me, data, told)
            else:
                trail += ((column, at, zone), (target, index, held), (places, number, place))
                if owner is not None:
                    owners = columns[owners_slot]
                    trail.append((owners, number, owners[number]))
            column[at] = rest
            target[index] = (*held, thing)
            places[number] = goal
            if owner is not None:
                columns[owners_slot][number] = owner

        def move_all(store: Store, me: Thing | None, things: Any, index: int, step: Any) -> None:
            if len(things) == 1:
                move(store, me, things[0], index, step)
                return
            if not things:
                return
            columns = store.columns
            places = columns[places_slot]
            place = places[things[0].number]
            way = known[index].get(id(place))
            if way is None and learn(store, place, index):
                way = known[index][id(place)]
            if way is None or crowded or len(set(things)) < len(things):
                put(store, me, things, goals[index], step.span)
                return
            source, at, bag, blind, holders, goal, owner, told = way
            apart = bag is not None and columns[bag][at]
            for kept, keeper in holders:
                lies = columns[kept][keeper]
                if lies is not None and lies.slot not in seen:
                    apart = True
            column = columns[source]
            zone = column[at]
            left = list(zone)
            for thing in things:
                if places[thing.number] is not place:
                    apart = True
                    break
                left.remove(thing)
            if apart:
                put(store, me, things, goal, step.span)
                return
            if blind and store.viewer in blind:
                store.meet_hidden()
            target = columns[slot]
            trail = store.trail
            if trail is None:
                if index not in after:
                    after[index] = witnesses.seers(store, goal)
                data = events.in_told_order(things, told[0], after[index]), place, goal
                store.log = (store.log, "move", me, data, told)
            else:
                trail += ((column, at, zone), (target, index, target[index]))
                for thing in things:
                    trail.append((places, thing.number, place))
                    if owner is not None:
                        owners = columns[owners_slot]
                        trail.append((owners, thing.number, owners[thing.number]))
            column[at] = tuple(left)
            target[index] = (*target[index], *things)
            for thing in things:
                places[thing.number] = goal
                if owner is not None:
                    columns[owners_slot][thing.number] = owner

        return move_all if listed else move

    def is_plain(self, slot: int) -> bool:
        """Return whether there may be plain ways to the zones of a column, which have room for
        everything."""
        if self.layout.fields[slot].holder in self.layout.living_slots:
            return False
        return slot not in self.slots and self.is_fixed(slot) and self._shown[slot]

    def plain_ways(self, kind: str, slot: int) -> tuple[dict[int, PlainWay], ...]:
        """Return where movers note plain ways to each zone of a column, by the ids of the places
        from which they lead."""
        key = kind, slot
        if key not in self._plain:
            self._plain[key] = tuple({} for _ in self.layout.places[slot])
        return self._plain[key]

    def _checked(self, slot: int) -> Mover:
        """Return what moves things into a zone of what may come and go."""
        put, goals = self.effects.put, self.layout.places[slot]

        def move(store: Store, me: Thing | None, thing: Any, index: int, step: Any) -> None:
            things = thing if isinstance(thing, tuple) else (thing,)
            if things:
                put(store, me, things, goals[index], step.span)

        return move

    def _way(self, store: Store, place: PlaceValue, goal: PlaceValue) -> Way:
        layout, witnesses, everybody = self.layout, self.witnesses, self.everybody
        before, after = witnesses.seers(store, place), witnesses.seers(store, goal)
        seers = before | after
        counters = everybody
        if seers != everybody:
            counters = seers | (witnesses.counters(store, place) & witnesses.counters(store, goal))
        holder = goal.holder
        return (
            place.slot,
            place.index,
            layout.bag_slots.get(place.slot),
            frozenset(seat for seat in layout.players if seat.number in after - before),
            tuple(
                (layout.place_slots[one.holder.kind], one.holder.number)
                for one in (place, goal)
                if one.holder is not None and not self._shown[one.slot]
            ),
            goal,
            holder if holder is not None and holder.kind == "Player" else None,
            (seers, counters, NOBODY),
        )

    def shuffler(self, slot: int) -> Callable[[Store, Thing | None, int], None]:
        """Return what shuffles a zone of a column; not in a trial."""
        layout = self.layout
        places = layout.places[slot]
        fixed = self.is_fixed(slot) and self._shown[slot]
        known: dict[int, tuple[tuple[PlaceValue], Seen]] = {}
        bag = layout.bag_slots.get(slot)
        if bag is None:
            raise NotGenerated("no pile")

        def shuffle(store: Store, me: Thing | None, index: int) -> None:
            viewer = store.viewer
            if viewer is not None and self.effects.evaluator.sees(store, places[index], viewer):
                store.meet_hidden()
            columns = store.columns
            column = columns[slot]
            cards = column[index]
            column[index] = tuple(sorted(cards, key=NUMBER))
            columns[bag][index] = len(cards)
            found = known.get(index)
            if found is None:
                found = self._shuffled(store, places[index])
                if fixed:
                    known[index] = found
            store.log = (store.log, "shuffle", me, *found)

        return shuffle

    def shuffled(self, slot: int, index: int) -> tuple[tuple[PlaceValue], Seen] | None:
        """Return what is noted when a zone of a column is shuffled, if that is always the same."""
        if not (self.is_fixed(slot) and self._shown[slot]):
            return None
        if self.layout.fields[slot].holder in self.layout.living_slots:
            return None
        return self._shuffled(blank(self.layout), self.layout.places[slot][index])

    def _shuffled(self, store: Store, place: PlaceValue) -> tuple[tuple[PlaceValue], Seen]:
        witnesses = self.witnesses
        counters = witnesses.counters(store, place) | witnesses.seers(store, place)
        seers = counters & witnesses.of_values(store, (place.holder,))
        return (place,), (seers, counters, NOBODY)

    def is_fixed(self, slot: int) -> bool:
        """Return whether who sees what lies in a zone never changes."""
        field = self.layout.fields[slot]
        for viewers in (field.viewers, field.count_viewers):
            if viewers.who not in ("everybody", "nobody") and not (
                viewers.who in OWN and field.holder == "Player"
            ):
                return False
        return True


MOST_WAYS = 1_000
"""For so many pairs of places it is known beforehand who sees a move from one to the other."""


@attrs.frozen(eq=False)
class Dealing:
    """What is known of moves from the top of a pile into a zone, before any is made."""

    bag: int
    """The column that says how many cards of the pile are undecided."""

    places: int
    """The column that says where the cards lie."""

    owners: int | None
    """The column that says whose they are, if the zone is somebody's."""

    ways: tuple[tuple[tuple[PlaceValue, PlaceValue, Thing | None, Seen], ...], ...]
    """From which place to which, whose the card is there and who sees that; by both indices."""


class Doing(Moving):
    """The effects of one loaded game, for generated code."""

    def perform(self, store: Store, run: Run, me: Thing | None, locals: Locals) -> None:
        """Let the handler of the walker do an effect; not in a trial."""
        self.handled(store, run, Frame("", 0, locals, me))

    def handled(self, store: Store, run: Run, frame: Frame) -> int:
        """Return where the handler of the walker leads to; not in a trial."""
        while True:
            try:
                return run(store, frame)
            except Undecided as met:
                decide_cards(store, frame, met.slot, met.index, met.how_many)

    def decided(self, store: Store, me: Thing | None, slot: int, index: int, how_many: int) -> None:
        """Let chance decide the topmost undecided cards of a pile."""
        if store.trail is not None or store.dictated or store.explicit_chance:
            decide_cards(store, Frame("", 0, {}, me), slot, index, how_many)
            return
        store.meet_hidden()
        columns = store.columns
        scalars = columns[SCALARS]
        bags = columns[self.layout.bag_slots[slot]]
        bag, cards = bags[index], columns[slot][index]
        for _ in range(min(how_many, bag)):
            scalars[RANDOM], number = below(scalars[RANDOM], bag)
            card = cards[number]
            cards = (*cards[:number], *cards[number + 1 : bag], card, *cards[bag:])
            bag -= 1
            store.log = (store.log, "chance", me, ("", card), SECRET)
        columns[slot][index] = cards
        bags[index] = bag

    def dealing(self, kind: str, source: int, slot: int) -> Dealing | None:
        """Return what is known of moves of the topmost thing of a pile of a column into a zone of
        another one; who may not see the pile must have been met. None if something of it must be
        found out each time."""
        layout = self.layout
        bag = layout.bag_slots.get(source)
        if bag is None or source == slot or slot in self.slots:
            return None
        for one in (source, slot):
            if layout.fields[one].holder in layout.living_slots:
                return None
            if not (self.is_fixed(one) and self._shown[one]):
                return None
        places, goals = layout.places[source], layout.places[slot]
        if len(places) * len(goals) > MOST_WAYS:
            return None
        start = blank(layout)
        ways = tuple(
            tuple((place, *self._way(start, place, goal)[-3:]) for goal in goals)
            for place in places
        )
        owners = layout.owner_slots[kind] if layout.fields[slot].holder == "Player" else None
        return Dealing(bag, layout.place_slots[kind], owners, ways)

    def changed(
        self, store: Store, kind: str, me: Thing | None, place: PlaceValue, value: Value
    ) -> None:
        """Note that a field was written; not in a trial."""
        events.changed(self.witnesses, store, kind, me, place, value)

    def shown(
        self, store: Store, me: Thing | None, value: Value, viewers: tuple[Thing, ...]
    ) -> None:
        """Note that something was shown; not in a trial."""
        if viewers == self.witnesses.players:
            data = (value, viewers, *self.witnesses.whence(store, value))
            store.log = (store.log, "show", me, data, self.openly)
        else:
            events.shown(self.witnesses, store, me, value, viewers)

    def noted(
        self,
        store: Store,
        kind: str,
        me: Thing | None,
        place: PlaceValue,
        value: Value,
    ) -> None:
        """Note that an open field was written; not in a trial."""
        if self._is_known(store, place.holder) and self._is_known(store, value):
            store.log = (store.log, kind, me, (place, value), self.openly)
        else:
            self.changed(store, kind, me, place, value)

    def _is_known(self, store: Store, value: Value) -> bool:
        """Return whether everybody surely sees a value; a thing where it lies."""
        if not isinstance(value, Thing):
            return not isinstance(value, tuple | PlaceValue)
        if value.kind == "Player":
            return True
        lies = store.columns[self.layout.place_slots[value.kind]][value.number]
        return lies is None or lies.slot in self.open

    def begun(
        self, store: Store, kind: str, me: Thing | None, verb: str, given: tuple[Value, ...]
    ) -> None:
        """Note that a verb begins or is finished; not in a trial."""
        events.begun(self.witnesses, store, kind, me, verb, given)
