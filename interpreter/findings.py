"""What a condition came to: an expression that is not as it should be in, its values out.

`ann.score is 9` that does not hold is told as ``(("ann.score", "7"),)``: the parts that an author
would look up, with their values. What is written out as it stands (`9`) needs no explanation. Of
`every p in players has …` the first player who spoils it is shown, and what is so of him.

With a `reader` only what that player may see is shown, and `?` for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.interpreter import labels
from rulewright.interpreter.compiling import Compiler, text_of
from rulewright.interpreter.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Locals, Thing, Value

MOST_SHOWN = 6
UNKNOWN = "?"


@attrs.frozen
class Finding:
    """A part of a condition, in the author's words, and its value."""

    text: str
    value: str

    def __str__(self) -> str:
        return f"{self.text} is {self.value}"


@attrs.frozen
class Eyes:
    """Where a condition is read: the state, who acts, the names, and for whom it is told."""

    compiler: Compiler
    store: Store
    me: Thing | None
    locals: Locals
    reader: Thing | None = None

    def value(self, expression: model.Expression) -> tuple[bool, Value]:
        """Return whether the value can be told, and the value."""
        store = self.store
        before = store.eyes, store.trail, store.budget
        # A trial ends at what its player does not see; nothing is written, so nothing is undone.
        if self.reader is not None:
            store.eyes, store.trail = self.reader, store.trail or []
        store.budget = TICKS_PER_STEP
        try:
            return True, self.compiler.expression(expression)(store, self.me, self.locals)
        except (Horizon, Undecided, PlayError):
            return False, None
        finally:
            store.eyes, store.trail, store.budget = before

    def shown(self, expression: model.Expression) -> Finding:
        """Return an expression with its value in words."""
        known, value = self.value(expression)
        return Finding(text_of(expression.span), self.words(value) if known else UNKNOWN)

    def words(self, value: Value) -> str:
        """Return a value in words; for an author nothing is hidden."""
        if self.reader is None:
            return openly(value, self.store, self.compiler)
        return labels.show(value, self.reader, self.store, self.compiler)

    def with_name(self, name: str, value: Value) -> Eyes:
        """Return the same with one more name."""
        return attrs.evolve(self, locals={**self.locals, name: value})


def openly(value: Value, store: Store, compiler: Compiler) -> str:
    """Return a value in words for somebody from whom nothing is hidden."""
    match value:
        case Thing():
            return labels.named(value, None, store, compiler)
        case tuple():
            return ", ".join(openly(item, store, compiler) for item in value) or "nothing"
    return labels.show(value, None, store, compiler)


def findings(condition: model.Expression, eyes: Eyes, wanted: bool = True) -> tuple[Finding, ...]:
    """Return the values that make a condition other than wanted; each part once."""
    found = dict.fromkeys(_parts(condition, eyes, wanted))
    return tuple(found)[:MOST_SHOWN]


def _parts(condition: model.Expression, eyes: Eyes, wanted: bool) -> Iterator[Finding]:
    match condition:
        case model.Constant() | model.EnumConstant():
            return
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
            yield eyes.shown(condition)


def _written(expression: model.Expression, eyes: Eyes) -> Iterator[Finding]:
    """Yield the value of one side of a comparison, unless it is written out."""
    match expression:
        case model.Constant() | model.EnumConstant() | model.NamedThing() | model.ListOf(items=()):
            return
        case model.Negative(operand=model.Constant()):
            return
    found = eyes.shown(expression)
    if found.text != found.value:
        yield found


def _quantified(condition: model.Quantified, eyes: Eyes) -> Iterator[Finding]:
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
