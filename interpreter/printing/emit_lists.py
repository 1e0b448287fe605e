"""Generating the list words: `where each without`, quantifiers, lists, `lookup`."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import is_thing
from rulewright.interpreter.printing.emit import (
    DEAR,
    SLOW,
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_reads import ANY_ORDER, read_field
from rulewright.interpreter.printing.emit_sure import picked, taken_out
from rulewright.interpreter.printing.emit_tables import Remembered
from rulewright.interpreter.printing.emit_values import length_of, measured, most_of
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.semantics.closures import constant_of, may_be_listed
from rulewright.interpreter.state.errors import LONGEST_LIST
from rulewright.interpreter.state.values import EnumValue, Thing, Value

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
    before = picked(source) if length_of(source) is not None else None
    if before is None:
        source = _ready(function, source)
        item = item_of(function, node.source)
    else:
        # What is picked from a list that has been picked itself is picked at once.
        item = before.item
    with function.looping(source) as inside:
        test = function.part(node.condition, scope.having(node.name, Made(variable(item))))
    block = taken_out(function, inside, item)
    if isinstance(test, Known) and not block:
        return source if test.value else Known(())
    length = length_of(source)
    condition = function.tree(test)
    if before is not None and not block:
        return Made(before.also(condition), listed=True, length=length)
    source = _ready(function, source)
    if not block:
        items = function.items(source)
        if isinstance(source, Known) and (found := _looked_up(function, source, item, condition)):
            items, condition = found
            if isinstance(condition, ast.Constant):
                return Made(items, length=length)
        elif isinstance(source, Known) and (paired := _paired(function, source, item, condition)):
            return Made(paired, listed=True, length=length)
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


def _ready(function: Function, source: Part) -> Part:
    """Keep a list that is gone through, unless it is only looked up."""
    if isinstance(source, Made) and source.length is not None:
        if isinstance(source.tree, ast.Subscript):
            return source
    return function.kept(source)


def item_of(function: Function, source: model.Expression) -> str:
    """Return a new variable for an item of a list."""
    item = function.names.fresh("x")
    if isinstance(types.element(source.type), types.ThingType):
        function.names.things.add(item)
    return item


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


def _paired(function: Function, source: Known, item: str, condition: ast.expr) -> ast.expr | None:
    """Write which of known things are picked by what stands in one place about another thing, which
    is remembered for each of them; None if nothing is."""
    space = function.names.space
    found = {
        part.value.id
        for part in ast.walk(condition)
        if isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and isinstance(part.slice, ast.Name)
        and part.slice.id == item
        and isinstance(space.get(part.value.id), Remembered)
    }
    if len(found) != 1:
        return None
    (name,) = found
    other = function.names.fresh("x")
    try:
        function.names.compile()
        values = [space[name][value] for value in source.value]
    except (NotGenerated, RecursionError, *SLOW):
        return None
    if not all(isinstance(value, Thing) for value in values):
        return None
    pairs = tuple((one, value.number) for one, value in zip(source.value, values, strict=True))
    made = _Numbers(name, item, other).visit(copy.deepcopy(condition))
    if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(made)):
        return None
    return expression(
        "[item for item, other in pairs if condition]",
        item=item,
        other=other,
        pairs=function.names.helper("pairs", pairs),
        condition=made,
    )


class _Numbers(ast.NodeTransformer):
    """Puts a variable in the place of `table[item].number`."""

    def __init__(self, table: str, item: str, other: str) -> None:
        self.table, self.item, self.other = table, item, other

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(ast.Subscript(ast.Name(id=table), ast.Name(id=item)), "number"):
                if table == self.table and item == self.item:
                    return variable(self.other)
        self.generic_visit(node)
        return node


def each(function: Function, node: model.Each, scope: Scope) -> Part:
    """`xs each e`"""
    return _mapped(function, node, function.part(node.source, scope), scope)


def _mapped(function: Function, node: model.Each, source: Part, scope: Scope) -> Part:
    if isinstance(source, Known) and len(source.value) <= UNROLLED:
        function.cost += len(source.value)
        scopes = [scope.having(node.name, Known(value)) for value in source.value]
        return _display(function, [(node.value, inner) for inner in scopes])
    source = _ready(function, source)
    item = item_of(function, node.source)
    with function.looping(source) as inside:
        part = function.part(node.value, scope.having(node.name, Made(variable(item))))
        value = function.tree(part)
    block = taken_out(function, inside, item)
    most = most_of(part)
    length = length_of(source)
    items = function.items(source)
    if not block:
        tree = expression("[value for item in items]", value=value, item=item, items=items)
        return Made(tree, listed=True, length=length, most=most)
    name = gathered(function, item, items, block, value)
    return Made(variable(name), listed=True, length=length, most=most)


def gathered(
    function: Function, item: str, items: ast.expr, block: list[ast.stmt], value: ast.expr
) -> str:
    """Write a loop that makes a list with a value for each item, which statements come before;
    return the name of the list."""
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
    if length_of(other) is None and may_be_listed(node.other):
        other = function.kept(other)
        function.count(expression("len(items)", items=function.items(other)))
    else:
        function.cost += length_of(other) or 1
    if length is None or length > DEAR:
        # It may be as long as that, but seldom is.
        source = function.kept(source)
        function.count(expression("len(items)", items=function.items(source)))
    else:
        function.cost += length
    before = picked(source)
    item = item_of(function, node.source) if before is None else before.item
    unwanted, template = _unwanted(function, node, other)
    condition = expression(template, item=item, unwanted=unwanted)
    if before is not None:
        return Made(before.also(condition), listed=True, length=length)
    trees = {"items": function.items(source), "condition": condition}
    tree = expression("[item for item in items if condition]", item=item, **trees)
    return Made(tree, listed=True, length=length)


def _unwanted(function: Function, node: model.Without, other: Part) -> tuple[ast.expr, str]:
    """Write what is taken away, and how an item is compared with it."""
    kind = types.element(node.source.type)
    differs = "item is not unwanted" if kind and is_thing(kind) else "item != unwanted"
    if not may_be_listed(node.other):
        return function.tree(function.kept(other)), differs
    match other:
        case Known(value=(value,)):
            return function.names.constant(value), differs
        case Made(tree=ast.Tuple(elts=[one])) if not isinstance(one, ast.Starred):
            return function.tree(function.kept(Made(one))), differs
    unwanted = function.items(function.kept(other))
    length = length_of(other)
    if length is None or length > FEW:
        # Nobody knows how long it is, or it is long: then a set knows at once what is in it.
        quick = "frozenset(items)" if length else "items if len(items) <= few else frozenset(items)"
        tree = expression(quick, items=unwanted, few=number(FEW))
        unwanted = variable(function.keep(tree))
    return unwanted, "item not in unwanted"


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
    source = _ready(function, source)
    item = item_of(function, node.source)
    with function.looping(source) as inside:
        test = function.part(node.condition, scope.having(node.name, Made(variable(item))))
    block = taken_out(function, inside, item)
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
    found = function.keep(
        expression("range(low, high + 1)", low=function.tree(low), high=function.tree(high))
    )
    items = measured(function, variable(found))
    most = max(most_of(low), most_of(high))
    return Made(expression("tuple(items)", items=items.tree), most=most)


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
    if isinstance(node.type, types.ZoneType):
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
