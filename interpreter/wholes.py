"""Compiling lists that are taken as they are: what a `choose` offers, and what is only counted.

Nobody looks at single things there. So the zones of which such a list is made are read without the
question who sees what lies in them, and without deciding what lies where in a pile: hidden things may
be offered, and counted by whoever may count them. That holds through defines with their amendments,
`if … then … else`, and sums of lists. What conditions and guards read on the way is looked at, as
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from rulewright.dsl import kinds, model
from rulewright.dsl.registry import FUNCTION_BY_NAME
from rulewright.interpreter.changes import changed
from rulewright.interpreter.compiling import Code, Compiler, tick_bulk
from rulewright.interpreter.evaluate_calls import define_call
from rulewright.interpreter.evaluate_needs import there
from rulewright.interpreter.evaluate_places import blind_place, count_place
from rulewright.interpreter.evaluate_reads import counted, read_unguarded
from rulewright.interpreter.evaluate_values import chosen_by, let_of
from rulewright.interpreter.filters import compile_filter
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Locals, Thing, Value

Whole: TypeAlias = Callable[[Compiler, model.Expression], Code]
"""How a list is taken: `offered` or `sized`."""


def offered(compiler: Compiler, expression: model.Expression) -> Code:
    """Return the code of a list whose things stand to choice."""
    match expression:
        case model.Read(type=kinds.ZoneType()):
            return read_unguarded(compiler, expression, compiler.layout.slots[expression.field])
        case model.Contents(type=kinds.ZoneType()):
            return blind_place(compiler, expression)
    handed = handed_on(compiler.layout, expression)
    if handed is not None:
        items, rest = handed
        return let_of(HANDED, offered(compiler, items), compiler.expression(rest))
    written = some_handed_on(compiler.layout, expression)
    if written:
        codes = [offered(compiler, one) for one in written]
        return lambda store, me, locals: tuple([code(store, me, locals) for code in codes])
    return _inside(compiler, expression, offered) or compiler.expression(expression)


HANDED = "#handed"


def some_handed_on(layout: Layout, expression: model.Expression) -> tuple[model.Expression, ...]:
    """Return the items of a list that is written down, if some of them are out of other lists."""
    if not isinstance(expression, model.ListOf):
        return ()
    items = (one.value if isinstance(one, model.Needed) else one for one in expression.items)
    if not any(handed_on(layout, one) is not None for one in items):
        return ()
    return expression.items


def handed_on(
    layout: Layout, expression: model.Expression
) -> tuple[model.Expression, model.Expression] | None:
    """Return the list whose items a function hands on as they are (all of them, or one of a zone whose
    order is decided), and the function of what is called `HANDED`; None if it is no such function."""
    if not isinstance(expression, model.Builtin) or len(expression.arguments) != 1:
        return None
    (items,) = expression.arguments
    element, hands_on = kinds.element(items.type), FUNCTION_BY_NAME[expression.name].lists.hands_on
    if hands_on == "one":
        decided = (
            isinstance(items, model.Read) and layout.slots[items.field] not in layout.bag_slots
        )
        hands_on = "all" if decided else hands_on
    if hands_on != "all" or element is None:
        return None
    local = model.Local(type=kinds.ListType(element), span=items.span, name=HANDED)
    return items, attrs.evolve(expression, arguments=(local,))


def sized(compiler: Compiler, expression: model.Expression) -> Code:
    """Return the code of a list of which only the length is asked."""
    match expression:
        case model.Read(type=kinds.ZoneType()):
            return counted(compiler, expression)
        case model.Contents(type=kinds.ZoneType()):
            return count_place(compiler, expression)
        case model.Where(source=source, name=name, condition=condition):
            items = compiler.unordered(source)
            kept = compile_filter(compiler, name, condition)

            def filtered(store: Store, me: Thing | None, locals: Locals) -> Value:
                listed = items(store, me, locals)
                # A list like all others: an amendment may add to it.
                return tuple(kept(store, me, locals, listed)) if listed else ()

            return filtered
    return _inside(compiler, expression, sized) or compiler.unordered(expression)


def _inside(compiler: Compiler, expression: model.Expression, how: Whole) -> Code | None:
    """Return the code of a list that is made of others, which are taken in the same way."""
    match expression:
        case model.Needed(value=value):
            return there(expression, how(compiler, value))
        case model.Arithmetic(word="+", left=left, right=right, type=kinds.ListType()):
            return _joined(how(compiler, left), how(compiler, right), expression)
        case model.Conditional(condition=condition, then=then, otherwise=otherwise):
            test = compiler.expression(condition)
            return chosen_by(test, how(compiler, then), how(compiler, otherwise))
        case model.LetIn(name=name, value=value, body=body):
            return let_of(name, compiler.expression(value), how(compiler, body))
        case model.DefineCall(define=id):
            define = compiler.game.defines[id]
            if isinstance(define.type, kinds.ListType | kinds.ZoneType) and not define.lines:
                return define_call(compiler, expression, compiler.whole(id, how))
    return None


def body_of(compiler: Compiler, define: model.Define, how: Whole) -> Code:
    """Return the code of a define that is a list, amendments included."""

    def whole(expression: model.Expression) -> Code:
        return how(compiler, expression)

    return changed(compiler, whole(define.body), define.changes, whole)


def _joined(one: Code, other: Code, expression: model.Expression) -> Code:
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        joined = (*one(store, me, locals), *other(store, me, locals))
        tick_bulk(store, len(joined), span)
        return joined

    return code
