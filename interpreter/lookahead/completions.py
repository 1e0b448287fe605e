"""Whether a partial selection can be completed to one that meets its condition.

The condition is known by its aggregates (`program/aggregates`). The values that these can still reach are a set
for each suffix of the list of candidates: for sums and counts a row of bits (the n-th says
whether n can be reached), for all else a table of values, each with one selection that has it. Both are
bounded; what does not fit is answered by what each part of the condition allows alone, or not at all.

Nothing is read here that the player does not see: where an aggregate of a thing would, nothing is
known of the selection, and it is tried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.interpreter.lookahead.reachable_totals import (
    NOTHING,
    Contribution,
    GreedyTotal,
    Overflow,
    ReachableValues,
    Test,
    TotalBitset,
)
from rulewright.interpreter.program.aggregates import (
    Aggregate,
    SelectionFormula,
    SelectionRequirement,
)
from rulewright.interpreter.program.equivalent_options import Equivalence
from rulewright.interpreter.program.questions import (
    DONE,
    OpenQuestion,
    first_in_table,
    left_of,
    selection,
)
from rulewright.interpreter.semantics.filters import ORDERS
from rulewright.interpreter.state.errors import Horizon, PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Value


class AggregateReader:
    """Evaluates the aggregates of a requirement over the things that can be picked."""

    def __init__(
        self, store: Store, asked: OpenQuestion, requirement: SelectionRequirement
    ) -> None:
        self.store = store
        self.me = asked.frame.me
        self.items = asked.items
        self.requirement = requirement
        self.locals = asked.frame.locals.copy()
        self.locals.pop(asked.question.partial, None)
        self.parts: list[Contribution] = []
        self.is_whole = False
        """Whether a part of the condition must be evaluated on the whole selection."""

    def value(self, expression: model.Expression, given: Locals, chosen: Sequence[Value]) -> Value:
        locals = {**self.locals, **given, self.requirement.name: tuple(chosen)}
        return self.requirement.code(expression)(self.store, self.me, locals)

    def test(self, formula: SelectionFormula, given: Locals) -> Test:
        """Return the test of a formula; its aggregates are among the parts then."""
        match formula.kind:
            case "known":
                assert formula.expression is not None
                holds = bool(self.value(formula.expression, given, ()))
                return lambda totals, chosen: holds
            case "not":
                inner = self.test(formula.parts[0], given)
                return lambda totals, chosen: not inner(totals, chosen)
            case "and" | "or":
                tests = [self.test(one, given) for one in formula.parts]
                return _joined(tests, formula.kind == "and")
            case "over":
                return self._quantified(formula, given)
            case "test":
                return self._compared(formula, given)
        assert formula.expression is not None
        for aggregate in formula.aggregates:
            self._contribution(aggregate, given)
        self.is_whole = True
        expression = formula.expression
        return lambda totals, chosen: bool(self.value(expression, given, chosen()))

    def _quantified(self, formula: SelectionFormula, given: Locals) -> Test:
        assert formula.expression is not None
        values = self.value(formula.expression, given, ())
        tests = [self.test(formula.parts[0], {**given, formula.name: value}) for value in values]
        found = _joined(tests, formula.word == "every")
        if formula.word == "no":
            return lambda totals, chosen: not found(totals, chosen)
        return found

    def _compared(self, formula: SelectionFormula, given: Locals) -> Test:
        (aggregate,) = formula.aggregates
        number = self._contribution(aggregate, given)
        part, word = self.parts[number], formula.word
        if part.kind == "any":
            return lambda totals, chosen: totals[number] > 0
        if part.kind == "all":
            return lambda totals, chosen: totals[number] == 0
        base = part.base
        if formula.other is not None:
            values = frozenset(self.value(formula.other, given, ()))
            wanted = word == "in"
            return lambda totals, chosen: (totals[number] + base in values) is wanted
        if word in ("is", "is not"):
            same = word == "is"
            return lambda totals, chosen: (totals[number] + base == 0) is same
        compared = ORDERS[word]
        return lambda totals, chosen: compared(totals[number] + base, 0)

    def _contribution(self, aggregate: Aggregate, given: Locals) -> int:
        """Add the contributions to an aggregate to the parts, and return its number there."""
        expression, kind = aggregate.expression, aggregate.kind
        base: Any = 0
        adds: tuple[Any, ...] = tuple(range(len(self.items)))
        if kind not in ("head", "tail"):
            adds = tuple([self.value(expression, given, (item,)) for item in self.items])
        if kind == "sum":
            base = self.value(expression, given, ())
            adds = tuple([add - base for add in adds])
        elif kind == "any":
            adds = tuple([int(bool(add)) for add in adds])
        elif kind == "all":
            adds = tuple([int(not add) for add in adds])
        different = tuple(
            (tuple([self._distinct_value(items, given, item) for item in self.items]), often)
            for items, often in aggregate.different
            if often
        )
        part = Contribution(kind, adds, base, different, aggregate.size)
        self.parts.append(part)
        return len(self.parts) - 1

    def _distinct_value(self, items: model.Expression, given: Locals, item: Value) -> Value:
        """Return the value of a thing of which the different ones are counted; NOTHING if it has
        none."""
        found = self.value(items, given, (item,))
        if len(found) > 1:
            raise Overflow
        return found[0] if found else NOTHING


def _joined(tests: Sequence[Test], every: bool) -> Test:
    if every:
        return lambda totals, chosen: all(test(totals, chosen) for test in tests)
    return lambda totals, chosen: any(test(totals, chosen) for test in tests)


# ------------------------------------------------------------------------------- the completions


class Completions:
    """A question about several things, and the completions of what has been picked so far.

    `places` are the indices of the candidates (the things that can still be picked) in the source,
    ordered so that whatever may be picked after one of them stands behind it.
    """

    def __init__(
        self, store: Store, asked: OpenQuestion, requirement: SelectionRequirement
    ) -> None:
        self.asked = asked
        self.items = asked.items
        self.places: list[int] = []
        self.things: list[Value] = []
        """What is picked there: of alike things those first that stand first in the table."""

        self.blocks: dict[int, int] = {}
        """At which candidate each block of alike things begins."""

        for number, (places, group) in enumerate(asked.blocks):
            self.blocks[number] = len(self.places)
            self.places += places
            left = left_of(asked, group) if len(group) > 1 else list(group)
            while left:
                self.things.append(first_in_table(left))
                left.remove(self.things[-1])
        self.firsts = frozenset(self.blocks.values())
        self.picked = _places(asked)
        room = asked.high - len(self.picked), asked.low - len(self.picked)
        self.most, self.least = room
        formula = requirement.formula
        self.table = _table(store, self, requirement, formula)
        self.conjuncts: list[TotalBitset | ReachableValues | GreedyTotal] = []
        """If there is no table for the whole condition: tables for those of its conjuncts that have one."""

        if self.table is None:
            waiting = [formula]
            while waiting:
                one = waiting.pop()
                if one.kind == "and":
                    waiting += one.parts
                    continue
                table = _table(store, self, requirement, one)
                if table is not None:
                    self.conjuncts.append(table)
        self.known: dict[int, bool | None] = {}

    def can_complete(self, option: Value) -> bool | None:
        """Return whether a selection that goes on with an option can meet the condition; None if
        that is not known."""
        if option is DONE:
            return True
        block = self.asked.block_of[option]
        if block not in self.known:
            self.known[block] = self.can((self.blocks[block],))
        return self.known[block]

    def can(self, chosen: tuple[int, ...]) -> bool | None:
        """Return the same for what has been picked and some more: the numbers of the candidates."""
        try:
            if self.table is not None:
                return self.table.can(chosen)
            if any(table.can(chosen) is False for table in self.conjuncts):
                return False
        except Overflow:
            pass
        return None

    def selections(self, option: Value = NOTHING) -> Iterator[tuple[Value, ...]]:
        """Yield the selections that may meet the condition: those that begin with what has been
        picked (and go on with an option), the shorter one first."""
        if option is DONE:
            yield self.items_of(())
        elif option is NOTHING:
            yield from self._selections((), 0)
        else:
            first = self.blocks[self.asked.block_of[option]]
            if self.can((first,)) is not False:
                yield from self._selections((first,), first + 1)

    def _selections(self, chosen: tuple[int, ...], start: int) -> Iterator[tuple[Value, ...]]:
        if self.least <= len(chosen) <= self.most:
            yield self.items_of(chosen)
        if len(chosen) >= self.most:
            return
        for number in range(start, len(self.places)):
            if number not in self.firsts and number - 1 not in chosen:
                # Of alike things the earlier ones first.
                continue
            if len(self.places) - number < self.least - len(chosen):
                return
            if self.can((*chosen, number)) is not False:
                yield from self._selections((*chosen, number), number + 1)

    def places_of(self, chosen: Sequence[int]) -> list[int]:
        """Return the places of a selection in the order of the source."""
        return sorted([*self.picked, *[self.places[number] for number in chosen]])

    def items_of(self, chosen: Sequence[int]) -> tuple[Value, ...]:
        """Return a selection."""
        things = [self.things[number] for number in chosen]
        return selection(self.asked, [*self.asked.picked, *things])


def _places(asked: OpenQuestion) -> list[int]:
    """Return the places of what has been picked."""
    left: dict[Value, list[int]] = {}
    for place, item in enumerate(asked.items):
        left.setdefault(item, []).append(place)
    return [left[item].pop(0) for item in asked.picked]


def completions(
    alike: Equivalence, store: Store, asked: OpenQuestion, ahead: SelectionRequirement | None = None
) -> Completions | None:
    """Return the completions of what has been picked, as far as its player can know them; None if
    its condition does not say, or chance takes one of some alike things.

    `ahead` is the condition with the requirements behind the question, if they are to be met, too.
    """
    if not asked.options:
        return None
    for _, group in asked.blocks:
        if len(group) > 1 and alike.differ(store, group):
            return None
    for needed in (ahead, asked.question.requirement):
        found = None if needed is None else _completions(store, asked, needed)
        if found is not None:
            return found
    return None


def _completions(
    store: Store, asked: OpenQuestion, needed: SelectionRequirement
) -> Completions | None:
    trail, allowance, asking = store.trail, store.allowance, store.asking
    store.asking = None
    if trail is None:
        # It ends at what the player does not see, as in a trial; nothing is written.
        store.trail = []
    try:
        reader = AggregateReader(store, asked, needed)
        for value in needed.values:
            for chosen in ((), *[(item,) for item in asked.items]):
                reader.value(value, {}, chosen)
        return Completions(store, asked, needed)
    except (Horizon, Undecided, PlayError, Overflow, ArithmeticError, TypeError, AttributeError):
        return None
    finally:
        store.trail, store.allowance, store.asking = trail, allowance, asking


def _table(
    store: Store,
    completions: Completions,
    requirement: SelectionRequirement,
    formula: SelectionFormula,
) -> TotalBitset | ReachableValues | GreedyTotal | None:
    reader = AggregateReader(store, completions.asked, requirement)
    test = reader.test(formula, {})
    parts = reader.parts
    if not reader.is_whole and all(part.is_plain for part in parts):
        try:
            return TotalBitset(completions, parts, test)
        except Overflow:
            if formula.kind == "test" and formula.word in ORDERS:
                return GreedyTotal(completions, parts[0], formula.word)
    try:
        return ReachableValues(completions, parts, test)
    except Overflow:
        return None
