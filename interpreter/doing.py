"""What generated code calls: moves, draws and events, prepared for one loaded game.

Each does what the handler of the walker does, with what follows from the layout worked out
beforehand: where everybody sees everything there is nothing to find out about who does.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import kinds
from rulewright.interpreter import events
from rulewright.interpreter.chance import below
from rulewright.interpreter.drawing import decide_cards
from rulewright.interpreter.effects import Effects
from rulewright.interpreter.emit import Slow
from rulewright.interpreter.errors import Undecided
from rulewright.interpreter.events import NOBODY, Event, Witnesses
from rulewright.interpreter.layout import EVENTS, RANDOM, SCALARS, Layout
from rulewright.interpreter.machine import Run
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.values import Locals, PlaceValue, Thing, Value


class Doing:
    """The effects of one loaded game, for generated code."""

    def __init__(self, effects: Effects, witnesses: Witnesses) -> None:
        self.effects = effects
        self.witnesses = witnesses
        self.layout: Layout = effects.layout
        self.everybody = witnesses.everybody
        layout = self.layout
        self.hiding = frozenset(
            field.type.kind.kind
            for field in layout.fields.values()
            if isinstance(field.type, kinds.ZoneType)
            and isinstance(field.type.kind, kinds.ThingType)
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
            if isinstance(field.type, kinds.ZoneType) and field.type.shape == "slot"
        )
        self.shown: dict[int, bool] = {
            slot: field.holder is None
            or field.holder == "Player"
            or field.holder not in self.hiding
            for slot, field in layout.fields.items()
        }

    def put(
        self, store: Store, me: Thing | None, things: Value, goal: PlaceValue, step: Any
    ) -> None:
        """Move things (a list or one) into a zone, the last on top."""
        if not isinstance(things, tuple):
            if things is None:
                raise Slow
            things = (things,)
        elif len(things) != 1:
            if None in things:
                raise Slow
            if things:
                self.effects.put(store, me, things, goal, step.span)
            return
        thing = things[0]
        if thing is None:
            raise Slow
        layout = self.layout
        kind, number, slot = thing.kind, thing.number, goal.slot
        columns = store.columns
        places = columns[layout.place_slots[kind]]
        place: PlaceValue | None = places[number]
        eyes = store.eyes
        if place is None or place is goal or (eyes is not None and slot not in self.open):
            self.effects.put(store, me, things, goal, step.span)
            return
        source, at = place.slot, place.index
        if eyes is not None and source not in self.open:
            if not self.effects.evaluator.sees(store, place, eyes):
                store.meet_hidden()
        trail = store.trail
        if trail is None:
            before = self.witnesses.seers(store, place)
        # Out of where it lies.
        column = columns[source]
        zone = column[at]
        rest = zone[:-1]
        if zone[-1] is not thing:
            rest = tuple([one for one in zone if one is not thing])
        bag = layout.bag_slots.get(source)
        if bag is not None:
            undecided = columns[bag][at]
            if undecided and thing in zone[:undecided]:
                store.write(bag, at, undecided - 1)
        target = columns[slot]
        to = goal.index
        held = target[to]
        if held and slot in self.slots:
            raise Slow
        goal = layout.places[slot][to]
        holder = goal.holder
        if trail is not None:
            trail.append((column, at, zone))
            trail.append((target, to, held))
            trail.append((places, number, place))
        column[at] = rest
        target[to] = (*held, thing)
        places[number] = goal
        if holder is not None and holder.kind == "Player":
            owners = columns[layout.owner_slots[kind]]
            if trail is not None:
                trail.append((owners, number, owners[number]))
            owners[number] = holder
        if trail is None:
            self._moved(store, me, things, place, before, goal)

    def _moved(
        self,
        store: Store,
        actor: Thing | None,
        things: tuple[Thing, ...],
        source: PlaceValue,
        before: events.Numbers,
        target: PlaceValue,
    ) -> None:
        everybody = self.everybody
        shown = self.shown
        if shown[source.slot] and shown[target.slot]:
            seers = everybody if target.slot in self.open else before
            if seers is not everybody:
                seers = before | self.witnesses.seers(store, target)
            counters = everybody
            if seers != everybody:
                witnesses = self.witnesses
                counters = seers | (
                    witnesses.counters(store, source) & witnesses.counters(store, target)
                )
            store.append_event(Event("move", actor, (things, source, target), seers, counters))
            return
        events.moved(self.witnesses, store, actor, things, source, before, target)

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
        store.eyes = store.transaction = None
        columns = store.columns
        scalars = columns[SCALARS]
        bags = columns[self.layout.bag_slots[slot]]
        bag, cards = bags[index], columns[slot][index]
        for _ in range(min(how_many, bag)):
            scalars[RANDOM], number = below(scalars[RANDOM], bag)
            card = cards[number]
            cards = (*cards[:number], *cards[number + 1 : bag], card, *cards[bag:])
            bag -= 1
            store.log = (store.log, Event("chance", me, ("", card), NOBODY, NOBODY))
            scalars[EVENTS] += 1
        columns[slot][index] = cards
        bags[index] = bag

    def changed(
        self, store: Store, kind: str, me: Thing | None, place: PlaceValue, value: Value
    ) -> None:
        """Note that a field was written; not in a trial."""
        events.changed(self.witnesses, store, kind, me, place, value)

    def noted(
        self,
        store: Store,
        kind: str,
        me: Thing | None,
        place: PlaceValue,
        value: Value,
    ) -> None:
        """Note that an open field was written; not in a trial."""
        layout, places = self.layout, store.columns
        for thing in (place.holder, value):
            if thing is None or not isinstance(thing, Thing) or thing.kind == "Player":
                if isinstance(thing, tuple | PlaceValue):
                    break
                continue
            lies = places[layout.place_slots[thing.kind]][thing.number]
            if lies is not None and lies.slot not in self.open:
                break
        else:
            everybody = self.everybody
            store.log = (store.log, Event(kind, me, (place, value), everybody, everybody))
            places[SCALARS][EVENTS] += 1
            return
        events.changed(self.witnesses, store, kind, me, place, value)

    def begun(
        self, store: Store, kind: str, me: Thing | None, verb: str, given: tuple[Value, ...]
    ) -> None:
        """Note that a verb begins or is finished; not in a trial."""
        events.begun(self.witnesses, store, kind, me, verb, given)
