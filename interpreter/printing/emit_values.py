"""Generating plain values: constants, names, logic, arithmetic, comparison, conditions."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.types import is_thing
from rulewright.interpreter.printing.emit import (
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_lines import enough
from rulewright.interpreter.printing.emit_sure import is_picked_surely, picked, some
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.semantics.closures import ORIGINAL, constant_of, may_be_listed
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST
from rulewright.interpreter.state.layout import ENDING, LASTING, SCALARS
from rulewright.interpreter.state.values import by_identity

FEW = 3
"""A list of up to so many values is compared with one by one."""

LONGEST_KNOWN = 1000
"""A repeated list of up to so many items is worked out when the game is loaded."""


def known(function: Function, node: model.Expression, scope: Scope) -> Part:
    """Whatever is known when the game is loaded"""
    found, value = constant_of(node, function.layout)
    if not found:
        raise NotGenerated("unknown when loaded")
    return Known(value)


def everything(function: Function, node: model.Everything, scope: Scope) -> Part:
    """`Planet`: all things of the kind that are in the game"""
    slot = function.layout.living_slots.get(node.kind)
    if slot is None:
        return known(function, node, scope)
    return Made(expression("column[0]", column=function.column(slot)))


def local(function: Function, node: model.Local, scope: Scope) -> Part:
    """A name"""
    if node.name not in scope.names:
        raise NotGenerated(node.name)
    return scope.names[node.name]


def me(function: Function, node: model.Me, scope: Scope) -> Part:
    """`me`"""
    return scope.me


def original(function: Function, node: model.OriginalValue, scope: Scope) -> Part:
    """`original`"""
    if ORIGINAL not in scope.names:
        raise NotGenerated(ORIGINAL)
    return scope.names[ORIGINAL]


def ending(function: Function, node: model.Ending, scope: Scope) -> Part:
    """`ending`"""
    return Made(expression("column[place]", column=function.column(SCALARS), place=number(ENDING)))


def lasting(function: Function, node: model.Lasting, scope: Scope) -> Part:
    """The records of an `until` that hold for who reads"""
    template = "[x for x in column[place] or () if x[0] == wanted and x[1] is me]"
    if node.anybody:
        template = "[x for x in column[place] or () if x[0] == wanted]"
    tree = expression(
        template,
        x=function.names.fresh("x"),
        column=function.column(SCALARS),
        place=number(LASTING),
        wanted=number(node.number),
        **({} if node.anybody else {"me": function.tree(scope.me)}),
    )
    return Made(tree, listed=True)


def let_in(function: Function, node: model.LetIn, scope: Scope) -> Part:
    """`let x = e` inside a define"""
    return let_of(function, node, scope, Function.part)


def let_of(function: Function, node: model.LetIn, scope: Scope, write: Handler) -> Part:
    """Write what comes after a `let` in the given way."""
    part = function.part(node.value, scope)
    found = picked(part)
    if (
        found is not None
        and _is_one_way(node.body, node.name)
        and is_picked_surely(function, found)
    ):
        # It is made where it is wanted.
        assert isinstance(part, Made)
        part = attrs.evolve(part, tree=found.of(variable(function.keep(found.items))))
        return write(function, node.body, scope.having(node.name, part))
    if isinstance(part, Made) and part.listed:
        part = Made(function.tree(part), length=part.length)
    return write(function, node.body, scope.having(node.name, function.kept(part)))


def _is_one_way(node: model.Expression, name: str) -> bool:
    """Return whether a name is what one of several values is, and stands nowhere else."""
    if sum(isinstance(part, model.Local) and part.name == name for part in visitor.walk(node)) != 1:
        return False
    waiting = [node]
    while waiting:
        match waiting.pop():
            case model.Local(name=found) if found == name:
                return True
            case model.Conditional(then=then, otherwise=otherwise):
                waiting += [then, otherwise]
    return False


def needed(function: Function, node: model.Needed, scope: Scope) -> Part:
    """A value that must be there"""
    return there(function, node, function.part(node.value, scope))


def there(function: Function, node: model.Needed, part: Part) -> Part:
    """Write that none is a mistake, or none in a list."""
    if isinstance(part, Known):
        if part.value is None or (node.items and None in part.value):
            raise NotGenerated("none where it is a mistake")
        return part
    if part.listed:
        part = Made(function.tree(part), length=part.length)
    part = function.kept(part)
    template = "x is None or None in x" if node.items else "x is None"
    function.slow_if(expression(template, x=function.tree(part)))
    return part


# ------------------------------------------------------------------------------------------- logic


def conditional(function: Function, node: model.Conditional, scope: Scope) -> Part:
    """`if c then a else b`"""
    return decided(function, node, scope, Function.part)


def decided(function: Function, node: model.Conditional, scope: Scope, write: Handler) -> Part:
    """Write one of two values, either in the given way."""
    test = function.part(node.condition, scope)
    if isinstance(test, Known):
        return write(function, node.then if test.value else node.otherwise, scope)
    with function.aside() as then:
        one = write(function, node.then, scope)
    with function.aside() as otherwise:
        other = write(function, node.otherwise, scope)
    listed = isinstance(one, Made) and isinstance(other, Made) and one.listed and other.listed
    trees = [function.items(part) if listed else function.tree(part) for part in (one, other)]
    lengths = [length_of(part) for part in (one, other)]
    length = None if None in lengths else max(lengths)  # type: ignore[type-var]
    most = max(most_of(one), most_of(other))
    if not then and not otherwise:
        tree = expression("one if test else other", test=test.tree, one=trees[0], other=trees[1])
        return Made(tree, listed=listed, length=length, most=most)
    name = function.names.fresh("t")
    function.write(
        "if test:\n    then\n    name = one\nelse:\n    otherwise\n    name = other",
        test=test.tree,
        then=then,
        otherwise=otherwise,
        name=name,
        one=trees[0],
        other=trees[1],
    )
    return Made(ast.Name(name, ast.Load()), listed=listed, length=length, most=most)


def both(function: Function, node: model.And, scope: Scope) -> Part:
    """`a and b`"""
    return _logic(function, node, scope, goes_on=True)


def either(function: Function, node: model.Or, scope: Scope) -> Part:
    """`a or b`"""
    return _logic(function, node, scope, goes_on=False)


def _logic(function: Function, node: model.And | model.Or, scope: Scope, *, goes_on: bool) -> Part:
    left = function.part(node.left, scope)
    if isinstance(left, Known):
        return function.part(node.right, scope) if bool(left.value) is goes_on else left
    with function.aside() as block:
        right = function.part(node.right, scope)
    if not block:
        template = "one and other" if goes_on else "one or other"
        return Made(expression(template, one=left.tree, other=function.tree(right)))
    name = function.keep(left.tree)
    function.write(
        "if name:\n    block\n    name = other"
        if goes_on
        else "if not name:\n    block\n    name = other",
        name=name,
        block=block,
        other=function.tree(right),
    )
    return Made(ast.Name(name, ast.Load()))


def negation(function: Function, node: model.Not, scope: Scope) -> Part:
    """`not a`"""
    return inverse(function.part(node.operand, scope))


def inverse(part: Part) -> Part:
    """Return the opposite of a flag."""
    if isinstance(part, Known):
        return Known(not part.value)
    return Made(expression("not flag", flag=part.tree))


# -------------------------------------------------------------------------------------- arithmetic


def length_of(part: Part) -> int | None:
    """Return how many items a list has at most, if that is known."""
    if isinstance(part, Known):
        return len(part.value) if isinstance(part.value, tuple) else None
    return part.length


def most_of(part: Part) -> int:
    """Return how far a number can be from 0."""
    if isinstance(part, Known):
        return abs(part.value) if isinstance(part.value, int) else LARGEST_NUMBER
    return part.most


def arithmetic(function: Function, node: model.Arithmetic, scope: Scope) -> Part:
    """`+ - * / mod`"""
    listed = may_be_listed(node.left), may_be_listed(node.right)
    left, right = function.parts((node.left, node.right), scope)
    if node.word == "+" and any(listed):
        return _joined(function, left, right)
    if node.word == "*" and any(listed):
        return _repeated(function, *((left, right) if listed[1] else (right, left)))
    return computed(function, node.word, left, right)


_TEMPLATES: Mapping[str, str] = {
    "+": "one + other",
    "-": "one - other",
    "*": "one * other",
    "/": "one // other",
    "mod": "one % other",
}


def computed(function: Function, word: str, left: Part, right: Part) -> Part:
    """Return the sum, product … of two numbers."""
    tree = expression(_TEMPLATES[word], one=function.tree(left), other=function.tree(right))
    if isinstance(left, Known) and isinstance(right, Known):
        value = _folded(word, left.value, right.value)
        return Made(tree) if value is None else Known(value)
    one, other = most_of(left), most_of(right)
    most = {"+": one + other, "-": one + other, "*": one * other, "/": one, "mod": other}[word]
    made = Made(tree, most=most)
    return made if most <= LARGEST_NUMBER else in_measure(function, made)


def in_measure(function: Function, made: Made) -> Made:
    """Return a number that is not too large."""
    name = function.keep(made.tree)
    limit = number(LARGEST_NUMBER)
    function.slow_if(expression("not -limit <= name <= limit", limit=limit, name=name))
    return Made(ast.Name(name, ast.Load()))


def measured(function: Function, tree: ast.expr) -> Made:
    """Return a list of which nobody knows beforehand how long it is: its items are counted."""
    name = function.keep(tree)
    length = expression("len(items)", items=name)
    function.slow_if(expression("length > most", length=length, most=number(LONGEST_LIST)))
    function.count(length)
    return Made(variable(name), listed=True)


def _folded(word: str, left: object, right: object) -> int | None:
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    if word in ("/", "mod"):
        if right == 0:
            return None
        return left // right if word == "/" else left % right
    value = {"+": left + right, "-": left - right, "*": left * right}[word]
    return value if abs(value) <= LARGEST_NUMBER else None


def _joined(function: Function, left: Part, right: Part) -> Part:
    if isinstance(left, Known) and isinstance(right, Known):
        return Known(left.value + right.value)
    lengths = length_of(left), length_of(right)
    tree = expression("one + other", one=function.tree(left), other=function.tree(right))
    if None in lengths:
        name = function.keep(tree)
        limit = number(LONGEST_LIST)
        function.slow_if(expression("len(name) > limit", name=name, limit=limit))
        function.count(expression("len(name)", name=name))
        return Made(ast.Name(name, ast.Load()), length=LONGEST_LIST)
    return Made(tree, length=sum(lengths))  # type: ignore[arg-type]


def _repeated(function: Function, times: Part, items: Part) -> Part:
    if isinstance(times, Known) and isinstance(items, Known):
        if times.value * len(items.value) <= LONGEST_KNOWN:
            return Known(items.value * times.value)
    raise NotGenerated("a repeated list")


def negative(function: Function, node: model.Negative, scope: Scope) -> Part:
    """`-n`"""
    part = function.part(node.operand, scope)
    if isinstance(part, Known):
        return Known(-part.value)
    return attrs.evolve(part, tree=expression("-one", one=part.tree))


# -------------------------------------------------------------------------------------- comparison


def compare(function: Function, node: model.Compare, scope: Scope) -> Part:
    """`is`, `is not`, `<`, `>`, `<=`, `>=`, `in`, `not in`"""
    match node.word:
        case "in":
            return _member(function, node, scope)
        case "not in":
            return inverse(_member(function, node, scope))
        case "is" | "is not":
            return _same(function, node, scope)
    left, right = function.parts((node.left, node.right), scope)
    one, other = function.tree(left), function.tree(right)
    if node.word in (">", ">=") and isinstance(right, Known) and isinstance(right.value, int):
        wanted = right.value + (node.word == ">")
        long = enough(function, one, wanted) or _has_items(function, one, wanted)
        if long is not None:
            return long
    template = f"one {node.word} other"
    if _by_order(node.left) or _by_order(node.right):
        template = f"one.order {node.word} other.order"
    elif isinstance(left, Known) and isinstance(right, Known):
        if isinstance(left.value, int) and isinstance(right.value, int):
            orders = {"<": left.value < right.value, ">": left.value > right.value}
            orders |= {"<=": left.value <= right.value, ">=": left.value >= right.value}
            return Known(orders[node.word])
    return Made(expression(template, one=one, other=other))


def _has_items(function: Function, tree: ast.expr, wanted: int) -> Made | None:
    """Write whether a list has an item, if that is what its length is compared for."""
    match tree:
        case ast.Call(func=ast.Name(id="len"), args=[items]) if wanted == 1:
            found = some(function, Made(items))
            return Made(found or expression("not not items", items=items))
    return None


def _by_order(node: model.Expression) -> bool:
    return isinstance(types.without_none(node.type), types.EnumType)


def _same(function: Function, node: model.Compare, scope: Scope) -> Part:
    left, right = function.parts((node.left, node.right), scope)
    positive = node.word == "is"
    if isinstance(left, Known) and isinstance(right, Known):
        return Known((left.value == right.value) is positive)
    identical = (
        is_thing(node.left.type)
        or is_thing(node.right.type)
        or any(isinstance(part, Known) and by_identity(part.value) for part in (left, right))
    )
    words = ("is", "is not") if identical else ("==", "!=")
    template = f"one {words[0] if positive else words[1]} other"
    return Made(expression(template, one=function.tree(left), other=function.tree(right)))


def _member(function: Function, node: model.Compare, scope: Scope) -> Part:
    if isinstance(node.right, model.Numbers):
        ends = (node.left, node.right.low, node.right.high)
        item, low, high = [function.tree(part) for part in function.parts(ends, scope)]
        if isinstance(node.left.type, types.NumberType):
            return Made(expression("low <= item <= high", low=low, item=item, high=high))
        name = function.keep(item)
        template = "name is not None and low <= name <= high"
        return Made(expression(template, low=low, name=name, high=high))
    item_part = function.part(node.left, scope)
    if isinstance(node.right, model.ListOf) and len(node.right.items) <= FEW:
        return _one_of(function, item_part, node.right, scope)
    with function.aside() as block:
        items = function.unordered(node.right, scope)
    if block:
        item_part = function.kept(item_part)
        function.block += block
    if isinstance(item_part, Known) and isinstance(items, Known):
        return Known(item_part.value in items.value)
    if isinstance(items, Known) and len(items.value) > FEW:
        searched: ast.expr = function.names.constant(frozenset(items.value))
    else:
        searched = function.items(items)
    length = length_of(items)
    if length is None:
        searched = ast.Name(function.keep(searched), ast.Load())
        function.count(expression("len(items) >> 4", items=searched))
    else:
        function.cost += length >> 4
    return Made(expression("item in items", item=function.tree(item_part), items=searched))


def _one_of(function: Function, item: Part, listed: model.ListOf, scope: Scope) -> Part:
    """Return whether a value is one of a few that are written one by one."""
    with function.aside() as block:
        others = function.parts(listed.items, scope)
    item = function.kept(item)
    function.block += block
    if isinstance(item, Known) and all(isinstance(other, Known) for other in others):
        return Known(any(item.value == other.value for other in others))  # type: ignore[union-attr]
    tests = [
        expression("one == other", one=function.tree(item), other=function.tree(other))
        for other in others
    ]
    if not tests:
        return Known(False)
    return Made(tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests))


HANDLERS: Mapping[type, Handler] = {
    model.Constant: known,
    model.EnumConstant: known,
    model.Everything: everything,
    model.Seats: known,
    model.EnumValues: known,
    model.NamedThing: known,
    model.OptionValue: known,
    model.Local: local,
    model.Me: me,
    model.OriginalValue: original,
    model.Ending: ending,
    model.Lasting: lasting,
    model.LetIn: let_in,
    model.Needed: needed,
    model.Conditional: conditional,
    model.And: both,
    model.Or: either,
    model.Not: negation,
    model.Arithmetic: arithmetic,
    model.Negative: negative,
    model.Compare: compare,
}
