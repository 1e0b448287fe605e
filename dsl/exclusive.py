"""Conditions that can never hold together: two guards in, whether that is certain out.

    instead of collect when card.sort is nothing
    instead of collect when card.sort is water       # never both

What is compared are the parts of `and` on both sides; a define without arguments that nothing changes is
looked into. Two parts exclude each other if they say different things of the same expression. No answer is
no error: where nothing can be proved, two variants are asked to settle what comes first.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model

_NEGATED = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NEGATED |= {"in": "not in", "not in": "in"}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FIXED = model.Constant | model.EnumConstant | model.NamedThing


def exclude(
    game: model.Game, first: model.Expression | None, second: model.Expression | None
) -> bool:
    """Return whether it is certain that the two never hold at one moment."""
    if first is None or second is None:
        return False
    others = tuple(_atoms(game, second, holds=True))
    return any(
        _contradict(one, other) for one in _atoms(game, first, holds=True) for other in others
    )


def _atoms(
    game: model.Game, condition: model.Expression, *, holds: bool
) -> Iterator[tuple[model.Expression, bool]]:
    """Yield what must be so, each with whether it holds or does not."""
    match condition:
        case model.And(left=left, right=right) if holds:
            yield from _atoms(game, left, holds=True)
            yield from _atoms(game, right, holds=True)
        case model.Or(left=left, right=right) if not holds:
            yield from _atoms(game, left, holds=False)
            yield from _atoms(game, right, holds=False)
        case model.Not(operand=operand):
            yield from _atoms(game, operand, holds=not holds)
        case model.IsEmpty(negated=True):
            yield attrs.evolve(condition, negated=False), not holds
        case model.DefineCall(define=name, arguments=(), me=None):
            yield condition, holds
            define = game.defines.get(name)
            # Defines are not in circles: if they are, that is another error, and `when` waits for it.
            if define is not None and not define.changes and not define.lines:
                yield from _atoms(game, define.body, holds=holds)
        case model.Compare(word=word, left=left, right=right):
            if not holds and word in _NEGATED:
                word = _NEGATED[word]
            if isinstance(left, _FIXED) and not isinstance(right, _FIXED):
                left, right, word = right, left, _MIRRORED.get(word, word)
            yield attrs.evolve(condition, word=word, left=left, right=right), True
        case _:
            yield condition, holds


def _contradict(one: tuple[model.Expression, bool], other: tuple[model.Expression, bool]) -> bool:
    (first, holds), (second, also) = one, other
    if isinstance(first, model.Constant) and first.value is (not holds):
        return True
    if first == second:
        return holds is not also
    if not (isinstance(first, model.Compare) and isinstance(second, model.Compare)):
        return False
    if first.left != second.left:
        return False
    return _apart(first, second) or _apart(second, first)


def _apart(first: model.Compare, second: model.Compare) -> bool:
    """Return whether two comparisons of one value with others leave nothing in common."""
    if first.right == second.right and second.word == _NEGATED.get(first.word):
        return True
    if first.word in ("is", "in"):
        allowed = _values(first)
        if allowed is not None and second.word in ("is", "in"):
            others = _values(second)
            return others is not None and not allowed & others
        if allowed is not None and second.word in ("is not", "not in"):
            barred = _values(second)
            return barred is not None and allowed <= barred
    low, high = _range(first), _range(second)
    return low is not None and high is not None and _disjoint(low, high)


def _values(compared: model.Compare) -> frozenset[object] | None:
    """Return the fixed values that are named, None if they are not known."""
    right = compared.right
    named = right.items if isinstance(right, model.ListOf) else (right,)
    if compared.word in ("in", "not in") and not isinstance(right, model.ListOf):
        return None
    known = [_value(one) for one in named if isinstance(one, _FIXED)]
    return frozenset(known) if len(known) == len(named) else None


def _value(fixed: model.Constant | model.EnumConstant | model.NamedThing) -> object:
    match fixed:
        case model.EnumConstant(enum=enum, value=value):
            return enum, value
        case model.NamedThing(kind=kind, name=name):
            return kind, name
    return type(fixed.value), fixed.value


def _range(compared: model.Compare) -> tuple[float, float] | None:
    """Return the least and the greatest number that a comparison allows."""
    right = compared.right
    if not isinstance(right, model.Constant) or type(right.value) is not int:
        return None
    number = right.value
    match compared.word:
        case "is":
            return number, number
        case "<":
            return float("-inf"), number - 1
        case "<=":
            return float("-inf"), number
        case ">":
            return number + 1, float("inf")
        case ">=":
            return number, float("inf")
    return None


def _disjoint(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[1] < other[0] or other[1] < one[0]
