"""The core functions that follow an expression: `walk`, `reach`, `components`, `path_length`.

All are iterative and count what they look at, so that a way without end is a rules error and never
a hang. `reach` and `path_length` search breadth first, in the order of the neighbours.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.interpreter.compiling import (
    Code,
    Compiler,
    list_too_long,
    nothing_there,
    tick,
)
from rulewright.interpreter.errors import LONGEST_LIST
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Locals, Thing, Value

NO_WAY = 999
"""The length of a path that does not exist."""


def walk(compiler: Compiler, expression: model.Builtin) -> Code:
    """`walk(x, next, good)`: x, next of it, … as long as there is one, it is new and it is good"""
    start = compiler.expression(expression.arguments[0])
    following = compiler.function(expression.arguments[1])
    good = compiler.function(expression.arguments[2])
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        at = start(store, me, locals)
        next_of, is_good = following(store, me, locals), good(store, me, locals)
        found: dict[Value, None] = {}
        while at is not None and at not in found and is_good(at):
            found[at] = None
            tick(store, 1, span)
            if len(found) > LONGEST_LIST:
                raise list_too_long(span)
            at = next_of(at)
        return tuple(found)

    return code


def reach(compiler: Compiler, expression: model.Builtin) -> Code:
    """`reach(x, neighbours)`, `reach(x, n, neighbours)`: everything within n steps, x included"""
    start = compiler.expression(expression.arguments[0])
    neighbours = compiler.function(expression.arguments[-1])
    written = expression.arguments[1] if len(expression.arguments) == 3 else None
    limit = None if written is None else compiler.expression(written)
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        origin = start(store, me, locals)
        if origin is None:
            raise nothing_there(expression.arguments[0])
        around = neighbours(store, me, locals)
        steps = LONGEST_LIST if limit is None else limit(store, me, locals)
        found = {origin: None}
        border = [origin]
        while border and steps > 0:
            steps -= 1
            beyond = []
            for here in border:
                near = around(here)
                tick(store, 1 + len(near), span)
                for one in near:
                    if one not in found:
                        found[one] = None
                        beyond.append(one)
            if len(found) > LONGEST_LIST:
                raise list_too_long(span)
            border = beyond
        return tuple(found)

    return code


def components(compiler: Compiler, expression: model.Builtin) -> Code:
    """`components(xs, neighbours)`: the things of a list in lists of those that hang together, by way
    of neighbours in the list"""
    items = compiler.expression(expression.arguments[0])
    neighbours = compiler.function(expression.arguments[1])
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = items(store, me, locals)
        around = neighbours(store, me, locals)
        left = dict.fromkeys(listed)
        found = []
        for origin in listed:
            if origin not in left:
                continue
            del left[origin]
            component = [origin]
            for here in component:
                near = around(here)
                tick(store, 1 + len(near), span)
                for one in near:
                    if one in left:
                        del left[one]
                        component.append(one)
            found.append(tuple(component))
        return tuple(found)

    return code


def path_length(compiler: Compiler, expression: model.Builtin) -> Code:
    """`path_length(a, b, neighbours)`: the number of steps; 999 if there is no way"""
    start, goal = [compiler.expression(argument) for argument in expression.arguments[:2]]
    neighbours = compiler.function(expression.arguments[2])
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        origin, wanted = start(store, me, locals), goal(store, me, locals)
        if origin is None or wanted is None:
            raise nothing_there(expression.arguments[0 if origin is None else 1])
        if origin == wanted:
            return 0
        around = neighbours(store, me, locals)
        seen, border, steps = {origin}, [origin], 0
        while border:
            steps += 1
            beyond = []
            for here in border:
                near = around(here)
                tick(store, 1 + len(near), span)
                for one in near:
                    if one == wanted:
                        return steps
                    if one not in seen:
                        seen.add(one)
                        beyond.append(one)
            border = beyond
        return NO_WAY

    return code
