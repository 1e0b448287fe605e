"""Events: what happened, and who may know it, settled at the moment it happens.

Later nobody could tell: a card that was moved openly may lie face down by then. So each event
carries the numbers of the players who see all of it (*seers*) and of those who notice that
something of the kind happened (*counters*): a card moved from ann's hand to the discards.

| kind | data |
| --- | --- |
| `move` | things, place they come from (or none), place they go to |
| `create` | things, place they come to |
| `destroy` | things, place they come from (or none) |
| `set` `add` `remove` | place, value |
| `swap` | first place, second place |
| `shuffle` | place |
| `chance` | what was asked (rule text), outcome |
| `show` | value, players it is shown to; of hidden things in a row also the row and their numbers there |
| `begin` `finish` | verb, arguments |
| `end` | reason |
| `join` | players who acted at once, how many of the events before are theirs |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.dsl.model import types
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.labels import number_in_row
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.log import NOBODY, Event, Numbers
from rulewright.interpreter.state.random import below
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

OWN = frozenset({"owner", "nobody"})


class Witnesses:
    """Finds out who sees what, for the events of one loaded game."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.players = evaluator.layout.players
        self.everybody: Numbers = frozenset(player.number for player in self.players)
        self._open = {
            slot
            for slot, field in evaluator.layout.fields.items()
            if field.printed or field.viewers.who == "everybody"
        }
        self._fixed = {
            slot: tuple(
                frozenset({one.number}) & self.everybody if field.viewers.who == "owner" else NOBODY
                for one in evaluator.layout.things["Player"]
            )
            for slot, field in evaluator.layout.fields.items()
            if not field.printed and field.holder == "Player" and field.viewers.who in OWN
        }
        """Who sees the fields of players that only they see, or nobody."""

        self.hidden_rows = {
            slot
            for slot, field in evaluator.layout.fields.items()
            if isinstance(field.type, types.ZoneType)
            and field.type.shape == "row"
            and slot not in self._open
        }
        """The rows whose things not everybody sees."""

        self._counted = {
            slot
            for slot, field in evaluator.layout.fields.items()
            if field.printed or field.count_viewers.who == "everybody"
        }

    def seers(self, store: Store, place: PlaceValue | None) -> Numbers:
        """Return who sees the content of a place; what lies nowhere is seen by all."""
        if place is None or place.slot in self._open:
            return self.everybody
        fixed = self._fixed.get(place.slot)
        if fixed is not None:
            return fixed[place.index]
        sees = self.evaluator.sees
        return frozenset(seat.number for seat in self.players if sees(store, place, seat))

    def counters(self, store: Store, place: PlaceValue | None) -> Numbers:
        """Return who knows how many things lie in a zone."""
        if place is None or place.slot in self._counted:
            return self.everybody
        sees = self.evaluator.sees_count
        return frozenset(seat.number for seat in self.players if sees(store, place, seat))

    def of_values(self, store: Store, values: Iterable[Value]) -> Numbers:
        """Return who sees all the values: things where they lie, what a place holds and whose it
        is; anything else is known."""
        found = self.everybody
        for value in values:
            if isinstance(value, tuple):
                found &= self.of_values(store, value)
            elif isinstance(value, PlaceValue):
                found &= self.seers(store, value)
                if value.holder is not None or value.key_index is not None:
                    found &= self.of_values(store, (value.holder, self._key(value)))
            elif isinstance(value, Thing) and value.kind != "Player":
                sees = self.evaluator.sees_thing
                found &= {seat.number for seat in self.players if sees(store, value, seat)}
        return found

    def whence(self, store: Store, value: Value) -> tuple[()] | tuple[PlaceValue, tuple[int, ...]]:
        """Return from which row hidden things are shown, and their numbers in it; nothing of other
        values, and where not everybody can tell the places of the row apart."""
        things = value if isinstance(value, tuple) else (value,)
        if not self.hidden_rows or not things:
            return ()
        layout = self.evaluator.layout
        places: set[PlaceValue | None] = set()
        numbers = []
        for thing in things:
            if not isinstance(thing, Thing):
                return ()
            places.add(store.columns[layout.place_slots[thing.kind]][thing.number])
            numbers.append(number_in_row(store, layout, thing) or 0)
        place = places.pop()
        if places or place is None or place.slot not in self.hidden_rows:
            return ()
        known = self.counters(store, place) & self.of_values(store, (place.holder,))
        return (place, tuple(numbers)) if known == self.everybody else ()

    def _key(self, place: PlaceValue) -> Value:
        """Return the key of an entry of a family."""
        layout = self.evaluator.layout
        kind = layout.fields[place.slot].type
        if place.key_index is None or not isinstance(kind, types.FamilyType):
            return None
        return layout.keys(kind.key)[place.key_index]


