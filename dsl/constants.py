"""Comparisons whose answer is known before the game: both sides go in, why it is so comes out.

Nobody writes such a comparison on purpose: a word means something else than it seems to, most often
a verb where a field was meant.
"""

from __future__ import annotations

from rulewright.dsl import kinds, model
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.source import Span


def always_same(left: model.Expression, right: model.Expression, span: Span) -> Diagnostic | None:
    """Return the message about `left is right` or `left < right` if nothing can change its answer."""
    for side, other in ((left, right), (right, left)):
        if not _is_bare_verb(side):
            continue
        if isinstance(other.type, kinds.NothingType) or _is_bare_verb(other):
            text = side.span.text
            help = f"for a field write whose it is: `its.{text}`, `my.{text}`"
            return _message(span, f"`{text}` is a verb here", help)
    if left == right and not isinstance(left.type, kinds.UnknownType) and _is_steady(left):
        return _message(span, "both sides are the same", "name what it is compared with")
    return None


def _message(span: Span, label: str, help: str) -> Diagnostic:
    return diagnostic("RW316", span, label, help=help, name=span.text)


def _is_bare_verb(side: model.Expression) -> bool:
    return isinstance(side, model.VerbOf) and not side.arguments


def _is_steady(side: model.Expression) -> bool:
    """Whether an expression is a plain name or field; calls may be chance, or may be looked up."""
    if isinstance(side, model.Read):
        return side.target is None or _is_steady(side.target)
    return isinstance(side, model.Local | model.Me)
