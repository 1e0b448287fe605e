"""Maps prepared for drawing: rows of squares or hexagons with what is shown there, or a ring."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Json = Mapping[str, Any]
Box = tuple[tuple[float, float], tuple[float, float]]
"""A middle and a size."""


MOST_COLUMNS = 24
"""A wider or higher board scrolls inside of its frame."""

NARROW = 12
"""A wider board scrolls on a phone."""

MANY_ON_RING = 12
"""A ring with more places is drawn as columns."""

RING_HEIGHTS = {"": 450, "tall": 570, "taller": 690}
"""How high a ring is drawn, by the class of the style sheet: as low as its places do not hide each other."""

RING_WIDTH, PLACE_WIDTH, LINE = 900, 196, 24
"""What the style sheet makes of them on a screen of 1280 pixels; `LINE`: what a line of a place takes."""

GAP = 8
"""So far from each other at least; sizes are estimates, as what lies there may wrap."""

MIDDLE = 390, 150
"""The room for the piles in the middle of a ring."""

SIGNS = 3
"""So many symbols fit into a corner."""


class Looks(Protocol):
    """What of a whole page matters for its maps."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""

    @property
    def initials(self) -> Sequence[str]:
        """Their short signs."""

    @property
    def context(self) -> frozenset[str]:
        """What the seat has named so far in what it is doing."""

    def hue(self, fact: Json) -> str:
        """Return the class for a value of an enumeration."""

    def band(self, thing: Json) -> str:
        """Return the class for a thing."""


def arranged(map_: Json, page: Looks) -> dict[str, Any]:
    """Return a map with its places where they are drawn."""
    if map_["shape"] == "ring":
        return _ring(map_, page)
    return _board(map_, page)


# ------------------------------------------------------------------------------------------- rings


def _ring(map_: Json, page: Looks) -> dict[str, Any]:
    places = []
    for place in map_["places"]:
        thing = place["thing"]
        owner = next((one for one in thing["facts"] if one["type"] == "player"), None)
        places.append(
            {
                "id": place["id"],
                "name": place["name"],
                "thing": thing,
                "owner": None if owner is None else owner["seat"],
                "here": [
                    one
                    for one in place["marks"]
                    if one["sort"] == "reference" and one["seat"] is not None
                ],
                "signs": [
                    one
                    for one in place["marks"]
                    if one["sort"] == "reference" and one["seat"] is None
                ],
            }
        )
    height = _height(map_["places"])
    return {
        "shape": "ring",
        "title": map_["title"],
        "places": places,
        "columns": len(places) > MANY_ON_RING or height is None,
        "height": height or "",
    }


def _height(places: Sequence[Json]) -> str | None:
    """Return the class for the height of a ring; None if its places have no room on any."""
    if len(places) > MANY_ON_RING:
        return None
    sizes = [(PLACE_WIDTH, _lines(one["thing"]) * LINE + 24) for one in places]
    for name, height in RING_HEIGHTS.items():
        at = [
            (0.395 * RING_WIDTH * math.sin(angle), -0.375 * height * math.cos(angle))
            for angle in (2 * math.pi * n / len(places) for n in range(len(places)))
        ]
        boxes = [((0.0, 0.0), MIDDLE), *zip(at, sizes, strict=True)]
        if not any(_hide(one, other) for one, other in itertools.combinations(boxes, 2)):
            return name
    return None


def _hide(one: Box, other: Box) -> bool:
    (at, size), (place, extent) = one, other
    return all(
        2 * abs(at[axis] - place[axis]) < size[axis] + extent[axis] + 2 * GAP for axis in range(2)
    )


def _lines(thing: Json) -> float:
    """Return about how many lines a place of a ring has: its name, its values in pairs, what lies there."""
    values = [one for one in thing["printed"] if one["type"] != "flag" or one["value"]]
    lying = 0
    for zone in thing["zones"]:
        hidden = zone["see"] == "count" and zone["count"] > 0
        lying += hidden + len({one["label"] for one in zone["things"]})
    # Short ones share a line.
    return 1 + (len(values) + 1) // 2 + len(thing["facts"]) + 0.8 * lying


# ------------------------------------------------------------------------------------------ boards


def _board(map_: Json, page: Looks) -> dict[str, Any]:
    hexagons = map_["shape"] == "hexagons"
    places = map_["places"]
    at = {(place["across"], place["up"]): place for place in places}
    rows = sorted({place["up"] for place in places}, reverse=True)
    columns = sorted({place["across"] for place in places})
    discs = all(len(_pieces(place)) <= 1 for place in places)
    hues = _hues(map_, page)
    cells: list[list[dict[str, Any] | int]] = []
    for up in rows:
        cells.append(_row(at, up, columns, hexagons))
        for number, one in enumerate(cells[-1]):
            if isinstance(one, dict):
                cells[-1][number] = _cell(one["place"], page, discs, hues)
    width = (columns[-1] - columns[0]) // 2 + 1 if hexagons else len(columns)
    heads, tails = _axes(at, rows, columns)
    if map_["columns"]:
        heads = [map_["columns"].get(str(one), "") for one in columns]
    if hexagons:
        heads, tails = [], []
    return {
        "shape": map_["shape"],
        "title": map_["title"],
        "rows": cells,
        "width": width,
        "height": len(rows),
        "big": width > MOST_COLUMNS or len(rows) > MOST_COLUMNS,
        "wide": width > NARROW,
        "heads": heads,
        "tails": tails,
        "legend": _legend(map_, page, hues),
    }