def moved(
    witnesses: Witnesses,
    store: Store,
    actor: Thing | None,
    things: tuple[Thing, ...],
    source: PlaceValue | None,
    before: Numbers,
    target: PlaceValue,
) -> None:
    """Note that things have moved; `before` saw them at the source."""
    after = witnesses.seers(store, target)
    seers = before | after
    counters = witnesses.everybody
    if seers != counters:
        counters = seers | (witnesses.counters(store, source) & witnesses.counters(store, target))
    strangers = witnesses.everybody - witnesses.of_values(
        store, tuple(place.holder for place in (source, target) if place is not None)
    )
    data = (in_told_order(things, seers, after), source, target)
    store.append_event(Event("move", actor, data, seers, counters, strangers))


def in_told_order(things: tuple[Thing, ...], seers: Numbers, after: Numbers) -> tuple[Thing, ...]:
    """Return things that were moved in the order in which that is told: who sees them go, but not
    where they lie then, is not told in which order they lie there."""
    if len(things) > 1 and seers - after:
        return tuple(sorted(things, key=lambda thing: thing.number))
    return things


def created(
    witnesses: Witnesses, store: Store, actor: Thing | None, thing: Thing, place: PlaceValue
) -> None:
    """Note that a new thing has come into a zone."""
    seers = witnesses.seers(store, place)
    counters = seers | witnesses.counters(store, place)
    strangers = witnesses.everybody - witnesses.of_values(store, (place.holder,))
    store.append_event(Event("create", actor, ((thing,), place), seers, counters, strangers))


def destroyed(
    witnesses: Witnesses,
    store: Store,
    actor: Thing | None,
    things: tuple[Thing, ...],
    place: PlaceValue | None,
) -> Event:
    """Return the event that things leave the game; before they have left."""
    seers = witnesses.seers(store, place)
    counters = seers | witnesses.counters(store, place)
    holder = None if place is None else place.holder
    strangers = witnesses.everybody - witnesses.of_values(store, (holder,))
    return Event("destroy", actor, (things, place), seers, counters, strangers)


def changed(
    witnesses: Witnesses,
    store: Store,
    kind: str,
    actor: Thing | None,
    place: PlaceValue,
    value: Value,
) -> None:
    """Note that a field was set, or something added to or removed from it."""
    counters = witnesses.seers(store, place)
    seers = counters & witnesses.of_values(store, (place, value))
    store.append_event(Event(kind, actor, (place, value), seers, counters))


def swapped(
    witnesses: Witnesses, store: Store, actor: Thing | None, first: PlaceValue, second: PlaceValue
) -> None:
    """Note that two places were exchanged: who sees one of them sees that it has changed."""
    seers = counters = witnesses.seers(store, first) | witnesses.seers(store, second)
    if witnesses.evaluator.layout.zone(first.slot) is not None:
        counters |= witnesses.counters(store, first) & witnesses.counters(store, second)
    store.append_event(Event("swap", actor, (first, second), seers, counters))


def shuffled(witnesses: Witnesses, store: Store, actor: Thing | None, place: PlaceValue) -> None:
    """Note that a zone was shuffled."""
    known = witnesses.counters(store, place) | witnesses.seers(store, place)
    seers = known & witnesses.of_values(store, (place.holder,))
    store.append_event(Event("shuffle", actor, (place,), seers, known))


def drawn(store: Store, actor: Thing | None, question: str, outcome: Value, seers: Numbers) -> None:
    """Note an outcome of chance."""
    store.append_event(Event("chance", actor, (question, outcome), seers, seers))


def shown(
    witnesses: Witnesses,
    store: Store,
    actor: Thing | None,
    value: Value,
    viewers: Sequence[Thing],
) -> None:
    """Note that something was shown; the others see that it was."""
    seers = frozenset(viewer.number for viewer in viewers) & witnesses.everybody
    data = (value, tuple(viewers), *witnesses.whence(store, value))
    store.append_event(Event("show", actor, data, seers, witnesses.everybody))


def begun(
    witnesses: Witnesses,
    store: Store,
    kind: str,
    actor: Thing | None,
    verb: str,
    arguments: tuple[Value, ...],
) -> None:
    """Note that a verb began or finished. Of what not everybody sees only who acts is told: to whom a
    thing belongs does not know which one is meant."""
    seers = witnesses.of_values(store, arguments) if arguments else witnesses.everybody
    if seers != witnesses.everybody:
        seers &= NOBODY if actor is None else {actor.number}
    event = Event(kind, actor, (verb, arguments), seers, witnesses.everybody)
    store.append_event(event)


