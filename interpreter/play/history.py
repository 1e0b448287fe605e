"""What happened, in words: tells events in lines such as `ann moved Cinder from hand to circle`.

Every event knows who saw it when it happened (`events`). A reader who saw it all gets all; one who
only noticed something gets "a Code"; others get no line. A reader without a seat is told what all
seats know. What is named now may lie face down by now, so nothing here asks who sees a thing at
present.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.ir.answers_aloud import VALUE, heard
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.events import in_order_of
from rulewright.interpreter.state.log import Event, Log, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import EnumValue, PlaceValue, Thing, Value, VerbValue
from rulewright.interpreter.words.text import printable, times
from rulewright.interpreter.words.translation import Words

NESTING = ("begin", "finish")
PLAYER = "Player"
DEALT = 3
"""So many moves of one sort in a set-up are told in one line."""

LONG_RUN = 8
"""So many moves of one sort are told in one line."""


@attrs.frozen
class EventNarrator:
    """For whom events are told: a seat, or None for the public; and the state that names things."""

    program: Program
    store: Store
    seat: Thing | None
    _lines: dict[int, tuple[Event, str | None]] = attrs.field(
        factory=dict, init=False, eq=False, repr=False
    )
    """The lines of the events that have been told, by the ids of the events."""

    _repeating: dict[int, tuple[Log | None, frozenset[int]]] = attrs.field(
        factory=dict, init=False, eq=False, repr=False
    )
    """What repeats what is known (`_repeats`), of the log as it was."""

    def line(self, event: Event) -> str | None:
        """Return the line of an event; None if there is nothing to tell."""
        found = self._lines.get(id(event))
        if found is None:
            found = self._lines[id(event)] = event, self._line(event)
        return found[1]

    def _news(self, event: Event) -> str | None:
        """Return the line of an event that is worth a line: not where a field of the game or of a player is set to
        what the reader knows that it is."""
        if event.kind == "set" and id(event.data) in self._repeats():
            return None
        return self.line(event)

    def _repeats(self) -> frozenset[int]:
        """Return the ids of the data of the events that set something to what the reader knows that it is. What he
        has not seen changes nothing of it, or else he would learn of that by the line."""
        log, found = self._repeating.get(0, (None, frozenset()))
        if log is not self.store.log:
            found = frozenset(self._found_repeats())
            self._repeating[0] = self.store.log, found
        return found

    def _found_repeats(self) -> Iterator[int]:
        known: dict[PlaceValue, Value] = {}
        for event in reversed([*latest_first(self.store.log)]):
            match event.kind, event.data:
                case "set", (PlaceValue() as place, given) if self._is_plain(place):
                    if self._are_among(event.seers):
                        if place in known and known[place] == given:
                            yield id(event.data)
                        known[place] = given
                    elif self._are_among(event.counters):
                        known.pop(place, None)
                case "add" | "remove" | "swap", data if self.is_noticed(event):
                    for one in data:
                        if isinstance(one, PlaceValue):
                            known.pop(one, None)

    def _is_plain(self, place: PlaceValue) -> bool:
        """Return whether a place is one field of the game or of a player. Which one of several things it is that has
        a field may have been lost sight of; entries of a family change with it and without it."""
        own = place.holder is None or place.holder.kind == PLAYER
        return own and not isinstance(self.program.layout.fields[place.slot].type, types.FamilyType)

    def is_noticed(self, event: Event) -> bool:
        """Return whether the reader notices an event at all."""
        return self._are_among(event.seers) or self._are_among(event.counters)

    def _line(self, event: Event) -> str | None:
        seen = self._are_among(event.seers)
        if not seen and not self._are_among(event.counters):
            return None
        known = things_in(event.data) if seen else ()
        with self.program.evaluator.visibility.told(known):
            told = self._told(event, seen)
        return None if told is None else printable(told)

    def _are_among(self, numbers: frozenset[int]) -> bool:
        if self.seat is not None:
            return self.seat.number in numbers
        return self.program.witnesses.everybody <= numbers

    def lines(self, events: Iterable[Event], *, briefly: bool = False) -> Iterator[str]:
        """Yield the lines of events; what happens inside a verb is indented. `briefly`: where many
        things go from one place to many others, that is one line."""
        for depth, _, line in self.told(events, briefly=briefly):
            yield "  " * depth + line

    def told(
        self, events: Iterable[Event], *, briefly: bool = False, start: int = 0
    ) -> Iterator[tuple[int, Event, str]]:
        """Yield the events that are told, each with how many verbs it happens inside, and its line; the
        first of them happens inside `start`."""
        depth = start
        for event in self._in_runs(events) if briefly else events:
            if event.kind == "finish":
                depth = max(0, depth - 1)
                continue
            line = self._news(event)
            if line is not None:
                yield depth, event, line
            if event.kind == "begin":
                depth += 1

    def with_answers(
        self, events: Sequence[Event], first: int, answers: Iterable[Answer]
    ) -> Iterator[Event]:
        """Yield events, the first of which has this number, and between them what others have answered
        aloud, each as an event `answer`: values only where nothing else tells that they were chosen."""
        left = list(answers)
        # Each of several who act at once begins to count where all of them began: no event comes twice.
        furthest = accumulate((max(one.events - first, 0) for one in left), max)
        places = [min(place, len(events)) for place in furthest]
        yield from events[: places[0]] if left else events
        for number, (answer, start) in enumerate(zip(left, places, strict=True), 1):
            end = places[number] if number < len(places) else len(events)
            spoken = self._spoken(answer, events[start:end])
            if spoken is not None:
                yield spoken
            yield from events[start:end]

    def _spoken(self, answer: Answer, following: Iterable[Event]) -> Event | None:
        """Return an answer as an event, if the reader hears it from somebody else and nothing that
        follows says the same."""
        what = heard(self.program.game, answer.site, answer.value)
        if not what or answer.player is None:
            return None
        player = self.program.layout.players[answer.player]
        if player is self.seat:
            return None
        told = Event("answer", player, (answer.label,), self.program.witnesses.everybody)
        lines = [self._news(one) for one in following if one.kind != "finish"]
        if what == VALUE:
            return told if not any(lines) else None
        return told if self.line(told) not in lines[:1] else None

    def dealt(self, events: Iterable[Event]) -> list[Event]:
        """Return the events of a set-up, briefly: things that go from one sort of zone to another are one
        event, whoever they go to, and a pile that is shuffled more than once has been shuffled."""
        groups: dict[Hashable, list[Event]] = {}
        for event in events:
            if event.kind in NESTING or self._news(event) is not None:
                key = _sort_of_deal(event)
                groups.setdefault(object() if key is None else key, []).append(event)
        return [one for group in groups.values() for one in self._dealt(group)]

    def _dealt(self, group: list[Event]) -> Iterator[Event]:
        first = group[0]
        if first.kind == "shuffle":
            yield first
            return
        if len(group) < DEALT:
            yield from group
            return
        moved = [
            (thing, source, target)
            for things, source, target in (event.data for event in group)
            for thing in things
        ]
        data = tuple(zip(*moved, strict=True))
        seers = frozenset.intersection(*(event.seers for event in group))
        strangers = frozenset[int]().union(*(event.strangers for event in group))
        yield first._replace(kind="spread", actor=None, data=data, seers=seers, strangers=strangers)

    def _in_runs(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield events; long runs of moves that differ in what goes where alone as one `spread`."""
        told = (one for one in events if one.kind in NESTING or self._news(one) is not None)
        for key, run in groupby(told, _sort_of_move):
            same = tuple(run)
            if key is None or len(same) < LONG_RUN:
                yield from same
                continue
            things, sources, targets = zip(*(event.data for event in same), strict=True)
            if len(set(sources)) == len(set(targets)) == 1:
                yield from same
                continue
            data = (tuple(one for (one,) in things), sources, targets)
            yield same[0]._replace(kind="spread", data=data)

    # ------------------------------------------------------------------------------------- kinds

    def _told(self, event: Event, seen: bool) -> str | None:
        value = self.value if seen else self.hidden
        words = self.words
        match event.kind, event.data:
            case "move", (things, source, target):
                return self._move(event, seen, things, source, target)
            case "spread", (things, sources, targets):
                return self._spread(event, things, sources, targets)
            case "create", (things, target):
                return self._come(event, seen, things, target)
            case "destroy", (things, source):
                return self._leave(event, seen, things, source)
            case "set", (place, given):
                told = self._of_place(place, given) if seen else value(given)
                return words("{place} is now {what}", place=self.place(place, seen=seen), what=told)
            case "add", (place, given) if isinstance(given, int) and not isinstance(given, bool):
                # No verb: `tokens` would go up, a `score` goes up.
                text = "{place}: +{number}" if given >= 0 else "{place}: -{number}"
                where = self.place(place, seen=seen)
                return words(text, place=where, number=abs(given)) if given else None
            case "add", (place, given):
                where = self.place(place, seen=seen)
                return words("{what} is added to {place}", what=value(given), place=where)
            case "remove", (place, given):
                where = self.place(place, seen=seen)
                return words("{what} is removed from {place}", what=value(given), place=where)
            case "swap", (first, second):
                names = self.place(first, seen=seen), self.place(second, seen=seen)
                return words("{place} and {other} are exchanged", place=names[0], other=names[1])
            case "shuffle", (place,):
                return words("{place} is shuffled", place=self.place(place, seen=seen))
            case "chance", (asked, outcome):
                # Of what was asked only the text of the rules is there, which is nothing to read.
                return words("chance: {what}", what=value(outcome)) if asked else None
            case "show", (given, viewers, *whence):
                told = self._show(event, seen, given, viewers)
                return told + self._whence(event, *whence) if seen and whence else told
            case "begin", (str(verb), arguments):
                told = self._verb(verb, arguments if seen else (), event.actor)
                return f"{self._actor(event)}: {told}"
            case "answer", (str(label),):
                return f"{self._actor(event)}: {words.filled(label)}"
            case "end", (reason,):
                return words("the game ends: {reason}", reason=self.value(reason))
        return None

    @property
    def words(self) -> Words:
        """The language in which it is told."""
        return self.program.evaluator.words

    def _actor(self, event: Event) -> str:
        return self.words("all") if event.actor is None else self.value(event.actor)

    def _move(
        self,
        event: Event,
        seen: bool,
        things: tuple[Thing, ...],
        source: PlaceValue | None,
        target: PlaceValue,
    ) -> str | None:
        if not things:
            return None
        what = self.value(things) if seen else _some(things, self.words)
        familiar = self._knows_places(event)
        if event.actor is not None:
            text = "{who} moves {what} from {source} to {target}"
            text = "{who} moves {what} to {target}" if source is None else text
        elif len(things) == 1:
            text = "{what} goes from {source} to {target}"
            text = "{what} goes to {target}" if source is None else text
        else:
            text = "{what} go from {source} to {target}"
            text = "{what} go to {target}" if source is None else text
        return self.words(
            text,
            who=self._actor(event),
            what=what,
            source=None if source is None else self.place(source, event.actor, familiar),
            target=self.place(target, event.actor, familiar),
        )

    def _spread(
        self,
        event: Event,
        things: tuple[Thing, ...],
        sources: tuple[PlaceValue, ...],
        targets: tuple[PlaceValue, ...],
    ) -> str:
        text = "{what} go from {source} to {target}"
        return self.words(
            text if event.actor is None else "{who} moves {what} from {source} to {target}",
            who=self._actor(event),
            what=self._alike(event, things) or _some(things, self.words),
            source=self._places(event, sources),
            target=self._places(event, targets),
        )

    def _alike(self, event: Event, things: tuple[Thing, ...]) -> str:
        """Return things that the reader sees and that have one name; nothing of others."""
        if not self._are_among(event.seers):
            return ""
        names = {self.value(thing) for thing in things}
        return times(names.pop(), len(things)) if len(names) == 1 else ""

    def _places(self, event: Event, places: tuple[PlaceValue, ...]) -> str:
        """Return one place, or several of one sort, in words."""
        if len(set(places)) == 1:
            return self.place(places[0], event.actor, self._knows_places(event))
        field = self.program.layout.fields[places[0].slot]
        holders = {one.holder: one.holder for one in places if one.holder is not None}
        place = self.words.name(labels.in_words(field.name))
        if holders.keys() == set(self.program.layout.players):
            return self.words("{place} of all players", place=place)
        some = _some(tuple(holders), self.words)
        return self.words("{place} of {holder}", place=place, holder=some)

    def _knows_places(self, event: Event) -> bool:
        strange = event.strangers
        return not strange if self.seat is None else self.seat.number not in strange

    def _come(self, event: Event, seen: bool, things: tuple[Thing, ...], target: PlaceValue) -> str:
        what = self.value(things) if seen else _some(things, self.words)
        where = self.place(target, event.actor, self._knows_places(event))
        if event.actor is None:
            return self.words("{what} comes into the game: {place}", what=what, place=where)
        text = "{who} creates {what}: {place}"
        return self.words(text, who=self._actor(event), what=what, place=where)

    def _leave(
        self, event: Event, seen: bool, things: tuple[Thing, ...], source: PlaceValue | None
    ) -> str:
        what = self.value(things) if seen else _some(things, self.words)
        if event.actor is not None:
            text = "{who} destroys {what}: {place}"
            text = "{who} destroys {what}" if source is None else text
        elif len(things) == 1:
            text = "{what} leaves the game: {place}"
            text = "{what} leaves the game" if source is None else text
        else:
            text = "{what} leave the game: {place}"
            text = "{what} leave the game" if source is None else text
        place = None
        if source is not None:
            place = self.place(source, event.actor, self._knows_places(event))
        return self.words(text, who=self._actor(event), what=what, place=place)

    def _show(self, event: Event, seen: bool, value: Value, viewers: tuple[Thing, ...]) -> str:
        words = self.words
        if seen and isinstance(value, str):
            return words.filled(value)
        what = self.value(value) if seen else words("something")
        everybody = len(viewers) >= len(self.program.layout.players)
        to = words("all") if everybody else self.value(viewers)
        if event.actor is None:
            return words("{what} is shown to {whom}", what=what, whom=to)
        return words("{who} shows {what} to {whom}", who=self._actor(event), what=what, whom=to)

    def _whence(self, event: Event, row: PlaceValue, numbers: tuple[int, ...]) -> str:
        """Return which ones of a row are shown."""
        text = (
            ": number {number} of {place}" if len(numbers) == 1 else ": numbers {number} of {place}"
        )
        listed = ", ".join(map(str, numbers))
        return self.words(text, number=listed, place=self.place(row, event.actor))

    def verb(self, event: Event) -> str:
        """Return the verb that begins, in the words in which it may have been chosen."""
        return self._verb(event.data[0], event.data[1], event.actor)

    def verb_name(self, id: str) -> str:
        """Return the label of a verb, or its name."""
        return self._verb(id, (), self.seat)

    def _verb(self, verb: str, arguments: tuple[Value, ...], actor: Thing | None) -> str:
        carried = VerbValue(self.program.game.verbs[verb].name, (verb,), arguments)
        return labels.show(carried, self.seat or actor, self.store, self.program.evaluator)

    # ------------------------------------------------------------------------------------- values

    def value(self, value: Value) -> str:
        """Return a value that the reader has seen, in words."""
        match value:
            case Thing():
                return labels.named(value, self.seat, self.store, self.program.evaluator)
            case tuple():
                named = groupby(self.value(item) for item in value)
                listed = (times(name, sum(1 for _ in same)) for name, same in named)
                return ", ".join(listed) or self.words("nothing")
        return labels.show(value, self.seat, self.store, self.program.evaluator)

    def _of_place(self, place: PlaceValue, value: Value) -> str:
        """Return the value of a field; a family tells its entries."""
        field = self.program.layout.fields[place.slot]
        if isinstance(field.type, types.FamilyType) and place.key_index is None:
            keys = self.program.layout.keys(field.type.key)
            pairs = zip(keys, value, strict=True)
            return ", ".join(f"{self.value(key)} {self.value(entry)}" for key, entry in pairs)
        return self.value(value)

    def hidden(self, value: Value) -> str:
        """Return a value of which the reader must not learn which things it speaks of."""
        match value:
            case Thing() if value.kind != PLAYER:
                return labels.one_of(value.kind, self.words)
            case tuple():
                return ", ".join(self.hidden(item) for item in value) or self.words("nothing")
            case PlaceValue():
                return self.place(value, seen=False)
            case VerbValue():
                return self.words.name(labels.in_words(value.name))
        return self.value(value)

    def place(self, place: PlaceValue, actor: Thing | None = None, seen: bool = True) -> str:
        """Return a place in words: `hand of ann`, or `hand` alone if it is the actor's own."""
        value = self.value if seen else self.hidden
        field = self.program.layout.fields[place.slot]
        name = self.words.name(labels.in_words(field.name))
        if isinstance(field.type, types.FamilyType) and place.key_index is not None:
            key: Thing | EnumValue = self.program.layout.keys(field.type.key)[place.key_index]
            if place.holder is None:
                return self.words("{place} of {holder}", place=name, holder=value(key))
            name += f" ({value(key)})"
        if place.holder is None or place.holder is actor:
            return name
        return self.words("{place} of {holder}", place=name, holder=value(place.holder))


