"""Which options live, found out the simple way: try everything, on copies.

Nothing of the look-ahead is used. A copy of the state is run operation by operation; at each further
decision of the same player every complete answer is tried on a copy of its own, until one of them
reaches the horizon:

- something random, something hidden (the executor then says that the transaction has ended)
- a decision of another player
- the end of the game, or of the pass of the innermost `as` or `repeat` around the first decision of
  the transaction; where that is, and when it has been left, is worked out here
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.ir.machine import CHANCE, DEAD, DECIDE, OVER, SWITCH
from rulewright.interpreter.program import questions
from rulewright.interpreter.program.decisions import pending, question_of
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.state.errors import PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import ENDING, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_OPERATIONS = 60_000
MOST_ITEMS = 9
NOWHERE = (-1, -1)


class TooLarge(Exception):
    """There is too much to try."""


@attrs.frozen
class Pass:
    """The pass that ends a transaction: a frame, counted from the bottom, and a loop in it; the
    whole frame if there is no loop."""

    depth: int
    loop: int


def pass_around(program: Program, store: Store) -> Pass:
    """Return the pass of the innermost `as` or `repeat` around the pending decision."""
    for depth in reversed(range(len(store.frames))):
        frame = store.frames[depth]
        for loop in reversed(program.op(frame).loops):
            op = program.code[frame.unit][loop]
            if op.kind == "as" or isinstance(op.step, model.Repeat):
                return Pass(depth, loop)
    return Pass(0, -1)


class Brute:
    """One question, which is answered by trying everything."""

    def __init__(self, program: Program, player: Thing | None, until: Pass) -> None:
        self.program = program
        self.player = player
        self.until = until
        self.left = MOST_OPERATIONS

    def copy(self, store: Store) -> Store:
        """Return a copy in which the executor does not end a transaction with a pass."""
        copy = store.clone()
        copy.transaction = (self.player, *NOWHERE)
        copy.viewer = self.player
        copy.explicit_chance = True
        return copy

    def succeeds(self, store: Store) -> bool:
        """Run on; return whether the horizon is reached by some answers."""
        whole = store.frames[self.until.depth]
        while True:
            frame = store.frames[-1]
            signal = self._one(store, frame)
            if store.transaction is None or signal in (CHANCE, OVER):
                return True
            if store.columns[SCALARS][ENDING] is not None:
                return True
            if self._has_left(store, whole):
                return True
            if signal == DEAD:
                return False
            if signal == DECIDE:
                return self._decision(store)

    def _one(self, store: Store, frame: Frame) -> int:
        """Run one operation; return its signal, `SWITCH` if it has none."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        try:
            following = self.program.runs[frame.unit][frame.node](store, frame)
        except Undecided:
            return CHANCE
        except PlayError:
            if store.transaction is None:
                return CHANCE
            raise
        if following >= 0:
            frame.node = following
            return SWITCH
        return following

    def _has_left(self, store: Store, whole: Frame) -> bool:
        depth, loop = self.until.depth, self.until.loop
        if len(store.frames) <= depth or store.frames[depth] is not whole:
            return True
        if loop < 0:
            return False
        op = self.program.op(whole)
        return op.node == loop or loop not in op.loops

    def _decision(self, store: Store) -> bool:
        frame = store.frames[-1]
        if frame.me is not self.player:
            return True
        question = question_of(self.program.op(frame))
        asked = questions.ask(self.program.alike, store, frame, question)
        if store.transaction is None:
            return True
        if any(self._goes(store, whole) for _, whole in self.answers(store, asked)):
            return True
        if question.stop is not None:
            copy = self.copy(store)
            copy.frames[-1].node = question.stop
            return self.succeeds(copy)
        return False

    def answers(
        self, store: Store, asked: OpenQuestion
    ) -> Iterator[tuple[tuple[Value, ...], Value]]:
        """Yield the complete answers: the elementary answers that make it up, and its value."""
        if asked.question.kind == "split":
            yield from self._distributions(store, asked)
            return
        if asked.question.kind != "several":
            if len(asked.options) > 200:
                raise TooLarge
            yield from (((option,), option) for option in asked.options)
            return
        if len(asked.items) > MOST_ITEMS:
            raise TooLarge
        yield from self._selections(store, asked)

    def _distributions(
        self, store: Store, asked: OpenQuestion
    ) -> Iterator[tuple[tuple[Value, ...], Value]]:
        """Yield what each gets, in every way, and the family that this is."""
        total = asked.left + sum(asked.picked)
        if len(asked.items) > MOST_ITEMS or total > 10:
            raise TooLarge
        keys = [target.number for target in asked.items]
        for amounts in itertools.product(range(total + 1), repeat=len(keys)):
            fitting = all(amount <= cap for amount, cap in zip(amounts, asked.caps, strict=True))
            if sum(amounts) != total or not fitting:
                continue
            given = dict(zip(keys, amounts, strict=True))
            family = tuple(given.get(key, 0) for key in range(max(keys, default=-1) + 8))
            if self._fits(store, asked, family):
                yield amounts, family

    def _selections(
        self, store: Store, asked: OpenQuestion
    ) -> Iterator[tuple[tuple[Value, ...], tuple[Value, ...]]]:
        player = asked.frame.me
        assert player is not None
        alike = {
            item: number
            for number, group in enumerate(self.program.alike.groups(store, player, asked.items))
            for item in group
        }
        seen: set[tuple[int, ...]] = set()
        for size in range(max(0, asked.low), min(asked.high, len(asked.items)) + 1):
            ways = itertools.permutations if asked.question.ordered else itertools.combinations
            for chosen in ways(asked.items, size):
                # Alike things are interchangeable: the first way to take them stands for all.
                kinds = tuple(alike[item] for item in chosen)
                key = kinds if asked.question.ordered else tuple(sorted(kinds))
                if key in seen:
                    continue
                seen.add(key)
                if self._fits(store, asked, chosen):
                    yield chosen, chosen

    def _fits(self, store: Store, asked: OpenQuestion, chosen: Value) -> bool:
        code = asked.question.such_that
        if code is None:
            return True
        names = {**asked.frame.locals, asked.question.name: chosen}
        return bool(code(store, asked.frame.me, names))

    def _goes(self, store: Store, value: Value) -> bool:
        """Return whether a complete answer leads to the horizon."""
        copy = self.copy(store)
        frame = copy.frames[-1]
        question = question_of(self.program.op(frame))
        if question.kind in ("may", "either"):
            frame.node = question.ways[int(value)]
            return self.succeeds(copy)
        asked = questions.ask(self.program.alike, copy, frame, question)
        chosen = value if question.kind in ("several", "split") else (value,)
        if any(self._is_drawn(copy, asked, item) for item in chosen):
            return True
        frame.locals.pop(question.partial, None)
        frame.locals[question.name] = value
        frame.node = question.ways[0]
        return self.succeeds(copy)

    def _is_drawn(self, store: Store, asked: OpenQuestion, item: Value) -> bool:
        """Return whether chance says which of some alike things is meant."""
        if not isinstance(item, Thing) or asked.frame.me is None:
            return False
        groups = self.program.alike.groups(store, asked.frame.me, asked.items)
        group = next(group for group in groups if item in group)
        return len(group) > 1 and self.program.alike.differ(store, group)