def joined(store: Store, counts: Sequence[int], players: Sequence[Thing]) -> None:
    """Note whose the last events are: so many of each player, one after the other; nobody notices."""
    store.append_event(Event("join", None, (tuple(players), tuple(counts)), NOBODY))


def in_order_of(happened: Iterable[Event], player: Thing | None) -> list[Event]:
    """Return events in the order in which a player has learned of them: of what several have done at
    once first what he has done himself."""
    found: list[Event] = []
    for event in happened:
        if event.kind == "join":
            players, counts = event.data
            first = len(found) - sum(counts)
            if player in players:
                number = players.index(player)
                start = first + sum(counts[:number])
                end = start + counts[number]
                found[first:end] = [*found[start:end], *found[first:start]]
        found.append(event)
    return found


def ended(witnesses: Witnesses, store: Store, actor: Thing | None, reason: Value) -> None:
    """Note the end of the game."""
    everybody = witnesses.everybody
    store.append_event(Event("end", actor, (reason,), everybody, everybody))


# -------------------------------------------------------------------------------------------- draws


BAG = "#bag"
"""The local that names the pile (column, holder) of which a driver must say the next card."""

ALIKE = "#alike"
"""The local with the things that an answer may have meant: chance takes one of them."""


class ChanceStop(Exception):
    """A driver must say what comes; the frame stays where it is."""


def meet_chance(store: Store) -> None:
    """Note that something random happens."""
    store.meet_hidden()


def draw_one(store: Store, outcomes: Sequence[Value]) -> Value:
    """Return one of the outcomes; where there is only one, nothing is asked."""
    if len(outcomes) == 1:
        if store.dictated and _same(store.dictated[0], outcomes[0]):
            store.dictated = store.dictated[1:]
        return outcomes[0]
    if store.dictated:
        wanted = store.dictated[0]
        for same in (_same, _like):
            for outcome in outcomes:
                if same(outcome, wanted):
                    store.dictated = store.dictated[1:]
                    return outcome
        raise IllegalActionError(f"chance cannot bring {wanted!r} here")
    if store.explicit_chance:
        raise ChanceStop
    state, number = below(store.random_state, len(outcomes))
    store.write(SCALARS, RANDOM, state)
    return outcomes[number]


def draw_many(
    store: Store, frame: Frame, key: str, items: Sequence[Value], count: int
) -> tuple[Value, ...]:
    """Return so many of the items, in the order in which they were drawn."""
    drawn = list(frame.locals.pop(key, ()))
    left = left_of(items, drawn)
    while len(drawn) < count and left:
        try:
            outcome = draw_one(store, left)
        except ChanceStop:
            frame.locals[key] = tuple(drawn)
            raise
        left.remove(outcome)
        drawn.append(outcome)
    return tuple(drawn)


def roll_many(
    store: Store, frame: Frame, key: str, sides: Sequence[Value], count: int
) -> tuple[Value, ...]:
    """Return so many of the sides; each may come again."""
    drawn = list(frame.locals.pop(key, ()))
    while len(drawn) < count:
        try:
            drawn.append(draw_one(store, sides))
        except ChanceStop:
            frame.locals[key] = tuple(drawn)
            raise
    return tuple(drawn)


def left_of(items: Sequence[Value], drawn: Sequence[Value]) -> list[Value]:
    """Return what is left of the items when some have been drawn."""
    left = list(items)
    for outcome in drawn:
        left.remove(outcome)
    return left


def decide_cards(store: Store, frame: Frame, slot: int, index: int, count: int) -> None:
    """Decide the topmost undecided cards of a pile, one after the other."""
    meet_chance(store)
    frame.locals.pop(BAG, None)
    for _ in range(count):
        cards = store.undecided(slot, index)
        if not cards:
            return
        try:
            card = draw_one(store, cards)
        except ChanceStop:
            frame.locals[BAG] = (slot, index)
            raise
        store.decide(slot, index, card)
        drawn(store, frame.me, "", card, NOBODY)


def _same(outcome: Value, wanted: Value) -> bool:
    return bool(outcome == wanted)


def _like(outcome: Value, wanted: Value) -> bool:
    """Return whether one thing is as good as the other: a copy of the same row."""
    return (
        isinstance(outcome, Thing)
        and isinstance(wanted, Thing)
        and outcome.kind == wanted.kind
        and outcome.row == wanted.row
    )
