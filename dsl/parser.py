"""Rule text goes in; the syntax tree of the file comes out, with messages about what it is not.

A file is read whole. Only if that fails, `recover` reads it item by item and finds the words for
each mistake. The tables of the grammar are kept in the user's cache folder, since making them takes
as long as reading a dozen files.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from rulewright.dsl import nodes
from rulewright.dsl.build import FileBuilder
from rulewright.dsl.build_expressions import TooDeep
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.lexing import BadIndentation, Layout
from rulewright.dsl.source import Source

if TYPE_CHECKING:
    from lark import Lark

STARTS = ["start", "header", "item", "formula"]

_FIRST_LINE = re.compile(r"(?:[ \t\ufeff]*(?:#.*)?\r?\n)*\ufeff?language[ \t]+(\S+)")


class _Visible:
    """Says which tokens count for the place of a construct; citations and line breaks do not."""

    def __call__(self, part: object) -> bool:
        return getattr(part, "type", "") not in ("_NL", "_INDENT", "_DEDENT", "SEE")

    def __repr__(self) -> str:
        # Lark puts this into the key of its cache.
        return "visible tokens"


@cache
def grammar() -> Lark:
    """Return the parser of the grammar."""
    from lark import Lark

    text = resources.files("rulewright.dsl").joinpath("grammar.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        start=STARTS,
        postlex=Layout(),
        propagate_positions=_Visible(),
        maybe_placeholders=True,
    )


def parse(source: Source) -> tuple[nodes.File | None, tuple[Diagnostic, ...]]:
    """Return the syntax tree of a file and what is wrong with it."""
    from lark.exceptions import UnexpectedInput

    first = _FIRST_LINE.match(source.text)
    if first is None:
        help = 'write "language 1" as the first line'
        return None, (diagnostic("RW006", source.span(0, 0), help=help),)
    if first.group(1) != "1":
        span = source.span(*first.span(1))
        return None, (diagnostic("RW007", span, name=first.group(1)),)
    builder = FileBuilder(source, 0, parse_formula)
    try:
        return builder.build(grammar().parse(source.text + "\n", start="start")), tuple(
            builder.diagnostics
        )
    except UnexpectedInput as problem:
        place = problem.pos_in_stream or 0
        return None, (diagnostic("RW101", source.span(place, place + 1)),)
    except BadIndentation as problem:
        return None, (diagnostic("RW102", source.span(problem.offset, problem.offset)),)
    except TooDeep as problem:
        return None, (diagnostic("RW101", problem.span, found="so much inside one another"),)


def parse_formula(
    source: Source, start: int, end: int
) -> tuple[nodes.Expression | None, tuple[Diagnostic, ...]]:
    """Return the expression between two offsets of a source and what is wrong with it."""
    from lark.exceptions import UnexpectedInput

    builder = FileBuilder(source, start, parse_formula)
    try:
        tree = grammar().parse(source.text[start:end], start="formula")
        return builder.build(tree.children[0]), tuple(builder.diagnostics)
    except (UnexpectedInput, BadIndentation, TooDeep):
        return None, (diagnostic("RW101", source.span(start, end), found="this"),)
