"""What sums, counts and other aggregates of a selection can still become.

The things that can still be picked, the *candidates*, stand in a list. For each suffix of it there is a set
of values: for sums and counts a row of bits (the n-th says whether n can be reached), for all else a table
of values, each with one selection that has it. Both are bounded: what does not fit raises `Overflow`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from rulewright.interpreter.semantics.filters import ORDERS
from rulewright.interpreter.state.values import Value

MOST_BITS = 1 << 21
"""So long a row of bits may be."""

MOST_TOTALS = 30_000
"""So many totals are compared with what the condition says."""

MOST_VALUES = 4_000
"""So many values a table may have."""

MOST_STEPS = 200_000
"""So many steps are made in the tables of one question."""

Totals = tuple[Any, ...]
Test = Callable[[Totals, Callable[[], tuple[Value, ...]]], bool]
"""Whether a selection with these aggregates meets a condition; the second one returns the selection."""


class Overflow(Exception):
    """A table has grown too large."""


NOTHING = object()


@attrs.frozen(eq=False)
class Contribution:
    """An aggregate at a moment of the game: what each thing adds to it, by its place in the list."""

    kind: str
    adds: tuple[Any, ...]
    base: Any = 0
    different: tuple[tuple[tuple[Any, ...], int], ...] = ()
    """The values of which the different ones are counted, and how often."""

    size: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether it is a number to which each thing adds one that does not depend on others."""
        return self.kind in ("sum", "any", "all") and not self.different


class Candidates(Protocol):
    """The things that can still be picked (`completions.Completions`)."""

    items: Sequence[Value]
    """What stands to choice."""

    picked: list[int]
    """The places in there of what has been picked already, and of what can still be."""

    places: list[int]
    least: int
    """How many more must be picked, and may be."""

    most: int

    def places_of(self, chosen: Sequence[int]) -> list[int]:
        """Return the places of what has been picked and of some of the line, in order."""


