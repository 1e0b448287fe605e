"""Things that come and go: read back from a saved state, and renumbered when branches are joined.

*Saved states* say two things about each kind: the things in the game in the order of their creation, and
for each thing there has ever been who saw it leave (a bit for each player), -1 while it is in the game.
Where things lie follows from the zones.

*Branches.* Things that several players create at once count on from the same number; when all are joined
those of later branches get other numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.state.frames import Branch, Fork
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import longer
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    GonePlace,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)


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
        owners = {slot: kind for kind in self.by for slot in self.layout.columns_of(kind)}
        cells = []
        for slot, index, value in branch.cells:
            kind = owners.get(slot)
            if kind is not None and index >= len(self.fork.columns[slot]):
                index += self.by[kind]
            cells.append((slot, index, self.value(value)))
        log = self.fork.log
        for event in self.fork.own_events(branch):
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


THERE = -1


def gone_of(store: Store, kind: str) -> list[int]:
    """Return for each thing there has ever been who saw it leave, or -1."""
    column = store.columns[store.layout.place_slots[kind]]
    return [place.seers if isinstance(place, GonePlace) else THERE for place in column]


def take_in(store: Store, kind: str, living: Value, gone: Sequence[int]) -> None:
    """Note which things of a kind are in the game; those and the others must be all there are."""
    layout = store.layout
    there = [number for number, seers in enumerate(gone) if seers == THERE]
    most = 1 << len(layout.players)
    if not all(THERE <= seers < most for seers in gone):
        raise ValueError(f"what has left the game was seen by nobody of these: {kind}")
    if not isinstance(living, tuple) or not all(
        isinstance(thing, Thing) and thing.kind == kind for thing in living
    ):
        raise ValueError(f"these are no things of {kind}")
    if len(gone) != store.counts(kind) or sorted(thing.number for thing in living) != there:
        raise ValueError(f"things of {kind} are missing")
    store.columns[layout.living_slots[kind]] = [living]


def lay_out(store: Store, of: Iterable[str], gone: Mapping[str, Sequence[int]]) -> None:
    """Note where each thing of some kinds lies: it must be one place at most, and none if it has
    left the game."""
    layout, columns = store.layout, store.columns
    kinds_of = set(of)
    for kind in kinds_of:
        columns[layout.place_slots[kind]] = [
            None if seers == THERE else layout.gone(seers)
            for seers in gone.get(kind, (THERE,) * layout.count(kind))
        ]
    for slot, field in layout.fields.items():
        if slot >= layout.size or not isinstance(field.type, types.ZoneType):
            continue
        if not isinstance(field.type.kind, types.ThingType):
            continue
        if field.type.kind.kind not in kinds_of:
            continue
        for place, things in zip(layout.places[slot], columns[slot], strict=False):
            for thing in things:
                column = columns[layout.place_slots[thing.kind]]
                if column[thing.number] is not None:
                    raise ValueError(f"{thing.key} lies in two places")
                column[thing.number] = place
