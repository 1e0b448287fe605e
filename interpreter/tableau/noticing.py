"""The seat's own count of what it has noticed and answered, and which things it has lost sight of."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.interpreter.ir.answers_aloud import heard
from rulewright.interpreter.knowledge.information_state import known_answers
from rulewright.interpreter.knowledge.sight import waiting
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.history import events_since
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing
from rulewright.interpreter.tableau.handles import Handles


def notice(state: State, seat: int | None, handles: Handles) -> int:
    """Return the seat's own count (`Tableau.n`), one more if it has noticed or answered anything since
    it was asked for last. A table asks for every seat after each answer and each undo: then the
    numbers are the same however often somebody looks, and when the game is played once more.
    """
    program, store = state.game.program, state.seen_by(seat)
    player = None if seat is None else state.seat(seat)
    _look(program, store, player, handles)
    known = "/".join(_known(state, seat, player, handles))
    if known != handles.known:
        handles.n += 1
        handles.known = known
    return handles.n


def _known(state: State, seat: int | None, player: Thing | None, handles: Handles) -> Iterable[str]:
    """Yield what is another one whenever the seat has noticed or answered something."""
    program, store = state.game.program, state.seen_by(seat)
    yield str(handles.noticed)
    if player is not None:
        yield str(len(known_answers(program, player, state.history())))
    else:
        # What was answered in secret is known to somebody, but not to who watches.
        aloud = (
            one.player is not None and bool(heard(program.game, one.site, one.value))
            for one in state.history()
        )
        yield str(sum(aloud))
    asked = [one.number for one in waiting(program, store, player)]
    yield ",".join(map(str, asked))
    if seat in asked:
        # A dead end has been taken back, so that the same question is asked once more.
        yield str(store.setbacks)
    yield str(state.is_terminal())


def _look(program: Program, store: Store, player: Thing | None, handles: Handles) -> None:
    """Count what a seat has noticed since it looked last, and forget the handles of what was out of its
    sight meanwhile."""
    count = store.count_events()
    if count < handles.events:
        # Something has been taken back.
        handles.events, handles.noticed = 0, 0
    news = events_since(store, handles.events, player)
    handles.noticed += sum(_is_noticed(program, one, player) for one in news)
    handles.events = count
    handles.forget(_out_of_sight(program, store, player, news))
    layout, visibility = program.layout, program.evaluator.visibility
    for key in [*handles.numbers]:
        kind, _, number = key.rpartition(":")
        known = int(number) < store.counts(kind)
        thing = layout.things[kind][int(number)] if known else None
        if thing is None or store.is_gone(thing) or not visibility.sees_thing(store, thing, player):
            del handles.numbers[key]
            handles.groups.pop(key, None)


def _is_noticed(program: Program, event: Event, player: Thing | None) -> bool:
    if player is not None:
        return player.number in event.seers or player.number in event.counters
    everybody = program.witnesses.everybody
    return everybody <= event.seers or everybody <= event.counters


def _out_of_sight(
    program: Program, store: Store, player: Thing | None, news: Iterable[Event]
) -> Iterable[Thing]:
    """Yield the things that nobody can have followed: that went through a place which is
    not seen, or were mixed with others."""
    visibility = program.evaluator.visibility
    mixed: set[PlaceValue] = set()
    for event in news:
        match event.kind, event.data:
            case "move", (things, source, target):
                if source in mixed or not visibility.sees(store, target, player):
                    yield from things
            case "create" | "destroy", (things, _):
                yield from things
            case "shuffle", (place,):
                mixed.add(place)
            case "swap", (first, second) if program.layout.zone(first.slot) is not None:
                if not all(visibility.sees(store, one, player) for one in (first, second)):
                    mixed |= {first, second}
    for place in mixed:
        if program.layout.zone(place.slot) is not None:
            yield from store.columns[place.slot][place.index]
