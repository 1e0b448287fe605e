"""The core functions on lists: `count(xs)`, `top(2, deck)`, `same_items(xs, ys)` and so on.

One entry in `FUNCTIONS` for each; at the end stand those that follow an expression from one value to
the next. Functions that do not care for the order of a list ask for it `unordered`, so that looking
through a shuffled pile does not decide what lies where; `count` does not even look at what lies
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics.closures import (
    Code,
    Compiler,
    constant,
    constant_of,
    list_too_long,
    nothing_there,
    number_too_large,
    tick,
    tick_bulk,
)
from rulewright.interpreter.semantics.fields import topmost
from rulewright.interpreter.semantics.lists import sized
from rulewright.interpreter.semantics.places import top_place
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value

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
    """`components(xs, neighbours)`: the connected components of a list: things are connected by way
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


# ----------------------------------------------------------------------------------------- builtins


Handler: TypeAlias = Callable[[Compiler, model.Builtin], Code]


def builtin(compiler: Compiler, expression: model.Builtin) -> Code:
    """A core function by its name"""
    return FUNCTIONS[expression.name](compiler, expression)


# ----------------------------------------------------------------------------------------- counting


def count(compiler: Compiler, expression: model.Builtin) -> Code:
    """`count(xs)`"""
    argument = expression.arguments[0]
    known, value = constant_of(argument, compiler.layout)
    if known and value is not None:
        return constant(len(value))
    items = sized(compiler, argument)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = items(store, me, locals)
        try:
            return len(listed)
        except TypeError:
            raise nothing_there(argument) from None

    return code


def is_empty(compiler: Compiler, expression: model.IsEmpty) -> Code:
    """`xs is empty`, `xs is not empty`"""
    items = sized(compiler, expression.source)
    if expression.negated:
        return lambda store, me, locals: bool(items(store, me, locals))
    return lambda store, me, locals: not items(store, me, locals)


def indices(compiler: Compiler, expression: model.Builtin) -> Code:
    """`indices(xs)`"""
    items, span = sized(compiler, expression.arguments[0]), expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        size = len(items(store, me, locals))
        tick(store, size, span)
        return tuple(range(size))

    return code


# ------------------------------------------------------------------------------------------ numbers


def _over_numbers(
    compute: Callable[[Sequence[int]], int], compiler: Compiler, expression: model.Builtin
) -> Code:
    argument, span = expression.arguments[0], expression.span
    numbers = compiler.unordered(argument)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = numbers(store, me, locals)
        if listed:
            tick_bulk(store, len(listed), span)
        try:
            result = compute(listed) if listed else 0
        except TypeError:
            raise nothing_there(argument) from None
        if -LARGEST_NUMBER <= result <= LARGEST_NUMBER:
            return result
        raise number_too_large(span)

    return code


def total_of(compiler: Compiler, expression: model.Builtin) -> Code:
    """`sum(numbers)`, `total(family)`"""
    return _over_numbers(sum, compiler, expression)


def least(compiler: Compiler, expression: model.Builtin) -> Code:
    """`min(numbers)`"""
    return _over_numbers(min, compiler, expression)


def greatest(compiler: Compiler, expression: model.Builtin) -> Code:
    """`max(numbers)`"""
    return _over_numbers(max, compiler, expression)


# ----------------------------------------------------------------------------------- ends of a list


def first(compiler: Compiler, expression: model.Builtin) -> Code:
    """`first(xs)`, `first(n, xs)`; of a pile from its bottom"""
    items = compiler.expression(expression.arguments[-1])
    if len(expression.arguments) == 1:

        def one(store: Store, me: Thing | None, locals: Locals) -> Value:
            listed = items(store, me, locals)
            return listed[0] if listed else None

        return one
    number, span = _number(compiler, expression), expression.span

    def several(store: Store, me: Thing | None, locals: Locals) -> Value:
        found = items(store, me, locals)[: number(store, me, locals)]
        tick_bulk(store, len(found), span)
        return found

    return several


def last(compiler: Compiler, expression: model.Builtin) -> Code:
    """`last(xs)`, `last(n, xs)`: in the order of the list"""
    return _from_the_end(compiler, expression, 1)


def top(compiler: Compiler, expression: model.Builtin) -> Code:
    """`top(pile)`, `top(n, pile)`: the topmost first"""
    return _from_the_end(compiler, expression, -1)


