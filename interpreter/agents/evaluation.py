"""How good a position is for each player, from 0 to 1: what a search backs up and the greedy agent compares.

The measure is made of what every game says: what it pays at its end, and how the score stands. What is much
and what is little is found out once for each game, in some random games.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh
from statistics import fmean, pstdev
from weakref import WeakKeyDictionary

import attrs

from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.playout import LIMIT
from rulewright.interpreter.play.simulation import Result, Simulation
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.random import Generator

GAMES = 30
DECISIONS = 10_000
"""So many random games are played at most, and as soon as there were so many decisions no more begin."""

SHORT = 60
"""Games that are shorter at random are played to their end in a rollout."""

CUT = 30
"""After so many decisions a rollout of a longer game is cut off."""


@attrs.frozen
class Evaluation:
    """What results of a game are worth."""

    low: float
    high: float
    """The least and the greatest that a player has got in the random games."""

    spread: float
    """The standard deviation of the lead in points; 0 if the game counts none."""

    more_is_better: bool
    """Whether those who came first had the more points."""

    length: float
    """How many decisions a random game takes."""

    @property
    def depth(self) -> int:
        """After how many decisions a rollout is cut off."""
        return LIMIT if self.length < SHORT else CUT

    def rewards(self, result: Result) -> tuple[float, ...]:
        """Return what a result is worth to each seat, 0 to 1: with points half of it what the game pays
        (or the places so far), half by how many points a seat is ahead; else all of it the former."""
        seats = range(len(result.returns))
        if result.finished:
            reach = self.high - self.low
            paid = [
                min(max((one - self.low) / reach, 0.0), 1.0) if reach else 0.5
                for one in result.returns
            ]
        elif len(result.places) > 1:
            paid = [_beaten(result.places, seat) for seat in seats]
        else:
            paid = [0.5 for _ in seats]
        if not self.spread or not result.points:
            return tuple(paid)
        scored = [0.5 + 0.5 * tanh(lead / self.spread) for lead in self._leads(result.points)]
        return tuple((one + other) / 2 for one, other in zip(paid, scored, strict=True))

    def tells(self, result: Result) -> bool:
        """Return whether a result says anything: the game is over, points are counted, or somebody is before
        somebody."""
        return result.finished or bool(self.spread and result.points) or len(set(result.places)) > 1

    def _leads(self, points: Sequence[int]) -> list[float]:
        return leads(points if self.more_is_better else [-point for point in points])


def leads(points: Sequence[float]) -> list[float]:
    """Return how far each seat is ahead of the best of the others (or behind: less than 0); of one alone its
    points."""
    if len(points) < 2:
        return list(points)
    return [
        own - max(one for other, one in enumerate(points) if other != seat)
        for seat, own in enumerate(points)
    ]


def _beaten(places: Sequence[int], seat: int) -> float:
    """Return the part of the others that a seat is before; who has the same place counts half."""
    others = [place for other, place in enumerate(places) if other != seat]
    won = sum(1.0 if place > places[seat] else 0.5 for place in others if place >= places[seat])
    return won / len(others)


def evaluation(game: Game) -> Evaluation:
    """Return what results of a game are worth; found out once for each loaded game."""
    found: Evaluation | None = _KNOWN.get(game.program)
    if found is None:
        found = _KNOWN[game.program] = _measured(game)
    return found


_KNOWN: WeakKeyDictionary[Program, Evaluation] = WeakKeyDictionary()


def _measured(game: Game) -> Evaluation:
    results: list[Result] = []
    lengths: list[int] = []
    while len(results) < GAMES and sum(lengths) < DECISIONS:
        seed = f"evaluation {len(results)}"
        simulation = Simulation.begin(game, seed)
        lengths.append(simulation.rollout(Generator(seed), LIMIT))
        results.append(simulation.result())
    paid = [one for result in results if result.finished for one in result.returns]
    ranked = [one for one in results if one.points and one.places]
    ahead = [lead for one in ranked for lead in leads(one.points)]
    return Evaluation(
        low=min(paid, default=0.0),
        high=max(paid, default=0.0),
        spread=pstdev(ahead) if ahead else 0.0,
        more_is_better=sum(map(_first_are_ahead, ranked)) >= 0,
        length=fmean(lengths),
    )


def _first_are_ahead(result: Result) -> float:
    """Return how many points more, in the mean, those have who came first than all have."""
    first = [point for point, place in zip(result.points, result.places, strict=True) if place == 1]
    return fmean(first) - fmean(result.points)
