"""Since when a seat can have followed each thing: what was said before may have been about another one
that looks the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, PlaceValue, Thing, Value


def followed_since(
    program: Program, store: Store, player: Thing | None, events: Sequence[Event]
) -> Mapping[Thing, int]:
    """Return the number (its place in `events`, the last of which led to this state) of the first event that a thing
    can be said to have been part of; things that were in sight all the time are left out.

    A thing is lost where it goes to a place that the seat does not see, where it is mixed with others, and where
    it, or one that looks the same, is taken out of a place in which both lay in no order.
    """
    return _Backwards(program, store, player).lost(events)


class _Backwards:
    """Goes back through events, and knows what lay where."""

    def __init__(self, program: Program, store: Store, player: Thing | None) -> None:
        self._program, self._store, self._player = program, store, player
        self._inside: dict[PlaceValue, set[Thing]] = {}
        self._lost: dict[Thing, int] = {}

    def lost(self, events: Sequence[Event]) -> Mapping[Thing, int]:
        """Return what `followed_since` does."""
        for number in range(len(events) - 1, -1, -1):
            match events[number].kind, events[number].data:
                case "move", (things, source, target):
                    self._move(number, things, source, target)
                case "create", (things, place):
                    self._note(things, number)
                    self._put(place, (), things)
                case "destroy", (things, place):
                    self._note(things, number + 1)
                    self._put(place, things, ())
                case "shuffle", (place,):
                    self._note(self._at(place), number)
                case "swap", (first, second) if self._program.layout.zone(first.slot) is not None:
                    if not (self._sees(first) and self._sees(second)):
                        self._note((*self._at(first), *self._at(second)), number + 1)
                    here, there = self._at(first), self._at(second)
                    self._inside[first], self._inside[second] = there, here
        return self._lost

    def _move(self, number: int, things: Sequence[Thing], source: Value, target: Value) -> None:
        if not self._sees(target):
            self._note(things, number + 1)
        self._put(target, (), things)
        self._put(source, things, ())
        if not self._sees(source):
            self._note(things, number)
        elif isinstance(source, PlaceValue) and source.slot in self._program.layout.unordered:
            looks = {self._look(one) for one in things}
            self._note((one for one in self._at(source) if self._look(one) in looks), number)

    def _look(self, thing: Thing) -> object:
        return thing.kind, self._program.alike.look(self._store, thing)

    def _note(self, things: Iterable[Thing], number: int) -> None:
        for thing in things:
            # We go back: what was noted first came last.
            self._lost.setdefault(thing, number)

    def _sees(self, place: Value) -> bool:
        if not isinstance(place, PlaceValue):
            # Out of the game, or new: it looks as it looked.
            return True
        return self._program.evaluator.visibility.sees(self._store, place, self._player)

    def _at(self, place: Value) -> set[Thing]:
        if not isinstance(place, PlaceValue) or place.slot == GONE:
            return set()
        if place not in self._inside:
            held = self._store.columns[place.slot][place.index]
            self._inside[place] = set(held) if isinstance(held, tuple) else set()
        return self._inside[place]

    def _put(self, place: Value, into: Iterable[Thing], out: Iterable[Thing]) -> None:
        at = self._at(place)
        at.difference_update(out)
        at.update(into)
