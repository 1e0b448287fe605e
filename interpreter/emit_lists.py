"""Generating the list words: `where each without having sorted by`, quantifiers, lists, `lookup`."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rulewright.dsl import kinds, model
from rulewright.interpreter.compiling import constant_of, may_be_listed
from rulewright.interpreter.emit import (
    DEAR,
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.emit_reads import ANY_ORDER, read_field
from rulewright.interpreter.emit_values import length_of
from rulewright.interpreter.errors import LONGEST_LIST
from rulewright.interpreter.templates import expression, variable
from rulewright.interpreter.values import EnumValue, Thing, Value

UNROLLED = 8
"""A known list of up to so many items is gone through without a loop."""

FEW = 8

LOOKED_UP = (int, str, Thing, EnumValue, type(None))


def where(function: Function, node: model.Where, scope: Scope) -> Part:
    """`xs where c`"""
    return _filtered(function, node, function.part(node.source, scope), scope)


def _filtered(function: Function, node: model.Where, source: Part, scope: Scope) -> Part:
    if isinstance(source, Known) and not source.value:
        return source
    source = function.kept(source)
    item = function.names.fresh("x")
    with function.looping(source) as block:
        test = function.part(node.condition, scope.having(node.name, Made(variable(item))))
    if isinstance(test, Known) and not block:
        return source if test.value else Known(())
    length = length_of(source)
    condition = function.tree(test)
    if not block:
        items = function.items(source)
        if isinstance(source, Known) and (found := _looked_up(function, source, item, condition)):
            items, condition = found
            if isinstance(condition, ast.Constant):
                return Made(items, length=length)
        tree = expression(
            "[item for item in items if condition]", item=item, items=items, condition=condition
        )
        return Made(tree, listed=True, length=length)
    name = function.keep(ast.List([], ast.Load()))
    function.write(
        "for item in items:\n    block\n    if condition:\n        name.append(item)",
        item=item,
        items=function.items(source),
        block=block,
        condition=condition,
        name=name,
    )
    return Made(variable(name), listed=True, length=length)


def _looked_up(
    function: Function, source: Known, item: str, condition: ast.expr
) -> tuple[ast.expr, ast.expr] | None:
    """Of known things that have a printed value, return those, looked up by the value, and what
    else is asked of them; None if nothing is printed."""
    match condition:
        case ast.BoolOp(ast.And(), [first, *others]):
            rest = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
        case first:
            rest = ast.Constant(True)
    match first:
        case ast.Compare(
            ast.Subscript(ast.Name(id=column), ast.Attribute(ast.Name(id=about), "number")),
            [ast.Eq() | ast.Is()],
            [ast.Name() | ast.Constant() as wanted],
        ) if about == item and ast.unparse(wanted) != item:
            printed = function.names.space.get(column)
        case _:
            return None
    if not isinstance(printed, tuple):
        return None
    things: dict[Value, list[Thing]] = {}
    for thing in source.value:
        value = printed[thing.number]
        if not isinstance(value, LOOKED_UP):
            return None
        things.setdefault(value, []).append(thing)
    kept = function.names.kept
    key = "by", column, source.value
    if key not in kept:
        table = {value: tuple(listed) for value, listed in things.items()}
        kept[key] = function.names.helper("by", table)
    return expression("table.get(wanted, ())", table=kept[key], wanted=wanted), rest


def each(function: Function, node: model.Each, scope: Scope) -> Part:
    """`xs each e`"""
    return _mapped(function, node, function.part(node.source, scope), scope)


def _mapped(function: Function, node: model.Each, source: Part, scope: Scope) -> Part:
    if isinstance(source, Known) and len(source.value) <= UNROLLED:
        scopes = [scope.having(node.name, Known(value)) for value in source.value]
        return _display(function, [(node.value, inner) for inner in scopes])
    source = function.kept(source)
    item = function.names.fresh("x")
    with function.looping(source) as block:
        value = function.value(node.value, scope.having(node.name, Made(variable(item))))
    length = length_of(source)
    items = function.items(source)
    if not block:
        tree = expression("[value for item in items]", value=value, item=item, items=items)
        return Made(tree, listed=True, length=length)
    name = function.keep(ast.List([], ast.Load()))
    function.write(
        "for item in items:\n    block\n    name.append(value)",
        item=item,
        items=items,
        block=block,
        name=name,
        value=value,
    )
    return Made(variable(name), listed=True, length=length)


def _display(function: Function, written: list[tuple[model.Expression, Scope]]) -> Part:
    """Return the list of some expressions, read one after the other."""
    made: list[tuple[Part, list[ast.stmt]]] = []
    for node, scope in written:
        with function.aside() as block:
            part = function.part(node, scope)
        made.append((part, block))
    parts = []
    for place, (part, block) in enumerate(made):
        function.block += block
        later = any(following for _, following in made[place + 1 :])
        parts.append(function.kept(part) if later else part)
    if all(isinstance(part, Known) for part in parts):
        return Known(tuple(part.value for part in parts))  # type: ignore[union-attr]
    trees = [function.tree(part) for part in parts]
    return Made(ast.Tuple(trees, ast.Load()), length=len(trees))


def list_of(function: Function, node: model.ListOf, scope: Scope) -> Part:
    """`[a, b]`"""
    return _display(function, [(one, scope) for one in node.items])


def without(function: Function, node: model.Without, scope: Scope) -> Part:
    """`xs without ys`"""
    return _lacking(function, node, function.part(node.source, scope), scope)


def _lacking(function: Function, node: model.Without, source: Part, scope: Scope) -> Part:
    with function.aside() as block:
        other = function.unordered(node.other, scope)
    if block:
        source = function.kept(source)
        function.block += block
    length = length_of(source)
    if length is None or (length_of(other) is None and may_be_listed(node.other)):
        raise NotGenerated("lists without a measure")
    function.cost += length_of(other) or 1
    if length > DEAR:
        # It may be as long as that, but seldom is.
        source = function.kept(source)
        function.count(expression("len(items)", items=function.items(source)))
    else:
        function.cost += length
    item = function.names.fresh("x")
    items = function.items(source)
    if not may_be_listed(node.other):
        unwanted = function.tree(function.kept(other))
        template = "[item for item in items if item != unwanted]"
    else:
        unwanted = function.items(function.kept(other))
        if (length_of(other) or 0) > FEW:
            unwanted = variable(function.keep(expression("frozenset(items)", items=unwanted)))
        template = "[item for item in items if item not in unwanted]"
    tree = expression(template, item=item, items=items, unwanted=unwanted)
    return Made(tree, listed=True, length=length)


# -------------------------------------------------------------------------------------- in an order


def _rank(function: Function, node: model.Expression, scope: Scope) -> ast.expr:
    """Write the value of a criterion as something that can be compared."""
    value = function.value(node, scope)
    kind = node.type
    if isinstance(kind, kinds.NumberType | kinds.FlagType):
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
    source = function.part(node.source, scope)
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


def _list_of_all(
    function: Function, item: str, items: str, block: list[ast.stmt], value: ast.expr
) -> str:
    """Write a list with one value for each item; return its name."""
    if not block:
        return function.keep(
            expression("[value for item in items]", value=value, item=item, items=items)
        )
    name = function.keep(ast.List([], ast.Load()))
    function.write(
        "for item in items:\n    block\n    name.append(value)",
        item=item,
        items=items,
        block=block,
        name=name,
        value=value,
    )
    return name


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


# -------------------------------------------------------------------------------------- quantifiers


def quantified(function: Function, node: model.Quantified, scope: Scope) -> Part:
    """`every p in xs has c`, `some …`, `no …`"""
    whole = _whole_column(function, node)
    if whole is not None:
        return whole
    source = function.unordered(node.source, scope)
    # A `some` ends with the first yes, and so does a `no`; an `every` ends with the first no.
    every, at_end = node.word == "every", node.word == "some"
    if isinstance(source, Known) and not source.value:
        return Known(not at_end)
    source = function.kept(source)
    item = function.names.fresh("x")
    with function.looping(source) as block:
        test = function.part(node.condition, scope.having(node.name, Made(variable(item))))
    name = function.keep(ast.Constant(not at_end))
    template = "for item in items:\n    block\n    if condition:\n        name = end\n        break"
    if every:
        template = template.replace("if condition", "if not condition")
    function.write(
        template,
        item=item,
        items=function.items(source),
        block=block,
        condition=function.tree(test),
        name=name,
        end=ast.Constant(at_end),
    )
    return Made(variable(name))


def _whole_column(function: Function, node: model.Quantified) -> Part | None:
    """Write `every x in Kind has x.field is not none` and the like as one look at a column."""
    condition = node.condition
    match node.source, condition:
        case (
            model.Everything(),
            model.Compare(
                left=model.Read(field=field, target=model.Local(name=name)),
                right=model.Constant(value=None),
                word="is" | "is not" as word,
            ),
        ) if name == node.name:
            pass
        case _:
            return None
    found = function.layout.fields[function.layout.slots[field]]
    if found.printed or found.viewers.who != "everybody":
        return None
    if found.holder in function.layout.living_slots:
        return None
    none_is_there = {
        ("every", "is not"): "None not in column",
        ("no", "is"): "None not in column",
        ("some", "is"): "None in column",
    }.get((node.word, word))
    if none_is_there is None:
        return None
    column = function.column(function.layout.slots[field])
    function.cost += len(function.layout.holders(found)) >> 4
    return Made(expression(none_is_there, column=column))


# ------------------------------------------------------------------------------- lists and lookups


def numbers(function: Function, node: model.Numbers, scope: Scope) -> Part:
    """`a..b`"""
    low, high = function.parts((node.low, node.high), scope)
    if isinstance(low, Known) and isinstance(high, Known):
        if 0 <= high.value - low.value < LONGEST_LIST // 100:
            return Known(tuple(range(low.value, high.value + 1)))
    raise NotGenerated("a range that is not known")


def lookup(function: Function, node: model.Lookup, scope: Scope) -> Part:
    """`lookup(v, a: x, b: y, else: z)`"""
    value = function.part(node.value, scope)
    keys = [constant_of(key, function.layout) for key, _ in node.pairs]
    if not all(found for found, _ in keys):
        raise NotGenerated("keys that are not known")
    if isinstance(value, Known):
        for (_, key), (_, chosen) in zip(keys, node.pairs, strict=True):
            if key == value.value:
                return function.part(chosen, scope)
        if node.otherwise is None:
            raise NotGenerated("nothing is found")
        return function.part(node.otherwise, scope)
    with function.aside() as block:
        results = [function.part(chosen, scope) for _, chosen in node.pairs]
        default = None if node.otherwise is None else function.part(node.otherwise, scope)
    if block or not all(isinstance(part, Known) for part in (*results, default or Known(None))):
        raise NotGenerated("results that are not known")
    table: dict[object, object] = {}
    for (_, key), part in zip(keys, results, strict=True):
        table.setdefault(key, part.value)  # type: ignore[union-attr]
    name = function.names.helper("table", table)
    if default is None:
        return Made(expression("table[value]", table=name, value=value.tree))
    return Made(
        expression(
            "table.get(value, default)",
            table=name,
            value=value.tree,
            default=function.tree(default),
        )
    )


# --------------------------------------------------------------------------------------- any order


def _zone(function: Function, node: model.Read, scope: Scope) -> Part:
    if isinstance(node.type, kinds.ZoneType):
        return read_field(function, node, scope, ANY_ORDER)
    return function.part(node, scope)


def _loose_where(function: Function, node: model.Where, scope: Scope) -> Part:
    return _filtered(function, node, function.unordered(node.source, scope), scope)


def _loose_each(function: Function, node: model.Each, scope: Scope) -> Part:
    return _mapped(function, node, function.unordered(node.source, scope), scope)


def _loose_without(function: Function, node: model.Without, scope: Scope) -> Part:
    return _lacking(function, node, function.unordered(node.source, scope), scope)


HANDLERS: Mapping[type, Handler] = {
    model.Where: where,
    model.Each: each,
    model.Without: without,
    model.Having: having,
    model.Sorted: in_order,
    model.Quantified: quantified,
    model.ListOf: list_of,
    model.Numbers: numbers,
    model.Lookup: lookup,
}
UNORDERED: Mapping[type, Handler] = {
    model.Read: _zone,
    model.Where: _loose_where,
    model.Each: _loose_each,
    model.Without: _loose_without,
}
