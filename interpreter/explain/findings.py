"""What a condition that does not hold came to: its parts with their values.

`ann.score is 9` is told as ``(("ann.score", "7"),)``: the parts that an author would look up. What is
written out as it stands (`9`) needs no explanation. Of `every p in players has …` the first player who
spoils it is shown, and what is so of him. What the reader may not see is `?`.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.interpreter.explain.breakdown import breakdown
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.semantics.closures import text_of

MOST_SHOWN = 6
UNKNOWN = "?"


@attrs.frozen
class Finding:
    """A part of a condition, in the author's words, and its value."""

    text: str
    value: str

    def __str__(self) -> str:
        return f"{self.text} is {self.value}"


def findings(
    condition: model.Expression, viewpoint: Viewpoint, wanted: bool = True
) -> tuple[Finding, ...]:
    """Return the values that make a condition other than wanted; each part once."""
    found = dict.fromkeys(_parts(condition, viewpoint, wanted))
    return tuple(found)[:MOST_SHOWN]


def _parts(condition: model.Expression, viewpoint: Viewpoint, wanted: bool) -> Iterator[Finding]:
    match condition:
        case model.Constant() | model.EnumConstant():
            return
        case model.Needed(value=value):
            yield from _parts(value, viewpoint, wanted)
        case model.Not(operand=operand):
            yield from _parts(operand, viewpoint, not wanted)
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            for side in (left, right):
                known, value = viewpoint.value(side)
                if known and value != wanted:
                    yield from _parts(side, viewpoint, wanted)
        case model.Compare(left=left, right=right):
            yield from _written(left, viewpoint)
            yield from _written(right, viewpoint)
        case model.IsEmpty(source=source):
            yield from _written(source, viewpoint)
        case model.Quantified():
            yield from _quantified(condition, viewpoint)
        case model.Conditional(condition=first, then=then, otherwise=otherwise):
            known, value = viewpoint.value(first)
            yield from _parts(first, viewpoint, not value)
            if known:
                yield from _parts(then if value else otherwise, viewpoint, wanted)
        case model.LetIn(name=name, value=named, body=body):
            known, value = viewpoint.value(named)
            if known:
                yield from _parts(body, viewpoint.with_name(name, value), wanted)
        case model.Builtin(name="same_items", arguments=arguments):
            for argument in arguments:
                yield from _written(argument, viewpoint)
        case _:
            yield _shown(viewpoint, condition)


def _shown(viewpoint: Viewpoint, expression: model.Expression) -> Finding:
    """Return an expression with its value in words, and how that came about."""
    known, value = viewpoint.value(expression)
    words = viewpoint.words(value) if known else UNKNOWN
    if known and isinstance(expression, model.DefineCall):
        words = breakdown(expression, viewpoint) or words
    return Finding(text_of(expression.span), words)


def _written(expression: model.Expression, viewpoint: Viewpoint) -> Iterator[Finding]:
    """Yield the value of one side of a comparison, unless it is written out."""
    match expression:
        case model.Constant() | model.EnumConstant() | model.NamedThing() | model.ListOf(items=()):
            return
        case model.Negative(operand=model.Constant()):
            return
    found = _shown(viewpoint, expression)
    if found.text != found.value:
        yield found


def _quantified(condition: model.Quantified, viewpoint: Viewpoint) -> Iterator[Finding]:
    known, items = viewpoint.value(condition.source)
    spoils = condition.word == "no"
    if known and condition.word != "some":
        for item in items:
            inner = viewpoint.with_name(condition.name, item)
            told, holds = inner.value(condition.condition)
            if told and holds is spoils:
                yield Finding(_author_name(condition), viewpoint.words(item))
                yield from _parts(condition.condition, inner, not spoils)
                return
    yield from _written(condition.source, viewpoint)


def _author_name(condition: model.Quantified) -> str:
    """Return the name that the author gave: the model's may have been made up."""
    return condition.name.partition("#")[0].partition("@")[0] or "it"
