"""How strong the search is: matches against players that are known, with 95 % intervals.

    python tests/benchmarks/strength.py                          # all rows, some hours
    python tests/benchmarks/strength.py perfect greedy_c4 -n 20  # some rows, with so many seeds
    python tests/benchmarks/strength.py --iterations 50 --jobs 2

Each seed is played once in every rotation of the seats. What is compared:

- `PerfectAgent` knows the best answer of a game that is small enough and hides nothing (tic-tac-toe).
- `MirroringAgent` plays connect four as OpenSpiel's search does (`pyspiel.MCTSBot`, with its solver, in their own connect
  four), which gets the same number of iterations; its row is left out where OpenSpiel is missing.
- `SeeingAgent` is the search with the true state instead of samples: an upper bound. The gap to the search says
  how much hidden cards matter in a game, and what it costs not to cheat.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec

import attrs

import rulewright
from rulewright.interpreter.agents.arena import Arena, Entrant, arena
from rulewright.interpreter.agents.intervals import Estimate
from rulewright.interpreter.agents.search import SearchAgent, Thought
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.random import MASK, Generator
from rulewright.interpreter.state.values import Value


class PerfectAgent:
    """Plays a game of two without chance or secrets as well as it can be played; of answers that are as
    good it takes one at random."""

    def __init__(self, seed: int | str = 0) -> None:
        self.generator = Generator(f"perfect {seed}")
        self.worth: dict[object, float] = KNOWN

    def choose(self, seat: Seat) -> Action:
        """Return one of the best answers."""
        start = seat.sample(self.generator)
        found = []
        for option in seat.options:
            after = start.clone()
            after.apply(option)
            found.append(self._value(after) * (1 if seat.player == 0 else -1))
        best = max(found)
        return self.generator.pick(
            [action for action, one in zip(seat.actions, found, strict=True) if one == best]
        )

    def _value(self, simulation: Simulation) -> float:
        """Return what the first seat gets if both play perfectly from here."""
        if simulation.is_over:
            return simulation.result().returns[0]
        key = simulation.store.key()
        if key not in self.worth:
            (player,) = simulation.players
            values = []
            for option in simulation.options():
                after = simulation.clone()
                after.apply(option)
                values.append(self._value(after))
            self.worth[key] = max(values) if player == 0 else min(values)
        return self.worth[key]


MIRRORING = "mcts"

THEIR_EXPLORATION = 1.4
"""How much a move is worth to OpenSpiel that has hardly been tried, on rewards from -1 to 1. With the 2 of their own
examples it is weaker: of 200 games between both it won 87 and lost 105."""

MEGABYTES = 100
"""So large may a tree of theirs become."""

KNOWN: dict[object, float] = {}
"""What positions are worth, for all perfect agents of one run: it plays one game only."""


class SeeingSeat(Seat):
    """A seat that sees everything but what chance will bring."""

    def sample(self, generator: Generator) -> Simulation:
        """Return the real game, with another stream of chance."""
        found = Simulation.of(self._state)
        store = found.store
        store.columns[SCALARS][RANDOM] = generator.below(MASK)
        if store.fork is not None:
            start = [column.copy() for column in store.fork.columns]
            start[SCALARS][RANDOM] = generator.below(MASK)
            branches = [
                attrs.evolve(one, random=generator.below(MASK)) for one in store.fork.branches
            ]
            store.fork = attrs.evolve(store.fork, columns=tuple(start), branches=tuple(branches))
        return found

    @cached_property
    def _knowledge(self) -> None:
        raise AssertionError("nobody who sees everything needs to know anything")


class SeeingAgent(SearchAgent):
    """The search with the true state: what a cheat would find."""

    def think(self, seat: Seat) -> Thought:
        """Search without guessing."""
        return super().think(SeeingSeat(seat._state, seat.player))


class MirroringAgent:
    """Plays connect four by the search of OpenSpiel: the answers so far, given in its own connect four, lead
    to the same position, and its bot says what comes next. One rollout an iteration, and the solver."""

    def __init__(self, iterations: int, seed: str, exploration: float = THEIR_EXPLORATION) -> None:
        """Raises `ImportError` if OpenSpiel is missing."""
        import pyspiel

        self.game = pyspiel.load_game("connect_four")
        number = Generator(f"mirroring {seed}").below(2**31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        self.bot = pyspiel.MCTSBot(
            self.game, evaluator, exploration, iterations, MEGABYTES, True, number, False
        )

    def choose(self, seat: Seat) -> Action:
        """Return their answer."""
        mirror = self.game.new_initial_state()
        for answer in seat._state.history():
            mirror.apply_action(_column(answer.value))
        column = self.bot.step(mirror)
        (found,) = [action for action in seat.actions if _column(action.value) == column]
        return found


def _column(value: Value) -> int:
    """Return their number of a column: ours begin with 1."""
    assert isinstance(value, int), "which column a disc is dropped into"
    return value - 1


@attrs.frozen
class Row:
    """A match: what it shows, between whom, and with how many seeds."""

    game: str
    agents: tuple[str, ...]
    seeds: int
    wanted: str
    players: int = 2


ROWS = {
    "random": Row("tic_tac_toe", ("search", "random"), 100, "no loss in 200"),
    "greedy": Row("tic_tac_toe", ("search", "greedy"), 100, "no loss in 200"),
    "perfect": Row("tic_tac_toe", ("search", "perfect"), 100, "at least 95 % drawn"),
    "greedy_c4": Row("connect_four", ("search", "greedy"), 100, "wins >= 0.95"),
    "mcts_c4": Row("connect_four", ("search", MIRRORING), 100, "share >= 0.45"),
    "more_c4": Row("connect_four", ("search:800", "search:100"), 200, "share >= 0.55"),
    "kuhn": Row("kuhn_poker", ("search", "random"), 500, "payoff above 0"),
    "greedy_gate": Row("jump_gate_2e", ("search", "greedy"), 50, "wins >= 0.95"),
    "greedy_gate_4": Row("jump_gate_2e", ("search", "greedy"), 25, "wins >= 0.60", players=4),
    "more_gate": Row("jump_gate_2e", ("search:800", "search:100"), 200, "share >= 0.55"),
    "greedy_drive": Row("jump_drive", ("search", "greedy"), 50, "wins >= 0.80"),
    "seeing_gate": Row("jump_gate_2e", ("seeing", "search"), 50, "the gap is told"),
    "seeing_drive": Row("jump_drive", ("seeing", "search"), 50, "the gap is told"),
}


def entrant(name: str, iterations: int) -> Entrant:
    """Return what makes an agent; a search that says nothing else has so many iterations."""
    if name == "perfect":
        return PerfectAgent
    if name == "seeing":
        return _Seeing(iterations)
    if name == MIRRORING:
        return _Mirroring(iterations)
    return f"search:{iterations}" if name == "search" else name


@attrs.frozen
class _Seeing:
    iterations: int

    def __call__(self, seed: str) -> SeeingAgent:
        return SeeingAgent(iterations=self.iterations, seed=seed)


@attrs.frozen
class _Mirroring:
    iterations: int

    def __call__(self, seed: str) -> MirroringAgent:
        return MirroringAgent(self.iterations, seed)


def play(row: Row, seeds: range, iterations: int, jobs: int = 1) -> Arena:
    """Play the match of a row."""
    KNOWN.clear()
    game = rulewright.load_game(row.game, players=row.players)
    return arena(game, [entrant(name, iterations) for name in row.agents], seeds, jobs=jobs)


def told(name: str, row: Row, match: Arena) -> Iterator[str]:
    """Yield the cells of a row of the table."""
    first = match.standings[0]
    losses = max(1 - first.wins.value - first.draws.value, 0.0)
    yield from (name, row.game, " - ".join(row.agents), str(first.games), row.wanted)
    yield from (_shown(first.wins), _shown(first.draws), f"{losses:.3f}")
    yield from ("" if one is None else _shown(one) for one in (first.payoff, first.lead))
    yield f"{match.seconds(0)[0]:.3f}"


def _shown(one: Estimate) -> str:
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"


HEADS = (
    *("row", "game", "agents", "games", "wanted", "won", "drawn", "lost", "payoff", "lead"),
    "CPU seconds a decision",
)


def main() -> None:
    """Play the rows that are named and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", choices=[[], *ROWS], help="all if none is named")
    parser.add_argument("-n", type=int, help="so many seeds instead of those of the row")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--iterations", type=int, default=400, help="of each search (400)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes play")
    given = parser.parse_args()
    print(f"seeds from {given.seed}, {given.iterations} iterations\n")
    print("|", " | ".join(HEADS), "|")
    print("|", " | ".join("---" for _ in HEADS), "|")
    for name in given.rows or ROWS:
        row = ROWS[name]
        if MIRRORING in row.agents and find_spec("pyspiel") is None:
            print(f"{name} is left out: OpenSpiel is not here (`pip install open_spiel`)")
            continue
        seeds = range(given.seed, given.seed + (given.n or row.seeds))
        match = play(row, seeds, given.iterations, given.jobs)
        print("|", " | ".join(told(name, row, match)), "|", flush=True)


if __name__ == "__main__":
    main()
