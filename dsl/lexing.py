"""Behind Lark's lexer: tokens go in; out come tokens with blocks, and with names for soft keywords.

Indentation becomes `_INDENT` and `_DEDENT`; inside brackets line breaks do not count.

Most keywords are soft. A word that begins an item (`table`), a line of an example (`given`) or a
criterion (`most`) is a keyword only there, everywhere else it is a name: a field may be called
`table`, a card `chance`. A contextual lexer alone cannot tell, since a state of the parser may
accept both; here the place in the line decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Token

ITEM_WORDS = frozenset(
    (
        *("game", "variant", "module", "examples"),
        *("use", "book", "includes", "excludes", "requires", "option", "ruling"),
        *("kind", "unit", "the", "neutral", "table", "check", "ranking", "example"),
    )
)
EXAMPLE_WORDS = frozenset(("players", "given", "chance", "expect", "refuse", "allow"))
RANKING_WORDS = frozenset(("most", "fewest"))

# Never keywords in a `choose`, so that `choose 2 players from …` is possible.
NAMES_IN_CHOOSE = frozenset(("also", "because", "holds", "per", "players", "times", "together"))

RESERVED = frozenset(
    (
        *("if", "then", "else", "and", "or", "not", "is", "in", "mod", "where", "each", "as"),
        *("without", "having", "sorted", "every", "some", "no", "yes", "none", "empty"),
        *("original", "me", "my", "it", "its"),
        *("let", "choose", "may", "either", "for", "repeat", "need", "step", "until", "do", "end"),
        *("stop", "any", "such", "ask"),
        *("define", "tally", "change", "before", "after", "instead", "during", "when", "has"),
        *("see", "to", "from", "by", "at", "with", "into", "onto", "on", "over", "against"),
    )
)
"""Never a name, wherever it stands."""

_OPEN = frozenset(("_LPAR", "_CALLPAR", "LSQB"))
_CLOSE = frozenset(("_RPAR", "RSQB"))


class BadIndentation(Exception):
    """A line is indented to no level that is open; the argument is the token before it."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Layout:
    """Lark's `postlex`: blocks and soft keywords. It keeps nothing from one text to the next."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens of a text with its blocks marked and its soft keywords sorted out."""
        return _soft_keywords(_blocks(stream))


def _blocks(stream: Iterator[Token]) -> Iterator[Token]:
    levels = [0]
    brackets = 0
    token = None
    for token in stream:
        kind = token.type
        if kind == "_NL":
            if brackets == 0:
                yield token
                yield from _changes(token, levels)
            continue
        if kind in _OPEN:
            brackets += 1
        elif kind in _CLOSE:
            brackets -= 1
        yield token
    while len(levels) > 1:
        levels.pop()
        assert token is not None
        yield type(token).new_borrow_pos("_DEDENT", "", token)


def _changes(token: Token, levels: list[int]) -> Iterator[Token]:
    """Yield the blocks that begin or end at a line break."""
    width = len(token.rpartition("\n")[2].expandtabs(4))
    if width > levels[-1]:
        levels.append(width)
        yield type(token).new_borrow_pos("_INDENT", "", token)
    while width < levels[-1]:
        levels.pop()
        yield type(token).new_borrow_pos("_DEDENT", "", token)
    if width != levels[-1]:
        raise BadIndentation(token.end_pos or 0)


def _soft_keywords(stream: Iterator[Token]) -> Iterator[Token]:
    level = 0
    item = line = ""
    first = True
    for token in stream:
        kind = token.type
        if kind == "_NL":
            first = True
        elif kind == "_INDENT":
            level += 1
        elif kind == "_DEDENT":
            level -= 1
        elif first:
            first = False
            line = token.value
            if level == 0:
                item = line
            elif kind != "NAME" and _is_name_first(line, item):
                token = _as_name(token)
        elif kind != "NAME" and _is_name_inside(token.value, line):
            token = _as_name(token)
        yield token


def _is_name_first(word: str, item: str) -> bool:
    """Whether a word is a name although it begins a line inside of an item."""
    return (
        word in ITEM_WORDS
        or (word in EXAMPLE_WORDS and item != "example")
        or (word in RANKING_WORDS and item != "ranking")
    )


def _is_name_inside(word: str, line: str) -> bool:
    """Whether a word is a name because of the first word of its line."""
    return line == "choose" and word in NAMES_IN_CHOOSE


def _as_name(token: Token) -> Token:
    return type(token).new_borrow_pos("NAME", token.value, token)
