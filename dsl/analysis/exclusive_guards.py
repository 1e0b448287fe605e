"""Whether two conditions can never hold together, and two amendments so never act together.

    instead of collect when card.sort is nothing
    instead of collect when card.sort is water       # never both

What is compared are the parts of `and` on both sides; a define without arguments that nothing changes is
looked into. Two parts exclude each other if they say different things of the same expression. No answer is
no error: where nothing can be proved, two variants are asked to settle what comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, watch_unit
from rulewright.dsl.model import types, visitor

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


# ----------------------------------------------------------------------------------- never together


AnyAmendment: TypeAlias = model.Changed | model.Amendment


class ExclusiveGuards:
    """Answers for the amendments of one linked game."""

    def __init__(self, game: model.Game, effects: GameEffects) -> None:
        self.game = game
        self.effects = effects
        self._inside: dict[str, frozenset[str]] = {}

    def never_together(self, first: AnyAmendment, second: AnyAmendment) -> bool:
        """Return whether it is certain that the two never act at one moment."""
        if exclude(self.game, _acts_when(first), _acts_when(second)):
            return True
        ours, theirs = _events(first.guard), _events(second.guard)
        return any(self._events_apart(one, other) for one in ours for other in theirs)

    def in_turn(self, first: AnyAmendment, second: AnyAmendment) -> bool:
        """Return whether two powers before or after a verb are always those of two things of one list:
        then they speak as these lie, whoever has written them."""
        one, other = first.bearers, second.bearers
        if one is None or other is None or one.source != other.source:
            return False
        return exclude(self.game, *map(_of_one, (one, other)))

    def _events_apart(self, one: frozenset[str], other: frozenset[str]) -> bool:
        """Return whether none of some verbs and steps runs while one of others does."""
        within = frozenset().union(*map(self._within, one))
        around = frozenset().union(*map(self._within, other))
        return not (within & other or around & one or self._anywhere & (one | other))

    def _within(self, unit: str) -> frozenset[str]:
        """Return the verbs and steps that may run while one is running, itself included."""
        if unit not in self._inside:
            self._inside[unit] = frozenset((unit, *self._all_in(self._content(unit))))
        return self._inside[unit]

    @cached_property
    def _anywhere(self) -> frozenset[str]:
        """What may run in the middle of anything: what offers and `as soon as` do."""
        units = [watch_unit(watch) for watch in self.game.watches]
        units += [offer.id for offer in self.game.offers]
        return frozenset(one for unit in units for one in self._within(unit))

    def _content(self, unit: str) -> tuple[Any, ...]:
        if unit in self.game.verbs or unit not in self.effects.amendments:
            return self._step(unit) or self.effects.content(unit)
        return self._step(unit)

    def _step(self, identity: str) -> tuple[Any, ...]:
        verb = self.game.verbs.get(identity.rpartition(".")[0])
        steps = {} if verb is None else visitor.named_steps((verb.block,))
        return (steps[identity],) if identity in steps else ()

    def _all_in(self, content: tuple[Any, ...]) -> Iterator[str]:
        """Yield the verbs and steps that some statements may begin."""
        verbs: set[str] = set()
        for verb in self.effects.called(content):
            verbs |= self.effects.reached(verb)
        yield from verbs
        for running in (content, *map(self.effects.content, verbs)):
            for part in self.effects.running(running):
                if isinstance(part, model.NamedStep):
                    yield part.id


def _events(guard: model.Expression | None) -> Iterator[frozenset[str]]:
    """Yield the verbs and steps of which one must be running where a guard holds; for each `during`."""
    match guard:
        case model.And(left=left, right=right):
            yield from _events(left)
            yield from _events(right)
        case model.Or() | model.Compare():
            units = _units(guard)
            if units:
                yield units


def _units(condition: model.Expression) -> frozenset[str]:
    """Return the units if a condition asks whether one of them is running, otherwise none."""
    match condition:
        case model.Or(left=left, right=right):
            one, other = _units(left), _units(right)
            return one | other if one and other else frozenset()
        case model.Compare(word=">", left=model.Read(field=field)):
            if field.startswith(model.RUNNING):
                return frozenset({field.removeprefix(model.RUNNING)})
    return frozenset()


def _acts_when(one: AnyAmendment) -> model.Expression | None:
    """Return all that holds where an amendment acts: its guard, and of a power the condition on the
    thing that bears it."""
    guard, bearers = one.guard, one.bearers
    while isinstance(guard, model.LetIn):
        # What an `until` takes along.
        guard = visitor.substituted(guard.body, {guard.name: guard.value})
    if bearers is None or bearers.condition is None:
        return guard
    if guard is None:
        return bearers.condition
    both: model.Expression = model.And(
        type=types.FLAG, span=guard.span, left=bearers.condition, right=guard
    )
    for part in visitor.nodes_in(guard):
        # What the thing is called in the target is what both can be compared by.
        match part:
            case model.Compare(word="is", left=left, right=model.Local(name=bearers.name)):
                return (
                    visitor.substituted(both, {bearers.name: left})
                    if _must_hold(guard, part)
                    else both
                )
            case model.Compare(word="is", left=model.Local(name=bearers.name), right=right):
                return (
                    visitor.substituted(both, {bearers.name: right})
                    if _must_hold(guard, part)
                    else both
                )
    return both


def _must_hold(guard: model.Expression, part: model.Node) -> bool:
    """Return whether a part of a guard holds wherever the guard does."""
    if guard is part:
        return True
    return isinstance(guard, model.And) and (
        _must_hold(guard.left, part) or _must_hold(guard.right, part)
    )


def _of_one(bearers: model.Bearers) -> model.Expression | None:
    """Return the condition on those who bear a power, in words that all powers share."""
    if bearers.condition is None:
        return None
    this = model.Local(type=types.UNKNOWN, span=bearers.condition.span, name="this")
    return visitor.substituted(bearers.condition, {bearers.name: this})