def living(program: Program, store: Store, until: Pass) -> list[Value]:
    """Return the options of the pending decision that live, in the order of the options."""
    waiting = pending(program, store)
    assert waiting is not None
    brute = Brute(program, waiting.player, until)
    frame = store.frames[-1]
    question = question_of(waiting.op)
    asked = questions.ask(program.alike, brute.copy(store), frame, question)
    if question.kind == "split":
        # What each of the first gets, and all before as well.
        begun = {
            amounts[: len(asked.picked) + 1]
            for amounts, family in brute.answers(store, asked)
            if brute._goes(store, family)
        }
        return [option for option in asked.options if (*asked.picked, option) in begun]
    if question.kind != "several":
        return [value for _, value in brute.answers(store, asked) if brute._goes(store, value)]
    picked = asked.picked
    alive = []
    complete = [
        _in_order(program, store, asked, chosen)
        for chosen, value in brute.answers(store, asked)
        if _begins(program, store, asked, chosen) and brute._goes(store, value)
    ]
    for option in asked.options:
        wanted = [*picked] if option is DONE else [*picked, option]
        groups = _groups(program, store, asked, wanted)
        exact = option is DONE
        if any(
            whole[: len(groups)] == groups and (not exact or len(whole) == len(groups))
            for whole in complete
        ):
            alive.append(option)
    return alive


def _groups(
    program: Program, store: Store, asked: OpenQuestion, chosen: Sequence[Value]
) -> list[int]:
    player = asked.frame.me
    assert player is not None
    groups = program.alike.groups(store, player, asked.items)
    return [next(number for number, group in enumerate(groups) if item in group) for item in chosen]


def _in_order(
    program: Program, store: Store, asked: OpenQuestion, chosen: Sequence[Value]
) -> list[int]:
    """Return the groups of a selection in the order in which they are picked piece by piece: by
    the places of the first so many of each."""
    numbers = _groups(program, store, asked, chosen)
    if asked.question.ordered:
        return numbers
    of_items = _groups(program, store, asked, asked.items)
    places = []
    for number in set(numbers):
        spots = [place for place, other in enumerate(of_items) if other == number]
        places += [(spot, number) for spot in spots[: numbers.count(number)]]
    return [number for _, number in sorted(places)]


def _begins(program: Program, store: Store, asked: OpenQuestion, chosen: Sequence[Value]) -> bool:
    picked = _groups(program, store, asked, asked.picked)
    return _in_order(program, store, asked, chosen)[: len(picked)] == picked


def can_begin(program: Program, store: Store, verb: str, me: Thing) -> bool:
    """Return whether a verb without objects can be begun and carried to its end or the horizon."""
    brute = Brute(program, me, Pass(0, -1))
    copy = brute.copy(store)
    copy.frames = [Frame(verb, 0, {}, me)]
    return brute.succeeds(copy)
