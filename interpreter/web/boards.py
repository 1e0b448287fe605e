"""Boards prepared for drawing: rows of squares or hexagons with what is shown there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Json = Mapping[str, Any]

MOST_COLUMNS = 24
"""A wider or higher board scrolls inside of its frame."""

NARROW = 12
"""A wider board scrolls on a phone."""

SIGNS = 3
"""So many symbols fit into a corner."""


class Looks(Protocol):
    """What of a whole page matters for its boards."""

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
    """Return a board with its places where they are drawn."""
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
