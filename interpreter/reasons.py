"""Why something is not possible: reasons, and what a requirement came to that is not met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import Section
from rulewright.dsl.source import Span
from rulewright.interpreter.breakdown import breakdown
from rulewright.interpreter.errors import Horizon, PlayError, Undecided
from rulewright.interpreter.eyes import Eyes
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import Op
from rulewright.interpreter.questions import Asked
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.values import Locals, Thing, Value


@attrs.frozen
class Reason:
    """Why an answer, or a decision, is not possible."""

    text: str
    op: Op = attrs.field(eq=False)
    span: Span = attrs.field(eq=False)
    see: tuple[Section, ...] = attrs.field(eq=False)
    kind: str
    """`need`, `choose` or `either`."""

    values: tuple[tuple[str, Value], ...] = attrs.field(default=(), eq=False)
    """What the parts of the condition of a `need` were: (rule text, value)."""

    behind: tuple[Reason, ...] = attrs.field(default=(), eq=False)
    """Of a `need` that asks whether something `can` be done: why that is not possible."""

    changes: tuple[str, ...] = attrs.field(default=(), eq=False)
    """How the amended values in it came about."""


def text_of_need(program: Program, store: Store, op: Op, frame: Frame) -> str:
    """Return why a requirement is not met, in the author's words; a rules error if that tells the
    player what he does not see."""
    reason, me = op.step.reason, frame.me
    code = program.evaluator.expression(reason)
    eyes, asking = store.eyes, store.asking
    store.eyes = None
    if me is not None and program.evaluator.peeking.may_peek(reason):
        store.eyes, store.asking = me, op.span
    try:
        return str(code(store, me, frame.locals))
    finally:
        store.eyes, store.asking = eyes, asking


def values_of(
    program: Program,
    store: Store,
    condition: model.Expression,
    me: Thing | None,
    locals: Locals,
) -> Iterator[tuple[str, Value]]:
    """Yield what the parts of a condition are: the sides of its comparisons, as rule text."""
    match condition:
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            yield from values_of(program, store, left, me, locals)
            yield from values_of(program, store, right, me, locals)
        case model.Not(operand=operand):
            yield from values_of(program, store, operand, me, locals)
        case model.Compare(left=left, right=right):
            for side in (left, right):
                if isinstance(side, model.Constant | model.EnumConstant):
                    continue
                try:
                    value = program.evaluator.expression(side)(store, me, locals)
                except (PlayError, Undecided, Horizon):
                    # What a part further left has kept from being read, or nobody may know.
                    continue
                if isinstance(side, model.DefineCall):
                    # How it came about is a text, and so a value.
                    value = breakdown(side, Eyes(program.evaluator, store, me, locals, me)) or value
                yield " ".join(side.span.text.split()), value


def nothing_there(program: Program, asked: Asked) -> Reason:
    """Return why no option of a decision is possible."""
    question, words = asked.question, program.evaluator.words
    if question.kind == "either":
        op = question.op
        return Reason(words("no arm is possible"), op, op.span, op.see, "either")
    if question.kind == "split":
        if asked.items:
            return nothing_fits(program, asked)
        return _lacking(program, asked, "nobody to give it to: {name}")
    if question.kind != "several":
        return _lacking(program, asked, "nothing to choose: {name}")
    if asked.low <= len(asked.items):
        return nothing_fits(program, asked)
    return _lacking(program, asked, "not enough for {name}")


def nothing_fits(program: Program, asked: Asked) -> Reason:
    """Return that no selection meets its condition."""
    return _lacking(program, asked, "no selection for {name}")


def _lacking(program: Program, asked: Asked, text: str) -> Reason:
    op, word, words = asked.question.op, asked.question.word, program.evaluator.words
    name = words.known.get(word.replace("_", " "), word)
    return Reason(words(text, name=name), op, op.span, op.see, "choose")


def in_source_order(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return reasons as they stand in the rules."""
    return tuple(sorted(reasons, key=lambda reason: (reason.span.source.name, reason.span.start)))
