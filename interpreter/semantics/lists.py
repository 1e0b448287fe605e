"""Compiling the list words: `where each without having sorted by`, quantifiers, lists, families.

A name for the thing looked at (`it`, `as x`) is a local: the locals are copied once for the whole
list, not once for each item.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import list_use
from rulewright.interpreter.semantics.calls import changed, define_call
from rulewright.interpreter.semantics.closures import (
    Code,
    Compiler,
    constant,
    constant_of,
    list_too_long,
    may_be_listed,
    must_be_there,
    nothing_there,
    tick,
    tick_bulk,
)
from rulewright.interpreter.semantics.fields import counted, read_unguarded
from rulewright.interpreter.semantics.filters import compile_filter, looked_up
from rulewright.interpreter.semantics.places import blind_place, count_place
from rulewright.interpreter.semantics.scalars import chosen_by, let_of
from rulewright.interpreter.state.errors import LONGEST_LIST, PlayError
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import EnumValue, Locals, Thing, Value

FEW = 8
"""Through so many items it is quicker to look than to make a set of them."""


def where(compiler: Compiler, expression: model.Where) -> Code:
    """`xs where c`"""
    return looked_up(compiler, expression) or filtered(
        compiler, expression, compiler.expression(expression.source)
    )


def filtered(compiler: Compiler, expression: model.Where, source: Code) -> Code:
    """Return the code of a `where` over a source that is compiled already."""
    kept = compile_filter(compiler, expression.name, expression.condition)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items = source(store, me, locals)
        return tuple(kept(store, me, locals, items)) if items else ()

    return code


def each(compiler: Compiler, expression: model.Each) -> Code:
    """`xs each e`"""
    return mapped(compiler, expression, compiler.expression(expression.source))


def mapped(compiler: Compiler, expression: model.Each, source: Code) -> Code:
    """Return the code of an `each` over a source that is compiled already."""
    name, span = expression.name, expression.span
    value = compiler.expression(expression.value)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items = source(store, me, locals)
        if not items:
            return ()
        tick(store, len(items), span)
        inner = locals.copy()
        values = []
        for item in items:
            inner[name] = item
            values.append(value(store, me, inner))
        return tuple(values)

    return code


def without(compiler: Compiler, expression: model.Without) -> Code:
    """`xs without ys`"""
    return lacking(compiler, expression, compiler.expression(expression.source))


def lacking(compiler: Compiler, expression: model.Without, source: Code) -> Code:
    """Return the code of a `without` whose source is compiled already."""
    other, span = compiler.unordered(expression.other), expression.span
    single = not may_be_listed(expression.other) and _is_plain(expression.other)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items, unwanted = source(store, me, locals), other(store, me, locals)
        if single:
            unwanted = (unwanted,)
        if not unwanted or not items:
            return items
        tick(store, len(items) + len(unwanted), span)
        if len(unwanted) > FEW:
            unwanted = frozenset(unwanted)
        return tuple([item for item in items if item not in unwanted])

    return code


def _is_plain(expression: model.Expression) -> bool:
    """Return whether the type says that this is one value and no list."""
    return isinstance(
        types.without_none(expression.type), types.ThingType | types.EnumType | types.NumberType
    )


# -------------------------------------------------------------------------------------- in an order


def rank(value: Value) -> Any:
    """Return a number for the value of a criterion; `none` is below all."""
    if value is None:
        return float("-inf")
    return value.order if isinstance(value, EnumValue) else value


def _ranked(
    compiler: Compiler, name: str, keys: tuple[model.Criterion, ...]
) -> list[tuple[bool, Callable[[Store, Thing | None, Locals, Value], list[Any]]]]:
    """Return for each criterion whether the most is best, and what ranks a list of items."""
    return [(key.most, _ranks(name, compiler.expression(key.value))) for key in keys]


def _ranks(name: str, value: Code) -> Callable[[Store, Thing | None, Locals, Value], list[Any]]:
    def ranks(store: Store, me: Thing | None, locals: Locals, items: Value) -> list[Any]:
        inner = locals.copy()
        found = []
        for item in items:
            inner[name] = item
            found.append(rank(value(store, me, inner)))
        return found

    return ranks


def having(compiler: Compiler, expression: model.Having) -> Code:
    """`xs having most a, then fewest b`"""
    source, span = compiler.expression(expression.source), expression.span
    keys = _ranked(compiler, expression.name, expression.keys)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items = source(store, me, locals)
        for most, ranks in keys:
            if len(items) < 2:
                break
            tick(store, len(items), span)
            values = ranks(store, me, locals, items)
            best = max(values) if most else min(values)
            items = tuple([item for item, rank in zip(items, values, strict=True) if rank == best])
        return items

    return code


def in_order(compiler: Compiler, expression: model.Sorted) -> Code:
    """`xs sorted by most a, then fewest b`"""
    source, span = compiler.expression(expression.source), expression.span
    keys = _ranked(compiler, expression.name, expression.keys)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items = source(store, me, locals)
        if len(items) < 2:
            return items
        tick(store, len(items) * len(keys), span)
        order = list(range(len(items)))
        # Sorting is stable, so the last criterion goes first; `reverse` keeps it stable, too.
        for most, ranks in reversed(keys):
            values = ranks(store, me, locals, items)
            order.sort(key=values.__getitem__, reverse=most)
        return tuple([items[index] for index in order])

    return code


# -------------------------------------------------------------------------------------- quantifiers


def quantified(compiler: Compiler, expression: model.Quantified) -> Code:
    """`every p in xs has c`, `some …`, `no …`"""
    source = compiler.unordered(expression.source)
    condition, name, span = (
        compiler.expression(expression.condition),
        expression.name,
        expression.span,
    )
    # A `some` ends with the first yes, and so does a `no`; an `every` ends with the first no.
    every, at_end = expression.word == "every", expression.word == "some"

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items = source(store, me, locals)
        if items:
            tick(store, len(items), span)
            inner = locals.copy()
            for item in items:
                inner[name] = item
                if condition(store, me, inner):
                    if not every:
                        return at_end
                elif every:
                    return at_end
        return not at_end

    return code


# ------------------------------------------------------------------------------- lists and families


def list_of(compiler: Compiler, expression: model.ListOf) -> Code:
    """`[a, b]`"""
    known = [constant_of(item, compiler.layout) for item in expression.items]
    if all(found for found, _ in known):
        return constant(tuple(value for _, value in known))
    items = [compiler.expression(item) for item in expression.items]
    if len(items) == 1:
        only = items[0]
        return lambda store, me, locals: (only(store, me, locals),)
    return lambda store, me, locals: tuple([item(store, me, locals) for item in items])


def numbers(compiler: Compiler, expression: model.Numbers) -> Code:
    """`a..b`"""
    low, high, span = (
        compiler.expression(expression.low),
        compiler.expression(expression.high),
        expression.span,
    )

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        least, greatest = low(store, me, locals), high(store, me, locals)
        if least is None or greatest is None:
            raise nothing_there(expression.low if least is None else expression.high)
        count = greatest - least + 1
        if count <= 0:
            return ()
        if count > LONGEST_LIST:
            raise list_too_long(span)
        tick(store, count, span)
        return tuple(range(least, greatest + 1))

    return code


def family_of(compiler: Compiler, expression: model.FamilyOf) -> Code:
    """`[wood: 2, ore: 1]`"""
    assert isinstance(expression.type, types.FamilyType)
    start = compiler.layout.start_value(expression.type)
    pairs = [
        (compiler.expression(key), compiler.expression(value), key)
        for key, value in expression.pairs
    ]

    of_kind = types.without_none(expression.type.key)
    grows = isinstance(of_kind, types.ThingType) and of_kind.kind in compiler.layout.living_slots
    missing = compiler.layout.start_value(expression.type.value)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        entries = list(start)
        if grows:
            assert isinstance(of_kind, types.ThingType)
            entries = [missing] * store.counts(of_kind.kind)
        for key, value, written in pairs:
            of = key(store, me, locals)
            if of is None:
                raise nothing_there(written)
            entries[int(of) if isinstance(of, bool) else of.number] = value(store, me, locals)
        return tuple(entries)

    return code


def lookup(compiler: Compiler, expression: model.Lookup) -> Code:
    """`lookup(v, a: x, b: y, else: z)`"""
    value, span = compiler.expression(expression.value), expression.span
    otherwise = None if expression.otherwise is None else compiler.expression(expression.otherwise)
    pairs = [
        (compiler.expression(key), compiler.expression(found)) for key, found in expression.pairs
    ]
    known = [constant_of(key, compiler.layout) for key, _ in expression.pairs]
    table: dict[Value, Code] | None = None
    if all(found for found, _ in known):
        table = {}
        for (_, key), (_, found) in zip(known, pairs, strict=True):
            table.setdefault(key, found)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        looked_up = value(store, me, locals)
        found = otherwise
        if table is not None:
            found = table.get(looked_up, otherwise)
        else:
            for key, candidate in pairs:
                if key(store, me, locals) == looked_up:
                    found = candidate
                    break
        if found is None:
            raise PlayError("RW706", span, name="lookup")
        return found(store, me, locals)

    return code


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    model.Where: where,
    model.Each: each,
    model.Without: without,
    model.Having: having,
    model.Sorted: in_order,
    model.Quantified: quantified,
    model.ListOf: list_of,
    model.Numbers: numbers,
    model.FamilyOf: family_of,
    model.Lookup: lookup,
}


# ------------------------------------------------------------------------------------------- wholes


Whole: TypeAlias = Callable[[Compiler, model.Expression], Code]
"""How a list is taken: `offered` or `sized`."""


def offered(compiler: Compiler, expression: model.Expression) -> Code:
    """Return the code of a list whose things stand to choice."""
    match expression:
        case model.Read(type=types.ZoneType()):
            return read_unguarded(compiler, expression, compiler.layout.slots[expression.field])
        case model.Contents(type=types.ZoneType()):
            return blind_place(compiler, expression)
    handed = handed_on(compiler.layout, expression)
    if handed is not None:
        items, rest = handed
        return let_of(HANDED, offered(compiler, items), compiler.expression(rest))
    written = some_handed_on(compiler.layout, expression)
    if written:
        codes = [offered(compiler, one) for one in written]
        return lambda store, me, locals: tuple([code(store, me, locals) for code in codes])
    return _inside(compiler, expression, offered) or compiler.expression(expression)


HANDED = "#handed"


def some_handed_on(layout: Layout, expression: model.Expression) -> tuple[model.Expression, ...]:
    """Return the items of a list that is written down, if some of them are out of other lists."""
    if not isinstance(expression, model.ListOf):
        return ()
    items = (one.value if isinstance(one, model.Needed) else one for one in expression.items)
    if not any(handed_on(layout, one) is not None for one in items):
        return ()
    return expression.items


def handed_on(
    layout: Layout, expression: model.Expression
) -> tuple[model.Expression, model.Expression] | None:
    """Return the list whose items a function hands on as they are (all of them, or one of a zone whose
    order is decided), and the function of what is called `HANDED`; None if it is no such function."""
    if not isinstance(expression, model.Builtin) or len(expression.arguments) != 1:
        return None
    (items,) = expression.arguments
    element, hands_on = types.element(items.type), list_use(expression.name).hands_on
    if hands_on == "one":
        decided = (
            isinstance(items, model.Read) and layout.slots[items.field] not in layout.bag_slots
        )
        hands_on = "all" if decided else hands_on
    if hands_on != "all" or element is None:
        return None
    local = model.Local(type=types.ListType(element), span=items.span, name=HANDED)
    return items, attrs.evolve(expression, arguments=(local,))


def sized(compiler: Compiler, expression: model.Expression) -> Code:
    """Return the code of a list of which only the length is asked."""
    match expression:
        case model.Read(type=types.ZoneType()):
            return counted(compiler, expression)
        case model.Contents(type=types.ZoneType()):
            return count_place(compiler, expression)
        case model.Where(source=source, name=name, condition=condition):
            items = compiler.unordered(source)
            kept = compile_filter(compiler, name, condition)

            def filtered(store: Store, me: Thing | None, locals: Locals) -> Value:
                listed = items(store, me, locals)
                # A list like all others: an amendment may add to it.
                return tuple(kept(store, me, locals, listed)) if listed else ()

            return filtered
    return _inside(compiler, expression, sized) or compiler.unordered(expression)


def _inside(compiler: Compiler, expression: model.Expression, how: Whole) -> Code | None:
    """Return the code of a list that is made of others, which are taken in the same way."""
    match expression:
        case model.Needed(value=value):
            return must_be_there(expression, how(compiler, value))
        case model.Arithmetic(word="+", left=left, right=right, type=types.ListType()):
            return _joined(how(compiler, left), how(compiler, right), expression)
        case model.Conditional(condition=condition, then=then, otherwise=otherwise):
            test = compiler.expression(condition)
            return chosen_by(test, how(compiler, then), how(compiler, otherwise))
        case model.LetIn(name=name, value=value, body=body):
            return let_of(name, compiler.expression(value), how(compiler, body))
        case model.DefineCall(define=id):
            define = compiler.game.defines[id]
            if isinstance(define.type, types.ListType | types.ZoneType) and not define.lines:
                return define_call(compiler, expression, compiler.whole(id, how))
    return None


def body_of(compiler: Compiler, define: model.Define, how: Whole) -> Code:
    """Return the code of a define that is a list, amendments included."""

    def whole(expression: model.Expression) -> Code:
        return how(compiler, expression)

    return changed(compiler, whole(define.body), define.changes, whole)


def _joined(one: Code, other: Code, expression: model.Expression) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        joined = (*one(store, me, locals), *other(store, me, locals))
        tick_bulk(store, len(joined), span)
        return joined

    return code
