"""Selections piece by piece, for generated code: what may be picked next, and what it can grow into.

The order is that of the look-ahead: of the selections that begin in the same way, the shorter one
comes first. Of alike things the walker's own rules say what is a piece (`questions.find_pieces`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from math import comb, factorial

from rulewright.interpreter.program.questions import (
    DONE,
    OpenQuestion,
    Question,
    find_pieces,
    selection,
)
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_SELECTIONS = 2000
"""So many selections are tried one by one; more are left to the trials of the walker."""

LONGEST_SELECTION = 100
"""So many pieces a selection may have that is tried: a trial of the walker ends with as many."""

Selection = tuple[Value, ...]

Groups = Callable[[Store, Sequence[Value]], list[tuple[Value, ...]]]
"""Returns things in groups of those that are alike, in the order of the first of each."""


def too_many(count: int, low: int, high: int) -> bool:
    """Return whether there are too many selections to try them one by one."""
    high = min(high, count)
    if high > LONGEST_SELECTION:
        return True
    return sum(comb(count, size) for size in range(max(low, 0), high + 1)) > MOST_SELECTIONS


def too_many_orders(count: int) -> bool:
    """Return whether there are too many orders to try them one by one."""
    return count > 12 or factorial(count) > MOST_SELECTIONS


def selections(
    items: Sequence[Value], low: int, high: int, picked: Selection = (), start: int = 0
) -> Iterator[Selection]:
    """Yield the selections that begin with what has been picked; the other pieces stand from
    `start` on."""
    needed = low - len(picked)
    if low == high:
        if needed >= 0:
            for rest in combinations(items[start:], needed):
                yield (*picked, *rest)
        return
    if needed <= 0:
        yield picked
    if len(picked) < high:
        for place in range(start, len(items) - max(needed - 1, 0)):
            yield from selections(items, low, high, (*picked, items[place]), place + 1)


def pieces(items: Sequence[Value], picked: Selection, low: int, high: int) -> Sequence[Value]:
    """Return the pieces that may be picked next, as `questions.ask` does for things of which no two
    are alike."""
    if len(picked) >= high or low > high:
        return ()
    free = items[items.index(picked[-1]) + 1 :] if picked else items
    needed = low - len(picked)
    return free[: max(len(free) - needed + 1, 0)] if needed > 1 else free


def pieces_or_done(
    items: Sequence[Value], picked: Selection, low: int, high: int
) -> Sequence[Value]:
    """Return the same, and `DONE` where enough is picked."""
    options = pieces(items, picked, low, high)
    return (*options, DONE) if options and len(picked) >= low else options


class Picks:
    """How the pieces of one decision are found."""

    __slots__ = ("groups", "ordered", "question")

    def __init__(self, question: Question, groups: Groups | None) -> None:
        self.question = question
        self.ordered = question.ordered
        self.groups = groups
        """Which of some things are alike; None if no two are."""

    def next(
        self,
        store: Store,
        frame: Frame,
        items: Sequence[Value],
        picked: Selection,
        low: int,
        high: int,
    ) -> Sequence[Value]:
        """Return the pieces that may be picked next."""
        if self.groups is None:
            if not self.ordered:
                return pieces(items, picked, low, high)
            return [item for item in items if item not in picked]
        if len(picked) >= high or low > high:
            return ()
        groups = self.groups(store, items)
        if len(groups) == len(items) and not self.ordered:
            # Just now no two are alike.
            return pieces(items, picked, low, high)
        return self._asked(groups, frame, items, picked, low, high).options

    def _asked(
        self,
        groups: list[tuple[Value, ...]],
        frame: Frame,
        items: Sequence[Value],
        picked: Selection,
        low: int,
        high: int,
    ) -> OpenQuestion:
        asked = OpenQuestion(self.question, frame)
        asked.items, asked.picked, asked.low, asked.high = items, picked, low, high
        find_pieces(asked, groups)
        return asked

    def whole(self, frame: Frame, items: Sequence[Value], picked: Selection) -> Selection:
        """Return what has been picked as the value of the `choose`."""
        if self.groups is None or self.ordered:
            # The pieces come in the order of the source.
            return picked
        asked = OpenQuestion(self.question, frame)
        asked.items = items
        return selection(asked, picked)

    def grown(
        self,
        store: Store,
        frame: Frame,
        items: Sequence[Value],
        picked: Selection,
        low: int,
        high: int,
    ) -> Iterable[Selection] | None:
        """Return the selections that begin with what has been picked; None if they are too many."""
        if self.ordered:
            if too_many_orders(len(items) - len(picked)):
                return None
        elif too_many(len(items) - len(picked), low - len(picked), high - len(picked)):
            return None
        if self.groups is not None:
            groups = self.groups(store, items)
            return self._grown_alike(groups, frame, items, picked, low, high)
        if self.ordered:
            left = [item for item in items if item not in picked]
            return ((*picked, *rest) for rest in permutations(left))
        start = items.index(picked[-1]) + 1 if picked else 0
        return selections(items, low, high, picked, start)

    def _grown_alike(
        self,
        groups: list[tuple[Value, ...]],
        frame: Frame,
        items: Sequence[Value],
        picked: Selection,
        low: int,
        high: int,
    ) -> Iterator[Selection]:
        if low <= len(picked) <= high:
            yield self.whole(frame, items, picked)
        for piece in self._asked(groups, frame, items, picked, low, high).options:
            yield from self._grown_alike(groups, frame, items, (*picked, piece), low, high)
