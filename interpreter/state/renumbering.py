"""Things that several players create at once: each counts on from the same number, and when all are
joined those of later branches get other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import Event, latest_first, longer
from rulewright.interpreter.state.serials import columns_of
from rulewright.interpreter.state.store import Branch, Fork
from rulewright.interpreter.state.values import (
    Closure,
    GonePlace,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)


def own_events(fork: Fork, branch: Branch) -> list[Event]:
    """Return the events of a branch, in their order."""
    return [*latest_first(branch.log, fork.log)][::-1]


def those_there(start: tuple[Value, ...], lists: Sequence[tuple[Value, ...]]) -> Value:
    """Return which things there are: without those that have left for somebody, and with those that
    have come for somebody."""
    before = set(start)
    stay = before.intersection(*lists)
    come = [thing for now in lists for thing in now if thing not in before]
    return (*(thing for thing in start if thing in stay), *come)


def renumbered(layout: Layout, fork: Fork) -> Fork:
    """Return a fork in which no two branches have created things with the same number: those of an
    earlier branch come first."""
    if not layout.living_slots:
        return fork
    taken = dict.fromkeys(layout.living_slots, 0)
    branches = []
    for branch in fork.branches:
        made = {
            kind: sum(
                slot == layout.place_slots[kind] and index >= len(fork.columns[slot])
                for slot, index, _ in branch.cells
            )
            for kind in taken
        }
        moved = _Moved(layout, fork, dict(taken))
        branches.append(moved.branch(branch) if any(taken.values()) else branch)
        for kind, number in made.items():
            taken[kind] += number
    return fork.having(branches=tuple(branches))


@attrs.frozen
class _Moved:
    """Gives the things that a branch has created other numbers."""

    layout: Layout
    fork: Fork
    by: dict[str, int]
    """How much greater the numbers of each kind are now."""

    def branch(self, branch: Branch) -> Branch:
        """Return what a branch was, with the other numbers."""
        owners = {slot: kind for kind in self.by for slot in columns_of(self.layout, kind)}
        cells = []
        for slot, index, value in branch.cells:
            kind = owners.get(slot)
            if kind is not None and index >= len(self.fork.columns[slot]):
                index += self.by[kind]
            cells.append((slot, index, self.value(value)))
        log = self.fork.log
        for event in own_events(self.fork, branch):
            changed = event._replace(actor=event.actor, data=self.value(event.data))
            log = longer(log, changed)
        return attrs.evolve(branch, cells=tuple(cells), log=log)

    def value(self, value: Value) -> Value:
        """Return a value, with the other numbers."""
        match value:
            case Thing(kind=kind, number=number) if kind in self.by:
                if number < len(self.fork.columns[self.layout.place_slots[kind]]):
                    return value
                return self.layout.thing(kind, number + self.by[kind])
            case tuple():
                return tuple(self.value(item) for item in value)
            case GonePlace():
                return value
            case PlaceValue(slot, Thing() as holder, key):
                holder = self.value(holder)
                if key is None:
                    return self.layout.places[slot][holder.number]
                return PlaceValue(slot, holder, key)
            case VerbValue(name, verbs, arguments):
                return VerbValue(name, verbs, self.value(arguments))
            case Closure() | PlaceClosure():
                return attrs.evolve(value, locals=self.value(value.locals))
        return value
