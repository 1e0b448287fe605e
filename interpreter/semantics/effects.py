"""Effects: what `set`, `add`, `remove`, `swap`, `move`, `shuffle` and `show` do to a store.

Everything is worked out before anything is written, so that an expression that meets undecided
cards leaves the store as it was and the whole step can be done again.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.ir.machine import CHANCE, Op, Run
from rulewright.interpreter.semantics import events
from rulewright.interpreter.semantics.closures import (
    PlaceCode,
    list_too_long,
    nothing_there,
    number_too_large,
    tick_bulk,
)
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.events import ChanceStop, draw_many, left_of
from rulewright.interpreter.semantics.fields import RangeCheck, Start
from rulewright.interpreter.semantics.lifetime import by_place, check_there, leave, maker, zones_of
from rulewright.interpreter.semantics.places import contents
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value


class EffectCompiler:
    """Compiles the effects of one loaded game."""

    def __init__(self, evaluator: Evaluator, witnesses: events.Witnesses) -> None:
        self.evaluator = evaluator
        self.layout = evaluator.layout
        self.witnesses = witnesses
        self.ranges: dict[int, RangeCheck] = {}
        for slot, field in self.layout.fields.items():
            check = None if field.printed else evaluator.range_check(field.id)
            if check is not None:
                self.ranges[slot] = check
        destructible = evaluator.game.destroyed
        self.destructible = frozenset(
            slot for slot, field in self.layout.fields.items() if field.holder in destructible
        )
        """The columns of what belongs to things that may leave the game."""

    def compile(self, op: Op, following: int) -> Run:
        """Return the handler of an effect."""
        place = self.evaluator.place
        step = op.step
        match step:
            case model.Set():
                return self._set(step, place(step.place), following)
            case model.Add():
                return self._add(step, place(step.place), following)
            case model.Remove():
                return self._remove(step, place(step.place), following)
            case model.Swap():
                return self._swap(step, place(step.first), place(step.second), following)
            case model.Move(things=None, zone=zone):
                assert zone is not None, "nothing to move"
                return self._move_zone(step, place(zone), place(step.to), following)
            case model.Move():
                return self._move(step, place(step.to), following)
            case model.Shuffle():
                return self._shuffle(op, place(step.zone), following)
            case model.Create():
                return self._create(step, place(step.to), following)
            case model.Destroy():
                return self._destroy(step, following)
            case model.Show():
                return self._show(step, following)
        raise TypeError(f"{type(step).__name__} is no effect")

    # ------------------------------------------------------------------------------------------ fields

    def write(self, store: Store, place: PlaceValue, value: Value, span: Span) -> None:
        """Write a value to a field or an entry of a family; its range must hold."""
        slot = place.slot
        if slot in self.destructible:
            check_there(store, place.holder, span)
        check = self.ranges.get(slot)
        if check is not None:
            check(store, place.holder, value, span)
        key = place.key_index
        if key is None:
            store.write(slot, place.index, value)
        else:
            family = store.columns[slot][place.index]
            store.write(slot, place.index, (*family[:key], value, *family[key + 1 :]))

    def _set(self, step: model.Set, place: PlaceCode, following: int) -> Run:
        code = self.evaluator.expression(step.value)
        keys = 0
        if step.whole_family and isinstance(step.place.type, types.FamilyType):
            keys = len(self.layout.keys(step.place.type.key))
        write, witnesses, span = self.write, self.witnesses, step.span

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            value = code(store, me, frame.locals)
            if keys:
                value = (value,) * keys
            where = place(store, me, frame.locals)
            write(store, where, value, span)
            if store.trail is None:
                events.changed(witnesses, store, "set", me, where, value)
            return following

        return run

    def _add(self, step: model.Add, place: PlaceCode, following: int) -> Run:
        code = self.evaluator.expression(step.value)
        write, read, witnesses, span = self.write, contents, self.witnesses, step.span
        append = step.append
        joins = append and types.fits(step.value.type, step.place.type)
        internal = isinstance(step.place, model.FieldPlace) and (
            self.layout.game.fields[step.place.field].internal
        )

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            value = code(store, me, frame.locals)
            where = place(store, me, frame.locals)
            old = read(store, where)
            if append:
                new = (*old, *value) if joins else (*old, value)
                tick_bulk(store, len(new), span)
                if len(new) > LONGEST_LIST:
                    raise list_too_long(span)
            else:
                if old is None:
                    raise nothing_there(step.place)
                new = old + value
                if not -LARGEST_NUMBER <= new <= LARGEST_NUMBER:
                    raise number_too_large(span)
            write(store, where, new, span)
            if store.trail is None and not internal:
                events.changed(witnesses, store, "add", me, where, value)
            return following

        return run

    def _remove(self, step: model.Remove, place: PlaceCode, following: int) -> Run:
        code = self.evaluator.expression(step.value)
        write, read, witnesses, span = self.write, contents, self.witnesses, step.span

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            value = code(store, me, frame.locals)
            where = place(store, me, frame.locals)
            old = read(store, where)
            tick_bulk(store, len(old), span)
            if value in old:
                at = old.index(value)
                write(store, where, (*old[:at], *old[at + 1 :]), span)
                if store.trail is None:
                    events.changed(witnesses, store, "remove", me, where, value)
            return following

        return run

    def _swap(self, step: model.Swap, first: PlaceCode, second: PlaceCode, following: int) -> Run:
        write, read, witnesses, span = self.write, contents, self.witnesses, step.span
        zones = isinstance(step.first.type, types.ZoneType)

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            one = first(store, me, frame.locals)
            other = second(store, me, frame.locals)
            if one == other:
                return following
            if zones:
                self._swap_zones(store, one, other, span)
            else:
                mine = read(store, one)
                write(store, one, read(store, other), span)
                write(store, other, mine, span)
            if store.trail is None:
                events.swapped(witnesses, store, me, one, other)
            return following

        return run

    # ----------------------------------------------------------------------- what comes and what leaves

    def _create(self, step: model.Create, target: PlaceCode, following: int) -> Run:
        work_out = maker(self.evaluator, step.kind, step.cells, step.span)
        starts = self._zone_starts(step.kind)
        witnesses, span = self.witnesses, step.span

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            make = work_out(store, me, frame.locals)
            goal = target(store, me, frame.locals)
            goal = self.layout.places[goal.slot][goal.index]
            if goal.slot in self.destructible:
                check_there(store, goal.holder, span)
            zone = store.columns[goal.slot][goal.index]
            self._check_room(goal, len(zone) + 1, span)
            thing = make(me)
            store.write(goal.slot, goal.index, (*zone, thing))
            self._settle_in(store, (thing,), goal)
            if store.trail is None:
                events.created(witnesses, store, me, thing, goal)
            for slot, start in starts:
                things = start(store, thing)
                if things:
                    self.put(store, me, things, self.layout.places[slot][thing.number], span)
            return following

        return run

    def _zone_starts(self, kind: str) -> list[tuple[int, Start]]:
        return [
            (slot, self.evaluator.start(field.id))
            for slot, field in self.layout.fields.items()
            if field.holder == kind and isinstance(field.type, types.ZoneType)
            if field.default is not None
        ]

    def _destroy(self, step: model.Destroy, following: int) -> Run:
        code = self.evaluator.unordered(step.things)
        span, things_span, witnesses = step.span, step.things.span, self.witnesses

        def run(store: Store, frame: Frame) -> int:
            things = code(store, frame.me, frame.locals)
            if None in things:
                raise PlayError("RW706", things_span, name=things_span.text)
            groups = by_place(store, things, things_span)
            seen = {place: witnesses.seers(store, place) for place in groups}
            told = [
                events.destroyed(witnesses, store, frame.me, tuple(group), place)
                for place, group in groups.items()
                if store.trail is None
            ]
            for place, group in groups.items():
                if place is not None:
                    self._take(store, place, group)
            for place, group in groups.items():
                seers = sum(1 << number for number in seen[place])
                zones = zones_of(self.evaluator, group[0].kind)
                leave(store, group, seers, zones, span)
            for event in told:
                store.append_event(event)
            return following

        return run

    # ------------------------------------------------------------------------------------------- zones

    def _swap_zones(self, store: Store, one: PlaceValue, other: PlaceValue, span: Span) -> None:
        for place in (one, other):
            if place.slot in self.destructible:
                check_there(store, place.holder, span)
        viewer = store.viewer
        if viewer is not None and self.evaluator.sees(
            store, one, viewer
        ) is not self.evaluator.sees(store, other, viewer):
            store.meet_hidden()
        bags = self.layout.bag_slots
        both_piles = one.slot in bags and other.slot in bags
        held = []
        for place, target in ((one, other), (other, one)):
            cards = store.columns[place.slot][place.index]
            undecided = self._bag(store, place)
            if undecided > 1 and not both_piles and not self._unordered(target):
                raise Undecided(place.slot, place.index, undecided)
            held.append((cards, undecided))
        for place, (cards, undecided) in zip((other, one), held, strict=True):
            self._check_room(place, len(cards), span)
            store.write(place.slot, place.index, cards)
            if place.slot in bags:
                store.write(bags[place.slot], place.index, undecided if both_piles else 0)
            self._settle_in(store, cards, place)

    def _move_zone(
        self, step: model.Move, source: PlaceCode, target: PlaceCode, following: int
    ) -> Run:
        bags, span = self.layout.bag_slots, step.span

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            start = source(store, me, frame.locals)
            goal = target(store, me, frame.locals)
            things = store.columns[start.slot][start.index]
            if not things or start == goal:
                return following
            undecided = self._bag(store, start)
            if undecided > 1 and not self._unordered(goal):
                # A whole shuffled pile stays a bag only if nothing lies below it.
                if goal.slot not in bags or store.columns[goal.slot][goal.index]:
                    raise Undecided(start.slot, start.index, undecided)
                self.put(store, me, things, goal, span)
                store.write(bags[goal.slot], goal.index, undecided)
            else:
                self.put(store, me, things, goal, span)
            return following

        return run

    def _move(self, step: model.Move, target: PlaceCode, following: int) -> Run:
        assert step.things is not None, "nothing to move"
        code = self.evaluator.expression(step.things)
        span, things_span = step.span, step.things.span

        def run(store: Store, frame: Frame) -> int:
            me = frame.me
            things = code(store, me, frame.locals)
            if not isinstance(things, tuple):
                things = (things,)
            if None in things:
                raise PlayError("RW706", things_span, name=things_span.text)
            goal = target(store, me, frame.locals)
            if things:
                self.put(store, me, things, goal, span)
            return following

        return run

    def put(
        self,
        store: Store,
        me: Thing | None,
        things: tuple[Thing, ...],
        goal: PlaceValue,
        span: Span,
    ) -> None:
        """Take things from wherever they are and lay them into a zone, the last on top."""
        columns = store.columns
        if goal.slot in self.destructible:
            check_there(store, goal.holder, span)
        groups = by_place(store, things, span)
        viewer = store.viewer
        if viewer is not None and self.evaluator.sees(store, goal, viewer):
            for place in groups:
                if place is not None and not self.evaluator.sees(store, place, viewer):
                    store.meet_hidden()
                    break
        told = store.trail is None
        witnesses = self.witnesses
        before = [(place, witnesses.seers(store, place)) for place in groups] if told else []
        for place, group in groups.items():
            if place is not None:
                self._take(store, place, group)
        zone = columns[goal.slot][goal.index]
        new = (*zone, *dict.fromkeys(things))
        self._check_room(goal, len(new), span)
        store.write(goal.slot, goal.index, new)
        self._settle_in(store, things, goal)
        for place, seers in before:
            group = groups[place]
            events.moved(witnesses, store, me, tuple(group), place, seers, goal)

    def _take(self, store: Store, place: PlaceValue, group: list[Thing]) -> None:
        zone = store.columns[place.slot][place.index]
        undecided = self._bag(store, place)
        if len(group) == 1 and zone[-1] is group[0]:
            rest = zone[:-1]
        elif len(group) == len(zone):
            rest = ()
        else:
            leaving = set(group)
            rest = tuple(thing for thing in zone if thing not in leaving)
        if undecided:
            leaving = set(group)
            gone = sum(1 for thing in zone[:undecided] if thing in leaving)
            if gone:
                bag = self.layout.bag_slots[place.slot]
                store.write(bag, place.index, undecided - gone)
        store.write(place.slot, place.index, rest)

    def _settle_in(self, store: Store, things: tuple[Thing, ...], goal: PlaceValue) -> None:
        """Note where things lie now, and whose they are."""
        layout = self.layout
        # The one object for this place, so that places can be compared by identity.
        place = layout.places[goal.slot][goal.index]
        holder = place.holder
        owner = holder if holder is not None and holder.kind == "Player" else None
        for thing in things:
            store.write(layout.place_slots[thing.kind], thing.number, place)
            if owner is not None:
                store.write(layout.owner_slots[thing.kind], thing.number, owner)

    def _bag(self, store: Store, place: PlaceValue) -> int:
        bag = self.layout.bag_slots.get(place.slot)
        return 0 if bag is None else int(store.columns[bag][place.index])

    def _unordered(self, place: PlaceValue) -> bool:
        return place.slot in self.layout.unordered

    def _check_room(self, place: PlaceValue, count: int, span: Span) -> None:
        if count > 1:
            zone = self.layout.zone(place.slot)
            if zone is not None and zone.shape == "slot":
                raise PlayError("RW708", span, name=self.layout.fields[place.slot].name)

    def _shuffle(self, op: Op, place: PlaceCode, following: int) -> Run:
        witnesses, sees, layout = self.witnesses, self.evaluator.sees, self.layout
        key, destructible = f"#{op.node}", self.destructible

        def run(store: Store, frame: Frame) -> int:
            where = place(store, frame.me, frame.locals)
            if where.slot in destructible:
                check_there(store, where.holder, op.span)
            viewer = store.viewer
            if viewer is not None and sees(store, where, viewer):
                store.meet_hidden()
            elif store.trail is not None:
                # What lies where is nothing its player can know, before and after.
                return following
            if where.slot in layout.bag_slots:
                store.to_bag(where.slot, where.index)
            elif where.slot not in layout.unordered:
                # A row has no bag: its order is decided at once.
                things = store.columns[where.slot][where.index]
                try:
                    order = draw_many(store, frame, key, things, len(things))
                except ChanceStop:
                    frame.node = op.node
                    return CHANCE
                store.write(where.slot, where.index, order)
            if store.trail is None:
                events.shuffled(witnesses, store, frame.me, where)
            return following

        def outcomes(store: Store, frame: Frame) -> tuple[Value, ...]:
            where = place(store, frame.me, frame.locals)
            things = store.columns[where.slot][where.index]
            return tuple(left_of(things, frame.locals.get(key, ())))

        op.outcomes = outcomes
        return run

    def _show(self, step: model.Show, following: int) -> Run:
        code = self.evaluator.expression(step.value)
        viewers = self.evaluator.expression(step.viewers)
        witnesses = self.witnesses

        def run(store: Store, frame: Frame) -> int:
            # In a trial, too: to look at something hidden is a horizon.
            value = code(store, frame.me, frame.locals)
            shown = viewers(store, frame.me, frame.locals)
            if store.trail is None:
                to = shown if isinstance(shown, tuple) else (shown,)
                events.shown(witnesses, store, frame.me, value, to)
            return following

        return run