def _sort_of_deal(event: Event) -> Hashable:
    """Return what is the same in all moves of a deal, and in the shuffles of a pile; None of others."""
    match event.kind, event.data:
        case "shuffle", (place,):
            return "shuffle", place
        case "move", ((first, *_), PlaceValue() as source, target):
            return first.kind, source.slot, target.slot
    return None


def _sort_of_move(event: Event) -> Hashable:
    """Return what is the same in all moves of a run; None of an event that is never in one."""
    if event.kind != "move":
        return None
    things, source, target = event.data
    if source is None or len(things) != 1:
        return None
    holders = [one.holder and one.holder.kind for one in (source, target)]
    where = source.slot, target.slot, *holders, things[0].kind
    return event.actor, where, event.seers, event.counters, event.strangers


def _some(things: tuple[Thing, ...], words: Words) -> str:
    """Return how many things of a kind, without saying which."""
    if len(things) == 1:
        return labels.one_of(things[0].kind, words)
    return f"{len(things)} x {words.name(labels.in_words(things[0].kind))}"


def events_since(store: Store, number: int, seat: Thing | None = None) -> list[Event]:
    """Return the events of a store but for the first `number`, as far back as its log goes, in the
    order in which a seat has learned of them."""
    wanted = store.count_events() - number
    found: list[Event] = []
    least = wanted
    # Where the log ends it was left out when the state was packed.
    for event in latest_first(store.log):
        if len(found) >= least:
            break
        found.append(event)
        if event.kind == "join":
            # The seat has learned of them in another order than they stand here.
            least = max(least, len(found) + sum(event.data[1]))
    return in_order_of(found[::-1], seat)[max(len(found) - wanted, 0) :]
