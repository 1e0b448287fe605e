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

Where nothing is hidden and no chance came on the way, what is sure is kept as sure: a move that ends the game is
worth what it pays, and a position what its best move is worth as soon as that is sure (MCTS solver: Winands,
Björnsson and Saito, "Monte-Carlo Tree Search Solver", Computers and Games, 2008). So a win that is seen is not
missed, and a search ends when its answer is sure. A move that is answered by a win at once is a loss; the same answer is
tried against the other moves: so of those that do not meet a threat none takes an iteration (anti-decisive moves:
Teytaud and Teytaud, see `_sure`).

It is no equilibrium solver: in games of bluff it plays one strong line rather than a mixture.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from time import perf_counter
from typing import TypeAlias

import attrs

from rulewright.interpreter.agents.errors import above_zero, whole_number
from rulewright.interpreter.agents.rollouts import Rollouts
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.random import Generator

ITERATIONS = 400
EXPLORATION = 0.7
"""How much a move is worth that has hardly been tried, on rewards from 0 to 1."""

MOST_TRIED = 12
"""Where there are so many answers at most, the search tries each for whether it wins at once, if nothing is
hidden."""

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
    """The mean reward of its player, 0 to 1; what it is worth, if that is sure."""

    sure: bool = False


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
    rollouts: Rollouts = attrs.field(factory=Rollouts)
    """Whether its playouts ended, or were cut off."""


Rewards: TypeAlias = tuple[float, ...]
"""What a result is worth to each seat, from 0 to 1."""


class _Move:
    __slots__ = ("available", "sure", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.sure: Rewards | None = None
        """What it is worth to all, if that is sure."""


class _Node:
    """What is known behind what the searcher has noticed: the moves that were possible somewhere, and the
    nodes behind them by what he notices of each."""

    __slots__ = ("behind", "moves", "options")

    def __init__(self) -> None:
        self.moves: dict[int, _Move] = {}
        self.behind: dict[object, _Node] = {}
        self.options = 0
        """How many options there were when a move was last made."""

    def sure(self, player: int) -> Rewards | None:
        """Return what the node is worth when a player moves, if that is sure: he has a sure move that
        nothing can be better than, or all moves are sure."""
        found = [move.sure for move in self.moves.values() if move.sure is not None]
        best = max(found, key=lambda rewards: rewards[player], default=None)
        if best is None or (best[player] < 1.0 and len(found) < self.options):
            return None
        return best


Step: TypeAlias = tuple[_Node, _Move, int]
"""A node, the move that was made there, and whose it was."""


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
        exploration: float = EXPLORATION,
    ) -> None:
        """Think for so many iterations or seconds, whichever is over first; 400 iterations if neither is
        given. `depth` is after how many decisions a rollout is cut off; by default at the end of the game
        where that is near, else after 30. `exploration` is how much a move is worth that has hardly been
        tried (rewards are from 0 to 1). Raises `AgentError` unless the numbers are above 0, and those of
        iterations and decisions whole."""
        for name, whole in (("iterations", iterations), ("depth", depth)):
            if whole is not None:
                whole_number(whole, f"`{name}`")
        if seconds is not None:
            above_zero(seconds, "`seconds`")
        above_zero(exploration, "`exploration`")
        if iterations is None and seconds is None:
            iterations = ITERATIONS
        self.iterations = iterations
        self.seconds = seconds
        self.depth = depth
        self.exploration = exploration
        self.generator = Generator(f"search {seed}")
        self.rollouts = Rollouts()
        """How the playouts came out, of all that it has thought so far."""

    def choose(self, seat: Seat) -> Action:
        """Return the best answer."""
        return seat.actions[0] if len(seat.actions) == 1 else self.think(seat).action

    def think(self, seat: Seat) -> Thought:
        """Return the best answer, and what was found out about each."""
        search = _Search(seat, self.depth, self.generator, self.exploration)
        begun = perf_counter()
        until = None if self.seconds is None else begun + self.seconds
        made = 0
        while made != self.iterations and (until is None or not made or perf_counter() < until):
            search.iterate()
            made += 1
            if search.root.sure(seat.player) is not None:
                break
        moves = [search.root.moves.get(option, _Move()) for option in seat.options]
        weighed = [
            Weighed(action, move.visits, _value(move, seat.player), move.sure is not None)
            for action, move in zip(seat.actions, moves, strict=True)
        ]
        sure = search.root.sure(seat.player)
        if sure is not None:
            good = [one for one in weighed if one.sure and one.value == sure[seat.player]]
        else:
            least = max(one.value for one in weighed if not one.sure)
            good = [one for one in weighed if not one.sure or one.value >= least]
        order = sorted(
            weighed, key=lambda one: (one not in good, not one.sure, -one.visits, -one.value)
        )
        seconds, rollouts = perf_counter() - begun, search.rollouts(made)
        self.rollouts += rollouts
        return Thought(order[0].action, tuple(order), made, seconds, rollouts)


def _value(move: _Move, player: int) -> float:
    if move.sure is not None:
        return move.sure[player]
    return move.total / move.visits if move.visits else 0.0


