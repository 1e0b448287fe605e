"""Moves of a single thing, for generated code: one function for each kind and each goal zone.

Who sees a move follows from where the thing comes from and where it goes, as long as both zones are
open, hidden from everybody or the zones of players which they see: then it is found out once for
each pair of places. Everything else is left to the general way of `doing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rulewright.interpreter.doing import Doing
from rulewright.interpreter.emit import NotGenerated, Slow
from rulewright.interpreter.events import OWN, Event
from rulewright.interpreter.layout import EVENTS, SCALARS
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import PlaceValue, Thing

Mover: TypeAlias = Callable[[Store, Thing | None, Any, int, Any], None]
"""Moves a thing to the zone with an index; the last argument is the step that does it."""


def mover(doing: Doing, kind: str, slot: int) -> Mover:
    """Return what moves a thing of a kind into a zone."""
    layout = doing.layout
    places_slot, owners_slot = layout.place_slots[kind], layout.owner_slots[kind]
    goals = layout.places[slot]
    crowded = slot in doing.slots
    fixed = is_fixed(doing, slot)
    known: tuple[dict[int, tuple[Any, ...]], ...] = tuple({} for _ in goals)
    created: Any = tuple.__new__

    def entry(store: Store, place: PlaceValue, index: int) -> tuple[Any, ...]:
        """Return what a move from one place to another needs."""
        goal = goals[index]
        seers_of, everybody = doing.witnesses.seers, doing.everybody
        before, after = seers_of(store, place), seers_of(store, goal)
        seers = before | after
        counters = everybody
        if seers != everybody:
            witnesses = doing.witnesses
            counters = seers | (witnesses.counters(store, place) & witnesses.counters(store, goal))
        holder = goal.holder
        owner = holder if holder is not None and holder.kind == "Player" else None
        made = (
            place.slot,
            place.index,
            layout.bag_slots.get(place.slot),
            goal,
            owner,
            seers,
            counters,
            frozenset(seat for seat in layout.players if seat.number in after - before),
        )
        known[index][id(place)] = made
        return made

    def move(store: Store, me: Thing | None, thing: Any, index: int, step: Any) -> None:
        columns = store.columns
        number = thing.number
        places = columns[places_slot]
        place = places[number]
        found = known[index].get(id(place))
        if found is None:
            if (
                place is None
                or place is goals[index]
                or not fixed
                or not is_fixed(doing, place.slot)
            ):
                doing.put(store, me, thing, goals[index], step)
                return
            found = entry(store, place, index)
        source, at, bag, goal, owner, seers, counters, blind = found
        if blind and store.eyes in blind:
            store.meet_hidden()
        column = columns[source]
        zone = column[at]
        rest = zone[:-1]
        if zone[-1] is not thing:
            rest = tuple([one for one in zone if one is not thing])
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
            store.log = (
                store.log,
                created(Event, ("move", me, ((thing,), place, goal), seers, counters, frozenset())),
            )
            columns[SCALARS][EVENTS] += 1
        else:
            trail.append((column, at, zone))
            trail.append((target, index, held))
            trail.append((places, number, place))
            if owner is not None:
                owners = columns[owners_slot]
                trail.append((owners, number, owners[number]))
        column[at] = rest
        target[index] = (*held, thing)
        places[number] = goal
        if owner is not None:
            columns[owners_slot][number] = owner

    return move


def shuffler(doing: Doing, slot: int) -> Callable[[Store, Thing | None, int], None]:
    """Return what shuffles a zone of a column; not in a trial."""
    layout, witnesses = doing.layout, doing.witnesses
    places = layout.places[slot]
    fixed = is_fixed(doing, slot)
    known: dict[int, Event] = {}
    bag = layout.bag_slots.get(slot)
    if bag is None:
        raise NotGenerated("no pile")

    def by_number(thing: Thing) -> int:
        return thing.number

    def shuffle(store: Store, me: Thing | None, index: int) -> None:
        eyes = store.eyes
        if eyes is not None and doing.effects.evaluator.sees(store, places[index], eyes):
            store.meet_hidden()
        columns = store.columns
        cards = columns[slot][index]
        columns[slot][index] = tuple(sorted(cards, key=by_number))
        columns[bag][index] = len(cards)
        event = known.get(index)
        if event is None or event.actor is not me:
            place = places[index]
            counters = witnesses.counters(store, place) | witnesses.seers(store, place)
            seers = counters & witnesses.of_values(store, (place.holder,))
            event = Event("shuffle", me, (place,), seers, counters)
            if fixed:
                known[index] = event
        store.log = (store.log, event)
        columns[SCALARS][EVENTS] += 1

    return shuffle


def is_fixed(doing: Doing, slot: int) -> bool:
    """Return whether who sees a zone does not change, and whose zone it is everybody sees."""
    field = doing.layout.fields[slot]
    if not doing.shown[slot]:
        return False
    for viewers in (field.viewers, field.count_viewers):
        if viewers.who not in ("everybody", "nobody") and not (
            viewers.who in OWN and field.holder == "Player"
        ):
            return False
    return True
