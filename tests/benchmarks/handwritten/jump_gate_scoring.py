"""The points of Jump Gate, second rule set."""

from __future__ import annotations

from collections.abc import Sequence

from handwritten.jump_gate_components import (
    BLUE,
    DARK,
    ENERGEL,
    FAME,
    GEM,
    LIGHT,
    RED,
    SAND,
    SAND_POINTS,
    SORT,
    STYLE,
    WATER,
    WATER_POINTS,
    WHITE,
)


def points(cards: Sequence[int], planets: int) -> int:
    """Return the points for resource cards and claimed planets."""
    sorts = [0] * 5
    styles = [0] * 5
    for card in cards:
        sorts[SORT[card]] += 1
        if STYLE[card] >= 0:
            styles[STYLE[card]] += 1
    fuel = min(styles[LIGHT], styles[DARK])
    return (
        4 * planets
        + 5 * sorts[FAME]
        + by_number(sorts[SAND], SAND_POINTS)
        + by_number(sorts[WATER], WATER_POINTS)
        + 7 * fuel
        + 2 * (sorts[ENERGEL] - 2 * fuel)
        + sorts[GEM] * max(styles[WHITE], styles[RED], styles[BLUE])
    )


def by_number(count: int, table: Sequence[int]) -> int:
    """Return the points from a table; more cards than it has score as its last entry."""
    return table[min(count, len(table) - 1)]
