"""Where an option would change what a seat sees: for options that name no thing, like a column."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter.ir.machine import run
from rulewright.interpreter.knowledge.observation import PLAYER
from rulewright.interpreter.lookahead.search import Search, try_out
from rulewright.interpreter.program.decisions import MOVED, current, give
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import Horizon, PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value
from rulewright.interpreter.tableau.things import Viewer

MOST_TOUCHING = 40
"""Of more options nobody works out what they touch."""


def touched(
    program: Program, store: Store, viewer: Viewer, value: Value, drawn: frozenset[Thing]
) -> tuple[Thing, ...]:
    """Return the places of maps at which what the seat sees would change by an answer, up to where
    something comes in that it does not see, or the next decision."""
    asked, found = current(program, store), dict[Thing, None]()
    search = Search(program, store)

    def begin(_: Search) -> bool:
        trail = store.trail
        assert trail is not None
        first = len(trail)
        store.frames = [frame.copy() for frame in store.frames]
        try:
            if give(program, store, asked, store.frames[-1], value) == MOVED:
                run(program.runs, store, search.left)
        except (Horizon, Undecided, PlayError):
            pass
        found.update(dict.fromkeys(_changed(store, viewer, trail[first:])))
        return True

    try_out(search, begin)
    return tuple(one for one in found if one in drawn)


def _changed(
    store: Store, viewer: Viewer, trail: list[tuple[list[Value], int, Value]]
) -> Iterator[Thing]:
    """Yield the things of which a seen field is another one, and those that fields of the game and of
    players point to."""
    layout = viewer.layout
    columns = {id(column): slot for slot, column in enumerate(store.columns)}
    for column, index, before in trail:
        slot = columns.get(id(column), -1)
        field = layout.fields.get(slot)
        if field is None or field.internal or column[index] == before:
            continue
        place: PlaceValue = layout.places[slot][index]
        if not viewer.sees(place) and not viewer.program.evaluator.visibility.sees_count(
            store, place, viewer.player
        ):
            continue
        holder = place.holder
        if holder is not None and holder.kind != PLAYER:
            yield holder
        elif viewer.sees(place):
            for value in (before, column[index]):
                if isinstance(value, Thing) and value.kind != PLAYER:
                    yield value
