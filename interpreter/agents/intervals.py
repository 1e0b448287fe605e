"""What was measured in some games, with an interval that holds the true value in 95 of 100 cases.

The unit is the seed. Games with the same seed have the same cards and dice and differ in who sits where, so
they are not independent: what is counted is the mean of each seed, and how much these differ.

- A mean has the interval of Student's t over the means of the seeds.
- A share has Wilson's interval, with as many games as would scatter as the seeds do: fewer than were played if games with
  the same seed come out alike, more if whoever loses on one side wins on the other (the effective
  sample size of a cluster sample: Korn and Graubard, Survey Methodology 24, 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, cos, inf, pi, sin, sqrt
from statistics import NormalDist, fmean, variance

import attrs

LEVEL = 0.95
NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)
MOST_WORTH = 4
"""A game counts as so many at most."""

LONG = 1000
"""With so many degrees of freedom Student's distribution is the normal one but for a thousandth."""


@attrs.frozen
class Estimate:
    """A value that was measured, and between which bounds the true one lies in 95 of 100 cases; the bounds
    are infinite if one seed alone was played.

    >>> won = arena(game, ["search:20", "random"], range(3)).standings[0].wins
    >>> won.low <= won.value <= won.high
    True
    """

    value: float
    low: float
    high: float


def mean(seeds: Sequence[float]) -> Estimate:
    """Return the mean of values, one for each seed, with its interval."""
    middle = fmean(seeds)
    if len(seeds) < 2:
        return Estimate(middle, -inf, inf)
    reach = student(len(seeds) - 1) * sqrt(variance(seeds) / len(seeds))
    return Estimate(middle, middle - reach, middle + reach)


def share(seeds: Sequence[float], games: int) -> Estimate:
    """Return the mean of shares, one for each seed, with its interval; `games` were played with all of
    them together."""
    part = fmean(seeds)
    size = float(games)
    binomial = part * (1 - part)
    if binomial and len(seeds) > 1:
        scatter = variance(seeds) / len(seeds)
        most = float(MOST_WORTH * games)
        size = max(min(binomial / scatter, most), len(seeds)) if scatter else most
    square = NORMAL**2 / size
    middle = (part + square / 2) / (1 + square)
    reach = NORMAL * sqrt(binomial / size + square / size / 4) / (1 + square)
    low = 0.0 if part == 0 else max(middle - reach, 0.0)
    return Estimate(part, low, 1.0 if part == 1 else min(middle + reach, 1.0))


@lru_cache
def student(freedom: int) -> float:
    """Return beyond which value Student's t with so many degrees of freedom lies on either side in 5 of 100
    cases."""
    if freedom > LONG:
        return NORMAL + (NORMAL**3 + NORMAL) / (4 * freedom)
    low, high = 0.0, 20.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < LEVEL else (low, middle)
    return high


def _within(reach: float, freedom: int) -> float:
    """Return how likely Student's t lies between -reach and reach: the finite series for whole degrees of
    freedom (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = atan(reach / sqrt(freedom))
    square = cos(angle) ** 2
    odd = freedom % 2
    total, term = 0.0, cos(angle) if odd else 1.0
    for step in range(1 + odd, freedom, 2):
        total += term
        term *= square * step / (step + 1)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