def _row(
    at: Mapping[tuple[int, int], Json], up: int, columns: Sequence[int], hexagons: bool
) -> list[dict[str, Any] | int]:
    """Return a row: places and, where there are none, how many columns are empty (of hexagons: half
    columns)."""
    row: list[dict[str, Any] | int] = []
    if not hexagons:
        for across in columns:
            place = at.get((across, up))
            row.append(1 if place is None else {"place": place})
        return row
    edge, last = columns[0], columns[-1] + 2
    for across in sorted(x for x, y in at if y == up):
        if across > edge:
            row.append(across - edge)
        row.append({"place": at[across, up]})
        edge = across + 2
    if last > edge:
        row.append(last - edge)
    return row


def _pieces(place: Json) -> list[Json]:
    """Return the marks that are drawn as pieces: what belongs to a seat and lies or stands here."""
    return [
        one
        for one in place["marks"]
        if one["seat"] is not None and one["sort"] in ("thing", "reference", "player", "choice")
    ]


def _cell(place: Json, page: Looks, discs: bool, hues: Mapping[str, str]) -> dict[str, Any]:
    """Return what is drawn at one place."""
    pieces: list[dict[str, Any]] = []
    signs: list[str] = []
    hue = held = None
    for mark in place["marks"]:
        seat = mark["seat"]
        if seat is not None and mark["sort"] == "player" and not discs:
            held = seat
        elif seat is not None and mark["sort"] == "reference":
            pieces.insert(0, {"seat": seat, "text": page.initials[seat], "look": "pawn"})
        elif seat is not None and mark["sort"] in ("thing", "player", "choice"):
            look = "disc" if discs else "unit"
            text = page.initials[seat] if discs else str(mark["count"])
            pieces.append({"seat": seat, "text": text, "look": look})
        elif mark["symbol"] in hues and hue is None:
            hue = hues[mark["symbol"]]
            signs.append(mark["symbol"])
        else:
            times = str(mark["count"]) if mark["count"] > 1 else ""
            signs.append(times + mark["symbol"])
    refs = [place["id"], *(ref for mark in place["marks"] for ref in mark["refs"])]
    said = "; ".join(_words(mark) for mark in place["marks"])
    lone = not pieces and len(place["marks"]) == 1 and hue is None
    return {
        "id": place["id"],
        "name": place["name"],
        "refs": refs,
        "hue": hue or "",
        "held": held,
        "pieces": pieces,
        "signs": signs[:SIGNS],
        "lone": lone,
        "here": any(ref in page.context for ref in refs),
        "said": f"{place['name']}: {said}" if said else place["name"],
    }


def _words(mark: Json) -> str:
    times = f"{mark['count']} x " if mark["count"] > 1 else ""
    note = f" ({mark['note']})" if mark["note"] else ""
    return f"{times}{mark['words']}{note}"


def _hues(map_: Json, page: Looks) -> dict[str, str]:
    """Return the backgrounds by symbol: of what belongs to nobody and has a value of an enumeration, be it
    printed on the place or on a thing that lies there."""
    found: dict[str, str] = {}
    for place in map_["places"]:
        own = (*place["thing"]["printed"], *place["thing"]["facts"])
        values = [one for one in own if "enum" in one]
        lying = {one["id"]: one for zone in place["thing"]["zones"] for one in zone["things"]}
        for mark in place["marks"]:
            if mark["seat"] is not None or mark["symbol"] in found:
                continue
            if mark["sort"] == "choice":
                fitting = [one for one in values if _is_said(one["text"], mark["words"])]
                hue = page.hue(fitting[0]) if fitting else "plain"
            else:
                things = [lying[ref] for ref in mark["refs"] if ref in lying]
                hue = page.band(things[0]) if things else "plain"
            if hue != "plain":
                found[mark["symbol"]] = hue
    return found


def _is_said(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", words) is not None


def _legend(map_: Json, page: Looks, hues: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what the symbols mean: those of nobody one by one, and of those of the seats what they have in
    common (`fleet of …`), with the seats that have one."""
    sorts = {mark["symbol"]: mark["sort"] for place in map_["places"] for mark in place["marks"]}
    plain: list[dict[str, Any]] = []
    shared: dict[tuple[str, str], list[int]] = {}
    for one in map_["legend"]:
        seat = one["seat"]
        if seat is not None:
            words = one["words"].replace(page.names[seat], "…")
            shared.setdefault((sorts.get(one["symbol"], "thing"), words), []).append(seat)
        else:
            hue = hues.get(one["symbol"], "")
            plain.append({"words": one["words"], "symbol": one["symbol"], "hue": hue, "seats": []})
    for (sort, words), seats in shared.items():
        if words.strip("… "):
            look = {"reference": "pawn", "player": "frame"}.get(sort, "unit")
            plain.append({"words": words, "symbol": "", "hue": look, "seats": sorted(seats)})
    return plain


def _axes(
    at: Mapping[tuple[int, int], Json], rows: Sequence[int], columns: Sequence[int]
) -> tuple[list[str], list[str]]:
    """Return what stands below the columns and beside the rows, if the names of places are made of it
    (`B7`)."""

    def labels(groups: list[list[str]], pattern: str) -> list[str]:
        found = []
        for names in groups:
            parts = {match[0] if (match := re.search(pattern, name)) else "" for name in names}
            found.append(parts.pop() if len(parts) == 1 else "")
        return found if all(found) and len(set(found)) == len(found) else []

    down = [[at[x, y]["name"] for y in rows if (x, y) in at] for x in columns]
    along = [[at[x, y]["name"] for x in columns if (x, y) in at] for y in rows]
    return labels(down, r"^[A-Za-z]+"), labels(along, r"\d+$")
