"""Tables of the values of an enumeration: what each value is worth, as printed fields.

    kind Tech is one of [wheel, sail]
    each Tech has
      price: number
    table Tech
      | Tech  | price |
      | wheel | 2     |
      | sail  | 5     |

The column that is called like the enumeration says which value a row is about; each value has one
row. Values make no things: what a table says about them becomes a constant family.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import EnumType, FamilyType
from rulewright.dsl.resolve.symbols import Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.formulas import is_formula
from rulewright.dsl.typecheck.sheets import Cells, read_cell
from rulewright.dsl.typecheck.tables import (
    TableFiles,
    missing,
    read_columns,
    read_row,
    wrong_length,
)

KeyAndValue = tuple[model.Expression, model.Expression]

MAKES_THINGS = "copies"
"""The column of a table that is about how many things there are."""


@attrs.define(eq=False)
class RowValues:
    """What the tables of one enumeration say."""

    enum: str
    pairs: dict[str, list[KeyAndValue]] = attrs.Factory(dict)
    """For each field the value that each value of the enumeration has."""

    words: list[tuple[str, str, str]] = attrs.Factory(list)
    """What columns say in other languages: language, text and translation."""

    unread: bool = False
    """Whether there is a table that could not be read."""

    names: list[Span] = attrs.Factory(list)
    """Where the enumeration is named as the head of a table."""


def read_values(
    world: World,
    scope: Instance,
    node: nodes.Table,
    files: TableFiles,
    body: Body,
    values: RowValues,
) -> Iterator[str]:
    """Read a table into `values`; yield the status of each of its rows."""
    values.names.append(node.kind.span)
    rows = files.rows(node)
    if not rows:
        return
    head = rows[0]
    at = next((place for place, (text, _) in enumerate(head) if text == node.kind.text), None)
    if at is None:
        values.unread = True
        _says_no_value(world, values.enum, node.kind, head)
        return
    counted = next((span for text, span in head if text == MAKES_THINGS), None)
    if counted is not None:
        values.unread = True
        help = "a value is there once: take the column out"
        world.report.complain(
            "RW406", counted, "no things", help=help, kind=values.enum, name=MAKES_THINGS
        )
        return
    columns = read_columns(world, scope, values.enum, _without(head, at), body)
    for column in columns:
        if column.field is not None:
            values.pairs.setdefault(column.field.id, [])
    rowed: dict[str, Span] = {}
    for cells in rows[1:]:
        if len(cells) != len(head):
            wrong_length(world, [text for text, _ in head], cells)
            continue
        text, span = cells[at]
        key = read_cell(body, text, span, EnumType(values.enum), body.scope)
        if not isinstance(key, model.EnumConstant):
            continue
        if key.value in rowed:
            secondary = (Label(rowed[key.value], "first declared here"),)
            world.report.complain("RW202", span, secondary=secondary, kind="row", name=key.value)
            continue
        rowed[key.value] = span
        formula = next((place for cell, place in cells if is_formula(cell)), None)
        if formula is not None:
            help = (
                f"write it as a `define` in `each {node.kind.text} has`, where `this` is the value"
            )
            label = "a word has no owner who could ask"
            world.report.complain(
                "RW407", formula, label, help=help, expected="value", found=formula.text
            )
            continue
        row = read_row(world, columns, _without(cells, at), body)
        for id, value in row.cells:
            values.pairs.setdefault(id, []).append((key, value))
        values.words += row.words
        yield row.status
    _all_there(world, values.enum, node.kind, rowed)


def _without(cells: Cells, at: int) -> Cells:
    return (*cells[:at], *cells[at + 1 :])


def _says_no_value(world: World, enum: str, word: nodes.Word, head: Cells) -> None:
    example = next(iter(world.enumerations[enum]), "value")
    help = f"it says which value a row is about: `| {word.text} | … |`, `| {example} | … |`"
    place = head[0][1]
    world.report.complain("RW405", place, help=help, kind=word.text, name=word.text)


def _all_there(world: World, enum: str, word: nodes.Word, rowed: dict[str, Span]) -> None:
    absent = [value for value in world.enumerations[enum] if value not in rowed]
    if not absent or world.report.has_errors:
        return
    more = "" if len(absent) == 1 else f"; none for {', '.join(absent[1:])} either"
    help = f"each value has a row{more}"
    world.report.complain(
        "RW429", word.span, "not complete", help=help, kind=word.text, name=absent[0]
    )


class TablesOfValues:
    """The tables of all enumerations of a game."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.of: dict[str, RowValues] = {}

    def read(
        self,
        scope: Instance,
        item: nodes.Table | nodes.TableProduct,
        files: TableFiles,
        body: Body,
    ) -> bool:
        """Read a table, if it is one of an enumeration; return whether it is."""
        with body.quietly():
            type_ = body.types.kind_type(item.kind, scope)
        if not isinstance(type_, EnumType):
            return False
        word = item.kind.text
        if isinstance(item, nodes.TableProduct):
            help = f"say it row by row: `table {word}` with a column `{word}`"
            found = "list of values"
            self.world.report.complain(
                "RW203", item.kind.span, help=help, name=word, kind="kind of things", found=found
            )
            return True
        values = self.of.setdefault(type_.name, RowValues(type_.name))
        status = list(read_values(self.world, scope, item, files, body, values))
        count = status.count("reconstructed")
        if count:
            found = f"{count} of {len(status)} rows"
            self.world.report.complain("RW414", item.span, name=word, found=found)
        return True

    def check_complete(self) -> None:
        """Report printed fields that no table of their enumeration gives."""
        for enum, values in self.of.items():
            for field in () if values.unread else missing(self.world, enum, set(values.pairs)):
                help = f"add a column `{field.name}`, or say how it starts and who sees it"
                secondary = (Label(field.word.span, "declared here"),)
                self.world.report.complain(
                    "RW405",
                    values.names[0],
                    secondary=secondary,
                    help=help,
                    kind=enum,
                    name=field.name,
                )

    def defines(self) -> Iterator[model.Define]:
        """Yield the printed fields as what they are: values that never change."""
        for enum, values in self.of.items():
            for id, pairs in values.pairs.items():
                field = self.world.field_ids[id]
                type_ = FamilyType(field.type, EnumType(enum))
                yield model.Define(
                    id=id,
                    name=field.name,
                    holder=None,
                    parameters=(),
                    parameter_types=(),
                    type=type_,
                    body=model.FamilyOf(type=type_, span=field.word.span, pairs=tuple(pairs)),
                    lines=(),
                    needs_me=False,
                    changes=(),
                    span=field.word.span,
                    see=field.node.see,
                )

    def shown(self, enum: str) -> tuple[str, ...]:
        """Return the names of the values for readers, if a column `name` gives them."""
        values = self.of.get(enum)
        for id, pairs in () if values is None else values.pairs.items():
            field = self.world.field_ids[id]
            if field.name == "name" and isinstance(field.type, types.TextType):
                said = {
                    key.value: text.value
                    for key, text in pairs
                    if isinstance(key, model.EnumConstant) and isinstance(text, model.Constant)
                }
                return tuple(str(said.get(word) or word) for word in self.world.enumerations[enum])
        return ()

    def words(self, enum: str) -> tuple[tuple[str, str, str], ...]:
        """Return what the tables of an enumeration say in other languages."""
        return tuple(self.of[enum].words) if enum in self.of else ()
