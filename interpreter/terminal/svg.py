"""Maps as a picture: the boards and rings as a seat sees them, as the text of an SVG file.

The picture is built as a tree and written by the XML writer of Python, so that no name or text of a
rule file can be anything but text. It refers to nothing outside of itself and holds no script.
Control characters, which XML does not know, are gone before (`words/text.printable`).
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.terminal.board import axes
from rulewright.interpreter.terminal.maps import Map, MapPlace, maps

BEGINS = '<svg xmlns="http://www.w3.org/2000/svg" class="rulewright"'
"""How every picture begins: only a file that begins so is ever overwritten."""

SIZE = 64
"""The width of a space."""

LINE = 13
MARGIN = 40
LEGEND_LETTERS = 90
LETTER = 6.2
LETTERS_IN_LINE = 9
COLOURS = ("#c62828", "#1565c0", "#2e7d32", "#b8860b", "#8e24aa", "#00838f", "#ef6c00", "#455a64")
"""One for each seat, and again from the first."""

LOOK = (
    "<style>text{font-family:sans-serif;font-size:11px;text-anchor:middle;fill:#222}"
    + "".join(f".seat{n}{{fill:{colour};font-weight:bold}}" for n, colour in enumerate(COLOURS, 1))
    + ".site{fill:#f7f5ee;stroke:#777}.axis{fill:#666}.left{text-anchor:start}"
    ".title{font-size:15px;font-weight:bold;text-anchor:start}.name{font-weight:bold}"
    ".link{stroke:#777;fill:none}</style>"
)

Point = tuple[float, float]


def picture(program: Program, store: Store, seat: Thing | None) -> str | None:
    """Return the boards and rings as a seat (None: everybody) sees them; None if the game has none."""
    drawn = maps(program, store, seat)
    if not drawn:
        return None
    sheet = _SvgDocument(program.game.title)
    for one in drawn:
        sheet.add(one)
    return sheet.text()


class _SvgDocument:
    """A picture that grows downwards."""

    def __init__(self, title: str) -> None:
        self._root = ElementTree.Element("svg", {"class": "rulewright"})
        self._child(self._root, "title", title)
        self._root.append(ElementTree.fromstring(LOOK))
        self._back = self._child(self._root, "rect", fill="white")
        self._width, self._height = 0.0, float(MARGIN)

    def add(self, one: Map) -> None:
        """Add a map with its title above and its legend below."""
        group = self._child(self._root, "g")
        self._text(group, (MARGIN, self._height - 12), one.title, "title")
        width, height = (self._ring if one.is_ring else self._board)(group, one, self._height)
        self._width = max(self._width, width)
        self._height += height
        self._legend(group, one)
        self._height += MARGIN

    def text(self) -> str:
        """Return the text of the file."""
        size = {"width": _number(self._width + MARGIN), "height": _number(self._height)}
        for name, value in size.items():
            self._root.set(name, value)
            self._back.set(name, value)
        self._root.set("viewBox", f"0 0 {size['width']} {size['height']}")
        ElementTree.indent(self._root, " ")
        text = ElementTree.tostring(self._root, encoding="unicode")
        return text.replace('<svg class="rulewright"', BEGINS, 1) + "\n"

    # ------------------------------------------------------------------------------------- shapes

    def _board(self, group: ElementTree.Element, one: Map, top: float) -> tuple[float, float]:
        left = min(place.across for place in one.places)
        high = max(place.up for place in one.places)
        low = min(place.up for place in one.places)
        hexagons = any((place.across - left) % 2 for place in one.places)
        step = SIZE * math.sqrt(3) / 2 if hexagons else SIZE
        columns, rows = axes(one)

        def middle(across: int, up: int) -> Point:
            return (
                MARGIN + 12 + (across - left + 1) * SIZE / 2,
                top + SIZE / 2 + (high - up) * step,
            )

        for place in one.places:
            x, y = middle(place.across, place.up)
            half = SIZE / 2
            corners = [
                (x - half, y - half),
                (x + half, y - half),
                (x + half, y + half),
                (x - half, y + half),
            ]
            if hexagons:
                radius = SIZE / math.sqrt(3)
                turns = (math.pi / 6 + math.pi / 3 * number for number in range(6))
                corners = [
                    (x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns
                ]
            self._place(group, place, (x, y), corners, named=not columns)
        for up, name in rows.items():
            first = min(place.across for place in one.places if place.up == up)
            x, y = middle(first, up)
            self._text(group, (x - SIZE / 2 - 10, y + 4), name, "axis")
        bottom = top + (high - low) * step + SIZE + (SIZE / 8 if hexagons else 0)
        for across, name in columns.items():
            number = one.numbers.get(across, name)
            told = name if number == name else f"{name} {number}"
            self._text(group, (middle(across, low)[0], bottom + 12), told, "axis")
        right = max(middle(place.across, place.up)[0] for place in one.places) + SIZE / 2
        return right, bottom + 18 - top

    def _ring(self, group: ElementTree.Element, one: Map, top: float) -> tuple[float, float]:
        count, half = len(one.places), SIZE * 0.75
        radius = max(2 * SIZE, count * 2.4 * half / (2 * math.pi)) if count > 1 else 0.0
        x, y = MARGIN + half + radius, top + half + radius
        if count > 1:
            sizes = {"cx": _number(x), "cy": _number(y), "r": _number(radius)}
            self._child(group, "circle", **{"class": "link"}, **sizes)
        for number, place in enumerate(one.places):
            turn = 2 * math.pi * number / count - math.pi / 2
            at = (x + radius * math.cos(turn), y + radius * math.sin(turn))
            turns = (math.pi / 8 + math.pi / 4 * corner for corner in range(8))
            corners = [
                (at[0] + half * math.cos(one_), at[1] + half * math.sin(one_)) for one_ in turns
            ]
            self._place(group, place, at, corners, named=True)
        return x + radius + half, 2 * (radius + half) + 4

    def _place(
        self,
        group: ElementTree.Element,
        place: MapPlace,
        at: Point,
        corners: Iterable[Point],
        named: bool,
    ) -> None:
        """Draw a space with its symbols; all of it in words shows where the pointer rests."""
        space = self._child(group, "g")
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._child(space, "polygon", **{"class": "site", "points": points})
        told = [
            f"{symbol.count} x {symbol.words}" if symbol.count > 1 else symbol.words
            for symbol in place.symbols
        ]
        told += [f"{symbol.words}: {symbol.note}" for symbol in place.symbols if symbol.note]
        self._child(
            space, "title", ": ".join([place.name, "; ".join(told)] if told else [place.name])
        )
        lines: list[list[tuple[str, str]]] = [[(place.name, "name")]] if named else []
        lines += _lines([(symbol.text, _class(symbol.owner)) for symbol in place.symbols])
        for number, line in enumerate(lines):
            y = at[1] + 4 + (number - (len(lines) - 1) / 2) * LINE
            text = self._text(space, (at[0], y), "", "")
            for place_, (part, style) in enumerate(line):
                self._child(
                    text,
                    "tspan",
                    f" {part}" if place_ else part,
                    **({"class": style} if style else {}),
                )

    def _legend(self, group: ElementTree.Element, one: Map) -> None:
        lines = [(f"{symbol}  {words}", _class(owner)) for symbol, words, owner in one.legend]
        lines += [(f"* {note}", "") for note in one.notes]
        for told, style in lines:
            for part in textwrap.wrap(told, LEGEND_LETTERS) or [""]:
                self._height += LINE + 1
                self._text(group, (MARGIN, self._height), part, f"left {style}".strip())
                self._width = max(self._width, MARGIN + LETTER * len(part))

    # ---------------------------------------------------------------------------------- elements

    def _text(
        self, parent: ElementTree.Element, at: Point, text: str, style: str
    ) -> ElementTree.Element:
        where = {"x": _number(at[0]), "y": _number(at[1])}
        return self._child(parent, "text", text, **({"class": style} if style else {}), **where)

    def _child(
        self, parent: ElementTree.Element, tag: str, text: str = "", **attributes: str
    ) -> ElementTree.Element:
        child = ElementTree.SubElement(parent, tag, attributes)
        if text:
            child.text = text
        return child


def _lines(pieces: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Return symbols in lines that fit into a space."""
    lines: list[list[tuple[str, str]]] = []
    for piece in pieces:
        long = sum(len(text) + 1 for text, _ in lines[-1]) + len(piece[0]) if lines else 0
        if not lines or long > LETTERS_IN_LINE:
            lines.append([])
        lines[-1].append(piece)
    return lines


def _class(owner: int | None) -> str:
    return "" if owner is None else f"seat{owner % len(COLOURS) + 1}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
