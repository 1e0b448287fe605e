"""The lines of a broken file go in, the lines of each of its items come out.

An item begins at an unindented line; one that was moved in by mistake is found by its shape:

    each Card has
      worth: number
      to play                (no verb of a card: nothing stands below it, but beside it)
      set turn to 1
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from rulewright.dsl.syntax import foreign_words
from rulewright.dsl.syntax.logical_lines import Line, unmatched

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


def heads_moved_in(lines: Sequence[Line]) -> frozenset[Line]:
    """Return the indented lines that begin an item all the same.

    Either no line of the item before has that level, or what belongs below it stands beside it.
    """
    found: set[Line] = set()
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


def follows(lines: Sequence[Line], first: Line, second: Line) -> bool:
    """Return whether two lines belong to one block: nothing between them stands further out."""
    low, high = sorted((first.start, second.start))
    between = [line.indent for line in lines if low < line.start < high]
    return min(between, default=first.indent) >= min(first.indent, second.indent)


def is_step(line: Line) -> bool:
    """Return whether a line that begins like a step is none that declares fields of that name."""
    return len(line.pieces) > 1 and line.pieces[1].text not in (":", ",")


def at_the_edge(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of an item as if its first were not indented."""
    first = attrs.evolve(lines[0], start=lines[0].pieces[0].start, indent=0)
    return [first, *lines[1:]]


def is_torn(after: list[Line] | None) -> bool:
    """Whether the item before was cut off by a line that begins none."""
    return after is not None and after[0].first not in (
        *foreign_words.ITEMS,
        *foreign_words.HEADERS,
    )


def items_of(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of each item: it begins with an unindented line outside of brackets.

    A word that begins items does so even inside of brackets, as these may lack an end.
    """
    moved = heads_moved_in(lines)
    lonely = {piece.start for piece in unmatched(lines)}
    items: list[list[Line]] = []
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
