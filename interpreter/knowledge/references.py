"""Of which things events and fields speak: since when a field refers to one is what it was taken for then."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from rulewright.interpreter.knowledge.mixing import Cell
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.values import PlaceValue, Thing, Value


def references(
    layout: Layout,
    columns: Sequence[Sequence[Value]],
    events: Iterable[Event],
    mixed: Container[Thing],
) -> Iterator[tuple[int, Cell, Thing]]:
    """Yield the event since which a field refers to one of the `mixed` lines, the field and the line."""
    latest: dict[tuple[Cell, Thing], int] = {}
    for number, event in enumerate(events):
        if event.kind in ("set", "add"):
            place, value = event.data
            for thing in things_in(value):
                if thing in mixed:
                    latest[(place.slot, place.index), thing] = number
    for (cell, thing), number in latest.items():
        slot, index = cell
        if slot < layout.size and index < len(columns[slot]):
            if any(one is thing for one in things_in(columns[slot][index])):
                yield number, cell, thing


def may_move(event: Event) -> bool:
    """Return whether an event may do something to hidden things of which it does not speak."""
    kind = event.kind
    if kind in ("set", "add", "remove"):
        place = event.data[0]
        return isinstance(place, PlaceValue) and place.key_index is not None
    return kind in ("swap", "shuffle", "move")
