"""Generating lists that are taken as they are: what a `choose` offers, and what is only counted (see
`semantics/lists`).

A define is written where it is called, since elsewhere the things of its list are looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import (
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_calls import define_call
from rulewright.interpreter.printing.emit_changes import amended
from rulewright.interpreter.printing.emit_lines import length_of_both
from rulewright.interpreter.printing.emit_reads import COUNTED, OFFERED, counted_place, read_field
from rulewright.interpreter.printing.emit_sure import some
from rulewright.interpreter.printing.emit_values import decided, let_of, there
from rulewright.interpreter.printing.templates import expression, variable
from rulewright.interpreter.semantics.lists import HANDED, handed_on, some_handed_on
from rulewright.interpreter.state.errors import LONGEST_LIST


def offered(function: Function, node: model.Expression, scope: Scope) -> Part:
    """Write a list whose things stand to choice."""
    return _whole(OFFERED, function, node, scope)


def sized(function: Function, node: model.Expression, scope: Scope) -> Part:
    """Write a list of which only the length is asked."""
    return _whole(COUNTED, function, node, scope)


def _whole(how: str, function: Function, node: model.Expression, scope: Scope) -> Part:
    write = partial(_whole, how)
    match node:
        case model.Needed(value=value):
            return there(function, node, write(function, value, scope))
        case model.Read(type=types.ZoneType()):
            return read_field(function, node, scope, how)
        case model.Contents(type=types.ZoneType()) if how == COUNTED:
            return counted_place(function, node, scope)
        case model.Arithmetic(word="+", type=types.ListType()) if how == COUNTED:
            raise NotGenerated("the length of two lists")
        case model.Arithmetic(word="+", left=left, right=right, type=types.ListType()):
            one = function.kept(write(function, left, scope))
            other = function.kept(write(function, right, scope))
            if isinstance(one, Known) and isinstance(other, Known):
                return Known((*one.value, *other.value))
            trees = {"one": function.items(one), "other": function.items(other)}
            return Made(expression("(*one, *other)", **trees))
        case model.Conditional():
            return decided(function, node, scope, write)
        case model.LetIn():
            return let_of(function, node, scope, write)
        case model.DefineCall(define=id):
            define = function.evaluator.game.defines[id]
            if isinstance(define.type, types.ListType | types.ZoneType) and not define.lines:
                return define_call(function, node, scope, partial(_body, write))
    if how == COUNTED:
        return function.unordered(node, scope)
    handed = handed_on(function.layout, node)
    if handed is not None:
        items, rest = handed
        part = function.kept(write(function, items, scope))
        return function.part(rest, scope.having(HANDED, part))
    written = some_handed_on(function.layout, node)
    if written:
        parts = [function.tree(write(function, one, scope)) for one in written]
        return Made(ast.Tuple(parts, ast.Load()))
    return function.part(node, scope)


def _body(write: Handler, function: Function, define: model.Define, scope: Scope) -> Part:
    part = write(function, define.body, scope)
    return amended(function, part, define.changes, scope, write) if define.changes else part


def count(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`count(xs)`"""
    part = sized(function, node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(len(part.value))
    most = LONGEST_LIST if part.length is None else part.length
    tree = part.tree
    match tree:
        case ast.Call(
            func=ast.Name(id="list"),
            args=[ast.Call(func=ast.Attribute(attr="fromkeys"), args=[items])],
        ):
            # Of `distinct(xs)` the order does not matter.
            if (both := length_of_both(function, items)) is not None:
                return Made(variable(both), most=most)
            if isinstance(items, ast.List):
                tree = ast.Set(items.elts)
            else:
                tree = expression("set(items)", items=items)
    return Made(expression("len(items)", items=tree), most=most)


def is_empty(function: Function, node: model.IsEmpty, scope: Scope) -> Part:
    """`xs is empty`, `xs is not empty`"""
    part = sized(function, node.source, scope)
    if isinstance(part, Known):
        return Known(bool(part.value) is node.negated)
    found = some(function, part)
    if found is not None:
        return Made(found) if node.negated else Made(expression("not found", found=found))
    return Made(expression("not not items" if node.negated else "not items", items=part.tree))


HANDLERS: Mapping[type, Handler] = {model.IsEmpty: is_empty}
