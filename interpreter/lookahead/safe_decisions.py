"""Decisions after which nothing can fail: they need no look-ahead.

From the node behind a decision to where its transaction must end, all code that can be reached is
looked through once: if there is no requirement in it, no `choose` that may find nothing, and no
`either` whose arms are all guarded, every option lives. Chance and `end game` end the way. Of a later
`may` only the way without it counts, of a later `either` an arm without a guard.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.state.store import Store

ENDS = frozenset({"chance", "end", "return", "fork"})


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
        if not _cannot_fail(op):
            return False
        if op.kind in ENDS:
            continue
        following = [(where, target, outermost) for target in _ways(op)]
        following += [(called, 0, False) for called in op.calls]
        for entry in following:
            if entry not in seen:
                seen.add(entry)
                waiting.append(entry)
    return True


def _ways(op: Op) -> Iterable[int]:
    """Return where an operation must be able to lead to: of a decision that comes later one way is
    enough, since the player looks ahead there, too."""
    step = op.step
    if op.kind == "decide" and isinstance(step, model.May):
        return (op.edges["no"],)
    if op.kind == "decide" and isinstance(step, model.Either):
        free = next(number for number, arm in enumerate(step.arms) if arm.guard is None)
        return (op.edges[f"arm{free}"],)
    return op.edges.values()


def _cannot_fail(op: Op) -> bool:
    match op.kind:
        case "need" | "dead":
            return False
        case "stop":
            # By name it goes on somewhere in a caller.
            return "next" in op.edges
        case "decide":
            return _finds_something(op.step)
    return True


def _finds_something(step: model.Statement) -> bool:
    """Return whether a decision has an option whatever the state is."""
    match step:
        case model.May():
            return True
        case model.Either(arms=arms):
            return any(arm.guard is None for arm in arms)
        case model.Choose(or_stop=True) | model.Split(or_stop=True):
            return True
        case model.Split(limit=None, such_that=None, source=source):
            return isinstance(source, model.EnumValues | model.Seats)
        case model.Choose(word="any" | "up_to" | "ordered", such_that=None, low=None):
            return step.high is None or _at_least_none(step.high)
        case model.Choose(word="one", such_that=None, source=source):
            return isinstance(source, model.EnumValues | model.Seats)
    return False


def _at_least_none(high: model.Expression) -> bool:
    return isinstance(high, model.Constant) and isinstance(high.value, int) and high.value >= 0
