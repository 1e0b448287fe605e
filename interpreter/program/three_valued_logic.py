"""Conditions in a look-ahead of which something is hidden: yes, no, or it depends on what is hidden.

A condition is read part by part. What its player does not see, or nobody knows yet, leaves a part open, and
that matters only as far as the others do: `false and ?` is false, `some` is true if one thing says so
whatever the others say, a count lies between the things that are surely counted and those that may be.

    decided = ThreeValuedConditions(evaluator).condition(expression)
    decided(store, me, locals)   # True, False or None

Whoever has been told it has learned nothing of what is hidden: it is so whatever that is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.program.aggregates import UnknownStructure, opened
from rulewright.interpreter.semantics.closures import Code, Compiler, tick
from rulewright.interpreter.semantics.filters import ORDERS
from rulewright.interpreter.state.errors import Horizon, PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value

Truth = Callable[[Store, Thing | None, Locals], bool | None]
Bounds = Callable[[Store, Thing | None, Locals], tuple[int, int] | None]
"""Between which numbers a number lies; None if nothing is known."""

Found = tuple[Value, bool]
"""Something that is in a list, and whether that is sure."""

Items = Callable[[Store, Thing | None, Locals], Sequence[Found] | None]
"""What is, or may be, in a list; None if nothing is known."""

MOST_PARTS = 1000
"""So many parts of a condition are read: defines inside each other may be many."""

OPEN = object()
"""Stands for a value that is hidden."""

UNKNOWN = (Horizon, Undecided, PlayError)

PARTED = (
    model.And,
    model.Or,
    model.Not,
    model.Conditional,
    model.Quantified,
    model.IsEmpty,
    model.Compare,
    model.DefineCall,
    model.LetIn,
)


def has_parts(condition: model.Expression) -> bool:
    """Return whether a condition may be decided though something in it is hidden."""
    return isinstance(condition, PARTED)


class ThreeValuedConditions:
    """Reads conditions part by part."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.depth = 0
        self.left = MOST_PARTS

    # ---------------------------------------------------------------------------------- conditions

    def condition(self, expression: model.Expression) -> Truth:
        """Return what says whether a condition holds, whatever is hidden."""
        self.left -= 1
        if self.left < 0:
            return self._leaf(expression)
        match expression:
            case model.And(left=left, right=right):
                return self._both(left, right, False)
            case model.Or(left=left, right=right):
                return self._both(left, right, True)
            case model.Not(operand=operand):
                inner = self.condition(operand)
                return lambda *given: _not(inner(*given))
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._conditional(condition, then, otherwise)
            case model.Quantified():
                return self._quantified(expression)
            case model.IsEmpty(source=source, negated=negated):
                return self._empty(source, negated)
            case model.Compare(word="in" | "not in" as word, left=left, right=right):
                return self._in(left, right, word == "not in")
            case model.Compare(word=word, left=left, right=right) if isinstance(
                left.type, types.NumberType
            ):
                return self._compared(word, left, right, self._leaf(expression))
            case model.DefineCall() | model.LetIn():
                body = self._opened(expression)
                return self._leaf(expression) if body is None else self._inside(body)
        return self._leaf(expression)

    def _leaf(self, expression: model.Expression) -> Truth:
        code = self.compiler.expression(expression)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            value = value_of(code, store, me, locals)
            return None if value is OPEN else bool(value)

        return truth

    def _inside(self, body: model.Expression) -> Truth:
        self.depth += 1
        try:
            return self.condition(body)
        finally:
            self.depth -= 1

    def _both(self, left: model.Expression, right: model.Expression, ends: bool) -> Truth:
        first, second = self.condition(left), self.condition(right)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            one = first(store, me, locals)
            if one is ends:
                return ends
            other = second(store, me, locals)
            if other is ends:
                return ends
            return None if one is None or other is None else not ends

        return truth

    def _conditional(
        self, condition: model.Expression, then: model.Expression, otherwise: model.Expression
    ) -> Truth:
        which, yes, no = self.condition(condition), self.condition(then), self.condition(otherwise)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            taken = which(store, me, locals)
            if taken is not None:
                return yes(store, me, locals) if taken else no(store, me, locals)
            one, other = yes(store, me, locals), no(store, me, locals)
            return one if one is other else None

        return truth

    def _quantified(self, expression: model.Quantified) -> Truth:
        source, inner = self.items(expression.source), self.condition(expression.condition)
        name, word = expression.name, expression.word
        # An `every` ends with the first no, the others with the first yes.
        ends = word != "every"

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            found = source(store, me, locals)
            if found is None:
                return None
            met: bool | None = not ends
            tick(store, len(found), expression.span)
            for item, sure in found:
                one = None if item is OPEN else inner(store, me, {**locals, name: item})
                if one is ends and sure:
                    met = ends
                    break
                if one is not (not ends):
                    met = None
            return _not(met) if word == "no" else met

        return truth

    def _empty(self, source: model.Expression, negated: bool) -> Truth:
        items = self.items(source)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            found = items(store, me, locals)
            if found is None:
                return None
            if any(sure for _, sure in found):
                return negated
            return None if found else not negated

        return truth

    def _in(self, left: model.Expression, right: model.Expression, negated: bool) -> Truth:
        code, items = self.compiler.expression(left), self.items(right)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            value, found = value_of(code, store, me, locals), items(store, me, locals)
            if found is None or value is OPEN:
                return None
            if any(sure and item is not OPEN and item == value for item, sure in found):
                return not negated
            return None if any(item is OPEN or item == value for item, _ in found) else negated

        return truth

    def _compared(
        self, word: str, left: model.Expression, right: model.Expression, leaf: Truth
    ) -> Truth:
        first, second = self.bounds(left), self.bounds(right)

        def truth(store: Store, me: Thing | None, locals: Locals) -> bool | None:
            one, other = first(store, me, locals), second(store, me, locals)
            if one is None or other is None:
                return leaf(store, me, locals)
            (low, high), (least, most) = one, other
            if word in ("is", "is not"):
                if low == high == least == most:
                    return word == "is"
                return None if low <= most and least <= high else word == "is not"
            compared = ORDERS[word]
            ends = {compared(low, most), compared(high, least)}
            return ends.pop() if len(ends) == 1 else None

        return truth

    # -------------------------------------------------------------------------- numbers and lists

    def bounds(self, expression: model.Expression) -> Bounds:
        """Return what says between which numbers a number lies."""
        match expression:
            case model.Builtin(name="count", arguments=(items,)):
                return self._counted(items)
            case model.Arithmetic(word="+" | "-" as word, left=left, right=right):
                first, second = self.bounds(left), self.bounds(right)
                return lambda *given: _added(first(*given), second(*given), word == "-")
            case model.Arithmetic(word="*", left=left, right=right):
                first, second = self.bounds(left), self.bounds(right)
                return lambda *given: _product(first(*given), second(*given))
        code = self.compiler.expression(expression)

        def bounds(store: Store, me: Thing | None, locals: Locals) -> tuple[int, int] | None:
            value = value_of(code, store, me, locals)
            return (value, value) if type(value) is int else None

        return bounds

    def _counted(self, source: model.Expression) -> Bounds:
        count = model.Builtin(
            type=types.NUMBER, span=source.span, name="count", arguments=(source,)
        )
        items, code = self.items(source), self.compiler.expression(count)

        def bounds(store: Store, me: Thing | None, locals: Locals) -> tuple[int, int] | None:
            # Who may not see what lies somewhere may see how much it is.
            known = value_of(code, store, me, locals)
            if type(known) is int:
                return known, known
            found = items(store, me, locals)
            if found is None:
                return None
            return sum(sure for _, sure in found), len(found)

        return bounds

    def items(self, expression: model.Expression) -> Items:
        """Return what says what is, or may be, in a list."""
        match expression:
            case model.Where(source=source, name=name, condition=condition):
                return self._where(source, name, condition)
            case model.Each(source=source, name=name, value=value):
                return self._each(source, name, value)
            case model.ListOf(items=parts):
                codes = [self.compiler.expression(part) for part in parts]
                return lambda *given: [(value_of(code, *given), True) for code in codes]
            case model.Arithmetic(word="+", left=left, right=right):
                first, second = self.items(left), self.items(right)
                return lambda *given: _joined(first(*given), second(*given))
        code = self.compiler.unordered(expression)

        def items(store: Store, me: Thing | None, locals: Locals) -> Sequence[Found] | None:
            value = value_of(code, store, me, locals)
            return [(item, True) for item in value] if isinstance(value, tuple | range) else None

        return items

    def _where(self, source: model.Expression, name: str, condition: model.Expression) -> Items:
        items, inner = self.items(source), self.condition(condition)

        def where(store: Store, me: Thing | None, locals: Locals) -> Sequence[Found] | None:
            found = items(store, me, locals)
            if found is None:
                return None
            left: list[Found] = []
            tick(store, len(found), condition.span)
            for item, sure in found:
                holds = None if item is OPEN else inner(store, me, {**locals, name: item})
                if holds is not False:
                    left.append((item, sure and holds is True))
            return left

        return where

    def _each(self, source: model.Expression, name: str, value: model.Expression) -> Items:
        items, code = self.items(source), self.compiler.expression(value)

        def each(store: Store, me: Thing | None, locals: Locals) -> Sequence[Found] | None:
            found = items(store, me, locals)
            if found is None:
                return None
            tick(store, len(found), value.span)
            return [
                (OPEN if item is OPEN else value_of(code, store, me, {**locals, name: item}), sure)
                for item, sure in found
            ]

        return each

    def _opened(self, expression: model.DefineCall | model.LetIn) -> model.Expression | None:
        try:
            return opened(self.compiler.game, expression, self.depth)
        except UnknownStructure:
            return None


def not_known(self: object, *given: object) -> NoReturn:
    """What a value that is only known in part does where it is asked for more."""
    raise Horizon


def value_of(code: Code, store: Store, me: Thing | None, locals: Locals) -> Value:
    """Return a value; `OPEN` if it is hidden."""
    try:
        return code(store, me, locals)
    except UNKNOWN:
        return OPEN


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _joined(one: Sequence[Found] | None, other: Sequence[Found] | None) -> Sequence[Found] | None:
    return None if one is None or other is None else [*one, *other]


def _product(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    if one is None or other is None:
        return None
    ends = [left * right for left in one for right in other]
    return min(ends), max(ends)


def _added(
    one: tuple[int, int] | None, other: tuple[int, int] | None, minus: bool
) -> tuple[int, int] | None:
    if one is None or other is None:
        return None
    (low, high), (least, most) = one, other
    return (low - most, high - least) if minus else (low + least, high + most)
