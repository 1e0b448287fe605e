"""Generating walks: the things through which one comes from a beginning."""

from __future__ import annotations

import ast

import attrs

from rulewright.dsl import kinds, model
from rulewright.interpreter.emit import Bound, Function, Made, NotGenerated, Part, Scope
from rulewright.interpreter.emit_calls import about, applied, path_of
from rulewright.interpreter.templates import expression, variable

LONGEST_WALK = 500
"""Of a longer walk every step is counted, which the walker does."""


@attrs.frozen(eq=False)
class Way:
    """A walk that has been written, whose way is known."""

    path: str
    """The table that says for each beginning where one comes through."""

    start: ast.expr
    here: str
    """The variable of a thing on the way."""

    good: ast.expr
    written: list[ast.stmt]

    def test(self) -> str:
        """Return what is tested on the way, whatever the variable is called."""
        return ast.dump(self.good).replace(f"id='{self.here}'", "id=''")


def walk(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`walk(x, next, good)`"""
    start, following, good = node.arguments
    way, test = about(following, scope), about(good, scope)
    kind = kinds.without_none(start.type)
    if not isinstance(kind, kinds.ThingType):
        raise NotGenerated("a walk through values")
    length = function.layout.known_count(kind.kind)
    if length is None or length > LONGEST_WALK:
        raise NotGenerated("a long walk")
    begin = function.kept(function.part(start, scope))
    path = path_of(function, way, kind.kind)
    if path is not None:
        surely = not isinstance(start.type, kinds.OptionalType)
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


def length_of_both(function: Function, items: ast.expr) -> str | None:
    """Count the things of two walks in opposite directions: those of a line through a thing.

    If the walks have nothing but their beginning in common, they need not be listed. Return the name
    of their number; None if these are no such walks.
    """
    match items:
        case ast.List([ast.Starred(ast.Name(id=one)), ast.Starred(ast.Name(id=other))]):
            there, back = function.ways.get(one), function.ways.get(other)
        case _:
            return None
    if there is None or back is None or there.test() != back.test():
        return None
    written = [*there.written, *back.written]
    space = function.names.space
    if (
        function.block[-len(written) :] != written
        or ast.dump(there.start) != ast.dump(back.start)
        or not all(
            set(this[1:]).isdisjoint(that[1:])
            for this, that in zip(space[there.path], space[back.path], strict=True)
        )
    ):
        return None
    del function.block[-len(written) :]
    count = function.keep(ast.Constant(0))
    function.write(
        "here = start\n"
        "if good:\n"
        "    count = 1\n"
        "    for here in there[start.number]:\n"
        "        if not good:\n            break\n"
        "        count += 1\n"
        "    for here in back[start.number]:\n"
        "        if not good:\n            break\n"
        "        count += 1",
        here=there.here,
        start=there.start,
        good=there.good,
        count=count,
        there=_rest(function, there.path),
        back=_rest(function, back.path),
    )
    return count


def _rest(function: Function, path: str) -> str:
    """Return the name of a table of ways without their beginnings."""
    kept = function.names.kept
    key = "rest", path
    if key not in kept:
        ways = tuple(way[1:] for way in function.names.space[path])
        kept[key] = function.names.helper("rest", ways)
    name: str = kept[key]
    return name
