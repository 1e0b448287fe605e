"""Which things there are: what a saved state says about kinds whose things come and go.

Two lists a kind: the things in the game in the order of their creation, and for each thing there has
ever been who saw it leave (a bit for each player), -1 while it is in the game. Where things lie
follows from the zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.dsl.model import types
from rulewright.interpreter.state.errors import MOST_CREATED
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GonePlace, Thing, Value

THERE = -1


def gone_of(store: Store, kind: str) -> list[int]:
    """Return for each thing there has ever been who saw it leave, or -1."""
    column = store.columns[store.layout.place_slots[kind]]
    return [place.seers if isinstance(place, GonePlace) else THERE for place in column]


def make_room(store: Store, counts: Mapping[str, int]) -> None:
    """Give the columns of a fresh store as many entries as there have been things."""
    layout = store.layout
    if set(counts) != set(layout.living_slots):
        raise ValueError("it does not say which things there are")
    for kind, count in counts.items():
        if not 0 <= count - layout.tabled[kind] <= MOST_CREATED:
            raise ValueError(f"there cannot have been {count} things of {kind}")
        while store.counts(kind) < count:
            store.create(kind)


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
