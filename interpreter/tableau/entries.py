"""The log of a game for one seat: lines with who acts, how deep, and what they speak of.

What the page shows anyway is left out: whose turn it is by now, and the like, which library modules
keep in fields of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

import attrs

from rulewright.interpreter.knowledge.observation import PLAYER
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import Event, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value
from rulewright.interpreter.tableau.followed import followed_since
from rulewright.interpreter.tableau.things import Viewer, seat_ref
from rulewright.interpreter.tableau.view_model import EntryView

MOST_REFS = 12
"""So many references has a line at most."""


EVENTS_FOR_LINE = 3
"""For each line that is wanted so many events are looked at."""


@attrs.frozen
class _Told:
    depth: int
    event: Event
    line: str
    turn: bool


def entries(
    state: State, seat: int | None, viewer: Viewer, noticed: int, lines: int | None = None
) -> tuple[EntryView, ...]:
    """Return the log as a seat is told it; the last lines only, if a number is given. `noticed` is how
    many events the seat has noticed by now."""
    program, store = state.game.program, viewer.store
    narrator = EventNarrator(program, store, viewer.player)
    happened = _latest(narrator, lines)
    first = store.count_events() - len(happened)
    given = [one for one in state.history() if one.events >= first]
    number = noticed - sum(map(narrator.is_noticed, happened))
    numbers: dict[int, int] = {}
    places = {id(event): place for place, event in enumerate(happened)}
    for event in happened:
        number += narrator.is_noticed(event)
        numbers[id(event)] = number
    since = followed_since(program, store, viewer.player, happened)
    start = _depth_before(store, happened) if first else 0
    dealt: list[Event] = []
    if not first:
        # What has happened before anybody was asked is seen on the table.
        begun = given[0].events if given else len(happened)
        dealt, happened = narrator.dealt(happened[:begun]), happened[begun:]
        first = begun
    events = [*dealt, *narrator.with_answers(happened, first, given)]
    told = [
        one
        for one in _with_turns(narrator, events, start)
        if not _is_kept_by_a_module(program, one)
    ]
    grouped = [
        (run[0], len(run))
        for run in (list(same) for _, same in groupby(told, lambda one: (one.depth, one.line)))
    ]
    found, number, place = [], 0, len(places)
    kept = grouped if lines is None else grouped[max(len(grouped) - lines, 0) :]
    followed: list[frozenset[Thing]] = []
    for one, _ in reversed(kept):
        # Several events that are told as one stand before the next one that is told.
        place = places.get(id(one.event), place - 1)
        followed.append(frozenset(thing for thing in since if since[thing] > place))
    for (one, count), lost in zip(kept, reversed(followed), strict=True):
        number = numbers.get(id(one.event), number)
        found.append(_entry(viewer, number, one, count, lost))
    return tuple(found)


def _latest(narrator: EventNarrator, lines: int | None) -> list[Event]:
    """Return the events that may be told in the last lines, oldest first; all of them for None."""
    store = narrator.store
    if lines is None:
        return events_since(store, 0, narrator.seat)
    looked_at = wanted = 0
    for event in latest_first(store.log):
        looked_at += 1
        wanted += narrator.is_noticed(event)
        if wanted >= lines * EVENTS_FOR_LINE:
            break
    return events_since(store, store.count_events() - looked_at, narrator.seat)


def _depth_before(store: Store, happened: Sequence[Event]) -> int:
    """Return inside how many verbs the first of the latest events happened."""
    steps = [(one.kind == "begin") - (one.kind == "finish") for one in happened]
    least = -min(accumulate(steps), default=0)
    running = sum(frame.unit in store.layout.game.verbs for frame in store.frames)
    return max(least, running - sum(steps), 0)


def _with_turns(narrator: EventNarrator, events: Sequence[Event], start: int) -> Iterator[_Told]:
    """Yield what is told; where a verb of somebody begins inside none of his own, it is a heading."""
    actors: list[Thing | None] = [None] * start
    for depth, event, line in narrator.told(events, briefly=True, start=start):
        del actors[depth:]
        turn = event.kind == "begin" and event.actor is not None and event.actor not in actors
        yield _Told(depth, event, line, turn)
        actors += [None] * (depth - len(actors))
        if event.kind == "begin":
            actors.append(event.actor)


def _is_kept_by_a_module(program: Program, told: _Told) -> bool:
    """Return whether an event says what a module of the library keeps for itself: a field of the game
    with the name of the module before it."""
    match told.event.kind, told.event.data:
        case "set" | "add" | "remove", (PlaceValue(slot=slot), *_):
            field = program.layout.fields[slot]
            return field.holder is None and "." in field.id
    return False


def _entry(
    viewer: Viewer, number: int, told: _Told, count: int, lost: frozenset[Thing]
) -> EntryView:
    event = told.event
    actor = event.actor
    seat = None if actor is None else actor.number
    return EntryView(
        n=number,
        depth=told.depth,
        seat=seat,
        text=told.line,
        rest=_rest(told.line, None if actor is None else viewer.facts.words(actor)),
        turn=told.turn,
        refs=tuple(_refs(event, viewer, lost)),
        count=count,
    )


def _rest(line: str, name: str | None) -> str:
    """Return a line without the name with which it begins."""
    if name is None or not line.startswith((f"{name} ", f"{name}:")):
        return line
    return line[len(name) :].removeprefix(":").strip()


def _refs(event: Event, viewer: Viewer, lost: frozenset[Thing]) -> Iterator[str]:
    """Yield references to what an event speaks of, if the seat knows which things they are, sees them now, and has
    not lost them since."""
    if viewer.player is None:
        knows = viewer.program.witnesses.everybody <= event.seers
    else:
        knows = viewer.player.number in event.seers
    if not knows:
        return
    found: dict[str, None] = {}
    for value in event.data:
        for one in _things(value):
            if one.kind == PLAYER:
                if one is not event.actor:
                    found[seat_ref(one)] = None
            elif viewer.naming.is_named(one) and one not in lost:
                found.update(dict.fromkeys(viewer.naming.alike(one)))
            if len(found) >= MOST_REFS:
                break
    yield from list(found)[:MOST_REFS]


def _things(value: Value) -> Iterator[Thing]:
    match value:
        case Thing():
            yield value
        case PlaceValue() if value.holder is not None:
            yield value.holder
        case tuple():
            for one in value:
                yield from _things(one)