def _from_the_end(compiler: Compiler, expression: model.Builtin, step: int) -> Code:
    items = _from_the_top(compiler, expression)
    if len(expression.arguments) == 1:

        def one(store: Store, me: Thing | None, locals: Locals) -> Value:
            listed = items(store, me, locals)
            return listed[-1] if listed else None

        return one
    number, span = _number(compiler, expression), expression.span

    def several(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed, wanted = items(store, me, locals), number(store, me, locals)
        found = listed[max(len(listed) - wanted, 0) :][::step]
        tick_bulk(store, len(found), span)
        return found

    return several


def _number(compiler: Compiler, expression: model.Builtin) -> Code:
    written = expression.arguments[0]
    number = compiler.expression(written)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        wanted = number(store, me, locals)
        if wanted is None:
            raise nothing_there(written)
        return max(wanted, 0)

    return code


def _from_the_top(compiler: Compiler, expression: model.Builtin) -> Code:
    """Return the code of the list; of a pile only the top has to be decided."""
    source = expression.arguments[-1]
    number = None if len(expression.arguments) == 1 else _number(compiler, expression)
    match source:
        case model.Read() if compiler.layout.slots[source.field] in compiler.layout.bag_slots:
            return topmost(compiler, source, number)
        case model.Contents(type=types.ZoneType()):
            return top_place(compiler, source, number)
    return compiler.expression(source)


def only(compiler: Compiler, expression: model.Builtin) -> Code:
    """`only(xs)`"""
    items = compiler.unordered(expression.arguments[0])

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = items(store, me, locals)
        return listed[0] if len(listed) == 1 else None

    return code


def the(compiler: Compiler, expression: model.Builtin) -> Code:
    """`the(xs)`"""
    items, span = compiler.unordered(expression.arguments[0]), expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = items(store, me, locals)
        if len(listed) == 1:
            return listed[0]
        raise PlayError("RW706", span, name="the")

    return code


# ----------------------------------------------------------------------------------- lists of lists


def distinct(compiler: Compiler, expression: model.Builtin) -> Code:
    """`distinct(xs)`"""
    return _made_of_all(lambda items: tuple(dict.fromkeys(items)), compiler, expression)


def backwards(compiler: Compiler, expression: model.Builtin) -> Code:
    """`reversed(xs)`"""
    return _made_of_all(lambda items: items[::-1], compiler, expression)


def present(compiler: Compiler, expression: model.Builtin) -> Code:
    """`present(xs)`"""

    def without_none(items: Value) -> Value:
        return tuple([item for item in items if item is not None])

    return _made_of_all(without_none, compiler, expression)


def _made_of_all(
    make: Callable[[Value], Value], compiler: Compiler, expression: model.Builtin
) -> Code:
    items, span = compiler.expression(expression.arguments[0]), expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = items(store, me, locals)
        tick_bulk(store, len(listed), span)
        return make(listed)

    return code


def joined(compiler: Compiler, expression: model.Builtin) -> Code:
    """`join(lists)`"""
    lists, span = compiler.expression(expression.arguments[0]), expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed = lists(store, me, locals)
        length = sum([len(one) for one in listed])
        tick(store, length, span)
        if length > LONGEST_LIST:
            raise list_too_long(span)
        return tuple([item for one in listed for item in one])

    return code


def same_items(compiler: Compiler, expression: model.Builtin) -> Code:
    """`same_items(xs, ys)`"""
    one, other = [compiler.unordered(argument) for argument in expression.arguments]
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        items, others = one(store, me, locals), other(store, me, locals)
        if len(items) != len(others):
            return False
        tick_bulk(store, len(items), span)
        return items == others or Counter(items) == Counter(others)

    return code


def position(compiler: Compiler, expression: model.Builtin) -> Code:
    """`position(x, xs)`"""
    item, items = [compiler.expression(argument) for argument in expression.arguments]
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        wanted, listed = item(store, me, locals), items(store, me, locals)
        try:
            found: int = listed.index(wanted)
        except ValueError:
            raise PlayError("RW706", span, name="position") from None
        tick_bulk(store, found, span)
        return found

    return code


FUNCTIONS: Mapping[str, Handler] = {
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
    "path_length": path_length,
    "components": components,
}

HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    model.Builtin: builtin,
    model.IsEmpty: is_empty,
}
