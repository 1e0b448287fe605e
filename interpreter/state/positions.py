"""Parts of a position as something hashable: without its history, and without the order in unordered
zones. `Store.key` puts them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from rulewright.interpreter.state.layout import SCALARS, Layout
from rulewright.interpreter.state.serials import HISTORY
from rulewright.interpreter.state.values import Thing, Value

Cell: TypeAlias = tuple[int, int, Value]
"""Column, index and what has been written there."""


class Keyed(Protocol):
    """Something that can say what it is as something hashable."""

    def key(self) -> tuple[Any, ...]:
        """Return the content as something hashable."""


def contents(layout: Layout, columns: Sequence[list[Value]]) -> tuple[Any, ...]:
    """Return what the columns of a store hold."""
    unordered = layout.unordered
    scalars = tuple(value for number, value in enumerate(columns[SCALARS]) if number not in HISTORY)
    return scalars, tuple(
        tuple(tuple(sorted(zone, key=number_of)) for zone in column)
        if slot in unordered
        else tuple(column)
        for slot, column in enumerate(columns[1:], 1)
    )


def written(layout: Layout, cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return what has been written into single entries."""
    return frozenset(
        [
            (slot, index, tuple(sorted(value, key=number_of)))
            if slot in layout.unordered
            else (slot, index, value)
            for slot, index, value in cells
        ]
    )


def keys(frames: Iterable[Keyed]) -> tuple[Any, ...]:
    """Return the running verbs."""
    return tuple([frame.key() for frame in frames])


def number_of(thing: Thing) -> int:
    """Return the number of a thing among those of its kind."""
    return thing.number
