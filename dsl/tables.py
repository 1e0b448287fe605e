"""Reading tables: CSV files and inline rows go in, rows of checked cells come out.

The first row names the columns. A column is a printed field of the kind, an entry `cost[white]` of a
printed family, or one of the table's own: `copies`, `status`, `note`. A cell is read by the type of
its field; what does not fit is reported at the cell, in the table's own file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping

import attrs

from rulewright.dsl import kinds, model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import Report, diagnostic
from rulewright.dsl.kinds import EnumType, FamilyType, ListType, OptionalType, ThingType, Type
from rulewright.dsl.scope import FieldDeclaration, Instance, World
from rulewright.dsl.source import Source, Span
from rulewright.dsl.suggest import nearest

OWN_COLUMNS = ("copies", "status", "note")
MOST_ROWS = 10_000
MOST_COPIES = 10_000

Cells = tuple[tuple[str, Span], ...]
SourceFinder = Callable[[nodes.Text], Source | None]


@attrs.frozen
class _Column:
    """A column: of the table itself, or of a field, or of one entry of a family field."""

    name: str
    field: FieldDeclaration | None
    key: model.Expression | None = None


def read_table(
    world: World,
    scope: Instance,
    node: nodes.Table,
    find_source: SourceFinder,
    body: Body,
) -> model.Table | None:
    """Return a table with its rows; what is wrong in it is reported cell by cell."""
    type_ = body.types.kind_type(node.kind, scope)
    if not isinstance(type_, ThingType):
        return None
    rows = list(_rows(node, find_source, world.report))
    if not rows:
        return None
    columns = _columns(world, scope, type_.kind, rows[0], body)
    _missing(world, type_.kind, columns, rows[0], node)
    read: list[model.Row] = []
    for cells in rows[1 : MOST_ROWS + 1]:
        row = _row(world, columns, cells, body)
        if row is not None:
            read.append(row)
    if len(rows) > MOST_ROWS + 1:
        world.report.add(diagnostic("RW709", node.span, expected=f"{MOST_ROWS} rows"))
    return model.Table(kind=type_.kind, rows=tuple(read), ranges=(), span=node.span)


def _rows(node: nodes.Table, find_source: SourceFinder, report: Report) -> Iterator[Cells]:
    if node.path is not None:
        source = find_source(node.path)
        if source is not None:
            yield from csv_rows(source)
    for row in node.rows:
        yield tuple((cell.text, cell.span) for cell in row.cells)


def csv_rows(source: Source) -> Iterator[Cells]:
    """Yield the rows of a CSV text with the span of every cell; blank lines are left out."""
    starts = source.line_starts
    reader = csv.reader(io.StringIO(source.text))
    before = 0
    for cells in reader:
        first_line, before = before, reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        offset = starts[first_line]
        end = starts[reader.line_num] if reader.line_num < len(starts) else len(source.text)
        yield tuple(_place_cells(source, cells, offset, end))


def _place_cells(
    source: Source, cells: list[str], offset: int, end: int
) -> Iterator[tuple[str, Span]]:
    for cell in cells:
        text = cell.strip()
        at = source.text.find(text, offset, end) if text else offset
        at = offset if at < 0 else at
        yield text, Span(source, at, at + len(text))
        comma = source.text.find(",", at + len(text), end)
        offset = end if comma < 0 else comma + 1


def _columns(
    world: World, scope: Instance, kind: str, head: Cells, body: Body
) -> tuple[_Column, ...]:
    columns: list[_Column] = []
    seen: set[str] = set()
    for text, span in head:
        if text in seen:
            world.report.add(diagnostic("RW202", span, kind="column", name=text))
        seen.add(text)
        columns.append(_column(world, scope, kind, text, span, body))
    return tuple(columns)


def _column(
    world: World, scope: Instance, kind: str, text: str, span: Span, body: Body
) -> _Column:
    name, _, rest = text.partition("[")
    field = world.field_of(kind, name, scope)
    if field is not None and rest.endswith("]") and isinstance(field.type, FamilyType):
        world.tabled.add(field.id)
        word = nodes.Name(span=span, text=rest[:-1])
        return _Column(text, field, body.typed(word, field.type.key))
    if field is not None and not rest:
        world.tabled.add(field.id)
        return _Column(text, field)
    if text not in OWN_COLUMNS:
        known = world.kinds.get(kind)
        names = [*(known.fields if known else ()), *OWN_COLUMNS]
        near = nearest(text, names)
        help = f"did you mean `{near[0]}`?" if near else None
        world.report.add(
            diagnostic("RW406", span, "no such field", help=help, kind=kind, name=text)
        )
    return _Column(text, None)


def _missing(
    world: World, kind: str, columns: tuple[_Column, ...], head: Cells, node: nodes.Table
) -> None:
    given = {column.field.id for column in columns if column.field is not None}
    span = head[0][1] if head else node.span
    for field in world.kinds[kind].order:
        if field.id in given or field.written or field.node.default is not None:
            continue
        if isinstance(field.type, kinds.ZoneType | kinds.UnknownType) or has_viewers(field):
            continue
        world.report.add(
            diagnostic(
                "RW405",
                span,
                kind=kind,
                name=field.name,
                help=f"add a column `{field.name}`, or a start value to the field",
            )
        )


def has_viewers(field: FieldDeclaration) -> bool:
    """Whether a field says who sees it, as fields that change do."""
    return any(isinstance(mark, nodes.SeenBy) for mark in field.node.marks)


def _row(
    world: World, columns: tuple[_Column, ...], cells: Cells, body: Body
) -> model.Row | None:
    if len(cells) != len(columns):
        span = cells[-1][1] if cells else body.scope.file.span
        world.report.add(
            diagnostic(
                "RW419",
                span,
                found=f"{len(cells)} cells",
                expected=f"{len(columns)} columns",
            )
        )
        return None
    values: list[tuple[str, model.Expression]] = []
    families: dict[str, list[tuple[model.Expression, model.Expression]]] = {}
    own = {"copies": "1", "status": "", "note": ""}
    copies = 1
    for column, (text, span) in zip(columns, cells, strict=True):
        if column.field is None:
            if column.name == "copies":
                copies = _copies(world.report, text, span)
            own[column.name] = text
        elif column.key is not None:
            type_ = column.field.type
            assert isinstance(type_, FamilyType)
            entry = read_cell(body, text, span, type_.value, column.field.scope)
            families.setdefault(column.field.id, []).append((column.key, entry))
        else:
            values.append(
                (column.field.id, read_cell(body, text, span, column.field.type, body.scope))
            )
    for column in columns:
        if column.field is not None and column.field.id in families:
            pairs = tuple(families.pop(column.field.id))
            value = model.FamilyOf(type=column.field.type, span=cells[0][1], pairs=pairs)
            values.append((column.field.id, value))
    return model.Row(
        copies=copies, cells=tuple(values), status=own["status"], note=own["note"]
    )


def _copies(report: Report, text: str, span: Span) -> int:
    if text.isdigit() and int(text) <= MOST_COPIES:
        return int(text)
    report.add(diagnostic("RW407", span, expected="number", found=text))
    return 1


# --------------------------------------------------------------------------------------- cells


def read_cell(
    body: Body, text: str, span: Span, type_: Type, scope: Instance
) -> model.Expression:
    """Return the value of a cell by the type of its field; an empty cell is none, or `[]`."""
    if text.startswith("`"):
        body.complain(diagnostic("RW800", span, construct="a formula in a table"))
        return body.unknown(span)
    if isinstance(type_, ListType):
        items = tuple(
            read_cell(body, part, span, type_.inner, scope) for part in text.split()
        )
        return model.ListOf(type=type_, span=span, items=items)
    plain = kinds.without_none(type_)
    if not text and isinstance(type_, OptionalType):
        return model.Constant(type=kinds.NOTHING, span=span, value=None)
    if not text and not isinstance(plain, kinds.TextType):
        return _bad(body, text, span, plain, "this cell is empty")
    return _READERS[type(plain)](body, text, span, plain)


def _bad(
    body: Body, text: str, span: Span, type_: Type, label: str = "", help: str | None = None
) -> model.Expression:
    body.complain(
        diagnostic(
            "RW407", span, label, help=help, found=text, expected=kinds.shown(type_)
        )
    )
    return body.unknown(span)


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
        near = nearest(text, values)
        help = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(values[:8])}"
        return _bad(body, text, span, type_, help=help)
    return model.EnumConstant(type=type_, span=span, enum=type_.name, value=text)


def _thing(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    assert isinstance(type_, ThingType)
    known = body.world.thing_names.get(type_.kind)
    if known is None or text not in known:
        near = nearest(text, known or ())
        help = f"did you mean `{near[0]}`?" if near else None
        return _bad(body, text, span, type_, help=help)
    return model.NamedThing(type=type_, span=span, kind=type_.kind, name=text)


def _verb(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    return body.typed(nodes.Name(span=span, text=text), kinds.VERB)


def _unreadable(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    if isinstance(type_, kinds.UnknownType):
        return body.unknown(span)
    return _bad(body, text, span, type_, "no cell can hold this")


_READERS: Mapping[type, Callable[[Body, str, Span, Type], model.Expression]] = {
    kinds.NumberType: _number,
    kinds.FlagType: _flag,
    kinds.TextType: _text,
    kinds.EnumType: _enum,
    kinds.ThingType: _thing,
    kinds.VerbType: _verb,
    **{
        other: _unreadable
        for other in (
            kinds.UnknownType,
            kinds.AnythingType,
            kinds.FamilyType,
            kinds.ZoneType,
            kinds.OptionalType,
            kinds.FunctionType,
            kinds.PlaceType,
            kinds.InstanceType,
            kinds.NothingType,
        )
    },
}


def names_in(node: nodes.Table, find_source: SourceFinder) -> tuple[str, ...]:
    """Return the values of a table's column `name`, before the table is read."""
    rows = list(_rows(node, find_source, Report()))
    if not rows:
        return ()
    heads = [text for text, _ in rows[0]]
    if "name" not in heads:
        return ()
    at = heads.index("name")
    return tuple(row[at][0] for row in rows[1:] if at < len(row))
