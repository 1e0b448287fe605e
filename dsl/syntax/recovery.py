"""Recovery from errors: what can be read of a file that cannot be read as a whole, and messages.

The text is cut into items at its unindented lines, and each item is read on its own. While that
fails, the line at fault is reported and taken out, and the rest is read again:

    to turn                        to turn
      chose 2 cards from hand
      draw 1 from codes      ->      draw 1 from codes

So every mistake gets one message, at its own line. What a removed line takes with it goes, too: its
block, the `else` of an `if`, a block that has become empty. Whoever declares names in a removed
line must not get messages about each use of them, so the words of these lines are kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import attrs

from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.syntax.build_base import TooDeep, too_deep
from rulewright.dsl.syntax.build_items import file_builder
from rulewright.dsl.syntax.logical_lines import (
    LogicalLine,
    Piece,
    at_the_edge,
    follows,
    is_step,
    is_torn,
    items_of,
    joined,
    split,
)
from rulewright.dsl.syntax.messages import (
    Mistake,
    did_you_mean,
    explain,
    unclosed,
    unknown_head,
    unknown_step,
)
from rulewright.dsl.syntax.parse_tree import Fault, read
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.text.suggest import nearest

MOST, MOST_READ = 20, 400_000
"""So many mistakes are reported and letters read: who makes more has another problem."""

# What the lines below a line are, by its first word; below all others are steps.
_PLACES = {
    "each": "member",
    "the": "member",
    "example": "example",
    "ranking": "criterion",
    "tally": "tally",
    "table": "row",
    "define": "definition",
    "during": "during",
    "choose": "clause",
}

_BELOW = {
    "define": "write the value behind `=`, or indent it below",
    "each": "indent its fields below it",
    "the": "indent its fields below it",
    "example": "indent its lines below it",
    "ranking": "indent its criteria below it, one a line",
    "tally": "indent its lines below it",
    "during": "indent its amendments and offers below it",
}

# The first words of steps, without those of the clauses of a `choose`.
_STEPS = frozenset((*foreign_words.STEPS, *foreign_words.CORE_VERBS)) - {"or"}

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ARMS = frozenset(('`or "…"` is missing', "the value is missing", "no `either` above it"))
_TITLE = 'write `game "Title" for 2..4 players` as the second line'


def recover(source: Source, tabs: bool) -> tuple[nodes.File | None, tuple[Diagnostic, ...]]:
    """Return what can be read of a broken file, and a message for each of its mistakes.

    With tabs in the indentation (which are reported already) nobody knows which line stands inside
    of which, so nothing is said about that.
    """
    recovery = _Recovery(source, tabs)
    file = recovery.file()
    return file, tuple(recovery.diagnostics)


class _Recovery:
    def __init__(self, source: Source, tabs: bool) -> None:
        self.source = source
        self.tabs = tabs
        self.diagnostics: list[Diagnostic] = []
        self.broken, self.read = set[str](), 0

    def file(self) -> nodes.File | None:
        language, *items = items_of(split(self.source.text, 0, len(self.source.text)))
        self._language(language)
        header = None
        if self._has_header(items):
            header = self._read(items.pop(0), "header")
        read = [
            self._read(item, "item", is_torn(after))
            for item, after in zip_longest(items, items[1:])
        ]
        if header is None:
            return None
        return nodes.File(
            span=self.source.whole(),
            header=header,
            items=tuple([item for item in read if item is not None]),
            broken=frozenset(self.broken),
        )

    def _language(self, lines: list[LogicalLine]) -> None:
        rest = lines[0].pieces[2:]
        if rest:
            span = self.source.span(rest[0].start, rest[-1].end)
            self._report(_plain(span, "nothing else on this line", "take it out"))
        for line in lines[1:2]:
            self._report(_too_far_in(self.source, line, "the line above takes no block"))

    def _has_header(self, items: list[list[LogicalLine]]) -> bool:
        """Whether the first item is the title line, be it misspelt; report if it is not."""
        if items and items[0][0].first in foreign_words.HEADERS:
            return True
        if not self.diagnostics and not self.tabs:
            # Otherwise something stands on the first line or below it that may be the title.
            self._report(_no_title(self.source, items[0][0] if items else None))
        if not items or items[0][0].first in foreign_words.ITEMS:
            return False
        self._forget(items.pop(0))
        return bool(items) and items[0][0].first in foreign_words.HEADERS

    # One item

    def _read(self, lines: list[LogicalLine], start: str, torn: bool = False) -> Any:
        """Return the node of an item without its wrong lines; nothing if no line is left.

        The item is `torn` if a line follows that begins no item but lost its indentation. That one
        is reported, and not that something is missing where the item ends.
        """
        if len(self.diagnostics) >= MOST and self.read > MOST_READ:
            self._forget(lines)
            return None
        self.read += lines[-1].end - lines[0].start
        if lines[0].indent > 0:
            place = _whole(self.source, lines[0])
            self._report(diagnostic("RW102", place, help="begin it without indentation"))
            lines = at_the_edge(lines)
        draft = Draft(self.source, lines, start)
        said: Blame | None = None
        while draft.lines:
            try:
                return self._build(draft)
            except Fault as fault:
                blame = self._blame(draft, fault)
                if torn and draft.ends_at(fault):
                    self._forget(draft.take_out(blame.line))
                    continue
            except TooDeep as problem:
                blame = Blame(too_deep(problem.span), draft.lines[draft.at(problem.span.start)])
            except RecursionError:
                blame = Blame(too_deep(self.source.span(draft.start, draft.end)), draft.lines[0])
            if len(self.diagnostics) >= MOST or (self.read > MOST_READ and self.diagnostics):
                self._forget(draft.lines)
                return None
            if said is None or not blame.follows(said, lines):
                self._report(blame.message)
                said = blame
            if blame.arms:
                self._forget(draft.take_out_next(blame.line))
            self._forget(draft.take_out(blame.line, blame.floor))
        return None

    def _build(self, draft: Draft) -> Any:
        builder = file_builder(self.source, draft.start)
        self.read += len(draft.text)
        node = builder.build(read(draft.text, draft.symbol))
        self.diagnostics += builder.diagnostics
        return node

    def _report(self, message: Diagnostic) -> None:
        if not (self.tabs and message.code.code == "RW102"):
            self.diagnostics.append(message)
        if message.code.code == "RW112" and message.help == did_you_mean(("use",)):
            self.broken.add("use")

    def _forget(self, lines: Sequence[LogicalLine]) -> None:
        for line in lines:
            self.broken |= set(_WORD.findall(self.source.text, line.start, line.end))

    # Which line is to blame, and what for

    def _blame(self, draft: Draft, fault: Fault) -> Blame:
        offset = draft.start + fault.offset
        at = draft.at(offset)
        line = draft.lines[at]
        mistake = Mistake(self.source, line, draft.place(at), fault, offset)
        message = unclosed(self.source, draft.lines, offset)
        if message is not None:
            return Blame(message, draft.lines[draft.at(message.primary.span.start)])
        return (
            self._indented(draft, mistake, at)
            or self._lost_example(draft, mistake, at)
            or self._missing(draft, mistake, at)
            or Blame(explain(mistake), line)
        )

    def _indented(self, draft: Draft, mistake: Mistake, at: int) -> Blame | None:
        """Look for a line that is indented further than anything takes it."""
        if mistake.fault.kind == "LEVEL":
            span = _whole(self.source, mistake.line)
            help = "indent it like one of the lines above"
            message = diagnostic("RW102", span, help=help)
            return Blame(message, mistake.line, floor=mistake.line.indent - 1)
        if draft.place(at) == "clause" and mistake.line.first in _STEPS:
            message = _too_far_in(self.source, mistake.line, "no clause of the `choose` above")
            return Blame(message, mistake.line, floor=mistake.line.indent - 1)
        if mistake.fault.kind != "_INDENT" or at + 1 == len(draft.lines):
            return None
        head, line = draft.lines[at], draft.lines[at + 1]
        slip = unknown_head(self.source, head) if draft.place(at) == "step" else None
        if slip is not None:
            return Blame(slip, head)
        message = _too_far_in(self.source, line, "the line above takes no block")
        return Blame(message, line, floor=head.indent)

    def _lost_example(self, draft: Draft, mistake: Mistake, at: int) -> Blame | None:
        """Look for the lines of an example that have lost their head."""
        line = mistake.line
        if draft.place(at) == "member" and line.first in _STEPS - {"as"} and is_step(line):
            message = _plain(_whole(self.source, line), "a step", "write `to …` above it")
            return Blame(message, line, floor=line.indent - 1)
        if draft.place(at) != "step" or line.first != foreign_words.EXAMPLE_LINES[0]:
            return None
        span = self.source.span(line.pieces[0].start, line.pieces[0].end)
        message = diagnostic(
            "RW101",
            span,
            "a line of an example",
            help='write `example "…"` above it, without indentation',
            found=f"`{line.first}`",
        )
        return Blame(message, line, floor=line.indent - 1)

    def _missing(self, draft: Draft, mistake: Mistake, at: int) -> Blame | None:
        """Look for something that should stand below a line, where something else follows."""
        kind, wanted = mistake.fault.kind, mistake.fault.expected
        behind = kind in ("_DEDENT", "$END")
        if not behind and mistake.at > 0:
            return None
        if wanted and wanted <= {"or", "_INDENT"} and "or" in wanted:
            return _no_arms(self.source, draft, draft.last_before(at, "either"))
        if wanted == {"either"}:
            question = draft.last_before(at, "ask")
            help = "this line is the question of an `either`; that of a `choose` stands in its line"
            message = diagnostic(
                "RW101",
                _whole(self.source, question),
                '`either "…"` is missing below it',
                help=help,
                found="`ask`",
            )
            return Blame(message, question)
        if behind and draft.place(at) == "definition" and "let" in wanted:
            return _no_value(self.source, draft.lines[at])
        if wanted != {"_INDENT"} or not (behind or at > 0):
            return None
        head = draft.lines[at if behind else at - 1]
        return Blame(_no_block(self.source, head), head)


@attrs.frozen
class Blame:
    """A message, and the line that has to go before the rest can be read."""

    message: Diagnostic
    line: LogicalLine
    floor: int | None = None
    """All lines that follow and are indented further have to go, too: their level is wrong."""

    arms: bool = False
    """Whether the line is an arm, and the one that follows it has to go, too."""

    def follows(self, other: Blame, lines: Sequence[LogicalLine]) -> bool:
        """Whether one slip of the indentation shows in both: an arm is gone, and a line too many."""
        labels = {self.message.primary.text, other.message.primary.text}
        codes = {self.message.code.code, other.message.code.code}
        is_one = not labels.isdisjoint(_ARMS) and ("RW102" in codes or labels <= _ARMS)
        return is_one and follows(lines, other.line, self.line)


class Draft:
    """An item that is read again and again, each time without one more of its wrong lines.

    What is taken out leaves blanks behind, so that all places stay what they are in the file.
    """

    def __init__(self, source: Source, lines: list[LogicalLine], symbol: str) -> None:
        self.symbol = symbol
        """The start symbol of the grammar."""
        self.lines = joined(lines)
        self.start = lines[0].start
        self.end = lines[-1].end
        self.text = source.text[self.start : self.end] + "\n"

    def at(self, offset: int) -> int:
        """Return the number of the line at an offset of the file."""
        return max(i for i, line in enumerate(self.lines) if line.start <= offset or i == 0)

    def ends_at(self, fault: Fault) -> bool:
        """Whether it is the end of the item that came too early."""
        at = self.at(self.start + fault.offset)
        return fault.kind in ("$END", "_DEDENT") and at == len(self.lines) - 1

    def last_before(self, at: int, first: str) -> LogicalLine:
        """Return the nearest line, from `at` upwards, that begins with a word."""
        return next(line for line in reversed(self.lines[: at + 1]) if line.first == first)

    def parent(self, at: int) -> int | None:
        """Return the number of the line that a line stands below."""
        indent = self.lines[at].indent
        return next((i for i in range(at - 1, -1, -1) if self.lines[i].indent < indent), None)

    def place(self, at: int) -> str:
        """Return what a line is, by the line it stands below."""
        parent = self.parent(at)
        return self.symbol if parent is None else _PLACES.get(self.lines[parent].first, "step")

    def take_out(self, line: LogicalLine, floor: int | None = None) -> list[LogicalLine]:
        """Take out a line and all that cannot stand without it, and return it.

        With a floor, it and all that follows and is indented further, and nothing else.
        """
        if floor is not None:
            return self._remove(self.lines.index(line), floor)
        removed: list[LogicalLine] = []
        rest: LogicalLine | None = line
        while rest is not None:
            rest = self._take_out(rest, removed)
        return removed

    def take_out_next(self, line: LogicalLine) -> list[LogicalLine]:
        """Take out what follows a line and its block, with a block of its own, and return it."""
        at = self.lines.index(line)
        after = range(at + 1, len(self.lines))
        follows = next((i for i in after if self.lines[i].indent <= line.indent), None)
        return [] if follows is None else self._remove(follows, self.lines[follows].indent)

    def _take_out(self, line: LogicalLine, removed: list[LogicalLine]) -> LogicalLine | None:
        """Take out a line; return the line above it if that has to go as well."""
        at = self.lines.index(line)
        place, parent = self.place(at), self.parent(at)
        if place in ("definition", "row") and parent is not None:
            # A define without its value, or a table without its heading, is nothing.
            return self.lines[parent]
        removed += self._remove(at, line.indent)
        removed += self._orphans(at, line.indent)
        if parent is None or self._has_block(parent):
            return None
        return self._fill(line, place, parent)

    def _remove(self, at: int, indent: int) -> list[LogicalLine]:
        """Remove a line and all that follow it and are indented further than `indent`."""
        end = at + 1
        while end < len(self.lines) and self.lines[end].indent > indent:
            end += 1
        removed = self.lines[at:end]
        del self.lines[at:end]
        for line in removed:
            self._overwrite(line.start, line.end, "")
        return removed

    def _overwrite(self, start: int, end: int, words: str) -> None:
        start, end = start - self.start, end - self.start
        blank = re.sub(r"[^ \t\n]", " ", self.text[start:end])
        self.text = self.text[:start] + words + blank[len(words) :] + self.text[end:]

    def _orphans(self, at: int, indent: int) -> list[LogicalLine]:
        """Remove each `else` and `or` that has lost its head, an `either` with one arm, and a question
        without its `either`."""
        removed: list[LogicalLine] = []
        for word, heads in (("else", ("if", "else")), ("or", ("either", "or"))):
            while self._sibling(at, indent) == word and self._head(at, indent) not in heads:
                removed += self._remove(at, indent)
        if self._head(at, indent) == "either" and self._sibling(at, indent) != "or":
            either = self.lines.index(self.last_before(at - 1, "either"))
            removed += self._remove(either, indent)
            at = either
        if self._head(at, indent) == "ask" and self._sibling(at, indent) != "either":
            question = self.lines.index(self.last_before(at, "ask"))
            parent = self.parent(question)
            if parent is None or self.lines[parent].first != "choose":
                removed += self._remove(question, indent)
        return removed

    def _sibling(self, at: int, indent: int) -> str:
        """Return the first word of the next line of the same block."""
        return self.lines[at].first if self._stands(at, indent) else ""

    def _head(self, at: int, indent: int) -> str:
        """Return the first word of the line before it in the same block."""
        while at > 0 and self.lines[at - 1].indent > indent:
            at -= 1
        return self.lines[at - 1].first if self._stands(at - 1, indent) else ""

    def _stands(self, at: int, indent: int) -> bool:
        return 0 <= at < len(self.lines) and self.lines[at].indent == indent

    def _has_block(self, at: int) -> bool:
        after = self.lines[at + 1 : at + 2]
        return bool(after) and after[0].indent > self.lines[at].indent

    def _fill(self, line: LogicalLine, place: str, parent: int) -> LogicalLine | None:
        """Fill a block that has become empty; return its head if that cannot be done."""
        if self.lines[parent].first in ("choose", "either", "or", "table"):
            return None
        start = line.pieces[0].start
        is_filler = line.first == "nothing"
        if place != "step" or is_filler or line.end - start < len("nothing"):
            return self.lines[parent]
        self._overwrite(start, line.end, "nothing")
        word = Piece("word", "nothing", start)
        self.lines.insert(parent + 1, LogicalLine(line.start, line.end, line.indent, (word,)))
        return None


# -------------------------------------------------------------------------------------- the messages


def _whole(source: Source, line: LogicalLine) -> Span:
    pieces = line.content or line.pieces
    return source.span(pieces[0].start, pieces[-1].end)


def _plain(span: Span, label: str, help: str) -> Diagnostic:
    return diagnostic("RW101", span, label, help=help, found=f"`{span.text}`")


def _too_far_in(source: Source, line: LogicalLine, label: str) -> Diagnostic:
    help = "indent it like the line above"
    return diagnostic("RW102", _whole(source, line), label, help=help)


def _no_title(source: Source, line: LogicalLine | None) -> Diagnostic:
    """Return the message about the line that stands where the title should."""
    if line is None:
        return diagnostic("RW106", source.end(), "no title line", help=_TITLE, kind="game")
    first = line.pieces[0]
    span = source.span(first.start, first.end)
    label = "expected a title line"
    if line.first in foreign_words.ITEMS:
        return diagnostic("RW101", span, label, help=_TITLE, found=f"`{first.text}`")
    help = did_you_mean(nearest(line.first, foreign_words.HEADERS)) or _TITLE
    return diagnostic("RW112", span, label, help=help, name=first.text)


def _no_block(source: Source, head: LogicalLine) -> Diagnostic:
    below = _BELOW.get(head.first, "indent the steps below it; for none, write `nothing`")
    return diagnostic("RW111", _whole(source, head), help=below, name=head.pieces[0].text)


def _no_arms(source: Source, draft: Draft, either: LogicalLine) -> Blame:
    after = draft.lines[draft.lines.index(either) + 1 :]
    follows = next((line for line in after if line.indent <= either.indent), None)
    if follows is not None and follows.first == "or":
        help = "indent it like the `or` below"
        return Blame(diagnostic("RW102", _whole(source, either), help=help), either, arms=True)
    slip = None if follows is None else unknown_step(source, follows)
    if follows is not None and slip is not None and nearest(follows.first, ("or",)):
        return Blame(slip, either, arms=True)
    help = 'write `or "…"` below it, or `may "…"` instead'
    message = diagnostic(
        "RW101", _whole(source, either), '`or "…"` is missing', help=help, found="one arm alone"
    )
    return Blame(message, either)


def _no_value(source: Source, line: LogicalLine) -> Blame:
    help = "write the value below the `let` lines"
    message = diagnostic(
        "RW101",
        _whole(source, line),
        "the value is missing",
        help=help,
        found="the end of a define",
    )
    return Blame(message, line)
