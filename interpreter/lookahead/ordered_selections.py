"""`choose ordered … such that`: whether the first places of an order leave a way to meet its condition.

All things are in the order, so whatever does not depend on their places is known from the start: sums,
counts, whether some or every one of them has a property. Of the places only those are known that have been
picked. The condition is read part by part (`three_valued_logic`); what it asks of other places is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.dsl.model.builtins import list_use
from rulewright.dsl.model.register import listed
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion, left_of
from rulewright.interpreter.program.three_valued_logic import (
    OPEN,
    Bounds,
    Found,
    Items,
    ThreeValuedConditions,
    Truth,
    not_known,
    value_of,
)
from rulewright.interpreter.semantics.closures import Code, Compiler
from rulewright.interpreter.state.errors import Horizon
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


class OrderPrefix(tuple[Value, ...]):
    """An order of which the first places are known, and which things stand behind them in some order.

    Whatever asks for more than that meets something that is not known.
    """

    picked: tuple[Value, ...]
    whole: tuple[Value, ...]
    end: tuple[Value, ...]
    """The last thing, if it is known."""

    def __new__(
        cls, picked: Sequence[Value], rest: Sequence[Value], end: Sequence[Value] = ()
    ) -> OrderPrefix:
        """Return an order that begins with some things, and may end with one of the rest."""
        # What reads it behind its back finds nothing.
        made = super().__new__(cls)
        made.picked, made.whole = tuple(picked), (*picked, *rest)
        made.end = tuple(end)
        return made

    @property
    def rest(self) -> tuple[Value, ...]:
        """What comes later."""
        return self.whole[len(self.picked) :]

    def __len__(self) -> int:
        return len(self.whole)

    def __bool__(self) -> bool:
        return bool(self.whole)

    def __contains__(self, item: object) -> bool:
        return item in self.whole

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int) and 0 <= place < len(self.picked):
            return self.picked[place]
        if isinstance(place, int) and self.end and place in (-1, len(self.whole) - 1):
            return self.end[0]
        raise Horizon

    __iter__ = __reversed__ = __add__ = __radd__ = __mul__ = __rmul__ = not_known
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = not_known
    index = count = not_known


class OrderConditions(ThreeValuedConditions):
    """Reads a condition on an order by its name."""

    def __init__(self, compiler: Compiler, name: str) -> None:
        super().__init__(compiler)
        self.name = name

    def condition(self, expression: model.Expression) -> Truth:
        """Return what says whether a condition holds, in whatever order the rest comes."""
        match expression:
            case model.Compare(word="is" | "is not" as word, left=left, right=right) if listed(
                left
            ) and listed(right):
                return self._same(left, right, word == "is not")
        if isinstance(expression, model.Compare) and self._asks_last(expression):
            return self._for_each_last(super().condition(expression))
        return super().condition(expression)

    def _asks_last(self, expression: model.Expression) -> bool:
        return any(
            isinstance(one, model.Builtin) and list_use(one.name).end == "back" and self._reads(one)
            for one in visitor.nodes_in(expression)
        )

    def _for_each_last(self, inner: Truth) -> Truth:
        """Return the same, asked of each thing that may be the last one."""

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            order = locals.get(self.name)
            if not isinstance(order, OrderPrefix):
                return inner(store, me, locals)
            found = set()
            for item in order.rest:
                prefix = OrderPrefix(order.picked, order.rest, (item,))
                found.add(inner(store, me, {**locals, self.name: prefix}))
                if len(found) > 1:
                    return None
            return found.pop() if found else None

        return truth

    def bounds(self, expression: model.Expression) -> Bounds:
        """Return what says between which numbers a number lies."""
        if self._is_free(expression):
            return _whole(self.name, super().bounds(expression))
        return super().bounds(expression)

    def items(self, expression: model.Expression) -> Items:
        """Return what says what is in a list; in which order is left open."""
        match expression:
            case model.Local(name=name) if name == self.name:

                def items(store: Store, me: Thing | None, locals: Locals) -> Sequence[Found]:
                    order: Value = locals[name]
                    whole = order.whole if isinstance(order, OrderPrefix) else order
                    return [(item, True) for item in whole]

                return items
        return super().items(expression)

    def _is_free(self, expression: model.Expression) -> bool:
        """Return whether a value does not depend on the order: a sum, the greatest, how many there are."""
        match expression:
            case model.Builtin(name=name, arguments=(items,)):
                order = list_use(name).order
                return order == "free" and self._thing_by_thing(items)
        return False

    def _thing_by_thing(self, expression: model.Expression) -> bool:
        if isinstance(expression, model.Local):
            return expression.name == self.name
        return self._reads(expression) and all(
            use.order != "read" and use.hands_on != "item" and self._thing_by_thing(part)
            for part, use in visitor.used(expression)
            if self._reads(part)
        )

    def _reads(self, expression: model.Node) -> bool:
        return any(
            isinstance(one, model.Local) and one.name == self.name
            for one in visitor.nodes_in(expression)
        )

    def _same(self, left: model.Expression, right: model.Expression, negated: bool) -> Truth:
        first, second = self._listed(left), self._listed(right)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            one, other = first(store, me, locals), second(store, me, locals)
            if one is OPEN or other is OPEN:
                return None
            for item, wanted in zip(one, other, strict=False):
                if item != wanted:
                    return negated
            return None

        return truth

    def _listed(self, expression: model.Expression) -> Code:
        """Return the code of the beginning of a list, as far as it is known."""
        match expression:
            case model.Local(name=name) if name == self.name:
                return lambda store, me, locals: getattr(locals[name], "picked", OPEN)
            case model.Each(source=model.Local(name=name), value=value) if (
                name == self.name and not self._reads(value)
            ):
                return self._picked(expression)
            case model.Sorted(source=source, keys=keys) if self._thing_by_thing(source) and not any(
                self._reads(key.value) for key in keys
            ):
                return self._sorted(expression)
        code = self.compiler.expression(expression)
        return lambda *given: value_of(code, *given)

    def _picked(self, expression: model.Expression) -> Code:
        code = self.compiler.expression(expression)

        def picked(store: Store, me: Thing | None, locals: Locals) -> Value:
            order = locals[self.name]
            return value_of(code, store, me, {**locals, self.name: order.picked})

        return picked

    def _sorted(self, expression: model.Expression) -> Code:
        code = self.compiler.expression(expression)

        def in_order(store: Store, me: Thing | None, locals: Locals) -> Value:
            whole = locals[self.name].whole
            one = value_of(code, store, me, {**locals, self.name: whole})
            other = value_of(code, store, me, {**locals, self.name: whole[::-1]})
            # Things that are equal stay in the order in which they come: then it is open.
            return one if one is not OPEN and one == other else OPEN

        return in_order


def _whole(name: str, bounds: Bounds) -> Bounds:
    def known(store: Store, me: Thing | None, locals: Locals) -> tuple[int, int] | None:
        order = locals.get(name)
        return bounds(store, me, {**locals, name: getattr(order, "whole", order)})

    return known


def order_fails(program: Program, store: Store, asked: OpenQuestion) -> bool:
    """Return whether an order that has begun, in a trial, cannot meet its condition any more."""
    question, frame = asked.question, store.frames[-1]
    if not question.ordered or question.such_that is None:
        return False
    key = question.op.unit, question.op.node, "order"
    if key not in program.ahead:
        orders = OrderConditions(program.evaluator, question.name)
        program.ahead[key] = orders.condition(question.op.step.such_that)
    picked = frame.locals.get(question.partial)
    if picked is None:
        return False
    given = OpenQuestion(question, frame)
    given.picked = picked
    locals = {
        **frame.locals,
        question.name: OrderPrefix(picked, left_of(given, tuple(asked.items))),
    }
    locals.pop(question.partial)
    truth: Callable[..., bool | None] = program.ahead[key]
    return truth(store, frame.me, locals) is False
