"""Generating amended values: `change v to e`, `by e`, `to at most e`, `to at least e` (see
`semantics/calls`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import Function, Handler, Known, Made, Part, Scope
from rulewright.interpreter.printing.emit_tables import looked_up, things_of
from rulewright.interpreter.printing.emit_values import in_measure
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.semantics.closures import ORIGINAL, may_be_listed
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, PlayError
from rulewright.interpreter.state.store import blank


def amended(
    function: Function,
    part: Part,
    changes: tuple[model.Changed, ...],
    scope: Scope,
    write: Handler = Function.part,
) -> Part:
    """Write a value with its amendments; what they say is written in the given way."""
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    for level in sorted({change.scope for change in changes}):
        here = [change for change in in_order if change.scope == level]
        for change in _of(here, "to"):
            part = _step(function, part, part, change, scope, write)
        original = function.kept(part)
        for together in _together(_of(here, "by")):
            if len(together) > 1:
                part = _all_at_once(function, part, original, together, scope)
            else:
                part = _step(function, part, original, together[0], scope, write)
    original = function.kept(part)
    for how in ("at most", "at least"):
        for change in _of(in_order, how):
            part = _step(function, part, original, change, scope, write)
    return part


def _of(changes: Iterable[model.Changed], how: str) -> list[model.Changed]:
    return [change for change in changes if change.how == how]


def _together(changes: list[model.Changed]) -> list[list[model.Changed]]:
    """Return additions in groups that one loop can do: what adds to a number, and speaks for the
    things of one list. The order of such additions makes no difference."""
    groups: list[list[model.Changed]] = []
    for change in changes:
        of, last = change.bearers, groups[-1][0].bearers if groups else None
        number = isinstance(types.without_none(change.value.type), types.NumberType)
        if number and of and last and of.condition and of.source == last.source:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _all_at_once(
    function: Function,
    part: Part,
    original: Part,
    changes: list[model.Changed],
    scope: Scope,
) -> Part:
    """Write additions for the things of one list in one loop over it."""
    bearers = [change.bearers for change in changes if change.bearers is not None]
    source = function.part(bearers[0].source, scope)
    if isinstance(source, Known) and not source.value:
        return part
    source = function.kept(source)
    original = function.kept(original)
    name = function.keep(function.tree(part))
    item, which = function.names.fresh("x"), function.names.fresh("x")
    table = _powers_of(function, bearers)
    with function.looping(source) as block:
        thing = Made(variable(item))
        if table is not None:
            function.write("which = entry", which=which, entry=looked_up(table, variable(item)))
        with function.aside() as inner:
            for place, (change, of) in enumerate(zip(changes, bearers, strict=True)):
                here = scope.having(of.name, thing)
                assert of.condition is not None, "powers have conditions"
                if table is None:
                    test = function.tree(function.part(of.condition, here))
                else:
                    bit = number(1 << place)
                    test = expression("which & bit", which=which, bit=bit)
                with function.aside() as spoken:
                    found = _once(
                        function, Made(variable(name)), original, change, here, Function.part
                    )
                    function.write("name = found", name=name, found=function.tree(found))
                function.write("if test:\n    block", test=test, block=spoken)
        if table is None:
            function.block += inner
        else:
            function.write("if which:\n    block", which=which, block=inner)
    function.write(
        "for item in items:\n    block", item=item, items=function.items(source), block=block
    )
    return Made(variable(name))


def _powers_of(function: Function, bearers: list[model.Bearers]) -> str | None:
    """Return the name of a table that says which of some powers each thing has, one bit for each;
    None if that is not printed."""
    key = "powers", *map(id, bearers)
    kept = function.names.kept
    if key not in kept:
        # The bearers are kept, too: their ids are their names.
        kept[key] = _tabled(function, bearers), bearers
    found: str | None = kept[key][0]
    return found


def _tabled(function: Function, bearers: list[model.Bearers]) -> str | None:
    kind = types.element(bearers[0].those.type)
    things = things_of(function.layout, kind.kind) if isinstance(kind, types.ThingType) else None
    conditions = [of.condition for of in bearers if of.condition is not None]
    if things is None or not all(function.evaluator.fixed.expression(one) for one in conditions):
        return None
    store = blank(function.layout)
    codes = [function.evaluator.expression(one) for one in conditions]
    try:
        masks = [
            sum(
                1 << place
                for place, (code, of) in enumerate(zip(codes, bearers, strict=True))
                if code(store, None, {of.name: thing})
            )
            for thing in things
        ]
    except PlayError:
        return None
    return function.names.helper("powers", tuple(masks))


def _step(
    function: Function,
    part: Part,
    original: Part,
    change: model.Changed,
    scope: Scope,
    write: Handler,
) -> Part:
    """Write one amendment of a value; `original` is what it calls so."""
    if change.bearers is not None:
        return _for_each(function, part, original, change, change.bearers, scope, write)
    return _once(function, part, original, change, scope, write)


def _for_each(
    function: Function,
    part: Part,
    original: Part,
    change: model.Changed,
    bearers: model.Bearers,
    scope: Scope,
    write: Handler,
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
        found = _once(function, here, source, change, speaking, write)
        function.write("name = found", name=name, found=function.tree(found))
    function.write(
        "for item in items:\n    block", item=item, items=function.items(those), block=block
    )
    return Made(variable(name))


def _once(
    function: Function,
    part: Part,
    original: Part,
    change: model.Changed,
    scope: Scope,
    write: Handler,
) -> Part:
    """Write one amendment, for one bearer if it has any."""
    original = function.kept(original)
    part = function.kept(part)
    inner = scope.having(ORIGINAL, original)
    guard: Part = Known(True)
    if change.guard is not None:
        guard = function.part(change.guard, inner)
    if isinstance(guard, Known):
        return _given(function, part, change, inner, write) if guard.value else part
    guard = function.kept(guard)
    name = function.keep(function.tree(part))
    with function.aside() as block:
        found = _given(function, Made(variable(name)), change, inner, write)
        function.write("name = found", name=name, found=function.tree(found))
    function.write("if guard:\n    block", guard=function.tree(guard), block=block)
    return Made(variable(name))


def _given(
    function: Function, part: Part, change: model.Changed, scope: Scope, write: Handler
) -> Part:
    """Write what an amendment makes of a value."""
    given = write(function, change.value, scope)
    if change.how == "to":
        return given
    if not isinstance(types.without_none(change.value.type), types.NumberType):
        return _longer(function, part, given, change)
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


def _longer(function: Function, part: Part, given: Part, change: model.Changed) -> Part:
    """Write a list to which something is added."""
    plain = types.without_none(change.value.type)
    one, other = function.kept(part), function.tree(function.kept(given))
    if not (may_be_listed(change.value) or not isinstance(plain, types.ThingType)):
        other = ast.Tuple([other], ast.Load())
    name = function.keep(expression("one + other", one=function.tree(one), other=other))
    function.slow_if(expression("len(name) > most", name=name, most=number(LONGEST_LIST)))
    return Made(variable(name))
