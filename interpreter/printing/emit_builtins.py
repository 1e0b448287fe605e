"""Generating the core functions on lists, and those that follow an expression."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import attrs

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
from rulewright.interpreter.printing.emit_orders import first_of, foremost
from rulewright.interpreter.printing.emit_reads import guard, index_of, longest, simple
from rulewright.interpreter.printing.emit_values import in_measure, length_of, measured, most_of
from rulewright.interpreter.printing.emit_walks import reach, walk
from rulewright.interpreter.printing.emit_wholes import count, sized
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, Undecided

FEW_LISTS = 16
"""So many lists of any length are joined before anybody looks how long that is."""


def builtin(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """A core function by its name"""
    handler = FUNCTIONS.get(node.name)
    if handler is None:
        raise NotGenerated(node.name)
    return handler(function, node, scope)


# ------------------------------------------------------------------------------------------ numbers


def total_of(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`sum(numbers)`, `total(family)`"""
    part = function.unordered(node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(sum(part.value))
    length = _glance(function, part)
    made = Made(expression("sum(items)", items=part.tree), most=length * part.most)
    return made if made.most <= LARGEST_NUMBER else in_measure(function, made)


def least(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`min(numbers)`"""
    return _extreme(function, node, scope, min)


def greatest(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`max(numbers)`"""
    return _extreme(function, node, scope, max)


def _extreme(
    function: Function,
    node: model.Builtin,
    scope: Scope,
    compute: Callable[[tuple[int, ...]], int],
) -> Part:
    part = function.unordered(node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(compute(part.value) if part.value else 0)
    _glance(function, part)
    word = "max" if compute is max else "min"
    if isinstance(part.tree, ast.Tuple) and part.tree.elts:
        return Made(expression(f"{word}(items)", items=part.tree))
    return Made(expression(f"{word}(items, default=0)", items=part.tree))


def _glance(function: Function, part: Part) -> int:
    """Count the items that Python looks through on its own; return how many there may be."""
    length = length_of(part)
    if length is None:
        part = function.kept(part)
        function.count(expression("len(items) >> 4", items=function.items(part)))
        return LONGEST_LIST
    function.cost += length >> 4
    return length


# ----------------------------------------------------------------------------------- ends of a list


def first(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`first(xs)`"""
    if len(node.arguments) > 1:
        return _first_ones(function, node, scope)
    (source,) = node.arguments
    if isinstance(source, model.Having):
        return foremost(function, source, scope)
    return first_of(function, function.part(source, scope))


def _first_ones(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`first(n, xs)`"""
    how_many, items = function.parts(node.arguments, scope)
    length = length_of(items)
    if isinstance(how_many, Known):
        if not isinstance(how_many.value, int):
            raise NotGenerated("so many of none")
        how_many = Known(max(how_many.value, 0))
        if isinstance(items, Known):
            return Known(items.value[: how_many.value])
        length = how_many.value if length is None else min(length, how_many.value)
    else:
        how_many = Made(expression("max(number, 0)", number=how_many.tree))
    tree = expression("items[:number]", items=function.items(items), number=function.tree(how_many))
    return Made(tree, isinstance(items, Made) and items.listed, length, most_of(items))


def last(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`last(xs)`, `last(n, xs)`: in the order of the list"""
    return _from_the_top(function, node, scope, "items[max(len(items) - number, 0):]")


def top(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`top(pile)`, `top(n, pile)`: the topmost first"""
    return _from_the_top(function, node, scope, "items[max(len(items) - number, 0):][::-1]")


def _from_the_top(function: Function, node: model.Builtin, scope: Scope, several: str) -> Part:
    source = node.arguments[-1]
    how_many: Part | None = None
    if len(node.arguments) > 1:
        how_many = function.part(node.arguments[0], scope)
        if isinstance(how_many, Known):
            if not isinstance(how_many.value, int):
                raise NotGenerated("so many of none")
            how_many = Known(max(how_many.value, 0))
        else:
            how_many = function.kept(Made(expression("max(number, 0)", number=how_many.tree)))
    items: Part
    if isinstance(source, model.Read) and (
        function.layout.slots[source.field] in function.layout.bag_slots
    ):
        items = _pile(function, source, scope, how_many)
    elif isinstance(source, model.Contents):
        raise NotGenerated("a pile that was handed on")
    else:
        items = function.kept(function.part(source, scope))
    if how_many is None:
        if isinstance(items, Known):
            return Known(items.value[-1] if items.value else None)
        return Made(expression("items[-1] if items else None", items=items.tree))
    tree = expression(several, items=function.items(items), number=function.tree(how_many))
    length = length_of(items)
    if isinstance(how_many, Known):
        length = how_many.value if length is None else min(length, how_many.value)
    return Made(tree, listed=isinstance(items, Made) and items.listed, length=length)


def _pile(function: Function, node: model.Read, scope: Scope, how_many: Part | None) -> Part:
    """Write the reading of a pile of which only the top is looked at."""
    slot, place = pile_place(function, node, scope)
    bag = function.layout.bag_slots[slot]
    pile = function.keep(expression("column[place]", column=function.column(slot), place=place))
    there: dict[str, Any] = {"pile": pile, "bag": function.column(bag), "place": place}
    missing: ast.expr = number(1)
    with function.aside() as block:
        test = expression("bag[place] and bag[place] == len(pile)", **there)
        if how_many is not None:
            test = expression("bag[place]", bag=there["bag"], place=place)
            template = "min(number, len(pile)) - (len(pile) - bag[place])"
            tree = expression(template, number=function.tree(how_many), **there)
            missing = variable(function.keep(tree))
        function.names.space.setdefault("Undecided", Undecided)
        template = "raise Undecided(slot, place, missing)"
        if function.decides:
            template = "doing.decided(S, me, slot, place, missing)\npile = column[place]"
        deciding = statements(
            template,
            pile=pile,
            column=function.column(slot),
            missing=missing,
            slot=number(slot),
            place=place,
            me=function.tree(scope.me),
        )
        if how_many is None:
            function.block += deciding
        else:
            function.write("if missing > 0:\n    deciding", missing=missing, deciding=deciding)
    function.write("if test:\n    block", test=test, block=block)
    return Made(variable(pile), length=longest(function, node.field))


def pile_place(function: Function, node: model.Read, scope: Scope) -> tuple[int, ast.expr]:
    """Write the guard of a pile that is read; return its column and the tree of the index."""
    slot = function.layout.slots[node.field]
    holder = None if node.target is None else function.part(node.target, scope)
    place = simple(function, index_of(holder))
    if function.evaluator.visibility.guard(slot) is not None:
        guard(function, slot, False, holder, place)
    return slot, place


def only(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`only(xs)`"""
    items = function.kept(function.unordered(node.arguments[0], scope))
    if isinstance(items, Known):
        return Known(items.value[0] if len(items.value) == 1 else None)
    return Made(expression("items[0] if len(items) == 1 else None", items=items.tree))


def the(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`the(xs)`"""
    items = function.kept(function.unordered(node.arguments[0], scope))
    function.slow_if(expression("len(items) != 1", items=function.items(items)))
    return Made(expression("items[0]", items=function.items(items)))


# ----------------------------------------------------------------------------------- lists of lists


def distinct(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`distinct(xs)`"""
    part = function.part(node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(tuple(dict.fromkeys(part.value)))
    length = _glance(function, part)
    return Made(expression("list(dict.fromkeys(items))", items=_chained(part.tree)), True, length)


def _chained(tree: ast.expr) -> ast.expr:
    """Return the tree of a list that is only looked through: two lists need not be copied."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        parts = [_bare(tree.left), _bare(tree.right)]
        if None not in parts:
            return ast.List(
                [ast.Starred(part, ast.Load()) for part in parts if part is not None], ast.Load()
            )
    return tree


def _bare(tree: ast.expr) -> ast.expr | None:
    """Return what `tuple(…)` is made of."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "tuple":
        return tree.args[0]
    return None


def backwards(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`reversed(xs)`"""
    part = function.part(node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(part.value[::-1])
    _glance(function, part)
    return attrs.evolve(part, tree=expression("items[::-1]", items=part.tree))


def present(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`present(xs)`"""
    part = function.part(node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(tuple(item for item in part.value if item is not None))
    length = _glance(function, part)
    item = function.names.fresh("x")
    template = "[item for item in items if item is not None]"
    return Made(expression(template, item=item, items=part.tree), True, length)


def joined(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`join(lists)`"""
    written = node.arguments[0]
    part = function.part(written, scope)
    if isinstance(part, Known):
        return Known(tuple(item for one in part.value for item in one))
    outer, longest = length_of(part), _inner_length(function, written)
    measure = None if outer is None or longest is None else outer * longest
    if measure is None and (outer is None or outer > FEW_LISTS):
        part = attrs.evolve(part, tree=variable(function.keep(part.tree)))
        total = expression("sum(map(len, items))", items=part.tree)
        function.slow_if(expression("total > most", total=total, most=number(LONGEST_LIST)))
    one, item = function.names.fresh("x"), function.names.fresh("x")
    if isinstance(types.element(node.type), types.ThingType):
        function.names.things.add(item)
    match part.tree:
        case ast.ListComp(elt=lists, generators=outer_lists):
            inner = ast.comprehension(ast.Name(item, ast.Store()), lists, [], is_async=0)
            tree: ast.expr = ast.ListComp(variable(item), [*outer_lists, inner])
        case _:
            template = "[item for one in items for item in one]"
            tree = expression(template, one=one, item=item, items=part.tree)
    if measure is None:
        return measured(function, tree)
    function.cost += measure
    return Made(tree, listed=True, length=measure)


def _inner_length(function: Function, node: model.Expression) -> int | None:
    """Return how long the lists in a list of zones can be."""
    match node:
        case model.Each(value=model.Read(field=field)):
            return longest(function, field)
    return None


def same_items(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`same_items(xs, ys)`"""
    with function.aside() as first_block:
        one = function.unordered(node.arguments[0], scope)
    function.block += first_block
    one = function.kept(one)
    other = function.kept(function.unordered(node.arguments[1], scope))
    _glance(function, one)
    function.names.space.setdefault("Counter", Counter)
    template = "len(one) == len(other) and Counter(one) == Counter(other)"
    return Made(expression(template, one=function.items(one), other=function.items(other)))


def position(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`position(x, xs)`"""
    item, items = function.parts(node.arguments, scope)
    length = _glance(function, items)
    tree = expression("items.index(item)", item=function.tree(item), items=function.items(items))
    return Made(tree, most=length)


def indices(function: Function, node: model.Builtin, scope: Scope) -> Part:
    """`indices(xs)`"""
    part = sized(function, node.arguments[0], scope)
    if isinstance(part, Known):
        return Known(tuple(range(len(part.value))))
    length = _glance(function, part)
    function.cost += length
    return Made(expression("list(range(len(items)))", items=part.tree), True, length)


FUNCTIONS: Mapping[str, Callable[[Function, model.Builtin, Scope], Part]] = {
    "count": count,
    "sum": total_of,
    "total": total_of,
    "min": least,
    "max": greatest,
    "first": first,
    "last": last,
    "top": top,
    "only": only,
    "the": the,
    "distinct": distinct,
    "reversed": backwards,
    "present": present,
    "join": joined,
    "same_items": same_items,
    "position": position,
    "indices": indices,
    "walk": walk,
    "reach": reach,
}

HANDLERS: Mapping[type, Handler] = {model.Builtin: builtin}
