"""Where the time of a decision goes: the search, taken apart game by game.

    python tests/benchmarks/thinking.py                             # all games, some minutes
    python tests/benchmarks/thinking.py kuhn_poker jump_wars:4 -n 5 # some, with so many decisions of each

Random players play a game; at some of their decisions the search thinks on the side. The methods that it stands on are
clocked while it does, each without what it calls of the others; what is left is the search's own. CPU time; the clock itself
costs one to two microseconds a call, which counts for the part that calls.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import process_time
from typing import Any, ParamSpec, TypeVar

import attrs
from measuring import Table, figure

from rulewright.interpreter.agents.evaluation import Evaluation
from rulewright.interpreter.agents.search import SearchAgent, _Search
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.random import Generator

P = ParamSpec("P")
R = TypeVar("R")

GAMES = (
    *("tic_tac_toe", "connect_four", "kuhn_poker", "jump_gate_2e"),
    *("jump_gate_2010:3", "jump_drive", "jump_wars:3"),
)
"""Each with its players behind a colon, or 2."""

SAMPLING, TREE, SURE, ROLLOUTS, NAMES, VALUES, REST = PARTS = (
    *("samples", "options and answers in the tree", "what is sure", "rollouts", "what is noticed"),
    *("values", "rest"),
)

CLOCKED: Sequence[tuple[str, type, str]] = (
    (SAMPLING, Seat, "sample"),
    (TREE, Simulation, "options"),
    (TREE, Simulation, "apply"),
    (SURE, _Search, "_sure"),
    (ROLLOUTS, Simulation, "rollout"),
    (NAMES, Simulation, "apply_seen_by"),
    (VALUES, Simulation, "result"),
    (VALUES, Evaluation, "rewards"),
)
"""What is clocked, and to which part it belongs."""

WHOLE = frozenset({SAMPLING, SURE})
"""Parts in which all that they call belongs to them."""

BETWEEN = 7
"""So many random decisions lie between two on which the search thinks."""


class Clock:
    """Says how much time each part takes; of parts inside each other time goes to the inner one, or to a whole."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PARTS, 0.0)
        self.running = [REST]
        self._since = process_time()

    def go_on(self) -> None:
        """Begin here: what was done since the last switch belongs to nothing."""
        self._since = process_time()

    def switch(self) -> None:
        """Give the time until now to the part that runs."""
        now = process_time()
        self.spent[self.running[-1]] += now - self._since
        self._since = now

    def clocked(self, part: str, function: Callable[P, R]) -> Callable[P, R]:
        """Return a function that does the same, and is clocked."""

        def call(*given: P.args, **named: P.kwargs) -> R:
            if self.running[-1] in WHOLE:
                return function(*given, **named)
            self.switch()
            self.running.append(part)
            try:
                return function(*given, **named)
            finally:
                self.switch()
                self.running.pop()

        return call


@contextmanager
def clocking() -> Iterator[Clock]:
    """Clock what a search stands on, as long as this goes on."""
    clock = Clock()
    before = [(owner, name, getattr(owner, name)) for _, owner, name in CLOCKED]
    try:
        for part, owner, name in CLOCKED:
            setattr(owner, name, clock.clocked(part, getattr(owner, name)))
        yield clock
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


@attrs.frozen
class Measured:
    """What thinking about some decisions of a game has taken."""

    decisions: int
    iterations: int
    seconds: float
    """Without the clock."""

    spent: dict[str, float]
    """The seconds of each part, with the clock."""


def measure(game: Game, decisions: int, iterations: int = 100) -> Measured:
    """Let the search think about some decisions, once without the clock and once with it: both think the same."""
    # What is written or measured when it is first needed belongs to no decision.
    _think(game, decisions, iterations)
    seconds, made = _think(game, decisions, iterations)
    with clocking() as clock:
        _think(game, decisions, iterations, clock)
    return Measured(decisions, made, seconds, clock.spent)


def _think(
    game: Game, decisions: int, iterations: int, clock: Clock | None = None
) -> tuple[float, int]:
    """Return how many seconds thinking took, and how many iterations there were."""
    seconds, made, found, seed = 0.0, 0, 0, 0
    while found < decisions:
        state, generator, answers = game.new_initial_state(seed), Generator(seed), 0
        while found < decisions and not state.is_terminal():
            player = state.current_players()[0]
            seat = Seat(state, player)
            # The first decisions of short games count as well.
            if answers % BETWEEN == seed % BETWEEN and len(seat.actions) > 1:
                agent = SearchAgent(iterations, seed=found)
                begun = process_time()
                if clock is not None:
                    clock.go_on()
                made += agent.think(seat).iterations
                if clock is not None:
                    clock.switch()
                seconds += process_time() - begun
                found += 1
            state.apply_action(seat.draw(generator), player)
            answers += 1
        seed += 1
    return seconds, made


def table(measured: dict[str, Measured]) -> Table:
    """Return what has been measured as a table, a row for each game."""
    rows = []
    for name, one in measured.items():
        whole = sum(one.spent.values()) or 1.0
        shares = [f"{100 * one.spent[part] / whole:.0f}" for part in PARTS]
        rate = figure(one.iterations / one.seconds) if one.seconds else "0"
        rows.append((name, rate, *shares))
    return Table(
        "Thinking", ("game", "iterations a second", *(f"{part}, %" for part in PARTS)), tuple(rows)
    )


def loaded(name: str) -> Game:
    """Return a game by its name, with its players behind a colon, or 2."""
    folder, _, players = name.partition(":")
    return load_game(folder, players=int(players or 2))


def main(given: Any = None) -> None:
    """Measure the games that are named and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, help="as in jump_wars:4; all if none")
    parser.add_argument("-n", type=int, default=20, help="so many decisions of each game (20)")
    parser.add_argument("--iterations", type=int, default=100, help="of each search (100)")
    told = parser.parse_args(given)
    measured = {name: measure(loaded(name), told.n, told.iterations) for name in told.games}
    print(table(measured).markdown())


if __name__ == "__main__":
    main()
