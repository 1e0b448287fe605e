"""A stretch of text goes in, its lines come out in pieces: words, signs and texts.

The parser knows only the words it expects. To say what is wrong with a line it does not understand,
one has to look at the line as its author did: which word it begins with, which bracket or quote has
no partner, which line stands inside of which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

import attrs

_PIECE = re.compile(
    r"""(?P<comment>\#.*)
    |(?P<see>\bsee\b.*)
    |(?P<text>"[^"\n]*")
    |(?P<open>".*)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<number>[0-9]+)
    |(?P<sign>\.\.|<=|>=|=>|[-+*/<>=.,:?()\[\]])
    |(?P<bad>[^\ \t])""",
    re.VERBOSE,
)
_INDENTATION = re.compile(r"[ \t]*")

_PARTNERS = {")": "(", "]": "["}


@attrs.frozen
class Piece:
    """A word, sign, number or text; `open` is a text without an end, `bad` another character."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind the last character."""
        return self.start + len(self.text)

    @property
    def step(self) -> int:
        """1 for a bracket that opens, -1 for one that closes, 0 for all else."""
        if self.kind != "sign":
            return 0
        return (self.text in _PARTNERS.values()) - (self.text in _PARTNERS)


@attrs.frozen
class Line:
    """A line, or several that belong together because brackets or a `, then` join them."""

    start: int
    end: int
    indent: int
    pieces: tuple[Piece, ...]
    """Without comments; a row of a table is one piece."""

    @property
    def first(self) -> str:
        """The first word; nothing if the line begins with something else."""
        return self.pieces[0].text if self.pieces and self.pieces[0].kind == "word" else ""

    @property
    def content(self) -> tuple[Piece, ...]:
        """The pieces without the citation."""
        return tuple(takewhile(lambda piece: piece.kind != "see", self.pieces))


def split(text: str, start: int, end: int) -> list[Line]:
    """Return the lines between two offsets that say anything, brackets not yet joined."""
    lines = []
    # The mark of some editors at the beginning of a file is no part of it.
    start += text.startswith("\ufeff") and start == 0
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        line = _line(text, start, stop - (text[start:stop].endswith("\r")))
        if line.pieces:
            lines.append(line)
        start = stop + 1
    return lines


def _line(text: str, start: int, end: int) -> Line:
    body = start + len(_INDENTATION.match(text, start, end).group())  # type: ignore[union-attr]
    indent = len(text[start:body].expandtabs(4))
    if text.startswith("|", body):
        pieces: tuple[Piece, ...] = (Piece("row", text[body:end].rstrip(), body),)
    else:
        pieces = tuple(
            [
                Piece(found.lastgroup or "", found.group().rstrip(" \t"), found.start())
                for found in _PIECE.finditer(text, body, end)
                if found.lastgroup != "comment"
            ]
        )
    return Line(start, end, indent, pieces)


def unmatched(lines: Iterable[Line]) -> list[Piece]:
    """Return the brackets that have no partner, in order."""
    lonely = []
    opened: list[Piece] = []
    for piece in (piece for line in lines for piece in line.pieces if piece.kind == "sign"):
        if piece.text in _PARTNERS.values():
            opened.append(piece)
        elif piece.text in _PARTNERS:
            if opened and opened[-1].text == _PARTNERS[piece.text]:
                opened.pop()
            else:
                lonely.append(piece)
    return sorted([*lonely, *opened], key=lambda piece: piece.start)


def joined(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with those made one that brackets or a `, then` join."""
    lonely = {piece.start for piece in unmatched(lines)}
    result: list[Line] = []
    depth = 0
    for line in lines:
        if result and (depth > 0 or _continues(result[-1], line)):
            result[-1] = attrs.evolve(
                result[-1], end=line.end, pieces=result[-1].pieces + line.pieces
            )
        else:
            result.append(line)
        depth += sum(piece.step for piece in line.pieces if piece.start not in lonely)
    return result


def _continues(before: Line, line: Line) -> bool:
    return line.first == "then" and before.pieces[-1].text == ","
