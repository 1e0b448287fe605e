"""Compiling amended values: `change v to e`, `by e`, `to at most e`, `to at least e`.

The value is the body; then scope by scope, from the game to the variants, all `to` in their order
and all `by`; after all scopes all `at most`, and last all `at least`. So "at least 0" holds over
every discount, and the inner scope speaks last. What `original` is:

- in a `to` and its guard: the value so far
- in a `by` and its guard: the value after the `to`s of the scope, the same for all of them, so that
  it does not matter which variant is named first
- in a limit and its guard: the value before all limits

An amendment with bearers is one for each of them, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
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

Applied: TypeAlias = Callable[[Value, Value], Value]
Step: TypeAlias = Callable[[Store, Thing | None, Locals, Value], Value]
"""What an amendment makes of a value."""


def changed(
    compiler: Compiler,
    code: Code,
    changes: tuple[model.Changed, ...],
    given: Callable[[model.Expression], Code] | None = None,
) -> Code:
    """Return the code of a value with its amendments; `given` compiles what they say, if that is not
    done as usual."""
    if not changes:
        return code
    given = given or compiler.expression
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    scopes = []
    for scope in sorted({change.scope for change in changes}):
        here = [change for change in in_order if change.scope == scope]
        scopes.append((_steps(compiler, here, "to", given), _steps(compiler, here, "by", given)))
    limits = [_steps(compiler, in_order, how, given) for how in ("at most", "at least")]

    def amended(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = code(store, me, locals)
        inner = locals.copy()
        for replacements, additions in scopes:
            for step in replacements:
                value = step(store, me, inner, value)
            inner[ORIGINAL] = value
            for step in additions:
                value = step(store, me, inner, value)
        inner[ORIGINAL] = value
        for steps in limits:
            for step in steps:
                value = step(store, me, inner, value)
        return value

    return amended


def _steps(
    compiler: Compiler,
    changes: list[model.Changed],
    how: str,
    given: Callable[[model.Expression], Code],
) -> list[Step]:
    return [_step(compiler, change, given(change.value)) for change in changes if change.how == how]


def _step(compiler: Compiler, change: model.Changed, given: Code) -> Step:
    guard = None if change.guard is None else compiler.expression(change.guard)
    applied = _applied(change)
    replaces = change.how == "to"

    def step(store: Store, me: Thing | None, locals: Locals, value: Value) -> Value:
        if replaces:
            locals[ORIGINAL] = value
        if guard is None or guard(store, me, locals):
            return applied(value, given(store, me, locals))
        return value

    if change.bearers is None:
        return step
    name, those = change.bearers.name, compiler.expression(change.bearers.those)

    def for_each(store: Store, me: Thing | None, locals: Locals, value: Value) -> Value:
        for one in those(store, me, locals):
            locals[name] = one
            before, value = value, step(store, me, locals, value)
            if compiler.heard is not None and before != value:
                compiler.heard(change, one)
        return value

    return for_each


def _applied(change: model.Changed) -> Applied:
    match change.how:
        case "to":
            return lambda value, given: given
        case "by":
            return lambda value, given: _added(value, given, change)
    upper = change.how == "at most"
    return lambda value, given: _limited(value, given, change, upper=upper)


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
