"""The lines of a file in pieces (words, signs and texts), and which of them begin an item.

The parser knows only the words it expects. To say what is wrong with a line it does not understand,
one has to look at the line as its author did: which word it begins with, which bracket or quote has
no partner, which line stands inside of which.

An item begins at an unindented line; one that was moved in by mistake is found by its shape:

    each Card has
      worth: number
      to play                (no verb of a card: nothing stands below it, but beside it)
      set turn to 1
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

import attrs

from rulewright.dsl.syntax import foreign_words

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
class LogicalLine:
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


def split(text: str, start: int, end: int) -> list[LogicalLine]:
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


def _line(text: str, start: int, end: int) -> LogicalLine:
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
    return LogicalLine(start, end, indent, pieces)


def unmatched(lines: Iterable[LogicalLine]) -> list[Piece]:
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


def joined(lines: Sequence[LogicalLine]) -> list[LogicalLine]:
    """Return the lines with those made one that brackets or a `, then` join."""
    lonely = {piece.start for piece in unmatched(lines)}
    result: list[LogicalLine] = []
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


def _continues(before: LogicalLine, line: LogicalLine) -> bool:
    return line.first == "then" and before.pieces[-1].text == ","


# --------------------------------------------------------------------------------------------- items


_BLOCK_HEAD = re.compile(
    r"(?:to [a-z_]\w*|each [A-Z]\w* (?:also )?has|the game (?:also )?has|ranking|example)\b"
)
_HEAD = re.compile(
    _BLOCK_HEAD.pattern
    + r"|(?:use|define) [a-z_]\w*|module [a-z_]\w*$|examples of\b|(?:game|variant) \""
)
_TAKES_BLOCK = frozenset(
    (
        *("each", "the", "to", "define", "tally", "ranking", "example", "table", "during"),
        *("before", "after", "instead", "change", "as", "check", "neutral"),
    )
)
_BEGIN = frozenset((*foreign_words.ITEMS, *foreign_words.MEMBERS))


def heads_moved_in(lines: Sequence[LogicalLine]) -> frozenset[LogicalLine]:
    """Return the indented lines that begin an item all the same.

    Either no line of the item before has that level, or what belongs below it stands beside it.
    """
    found: set[LogicalLine] = set()
    levels: set[int] = set()
    takes_block = False
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        if line.indent == 0:
            levels, takes_block = set(), line.first in _TAKES_BLOCK
            continue
        words = " ".join(piece.text for piece in line.pieces)
        if _HEAD.match(words) is not None:
            is_strange = line.indent not in levels if levels else not takes_block
            beside = after is not None and after.indent == line.indent
            is_empty = beside and after is not None and after.first not in _BEGIN
            if is_strange or (is_empty and _BLOCK_HEAD.match(words) is not None):
                found.add(line)
                levels, takes_block = set(), line.first in _TAKES_BLOCK
                continue
        levels.add(line.indent)
    return frozenset(found)


def follows(lines: Sequence[LogicalLine], first: LogicalLine, second: LogicalLine) -> bool:
    """Return whether two lines belong to one block: nothing between them stands further out."""
    low, high = sorted((first.start, second.start))
    between = [line.indent for line in lines if low < line.start < high]
    return min(between, default=first.indent) >= min(first.indent, second.indent)


def is_step(line: LogicalLine) -> bool:
    """Return whether a line that begins like a step is none that declares fields of that name."""
    return len(line.pieces) > 1 and line.pieces[1].text not in (":", ",")


def at_the_edge(lines: Sequence[LogicalLine]) -> list[LogicalLine]:
    """Return the lines of an item as if its first were not indented."""
    first = attrs.evolve(lines[0], start=lines[0].pieces[0].start, indent=0)
    return [first, *lines[1:]]


def is_torn(after: list[LogicalLine] | None) -> bool:
    """Whether the item before was cut off by a line that begins none."""
    return after is not None and after[0].first not in (
        *foreign_words.ITEMS,
        *foreign_words.HEADERS,
    )


def items_of(lines: Sequence[LogicalLine]) -> list[list[LogicalLine]]:
    """Return the lines of each item: it begins with an unindented line outside of brackets.

    A word that begins items does so even inside of brackets, as these may lack an end.
    """
    moved = heads_moved_in(lines)
    lonely = {piece.start for piece in unmatched(lines)}
    items: list[list[LogicalLine]] = []
    depth = 0
    for line in lines:
        is_item = line.first in foreign_words.ITEMS or line.first in foreign_words.HEADERS
        at_edge = line.indent == 0 or line in moved
        if not items or (at_edge and (depth <= 0 or is_item)):
            items.append([])
            depth = 0
        items[-1].append(line)
        depth += sum(piece.step for piece in line.pieces if piece.start not in lonely)
    return items
