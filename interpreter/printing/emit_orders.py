"""Generating lists in an order: `having`, `sorted by`, and what comes first."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import Function, Handler, Known, Made, Part, Scope
from rulewright.interpreter.printing.emit_lists import gathered, item_of
from rulewright.interpreter.printing.emit_sure import one_of, picked, renamed, taken_out
from rulewright.interpreter.printing.emit_values import length_of
from rulewright.interpreter.printing.templates import expression, variable
from rulewright.interpreter.state.values import EnumValue, Thing


def _rank(function: Function, node: model.Expression, scope: Scope) -> ast.expr:
    """Write the value of a criterion as something that can be compared."""
    value = function.value(node, scope)
    kind = node.type
    if isinstance(kind, types.NumberType | types.FlagType):
        return value
    if "rank" not in function.names.kept:
        function.names.kept["rank"] = function.names.helper("rank", _ranked)
    return expression("rank(value)", rank=function.names.kept["rank"], value=value)


def _ranked(value: object) -> object:
    if value is None:
        return float("-inf")
    return value.order if isinstance(value, EnumValue) else value


def having(function: Function, node: model.Having, scope: Scope) -> Part:
    """`xs having most a, then fewest b`"""
    return _best(function, node, function.part(node.source, scope), scope)


def _best(function: Function, node: model.Having, source: Part, scope: Scope) -> Part:
    if isinstance(source, Known) and len(source.value) < 2:
        return source
    name = function.keep(function.items(source))
    length = length_of(source)
    for key in node.keys:
        item = function.names.fresh("x")
        over = Made(variable(name), length=length)
        with function.aside() as outer:
            with function.looping(over) as block:
                rank = _rank(function, key.value, scope.having(node.name, Made(variable(item))))
            block = taken_out(function, block, item)
            ranks = _list_of_all(function, item, name, block, rank)
            best = function.keep(
                expression("max(ranks)" if key.most else "min(ranks)", ranks=ranks)
            )
            rank_name = function.names.fresh("x")
            function.write(
                "name = [item for item, rank in zip(name, ranks) if rank == best]",
                name=name,
                item=item,
                rank=rank_name,
                ranks=ranks,
                best=best,
            )
        function.write("if len(name) > 1:\n    outer", name=name, outer=outer)
    # What was one item at the beginning is still the tuple it came as.
    return Made(variable(name), listed=True, length=length)


def foremost(function: Function, node: model.Having, scope: Scope) -> Part:
    """`first(xs having most a)`: where `a` is printed, the first that is found in its order"""
    source = function.part(node.source, scope)
    found = picked(source)
    if found is not None and found.tests and not found.outer and len(node.keys) == 1:
        (key,) = node.keys
        with function.aside() as block:
            over = scope.having(node.name, Made(variable(found.item)))
            rank = _rank(function, key.value, over)
        items = None if block else _by_rank(function, found.items, rank, found.item, key.most)
        if items is not None:
            tree = found.of(items)
            first = one_of(function, Made(tree))
            if first is not None:
                return first
    if len(node.keys) == 1 and not (isinstance(source, Known) and len(source.value) < 2):
        source = function.kept(source)
        found_one = _best_one(function, node, source, scope)
        if found_one is not None:
            return found_one
    return first_of(function, _best(function, node, source, scope))


def _best_one(function: Function, node: model.Having, source: Part, scope: Scope) -> Part | None:
    """Write the first of the best items; None if it matters that of a single item nothing is asked."""
    (key,) = node.keys
    looks, function.looks = function.looks, False
    item = item_of(function, node.source)
    with function.aside() as whole:
        with function.looping(source) as inside:
            rank = _rank(function, key.value, scope.having(node.name, Made(variable(item))))
        block = taken_out(function, inside, item)
    looked, function.looks = function.looks, function.looks or looks
    if looked and not isinstance(source, Known):
        return None
    function.block += whole
    best, found = function.names.fresh("t"), function.names.fresh("t")
    function.write(
        "found = best = None\n"
        "for item in items:\n"
        "    block\n"
        "    new = rank\n"
        "    if found is None or new > best:\n        found, best = item, new"
        if key.most
        else "found = best = None\n"
        "for item in items:\n"
        "    block\n"
        "    new = rank\n"
        "    if found is None or new < best:\n        found, best = item, new",
        found=found,
        best=best,
        item=item,
        items=function.items(source),
        block=block,
        new=function.names.fresh("t"),
        rank=rank,
    )
    return Made(variable(found))


def first_of(function: Function, part: Part) -> Part:
    """Write the first item of a list, or none."""
    if isinstance(part, Known):
        return Known(part.value[0] if part.value else None)
    found = _looked_up(function, part) or one_of(function, part)
    if found is not None:
        return found
    items = function.kept(part)
    return Made(expression("items[0] if items else None", items=function.items(items)))


def _looked_up(function: Function, part: Part) -> Made | None:
    """Write the first item of a list out of a table of lists."""
    match part:
        case Made(tree=ast.Subscript(ast.Name(id=name), place)):
            lists = function.names.space.get(name)
        case _:
            return None
    if not isinstance(lists, tuple) or not all(isinstance(one, tuple) for one in lists):
        return None
    kept = function.names.kept
    key = "first", name
    if key not in kept:
        firsts = tuple(one[0] if one else None for one in lists)
        kept[key] = function.names.helper("first", firsts)
    return Made(ast.Subscript(variable(kept[key]), place, ast.Load()))


def _by_rank(
    function: Function, items: ast.expr, rank: ast.expr, item: str, most: bool
) -> ast.expr | None:
    """Return a known list, or one that is looked up, in the order of a printed field; None if it is
    no such list and no such field."""
    space, kept = function.names.space, function.names.kept
    match rank:
        case ast.Subscript(ast.Name(id=column), ast.Attribute(ast.Name(id=about), "number")) if (
            about == item
        ):
            ranks = space.get(column)
        case _:
            return None
    match items:
        case ast.Name(id=name):
            listed = space.get(name)
        case ast.Call(ast.Attribute(ast.Name(id=name), "get"), [_, ast.Tuple(elts=[])]):
            listed = space.get(name)
        case _:
            return None
    if not isinstance(ranks, tuple) or not isinstance(listed, tuple | dict):
        return None
    key = "ranked", name, column, most
    if key not in kept:
        kept[key] = None
        every = listed.values() if isinstance(listed, dict) else (listed,)
        if all(isinstance(ranks[thing.number], int) for one in every for thing in one):

            def ordered(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
                return tuple(sorted(things, key=lambda thing: ranks[thing.number], reverse=most))

            table: object = (
                {value: ordered(one) for value, one in listed.items()}
                if isinstance(listed, dict)
                else ordered(listed)
            )
            kept[key] = function.names.helper("ranked", table)
    return None if kept[key] is None else renamed(items, name, kept[key])


def _list_of_all(
    function: Function, item: str, items: str, block: list[ast.stmt], value: ast.expr
) -> str:
    """Write a list with one value for each item; return its name."""
    if not block:
        return function.keep(
            expression("[value for item in items]", value=value, item=item, items=items)
        )
    return gathered(function, item, variable(items), block, value)


def in_order(function: Function, node: model.Sorted, scope: Scope) -> Part:
    """`xs sorted by most a, then fewest b`"""
    source = function.part(node.source, scope)
    name = function.keep(function.items(source))
    length = length_of(source)
    order = function.names.fresh("t")
    with function.aside() as outer:
        function.write("order = list(range(len(name)))", order=order, name=name)
        for key in reversed(node.keys):
            item = function.names.fresh("x")
            with function.looping(Made(variable(name), length=length)) as block:
                rank = _rank(function, key.value, scope.having(node.name, Made(variable(item))))
            ranks = _list_of_all(function, item, name, block, rank)
            function.write(
                "order.sort(key=ranks.__getitem__, reverse=most)",
                order=order,
                ranks=ranks,
                most=ast.Constant(key.most),
            )
        index = function.names.fresh("x")
        function.write(
            "name = [name[index] for index in order]", name=name, index=index, order=order
        )
    function.write("if len(name) > 1:\n    outer", name=name, outer=outer)
    return Made(variable(name), listed=True, length=length)


HANDLERS: Mapping[type, Handler] = {model.Having: having, model.Sorted: in_order}