class TotalBitset:
    """Sums and counts: the totals that can still be reached, as rows of bits.

    Some totals are one number: each counts in its own step. Behind candidate i stand the bits
    of what can be reached with the candidates from there on, counted from the least total.
    """

    def __init__(self, candidates: Candidates, parts: Sequence[Contribution], test: Test) -> None:
        places, picked = candidates.places, candidates.picked
        adds = [part.adds for part in parts]
        self.counts = candidates.least > 1 or candidates.most < len(places)
        if self.counts:
            adds = [*adds, (1,) * len(candidates.items)]
        self.steps: list[int] = []
        size = 1
        for add in adds:
            self.steps.append(size)
            size *= sum(abs(add[place]) for place in places) + 1
            if size > MOST_BITS:
                raise Overflow
        steps = self.steps
        self.gains = [
            sum(add[place] * step for add, step in zip(adds, steps, strict=True))
            for place in places
        ]
        least = 0
        reached = 1
        self.tails = [(reached, least)]
        for place in reversed(places):
            with_it = without = 0
            for add, step in zip(adds, steps, strict=True):
                if add[place] >= 0:
                    with_it += add[place] * step
                else:
                    without -= add[place] * step
            least -= without
            reached = reached << without | reached << with_it
            self.tails.append((reached, least))
        self.tails.reverse()
        self.least = least
        self.good = self._good(reached, adds, picked, places, candidates, test)

    def _good(
        self,
        reached: int,
        adds: list[tuple[int, ...]],
        picked: Sequence[int],
        places: Sequence[int],
        candidates: Candidates,
        test: Test,
    ) -> int:
        """Return which totals over all candidates meet the condition, as bits."""
        lows = [sum(min(add[place], 0) for place in places) for add in adds]
        before = [sum(add[place] for place in picked) for add in adds]
        if self.counts:
            step = self.steps[-1]
            first, last = max(candidates.least, 0), candidates.most
            if last < first:
                return 0
            reached &= (1 << (last + 1) * step) - (1 << first * step)
            before[-1] = 0
        good, looked = [], 0
        digits = bin(reached)[:1:-1]
        at = digits.find("1")
        while at >= 0:
            looked += 1
            if looked > MOST_TOTALS:
                raise Overflow
            left, totals = at, []
            for number in range(len(adds) - 1, -1, -1):
                found, left = divmod(left, self.steps[number])
                totals.append(found + lows[number] + before[number])
            totals.reverse()
            if test(tuple(totals), tuple):
                good.append(at)
            at = digits.find("1", at + 1)
        if not good:
            return 0
        row = bytearray(good[-1] // 8 + 1)
        for at in good:
            row[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(row, "little")

    def can(self, chosen: tuple[int, ...]) -> bool:
        """Return whether some chosen candidates can be completed to what meets the condition."""
        reached, least = self.tails[chosen[-1] + 1 if chosen else 0]
        shift = least - self.least + sum(self.gains[number] for number in chosen)
        return bool(self.good >> shift & reached) if shift >= 0 else False


class GreedyTotal:
    """A sum that is compared with a number, too large for a row of bits: the best that can be."""

    def __init__(self, candidates: Candidates, part: Contribution, word: str) -> None:
        self.candidates = candidates
        self.compared = ORDERS[word]
        self.base = part.base + sum(part.adds[place] for place in candidates.picked)
        self.adds = [part.adds[place] for place in candidates.places]
        self.up = word in (">", ">=")

    def can(self, chosen: tuple[int, ...]) -> bool:
        """Return whether some chosen candidates can be completed to what meets the condition."""
        candidates = self.candidates
        total = self.base + sum(self.adds[number] for number in chosen)
        left = sorted(self.adds[chosen[-1] + 1 if chosen else 0 :], reverse=self.up)
        for number, add in enumerate(left[: candidates.most - len(chosen)]):
            better = add > 0 if self.up else add < 0
            if not better and number >= candidates.least - len(chosen):
                break
            total += add
        return bool(self.compared(total, 0))


class ReachableValues:
    """Any aggregates: the values they can have, each with one selection that has them."""

    def __init__(self, candidates: Candidates, parts: Sequence[Contribution], test: Test) -> None:
        self.candidates = candidates
        self.parts = parts
        self.test = test
        self.left = MOST_STEPS
        self.known: dict[Totals, bool] = {}
        counted = [values for part in parts for values, _ in part.different]
        lines = [len({values[place] for place in candidates.places}) for values in counted]
        ordered = any(part.kind in ("head", "tail") for part in parts)
        self.values = counted
        self.grouped = -1
        """The values by which the things are looked through: those that are seen in turn need not be
        remembered."""

        if counted and not ordered:
            self.grouped = max(range(len(counted)), key=lines.__getitem__)

    def can(self, chosen: tuple[int, ...]) -> bool:
        """Return whether some chosen candidates can be completed to what meets the condition."""
        candidates, grouped = self.candidates, self.grouped
        places = candidates.places_of(chosen)
        rest = sorted(candidates.places[chosen[-1] + 1 if chosen else 0 :])
        seen = tuple([frozenset(values[place] for place in places) for values in self.values])
        totals = self._start(places)
        if grouped >= 0:
            values = self.values[grouped]
            numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
            rest.sort(key=lambda place: numbers[values[place]])
        least, most = (
            candidates.least + len(candidates.picked),
            candidates.most + len(candidates.picked),
        )
        state = (totals, len(places), seen)
        if len(places) >= least and self._meets(totals, places):
            return True
        states: dict[Any, tuple[int, ...]] = {state: tuple(places)}
        for number, place in enumerate(rest):
            enough = len(rest) - number - 1
            for (totals, count, seen), which in list(states.items()):
                self.left -= 1
                if self.left < 0:
                    raise Overflow
                if count >= most:
                    continue
                after = self._with(totals, seen, place, count)
                more = (*which, place)
                if count + 1 >= least and self._meets(after[0], more):
                    return True
                if count + 1 + enough >= least:
                    states.setdefault((after[0], count + 1, after[1]), more)
            if grouped >= 0 and number + 1 < len(rest):
                values = self.values[grouped]
                if values[rest[number + 1]] != values[place]:
                    # Of this value no more will come: whether it was seen is all the same.
                    states = {
                        (totals, count, self._without(seen, values[place])): which
                        for (totals, count, seen), which in states.items()
                    }
            if len(states) > MOST_VALUES:
                raise Overflow
        return False

    def _without(self, seen: tuple[frozenset[Any], ...], value: Any) -> tuple[Any, ...]:
        at = self.grouped
        return (*seen[:at], seen[at] - {value}, *seen[at + 1 :])

    def _meets(self, totals: Totals, places: Sequence[int]) -> bool:
        found = self.known.get(totals)
        if found is None:
            items = self.candidates.items

            def chosen() -> tuple[Value, ...]:
                return tuple([items[place] for place in sorted(places)])

            found = self.known[totals] = self.test(totals, chosen)
        return found

    def _start(self, places: Sequence[int]) -> Totals:
        """Return the aggregates of what is chosen."""
        totals: Totals = tuple([STARTS[part.kind] for part in self.parts])
        seen: tuple[frozenset[Any], ...] = (frozenset(),) * len(self.values)
        for count, place in enumerate(places):
            totals, seen = self._with(totals, seen, place, count)
        return totals

    def _with(
        self, totals: Totals, seen: tuple[frozenset[Any], ...], place: int, count: int
    ) -> tuple[Totals, tuple[frozenset[Any], ...]]:
        """Return the aggregates, and the values that have been seen, with one thing more."""
        found: list[Any] = []
        more = list(seen)
        at = 0
        for part, total in zip(self.parts, totals, strict=True):
            add = part.adds[place]
            match part.kind:
                case "sum" | "any" | "all":
                    total += add
                    for values, often in part.different:
                        value = values[place]
                        if value in more[at]:
                            total -= often
                        elif value is not NOTHING:
                            more[at] = more[at] | {value}
                        at += 1
                    if part.kind != "sum":
                        total = min(total, 1)
                case "least":
                    total = add if total is None else min(total, add)
                case "greatest":
                    total = add if total is None else max(total, add)
                case "head":
                    total = total if count >= part.size else (*total, add)
                case "tail":
                    total = add
            found.append(total)
        return tuple(found), tuple(more)


STARTS: Mapping[str, Any] = {
    "sum": 0,
    "any": 0,
    "all": 0,
    "least": None,
    "greatest": None,
    "head": (),
    "tail": None,
}
"""What aggregates are of nothing."""
