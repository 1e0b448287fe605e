"""Search by samples: information-set Monte Carlo tree search, for any rule file.

One tree belongs to the player who decides (single-observer ISMCTS: Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012). Each iteration draws a state that the player
cannot tell from the real one, goes down the tree through the options that are possible in it, adds one move,
plays on at random, and gives each move on the way the reward of the player whose move it is. So any number
of players, chance, and what several decide at the same time need nothing of their own:

- Chance is drawn in each sample; it is no node of the tree.
- Pieces of a selection are decisions one below the other.
- Of several who act at once the searcher decides first: so his move cannot answer theirs.
- Where a move of somebody else is hidden, what the searcher notices of it names the node behind it; the
  statistics of the move are its player's.

It is no equilibrium solver: in games of bluff it plays one strong line rather than a mixture.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from time import perf_counter

import attrs

from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.random import Generator

ITERATIONS = 400
EXPLORATION = 0.7
"""How much a move is worth that has hardly been tried, on rewards from 0 to 1."""

DEEPEST = 1000
"""So many moves are made in the tree at most before the rollout."""


@attrs.frozen
class Weighed:
    """What a search found out about an answer.

    >>> thought = SearchAgent(iterations=50, seed=1).think(seat)
    >>> [(one.action.label, one.visits) for one in thought.options]
    [('Check', 36), ('Bet', 14)]
    """

    action: Action
    visits: int
    """How many iterations began with it."""

    value: float
    """The mean reward of its player, 0 to 1."""


@attrs.frozen
class Thought:
    """What a search found: the answer, and all answers with the most visited first.

    >>> thought = SearchAgent(iterations=50, seed=1).think(seat)
    >>> thought.action.label, thought.iterations
    ('Check', 50)
    """

    action: Action
    options: tuple[Weighed, ...]
    iterations: int
    seconds: float


class _Move:
    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0


class _Node:
    """What is known behind what the searcher has noticed: the moves that were possible somewhere, and the
    nodes behind them by what he notices of each."""

    __slots__ = ("behind", "moves")

    def __init__(self) -> None:
        self.moves: dict[int, _Move] = {}
        self.behind: dict[object, _Node] = {}


class SearchAgent:
    """Takes the answer that the search has visited most. With the same seed, and a budget of iterations,
    it answers the same in all states that its player cannot tell apart.

    >>> SearchAgent(iterations=50, seed=1).choose(seat).label
    'Check'
    """

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        seed: int | str = 0,
    ) -> None:
        """Think for so many iterations or seconds, whichever is over first; 400 iterations if neither is
        given. `depth` is after how many decisions a rollout is cut off; by default at the end of the game
        where that is near, else after 30. Raises `ValueError` unless the numbers are above 0."""
        for name, given in (("iterations", iterations), ("seconds", seconds), ("depth", depth)):
            if given is not None and not given > 0:
                raise ValueError(f"a search needs more than {given} {name}")
        if iterations is None and seconds is None:
            iterations = ITERATIONS
        self.iterations = iterations
        self.seconds = seconds
        self.depth = depth
        self.generator = Generator(f"search {seed}")

    def choose(self, seat: Seat) -> Action:
        """Return the best answer."""
        return seat.actions[0] if len(seat.actions) == 1 else self.think(seat).action

    def think(self, seat: Seat) -> Thought:
        """Return the best answer, and what was found out about each."""
        search = _Search(seat, self.depth, self.generator)
        begun = perf_counter()
        until = None if self.seconds is None else begun + self.seconds
        made = 0
        while made != self.iterations and (until is None or not made or perf_counter() < until):
            search.iterate()
            made += 1
        moves = [search.root.moves.get(option, _Move()) for option in seat.options]
        weighed = [
            Weighed(action, move.visits, move.total / move.visits if move.visits else 0.0)
            for action, move in zip(seat.actions, moves, strict=True)
        ]
        order = sorted(weighed, key=lambda one: (-one.visits, -one.value))
        return Thought(order[0].action, tuple(order), made, perf_counter() - begun)


class _Search:
    """A tree that grows for one decision."""

    def __init__(self, seat: Seat, depth: int | None, generator: Generator) -> None:
        self.seat = seat
        self.evaluation = seat.evaluation
        self.depth = depth or self.evaluation.depth
        self.generator = generator
        self.root = _Node()

    def iterate(self) -> None:
        """Draw a state, go down, add a move, play on, and count what came of it."""
        simulation = self.seat.sample(self.generator)
        path: list[tuple[_Move, int]] = []
        node: _Node | None = self.root
        for _ in range(DEEPEST):
            if node is None:
                break
            player = self._next(simulation)
            if player is None:
                break
            node = self._step(simulation, player, node, path)
        if not simulation.is_over:
            simulation.rollout(self.generator, self.depth)
        rewards = self.evaluation.rewards(simulation.result())
        for move, player in path:
            move.visits += 1
            move.total += rewards[player]

    def _next(self, simulation: Simulation) -> int | None:
        """Return who moves next: of several the searcher, else the first."""
        players = simulation.players
        if self.seat.player in players:
            return self.seat.player
        return players[0] if players else None

    def _step(
        self,
        simulation: Simulation,
        player: int,
        node: _Node,
        path: list[tuple[_Move, int]],
    ) -> _Node | None:
        """Make a move of a player, and return the node behind it; None behind one that is new."""
        options = simulation.options(player)
        if len(options) == 1 and not node.moves and path:
            # Nothing is decided here; elsewhere there may be more to choose from.
            option = options[0]
        else:
            option, is_new = self._select(node, options)
            path.append((node.moves[option], player))
            if is_new:
                simulation.apply(option, player)
                return None
        noticed = simulation.apply_seen_by(option, player, self.seat.player)
        if noticed is None:
            # A dead end: the game is back at the menu, and plays on from there.
            return None
        found = node.behind.get(noticed)
        if found is None:
            found = node.behind[noticed] = _Node()
        return found

    def _select(self, node: _Node, options: Sequence[int]) -> tuple[int, bool]:
        """Return an option that was never tried, if there is one, and whether it is; else the one with the
        greatest upper confidence bound."""
        moves = node.moves
        untried = [option for option in options if option not in moves]
        for option in options:
            if option in moves:
                moves[option].available += 1
        if untried:
            option = self.generator.pick(untried)
            made = moves[option] = _Move()
            made.available = 1
            return option, True
        best, highest = options[0], -1.0
        for option in options:
            move = moves[option]
            tried = move.visits or 1
            bound = move.total / tried + EXPLORATION * sqrt(log(move.available) / tried)
            if bound > highest:
                best, highest = option, bound
        return best, False
