"""Compiling conditions of lists: a `where` becomes a function that keeps the items for which it holds.

The commonest condition by far compares a field of the thing with something that does not depend on
it (`its.claim is none`, `its.rank > n`): that is a filter over one column, without a call for each
item. An `and` is one filter after the other. Everything else is evaluated item by item. What all
things of a kind have printed on them is looked up (`spot(x, y)` of a grid).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics.closures import (
    Code,
    Compiler,
    may_be_listed,
    nothing_there,
    speaks_of,
    tick,
    tick_bulk,
)
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value

Filter: TypeAlias = Callable[[Store, Thing | None, Locals, Value], list[Value]]

ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
FLIPPED: Mapping[str, str] = {
    "is": "is",
    "is not": "is not",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}


def compile_filter(compiler: Compiler, name: str, condition: model.Expression) -> Filter:
    """Return a function that keeps the items for which the condition holds."""
    if isinstance(condition, model.And):
        first = compile_filter(compiler, name, condition.left)
        second = compile_filter(compiler, name, condition.right)

        def in_turn(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Value]:
            kept = first(store, me, locals, items)
            return second(store, me, locals, kept) if kept else kept

        return in_turn
    by_column = _filter_by_column(compiler, name, condition)
    if by_column is not None:
        return by_column
    test, span = compiler.expression(condition), condition.span

    def generic(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Value]:
        tick(store, len(items), span)
        inner = locals.copy()
        kept = []
        for item in items:
            inner[name] = item
            if test(store, me, inner):
                kept.append(item)
        return kept

    return generic


def looked_up(compiler: Compiler, expression: model.Where) -> Code | None:
    """Return the code of `Space where its.x is x and …` if x is printed: the things are looked up in
    an index, and only those are looked through. None if the condition begins otherwise."""
    source, name = expression.source, expression.name
    first: model.Expression = expression.condition
    rest: list[model.Expression] = []
    while isinstance(first, model.And):
        rest.insert(0, first.right)
        first = first.left
    if not isinstance(source, model.Everything) or not isinstance(first, model.Compare):
        return None
    read, other = first.left, first.right
    if not _is_column(compiler, name, read):
        read, other = other, read
    if first.word != "is" or not _is_column(compiler, name, read) or speaks_of(other, name):
        return None
    assert isinstance(read, model.Read)
    layout = compiler.layout
    printed = layout.printed.get(layout.slots[read.field])
    things = layout.things.get(source.kind, ())
    if printed is None or len(printed) != len(things) or source.kind in layout.living_slots:
        return None
    index: dict[Value, list[Thing]] = {}
    for thing in things:
        index.setdefault(printed[thing.number], []).append(thing)
    wanted, span = compiler.expression(other), expression.span
    filters = [compile_filter(compiler, name, condition) for condition in rest]

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        kept: Sequence[Value] = index.get(wanted(store, me, locals), ())
        tick(store, 1, span)
        for one in filters:
            if not kept:
                break
            kept = one(store, me, locals, kept)
        return tuple(kept)

    return code


def _filter_by_column(compiler: Compiler, name: str, condition: model.Expression) -> Filter | None:
    """Return the filter of `its.f is e` (or `> e`, `in e`), if f is plain to see and e is the same
    for all items."""
    if isinstance(condition, model.Compare):
        word, read, other = condition.word, condition.left, condition.right
        if not _is_column(compiler, name, read) and word in FLIPPED:
            word, read, other = FLIPPED[word], other, read
        if (
            isinstance(read, model.Read)
            and _is_column(compiler, name, read)
            and not speaks_of(other, name)
        ):
            return _column_filter(compiler, read, other, word)
    if _is_column(compiler, name, condition):
        assert isinstance(condition, model.Read)
        return _flag_filter(compiler, condition, True)
    if isinstance(condition, model.Not) and _is_column(compiler, name, condition.operand):
        assert isinstance(condition.operand, model.Read)
        return _flag_filter(compiler, condition.operand, False)
    return None


def _is_column(compiler: Compiler, name: str, expression: model.Expression) -> bool:
    if not isinstance(expression, model.Read) or isinstance(expression.type, types.ZoneType):
        return False
    target = expression.target
    if not isinstance(target, model.Local) or target.name != name:
        return False
    slot = compiler.layout.slots[expression.field]
    return compiler.visibility.guard(slot) is None


def _column_filter(
    compiler: Compiler, read: model.Read, other: model.Expression, word: str
) -> Filter | None:
    if word in ORDERS:
        if isinstance(types.without_none(read.type), types.EnumType):
            return None
        return _ordered_filter(compiler, read, other, ORDERS[word])
    column_of, wanted, span = _column(compiler, read), compiler.expression(other), read.span
    searched = word in ("in", "not in")
    if searched:
        wanted = compiler.unordered(other)
        if not may_be_listed(other):
            return None
    target = read.target
    assert target is not None

    def kept(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Value]:
        tick(store, len(items), span)
        value, column = wanted(store, me, locals), column_of(store)
        if searched and value:
            tick_bulk(store, len(items) * len(value), span)
        try:
            match word:
                case "is":
                    return [item for item in items if column[item.number] == value]
                case "is not":
                    return [item for item in items if column[item.number] != value]
                case "in":
                    return [item for item in items if column[item.number] in value]
            return [item for item in items if column[item.number] not in value]
        except AttributeError:
            raise nothing_there(target) from None
        except TypeError:
            raise nothing_there(other) from None

    return kept


def _ordered_filter(
    compiler: Compiler,
    read: model.Read,
    other: model.Expression,
    compared: Callable[[Any, Any], bool],
) -> Filter:
    column_of, limit_code, span = _column(compiler, read), compiler.expression(other), read.span
    target = read.target
    assert target is not None

    def kept(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Value]:
        tick(store, len(items), span)
        limit, column = limit_code(store, me, locals), column_of(store)
        try:
            return [item for item in items if compared(column[item.number], limit)]
        except AttributeError:
            raise nothing_there(target) from None
        except TypeError:
            raise nothing_there(other if limit is None else read) from None

    return kept


def _flag_filter(compiler: Compiler, read: model.Read, wanted: bool) -> Filter:
    column_of, span, target = _column(compiler, read), read.span, read.target
    assert target is not None

    def kept(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Value]:
        tick(store, len(items), span)
        column = column_of(store)
        try:
            return [item for item in items if column[item.number] is wanted]
        except AttributeError:
            raise nothing_there(target) from None

    return kept


def _column(compiler: Compiler, read: model.Read) -> Callable[[Store], Sequence[Value]]:
    slot = compiler.layout.slots[read.field]
    printed = compiler.layout.printed.get(slot)
    if printed is not None:
        return lambda store: printed
    return lambda store: store.columns[slot]
