"""Type checking tables: rows of cells, from CSV files or written in the rules.

The first row names the columns. A column is a printed field of the kind, an entry `cost[white]` of a
printed family, or one of the table's own: `copies`, `status`, `note`. A cell is read by the type of
its field; what does not fit is reported at the cell, in the table's own file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice, product

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import EnumType, FamilyType, ListType, ThingType
from rulewright.dsl.resolve.modules import used_twice
from rulewright.dsl.resolve.symbols import FieldDeclaration, Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Label, Report
from rulewright.dsl.text.source import Source, Span, join
from rulewright.dsl.typecheck import formulas
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.formulas import is_formula, number_cell, number_field
from rulewright.dsl.typecheck.sheets import (
    EMPTY,
    MOST_COLUMNS,
    MOST_ROWS,
    Cells,
    as_row,
    csv_rows,
    other_separator,
    parted,
    read_cell,
    without_repeats,
)

STATUSES = ("", "fact", "reconstructed")
OWN_COLUMNS = ("copies", "status", "note")
MOST_COPIES = 10_000
MOST_NAMED = 6

EACH_OF = re.compile(r"each of (\w+)")
"""A cell that stands for every value of an enumeration."""

LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
"""What a language is called: `de`, `pt_BR`."""

SourceFinder = Callable[[nodes.Text], Source | None]


@attrs.frozen
class Column:
    """A column: of the table itself, or of a field, or of one entry of a family field."""

    name: str
    field: FieldDeclaration | None
    key: model.Expression | None = None
    language: str = ""
    """Of a column that says what the texts of another one are in a language."""

    @property
    def is_known(self) -> bool:
        """Whether a column is a field's, or the table's own."""
        return self.field is not None or self.name in OWN_COLUMNS or bool(self.language)


def read_table(
    world: World,
    scope: Instance,
    node: nodes.Table,
    files: TableFiles,
    body: Body,
) -> model.Table | None:
    """Return a table with its rows; what is wrong in it is reported cell by cell."""
    kind = kind_of(world, scope, node.kind, body)
    if kind is None:
        return None
    rows = files.rows(node)
    if not rows:
        if node.path is not None and files.exists(node.path):
            _no_column(
                world, scope, kind, world.kinds[kind].order[:1], node.path.span, "it is empty"
            )
        return None
    if len(rows[0]) > MOST_COLUMNS:
        expected = f"{MOST_COLUMNS} columns"
        world.report.complain("RW709", rows[0][0][1], expected=expected)
        return None
    inline = node.path is None
    if _is_parted_otherwise(world, scope, kind, rows[0], inline=inline):
        return None
    if not _names_columns(world, scope, kind, rows[0]):
        return None
    rows = without_repeats(world.report, rows)
    columns = read_columns(world, scope, kind, rows[0], body)
    # A column that cannot be read may be two that ran together, or one that means a missing field.
    sound = all(column.is_known for column in columns)
    if sound:
        given = {column.field.id for column in columns if column.field is not None}
        _no_column(world, scope, kind, missing(world, kind, given), rows[0][0][1])
    read: list[model.Row] = []
    for cells in rows[1 : MOST_ROWS + 1]:
        if len(cells) == len(columns):
            for row in islice(_rows_of(world, columns, cells), MOST_ROWS + 1 - len(read)):
                read.append(read_row(world, columns, row, body))
        elif sound:
            wrong_length(world, [column.name for column in columns], cells)
    if len(rows) > MOST_ROWS + 1 or len(read) > MOST_ROWS:
        world.report.complain("RW709", node.span, expected=f"{MOST_ROWS} rows")
    elif sum(row.copies for row in read) > MOST_COPIES:
        world.report.complain("RW709", node.span, expected=f"{MOST_COPIES} things")
    return model.Table(kind=kind, rows=tuple(read), ranges=(), span=node.span)


def _rows_of(world: World, columns: tuple[Column, ...], cells: Cells) -> Iterator[Cells]:
    """Yield the rows that a row stands for: `each of Tech` makes one for every value."""
    choices: list[Cells] = []
    for column, (text, span) in zip(columns, cells, strict=True):
        choices.append(((text, span),))
        found = EACH_OF.fullmatch(text)
        type_ = None if column.field is None else column.field.type
        if column.key is not None and isinstance(type_, FamilyType):
            type_ = type_.value
        plain = None if type_ is None else types.without_none(type_)
        if found is not None and isinstance(plain, EnumType) and found[1] == plain.name:
            choices[-1] = tuple((value, span) for value in world.enumerations[plain.name])
    yield from product(*choices)


def read_product(
    world: World, scope: Instance, node: nodes.TableProduct, kind: str, body: Body
) -> model.Table:
    """Return a table that holds every combination of some values."""
    ranges: list[tuple[str, str, model.Expression]] = []
    given: set[str] = set()
    size = 1
    for one in node.ranges:
        field = world.field_of(kind, one.name.text, scope)
        if field is None:
            known = world.kinds[kind].fields
            body.unknown_name("RW406", one.name, known, "no such field", kind=kind)
            near = world.nearest(one.name.text, known)
            given |= {meant.id for meant in known.get(near[0] if near else "", ())}
            values = body.expression(one.values)
        else:
            given.add(field.id)
            values = body.typed(one.values, ListType(field.type))
            ranges.append((one.name.text, field.id, values))
        body.locals[one.name.text] = body.listed(values)
        size *= _size(world, values)
    if size > MOST_ROWS:
        world.report.complain("RW709", node.span, expected=f"{MOST_ROWS} rows")
    _no_column(world, scope, kind, missing(world, kind, given), node.kind.span)
    return model.Table(kind=kind, rows=(), ranges=tuple(ranges), span=node.span)


def _size(world: World, values: model.Expression) -> int:
    """Return how many values there are, as far as that can be seen without playing."""
    match values:
        case model.Numbers(
            low=model.Constant(value=int(low)), high=model.Constant(value=int(high))
        ):
            return max(0, high - low + 1)
        case model.ListOf(items=items):
            return len(items)
        case model.EnumValues(enum=enum):
            return len(world.enumerations[enum])
    return 1


def kind_of(world: World, scope: Instance, word: nodes.Word, body: Body) -> str | None:
    """Return the kind that a table is about, or an enumeration; None after a report."""
    type_ = body.types.kind_type(word, scope)
    if isinstance(type_, EnumType):
        return type_.name
    if type_ == types.PLAYER:
        help = "what players start with: `each Player has`, with start values"
        world.report.complain(
            "RW203",
            word.span,
            help=help,
            name="Player",
            found="kind of those who play",
            kind="kind with a table",
        )
    elif isinstance(type_, ThingType):
        return type_.kind
    return None


def columns_of(
    world: World,
    scope: Instance,
    node: nodes.Table | nodes.TableProduct,
    kind: str,
    files: TableFiles,
) -> Iterator[str]:
    """Yield the ids of the fields that a table gives, before it is read."""
    if isinstance(node, nodes.TableProduct):
        heads = [one.name.text for one in node.ranges]
    else:
        rows = files.rows(node)
        heads = [text.partition("[")[0] for text, _ in rows[0]] if rows else []
    for head in heads:
        field = world.field_of(kind, head, scope)
        if field is not None and not isinstance(field.type, types.ZoneType):
            yield field.id


def note_formulas(
    world: World, scope: Instance, node: nodes.Table, kind: str, files: TableFiles
) -> None:
    """Note the cells that are formulas: the values of whoever reads such a field depend on them."""
    head, *rows = files.rows(node) or ((),)
    fields = [world.field_of(kind, text.partition("[")[0], scope) for text, _ in head]
    for cells in rows[:MOST_ROWS]:
        formulas.declare(world, scope, fields, cells)


class TableFiles:
    """Gives the rows of tables, the head first; a file is read once, though it is asked thrice."""

    def __init__(self, find: SourceFinder, report: Report) -> None:
        self._find = find
        self._report = report
        self._of_file: dict[Source, tuple[Cells, ...]] = {}

    def exists(self, path: nodes.Text) -> bool:
        """Return whether a file is there; if not, that is reported."""
        return self._find(path) is not None

    def rows(self, node: nodes.Table) -> tuple[Cells, ...]:
        """Return the rows of a table with the span of every cell."""
        inline = tuple(
            tuple((cell.text, cell.span) for cell in row.cells) or (("", row.span),)
            for row in node.rows
        )
        for text, span in (cell for row in inline for cell in row):
            if text.count('"') % 2:
                help = "a cell needs no quotes"
                self._report.complain("RW105", span, help=help)
        source = None if node.path is None else self._find(node.path)
        if source is None:
            return inline
        if source not in self._of_file:
            self._of_file[source] = tuple(csv_rows(source, self._report))
        return self._of_file[source] + inline


def read_columns(
    world: World, scope: Instance, kind: str, head: Cells, body: Body
) -> tuple[Column, ...]:
    """Return what the columns of a table are, by its first row."""
    columns: list[Column] = []
    seen: set[str] = set()
    for text, span in head:
        if text in seen:
            world.report.complain("RW202", span, kind="column", name=text)
        seen.add(text)
        columns.append(_column(world, scope, kind, text, span, body))
    return tuple(columns)


def _names_columns(world: World, scope: Instance, kind: str, head: Cells) -> bool:
    """Return whether the first row names a column at all; a row of values is reported once."""
    names = [text.partition("[")[0] for text, _ in head]
    fields = list(world.kinds[kind].fields)
    if not fields or any(
        name in OWN_COLUMNS
        or world.field_of(kind, name, scope) is not None
        or world.nearest(name, fields)
        for name in names
    ):
        return True
    text, span = head[0]
    help = f"the first row names the columns: {', '.join(fields[:MOST_NAMED])}"
    label = "no row of names"
    world.report.complain("RW406", span, label, help=help, kind=kind, name=text)
    return False


def _is_parted_otherwise(
    world: World, scope: Instance, kind: str, head: Cells, *, inline: bool
) -> bool:
    """Return whether the cells of a table are parted by something else; that is reported."""
    text, span = head[0]
    separator = other_separator(text, inline=inline)
    names = parted(text)
    known = any(world.field_of(kind, one.partition("[")[0], scope) is not None for one in names)
    first = text.casefold().startswith("sep=")
    if len(head) > 1 or not separator or not (known or first):
        return False
    help = f"write `{as_row(names, inline=inline)}`, and all rows like that"
    help = "leave this line out" if first else help
    expected = "bars" if inline else "commas"
    world.report.complain("RW022", span, help=help, found=separator, expected=expected)
    return True


def _column(world: World, scope: Instance, kind: str, text: str, span: Span, body: Body) -> Column:
    name, bracket, rest = text.partition("[")
    field = world.field_of(kind, name, scope)
    if field is not None and isinstance(field.type, types.ZoneType):
        help = f"give it a start: `{name}: {types.shown(field.type)} = …`"
        label = "no cell holds a zone"
        world.report.complain("RW406", span, label, help=help, kind=kind, name=text)
        return Column(text, None)
    if field is not None and rest.endswith("]") and isinstance(field.type, FamilyType):
        inside = span.slice(len(name) + 1, len(text) - 1)
        word = nodes.Name(span=inside, text=rest[:-1].strip())
        return Column(text, field, body.typed(word, field.type.key))
    if field is not None and not bracket:
        return Column(text, field)
    if field is not None and _holds_texts(field) and LANGUAGE.fullmatch(rest.removesuffix("]")):
        return Column(name, None, language=rest[:-1])
    if not text:
        # A comma too many, or the name is missing.
        help = "give the column a name, or leave out what parts it from the others"
        world.report.complain("RW406", span, "no name", help=help, kind=kind, name="(no name)")
    elif text not in OWN_COLUMNS:
        known = world.kinds[kind]
        near = world.nearest(text, [*known.fields, *OWN_COLUMNS])
        advice = f"did you mean `{near[0]}`?" if near else None
        label = "no such field"
        if field is not None:
            label = f"`{name}` is no family"
            advice = f"write `{name}`"
        world.report.complain("RW406", span, label, help=advice, kind=kind, name=text)
    return Column(text, None)


def _holds_texts(field: FieldDeclaration) -> bool:
    return isinstance(types.without_none(field.type), types.TextType)


def missing(world: World, kind: str, given: Set[str]) -> Iterator[FieldDeclaration]:
    """Yield the printed fields of a kind that a table does not give."""
    for field in world.kinds[kind].order:
        if field.id in given or field.written or field.node.default is not None:
            continue
        if isinstance(field.type, types.ZoneType | types.UnknownType) or has_viewers(field):
            continue
        yield field


def _no_column(
    world: World,
    scope: Instance,
    kind: str,
    fields: Iterable[FieldDeclaration],
    span: Span,
    label: str = "",
) -> None:
    for field in fields:
        own = [one for one in world.kinds[kind].fields[field.name] if one.scope is not field.scope]
        header = field.scope.file.header
        if own and isinstance(header, nodes.ModuleHeader):
            if own[0].scope.is_module:
                used_twice(world, kind, own[0].scope, field.scope)
                return
            # A column is about one of them; most likely the other is not meant to be there.
            help = f"take it out here: `use {header.name.text}` declares it"
            first = (Label(field.word.span, "the module's own"),)
            world.report.complain(
                "RW202", own[0].word.span, secondary=first, help=help, kind="field", name=field.name
            )
            continue
        help = f"add a column `{field.name}`, or a start value to the field"
        place, secondary = span, (Label(field.word.span, "declared here"),)
        if scope.is_module and field.scope is not scope:
            # The table of a module is as it is: what is missing is missing in the game.
            place, secondary = field.word.span, (Label(span, "the table"),)
            help = "give it a start value"
        world.report.complain(
            "RW405", place, label, secondary=secondary, help=help, kind=kind, name=field.name
        )


def has_viewers(field: FieldDeclaration) -> bool:
    """Whether a field says who sees it, as fields that change do."""
    return any(isinstance(mark, nodes.SeenBy) for mark in field.node.marks)


def wrong_length(world: World, columns: Sequence[str], cells: Cells) -> None:
    """Report a row that is longer or shorter than the first one."""
    missing = columns[len(cells) :]
    text = cells[0][0]
    other = other_separator(text) if len(cells) == 1 else ""
    world.report.complain(
        "RW419",
        join(cells[0][1], cells[-1][1]),
        f"no cell for `{missing[0]}`" if missing else "too many cells",
        help=f"commas part the cells: write `{as_row(parted(text))}`" if other else None,
        found=counted(len(cells), "cell"),
        expected=counted(len(columns), "column"),
    )


def read_row(world: World, columns: tuple[Column, ...], cells: Cells, body: Body) -> model.Row:
    """Return a row as its cells say."""
    values: list[tuple[str, model.Expression]] = []
    families: dict[str, list[tuple[model.Expression, model.Expression]]] = {}
    own = {"copies": "1", "status": "", "note": ""}
    copies = 1
    texts = {
        column.name: text
        for column, (text, _) in zip(columns, cells, strict=True)
        if column.field is not None
    }
    words: list[tuple[str, str, str]] = []
    for column, (text, span) in zip(columns, cells, strict=True):
        if column.language:
            if text and texts.get(column.name):
                words.append((column.language, texts[column.name], text))
        elif column.field is None:
            if column.name == "copies":
                copies = _copies(world.report, text, span)
            if column.name == "status" and text not in STATUSES:
                help = "write `fact` or `reconstructed`"
                world.report.complain("RW407", span, help=help, expected="status", found=text)
            own[column.name] = text
        elif is_formula(text):
            # What is wrong with it has been said where the formulas were noted.
            number = number_cell(world, column.field, span)
            if number is not None:
                values.append((number_field(column.field), number))
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
        copies=copies,
        cells=tuple(values),
        status=own["status"],
        note=own["note"],
        words=tuple(words),
    )


def _copies(report: Report, text: str, span: Span) -> int:
    if text.isdigit() and int(text) <= MOST_COPIES:
        return int(text)
    help = f"write a number from 0 to {MOST_COPIES}"
    report.complain("RW407", span, help=help, expected="number of copies", found=text or EMPTY)
    return 1


def names_in(node: nodes.Table, files: TableFiles) -> list[str] | None:
    """Return what stands in a table's column `name`, once for each copy, before it is read.

    None if there is no such column, or no such file.
    """
    head, *rows = files.rows(node) or ((),)
    columns = [text for text, _ in head]
    if "name" not in columns:
        return None
    found: list[str] = []
    at = columns.index("name")
    copies = columns.index("copies") if "copies" in columns else len(columns)
    for row in rows:
        if at < len(row):
            number = row[copies][0] if copies < len(row) else "1"
            # That there are several matters, not how many.
            found += [row[at][0]] * (min(int(number), 2) if number.isdecimal() else 1)
    return found
