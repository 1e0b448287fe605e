"""The log of a game for one seat: lines with who acts, how deep, and what they speak of.

What the page shows anyway is left out: whose turn it is by now, and the like, which library modules
keep in fields of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from rulewright.interpreter.knowledge.observation import PLAYER
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.values import PlaceValue, Thing, Value
from rulewright.interpreter.tableau.things import Eyes, seat_ref
from rulewright.interpreter.tableau.view_model import EntryView

MOST_REFS = 12
"""So many references has a line at most."""


@attrs.frozen
class _Told:
    depth: int
    event: Event
    line: str
    turn: bool


def entries(
    state: State, seat: int | None, eyes: Eyes, lines: int | None = None
) -> tuple[EntryView, ...]:
    """Return the log as a seat is told it; the last lines only, if a number is given."""
    program, store = state.game.program, eyes.store
    narrator = EventNarrator(program, store, eyes.player)
    happened = events_since(store, 0, eyes.player)
    first = store.count_events() - len(happened)
    given = state.history()
    dealt: list[Event] = []
    if not first:
        # What has happened before anybody was asked is seen on the table.
        begun = given[0].events if given else len(happened)
        dealt, happened = narrator.dealt(happened[:begun]), happened[begun:]
        first = begun
    events = [*dealt, *narrator.with_answers(happened, first, given)]
    told = [one for one in _with_turns(narrator, events) if not _is_kept_by_a_module(program, one)]
    grouped = [
        (run[0], len(run))
        for run in (list(same) for _, same in groupby(told, lambda one: (one.depth, one.line)))
    ]
    wanted = grouped if lines is None else grouped[max(len(grouped) - lines, 0) :]
    skipped = len(grouped) - len(wanted)
    return tuple(
        _entry(program, eyes, number, one, count)
        for number, (one, count) in enumerate(wanted, skipped)
    )


def _with_turns(narrator: EventNarrator, events: Sequence[Event]) -> Iterator[_Told]:
    """Yield what is told; where a verb of somebody begins inside none of his own, it is a heading."""
    actors: list[Thing | None] = []
    for depth, event, line in narrator.told(events, briefly=True):
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


def _entry(program: Program, eyes: Eyes, number: int, told: _Told, count: int) -> EntryView:
    event = told.event
    actor = event.actor if event.actor is not None else None
    seat = None if actor is None else actor.number
    return EntryView(
        n=number,
        depth=told.depth,
        seat=seat,
        text=told.line,
        rest=_rest(told.line, None if actor is None else eyes.facts.words(actor)),
        turn=told.turn,
        refs=tuple(_refs(event, eyes)),
        count=count,
    )


def _rest(line: str, name: str | None) -> str:
    """Return a line without the name with which it begins."""
    if name is None or not line.startswith((f"{name} ", f"{name}:")):
        return line
    return line[len(name) :].removeprefix(":").strip()


def _refs(event: Event, eyes: Eyes) -> Iterator[str]:
    """Yield references to what an event speaks of, if the seat knows which things they are and sees
    them now."""
    if eyes.player is None:
        knows = eyes.program.witnesses.everybody <= event.seers
    else:
        knows = eyes.player.number in event.seers
    if not knows:
        return
    found: dict[str, None] = {}
    for value in event.data:
        for one in _things(value):
            if one.kind == PLAYER:
                if one is not event.actor:
                    found[seat_ref(one)] = None
            elif eyes.naming.is_named(one):
                found[eyes.naming.handle(one)] = None
            if len(found) == MOST_REFS:
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
