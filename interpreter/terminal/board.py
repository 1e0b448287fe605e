"""Maps as text for a terminal: the boards and rings as a seat sees them, line by line.

    Cell
      2   .   b
      1   a   .
          A   B

A space shows the symbols of what lies there, in as many lines as they need; rows of hexagons are
shifted as they are on the table. A ring goes round clockwise from the upper left corner:

    Planet
         Anno   --  Seth
         @a j1       j2
          |           |
         Nida   --  Mirr
          j4         j3
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.terminal.maps import Map, MapPlace, maps
from rulewright.interpreter.terminal.screen import width
from rulewright.interpreter.terminal.table import Piece, StyledLine, wrapped

EMPTY = "."
MARGIN = 2
LINK = "--"
NAMED = re.compile(r"([A-Za-z]+)(\d+)")

Cell = list[list[Piece]]
"""The lines of a cell, each made of pieces."""


def boards(program: Program, store: Store, seat: Thing | None) -> dict[str, list[str]]:
    """Return the drawing of each kind that is a board or lies in a ring."""
    found: dict[str, list[str]] = {}
    for one in maps(program, store, seat):
        lines = ring_lines(one) if one.is_ring else board_lines(one)
        found.setdefault(one.kind, []).extend([one.title, *lines, *_explained(one)])
    return found


def _explained(one: Map) -> Iterator[str]:
    """Yield the legend, and the notes on what has a star."""
    told = "; ".join(f"{symbol} {words}" for symbol, words, _ in one.legend)
    if told:
        yield from wrapped("", told, indent=" " * MARGIN)
    for note in one.notes:
        yield from wrapped("", f"* {note}", indent=" " * MARGIN)


# ------------------------------------------------------------------------------------------- boards


def axes(one: Map) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """Return the headings of columns and rows, by where they are; nothing where the names of the
    spaces are no coordinates: `C7`, or `3,7` of spaces without a name."""
    columns: dict[str, set[int]] = {}
    rows: dict[int, str] = {}
    for place in one.places:
        found = NAMED.fullmatch(place.name)
        parts = found.groups() if found else tuple(place.name.split(","))
        if len(parts) != 2 or rows.setdefault(place.up, parts[1]) != parts[1]:
            return {}, {}
        columns.setdefault(parts[0], set()).add(place.across)
    if any(max(where) - min(where) > 1 for where in columns.values()):
        return {}, {}
    at = {min(where): name for name, where in columns.items()}
    return (at, rows) if len(at) == len(columns) else ({}, {})


def board_lines(one: Map) -> list[str]:
    """Return the lines of a board, in parts side by side if it is too wide."""
    columns, rows = axes(one)
    heads = [columns]
    if columns and one.numbers and set(one.numbers.values()) != set(columns.values()):
        # What is asked for is not what the spaces are called by.
        heads.append({across: name for across, name in one.numbers.items() if across in columns})
    margin = MARGIN + max(map(len, rows.values()), default=0) + 1
    least = max((len(piece[0]) for place in one.places for piece in _pieces(place)), default=1)
    least = max(least, *map(len, columns.values()), 1)
    if not columns:
        least = max(least, max(len(place.name) for place in one.places))
    left = min(place.across for place in one.places)
    right = max(place.across for place in one.places) + 2
    halves = max(4, 2 * ((width() - margin) // (least + 1)))
    lines: list[str] = []
    for start in range(left, right, halves):
        part = [place for place in one.places if start <= place.across < start + halves]
        if part:
            end = min(start + halves, right)
            lines += _part(part, heads, rows, margin, least, end - start)
    return lines


def _part(
    places: Sequence[MapPlace],
    heads: Sequence[Mapping[int, str]],
    rows: Mapping[int, str],
    margin: int,
    least: int,
    halves: int,
) -> Iterator[str]:
    """Yield the lines of a part of a board that is wide enough for a screen."""
    columns = heads[0]
    left = min(place.across for place in places)
    shifted = any((place.across - left) % 2 for place in places)
    most = 2 * (width() - margin) // max(halves, 2)
    wish = max(sum(len(piece[0]) + 1 for piece in _pieces(place)) for place in places)
    pitch = max(least + 1, min(max(wish, *map(len, columns.values()), 1) + 1, most))
    pitch += shifted and pitch % 2
    cells = {place: _cell(place, pitch - 1, named=not columns) for place in places}
    for up in sorted({place.up for place in places}, reverse=True):
        row = sorted((place for place in places if place.up == up), key=lambda place: place.across)
        for number in range(max(len(cells[place]) for place in row)):
            head = rows.get(up, "") if number == 0 else ""
            line = [(head.rjust(margin - 1), "note")]
            for place in row:
                pieces = cells[place][number] if number < len(cells[place]) else []
                at = margin + (place.across - left) * pitch // 2
                line += _centred(pieces, at, pitch - 1, _width(line))
            yield StyledLine(line)
    for axis in heads if columns else ():
        line = []
        for across, name in sorted(axis.items()):
            if left <= across < left + halves:
                at = margin + (across - left) * pitch // 2
                line += _centred([(name, "note")], at, pitch - 1, _width(line))
        yield StyledLine(line)


def _pieces(place: MapPlace) -> list[Piece]:
    return [(symbol.text, style(symbol.owner)) for symbol in place.symbols] or [(EMPTY, "note")]


def style(owner: int | None) -> str:
    """Return the style of what belongs to a seat."""
    return "" if owner is None else f"seat {owner + 1}"


def _cell(place: MapPlace, room: int, named: bool) -> Cell:
    """Return the symbols of a place in lines that are no wider than this."""
    lines: Cell = [[(place.name, "head")]] if named else []
    line: list[Piece] = []
    for piece in _pieces(place) if place.symbols or not named else []:
        if line and _width(line) + 1 + len(piece[0]) > room:
            lines.append(line)
            line = []
        line += [(" ", ""), piece] if line else [piece]
    return [*lines, line] if line else lines


def _centred(pieces: Sequence[Piece], at: int, room: int, so_far: int) -> list[Piece]:
    """Return pieces in the middle of a cell, behind the blanks that lead there."""
    gap = at + (room - _width(pieces)) // 2 - so_far
    return [(" " * max(gap, 0), ""), *pieces]


def _width(pieces: Sequence[Piece]) -> int:
    return sum(len(text) for text, _ in pieces)


# -------------------------------------------------------------------------------------------- rings


def ring_lines(one: Map) -> list[str]:
    """Return the lines of a ring: half of it to the right, the other half back below."""
    count = len(one.places)
    across = (count + 1) // 2
    least = max(
        max([len(place.name), *(len(symbol.text) for symbol in place.symbols)])
        for place in one.places
    )
    most = (width() - MARGIN) // across - len(LINK) - 2
    if most < least or count < 3:
        return list(_listed(one.places))
    wish = max(sum(len(symbol.text) + 1 for symbol in place.symbols) for place in one.places) - 1
    room = max(least, min(wish, most, 3 * least))
    cells = [_cell(place, room, named=True) for place in one.places]
    upper, lower = cells[:across], cells[across:][::-1]
    pitch = room + len(LINK) + 2
    first = across - len(lower)
    lines = [StyledLine(line) for line in _ring_row(upper, 0, pitch, room)]
    bars: list[Piece] = []
    for at in (0, across - 1):
        bars += _centred([("|", "note")], MARGIN + at * pitch, room, _width(bars))
    lines.append(StyledLine(bars))
    lines += [StyledLine(line) for line in _ring_row(lower, first, pitch, room)]
    return list(lines)


def _ring_row(cells: Sequence[Cell], first: int, pitch: int, room: int) -> Iterator[list[Piece]]:
    """Yield the lines of a half of a ring; with an odd number the lower one begins further right."""
    for number in range(max(len(cell) for cell in cells)):
        line: list[Piece] = []
        if first and not number:
            middle = MARGIN + (room - 1) // 2
            dashes = first * pitch - (room - 1) // 2 + (room - _width(cells[0][0])) // 2 - 2
            line = [(" " * middle + "+" + "-" * max(dashes, 1), "note")]
        for place, cell in enumerate(cells, start=first):
            pieces = cell[number] if number < len(cell) else []
            if place > first and not number:
                at = MARGIN + place * pitch - len(LINK) - 1
                line += _centred([(LINK, "note")], at, len(LINK), _width(line))
            line += _centred(pieces, MARGIN + place * pitch, room, _width(line))
        yield line


def _listed(places: Sequence[MapPlace]) -> Iterator[str]:
    """Yield a ring that fits nowhere as a list."""
    for number, place in enumerate(places, start=1):
        symbols = " ".join(symbol.text for symbol in place.symbols)
        yield from wrapped("", f"{number} {place.name} {symbols}", indent=" " * MARGIN)
    yield f"{' ' * MARGIN}-> 1"
