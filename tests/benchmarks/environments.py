"""What a step of an environment costs: a game as it is searched, the environment around it, and what is observed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import attrs
from measuring import Costs, Table, Work, figure, interleaved, ratios, spread, times

from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.random import Generator

IS_HERE = find_spec("pettingzoo") is not None
"""Whether the library is installed for which they are."""

ALONE, BLIND, OBSERVED = "simulation", "without observing", "with all"
MOST = 2000
"""A random game is left after so many steps."""


@attrs.frozen
class RandomGames:
    """Plays random games with one environment."""

    table: Any

    def alone(self, seed: int) -> int:
        """Play without the environment."""
        simulation, generator = Simulation.begin(self.table.game, seed), Generator(seed)
        for step in range(MOST):
            if not simulation.players:
                return step
            simulation.apply(generator.pick(simulation.options()))
        return MOST

    def blind(self, seed: int) -> int:
        """Play with its steps."""
        table, generator = self.table, Generator(seed)
        table.reset(seed=seed)
        for step in range(MOST):
            if table.terminations[table.agent_selection]:
                return step
            table.step(generator.pick(table.simulation.options()))
        return MOST

    def observed(self, seed: int) -> int:
        """Play as a program that learns does."""
        table = self.table
        table.reset(seed=seed)
        for step in range(MOST):
            seen, _, terminated, _, _ = table.last()
            if terminated:
                return step
            space = table.action_space(table.agent_selection)
            table.step(space.sample(seen["action_mask"]))
        return MOST


def works(game: Game) -> dict[str, Work]:
    """Return what plays a game, by its name."""
    from rulewright.interpreter.bridges.pettingzoo import GameEnv

    games = RandomGames(GameEnv(game, max_answers=None))
    return {ALONE: games.alone, BLIND: games.blind, OBSERVED: games.observed}


def measure(name: str, rounds: int, seconds: float) -> Costs:
    """Return what a step of a game costs."""
    return interleaved(works(load_game(name)), rounds, seconds)


def table(measured: dict[str, Costs]) -> Table:
    """Return what has been measured as a table, a row for each game."""
    rows = []
    for name, costs in measured.items():
        medians = [spread(costs[one]).median for one in (ALONE, BLIND, OBSERVED)]
        figures = [figure(1e6 / medians[-1]), *map(figure, medians)]
        rows.append((name, *figures, times(ratios(costs, OBSERVED, ALONE))))
    head = ("game", "steps a second", *(f"µs {one}" for one in (ALONE, BLIND, OBSERVED)))
    return Table("Environments", (*head, "times a simulation"), tuple(rows))
