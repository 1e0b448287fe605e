"""CSV files: the cells of their rows with their places, and what a cell means.

A row is a line, and a cell never reaches into the next one: so a quote that is not closed spoils one
line and not the rest of the file. Cells are parted by commas; what stands in quotes may hold commas,
and quotes that are written twice. Blank lines are left out. What is wrong is reported at its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import EnumType, ListType, OptionalType, ThingType, Type
from rulewright.dsl.resolve.symbols import Instance
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Label, Report
from rulewright.dsl.text.source import Source, Span, join
from rulewright.dsl.typecheck.context import Body

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
                report.complain("RW105", span, help=help)
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
                    report.complain("RW021", span, help=help, found=after)
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
            report.complain("RW024", join(row[0][1], row[-1][1]), secondary=place)
            continue
        if named is not None and texts in seen and named < len(row) and texts[named]:
            advice = "write how many there are into a column `copies`"
            place = (Label(seen[texts], "the first one"),)
            span, name = row[named][1], texts[named]
            report.complain("RW023", span, secondary=place, help=advice, name=name)
            continue
        seen.setdefault(texts, row[0][1])
        kept.append(row)
    return tuple(kept)


# -------------------------------------------------------------------------------------------- cells


EMPTY = "(empty)"
"""What a message calls a cell in which nothing stands."""


def read_cell(body: Body, text: str, span: Span, type_: Type, scope: Instance) -> model.Expression:
    """Return the value of a cell by the type of its field; an empty cell is none, or `[]`."""
    if isinstance(type_, ListType):
        items = tuple(
            read_cell(body, part, place, type_.inner, scope) for part, place in _parts(text, span)
        )
        return model.ListOf(type=type_, span=span, items=items)
    plain = types.without_none(type_)
    if not text and isinstance(type_, OptionalType):
        return model.Constant(type=types.NOTHING, span=span, value=None)
    if not text:
        # An empty text could mean that there is none, which `text?` says.
        help = (
            "a field that may have none is a `text?`" if isinstance(plain, types.TextType) else None
        )
        return _bad(body, text, span, plain, "this cell is empty", help)
    return _READERS[type(plain)](body, text, span, plain)


def _parts(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield the items of a list cell, each with its place."""
    at = 0
    for part in text.split():
        at = text.index(part, at)
        yield part, span.slice(at, at + len(part))
        at += len(part)


def _bad(
    body: Body, text: str, span: Span, type_: Type, label: str = "", help: str | None = None
) -> model.Expression:
    expected = types.words(type_)
    return body.no_value("RW407", span, label, help=help, found=text or EMPTY, expected=expected)


def _number(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        return _bad(body, text, span, type_)
    return model.Constant(type=type_, span=span, value=int(text))


def _flag(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    if text not in ("yes", "no"):
        return _bad(body, text, span, type_, help="write `yes` or `no`")
    return model.Constant(type=type_, span=span, value=text == "yes")


def _text(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    return model.Constant(type=type_, span=span, value=text)


def _enum(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    assert isinstance(type_, EnumType)
    values = body.world.enumerations[type_.name]
    if text not in values:
        near = body.world.nearest(text, values)
        help = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(values[:8])}"
        if text.startswith("each of ") and not types.declared_in_place(type_.name):
            help = f"a row for every value: `each of {type_.name}`"
        return _bad(body, text, span, type_, help=help)
    return model.EnumConstant(type=type_, span=span, enum=type_.name, value=text)


def _thing(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    assert isinstance(type_, ThingType)
    known = body.world.thing_names.get(type_.kind)
    if known is not None and text not in known:
        near = body.world.nearest(text, known)
        help = f"did you mean `{near[0]}`?" if near else None
        if not known:
            # Where nothing has a name, that is said once.
            help = f"no table gives the things of {type_.kind} a name"
            body.world.thing_names.pop(type_.kind)
        if body.world.may_declare(text, near):
            return body.unknown(span)
        return _bad(body, text, span, type_, help=help)
    if known is not None and known[text] > 1:
        return _bad(body, text, span, type_, f"{known[text]} things are called that")
    return model.NamedThing(type=type_, span=span, kind=type_.kind, name=text)


def _verb(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    return body.typed(nodes.Name(span=span, text=text), types.VERB)


def _unreadable(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    if isinstance(type_, types.UnknownType):
        return body.unknown(span)
    return _bad(body, text, span, type_, "no cell can hold this")


_READERS: Mapping[type, Callable[[Body, str, Span, Type], model.Expression]] = {
    types.NumberType: _number,
    types.FlagType: _flag,
    types.TextType: _text,
    types.EnumType: _enum,
    types.ThingType: _thing,
    types.VerbType: _verb,
    **dict.fromkeys(
        (
            types.UnknownType,
            types.AnythingType,
            types.FamilyType,
            types.ZoneType,
            types.OptionalType,
            types.FunctionType,
            types.PlaceType,
            types.InstanceType,
            types.NothingType,
        ),
        _unreadable,
    ),
}
