"""Values in which things are others: what a state says when other cards lie where these lie."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.semantics.events import BAG
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.values import (
    Closure,
    GonePlace,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)

PLAYER = "Player"

Identities = Mapping[Thing, Thing]
"""Which thing lies where this one lies; what is left out is itself."""


@attrs.frozen
class Renaming:
    """Writes other things into values, places, frames and events."""

    layout: Layout
    identities: Identities

    def value(self, value: Value) -> Value:
        """Return a value that speaks of the other things."""
        match value:
            case Thing():
                return self.identities.get(value, value)
            case tuple():
                return tuple([self.value(item) for item in value])
            case GonePlace():
                return value
            case PlaceValue():
                return self._place(value)
            case VerbValue():
                return VerbValue(value.name, value.verbs, self.value(value.arguments))
            case Closure() | PlaceClosure():
                return attrs.evolve(value, locals=self.value(value.locals))
        return value

    def _place(self, place: PlaceValue) -> PlaceValue:
        holder = self.value(place.holder)
        there = self.layout.places[place.slot][0 if holder is None else holder.number]
        if place.key_index is None:
            return there
        kind = self.layout.fields[place.slot].type
        assert isinstance(kind, types.FamilyType), "an entry of no family"
        key = self.value(self.layout.keys(kind.key)[place.key_index])
        return PlaceValue(there.slot, there.holder, key.number)

    def frame(self, frame: Frame, kept: Container[str] = ()) -> Frame:
        """Return a running verb whose locals, but for those that are `kept`, speak of the other things."""
        held = {
            name: value if name in kept else self._bag(value) if name == BAG else self.value(value)
            for name, value in frame.locals.items()
        }
        return Frame(frame.unit, frame.node, held, self.value(frame.me))

    def _bag(self, pile: tuple[int, int]) -> tuple[int, int]:
        slot, index = pile
        return slot, self.value(self.layout.places[slot][index]).index

    def event(self, event: Event) -> Event:
        """Return an event that happened to the other things."""
        return event._replace(data=self.value(event.data))


def things_in(value: Value) -> list[Thing]:
    """Return the things of which a value speaks, but for players; the holders of places, too."""
    found: list[Thing] = []
    _collect(value, found)
    return found


def _collect(value: Value, found: list[Thing]) -> None:
    kind = type(value)
    if kind is Thing:
        if value.kind != PLAYER:
            found.append(value)
    elif kind is tuple:
        for item in value:
            _collect(item, found)
    elif kind is PlaceValue:
        if value.holder is not None:
            _collect(value.holder, found)
    elif kind is VerbValue:
        _collect(value.arguments, found)
    elif kind is Closure or kind is PlaceClosure:
        for _, held in value.locals:
            _collect(held, found)


def key_of(layout: Layout, place: Value) -> Iterator[Thing]:
    """Yield the thing to which an entry of a family belongs, if it does."""
    if isinstance(place, PlaceValue) and place.key_index is not None:
        kind = layout.fields[place.slot].type
        key = layout.keys(kind.key)[place.key_index] if isinstance(kind, types.FamilyType) else None
        if isinstance(key, Thing):
            yield key
