"""Compiling amended values: `change v to e`, `by e`, `to at most e`, `to at least e`.

The value is the body; then scope by scope, from the game to the variants, all `to` in their order
and all `by`; after all scopes all `at most`, and last all `at least`. So "at least 0" holds over
every discount, and the inner scope speaks last. What `original` is:

- in a `to` and its guard: the value so far
- in a `by` and its guard: the value after the `to`s of the scope, the same for all of them, so that
  it does not matter which variant is named first
- in a limit and its guard: the value before all limits
"""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl import kinds, model
from rulewright.interpreter.compiling import (
    ORIGINAL,
    Code,
    Compiler,
    list_too_long,
    may_be_listed,
    nothing_there,
    number_too_large,
)
from rulewright.interpreter.errors import LARGEST_NUMBER, LONGEST_LIST
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import EnumValue, Locals, Thing, Value

Step: TypeAlias = tuple[Code | None, Code, model.Changed]
"""Guard, value, and where it is written."""


def changed(compiler: Compiler, code: Code, changes: tuple[model.Changed, ...]) -> Code:
    """Return the code of a value with its amendments."""
    if not changes:
        return code
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    scopes = [
        (
            _steps(compiler, [change for change in in_order if change.scope == scope], "to"),
            _steps(compiler, [change for change in in_order if change.scope == scope], "by"),
        )
        for scope in sorted({change.scope for change in changes})
    ]
    upper = _steps(compiler, in_order, "at most")
    lower = _steps(compiler, in_order, "at least")

    def amended(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = code(store, me, locals)
        inner = locals.copy()
        for replacements, additions in scopes:
            for guard, given, _ in replacements:
                inner[ORIGINAL] = value
                if guard is None or guard(store, me, inner):
                    value = given(store, me, inner)
            inner[ORIGINAL] = value
            for guard, given, change in additions:
                if guard is None or guard(store, me, inner):
                    value = _added(value, given(store, me, inner), change)
        inner[ORIGINAL] = value
        for guard, given, change in upper:
            if guard is None or guard(store, me, inner):
                value = _limited(value, given(store, me, inner), change, upper=True)
        for guard, given, change in lower:
            if guard is None or guard(store, me, inner):
                value = _limited(value, given(store, me, inner), change, upper=False)
        return value

    return amended


def _steps(compiler: Compiler, changes: list[model.Changed], how: str) -> list[Step]:
    return [
        (
            None if change.guard is None else compiler.expression(change.guard),
            _value(compiler, change),
            change,
        )
        for change in changes
        if change.how == how
    ]


def _value(compiler: Compiler, change: model.Changed) -> Code:
    return compiler.expression(change.value)


def _added(value: Value, more: Value, change: model.Changed) -> Value:
    if isinstance(value, tuple):
        plain = kinds.without_none(change.value.type)
        listed = may_be_listed(change.value) or not isinstance(plain, kinds.ThingType)
        result = value + (more if listed else (more,))
        if len(result) > LONGEST_LIST:
            raise list_too_long(change.span)
        return result
    try:
        number = value + more
    except TypeError:
        raise nothing_there(change.value) from None
    if -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
        return number
    raise number_too_large(change.span)


def _limited(value: Value, limit: Value, change: model.Changed, *, upper: bool) -> Value:
    if value is None or limit is None:
        raise nothing_there(change.value)
    one, other = ((item.order if isinstance(item, EnumValue) else item) for item in (value, limit))
    exceeds = one > other if upper else one < other
    return limit if exceeds else value
