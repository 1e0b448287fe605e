"""Formulas in tables: cells in backquotes, and the values of things that they give.

    | name       | cost | vp                      |
    | Gem World  | 2    | 1                       |
    | Trade Port | 3    | `my.worlds_of(blue)`    |

A formula is read with `this` = the thing and `me` = its owner. A field with formulas is a value of
its kind from then on: for each thing what is printed, or what its formula says. Which formula a
thing has is printed, too: in a field of its own that no author can name.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FamilyType, OptionalType
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    FieldDeclaration,
    Formulas,
    Instance,
    World,
)
from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parser import parse_formula
from rulewright.dsl.text.source import Span

QUOTE = "`"


def is_formula(text: str) -> bool:
    """Return whether a cell is a formula."""
    return text.startswith(QUOTE)


def declare(
    world: World,
    scope: Instance,
    fields: Iterable[FieldDeclaration | None],
    cells: Iterable[tuple[str, Span]],
) -> None:
    """Note the formulas of a row; `fields` are those of its columns."""
    for field, (text, span) in zip(fields, cells, strict=False):
        if field is not None and is_formula(text):
            _declare(world, scope, field, text, span)


def _declare(world: World, scope: Instance, field: FieldDeclaration, text: str, span: Span) -> None:
    if field.name == "name" or isinstance(field.type, FamilyType) or field.holder is None:
        what = "the name of a thing" if field.name == "name" else "an entry of a family"
        help = f"give {field.holder} a value of its own: `define …` in `each {field.holder} has`"
        world.report.complain(
            "RW407",
            span,
            f"{what} is no formula",
            help=help,
            found=text.strip(QUOTE),
            expected="plain value",
        )
        return
    if len(text) < 2 or not text.endswith(QUOTE):
        world.report.complain(
            "RW407",
            span,
            help="a formula ends with a second backquote",
            found=text.strip(QUOTE),
            expected="formula",
        )
        return
    found = world.formulas.get(field.id)
    if found is None:
        found = world.formulas[field.id] = Formulas(field, _define(field, scope, field.word, None))
    number = next(
        (
            place
            for place, other in enumerate(found.cells, 1)
            if (other.scope, found.texts[place - 1]) == (scope, text)
        ),
        None,
    )
    if number is None:
        value, problems = parse_formula(span.source, span.start + 1, span.end - 1)
        world.report.extend(problems)
        number = len(found.cells) + 1
        word = nodes.Word(span=span, text=field.name)
        found.cells.append(_define(field, scope, word, value, f"`{number}"))
        found.texts.append(text)
    found.numbers[span.source, span.start] = number


def _define(
    field: FieldDeclaration,
    scope: Instance,
    word: nodes.Word,
    value: nodes.Expression | None,
    suffix: str = "",
) -> DefineDeclaration:
    """Return the declaration of a value of the kind that is called like the field."""
    node = nodes.Define(
        span=word.span,
        name=word,
        parameters=(),
        type=None,
        lets=(),
        value=value or nodes.NoneValue(span=word.span),
    )
    type_ = types.UNKNOWN if value is None and suffix else field.type
    name = " ".join(value.span.text.split()) if value is not None else field.name
    return DefineDeclaration(field.id + suffix, name, field.holder, node, scope, (), type_)


def number_field(field: FieldDeclaration) -> str:
    """Return the id of the field that says which formula a thing has."""
    return f"{field.id}{QUOTE}"


def number_cell(world: World, field: FieldDeclaration, span: Span) -> model.Expression | None:
    """Return which formula stands in a cell; None if it is one that has been reported."""
    found = world.formulas.get(field.id)
    number = None if found is None else found.numbers.get((span.source, span.start))
    if number is None:
        return None
    return model.Constant(type=types.NUMBER, span=span, value=number)


def chosen(
    formulas: Formulas, this: model.Expression, values: list[model.Expression]
) -> model.Expression:
    """Return what a field says of a thing: what is printed, or the value of its formula."""
    field, span = formulas.field, formulas.field.word.span
    plain = model.Read(type=field.type, span=span, field=field.id, target=this)
    number = model.Read(type=types.NUMBER, span=span, field=number_field(field), target=this)
    return _between([plain, *values], 0, number)


def _between(
    values: list[model.Expression], first: int, number: model.Expression
) -> model.Expression:
    """Return the one of some values whose number a thing has, found by halving."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    last = first + half - 1
    span = number.span
    low = model.Compare(
        type=types.FLAG,
        span=span,
        word="<=",
        left=number,
        right=model.Constant(type=types.NUMBER, span=span, value=last),
    )
    return model.Conditional(
        type=values[0].type,
        span=span,
        condition=low,
        then=_between(values[:half], first, number),
        otherwise=_between(values[half:], last + 1, number),
    )


def owner(this: model.Expression, span: Span) -> model.Expression:
    """Return the owner of a thing with a formula about him: without one that is a rules error."""
    type_ = OptionalType(types.PLAYER)
    return model.OwnerOf(type=type_, span=span, thing=this, needed=True)


def fields(world: World) -> dict[str, model.Field]:
    """Return the fields that say which formula a thing has."""
    return {
        number_field(one.field): model.Field(
            id=number_field(one.field),
            name=f"{one.field.name}{QUOTE}",
            holder=one.field.holder,
            type=types.NUMBER,
            printed=True,
            span=one.field.word.span,
        )
        for one in world.formulas.values()
    }


def of_field(world: World, field: str) -> tuple[model.Formula, ...]:
    """Return the formulas of a field, in the order of their numbers."""
    found = world.formulas.get(field)
    if found is None:
        return ()
    return tuple(
        model.Formula(define=define.id, text=text.strip(QUOTE).strip())
        for define, text in zip(found.cells, found.texts, strict=True)
    )
