"""Diagnostics as text: for people, for editors and for programs.

- `text`: headline, place, the lines in question underlined, help and the section of the rule book.
- `short`: `path:line:column: error[RW208]: no zone is called ...`, one line each.
- `json`: the data, with offsets from 0 and lines and columns from 1.

The drawing is plain ASCII. Text that comes from a rule file is shown without its control characters,
so that no file can move the cursor of a terminal or turn a line around.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence

import attrs

from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import Diagnostic, Label, in_order
from rulewright.dsl.text.source import Source, Span

LIMIT = 20
"""How many diagnostics of one file the text form shows."""

WIDTH = 160
"""How many characters of a long line are shown."""

_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_COLOURS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_GUTTER = "1;34"
_STRONG = "1"


def render(
    diagnostics: Iterable[Diagnostic],
    style: str = "text",
    colour: bool = False,
    *,
    limit: int = LIMIT,
) -> str:
    """Return the diagnostics in order, as "text", "short" or "json"; nothing gives no text.

    `colour`: with the codes that colour a terminal. `limit` is how many are drawn as text. Raises
    `ValueError` for another style.

    >>> print(render(compile_game("nowhere").diagnostics, "short"), end="")
    command line:1:1: error[RW012]: no game is called `nowhere`
    """
    ordered = in_order(diagnostics)
    match style:
        case "text":
            return _text(ordered, colour, limit)
        case "short":
            return "".join(f"{_printable(item.one_line())}\n" for item in ordered)
        case "json":
            return json.dumps(_data(ordered), indent=2) + "\n"
    raise ValueError(f"style is text, short or json, not {style!r}")


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a line such as `2 errors, 1 warning`; no text if there is nothing."""
    severities = [item.severity for item in diagnostics]
    counts = [(severities.count(severity), severity.value) for severity in _SEVERITIES]
    return ", ".join(
        f"{count} {word}" if count == 1 else f"{count} {word}s" for count, word in counts if count
    )


def _text(ordered: Sequence[Diagnostic], colour: bool, limit: int) -> str:
    if not ordered:
        return ""
    blocks: list[str] = []
    for name in dict.fromkeys(item.primary.span.source.name for item in ordered):
        of_file = [item for item in ordered if item.primary.span.source.name == name]
        shown = _gravest(of_file, limit)
        blocks += [_Drawing(item, colour).text() for item in shown]
        if len(shown) < len(of_file):
            blocks.append(f"... and {len(of_file) - len(shown)} more in {_printable(name)}\n")
    blocks.append(summary(ordered) + "\n")
    return "\n".join(blocks)


def _gravest(ordered: Sequence[Diagnostic], limit: int) -> Sequence[Diagnostic]:
    """Return at most `limit` of them, in order; notes give way to errors."""
    if len(ordered) <= limit:
        return ordered
    by_severity = sorted(
        range(len(ordered)), key=lambda index: _SEVERITIES.index(ordered[index].severity)
    )
    return [ordered[index] for index in sorted(by_severity[:limit])]


@attrs.frozen
class _Underline:
    """A stretch of one line to underline, as indices from 0, and the text beside it."""

    line: int
    start: int
    end: int
    text: str
    primary: bool


