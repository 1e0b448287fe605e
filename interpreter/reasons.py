"""What a requirement came to that is not met: its condition in, the values of its parts out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.interpreter.breakdown import breakdown
from rulewright.interpreter.errors import PlayError, Undecided
from rulewright.interpreter.eyes import Eyes
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import Op
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.values import Locals, Thing, Value


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
                except (PlayError, Undecided):
                    # What a part further left has kept from being read.
                    continue
                if isinstance(side, model.DefineCall):
                    # How it came about is a text, and so a value.
                    value = breakdown(side, Eyes(program.evaluator, store, me, locals, me)) or value
                yield " ".join(side.span.text.split()), value