class _Search:
    """A tree that grows for one decision."""

    def __init__(
        self, seat: Seat, depth: int | None, generator: Generator, exploration: float
    ) -> None:
        self.seat = seat
        self.exploration = exploration
        self.evaluation = seat.evaluation
        self.depth = depth or self.evaluation.depth
        self.generator = generator
        self.root = _Node()
        self.cut = 0
        self.silent = 0
        self.solves = seat.hides_nothing
        self.before: Simulation | None = None
        """The game before the move that was added, if it may be searched for what is sure."""

    def iterate(self) -> None:
        """Draw a state, go down, add a move, play on, and count what came of it."""
        simulation = self.seat.sample(self.generator)
        chance = simulation.chance_so_far
        path: list[Step] = []
        self.before = None
        node: _Node | None = self.root
        for _ in range(DEEPEST):
            if node is None:
                break
            player = self._next(simulation)
            if player is None:
                break
            node = self._step(simulation, player, node, path)
        rewards = self._sure(simulation, chance, path) if self.solves else None
        if rewards is not None:
            _keep_what_is_sure(path, rewards)
        else:
            if not simulation.is_over:
                simulation.rollout(self.generator, self.depth)
            result = simulation.result()
            rewards = self.evaluation.rewards(result)
            self.cut += not result.finished
            self.silent += not self.evaluation.tells(result)
        for _, move, player in path:
            move.visits += 1
            move.total += rewards[player]

    def rollouts(self, made: int) -> Rollouts:
        """Return how so many iterations came out."""
        return Rollouts(made - self.cut, self.cut, self.silent, self.depth if self.cut else 0)

    def _sure(self, simulation: Simulation, chance: int, path: Sequence[Step]) -> Rewards | None:
        """Return what a position is worth, if that is sure at a glance: the game is over, or whoever moves can
        end it with what nothing is better than; only as long as no chance has come since the stream stood
        there. Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search
        algorithms" (CIG 2010)."""
        if simulation.chance_so_far != chance:
            return None
        if simulation.is_over:
            return self.evaluation.rewards(simulation.result())
        player = self._next(simulation)
        if player is None or simulation.count(player) > MOST_TRIED:
            return None
        for option in simulation.options(player):
            after = simulation.clone()
            after.apply(option, player)
            if after.is_over and after.chance_so_far == chance:
                rewards = self.evaluation.rewards(after.result())
                if rewards[player] == 1.0:
                    self._refute(path, option, player, chance)
                    return rewards
        return None

    def _refute(self, path: Sequence[Step], option: int, player: int, chance: int) -> None:
        """Keep as lost what the answer wins against just as it has won against the last move of a path: it was
        a threat, and these moves do not meet it either. Otherwise the first iterations through such a node would
        lose one after the other, and count against the moves that led there, though nobody plays on like that."""
        if self.before is None or not path or path[-1][2] == player:
            return
        node, _, mover = path[-1]
        if self.before.count(mover) > MOST_TRIED:
            return
        for other in self.before.options(mover):
            if other in node.moves:
                continue
            after = self.before.clone()
            after.apply(other, mover)
            if self._next(after) != player or after.count(player) > MOST_TRIED:
                continue
            if option not in after.options(player):
                continue
            after.apply(option, player)
            if not after.is_over or after.chance_so_far != chance:
                continue
            found = self.evaluation.rewards(after.result())
            if found[player] == 1.0:
                lost = node.moves[other] = _Move()
                lost.sure = found

    def _next(self, simulation: Simulation) -> int | None:
        """Return who moves next: of several the searcher, else the first."""
        players = simulation.players
        if self.seat.player in players:
            return self.seat.player
        return players[0] if players else None

    def _step(
        self, simulation: Simulation, player: int, node: _Node, path: list[Step]
    ) -> _Node | None:
        """Make a move of a player, and return the node behind it; None behind one that is new."""
        options = simulation.options(player)
        if len(options) == 1 and not node.moves and path:
            # Nothing is decided here; elsewhere there may be more to choose from.
            option = options[0]
        else:
            option, is_new = self._select(node, options, player)
            path.append((node, node.moves[option], player))
            if is_new:
                self.before = simulation.clone() if self.solves else None
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

    def _select(self, node: _Node, options: Sequence[int], player: int) -> tuple[int, bool]:
        """Return an option that was never tried, if there is one, and whether it is; else the one with the
        greatest upper confidence bound."""
        moves = node.moves
        node.options = len(options)
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
            bound = self._bound(moves[option], player)
            if bound > highest:
                best, highest = option, bound
        return best, False

    def _bound(self, move: _Move, player: int) -> float:
        """Return how good a move may be: the upper confidence bound; of a sure one what it is worth."""
        if move.sure is not None:
            return move.sure[player]
        tried = move.visits or 1
        return move.total / tried + self.exploration * sqrt(log(move.available) / tried)


def _keep_what_is_sure(path: Sequence[Step], rewards: Rewards) -> None:
    """Note what the last move of a path is worth, and what follows from it for those before."""
    found: Rewards | None = rewards
    for node, move, player in reversed(path):
        move.sure = found
        found = node.sure(player)
        if found is None:
            return
