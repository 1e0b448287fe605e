"""In which order a game is loaded: what reads another value comes after it, wherever it is written.

    table Square for each board in Board, place in 1..9     # needs the boards
    table Board for each x in 1..3, y in 1..3

The things of rows are there first, with their names. Then come options, products and the cells of
rows; at the beginning of each game, the start values of fields. What reads itself in a circle has
no order, which is a mistake (RW313).

Options and rulings are fixed when a game starts: they may read one another, printed fields, and who
plays, but nothing that changes in the game.

    option hand_size: number = count(leader.hand)    # nobody has a hand yet
    option first: number = second
    option second: number = first                    # neither has a value
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Generic, TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

T = TypeVar("T", bound=Hashable)

Stage = int | str
"""A table, by its number among the tables of the game, or an option, by its name."""


@attrs.frozen
class Order(Generic[T]):
    """What is loaded, first things first, or a circle: items each of which reads the next one, and the
    last one the first."""

    items: tuple[T, ...]
    circle: tuple[T, ...] = ()


def _ordered(items: Iterable[T], reads: Mapping[T, Iterable[T]]) -> Order[T]:
    """Return the items so that each comes after what it reads; otherwise they stay as they are."""
    listed = tuple(items)
    if not any(reads.get(item) for item in listed):
        return Order(listed)
    sorter: TopologicalSorter[T] = TopologicalSorter()
    for item in listed:
        sorter.add(item, *reads.get(item, ()))
    try:
        return Order(tuple(sorter.static_order()))
    except CycleError as error:
        # Each item of the list is read by the next one, and the last one is the first.
        return Order(listed, tuple(reversed(error.args[1][1:])))


# --------------------------------------------------------------------------------- tables and options


@lru_cache(maxsize=4)
def tables_and_options(game: model.Game) -> Order[Stage]:
    """Return the order of the options and tables of a game."""
    stages: tuple[Stage, ...] = (*game.options, *range(len(game.tables)))
    things: dict[str, list[Stage]] = {}
    values: dict[str, list[Stage]] = {}
    for number, table in enumerate(game.tables):
        if table.ranges:
            things.setdefault(table.kind, []).append(number)
        given = {field for row in table.rows for field, _ in row.cells}
        for field in sorted(given.union(field for _, field, _ in table.ranges)):
            values.setdefault(field, []).append(number)

    def read_by(stage: Stage) -> Iterator[Stage]:
        for expression in _of_stage(game, stage):
            for node in visitor.through_defines(game, expression):
                match node:
                    case model.OptionValue(name=name) if name in game.options:
                        yield name
                    case model.Everything(kind=kind):
                        yield from things.get(kind, ())
                    case model.NamedThing(kind=kind):
                        # The names of rows are known from the beginning.
                        yield from things.get(kind, ())
                    case model.Read(field=field):
                        yield from values.get(field, ())

    return _ordered(stages, {stage: dict.fromkeys(read_by(stage)) for stage in stages})


def _of_stage(game: model.Game, stage: Stage) -> Iterator[model.Expression]:
    if isinstance(stage, str):
        yield from option_values(game, stage)
        return
    table = game.tables[stage]
    for _, _, values in table.ranges:
        yield values
    for row in table.rows:
        for _, cell in row.cells:
            if not isinstance(cell, model.Constant):
                yield cell


def option_values(game: model.Game, name: str) -> Iterator[model.Expression]:
    """Yield what decides the value of an option that nobody chooses."""
    yield game.options[name].default
    for change in game.option_changes.get(name, ()):
        yield change.value
        if change.guard is not None:
            yield change.guard


# --------------------------------------------------------------------------------------- start values


def starts(game: model.Game) -> Order[str]:
    """Return the order in which the fields of a game, by id, get their start values."""
    zones: dict[types.Type, list[str]] = {}
    for id, field in game.fields.items():
        if isinstance(field.type, types.ZoneType) and field.default is not None:
            zones.setdefault(field.type.kind, []).append(id)

    def read_by(id: str) -> Iterator[str]:
        field = game.fields[id]
        if field.printed or field.default is None or isinstance(field.default, model.Constant):
            return
        for node in visitor.through_defines(game, field.default):
            match node:
                case model.Read(field=other) | model.FieldPlace(field=other):
                    if not game.fields[other].printed:
                        yield other
                case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                    yield from zones.get(types.without_none(thing.type), ())

    return _ordered(game.fields, {id: dict.fromkeys(read_by(id)) for id in game.fields})


# ------------------------------------------------------------------------------------------- mistakes


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what options may not read, and what cannot be loaded, since it reads itself in a circle."""
    for name in game.options:
        for expression in _values_and_bounds(game, name):
            yield from _changes_read(game, expression)
    for names in _circles(
        {name: dict.fromkeys(_options_read(game, name)) for name in game.options}
    ):
        span = game.options[names[0]].span
        help = "in a change, the value so far is called `original`"
        yield diagnostic("RW313", span, help=help, notes=[_chain(*names)], name=names[0])
    stages = tables_and_options(game).circle
    if any(isinstance(stage, int) for stage in stages):
        yield _problem([_name_and_place(game, stage) for stage in stages])
    fields = starts(game).circle
    if fields:
        yield _problem([(game.fields[id].name, game.fields[id].span) for id in fields])


def _circles(reads: Mapping[T, Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """Yield the circles, each from its first item on, and without what stood in one before."""
    items, left = list(reads), dict(reads)
    while circle := _ordered(left, left).circle:
        start = circle.index(min(circle, key=items.index))
        yield circle[start:] + circle[:start]
        left = {item: reads[item] for item in left if item not in circle}


def _name_and_place(game: model.Game, stage: Stage) -> tuple[str, Span]:
    if isinstance(stage, str):
        return stage, game.options[stage].span
    table = game.tables[stage]
    return table.kind, table.span


def _problem(circle: list[tuple[str, Span]]) -> Diagnostic:
    (name, span), *others = circle
    labels = [Label(place, f"`{other}` stands in the circle") for other, place in others]
    notes = [_chain(*(one for one, _ in circle))]
    return diagnostic("RW313", span, secondary=labels, notes=notes, name=name)


def _chain(first: str, *others: str) -> str:
    return f"`{first}` reads {', which reads '.join(f'`{one}`' for one in (*others, first))}"


# ----------------------------------------------------------------------------- what options may read


def _values_and_bounds(game: model.Game, name: str) -> Iterator[model.Expression]:
    yield from option_values(game, name)
    for bound in (game.options[name].low, game.options[name].high):
        if bound is not None:
            yield bound


def _changes_read(game: model.Game, expression: model.Expression) -> Iterator[Diagnostic]:
    for node in visitor.through_defines(game, expression):
        field = game.fields[node.field] if isinstance(node, model.Read) else None
        if field is not None and not field.printed:
            yield diagnostic(
                "RW203",
                expression.span,
                "options are fixed before the game begins",
                secondary=(Label(field.span, "this changes in the game"),),
                name=field.name,
                found="field that changes",
                kind="value for an option",
            )
            return


def _options_read(game: model.Game, name: str) -> Iterator[str]:
    for expression in _values_and_bounds(game, name):
        for node in visitor.through_defines(game, expression):
            if isinstance(node, model.OptionValue) and node.name in game.options:
                yield node.name
