"""Decisions after which nothing can fail: they need no look-ahead.

From the node behind a decision to where its transaction must end, all code that can be reached is
looked through once: if no node of it can fail (`dsl/ir/certainty`), every option lives.
"""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl.ir.certainty import HORIZON, can_fail, ways
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.state.store import Store

Key: TypeAlias = tuple[int, tuple[tuple[str, int], ...]]
"""The loop that ends a transaction, and where the frames stand from its depth on."""


def is_certain(program: Program, store: Store, question: Question) -> bool:
    """Return whether every option of the pending decision lives."""
    return store.transaction is not None and is_certain_at(program, certain_key(store), question)


def is_certain_at(program: Program, key: Key, question: Question) -> bool:
    """Return whether every option of a decision lives that is asked where frames stand."""
    if question.kind in ("several", "split") and question.such_that is not None:
        return False
    return leads_safely(program, key, question)


def leads_safely(program: Program, key: Key, question: Question) -> bool:
    """Return whether nothing can fail after a whole answer to a decision that is asked where frames
    stand."""
    loop, frames = key
    for number in range(len(frames) - 1, -1, -1):
        unit, node = frames[number]
        op = program.code[unit][node]
        starts = question.ways if op is question.op else (op.resume,)
        until = loop if number == 0 else -1
        if not all(is_safe(program, unit, start, until) for start in starts):
            return False
    return True


def certain_key(store: Store) -> Key:
    """Return what the answer of `is_certain` depends on for a state."""
    assert store.transaction is not None
    _, depth, loop = store.transaction
    frames = store.frames
    if depth == len(frames) - 1:
        top = frames[depth]
        return loop, ((top.unit, top.node),)
    return loop, tuple([(frame.unit, frame.node) for frame in frames[depth:]])


def is_safe(program: Program, unit: str, start: int, until: int) -> bool:
    """Return whether nothing can fail from a node on: to the loop `until`, or the unit's end."""
    key = (unit, start, until)
    if key not in program.safe:
        program.safe[key] = _nothing_fails(program, unit, start, until)
    return program.safe[key]


def _nothing_fails(program: Program, unit: str, start: int, until: int) -> bool:
    waiting = [(unit, start, True)]
    seen = set(waiting)
    while waiting:
        where, node, outermost = waiting.pop()
        op = program.code[where][node]
        if outermost and node == until:
            continue
        if can_fail(op.source):
            return False
        if isinstance(op.source, HORIZON):
            continue
        following = [(where, target, outermost) for target in ways(op.source, op.edges)]
        following += [(called, 0, False) for called in op.calls]
        for entry in following:
            if entry not in seen:
                seen.add(entry)
                waiting.append(entry)
    return True
