"""Comparisons whose answer is known before the game: both sides go in, why it is so comes out.

Nobody writes such a comparison on purpose: a word means something else than it seems to, most often
a verb where a field was meant.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from rulewright.dsl import kinds, model
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.source import Span

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
        if isinstance(other.type, kinds.NothingType) or _is_bare_verb(other):
            text = side.span.text
            help = f"for a field write whose it is: `its.{text}`, `my.{text}`"
            return _message(span, f"`{text}` is a verb here", help)
    if _stands_in(left, span) and _stands_in(right, span):
        return _message(span, "both sides are written out", "name what is compared")
    if left == right and not isinstance(left.type, kinds.UnknownType) and _is_steady(left):
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
    return within and fixed and not isinstance(side.type, kinds.UnknownType)


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
