"""How a condition or value came about: its parts with their values, and the steps to an amended value.

`ann.score is 9` that does not hold is told as ``(("ann.score", "7"),)``: the parts that an author
would look up, with their values. What is written out as it stands (`9`) needs no explanation. Of
`every p in players has …` the first player who spoils it is shown, and what is so of him.

`price(card)` that is 1 is told as `4 - 2 Replicant Robots - 1 Contact Specialist = 1`: what the body
says, then whatever changed it, with the thing or the variant that says so.

With a `reader` only what that player may see is shown, and `?` for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.semantics.closures import ORIGINAL, text_of
from rulewright.interpreter.state.values import Locals, Thing, Value

MOST_STEPS = 12


def breakdown(call: model.DefineCall, eyes: Viewpoint) -> str | None:
    """Return the steps to the value of a define that is a number; None if nothing changed it, or
    if the reader may not see one of the steps."""
    define = eyes.compiler.game.defines[call.define]
    if define.lines or not isinstance(types.without_none(define.type), types.NumberType):
        return None
    inside = _inside_define(call, define, eyes)
    if inside is None or not define.changes:
        return None
    known, value = inside.value(define.body)
    if not known or not isinstance(value, int):
        return None
    words = [inside.words(value)]
    for group in _groups(define.changes):
        original = value
        for change in group:
            for bearer in _bearers(change, inside):
                if bearer is HIDDEN:
                    return None
                names: Locals = {ORIGINAL: value if change.how == "to" else original}
                if change.bearers is not None:
                    names[change.bearers.name] = bearer
                here = inside.with_names(names)
                spoken = _spoken(change, here)
                if spoken is HIDDEN:
                    return None
                if spoken is None:
                    continue
                after = _after(change.how, value, spoken)
                if after != value:
                    words.append(_step(change.how, spoken, after, _who(change, bearer, inside)))
                value = after
    if len(words) == 1:
        return None
    if len(words) > MOST_STEPS:
        words = [*words[:MOST_STEPS], "…"]
    return f"{' '.join(words)} = {inside.words(value)}"


HIDDEN = object()
"""What the reader may not see."""


def _inside_define(
    call: model.DefineCall, define: model.Define, eyes: Viewpoint
) -> Viewpoint | None:
    """Return what stands inside a define that is asked: its parameters, and about whom."""
    me = eyes.me
    if call.me is not None:
        known, me = eyes.value(call.me)
        if not known:
            return None
    given: Locals = {}
    for name, argument in zip(define.parameters, call.arguments, strict=True):
        if isinstance(argument, model.Lambda | model.PlaceLambda):
            return None
        known, value = eyes.value(argument)
        if not known:
            return None
        given[name] = value
    return eyes.asking(me, given)


def _groups(changes: Sequence[model.Changed]) -> Iterator[list[model.Changed]]:
    """Yield the changes in the order in which they apply; what is called `original` in a `by` or a
    limit is the value before its group."""
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    for scope in sorted({change.scope for change in changes}):
        for how in ("to", "by"):
            yield [one for one in in_order if one.scope == scope and one.how == how]
    yield [one for how in ("at most", "at least") for one in in_order if one.how == how]


def _bearers(change: model.Changed, eyes: Viewpoint) -> Sequence[Value]:
    if change.bearers is None:
        return (None,)
    known, found = eyes.value(change.bearers.those)
    return tuple(found) if known else (HIDDEN,)


def _spoken(change: model.Changed, eyes: Viewpoint) -> Value:
    """Return what a change says, None if its guard keeps it silent."""
    if change.guard is not None:
        known, holds = eyes.value(change.guard)
        if not known:
            return HIDDEN
        if not holds:
            return None
    known, value = eyes.value(change.value)
    return value if known and isinstance(value, int) else HIDDEN


def _after(how: str, value: int, spoken: int) -> int:
    match how:
        case "to":
            return spoken
        case "by":
            return value + spoken
        case "at most":
            return min(value, spoken)
    return max(value, spoken)


def _step(how: str, spoken: int, after: int, who: str) -> str:
    if how == "by":
        return f"{'-' if spoken < 0 else '+'} {abs(spoken)} {who}"
    word = {"to": "to", "at most": "at most", "at least": "at least"}[how]
    return f"({word} {after}: {who})"


def _who(change: model.Changed, bearer: Value, eyes: Viewpoint) -> str:
    """Return who says it: a thing, what waits for a verb, a variant, or the line of the rules."""
    if isinstance(bearer, Thing):
        return eyes.words(bearer)
    if change.bearers is not None:
        return change.bearers.label
    return change.title or f"{change.span.source.name}:{change.span.line}"


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
    condition: model.Expression, eyes: Viewpoint, wanted: bool = True
) -> tuple[Finding, ...]:
    """Return the values that make a condition other than wanted; each part once."""
    found = dict.fromkeys(_parts(condition, eyes, wanted))
    return tuple(found)[:MOST_SHOWN]


def _parts(condition: model.Expression, eyes: Viewpoint, wanted: bool) -> Iterator[Finding]:
    match condition:
        case model.Constant() | model.EnumConstant():
            return
        case model.Needed(value=value):
            yield from _parts(value, eyes, wanted)
        case model.Not(operand=operand):
            yield from _parts(operand, eyes, not wanted)
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            for side in (left, right):
                known, value = eyes.value(side)
                if known and value != wanted:
                    yield from _parts(side, eyes, wanted)
        case model.Compare(left=left, right=right):
            yield from _written(left, eyes)
            yield from _written(right, eyes)
        case model.IsEmpty(source=source):
            yield from _written(source, eyes)
        case model.Quantified():
            yield from _quantified(condition, eyes)
        case model.Conditional(condition=first, then=then, otherwise=otherwise):
            known, value = eyes.value(first)
            yield from _parts(first, eyes, not value)
            if known:
                yield from _parts(then if value else otherwise, eyes, wanted)
        case model.LetIn(name=name, value=named, body=body):
            known, value = eyes.value(named)
            if known:
                yield from _parts(body, eyes.with_name(name, value), wanted)
        case model.Builtin(name="same_items", arguments=arguments):
            for argument in arguments:
                yield from _written(argument, eyes)
        case _:
            yield _shown(eyes, condition)


def _shown(eyes: Viewpoint, expression: model.Expression) -> Finding:
    """Return an expression with its value in words, and how that came about."""
    known, value = eyes.value(expression)
    words = eyes.words(value) if known else UNKNOWN
    if known and isinstance(expression, model.DefineCall):
        words = breakdown(expression, eyes) or words
    return Finding(text_of(expression.span), words)


def _written(expression: model.Expression, eyes: Viewpoint) -> Iterator[Finding]:
    """Yield the value of one side of a comparison, unless it is written out."""
    match expression:
        case model.Constant() | model.EnumConstant() | model.NamedThing() | model.ListOf(items=()):
            return
        case model.Negative(operand=model.Constant()):
            return
    found = _shown(eyes, expression)
    if found.text != found.value:
        yield found


def _quantified(condition: model.Quantified, eyes: Viewpoint) -> Iterator[Finding]:
    known, items = eyes.value(condition.source)
    spoils = condition.word == "no"
    if known and condition.word != "some":
        for item in items:
            inner = eyes.with_name(condition.name, item)
            told, holds = inner.value(condition.condition)
            if told and holds is spoils:
                yield Finding(_author_name(condition), eyes.words(item))
                yield from _parts(condition.condition, inner, not spoils)
                return
    yield from _written(condition.source, eyes)


def _author_name(condition: model.Quantified) -> str:
    """Return the name that the author gave: the model's may have been made up."""
    return condition.name.partition("#")[0].partition("@")[0] or "it"
