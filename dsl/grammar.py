"""Text and a start symbol go in, Lark's tree comes out, or a `Fault`: all there is of Lark.

Making the tables of the grammar takes as long as reading a dozen files, so they are kept in the
user's cache folder, one file for each version of grammar, Lark and Python. Whatever is wrong with
that folder, we silently do without it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.dsl.lexing import BadIndentation, Layout

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

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


@cache
def grammar() -> Lark:
    """Return the parser of the grammar."""
    from lark import Lark

    text = resources.files("rulewright.dsl").joinpath("grammar.lark").read_text("utf-8")
    path = _cache_file(text)
    if path is None:
        return make_parser(text)
    # A damaged file fails in any way it likes.
    with suppress(Exception), path.open("rb") as kept:
        return Lark.load(kept)
    parser = make_parser(text)
    with suppress(OSError):
        _keep(parser, path)
    return parser


def _keep(parser: Lark, path: Path) -> None:
    """Write the tables under another name first: nobody shall find half a file."""
    unfinished = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    with unfinished.open("wb") as file:
        parser.save(file)
    unfinished.replace(path)


def make_parser(text: str, **options: Any) -> Lark:
    """Return a parser of a grammar, with Lark's options besides those that we always need."""
    from lark import Lark

    return Lark(
        text,
        parser="lalr",
        start=list(STARTS),
        postlex=Layout(),
        propagate_positions=_is_visible,
        maybe_placeholders=True,
        **options,
    )


def _cache_file(text: str) -> Path | None:
    """Return where the tables are kept, or nothing if there is no safe place."""
    import lark

    version = f"{lark.__version__} {sys.version}"
    key = hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()
    folder = cache_folder()
    return None if folder is None else folder / f"grammar-{key[:20]}.pickle"


def cache_folder() -> Path | None:
    """Return the user's folder for what can be made again, or nothing if there is no safe one."""
    import platformdirs

    try:
        folder = Path(platformdirs.user_cache_dir("rulewright"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_private(folder) else None
    except (OSError, RuntimeError):
        return None


def _is_private(folder: Path) -> bool:
    """Whether nobody else can write to a folder: loading a pickle runs what stands in it."""
    if not folder.is_absolute() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
