"""Comparisons whose answer is known before the game, and why; numbers that are written out.

Nobody writes such a comparison on purpose: a word means something else than it seems to, most often
a verb where a field was meant.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck.context import Body

_WORKED_OUT: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def always_same(left: model.Expression, right: model.Expression, span: Span) -> Diagnostic | None:
    """Return the message about `left is right` or `left < right` if nothing can change its answer."""
    for side, other in ((left, right), (right, left)):
        if not _is_bare_verb(side):
            continue
        if isinstance(other.type, types.NothingType) or _is_bare_verb(other):
            text = side.span.text
            help = f"for a field write whose it is: `its.{text}`, `my.{text}`"
            return _message(span, f"`{text}` is a verb here", help)
    if _stands_in(left, span) and _stands_in(right, span):
        return _message(span, "both sides are written out", "name what is compared")
    if left == right and not isinstance(left.type, types.UnknownType) and _is_steady(left):
        return _message(span, "both sides are the same", "name what it is compared with")
    return None


def always_met(condition: model.Expression, span: Span) -> Diagnostic | None:
    """Return the message about a requirement that nothing can fail to meet."""
    always = isinstance(condition, model.Constant) and condition.value is True
    if always and _stands_in(condition, span):
        return _message(condition.span, "this is always so", "say what must be so, or leave it out")
    return None


def _stands_in(side: model.Expression, span: Span) -> bool:
    """Return whether a fixed value is written there itself: that of a module's argument is not."""
    within = side.span.source is span.source and span.start <= side.span.start < span.end
    # What could not be read stands there as a constant of a type that is not known.
    fixed = isinstance(side, model.Constant | model.EnumConstant)
    return within and fixed and not isinstance(side.type, types.UnknownType)


def _message(span: Span, label: str, help: str) -> Diagnostic:
    return diagnostic("RW316", span, label, help=help, name=span.text)


def _is_bare_verb(side: model.Expression) -> bool:
    return isinstance(side, model.VerbOf) and not side.arguments


def _is_steady(side: model.Expression) -> bool:
    """Whether an expression is a plain name or field; calls may be chance, or may be looked up."""
    if isinstance(side, model.Read):
        return side.target is None or _is_steady(side.target)
    return isinstance(side, model.Local | model.Me)


def folded(expression: model.Expression) -> model.Expression:
    """Return an expression with sums and products of written numbers worked out: `1 + 1` is `2`."""
    match expression:
        case model.Negative(operand=model.Constant(value=int(number))):
            return model.Constant(type=expression.type, span=expression.span, value=-number)
        case model.Arithmetic(word=word, left=left, right=right) if word in _WORKED_OUT:
            one, other = folded(left), folded(right)
            if isinstance(one, model.Constant) and isinstance(other, model.Constant):
                if isinstance(one.value, int) and isinstance(other.value, int):
                    number = _WORKED_OUT[word](one.value, other.value)
                    return model.Constant(type=expression.type, span=expression.span, value=number)
    return expression


# ------------------------------------------------------------------------------------------- ranges


def number_of(node: nodes.Expression | None) -> int | None:
    """Return a number that is written out, or None."""
    match node:
        case nodes.Number(value=value):
            return value
        case nodes.Unary(word="-", operand=nodes.Number(value=value)):
            return -value
    return None


def check(
    body: Body,
    value: model.Expression,
    low: nodes.Expression | None,
    high: nodes.Expression | None,
    declared: nodes.Span | None = None,
    help: str | None = None,
) -> None:
    """Report a number that is outside of its range."""
    found = value.value if isinstance(value, model.Constant) else None
    least, most = number_of(low), number_of(high)
    if not isinstance(found, int) or isinstance(found, bool):
        return
    if least is not None and most is not None and least > most:
        return  # `check_order` has said so
    if (least is not None and found < least) or (most is not None and found > most):
        expected = f"{least} and more" if most is None else f"{least}..{most}"
        secondary = () if declared is None else (Label(declared, "declared here"),)
        body.complain(
            "RW312", value.span, help=help, secondary=secondary, found=str(found), expected=expected
        )


def check_order(body: Body, low: nodes.Expression | None, high: nodes.Expression | None) -> None:
    """Report a range that no number is in."""
    least, most = number_of(low), number_of(high)
    if low is not None and least is not None and most is not None and least > most:
        help = f"write `{most}..{least}`"
        expected = f"{least}..{most}"
        body.complain("RW312", low.span, help=help, found="every number", expected=expected)


def check_place(
    body: Body, place: model.FieldPlace | model.EntryPlace, value: model.Expression
) -> None:
    """Report a number that a field is set to and that is outside of its range."""
    field = body.world.field_ids[place.field]
    check(body, value, field.low, field.high, field.word.span)
