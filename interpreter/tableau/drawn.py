"""The boards and rings of a game for a page: each place with its thing, and what is marked there."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.tableau.things import Viewer
from rulewright.interpreter.tableau.view_model import LegendView, MapView, MarkView, PlaceView
from rulewright.interpreter.terminal.map_symbols import MapSymbol
from rulewright.interpreter.terminal.maps import AXES, Map, MapPlace, maps


def maps_of(viewer: Viewer) -> tuple[Map, ...]:
    """Return the maps that a seat sees. What is printed on spaces of a board to say where they are is no
    fact about them any more."""
    found = maps(viewer.program, viewer.store, viewer.player)
    viewer.drawn = frozenset(place.thing for one in found for place in one.places)
    viewer.undrawn.update({one.kind: AXES for one in found if not one.is_ring})
    return found


def map_view(viewer: Viewer, found: Map) -> MapView:
    """Return a map as a page draws it."""
    return MapView(
        kind=found.kind,
        title=found.title,
        shape=_shape(found),
        places=tuple(_place(viewer, one) for one in found.places),
        legend=tuple(LegendView(*one) for one in found.legend),
        columns={str(across): number for across, number in found.numbers.items()},
    )


def _shape(found: Map) -> str:
    if found.is_ring:
        return "ring"
    aside = any(place.across % 2 for place in found.places)
    return "hexagons" if aside else "board"


def _place(viewer: Viewer, place: MapPlace) -> PlaceView:
    return PlaceView(
        id=viewer.naming.handle(place.thing),
        name=place.name,
        across=place.across,
        up=place.up,
        thing=viewer.thing(place.thing),
        marks=tuple(_mark(viewer, one) for one in place.symbols),
    )


def _mark(viewer: Viewer, mark: MapSymbol) -> MarkView:
    return MarkView(
        symbol=mark.symbol,
        words=mark.words,
        seat=mark.owner,
        note=mark.note,
        count=mark.count,
        sort=mark.sort,
        refs=tuple(_in_their_order(viewer, mark.things)),
    )


def _in_their_order(viewer: Viewer, things: Sequence[Thing]) -> list[str]:
    """Return the handles of things, smallest first: the order of a map may be that of the tables."""
    named = [viewer.naming.number(one) for one in things if viewer.naming.is_named(one)]
    return [f"t{number}" for number in sorted(named)]
