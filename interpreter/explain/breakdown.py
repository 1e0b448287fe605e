"""How a value came about: a value that amendments change in, the steps to it in words out.

`price(card)` that is 1 is told as `4 - 2 Replicant Robots - 1 Contact Specialist = 1`: what the body
says, then whatever changed it, with the thing or the variant that says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.explain.viewpoint import Eyes
from rulewright.interpreter.semantics.closures import ORIGINAL
from rulewright.interpreter.state.values import Locals, Thing, Value

MOST_STEPS = 12


def breakdown(call: model.DefineCall, eyes: Eyes) -> str | None:
    """Return the steps to the value of a define that is a number; None if nothing changed it, or
    if the reader may not see one of the steps."""
    define = eyes.compiler.game.defines[call.define]
    if define.lines or not isinstance(types.without_none(define.type), types.NumberType):
        return None
    inside = _inside(call, define, eyes)
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
                if bearer is UNKNOWN:
                    return None
                names: Locals = {ORIGINAL: value if change.how == "to" else original}
                if change.bearers is not None:
                    names[change.bearers.name] = bearer
                here = inside.with_names(names)
                spoken = _spoken(change, here)
                if spoken is UNKNOWN:
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


UNKNOWN = object()
"""What the reader may not see."""


def _inside(call: model.DefineCall, define: model.Define, eyes: Eyes) -> Eyes | None:
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


def _bearers(change: model.Changed, eyes: Eyes) -> Sequence[Value]:
    if change.bearers is None:
        return (None,)
    known, found = eyes.value(change.bearers.those)
    return tuple(found) if known else (UNKNOWN,)


def _spoken(change: model.Changed, eyes: Eyes) -> Value:
    """Return what a change says, None if its guard keeps it silent."""
    if change.guard is not None:
        known, holds = eyes.value(change.guard)
        if not known:
            return UNKNOWN
        if not holds:
            return None
    known, value = eyes.value(change.value)
    return value if known and isinstance(value, int) else UNKNOWN


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


def _who(change: model.Changed, bearer: Value, eyes: Eyes) -> str:
    """Return who says it: a thing, what waits for a verb, a variant, or the line of the rules."""
    if isinstance(bearer, Thing):
        return eyes.words(bearer)
    if change.bearers is not None:
        return change.bearers.label
    return change.title or f"{change.span.source.name}:{change.span.line}"
