"""Compiling plain values: constants, locals, logic, arithmetic, comparison, conditions, texts.

Comparing with a constant, asking for `none` and arithmetic on numbers are what rules do most, so
these have closures of their own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.closures import (
    BULK,
    ORIGINAL,
    Code,
    Compiler,
    constant,
    constant_of,
    list_too_long,
    may_be_listed,
    nothing_there,
    number_too_large,
    tick,
    tick_bulk,
)
from rulewright.interpreter.state.errors import (
    LARGEST_NUMBER,
    LONGEST_LIST,
    LONGEST_TEXT,
    PlayError,
)
from rulewright.interpreter.state.layout import ENDING, LASTING, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


def known(compiler: Compiler, expression: model.Expression) -> Code:
    """Whatever is known when the game is loaded."""
    found, value = constant_of(expression, compiler.layout)
    if not found:
        raise KeyError(f"unknown when loaded: {expression}")
    return constant(value)


def text(compiler: Compiler, expression: model.TextOf) -> Code:
    """`"…{x}…"`"""
    written = compiler.words.parts(expression.span.text[1:-1], expression.parts)
    parts: list[str | Code] = [
        part if isinstance(part, str) else compiler.expression(part) for part in written
    ]
    public, span = compiler.public, expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        reader = None if public else me
        words = [
            part
            if isinstance(part, str)
            else labels.show(part(store, me, locals), reader, store, compiler)
            for part in parts
        ]
        result = "".join(words)
        if len(result) > LONGEST_TEXT:
            raise PlayError("RW713", span, expected=f"{LONGEST_TEXT:,} characters")
        return result

    return code


def everything(compiler: Compiler, expression: model.Everything) -> Code:
    """`Planet`: all things of the kind that are in the game"""
    slot = compiler.layout.living_slots.get(expression.kind)
    if slot is None:
        return known(compiler, expression)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return store.columns[slot][0]

    return code


def local(compiler: Compiler, expression: model.Local) -> Code:
    """A name."""
    name = expression.name

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return locals[name]

    return code


def me(compiler: Compiler, expression: model.Me) -> Code:
    """`me`"""

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return me

    return code


def original(compiler: Compiler, expression: model.OriginalValue) -> Code:
    """`original`"""

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return locals[ORIGINAL]

    return code


def ending(compiler: Compiler, expression: model.Ending) -> Code:
    """`ending`"""

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return store.columns[SCALARS][ENDING]

    return code


def lasting(compiler: Compiler, expression: model.Lasting) -> Code:
    """The records of an `until` that hold for who reads"""
    number, anybody = expression.number, expression.anybody

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        records = store.columns[SCALARS][LASTING]
        if records is None:
            return ()
        return tuple([one for one in records if one[0] == number and (anybody or one[1] is me)])

    return code


def conditional(compiler: Compiler, expression: model.Conditional) -> Code:
    """`if c then a else b`"""
    condition = compiler.expression(expression.condition)
    then = compiler.expression(expression.then)
    return chosen_by(condition, then, compiler.expression(expression.otherwise))


def chosen_by(condition: Code, then: Code, otherwise: Code) -> Code:
    """Return code that takes one of two values."""

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        if condition(store, me, locals):
            return then(store, me, locals)
        return otherwise(store, me, locals)

    return code


def let_in(compiler: Compiler, expression: model.LetIn) -> Code:
    """`let x = e` inside a define"""
    value, body = compiler.expression(expression.value), compiler.expression(expression.body)
    return let_of(expression.name, value, body)


def let_of(name: str, value: Code, body: Code) -> Code:
    """Return code that gives a value a name for what comes after it."""

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        inner = locals.copy()
        inner[name] = value(store, me, locals)
        return body(store, me, inner)

    return code


def both(compiler: Compiler, expression: model.And) -> Code:
    """`a and b`"""
    left, right = compiler.expression(expression.left), compiler.expression(expression.right)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return left(store, me, locals) and right(store, me, locals)

    return code


def either(compiler: Compiler, expression: model.Or) -> Code:
    """`a or b`"""
    left, right = compiler.expression(expression.left), compiler.expression(expression.right)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return left(store, me, locals) or right(store, me, locals)

    return code


def negation(compiler: Compiler, expression: model.Not) -> Code:
    """`not a`"""
    return _not(compiler.expression(expression.operand))


def _not(operand: Code) -> Code:
    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return not operand(store, me, locals)

    return code


# ------------------------------------------------------------------------------------- arithmetic


def arithmetic(compiler: Compiler, expression: model.Arithmetic) -> Code:
    """`+ - * / mod`"""
    left, right = expression.left, expression.right
    match expression.word:
        case "+" if may_be_listed(left) or may_be_listed(right):
            return _joined(expression, compiler.expression(left), compiler.expression(right))
        case "*" if may_be_listed(right):
            return _repeated(expression, compiler.expression(left), compiler.expression(right))
        case "*" if may_be_listed(left):
            return _repeated(expression, compiler.expression(right), compiler.expression(left))
        case "+" | "-" | "*":
            return _computed(compiler, expression)
    return _divided(compiler, expression)


def _joined(expression: model.Arithmetic, left: Code, right: Code) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first, second = left(store, me, locals), right(store, me, locals)
        try:
            result = first + second
        except TypeError:
            raise _none_in(expression, first, second) from None
        tick(store, len(result), span)
        if len(result) > LONGEST_LIST:
            raise list_too_long(span)
        return result

    return code


def _repeated(expression: model.Arithmetic, times: Code, items: Code) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        count, repeated = times(store, me, locals), items(store, me, locals)
        if count is None or repeated is None:
            raise _none_in(expression, count, repeated)
        if count * len(repeated) > LONGEST_LIST:
            raise list_too_long(span)
        tick(store, max(count, 0) * len(repeated), span)
        return repeated * count

    return code


_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "mod": operator.mod,
}


def _computed(compiler: Compiler, expression: model.Arithmetic) -> Code:
    operate, span = _OPERATORS[expression.word], expression.span
    left, right = compiler.expression(expression.left), compiler.expression(expression.right)
    fixed, number = constant_of(expression.right, compiler.layout)
    if fixed and isinstance(number, int) and expression.word != "*":
        step = number if expression.word == "+" else -number
        return _moved_by(expression, left, step)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first, second = left(store, me, locals), right(store, me, locals)
        try:
            result = operate(first, second)
        except TypeError:
            raise _none_in(expression, first, second) from None
        if -LARGEST_NUMBER <= result <= LARGEST_NUMBER:
            return result
        raise number_too_large(span)

    return code


def _moved_by(expression: model.Arithmetic, left: Code, step: int) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first = left(store, me, locals)
        try:
            result = first + step
        except TypeError:
            raise nothing_there(expression.left) from None
        if -LARGEST_NUMBER <= result <= LARGEST_NUMBER:
            return result
        raise number_too_large(span)

    return code


def _divided(compiler: Compiler, expression: model.Arithmetic) -> Code:
    operate, span = _OPERATORS[expression.word], expression.span
    left, right = compiler.expression(expression.left), compiler.expression(expression.right)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first, second = left(store, me, locals), right(store, me, locals)
        try:
            return operate(first, second)
        except ZeroDivisionError:
            raise PlayError("RW704", span) from None
        except TypeError:
            raise _none_in(expression, first, second) from None

    return code


def negative(compiler: Compiler, expression: model.Negative) -> Code:
    """`-n`"""
    operand = compiler.expression(expression.operand)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        number = operand(store, me, locals)
        try:
            return -number
        except TypeError:
            raise nothing_there(expression.operand) from None

    return code


def _none_in(
    expression: model.Arithmetic | model.Compare, first: Value, second: Value
) -> PlayError:
    return nothing_there(expression.left if first is None else expression.right)


# ------------------------------------------------------------------------------------- comparison

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def compare(compiler: Compiler, expression: model.Compare) -> Code:
    """`is`, `is not`, `<`, `>`, `<=`, `>=`, `in`, `not in`"""
    if expression.word in _ORDERS:
        return _ordered(compiler, expression)
    positive = expression.word in ("is", "in")
    if expression.word in ("in", "not in"):
        code = _member(compiler, expression)
        return code if positive else _not(code)
    left, right = expression.left, expression.right
    for one, other in ((left, right), (right, left)):
        found, value = constant_of(other, compiler.layout)
        if found:
            return _is_constant(compiler.expression(one), value, positive)
    first, second = compiler.expression(left), compiler.expression(right)
    if may_be_listed(left) and may_be_listed(right):
        equal = _same_list(expression, first, second)
        return equal if positive else _not(equal)
    if positive:
        return lambda store, me, locals: first(store, me, locals) == second(store, me, locals)
    return lambda store, me, locals: first(store, me, locals) != second(store, me, locals)


def _same_list(expression: model.Compare, left: Code, right: Code) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first, second = left(store, me, locals), right(store, me, locals)
        if isinstance(first, tuple):
            tick_bulk(store, len(first), span)
        return first == second

    return code


def _is_constant(code: Code, value: Value, positive: bool) -> Code:
    if value is None or isinstance(value, bool):
        if positive:
            return lambda store, me, locals: code(store, me, locals) is value
        return lambda store, me, locals: code(store, me, locals) is not value
    if positive:
        return lambda store, me, locals: code(store, me, locals) == value
    return lambda store, me, locals: code(store, me, locals) != value


def _ordered(compiler: Compiler, expression: model.Compare) -> Code:
    compared = _ORDERS[expression.word]
    left, right = compiler.expression(expression.left), compiler.expression(expression.right)
    if _by_order(expression.left) or _by_order(expression.right):

        def by_order(store: Store, me: Thing | None, locals: Locals) -> Value:
            first, second = left(store, me, locals), right(store, me, locals)
            try:
                return compared(first.order, second.order)
            except AttributeError:
                raise _none_in(expression, first, second) from None

        return by_order
    found, limit = constant_of(expression.right, compiler.layout)
    if found and limit is not None:

        def with_constant(store: Store, me: Thing | None, locals: Locals) -> Value:
            number = left(store, me, locals)
            try:
                return compared(number, limit)
            except TypeError:
                raise nothing_there(expression.left) from None

        return with_constant

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        first, second = left(store, me, locals), right(store, me, locals)
        try:
            return compared(first, second)
        except TypeError:
            raise _none_in(expression, first, second) from None

    return code


def _by_order(expression: model.Expression) -> bool:
    return isinstance(types.without_none(expression.type), types.EnumType)


def _member(compiler: Compiler, expression: model.Compare) -> Code:
    item = compiler.expression(expression.left)
    if isinstance(expression.right, model.Numbers):
        low = compiler.expression(expression.right.low)
        high = compiler.expression(expression.right.high)

        def in_range(store: Store, me: Thing | None, locals: Locals) -> Value:
            number = item(store, me, locals)
            least, greatest = low(store, me, locals), high(store, me, locals)
            if least is None or greatest is None:
                raise nothing_there(expression.right)
            return number is not None and least <= number <= greatest

        return in_range
    items, span = compiler.unordered(expression.right), expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        found, searched = item(store, me, locals), items(store, me, locals)
        try:
            if len(searched) > BULK:
                tick_bulk(store, len(searched), span)
            return found in searched
        except TypeError:
            raise nothing_there(expression.right) from None

    return code


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    model.Constant: known,
    model.EnumConstant: known,
    model.Everything: everything,
    model.Seats: known,
    model.EnumValues: known,
    model.NamedThing: known,
    model.OptionValue: known,
    model.TextOf: text,
    model.Local: local,
    model.Me: me,
    model.OriginalValue: original,
    model.Ending: ending,
    model.Lasting: lasting,
    model.Conditional: conditional,
    model.LetIn: let_in,
    model.And: both,
    model.Or: either,
    model.Not: negation,
    model.Arithmetic: arithmetic,
    model.Negative: negative,
    model.Compare: compare,
}
