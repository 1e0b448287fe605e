"""Generating walks: the things through which one comes from a beginning."""

from __future__ import annotations

import ast

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import Bound, Function, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.emit_calls import about, applied, path_of
from rulewright.interpreter.printing.emit_lines import Way
from rulewright.interpreter.printing.templates import expression, variable

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
    path = path_of(function, way, kind.kind)
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
