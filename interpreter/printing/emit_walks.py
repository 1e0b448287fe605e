"""Generating walks, the things through which one comes from a beginning, and what is in reach of one."""

from __future__ import annotations

import ast

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import (
    Bound,
    Function,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_calls import about, applied
from rulewright.interpreter.printing.emit_lines import Way
from rulewright.interpreter.printing.emit_sure import is_picked_surely, picked
from rulewright.interpreter.printing.emit_tables import tabulated, things_of, walks
from rulewright.interpreter.printing.emit_values import length_of
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.semantics.closures import free_names

LONGEST_WALK = 500
"""Of a longer walk every step is counted, which the walker does."""


def walk(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`walk(x, next, good)`"""
    start, following, good = node.arguments
    way, test = about(following, scope), about(good, scope)
    kind = types.without_none(start.type)
    if not isinstance(kind, types.ThingType):
        raise NotGenerated("a walk through values")
    length = function.layout.known_count(kind.kind)
    if length is None or length > LONGEST_WALK:
        raise NotGenerated("a long walk")
    begin = function.kept(function.part(start, scope))
    path = _path_of(function, way, kind.kind)
    if path is not None:
        surely = not isinstance(start.type, types.OptionalType)
        return _along(function, path, function.tree(begin), surely, test, scope, length)
    at = function.keep(function.tree(begin))
    found = function.keep(ast.Dict([], []))
    here = Made(variable(at))
    over = Made(variable(found), length=length)
    with function.looping(over) as goodness:
        is_good = function.tree(applied(function, test, here, scope))
    with function.looping(over) as step:
        next_one = function.tree(applied(function, way, here, scope))
    function.write(
        "while at is not None and at not in found:\n"
        "    goodness\n"
        "    if not good:\n        break\n"
        "    found[at] = None\n"
        "    step\n"
        "    at = following",
        at=at,
        found=found,
        goodness=goodness,
        good=is_good,
        step=step,
        following=next_one,
    )
    return Made(expression("list(found)", found=found), listed=True, length=length)


def _along(
    function: Function,
    path: str,
    start: ast.expr,
    surely: bool,
    test: Bound,
    scope: Scope,
    length: int,
) -> Part:
    """Write a walk whose way is known from every thing."""
    found = function.keep(ast.List([], ast.Load()))
    here = function.names.fresh("x")
    function.names.things.add(here)
    with function.looping(Made(variable(found), length=length)) as block:
        good = function.tree(applied(function, test, Made(variable(here)), scope))
    with function.aside() as walking:
        function.write(
            "for here in path[start.number]:\n"
            "    block\n"
            "    if not good:\n        break\n"
            "    found.append(here)",
            start=start,
            here=here,
            path=path,
            block=block,
            good=good,
            found=found,
        )
    if surely:
        if not block:
            written = [function.block[-1], *walking]
            function.ways[found] = Way(path, start, here, good, written)
        function.block += walking
    else:
        function.write("if start is not None:\n    walking", start=start, walking=walking)
    return Made(variable(found), listed=True, length=length)


def reach(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`reach(x, neighbours)`, `reach(x, n, neighbours)`"""
    start, neighbours = node.arguments[0], about(node.arguments[-1], scope)
    kind = types.without_none(start.type)
    if not isinstance(kind, types.ThingType):
        raise NotGenerated("a reach through values")
    length = function.layout.known_count(kind.kind)
    begin, steps = function.part(start, scope), None
    if len(node.arguments) == 3:
        begin, steps = function.parts(node.arguments[:2], scope)
    begin = function.kept(begin)
    if isinstance(begin, Known) and begin.value is None:
        raise NotGenerated("from nowhere")
    if isinstance(steps, Known) and length is not None and steps.value >= length:
        # So far apart no two things are.
        steps = None
    function.slow_if(expression("begin is None", begin=function.tree(begin)))
    found = function.keep(ast.Dict([function.tree(begin)], [ast.Constant(None)]))
    here = function.names.fresh("x")
    function.names.things.add(here)
    before, function.cost = function.cost, 0
    function.loops += 1
    with function.aside() as block:
        near = applied(function, neighbours, Made(variable(here)), scope)
        among = picked(near)
        if among is not None and is_picked_surely(function, among):
            # Who is there already need not be tested again.
            one, items, test = among.item, among.items, among.tests[0]
        else:
            near = function.kept(near)
            one, items, test = function.names.fresh("x"), function.items(near), ast.Constant(True)
            if length_of(near) is None:
                function.count(expression("len(items)", items=items))
    function.loops -= 1
    cost, function.cost = function.cost + (length_of(near) or 0) + 1, before
    trees = {"here": here, "block": block, "one": one, "items": items, "found": found}
    border = function.keep(ast.List([function.tree(begin)], ast.Load()))
    if steps is None:
        function.write(
            "for here in border:\n"
            "    block\n"
            "    for one in items:\n"
            "        if one not in found and test:\n"
            "            found[one] = None\n"
            "            border.append(one)",
            border=border,
            test=test,
            **trees,
        )
    else:
        function.write(
            "while border and left > 0:\n"
            "    left -= 1\n"
            "    beyond = []\n"
            "    for here in border:\n"
            "        block\n"
            "        for one in items:\n"
            "            if one not in found and test:\n"
            "                found[one] = None\n"
            "                beyond.append(one)\n"
            "    border = beyond",
            border=border,
            left=function.keep(function.tree(steps)),
            beyond=function.names.fresh("t"),
            test=test,
            **trees,
        )
    function.count(expression("len(found) * cost", found=found, cost=number(cost)))
    return Made(expression("list(found)", found=found), listed=True, length=length)


def _path_of(function: Function, bound: Bound, kind: str) -> str | None:
    """Return the name of a table that says where one comes through from each thing of a kind, if
    that depends on printed fields only."""
    lambda_ = bound.expression
    names = [name for name in free_names(lambda_.body) if name != lambda_.parameter]
    known = {name: bound.scope.names.get(name) for name in names}
    if not all(isinstance(part, Known) for part in known.values()):
        return None
    if not function.evaluator.fixed.expression(lambda_.body):
        return None
    key = (
        "path",
        id(lambda_),
        kind,
        tuple((name, type(part.value), part.value) for name, part in known.items()),  # type: ignore[union-attr]
    )
    kept = function.names.kept
    if key not in kept:
        # The expression is kept, too: its id is its name.
        kept[key] = _path(function, bound, kind), lambda_
    found: str | None = kept[key][0]
    return found


def _path(function: Function, bound: Bound, kind: str) -> str | None:
    names = function.names
    inner = Function(names, function.handlers)
    things = things_of(function.layout, kind)
    if things is None:
        return None
    try:
        part = applied(inner, bound, Made(variable("a")), Scope(Known(None)))
        name = names.fresh("step_")
        names.functions.append(inner.finished(name, ["S", "me", "a"], inner.tree(part)))
        steps = tabulated(function, name, kind)
        if steps is None:
            return None
        return names.helper("path", walks(steps, things))
    except NotGenerated:
        return None
