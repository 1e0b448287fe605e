"""Measuring: things to do in, what they cost and how their costs compare out.

All candidates take their turns within each round, so what the machine does beside hits all alike. A
ratio is made within a round; its median and its range over the rounds are what is shown.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from time import process_time

import attrs

Work = Callable[[int], int]
"""Does something with a seed, and returns how many units of work that was."""

Costs = dict[str, list[float]]
"""For each candidate what a unit of work has cost in each round, in microseconds."""


@attrs.frozen
class Spread:
    """The median and the range of some numbers."""

    median: float
    least: float
    greatest: float


def spread(numbers: Sequence[float]) -> Spread:
    """Return median, least and greatest of the numbers."""
    return Spread(statistics.median(numbers), min(numbers), max(numbers))


def ratios(costs: Costs, name: str, base: str) -> Spread:
    """Return how many times as much a candidate costs as another one, round by round."""
    return spread([own / other for own, other in zip(costs[name], costs[base], strict=True)])


def cost(work: Work, seconds: float, first_seed: int = 0) -> float:
    """Return what a unit of work costs, in microseconds of CPU time."""
    gc.collect()
    units = 0
    begun = process_time()
    for seed in count(first_seed):
        units += work(seed)
        spent = process_time() - begun
        if spent >= seconds:
            return spent / units * 1e6
    raise AssertionError("there is always another seed")


def interleaved(works: Mapping[str, Work], rounds: int, seconds: float) -> Costs:
    """Measure all candidates in each round, after a warm-up, forwards and backwards in turn."""
    order = list(works)
    for name in order:
        cost(works[name], seconds / 3)
    costs: Costs = {name: [] for name in order}
    for number in range(rounds):
        for name in order:
            costs[name].append(cost(works[name], seconds, first_seed=1000 * number))
        order.reverse()
    return costs


def repeated(work: Callable[[], object], times: int = 1) -> Work:
    """Return work whose units are calls of a function."""

    def run(_: int) -> int:
        for _ in range(times):
            work()
        return times

    return run


# ------------------------------------------------------------------------------------------ tables


@attrs.frozen
class Table:
    """What a section reports."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Return the table as Markdown, with numbers to the right."""
        columns = zip(*self.rows, strict=True)
        rule = ["---:" if all(_is_figure(cell) for cell in column) else "---" for column in columns]
        lines = [f"**{self.title}**", ""]
        lines += [f"| {' | '.join(row)} |" for row in (self.head, rule, *self.rows)]
        return "\n".join(lines)


def _is_figure(cell: str) -> bool:
    return cell.partition(" (")[0].replace(",", "").replace(".", "").isdigit()


def figure(number: float) -> str:
    """Return a number with three digits that count."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def times(found: Spread) -> str:
    """Return ratios as text: the median, and the range in brackets."""
    return f"{figure(found.median)} ({figure(found.least)} to {figure(found.greatest)})"
