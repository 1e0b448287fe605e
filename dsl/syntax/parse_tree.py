"""Lark: the parser and its tables, which turn text into a parse tree or raise a `Fault`.

Making the tables of the grammar takes as long as reading a dozen files, so they are kept in the
user's cache folder (see `files.cache`), one file for each version of grammar, Lark and Python.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.dsl.files import cache

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
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


class PostLexer:
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
        elif kind != "NAME" and line == "choose" and token.value in NAMES_IN_CHOOSE:
            token = _as_name(token)
        yield token


def _is_name_first(word: str, item: str) -> bool:
    """Whether a word is a name although it begins a line inside of an item."""
    return (
        word in ITEM_WORDS
        or (word in EXAMPLE_WORDS and item != "example")
        or (word in RANKING_WORDS and item != "ranking")
    )


def _as_name(token: Token) -> Token:
    return type(token).new_borrow_pos("NAME", token.value, token)


# --------------------------------------------------------------------------------------- parse tree


STARTS = ("start", "header", "item", "formula")
"""A file, its header, one of its items, and an expression by itself."""


class Fault(Exception):
    """The place where a text stops making sense."""

    def __init__(self, offset: int, kind: str, expected: frozenset[str]) -> None:
        super().__init__(offset, kind)
        self.offset = offset
        """Where the word begins that cannot stand there, in the text that was read."""
        self.kind = kind
        """The terminal that was found; `BAD` is a character of none, `LEVEL` a bad indentation."""
        self.expected = expected
        """What could stand there: words and signs as they are written, other terminals by name."""


def read(text: str, start: str) -> Tree[Token]:
    """Return the parse tree of a text that ends with a line break; raise `Fault` if it has none."""
    from lark.exceptions import UnexpectedInput

    try:
        return grammar().parse(text, start=start)
    except BadIndentation as problem:
        raise Fault(problem.offset, "LEVEL", frozenset()) from None
    except UnexpectedInput as problem:
        token = getattr(problem, "token", None)
        kind = "BAD" if token is None else token.type
        # Lark puts the end of a text on its last token.
        offset = len(text) if kind == "$END" else problem.pos_in_stream or 0
        raise Fault(offset, kind, _expected(text, start)) from None


def _expected(text: str, start: str) -> frozenset[str]:
    """Return what could have stood where a text stops making sense.

    When Lark notices an error it has already closed what the wrong word cannot continue: after
    `a equals` it expects the end of the line and no longer an `is`. So we stop one word before.
    """
    from lark.exceptions import UnexpectedInput

    read = 0
    parser: Any = grammar().parse_interactive(text, start)
    with suppress(UnexpectedInput):
        for token in parser.lexer_thread.lex(parser.parser_state):
            parser.feed_token(token)
            read += 1
    parser = grammar().parse_interactive(text, start)
    for token in islice(parser.lexer_thread.lex(parser.parser_state), read):
        parser.feed_token(token)
    return frozenset(_as_written(name) for name in parser.accepts())


def _as_written(terminal: str) -> str:
    if terminal in ("$END", "_INDENT", "_DEDENT"):
        return terminal
    pattern = grammar().get_terminal(terminal).pattern
    return str(pattern.value) if pattern.type == "str" else terminal


def _is_visible(part: object) -> bool:
    """Whether a part counts for the place of a construct; citations and line breaks do not."""
    return getattr(part, "type", "") not in ("_NL", "_INDENT", "_DEDENT", "SEE")


@functools.cache
def grammar() -> Lark:
    """Return the parser of the grammar."""
    from lark import Lark

    text = resources.files("rulewright.dsl.syntax").joinpath("grammar.lark").read_text("utf-8")
    path, key = _cache_file(text)
    if path is None:
        return make_parser(text)
    # A damaged file fails in any way it likes.
    with suppress(Exception):
        tables = cache.unpacked(cache.kept(path, key), (), {**OURS, LAYOUT: PostLexer()})
        return Lark.load(tables)
    parser = make_parser(text)
    with suppress(OSError):
        cache.keep(path, key, _tables(parser))
    return parser


def _tables(parser: Lark) -> bytes:
    """Return what `Lark.load` makes the parser from, as plain data: `Lark.save` would write classes
    and functions by their names, and reading them could run anything."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    ours = {**OURS, LAYOUT: parser.options.postlex}
    return cache.packed({"data": data, "memo": memo}, ours)


def make_parser(text: str, **options: Any) -> Lark:
    """Return a parser of a grammar, with Lark's options besides those that we always need."""
    from lark import Lark

    return Lark(
        text,
        parser="lalr",
        start=list(STARTS),
        postlex=PostLexer(),
        propagate_positions=_is_visible,
        maybe_placeholders=True,
        **options,
    )


OURS = {"visible": _is_visible}
LAYOUT = "layout"
"""What stands for our parts in the tables."""


def _cache_file(text: str) -> tuple[Path | None, bytes]:
    """Return where the tables are kept, if there is a safe place, and their key."""
    import lark

    version = f"{lark.__version__} {sys.version}"
    key = hashlib.sha256(f"{version}\n{text}".encode()).digest()
    folder = cache.cache_folder()
    return None if folder is None else folder / f"grammar-{key.hex()[:20]}.pickle", key
