"""Moves and shuffles for generated code: one function for each kind and each goal zone.

Who sees a move follows from where the things come from and where they go, as long as both zones are
open, hidden from everybody or the zones of players which they see: then it is found out once for
each pair of places. Everything else is left to the general way of `doing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from rulewright.interpreter.doing import Doing
from rulewright.interpreter.emit import NotGenerated, Slow
from rulewright.interpreter.events import OWN, Event, Numbers
from rulewright.interpreter.layout import EVENTS, SCALARS
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import PlaceValue, Thing

Mover: TypeAlias = Callable[[Store, Thing | None, Any, int, Any], None]
"""Moves a thing, or a list of things, to the zone with an index; the last argument is the step that
does it."""


@attrs.frozen(eq=False)
class Route:
    """What a move from one place to another needs."""

    slot: int
    index: int
    bag: int | None
    goal: PlaceValue
    owner: Thing | None
    seers: Numbers
    counters: Numbers
    blind: frozenset[Thing]
    """Who sees what comes to the goal, but not what lies at the source."""

    holders: tuple[tuple[int, int], ...]
    """Where to look whether everybody sees the things whose zones these are."""


def mover(doing: Doing, kind: str, slot: int, listed: bool = False) -> Mover:
    """Return what moves a thing of a kind, or a list of them, into a zone."""
    layout = doing.layout
    places_slot, owners_slot = layout.place_slots[kind], layout.owner_slots[kind]
    goals = layout.places[slot]
    crowded = slot in doing.slots
    fixed = is_fixed(doing, slot)
    known: tuple[dict[int, Route], ...] = tuple({} for _ in goals)
    created: Any = tuple.__new__
    nobody: Numbers = frozenset()

    def route(store: Store, place: PlaceValue | None, index: int) -> Route | None:
        """Return what is known about a move; None if that must be found out each time."""
        goal = goals[index]
        if place is None or place is goal or not fixed or not is_fixed(doing, place.slot):
            return None
        found = known[index].get(id(place))
        if found is None:
            found = known[index][id(place)] = _route(doing, store, place, goal)
        columns, seen = store.columns, doing.open
        for holders, number in found.holders:
            lies = columns[holders][number]
            if lies is not None and lies.slot not in seen:
                return None
        return found

    def move(store: Store, me: Thing | None, thing: Any, index: int, step: Any) -> None:
        columns = store.columns
        number = thing.number
        places = columns[places_slot]
        place = places[number]
        way = known[index].get(id(place))
        if way is None or way.holders:
            way = route(store, place, index)
            if way is None:
                doing.put(store, me, thing, goals[index], step)
                return
        if way.blind and store.eyes in way.blind:
            store.meet_hidden()
        at = way.index
        column = columns[way.slot]
        zone = column[at]
        rest = zone[:-1]
        if zone[-1] is not thing:
            rest = tuple([one for one in zone if one is not thing])
        if way.bag is not None:
            undecided = columns[way.bag][at]
            if undecided and thing in zone[:undecided]:
                store.write(way.bag, at, undecided - 1)
        target = columns[slot]
        held = target[index]
        if crowded and held:
            raise Slow
        owner = way.owner
        if store.trail is None:
            store.log = (
                store.log,
                created(
                    Event,
                    ("move", me, ((thing,), place, way.goal), way.seers, way.counters, nobody),
                ),
            )
            columns[SCALARS][EVENTS] += 1
        else:
            trail = store.trail
            trail.append((column, at, zone))
            trail.append((target, index, held))
            trail.append((places, number, place))
            if owner is not None:
                owners = columns[owners_slot]
                trail.append((owners, number, owners[number]))
        column[at] = rest
        target[index] = (*held, thing)
        places[number] = way.goal
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
        way = route(store, place, index)
        leaving = set(things)
        if (
            way is None
            or crowded
            or len(leaving) < len(things)
            or any(places[thing.number] is not place for thing in things)
            or (way.bag is not None and columns[way.bag][way.index])
        ):
            doing.put(store, me, things, goals[index], step)
            return
        if way.blind and store.eyes in way.blind:
            store.meet_hidden()
        zone = columns[way.slot][way.index]
        store.write(way.slot, way.index, tuple([one for one in zone if one not in leaving]))
        store.write(slot, index, (*columns[slot][index], *things))
        for thing in things:
            store.write(places_slot, thing.number, way.goal)
            if way.owner is not None:
                store.write(owners_slot, thing.number, way.owner)
        event = Event("move", me, (things, place, way.goal), way.seers, way.counters, nobody)
        store.append_event(event)

    return move_all if listed else move


def _route(doing: Doing, store: Store, place: PlaceValue, goal: PlaceValue) -> Route:
    layout, witnesses, everybody = doing.layout, doing.witnesses, doing.everybody
    before, after = witnesses.seers(store, place), witnesses.seers(store, goal)
    seers = before | after
    counters = everybody
    if seers != everybody:
        counters = seers | (witnesses.counters(store, place) & witnesses.counters(store, goal))
    holder = goal.holder
    return Route(
        slot=place.slot,
        index=place.index,
        bag=layout.bag_slots.get(place.slot),
        goal=goal,
        owner=holder if holder is not None and holder.kind == "Player" else None,
        seers=seers,
        counters=counters,
        blind=frozenset(seat for seat in layout.players if seat.number in after - before),
        holders=tuple(
            (layout.place_slots[one.holder.kind], one.holder.number)
            for one in (place, goal)
            if one.holder is not None and not doing.shown[one.slot]
        ),
    )


def shuffler(doing: Doing, slot: int) -> Callable[[Store, Thing | None, int], None]:
    """Return what shuffles a zone of a column; not in a trial."""
    layout, witnesses = doing.layout, doing.witnesses
    places = layout.places[slot]
    fixed = is_fixed(doing, slot) and doing.shown[slot]
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
    """Return whether who sees what lies in a zone never changes."""
    field = doing.layout.fields[slot]
    for viewers in (field.viewers, field.count_viewers):
        if viewers.who not in ("everybody", "nobody") and not (
            viewers.who in OWN and field.holder == "Player"
        ):
            return False
    return True
