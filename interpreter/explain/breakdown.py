"""How an amended value came about, in steps.

`price(card)` that is 1 is told as `4 - 2 Replicant Robots - 1 Contact Specialist = 1`: what the body
says, then whatever changed it, with the thing or the variant that says so. It is told to nobody who may
not see one of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.semantics.closures import ORIGINAL
from rulewright.interpreter.state.values import Locals, Thing, Value

MOST_STEPS = 12


class _Unseen(Exception):
    """The reader may not see what a value hangs on."""


def breakdown(call: model.DefineCall, viewpoint: Viewpoint) -> str | None:
    """Return the steps to the value of a define that is a number; None if nothing changed it, or
    if the reader may not see one of the steps."""
    define = viewpoint.compiler.game.defines[call.define]
    if define.lines or not isinstance(types.without_none(define.type), types.NumberType):
        return None
    if any(isinstance(one, model.Lambda | model.PlaceLambda) for one in call.arguments):
        return None
    try:
        inside = _inside_define(call, define, viewpoint)
        start = _number(define.body, inside)
        steps = list(_steps(define.changes, start, inside))
    except _Unseen:
        return None
    if not steps:
        return None
    words = [inside.words(start), *map(str, steps)]
    if len(words) > MOST_STEPS:
        words = [*words[:MOST_STEPS], "…"]
    return f"{' '.join(words)} = {inside.words(steps[-1].after)}"


def _inside_define(call: model.DefineCall, define: model.Define, viewpoint: Viewpoint) -> Viewpoint:
    """Return what stands inside a define that is asked: its parameters, and about whom."""
    me = viewpoint.me if call.me is None else _value(call.me, viewpoint)
    given = [_value(argument, viewpoint) for argument in call.arguments]
    return viewpoint.asking(me, dict(zip(define.parameters, given, strict=True)))


def _value(expression: model.Expression, viewpoint: Viewpoint) -> Value:
    known, value = viewpoint.value(expression)
    if not known:
        raise _Unseen
    return value


def _number(expression: model.Expression, viewpoint: Viewpoint) -> int:
    value = _value(expression, viewpoint)
    if not isinstance(value, int):
        raise _Unseen
    return value


@attrs.frozen
class _Step:
    """A change that made a value another one: what it says, what came out, who says it."""

    how: str
    said: int
    after: int
    who: str

    def __str__(self) -> str:
        if self.how == "by":
            return f"{'-' if self.said < 0 else '+'} {abs(self.said)} {self.who}"
        return f"({self.how} {self.after}: {self.who})"


def _steps(changes: Sequence[model.Changed], value: int, inside: Viewpoint) -> Iterator[_Step]:
    for group in _groups(changes):
        original = value
        for change in group:
            for bearer in _bearers(change, inside):
                names: Locals = {ORIGINAL: value if change.how == "to" else original}
                if change.bearers is not None:
                    names[change.bearers.name] = bearer
                here = inside.with_names(names)
                if change.guard is not None and not _value(change.guard, here):
                    continue
                said = _number(change.value, here)
                after = _after(change.how, value, said)
                if after != value:
                    yield _Step(change.how, said, after, _who(change, bearer, inside))
                value = after


def _groups(changes: Sequence[model.Changed]) -> Iterator[list[model.Changed]]:
    """Yield the changes in the order in which they apply; what is called `original` in a `by` or a
    limit is the value before its group."""
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    for scope in sorted({change.scope for change in changes}):
        for how in ("to", "by"):
            yield [one for one in in_order if one.scope == scope and one.how == how]
    yield [one for how in ("at most", "at least") for one in in_order if one.how == how]


def _bearers(change: model.Changed, viewpoint: Viewpoint) -> Sequence[Value]:
    return (None,) if change.bearers is None else tuple(_value(change.bearers.those, viewpoint))


def _after(how: str, value: int, said: int) -> int:
    match how:
        case "to":
            return said
        case "by":
            return value + said
        case "at most":
            return min(value, said)
    return max(value, said)


def _who(change: model.Changed, bearer: Value, viewpoint: Viewpoint) -> str:
    """Return who says it: a thing, what waits for a verb, a variant, or the line of the rules."""
    if isinstance(bearer, Thing):
        return viewpoint.words(bearer)
    if change.bearers is not None:
        return change.bearers.label
    return change.title or f"{change.span.source.name}:{change.span.line}"
