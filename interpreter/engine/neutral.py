"""Players without a seat: where the rules ask one to decide, chance decides.

Every answer is a chance event, even among those that can be carried on to the horizon. One thing,
number or arm is one draw. Of several things their number is drawn first, evenly among those that
are possible, then one thing after the other, evenly among those with which enough can still be
completed. Of a number that is distributed unit after unit goes to one of those who have room for it.
A `may` is declined, unless the rules leave nothing but to accept it. Things are counted
one by one, also those that nobody could tell apart.

What has been drawn of several things stands in the frame (`DRAWN`), so that a driver may say one
outcome after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

import attrs

from rulewright.interpreter.engine.setbacks import (
    Before,
    as_it_is,
    last_drawn,
    note_draw,
    note_drawn,
    remember_next_draw,
)
from rulewright.interpreter.ir.machine import me_of
from rulewright.interpreter.lookahead.lookahead import alive
from rulewright.interpreter.lookahead.safe_decisions import is_certain
from rulewright.interpreter.lookahead.search import Search, try_out
from rulewright.interpreter.program.decisions import (
    current,
    decision_cache,
    give,
    open_transaction,
    option_for,
    option_labels,
    question_of,
)
from rulewright.interpreter.program.distribution import ways
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion, fits, selection, whole
from rulewright.interpreter.semantics import events, labels
from rulewright.interpreter.semantics.closures import list_too_long
from rulewright.interpreter.semantics.events import ChanceStop, draw_one, left_of, meet_chance
from rulewright.interpreter.state.errors import LONGEST_LIST
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import NOBODY
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

DRAWN = "#drawn"
"""The local with how many things are to be chosen, and those drawn so far."""

MOST_TRIED = 2000
"""So many selections are tried for one draw; a draw for which none is found by then is possible."""

Drawn = tuple[int, tuple[Value, ...]]


def waits_for_neutral(program: Program, store: Store) -> bool:
    """Return whether the game stands at a decision of a player without a seat."""
    if not program.layout.neutrals or not store.frames:
        return False
    frame = store.frames[-1]
    if frame.me is None or not program.layout.is_neutral(frame.me):
        return False
    return program.op(frame).kind == "decide"


def decided_by_chance(program: Program, store: Store) -> bool | None:
    """Answer the pending decision of a player without a seat.

    Returns whether the game goes on: False if a driver must say what comes, None if nothing is
    possible.
    """
    frame = store.frames[-1]
    open_transaction(program, store, me_of(frame))
    question = question_of(program.op(frame))
    asked = current(program, store)
    if question.kind == "may":
        for answer in (False, True):
            if alive(program, store, answer):
                unproved, me = answer in decision_cache(program, store).unproved, me_of(frame)
                note_draw(store, me, last_drawn(store, me), _before(store, unproved), 0)
                note_drawn(store, me, answer, unproved)
                give(program, store, asked, frame, answer)
                return True
        return None
    try:
        if question.kind == "several":
            return _draw_several(program, store, asked)
        if question.kind == "split":
            return _draw_split(program, store, asked)
        return _draw_one(program, store, asked)
    except ChanceStop:
        return False
    finally:
        store.viewer = store.transaction = None


def outcomes_for_neutral(program: Program, store: Store) -> tuple[Value, ...]:
    """Return what chance may bring where it decides for a player without a seat."""
    viewer, transaction, allowance = store.viewer, store.transaction, store.allowance
    try:
        open_transaction(program, store, me_of(store.frames[-1]))
        asked = current(program, store)
        if asked.question.kind == "split":
            return tuple(_DistributionDraw(program, store, asked, _refuted(store)).next_ones())
        if asked.question.kind != "several":
            return tuple(outcome for outcome, _ in _single(program, store, asked))
        several = _SelectionDraw(program, store, asked, _refuted(store))
        if several.drawn is None:
            return tuple(several.sizes())
        return tuple(several.next_ones(*several.drawn))
    finally:
        store.viewer, store.transaction, store.allowance = viewer, transaction, allowance
        program.decision_cache = None


# ------------------------------------------------------------------------------------------ one answer


def _draw_one(program: Program, store: Store, asked: OpenQuestion) -> bool | None:
    question, frame = asked.question, store.frames[-1]
    found = _single(program, store, asked)
    if not found:
        return None
    unproved = decision_cache(program, store).unproved
    outcomes = [outcome for outcome, _ in found]
    if store.refuted:
        _stop_for_driver(store, outcomes, (*outcomes, *_refuted(store)))
    outcome = _drawn(store, frame, question.op.site, outcomes, _before(store, bool(unproved)))
    value = next(value for one, value in found if one is outcome or one == outcome)
    option = option_for(program, store, value)
    note_drawn(store, me_of(frame), option, option in unproved)
    if question.kind == "either":
        frame.node = question.ways[value]
    else:
        frame.locals[question.name] = value
        frame.node = question.ways[0]
    return True


def _single(program: Program, store: Store, asked: OpenQuestion) -> list[tuple[Value, Value]]:
    """Return what chance may bring, and the answer that each stands for."""
    span = asked.question.op.span
    if isinstance(asked.options, range) and len(asked.options) > LONGEST_LIST:
        raise list_too_long(span)
    living = [option for option in asked.options if alive(program, store, option)]
    if asked.question.kind == "either":
        return list(
            zip(
                labels.distinct(option_labels(program, store, living), program.evaluator.words),
                living,
                strict=True,
            )
        )
    if asked.question.kind == "numbers":
        return [(number, number) for number in living]
    found = []
    for option in living:
        group = asked.group(option)
        # Of a pile the topmost is meant, as for everybody who cannot tell its cards apart.
        meant = group
        if len(group) > 1 and program.alike.differ(store, group):
            meant = program.alike.meant(store, group)
        found += [(item, item) if item in meant else (meant[0], meant[0]) for item in group]
    return found


def _before(store: Store, unproved: bool) -> Before | None:
    """Return what is put back if what is drawn now is a dead end: nothing, unless it is not proved."""
    if not unproved:
        return None
    before = as_it_is(store)
    if isinstance(before, Store):
        before.dictated, before.viewer, before.transaction = (), None, None
        return before
    return attrs.evolve(before, viewer=None, transaction=None)


def _stop_for_driver(store: Store, outcomes: Sequence[Value], before: Sequence[Value]) -> None:
    """Ask a driver also where only one outcome is left of those before something was refuted: who
    plays it once more from a saved game is asked there, too."""
    if len(outcomes) == 1 < len(before) and store.explicit_chance and not store.dictated:
        raise ChanceStop


def _drawn(
    store: Store,
    frame: Frame,
    site: str,
    outcomes: Sequence[Value],
    before: Before | None = None,
    goes_on: bool = False,
) -> Value:
    """Draw one outcome. That it was drawn nobody notices: choices are not told, their effects are.

    `before` is what is put back if it is a dead end; `goes_on` says that it is one more of several
    draws.
    """
    me, told = me_of(frame), len(store.dictated)
    given = last_drawn(store, me)
    meet_chance(store)
    outcome = draw_one(store, outcomes)
    events.drawn(store, frame.me, site, outcome, NOBODY)
    told -= len(store.dictated)
    if goes_on:
        remember_next_draw(store, given, told)
    else:
        note_draw(store, me, given, before, told)
    return outcome


# --------------------------------------------------------------------------------------- several things


def _draw_several(program: Program, store: Store, asked: OpenQuestion) -> bool | None:
    frame, question = store.frames[-1], asked.question
    several = _SelectionDraw(program, store, asked, _refuted(store))
    state = several.drawn
    if state is None:
        sizes = several.sizes()
        if not sizes:
            return None
        if several.as_offered is not None:
            _stop_for_driver(store, sizes, several.as_offered.sizes())
        before = _before(store, not several.certain)
        state = _drawn(store, frame, question.op.site, sizes, before), ()
        frame.locals[DRAWN] = state
    size, picked = state
    while len(picked) < size:
        found = several.next_ones(size, picked)
        if not found:
            return None
        if several.as_offered is not None:
            _stop_for_driver(store, found, several.as_offered.next_ones(size, picked))
        picked = (*picked, _drawn(store, frame, question.op.site, found, goes_on=True))
        frame.locals[DRAWN] = size, picked
    frame.locals.pop(DRAWN, None)
    chosen = selection(asked, picked)
    lives = several.lives(chosen)
    note_drawn(store, me_of(frame), chosen, not lives or chosen in several.unproved)
    if not lives:
        return None
    frame.locals[question.name] = chosen
    frame.node = question.ways[0]
    return True


class _Draw:
    """What of one answer has been drawn, and which whole answers live."""

    def __init__(
        self, program: Program, store: Store, asked: OpenQuestion, refuted: Sequence[Value] = ()
    ) -> None:
        self.program = program
        self.store = store
        self.asked = asked
        self.as_offered = type(self)(program, store, asked) if refuted else None
        """The same without what has turned out to be a dead end."""

        self.drawn = store.frames[-1].locals.get(DRAWN)
        self.known: dict[Value, bool] = dict.fromkeys(refuted, False)
        self.unproved: set[Value] = set()
        self.certain = is_certain(program, store, asked.question)

    def value(self, chosen: Value) -> Value:
        """Return a whole answer as the value of the `choose`."""
        return chosen

    def lives(self, chosen: Value) -> bool:
        """Return whether a whole answer can be carried on to the horizon."""
        if self.certain:
            return True
        if chosen not in self.known:
            search = Search(self.program, self.store)
            begin = _answered(self.store, self.asked, self.value(chosen))
            self.known[chosen] = try_out(search, begin)
            if search.unproved:
                self.unproved.add(chosen)
        return self.known[chosen]


class _SelectionDraw(_Draw):
    """What can be drawn of several things."""

    as_offered: _SelectionDraw | None
    drawn: Drawn | None

    def sizes(self) -> list[int]:
        """Return the numbers of things that are possible."""
        low, high = max(self.asked.low, 0), min(self.asked.high, len(self.asked.items))
        return [size for size in range(low, high + 1) if self.can_be(size, ())]

    def next_ones(self, size: int, picked: tuple[Value, ...]) -> list[Value]:
        """Return the things that may be drawn next."""
        left = left_of(self.asked.items, picked)
        return [item for item in left if self.can_be(size, (*picked, item))]

    def can_be(self, size: int, picked: tuple[Value, ...]) -> bool:
        """Return whether some selection of that size lives in which these things are."""
        if self.certain:
            return True
        left = left_of(self.asked.items, picked)
        more = size - len(picked)
        for tried, rest in enumerate(self._completions(left, more)):
            if tried == MOST_TRIED or self.lives(selection(self.asked, (*picked, *rest))):
                return True
        return False

    def _completions(self, left: Sequence[Value], more: int) -> Iterator[tuple[Value, ...]]:
        if self.asked.question.ordered:
            return permutations(left, more)
        return combinations(left, more)


def _refuted(store: Store) -> tuple[Value, ...]:
    """Return what has turned out to be a dead end at the pending decision."""
    return tuple([refuted.value for refuted in store.refuted])


# ------------------------------------------------------------------------------ numbers, distributed


def _draw_split(program: Program, store: Store, asked: OpenQuestion) -> bool | None:
    frame, question = store.frames[-1], asked.question
    split = _DistributionDraw(program, store, asked, _refuted(store))
    if split.left > LONGEST_LIST:
        raise list_too_long(question.op.span)
    while split.left:
        found = split.next_ones()
        if not found:
            return None
        if split.as_offered is not None:
            split.as_offered.amounts, split.as_offered.left = list(split.amounts), split.left
            _stop_for_driver(store, found, split.as_offered.next_ones())
        goes_on = DRAWN in frame.locals
        before = None if goes_on else _before(store, not split.certain)
        split.give(_drawn(store, frame, question.op.site, found, before, goes_on))
        frame.locals[DRAWN] = tuple(split.amounts)
    frame.locals.pop(DRAWN, None)
    amounts = tuple(split.amounts)
    lives = split.lives(amounts)
    note_drawn(store, me_of(frame), amounts, not lives or amounts in split.unproved)
    if not lives:
        return None
    frame.locals[question.name] = split.value(amounts)
    frame.node = question.ways[0]
    return True


class _DistributionDraw(_Draw):
    """What can be drawn of a number that is distributed."""

    as_offered: _DistributionDraw | None

    def __init__(
        self, program: Program, store: Store, asked: OpenQuestion, refuted: Sequence[Value] = ()
    ) -> None:
        super().__init__(program, store, asked, refuted)
        self.amounts: list[int] = list(self.drawn or (0,) * len(asked.items))
        self.left = asked.left + sum(asked.picked) - sum(self.amounts)

    def give(self, target: Value) -> None:
        """Let a target have one more."""
        self.amounts[self.asked.items.index(target)] += 1
        self.left -= 1

    def next_ones(self) -> list[Value]:
        """Return who may get the next unit."""
        found = []
        for place, target in enumerate(self.asked.items):
            if self.amounts[place] < self.asked.caps[place]:
                self.amounts[place] += 1
                if self._can_be():
                    found.append(target)
                self.amounts[place] -= 1
        return found

    def _can_be(self) -> bool:
        room = [cap - amount for cap, amount in zip(self.asked.caps, self.amounts, strict=True)]
        if sum(max(space, 0) for space in room) < self.left - 1:
            return False
        if self.certain:
            return True
        for tried, more in enumerate(ways(self.left - 1, room)):
            whole = tuple(a + b for a, b in zip(self.amounts, more, strict=True))
            if tried == MOST_TRIED or self.lives(whole):
                return True
        return False

    def value(self, chosen: Value) -> Value:
        """Return a distribution as the value of the `choose`."""
        given = OpenQuestion(self.asked.question, self.store.frames[-1])
        given.items, given.picked = self.asked.items, chosen
        return whole(self.store, given)


# ------------------------------------------------------------------------------- what lives as a whole


def _answered(store: Store, asked: OpenQuestion, whole: Value) -> Callable[[Search], bool]:
    """Return the trial that goes on with a whole answer."""
    question = asked.question

    def begin(search: Search) -> bool:
        store.frames = [frame.copy() for frame in store.frames]
        frame = store.frames[-1]
        frame.locals.pop(DRAWN, None)
        asked.frame = frame
        if not fits(store, asked, whole):
            return False
        frame.locals[question.name] = whole
        frame.node = question.ways[0]
        search.depth += 1
        return search.run_on()

    return begin
