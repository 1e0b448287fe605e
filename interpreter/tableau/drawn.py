"""The boards and rings of a game for a page: each place with its thing, and what is marked there."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.tableau.things import Eyes
from rulewright.interpreter.tableau.view_model import LegendView, MapView, MarkView, PlaceView
from rulewright.interpreter.terminal.map_symbols import MapSymbol
from rulewright.interpreter.terminal.maps import AXES, Map, MapPlace, maps


def maps_of(eyes: Eyes) -> tuple[Map, ...]:
    """Return the maps that a seat sees. What is printed on spaces of a board to say where they are is no
    fact about them any more."""
    found = maps(eyes.program, eyes.store, eyes.player)
    eyes.drawn = frozenset(place.thing for one in found for place in one.places)
    eyes.undrawn.update({one.kind: AXES for one in found if not one.is_ring})
    return found


def map_view(eyes: Eyes, found: Map) -> MapView:
    """Return a map as a page draws it."""
    return MapView(
        kind=found.kind,
        title=found.title,
        shape=_shape(found),
        places=tuple(_place(eyes, one) for one in found.places),
        legend=tuple(LegendView(*one) for one in found.legend),
        columns={str(across): number for across, number in found.numbers.items()},
    )


def _shape(found: Map) -> str:
    if found.is_ring:
        return "ring"
    aside = any(place.across % 2 for place in found.places)
    return "hexagons" if aside else "board"


def _place(eyes: Eyes, place: MapPlace) -> PlaceView:
    return PlaceView(
        id=eyes.naming.handle(place.thing),
        name=place.name,
        across=place.across,
        up=place.up,
        thing=eyes.thing(place.thing),
        marks=tuple(_mark(eyes, one) for one in place.symbols),
    )


def _mark(eyes: Eyes, mark: MapSymbol) -> MarkView:
    return MarkView(
        symbol=mark.symbol,
        words=mark.words,
        seat=mark.owner,
        note=mark.note,
        count=mark.count,
        sort=mark.sort,
        refs=tuple(_in_their_order(eyes, mark.things)),
    )


def _in_their_order(eyes: Eyes, things: Sequence[Thing]) -> list[str]:
    """Return the handles of things, smallest first: the order of a map may be that of the tables."""
    named = [eyes.naming.number(one) for one in things if eyes.naming.is_named(one)]
    return [f"t{number}" for number in sorted(named)]
