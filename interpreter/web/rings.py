"""Rings prepared for drawing: their places clockwise around the piles, as a frame of rows, so that none hides another
whatever lies there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

Json = Mapping[str, Any]


@attrs.frozen
class Frame:
    """How many places stand above, on each side and below."""

    above: int
    sides: int
    below: int

    @property
    def columns(self) -> int:
        """How many places there is room for in a row."""
        return max(3, self.above, self.below)

    def positions(self) -> list[tuple[int, int]]:
        """Return row and column of each place, clockwise. A place is two columns wide."""
        wide, last = self.columns, self.sides + 2
        first = 1 + wide - self.above
        above = [(1, first + 2 * number) for number in range(self.above)]
        right = [(2 + number, 2 * wide - 1) for number in range(self.sides)]
        first = 1 + wide - self.below
        below = [(max(last, 3), first + 2 * number) for number in reversed(range(self.below))]
        left = [(2 + number, 1) for number in reversed(range(self.sides))]
        return [*above, *right, *below, *left]


FRAMES = {
    1: Frame(1, 0, 0),
    2: Frame(1, 0, 1),
    3: Frame(1, 0, 2),
    4: Frame(1, 1, 1),
    5: Frame(1, 1, 2),
    6: Frame(2, 1, 2),
    7: Frame(3, 1, 2),
    8: Frame(3, 1, 3),
    9: Frame(4, 1, 3),
    10: Frame(4, 1, 4),
    11: Frame(4, 2, 3),
    12: Frame(4, 2, 4),
}
"""By the number of places. A ring with more is drawn as columns."""


def arranged(map_: Json) -> dict[str, Any]:
    """Return a ring with its places where they are drawn."""
    frame = FRAMES.get(len(map_["places"]))
    places = []
    for place in map_["places"]:
        thing = place["thing"]
        owner = next((one for one in thing["facts"] if one["type"] == "player"), None)
        references = [one for one in place["marks"] if one["sort"] == "reference"]
        places.append(
            {
                "id": place["id"],
                "name": place["name"],
                "thing": thing,
                "owner": None if owner is None else owner["seat"],
                "here": [one for one in references if one["seat"] is not None],
                "signs": [one for one in references if one["seat"] is None],
            }
        )
    return {
        "shape": "ring",
        "title": map_["title"],
        "places": places,
        "frame": frame,
        "at": [] if frame is None else frame.positions(),
    }