class _Drawing:
    """The text form of one diagnostic."""

    def __init__(self, item: Diagnostic, colour: bool) -> None:
        self._item = item
        self._colour = colour
        self._tone = _COLOURS[item.severity]
        self._lines: list[str] = []
        shown = [label.span.shown() for label in (item.primary, *item.secondary)]
        last = max(span.source.position(span.end)[0] for span in shown)
        self._width = len(str(last))

    def text(self) -> str:
        """Return the whole block."""
        item = self._item
        head = f"{item.severity.value}[{item.code.code}]"
        headline = self._painted(f": {_printable(item.headline)}", _STRONG)
        self._lines.append(self._painted(head, self._tone) + headline)
        here = item.primary.span.source
        self._draw_source("-->", here, (item.primary, *self._secondary_in(here)))
        others = {label.span.source: None for label in item.secondary}
        for source in others:
            if source is not here:
                self._draw_source(":::", source, self._secondary_in(source))
        self._draw_remarks()
        return "".join(f"{line.rstrip()}\n" for line in self._lines)

    def _secondary_in(self, source: Source) -> tuple[Label, ...]:
        return tuple(label for label in self._item.secondary if label.span.source is source)

    def _draw_source(self, arrow: str, source: Source, labels: Sequence[Label]) -> None:
        place = labels[0].span.shown()
        # A file that cannot be read is a source without text: it has a name, but no places.
        where = f":{place.line}:{place.column}" if source.text else ""
        self._lines.append(
            f"{' ' * self._width}{self._painted(arrow, _GUTTER)} {_printable(source.name)}{where}"
        )
        if not source.text:
            return
        underlines = [underline for label in labels for underline in self._underlines(label)]
        self._bar("")
        previous = None
        for line in sorted({underline.line for underline in underlines}):
            if previous is not None and line > previous + 2:
                self._lines.append(self._painted("...", _GUTTER))
            elif previous is not None and line == previous + 2:
                # One left-out line takes as much room as the dots.
                self._draw_line(source, line - 1, ())
            of_line = sorted(
                (underline for underline in underlines if underline.line == line),
                key=lambda underline: (underline.start, not underline.primary),
            )
            self._draw_line(source, line, of_line)
            previous = line

    def _underlines(self, label: Label) -> list[_Underline]:
        primary = label is self._item.primary
        span = label.span.shown()
        line, column = span.source.position(span.start)
        end_line, end_column = span.source.position(span.end)
        text = _printable(label.text)
        if line == end_line:
            return [_Underline(line, column - 1, max(column, end_column - 1), text, primary)]
        first = span.source.line_text(line)
        last = span.source.line_text(end_line)
        indent = len(last) - len(last.lstrip())
        return [
            _Underline(line, column - 1, max(column, len(first.rstrip())), "", primary),
            _Underline(end_line, indent, max(indent + 1, end_column - 1), text, primary),
        ]

    def _draw_line(self, source: Source, line: int, underlines: Sequence[_Underline]) -> None:
        text = source.line_text(line)
        first = min((underline.start for underline in underlines), default=0)
        start, end = _window(len(text), first)
        before = "..." if start else ""
        after = "..." if end < len(text) else ""
        number = self._painted(f"{line:>{self._width}} |", _GUTTER)
        self._lines.append(f"{number} {before}{_printable(text[start:end])}{after}")
        for underline in underlines:
            if underline.start > end:
                continue
            blank = len(before) + _cells(text[start : underline.start])
            cells = max(1, _cells(text[underline.start : min(underline.end, end)]))
            sign = "^" if underline.primary else "-"
            remark = f"{sign * cells} {underline.text}".rstrip()
            self._bar(
                " " * blank + self._painted(remark, self._tone if underline.primary else _GUTTER)
            )

    def _draw_remarks(self) -> None:
        item = self._item
        remarks = [("help", item.help)] if item.help is not None else []
        remarks += [("note", note) for note in item.notes]
        remarks += [("rule", rule) for rule in item.rule]
        if remarks and self._item.primary.span.source.text:
            self._bar("")
        for word, text in remarks:
            indent = " " * (self._width + 1)
            # Further lines of a help (a text to copy) stand below its first.
            lines = [_printable(part) for part in text.splitlines()] or [""]
            self._lines.append(
                f"{indent}{self._painted('=', _GUTTER)} {self._painted(word, _STRONG)}: {lines[0]}"
            )
            self._lines += [f"{indent}{' ' * (len(word) + 4)}{part}" for part in lines[1:]]

    def _bar(self, text: str) -> None:
        self._lines.append(f"{' ' * (self._width + 1)}{self._painted('|', _GUTTER)} {text}")

    def _painted(self, text: str, tone: str) -> str:
        return f"\x1b[{tone}m{text}\x1b[0m" if self._colour else text


def _window(length: int, first: int) -> tuple[int, int]:
    """Return which part of a line of that length to show, given where its first underline starts."""
    if length <= WIDTH:
        return 0, length
    start = max(0, min(first - WIDTH // 4, length - WIDTH))
    return start, start + WIDTH


def _printable(text: str) -> str:
    """Return the text with tabs as one blank and control characters as question marks."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if letter in "\t\xa0\u3000" else "?"
        for letter in text
    )


def _cells(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    cells = 0
    for letter in text:
        if unicodedata.combining(letter):
            continue
        cells += 2 if unicodedata.east_asian_width(letter) in "WF" and letter.isprintable() else 1
    return cells


def _data(ordered: Sequence[Diagnostic]) -> dict[str, object]:
    return {
        "diagnostics": [_diagnostic_data(item) for item in ordered],
        **{
            f"{severity.value}s": sum(item.severity is severity for item in ordered)
            for severity in _SEVERITIES
        },
    }


def _diagnostic_data(item: Diagnostic) -> dict[str, object]:
    return {
        "code": item.code.code,
        "slug": item.code.slug,
        "severity": item.severity.value,
        "headline": item.headline,
        "arguments": dict(item.arguments),
        "primary": _label_data(item.primary),
        "secondary": [_label_data(label) for label in item.secondary],
        "help": item.help,
        "notes": list(item.notes),
        "rule": list(item.rule),
    }


def _label_data(label: Label) -> dict[str, object]:
    span: Span = label.span
    return {
        "path": span.source.name,
        "start": span.start,
        "end": span.end,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "text": label.text,
    }
