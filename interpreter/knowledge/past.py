"""What has happened to the things that may lie hidden, with the eyes of one player.

Two passes over the log. Backwards: where everything lay at the beginning, and when the player saw each
thing for the last time. Forwards: what lies together at each moment, and what is mixed there (`mixing`).
Where several things lie and nobody can say which of them does something, those that lie there are mixed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

import attrs

from rulewright.interpreter.knowledge.attributes import Attributes
from rulewright.interpreter.knowledge.mixing import Group, Mixing
from rulewright.interpreter.knowledge.references import may_move, references
from rulewright.interpreter.knowledge.renaming import PLAYER, key_of, things_in
from rulewright.interpreter.knowledge.secret_locals import NOTHING, Unknown
from rulewright.interpreter.knowledge.sight import always_sees, tracked_kinds
from rulewright.interpreter.knowledge.sightings import held_to
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, PlaceValue, Thing, Value

Where = tuple[int, int]
"""A zone: its column and the index in it."""


def mixing_of(
    program: Program,
    store: Store,
    player: Thing,
    at: int | None = None,
    unknown: Unknown = NOTHING,
    hidden: Iterable[PlaceValue] = (),
) -> Mixing:
    """Return what was mixed for a player; the store is as he has it before him. What is drawn tells how
    it was before the event with the number `at`, too. Of `unknown` locals and `hidden` fields he does not
    know of what they speak: they mix nothing."""
    past = _Past(program, store, player, unknown, hidden)
    past.go_back()
    past.go_forward()
    return past.mixing(at)


class _Past:
    """Goes through what has happened, with the eyes of a player: backwards, then forwards."""

    def __init__(
        self,
        program: Program,
        store: Store,
        player: Thing,
        unknown: Unknown,
        hidden: Iterable[PlaceValue],
    ) -> None:
        self.unknown = unknown
        self.hidden = {(place.slot, place.index) for place in hidden}
        self.layout = layout = program.layout
        self.store = store
        self.number = player.number
        self.kinds = tracked_kinds(layout)
        self.events = list(store.events())
        self.end = len(self.events)
        kinds = self.kinds
        self.spoken = [
            [thing for thing in things_in(event.data) if thing.kind in kinds]
            for event in self.events
        ]
        """The things that may lie hidden of which each event speaks."""

        visibility = program.evaluator.visibility
        self.where: dict[Thing, Where | None] = {}
        self.inside: dict[Where, dict[Thing, None]] = {}
        self.seen: dict[Thing, int] = {}
        """When the player saw a thing for the last time: the number of the event."""

        self.sightings: dict[Thing, list[int]] = {}
        """All events at which he saw a thing, in their order."""

        for kind in sorted(self.kinds):
            column = store.columns[layout.place_slots[kind]]
            for thing in layout.things[kind][: len(column)]:
                place = column[thing.number]
                if place is None or place.slot == GONE:
                    self.where[thing] = None
                else:
                    self.where[thing] = where = place.slot, place.index
                    self.inside.setdefault(where, {})[thing] = None
                if place is None or visibility.sees(store, place, player):
                    self.seen[thing] = self.end
                    self.sightings[thing] = [self.end]
        self.open: dict[Where, bool | None] = {}
        """Whether the player sees what lies in a zone, if that is always so."""

        self.bags: dict[Where, set[Thing]] = {}
        self.settled: set[Where] = set()
        """Where all things were mixed that lie there unseen, and nothing has happened to them since, but that
        some have left."""

        self.marks: dict[Thing, dict[tuple[int, int | None], Value]] = {}
        self.course: dict[Thing, list[tuple[int, tuple[Value, ...]]]] = {}
        """What happened to each line: the numbers of the events, and what they did."""

        self.used: dict[Thing, list[int]] = {}
        self.pointed: dict[Thing, int] = {}
        """When a thing was written into a field for the last time."""

        self.attributes = Attributes(program, self.kinds)
        self.groups: list[Group] = []
        self.mixed_by: dict[Thing, Group] = {}
        self.marked = {
            kind: tuple(slot for slot in layout.slots_of(kind) if layout.zone(slot) is not None)
            for kind in self.kinds
        }

    # ---------------------------------------------------------------------------------- backwards

    def go_back(self) -> None:
        """Take everything back, and note when each thing was seen for the last time."""
        for number in range(self.end - 1, -1, -1):
            event = self.events[number]
            if self.number in event.seers:
                for thing in set(self._told(number, event)):
                    self.seen.setdefault(thing, number)
                    self.sightings.setdefault(thing, []).append(number)
            match event.kind, event.data:
                case "move", (things, source, _):
                    self._lay(things, source)
                case "create", (things, _):
                    self._lay(things, None)
                case "destroy", (things, source):
                    self._lay(things, source)
                case "swap", (first, second):
                    self._swap(first, second)
        for thing in self.where:
            self.attributes.begin(self.store, thing, self._holder(self.where[thing]))
        for found in self.sightings.values():
            found.reverse()

    def _told(self, number: int, event: Event) -> Iterator[Thing]:
        """Yield the things that who sees an event has seen."""
        if event.kind == "swap" and self.layout.zone(event.data[0].slot) is not None:
            for place in event.data:
                yield from self.inside.get((place.slot, place.index), ())
        yield from self.spoken[number]

    def _lay(self, things: Iterable[Thing], place: PlaceValue | None) -> None:
        where = None if place is None else (place.slot, place.index)
        for thing in things:
            if thing.kind in self.kinds:
                before = self.where[thing]
                if before is not None:
                    self.inside[before].pop(thing, None)
                self.where[thing] = where
                if where is not None:
                    self.inside.setdefault(where, {})[thing] = None
                    self.settled.discard(where)

    def _swap(self, first: PlaceValue, second: PlaceValue) -> None:
        if self.layout.zone(first.slot) is None:
            return
        one, other = (first.slot, first.index), (second.slot, second.index)
        mine, theirs = self.inside.pop(one, {}), self.inside.pop(other, {})
        self.inside[one], self.inside[other] = theirs, mine
        self.settled -= {one, other}
        for where in (one, other):
            for thing in self.inside[where]:
                self.where[thing] = where

    def _holder(self, where: Where | None) -> Thing | None:
        if where is None:
            return None
        holder = self.layout.places[where[0]][where[1]].holder
        return holder if holder is not None and holder.kind == PLAYER else None

    # ----------------------------------------------------------------------------------- forwards

    def go_forward(self) -> None:
        """Do everything once more, and note what is mixed."""
        for number, event in enumerate(self.events):
            if not self.spoken[number] and not may_move(event):
                continue
            match event.kind, event.data:
                case "move", (things, source, target):
                    self._move(number, event, things, source, target)
                case "create", (things, target):
                    self._lay(things, target)
                    self.attributes.own(
                        number, things, self._holder((target.slot, target.index)) or event.actor
                    )
                    self._note(number, things, ("create", *self._known(target)))
                case "destroy", (things, source):
                    self._mix_with(number, things)
                    self._lay(things, None)
                    self._note(number, things, ("destroy",))
                case "swap", (first, second):
                    self._swap(first, second)
                    self._swap_bags(first, second)
                    for place in (first, second):
                        where = place.slot, place.index
                        self.attributes.own(number, self.inside.get(where, ()), self._holder(where))
                case "shuffle", (place,):
                    self._shuffle(number, place)
                case "chance", ("", Thing() as card):
                    self._decide(number, card)
                case "set" | "add" | "remove", (place, value) if (
                    self.number not in event.counters and (place.slot, place.index) in self.hidden
                ):
                    # He does not know of what it speaks.
                    self._use(number, event, (place,))
                    for thing in self.spoken[number]:
                        self._unsettle(thing)
                    self.attributes.change(number, event.kind, place, value)
                case "set" | "add" | "remove", (place, value):
                    self._do(number, event, self.spoken[number], event.data)
                    for thing in self.spoken[number]:
                        self._unsettle(thing)
                    self.pointed.update(dict.fromkeys(things_in(value), number))
                    self._mark(event, place, value)
                    self.attributes.change(number, event.kind, place, value)
                case "begin" | "finish" | "show" | "chance", _:
                    self._do(number, event, self.spoken[number], event.data)
            if self.number in event.seers:
                # What he has seen by now is not mixed with what he has not.
                for thing in self._told(number, event):
                    self.mixed_by.pop(thing, None)
                    self._unsettle(thing)

    def _unsettle(self, thing: Thing) -> None:
        """Note that something has happened to a thing where it lies."""
        where = self.where.get(thing)
        if where is not None:
            self.settled.discard(where)

    def _move(
        self,
        number: int,
        event: Event,
        things: tuple[Thing, ...],
        source: PlaceValue | None,
        target: PlaceValue,
    ) -> None:
        self._mix_with(number, things)
        if len(self.spoken[number]) > len(things):
            # It lay on something that may be something else, or comes there.
            self._use(number, event, (source, target))
        start = None if source is None else (source.slot, source.index)
        goal = target.slot, target.index
        bag = self.bags.get(start, set()) if start is not None else set()
        whole = len(bag) > 1 and len(things) == len(self.inside.get(start or goal, ()))
        stays = whole and target.slot in self.layout.bag_slots and not self.inside.get(goal)
        moved = bag.intersection(things)
        bag -= moved
        self._lay(things, target)
        if stays:
            self.bags[goal] = moved
        ordered = target.slot not in self.layout.unordered and not stays
        for place, thing in enumerate(things):
            self._note(number, (thing,), ("move", *self._known(target), place if ordered else 0))
        self.attributes.own(number, things, self._holder(goal))

    def _swap_bags(self, first: PlaceValue, second: PlaceValue) -> None:
        one, other = (first.slot, first.index), (second.slot, second.index)
        mine, theirs = self.bags.pop(one, set()), self.bags.pop(other, set())
        if first.slot in self.layout.bag_slots and second.slot in self.layout.bag_slots:
            self.bags[one], self.bags[other] = theirs, mine

    def _shuffle(self, number: int, place: PlaceValue) -> None:
        where = place.slot, place.index
        if place.slot in self.layout.bag_slots:
            self.bags[where] = set(self.inside.get(where, ()))
            self.settled.discard(where)
        elif place.slot not in self.layout.unordered:
            self._mix(number, self.inside.get(where, ()))

    def _decide(self, number: int, card: Thing) -> None:
        if card.kind not in self.kinds:
            return
        where = self.where[card]
        bag = None if where is None else self.bags.get(where)
        if where is not None and bag is not None and card in bag:
            self._mix_all(number, where, bag)
            bag.discard(card)
            self._note(number, (card,), ("draw",))

    def _use(self, number: int, event: Event, what: tuple[Value, ...]) -> None:
        """Note that something is done with hidden things, and the player does not notice with which."""
        self._do(number, event, [one for one in things_in(what) if one.kind in self.kinds], what)

    def _do(
        self, number: int, event: Event, used: Iterable[Thing], what: tuple[Value, ...]
    ) -> None:
        used = [*used]
        used += [
            key for place in what for key in key_of(self.layout, place) if key.kind in self.kinds
        ]
        if not used:
            return
        self._mix_with(number, used)
        self._note(number, used, (event.kind,))
        for thing in used:
            self.used.setdefault(thing, []).append(number)

    def _mark(self, event: Event, place: PlaceValue, value: Value) -> None:
        """Note what the player has noticed of the marks on a thing that may lie hidden."""
        if self.number not in event.counters:
            return
        bearers = [place.holder] if place.holder is not None else []
        bearers += key_of(self.layout, place)
        plain = None if things_in(value) else value
        for bearer in bearers:
            if isinstance(bearer, Thing) and bearer.kind in self.kinds:
                other = None if bearer is place.holder else place.index
                marks = self.marks.setdefault(bearer, {})
                self._unsettle(bearer)
                before = marks.get((place.slot, other))
                if event.kind == "set":
                    after = plain
                elif isinstance(plain, int) and not isinstance(plain, bool):
                    after = (before if isinstance(before, int) else 0) + plain
                else:
                    after = (before, event.kind, plain)
                marks[place.slot, other] = after

    def _known(self, place: PlaceValue) -> tuple[int, int]:
        """Return a zone, as far as the player can tell which one it is."""
        holder = place.holder
        if holder is None or holder.kind not in self.kinds:
            return place.slot, place.index
        return place.slot, -1

    def _note(self, number: int, things: Iterable[Thing], done: tuple[Value, ...]) -> None:
        for thing in things:
            if thing.kind in self.kinds:
                self.course.setdefault(thing, []).append((number, done))

    def _mix_with(self, number: int, things: Iterable[Thing]) -> None:
        """Mix what lies with things of which the player does not know which of them it is."""
        done: set[Where] = set()
        for thing in things:
            if thing.kind not in self.kinds:
                continue
            where = self.where[thing]
            if where is None or where in done or self._knows(number, thing, where):
                continue
            if where[0] in self.layout.unordered:
                done.add(where)
                self._mix_all(number, where, self.inside[where])
            elif thing in self.bags.get(where, ()):
                done.add(where)
                self._mix_all(number, where, self.bags[where])

    def _mix_all(self, number: int, where: Where, things: Iterable[Thing]) -> None:
        """Mix what lies unseen in a zone without an order, or undecided in a pile."""
        if where in self.settled:
            return
        self._mix(number, things)
        # Where it hangs on the moment what is known, it is looked at each time.
        if self._is_open_once(where) is False and not any(
            thing in self.marks or self.marked[thing.kind] for thing in things
        ):
            self.settled.add(where)

    def _mix(self, number: int, things: Iterable[Thing]) -> None:
        apart: dict[Value, list[Thing]] = {}
        for thing in things:
            where = self.where[thing]
            if where is not None and not self._knows(number, thing, where):
                # Most things bear nothing.
                plain = thing not in self.marks and not self.marked[thing.kind]
                apart.setdefault(
                    (thing.kind, None if plain else self._bears(number, thing)), []
                ).append(thing)
        for _, lines in sorted(apart.items(), key=lambda one: repr(one[0])):
            if len(lines) < 2:
                continue
            last = self.mixed_by.get(lines[0])
            if last is not None and all(self.mixed_by.get(line) is last for line in lines):
                # The player may be told where a thing is to which a field refers.
                pointed = any(self.pointed.get(line, -1) >= last.time for line in lines)
                if pointed or self.attributes.are_the_same(lines, last.time):
                    continue
            group = Group(number, tuple(sorted(lines, key=_number)))
            self.groups.append(group)
            self.mixed_by.update(dict.fromkeys(lines, group))

    def _knows(self, number: int, thing: Thing, where: Where) -> bool:
        """Return whether the player sees a thing where it lies, before an event happens."""
        found = self._is_open_once(where)
        # Where that is not always so, he is taken to know it until he has seen it for the last time.
        return self.seen.get(thing, -1) >= number if found is None else found

    def _is_open_once(self, where: Where) -> bool | None:
        if where not in self.open:
            self.open[where] = always_sees(self.layout, *where, self.number)
        return self.open[where]

    def _bears(self, number: int, thing: Thing) -> Value:
        """Return what the player has noticed on a hidden thing."""
        found: list[Value] = []
        marks = self.marks.get(thing)
        if marks:
            found.append(tuple(sorted(marks.items(), key=repr)))
        for slot in self.marked[thing.kind]:
            on_it = self.inside.get((slot, thing.number))
            if on_it:
                known = sorted([one.number for one in on_it if self.seen.get(one, -1) >= number])
                found.append((slot, len(on_it), *known))
        return repr(found) if found else None

    # ---------------------------------------------------------------------------------- the result

    def mixing(self, at: int | None) -> Mixing:
        """Return the groups that make a difference, and when fields were written."""
        for depth, frame in enumerate(self.store.frames):
            if depth in self.unknown.clouded:
                continue
            known = {
                name: value
                for name, value in frame.locals.items()
                if (depth, name) not in self.unknown.held
                # Of what he was shown he knows which things they are, not where they lie.
                and name not in self.unknown.shown.get(depth, ())
            }
            self._mix_with(self.end, things_in(tuple(known.values())))
            for name, value in sorted(known.items()):
                for place, thing in enumerate(things_in(value)):
                    self._note(self.end, (thing,), ("local", depth, name, place))
        groups = held_to(self._needed(), self.sightings)
        mixed = {line for group in groups for line in group.lines}
        ordered = tuple([attrs.evolve(one, lines=self._numbered(one)) for one in groups])
        referring = tuple(
            sorted(
                references(self.layout, self.store.columns, self.events, mixed),
                key=lambda one: one[0],
            )
        )
        if at is not None and mixed:
            still = Group(at, tuple(sorted(mixed, key=_number)), still=True)
            ordered = (
                *[one for one in ordered if one.time < at],
                still,
                *[one for one in ordered if one.time >= at],
            )
        return self.attributes.mixing(ordered, mixed, self.end, referring)

    def _needed(self) -> list[Group]:
        """Leave out groups whose lines are all mixed again by one and the same later one, before
        anybody has done anything with one of them."""
        kept: list[Group] = []
        next_of: dict[Thing, Group] = {}
        for group in reversed(self.groups):
            following = next_of.get(group.lines[0])
            if (
                following is not None
                and all(next_of.get(line) is following for line in group.lines)
                and not any(
                    group.time <= noticed < following.time
                    for line in group.lines
                    for noticed in self._times(line)
                )
            ):
                continue
            kept.append(group)
            next_of.update(dict.fromkeys(group.lines, group))
        return kept[::-1]

    def _times(self, line: Thing) -> Iterator[int]:
        """Yield when something was done with a line, or it was seen."""
        yield from self.used.get(line, ())
        yield from self.sightings.get(line, ())
        yield from self.attributes.times(line)

    def _numbered(self, group: Group) -> tuple[Thing, ...]:
        return tuple(sorted(group.lines, key=lambda line: self._later(line, group.time)))

    def _later(self, line: Thing, time: int) -> tuple[Value, ...]:
        """Return what becomes of a line from an event on."""
        course = self.course.get(line, [])
        later = course[bisect_left(course, time, key=lambda one: one[0]) :]
        return (*[(number, repr(done)) for number, done in later], (self.end, self._lies(line)))

    def _lies(self, line: Thing) -> str:
        place = self.store.columns[self.layout.place_slots[line.kind]][line.number]
        if place is None or place.slot == GONE:
            return ""
        at = 0
        if place.slot not in self.layout.unordered and line not in self.bags.get(
            (place.slot, place.index), ()
        ):
            at = self.store.columns[place.slot][place.index].index(line)
        return repr((*self._known(place), at))


def _number(thing: Thing) -> int:
    return thing.number
