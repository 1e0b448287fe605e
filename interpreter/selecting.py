"""Several things chosen at once: a whole selection in, the elementary answers to it given.

A `choose` of several things is answered piece by piece, in an order in which no selection can be
picked in two ways. Front ends and worked examples name the whole; here it is taken apart. Of things
that the player cannot tell apart any may be named.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.interpreter.decisions import current, pending
from rulewright.interpreter.errors import IllegalActionError
from rulewright.interpreter.execute import answer
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.lookahead import alive, explain_dead
from rulewright.interpreter.questions import DONE, Asked
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value


def can_select(asked: Asked, wanted: Iterable[Value]) -> bool:
    """Return whether all of a selection stands to choice at all."""
    if asked.question.kind != "several":
        return False
    left = list(asked.items)
    for value in wanted:
        if value not in left:
            return False
        left.remove(value)
    return True


def answer_selection(program: Program, store: Store, wanted: Iterable[Value]) -> None:
    """Answer the pending `choose` of several things with all that is wanted, and run on.

    Raises `IllegalActionError` if the selection is not possible; the store is then in the middle of
    it, so that the caller works on a copy.
    """
    asked = current(program, store)
    left = list(wanted)
    if not can_select(asked, left):
        raise IllegalActionError(f"this cannot be chosen as {asked.question.name}")
    if not asked.low <= len(left) <= asked.high:
        expected = f"{asked.low}" if asked.low == asked.high else f"{asked.low} to {asked.high}"
        raise IllegalActionError(f"{asked.question.name}: {expected}, not {len(left)}")
    frame, site = store.frames[-1], asked.question.op
    decided = 0
    while True:
        value = _next_piece(asked, left)
        if not alive(program, store, value):
            reasons = explain_dead(program, store, value)
            told = "; ".join(reason.text for reason in reasons)
            raise IllegalActionError(f"this selection is not possible: {told}", reasons)
        answer(program, store, value, trusted=True)
        decided += 1
        waiting = pending(program, store)
        goes_on = (
            waiting is not None
            and waiting.op is site
            and store.frames[-1] is frame
            and len(current(program, store).picked) == decided
        )
        if value is DONE or not goes_on:
            return
        asked = current(program, store)


def _next_piece(asked: Asked, left: list[Value]) -> Value:
    """Return the option that is the next piece of what is left, and take it out of there."""
    candidates = left[:1] if asked.question.ordered else left
    for option in asked.options:
        if option is DONE:
            continue
        for value in candidates:
            if value == option or value in asked.group(option):
                left.remove(value)
                return option
    if not left and DONE in asked.options:
        return DONE
    raise IllegalActionError(f"no selection for {asked.question.name}")
