"""Greedy: looks one answer ahead, to what the game itself counts."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.random import Generator

SAMPLES = 4
"""In so many states that the player cannot tell apart each answer is tried."""

MOST_ANSWERS = 20
"""So many answers that belong to the same transaction are given at random at most."""


@attrs.frozen
class Looks:
    """How often somebody who looks one answer ahead saw no difference."""

    alike: int = 0
    """Decisions in which all answers were worth the same, so that chance chose one."""

    decisions: int = 0
    """All in which there was more than one answer."""

    def __add__(self, other: Looks) -> Looks:
        return Looks(self.alike + other.alike, self.decisions + other.decisions)


def looks_of(agents: Iterable[object]) -> Looks:
    """Return what agents that look one answer ahead have seen so far, each taken once."""
    found = {id(one): one.looks for one in agents if isinstance(one, GreedyAgent)}
    return sum(found.values(), Looks())


class GreedyAgent:
    """Takes the answer behind which he stands best: by what the game pays if it ends there, otherwise by
    the places and points so far. What still belongs to the answer (further pieces of a selection) is
    chosen at random. With the same seed it answers the same in all states that its player cannot tell
    apart.

    >>> GreedyAgent(seed=1).choose(seat).label in ("Bet", "Check")
    True
    """

    def __init__(self, seed: int | str = 0) -> None:
        self.generator = Generator(f"greedy {seed}")
        self.looks = Looks()
        """What it has seen so far."""

    def choose(self, seat: Seat) -> Action:
        """Return the best answer; one of them where several are as good."""
        if len(seat.actions) == 1:
            return seat.actions[0]
        worth = [0.0] * len(seat.options)
        for _ in range(SAMPLES):
            start = seat.sample(self.generator)
            for number, option in enumerate(seat.options):
                worth[number] += self._behind(seat, start.clone(), option)
        best = max(worth)
        self.looks += Looks(int(best <= min(worth)), 1)
        return self.generator.pick(
            [action for action, one in zip(seat.actions, worth, strict=True) if one >= best]
        )

    def _behind(self, seat: Seat, simulation: Simulation, option: int) -> float:
        """Return what a state is worth to the player in which he has taken an option."""
        running = simulation.transaction(seat.player)
        simulation.apply(option, seat.player)
        for _ in range(MOST_ANSWERS):
            if simulation.transaction(seat.player) is not running:
                break
            simulation.apply(simulation.draw(self.generator, seat.player), seat.player)
        return seat.evaluation.rewards(simulation.result())[seat.player]
