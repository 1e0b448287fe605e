"""Reading CSV: the text of a file goes in, the cells of its rows with their places come out.

A row is a line, and a cell never reaches into the next one: so a quote that is not closed spoils one
line and not the rest of the file. Cells are parted by commas; what stands in quotes may hold commas,
and quotes that are written twice. Blank lines are left out. What is wrong is reported at its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from rulewright.dsl.diagnostics import Label, Report, diagnostic
from rulewright.dsl.source import Source, Span, join

Cells = tuple[tuple[str, Span], ...]

MOST_ROWS = 10_000
MOST_COLUMNS = 500

SEPARATORS = {";": "`;`", "\t": "tabs", "|": "`|`"}
"""What else may part cells in files that other programs write; here only a comma does."""


def csv_rows(source: Source, report: Report) -> Iterator[Cells]:
    """Yield the rows of a CSV text with the span of every cell; with the head, at most one
    more than is allowed."""
    count = 0
    for number, start in enumerate(source.line_starts, 1):
        line = source.line_text(number)
        if not line.strip(" \t,"):
            continue
        cells = tuple(islice(_cells(source, line, start, report), MOST_COLUMNS + 1))
        yield cells
        count += 1
        if count > MOST_ROWS + 1 or len(cells) > MOST_COLUMNS:
            return


def _cells(source: Source, line: str, start: int, report: Report) -> Iterator[tuple[str, Span]]:
    at = 0
    while at <= len(line):
        while at < len(line) and line[at] in " \t":
            at += 1
        if line[at : at + 1] == '"':
            closing = _closing(line, at + 1)
            if closing < 0:
                span = Span(source, start + at, start + at + 1)
                help = 'the text of a cell stands on one line; a quote in it is written twice: `""`'
                report.add(diagnostic("RW105", span, help=help))
                # Most likely it is one too many.
                at += 1
            else:
                comma = line.find(",", closing + 1)
                end = len(line) if comma < 0 else comma
                after = line[closing + 1 : end].strip(" ")
                if after and after[0] in SEPARATORS:
                    yield line[at:end].rstrip(), Span(source, start + at, start + end)
                    at = end + 1
                    continue
                if after:
                    span = Span(source, start + closing + 1, start + end)
                    help = 'a quote inside quotes is written twice: `""`'
                    report.add(diagnostic("RW021", span, help=help, found=after))
                written = line[at + 1 : closing]
                text = written.replace('""', '"')
                first = at + 1 + len(written) - len(written.lstrip())
                shown = written.strip()
                yield text.strip(), Span(source, start + first, start + first + len(shown))
                at = end + 1
                continue
        comma = line.find(",", at)
        end = len(line) if comma < 0 else comma
        text = line[at:end].rstrip()
        yield text, Span(source, start + at, start + at + len(text))
        at = end + 1


def _closing(line: str, at: int) -> int:
    """Return where the quote is that closes a cell, or -1."""
    while True:
        at = line.find('"', at)
        if at < 0 or line[at + 1 : at + 2] != '"':
            return at
        at += 2


def other_separator(text: str, *, inline: bool = False) -> str:
    """Return what else parts the cells of a row that is one cell, in words; nothing if it is one."""
    if text.casefold().startswith("sep="):
        return SEPARATORS.get(text[4:5], "")
    if inline and "," in text:
        return "`,`"
    return next((shown for sign, shown in SEPARATORS.items() if sign in text), "")


def parted(text: str) -> list[str]:
    """Return the cells of a row whose cells are parted otherwise."""
    for sign in SEPARATORS:
        text = text.replace(sign, ",")
    return [part.strip(' "') for part in text.split(",")]


def as_row(cells: Iterable[str], *, inline: bool = False) -> str:
    """Return a row as it should be written."""
    return f"| {' | '.join(cells)} |" if inline else ",".join(cells)


def without_repeats(report: Report, rows: tuple[Cells, ...]) -> tuple[Cells, ...]:
    """Return the rows of a table without those that only repeat one: that is reported. Things without a
    name may well be alike."""
    head = tuple(text for text, _ in rows[0])
    named = head.index("name") if "name" in head else None
    kept = [rows[0]]
    seen: dict[tuple[str, ...], Span] = {}
    for row in rows[1:]:
        texts = tuple(text for text, _ in row)
        if texts == head:
            place = (Label(rows[0][0][1], "the first one"),)
            report.add(diagnostic("RW024", join(row[0][1], row[-1][1]), secondary=place))
            continue
        if named is not None and texts in seen and named < len(row) and texts[named]:
            advice = "write how many there are into a column `copies`"
            place = (Label(seen[texts], "the first one"),)
            span, name = row[named][1], texts[named]
            report.add(diagnostic("RW023", span, secondary=place, help=advice, name=name))
            continue
        seen.setdefault(texts, row[0][1])
        kept.append(row)
    return tuple(kept)
