"""Generating amended values: `change v to e`, `by e`, `to at most e`, `to at least e` (see
`changes`)."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl import kinds, model
from rulewright.interpreter.compiling import ORIGINAL
from rulewright.interpreter.emit import Function, Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.emit_values import in_measure
from rulewright.interpreter.errors import LARGEST_NUMBER
from rulewright.interpreter.templates import expression, variable


def amended(
    function: Function, part: Part, changes: tuple[model.Changed, ...], scope: Scope
) -> Part:
    """Write a value with its amendments."""
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    for number in sorted({change.scope for change in changes}):
        here = [change for change in in_order if change.scope == number]
        for change in _of(here, "to"):
            part = _step(function, part, part, change, scope)
        original = function.kept(part)
        for change in _of(here, "by"):
            part = _step(function, part, original, change, scope)
    original = function.kept(part)
    for how in ("at most", "at least"):
        for change in _of(in_order, how):
            part = _step(function, part, original, change, scope)
    return part


def _of(changes: Iterable[model.Changed], how: str) -> list[model.Changed]:
    return [change for change in changes if change.how == how]


def _step(
    function: Function, part: Part, original: Part, change: model.Changed, scope: Scope
) -> Part:
    """Write one amendment of a value; `original` is what it calls so."""
    if change.bearers is not None:
        return _for_each(function, part, original, change, change.bearers, scope)
    return _once(function, part, original, change, scope)


def _for_each(
    function: Function,
    part: Part,
    original: Part,
    change: model.Changed,
    bearers: model.Bearers,
    scope: Scope,
) -> Part:
    """Write an amendment that speaks once for each of its bearers."""
    those = function.part(bearers.those, scope)
    if isinstance(those, Known) and not those.value:
        return part
    those = function.kept(those)
    original = function.kept(original)
    name = function.keep(function.tree(part))
    item = function.names.fresh("x")
    with function.looping(those) as block:
        here = Made(variable(name))
        speaking = scope.having(bearers.name, Made(variable(item)))
        source = here if change.how == "to" else original
        found = _once(function, here, source, change, speaking)
        function.write("name = found", name=name, found=function.tree(found))
    function.write(
        "for item in items:\n    block", item=item, items=function.items(those), block=block
    )
    return Made(variable(name))


def _once(
    function: Function, part: Part, original: Part, change: model.Changed, scope: Scope
) -> Part:
    """Write one amendment, for one bearer if it has any."""
    original = function.kept(original)
    part = function.kept(part)
    inner = scope.having(ORIGINAL, original)
    guard: Part = Known(True)
    if change.guard is not None:
        guard = function.part(change.guard, inner)
    if isinstance(guard, Known):
        return _given(function, part, change, inner) if guard.value else part
    guard = function.kept(guard)
    name = function.keep(function.tree(part))
    with function.aside() as block:
        found = _given(function, Made(variable(name)), change, inner)
        function.write("name = found", name=name, found=function.tree(found))
    function.write("if guard:\n    block", guard=function.tree(guard), block=block)
    return Made(variable(name))


def _given(function: Function, part: Part, change: model.Changed, scope: Scope) -> Part:
    """Write what an amendment makes of a value."""
    given = function.part(change.value, scope)
    if change.how == "to":
        return given
    if not isinstance(kinds.without_none(change.value.type), kinds.NumberType):
        raise NotGenerated("an amended list")
    one, other = part, function.kept(given)
    if isinstance(one, Known) and isinstance(other, Known) and None not in (one.value, other.value):
        known = {
            "by": one.value + other.value,
            "at most": min(one.value, other.value),
            "at least": max(one.value, other.value),
        }[change.how]
        if abs(known) <= LARGEST_NUMBER:
            return Known(known)
    trees = {"one": function.tree(one), "other": function.tree(other)}
    if change.how == "by":
        return in_measure(function, Made(expression("one + other", **trees)))
    word = "other if one > other else one"
    if change.how == "at least":
        word = "other if one < other else one"
    return function.kept(Made(expression(word, **trees)))
