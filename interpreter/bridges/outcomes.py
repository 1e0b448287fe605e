"""Outcomes of chance that come to the same: they are one, with the weight of all of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.observation import PLAYER
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics.events import ALIKE, BAG
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing


def alike_outcomes(program: Program, store: Store) -> Sequence[Sequence[int]]:
    """Return what chance may bring, by the number of each outcome, those together that come to the same:
    things that look alike, have the same values, and of which nothing in the game names one."""
    values = executor.chance_outcomes(program, store)
    groups: dict[Hashable, list[int]] = {}
    named = _named(program, store)
    for number, value in enumerate(values):
        key: Hashable = number
        if isinstance(value, Thing) and value not in named:
            key = _looks(program, store, value)
        groups.setdefault(key, []).append(number)
    return tuple(groups.values())


def _looks(program: Program, store: Store, thing: Thing) -> Hashable:
    """Return what a thing looks like where it lies; equal if it does not matter which of them comes."""
    layout, alike = program.layout, program.alike
    place = store.columns[layout.place_slots[thing.kind]][thing.number]
    zone = None if place is None else layout.zone(place.slot)
    drawn = BAG in store.frames[-1].locals
    if thing.kind == PLAYER or (zone is not None and zone.ordered and not drawn):
        return thing
    values = tuple(store.columns[slot][thing.number] for slot in alike.states.get(thing.kind, ()))
    return thing.kind, place, alike.look(store, thing), repr(values)


def _named(program: Program, store: Store) -> set[Thing]:
    """Return the things that fields and running verbs name."""
    found: set[Thing] = set()
    for slots in program.alike.references.values():
        for slot in slots:
            _collect(store.columns[slot], found)
    for frame in store.frames:
        for name, value in frame.locals.items():
            if name not in (BAG, ALIKE):
                _collect(value, found)
    return found


def _collect(value: object, found: set[Thing]) -> None:
    if isinstance(value, Thing):
        found.add(value)
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            _collect(one, found)
    elif isinstance(value, Mapping):
        for one in (*value, *value.values()):
            _collect(one, found)
