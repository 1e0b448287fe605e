"""What is not none where a condition holds, or where it fails."""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model.types import NothingType, OptionalType


def tested(condition: model.Expression) -> frozenset[model.Expression]:
    """Return the expressions that are not none where the condition holds."""
    match condition:
        case model.And(left=left, right=right):
            return tested(left) | tested(right)
        case model.Not(operand=operand):
            return refuted(operand)
        case model.Compare(word="is not", left=left, right=model.Constant(value=None)):
            return frozenset({left})
        case model.Compare(word="is", left=left, right=right) if not isinstance(
            right.type, OptionalType | NothingType
        ):
            return frozenset({left})
    return frozenset()


def refuted(condition: model.Expression) -> frozenset[model.Expression]:
    """Return the expressions that are not none where the condition does not hold."""
    match condition:
        case model.Or(left=left, right=right):
            return refuted(left) | refuted(right)
        case model.Compare(word="is", left=left, right=model.Constant(value=None)):
            return frozenset({left})
        case model.Not(operand=operand):
            return tested(operand)
    return frozenset()


def facts_about(name: str, known: frozenset[model.Expression]) -> frozenset[str]:
    """Return the ids of the fields of the local `name` that are known not to be none."""
    return frozenset(
        one.field
        for one in known
        if isinstance(one, model.Read)
        and isinstance(one.target, model.Local)
        and one.target.name == name
    )
