"""The parser: from rule text to the syntax tree of a file, with messages about what cannot be read.

A file is read whole. Only if that fails, `recovery` reads it item by item and finds the words for
each mistake.
"""

from __future__ import annotations

import re

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import TooDeep, too_deep
from rulewright.dsl.syntax.build_items import file_builder
from rulewright.dsl.syntax.messages import explain_formula
from rulewright.dsl.syntax.parse_tree import Fault, read
from rulewright.dsl.syntax.recovery import recover
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic, in_order
from rulewright.dsl.text.source import Source

_COMMENTS = re.compile(r"\ufeff?(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*")
_FIRST_LINE = re.compile(_COMMENTS.pattern + r"language[ \t]+([^\s#]+)")
_DOUBLED = re.compile(r'""((?:[^"]|"(?!"))*)""')
_WORDS = re.compile(r"\w+|[^\s\w]")
_TAB = re.compile(r"^ *\t[ \t]*(?=[^\s#])", re.MULTILINE)


def parse(source: Source) -> tuple[nodes.File | None, tuple[Diagnostic, ...]]:
    """Return the syntax tree of a file and what is wrong with it.

    The tree holds all that could be read; there is none only if the file has no readable title.
    """
    problem = _first_line(source) or _too_large(source)
    if problem is not None:
        return None, (problem,)
    tabs = _tabs(source)
    try:
        builder = file_builder(source)
        file: nodes.File | None = builder.build(read(_text(source), "start"))
        problems = tuple(builder.diagnostics)
    except (Fault, TooDeep, RecursionError):
        file, problems = recover(source, bool(tabs))
    return file, in_order([*tabs, *problems])


MOST_LINES = 12_000
MOST_WORDS = 60_000
MOST_IN_A_LINE = 12_000


def _too_large(source: Source) -> Diagnostic | None:
    """Return the message about a file that is longer than any rules, before it costs anything."""
    starts = source.line_starts
    if len(starts) > MOST_LINES:
        return _too_long(source, starts[MOST_LINES], f"more than {MOST_LINES:,} lines")
    if len(source.text) <= MOST_IN_A_LINE:
        return None
    words = 0
    for number, start in enumerate(starts, 1):
        line = source.line_text(number)
        found = sum(1 for _ in _WORDS.finditer(line)) if len(line) > MOST_IN_A_LINE else None
        if found is not None and found > MOST_IN_A_LINE:
            return _too_long(source, start, f"more than {MOST_IN_A_LINE:,} words in a line")
        words += _rough(line) if found is None else found
        if words > MOST_WORDS:
            return _too_long(source, start, f"more than {MOST_WORDS:,} words")
    return None


def _rough(line: str) -> int:
    """Return how many words and signs a line may have; an empty one or a comment has none."""
    return sum(1 for _ in _WORDS.finditer(line.partition("#")[0]))


def _too_long(source: Source, start: int, label: str) -> Diagnostic:
    help = "put parts of it into modules, variants or tables"
    return diagnostic("RW004", source.span(start, start), label, help=help, name=source.name)


def _text(source: Source) -> str:
    """Return the text as the grammar takes it: ending a line, and without an editor's mark."""
    text = source.text + "\n"
    return " " + text[1:] if text.startswith("\ufeff") else text


def _first_line(source: Source) -> Diagnostic | None:
    found = _FIRST_LINE.match(source.text)
    if found is None:
        found = _COMMENTS.match(source.text)
        start = found.end() if found else 0
        span = source.span(start, start)
        return diagnostic("RW006", span, help='write "language 1" as the first line')
    if found.group(1) == "1":
        return None
    help = "write `language 1`, or get a newer version of this program"
    return diagnostic("RW007", source.span(*found.span(1)), help=help, name=found.group(1))


def _tabs(source: Source) -> list[Diagnostic]:
    """Return one message, however many lines are indented with tabs: an editor makes them all."""
    found = list(_TAB.finditer(source.text))
    if not found:
        return []
    notes = [f"so are {len(found) - 1} more lines"] if len(found) > 2 else []
    span = source.span(*found[0].span())
    return [diagnostic("RW103", span, help="indent with blanks, two a level", notes=notes)]


def parse_formula(
    source: Source, start: int, end: int
) -> tuple[nodes.Expression | None, tuple[Diagnostic, ...]]:
    """Return the expression between two offsets of a source and what is wrong with it."""
    builder = file_builder(source, start)
    text = source.text[start:end]
    if source.name.endswith(".csv") and source.text[:start].endswith('"`'):
        # In a quoted cell of a CSV file quotes are written twice: their places stay the same.
        text = _DOUBLED.sub(r' "\1" ', text)
    try:
        value: nodes.Expression = builder.build(read(text, "formula"))
        return value, in_order(builder.diagnostics)
    except Fault as fault:
        return None, (explain_formula(source, start, end, fault),)
    except TooDeep as problem:
        return None, (too_deep(problem.span),)
    except RecursionError:
        return None, (too_deep(source.span(start, end)),)
