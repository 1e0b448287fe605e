"""A node of the game tree, for libraries that walk it: a state that does not change, with an edge for each
answer and each outcome of chance.

Where several act at once they are asked one after the other, in seat order; none of them knows what
the others have done. What chance may bring is a number for each outcome that can be told from the others,
with its probability; or chance is sampled: then a seed is drawn before the game, by `SEEDS` outcomes twice.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import attrs

from rulewright.interpreter.bridges.extent import Extent, extent_of, has_chance, has_secrets
from rulewright.interpreter.bridges.outcomes import alike_outcomes
from rulewright.interpreter.bridges.recall import Given, Recall
from rulewright.interpreter.engine import actions, executor
from rulewright.interpreter.ir.answers_aloud import heard, spoken_sites
from rulewright.interpreter.knowledge.action_numbers import action_numbers
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.knowledge.observation_vector import (
    ObservationVector,
    observation_vector,
)
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.play.snapshot import snapshots_of
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.errors import InvalidActionError, PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

CHANCE, OVER = -1, -2
"""Who is to move where nobody is: chance, or the game is over."""

SEEDS, DRAWS = 1000, 2
"""A seed is made of so many draws, each of so many outcomes."""

BLANK = "-"
"""What stands for a digest where a player has noticed nothing yet."""

MOST_CELLS, CELLS_OF_A_NODE = 20_000_000, 300
"""So many values are kept, at most: those of nodes to which somebody has come back."""

FEWEST_OUTCOMES = 100
"""At least so many outcomes are announced where chance decides: of dice and numbers nobody has counted them."""


@attrs.frozen
class Request:
    """What somebody has asked for: which game, how it is played, and what is known of it."""

    name: str
    players: int | None = None
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] | None = None
    sampled: bool = False
    """Whether chance is drawn from a seed, and is not told apart."""

    longest: int | None = None
    payoffs: tuple[float, float] | None = None


class Tree:
    """The tree of a game: its root, and what is the same in all nodes."""

    def __init__(self, request: Request, game: Game) -> None:
        self.request = request
        self.game = game
        self.program = game.program
        self.extent: Extent = extent_of(game, request.longest, request.payoffs)
        self.has_chance = has_chance(game.model)
        self.has_secrets = has_secrets(game.program)
        self.numbers = action_numbers(game.program)
        self.spoken = spoken_sites(game.model)
        self.root = _root(self)
        cells = sum(map(len, self._first_store().columns))
        self.room = MOST_CELLS // (cells + CELLS_OF_A_NODE)
        """How many more nodes may be kept."""

    def _first_store(self) -> Store:
        found = self.root.simulation
        return Simulation.begin(self.game).store if found is None else found.store

    @cached_property
    def vectors(self) -> ObservationVector:
        """What makes vectors of what players see."""
        return observation_vector(self.program)

    @cached_property
    def most_outcomes(self) -> int:
        """So many outcomes chance may have."""
        if not self.has_chance:
            return 0
        if self.request.sampled:
            return SEEDS
        layout = self.program.layout
        things = max((len(found) for found in layout.things.values()), default=0)
        values = max((len(one.values) for one in self.game.model.enumerations.values()), default=0)
        return max(things, values, FEWEST_OUTCOMES)

    def __reduce__(self) -> tuple[Any, ...]:
        return tree_of, (self.request,)


@lru_cache(maxsize=32)
def _tree(request: Request, files: Hashable) -> Tree:
    played = attrs.evolve(request, sampled=False, longest=None, payoffs=None)
    return Tree(request, _game(played, files))


@lru_cache(maxsize=32)
def _game(request: Request, files: Hashable) -> Game:
    options = {name: _value(word) for name, word in request.options}
    return load_game(request.name, request.players, request.variants, options, request.names)


def tree_of(request: Request) -> Tree:
    """Return the tree of a game; it is made once, as long as no file of the game changes. Raises what
    `load_game` does, and `ValueError` if the length or the payoffs cannot be."""
    paths = [Path(name) for name in (request.name, *request.variants)]
    return _tree(request, tuple(_files(path) for path in paths))


def _files(path: Path) -> Hashable:
    """Return what changes when somebody changes the files of a game."""
    if path.is_dir():
        return tuple(_files(one) for one in sorted(path.rglob("*")) if one.is_file())
    try:
        found = path.stat()
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size


def _value(word: str) -> Value:
    """Return the value of an option that is given as a word."""
    if word.removeprefix("-").isdecimal():
        return int(word)
    return word


class Node:
    """A state of the game. It does not change; what has been worked out is kept."""

    __slots__ = (
        "_children",
        "_digests",
        "_known",
        "_labels",
        "_legal",
        "_met",
        "_outcomes",
        "_recall",
        "answers",
        "first",
        "player",
        "seeds",
        "simulation",
        "tree",
    )

    def __init__(
        self,
        tree: Tree,
        simulation: Simulation | None,
        seeds: tuple[int, ...],
        answers: int,
        recall: Recall,
        first: int | None = None,
    ) -> None:
        self.tree = tree
        self.simulation = simulation
        """The game; None as long as its seed is drawn."""

        self.seeds = seeds
        self.answers = answers
        """How many answers have been given."""

        self._recall = recall
        self.first = first
        """Who of those who act at once is asked first; None: whoever is first in seat order."""

        self.player = self._to_move()
        """Who is to move: a seat, `CHANCE` or `OVER`."""

        self._children: dict[int, Node] = {}
        self._met: set[int] = set()
        self._digests: dict[int, str] = {}
        self._legal: list[int] | None = None
        self._labels: dict[int, str] | None = None
        self._outcomes: Sequence[tuple[int, float, int]] | None = None
        self._known: dict[int, Knowledge] = {}

    def _to_move(self) -> int:
        simulation = self.simulation
        if simulation is None or simulation.is_chance:
            return CHANCE
        players = () if self.answers >= self.tree.extent.longest else simulation.players
        if self.first in players:
            return self.first
        return players[0] if players else OVER

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.simulation is None:
            return _seeding, (self.tree, self.seeds)
        data = snapshots_of(self.tree.program).pack(self.simulation.store, log=True)
        recall = self._recall
        for seat in range(len(recall.memories)):
            recall = recall.up_to(self.tree.program, self.simulation.store, seat)
        return _unpacked, (self.tree, data, self.seeds, self.answers, recall, self.first)

    # ------------------------------------------------------------------------------------ the edges

    def legal(self) -> list[int]:
        """Return the action numbers of the answers of who is to move, in ascending order; of outcomes, if
        it is chance."""
        if self._legal is None:
            if self.player == CHANCE:
                self._legal = [number for number, _ in self.outcomes()]
            elif self.player == OVER:
                self._legal = []
            else:
                assert self.simulation is not None
                self._legal = sorted(self.simulation.numbered_options(self.player))
        return self._legal

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring: a number and its probability each. Raises `ValueError` if there
        are more outcomes than were announced."""
        return [(number, probability) for number, probability, _ in self._joined()]

    def _joined(self) -> Sequence[tuple[int, float, int]]:
        if self._outcomes is None:
            self._outcomes = self._all_outcomes() if self.player == CHANCE else ()
        return self._outcomes

    def _all_outcomes(self) -> Sequence[tuple[int, float, int]]:
        if self.simulation is None:
            return [(number, 1 / SEEDS, number) for number in range(SEEDS)]
        groups = alike_outcomes(self.tree.program, self.simulation.store)
        count = sum(map(len, groups))
        if len(groups) > self.tree.most_outcomes:
            raise ValueError(
                f"chance has {len(groups)} outcomes here, more than the {self.tree.most_outcomes} that"
                " were announced: load the game with chance=sampled"
            )
        return [(number, len(group) / count, group[0]) for number, group in enumerate(groups)]

    def child(self, action: int) -> Node:
        """Return the node to which an answer or outcome leads. Raises `InvalidActionError` if it is none
        here."""
        found = self._children.get(action)
        if found is None:
            found = self._next(action)
            # What is come back to is kept, as in a tree that is walked again and again.
            if action in self._met:
                if self.tree.room > 0:
                    self.tree.room -= 1
                    self._children[action] = found
            else:
                self._met.add(action)
        return found

    def _next(self, action: int) -> Node:
        if self.player == CHANCE:
            return self._after_chance(action)
        simulation = self.simulation
        if self.player == OVER or simulation is None:
            raise InvalidActionError("the game is over")
        tree, player = self.tree, self.player
        if action not in self.legal():
            raise InvalidActionError(f"{tree.numbers.name(action)} is no answer here")
        asked = pending(tree.program, simulation.store)
        assert asked is not None
        label = ""
        if asked.site in tree.spoken and heard(
            tree.game.model, asked.site, simulation.value(action, player)
        ):
            label = simulation.label(action, player)
        events = simulation.store.count_events()
        after = simulation.clone()
        if after.apply(action, player):
            given = Given(player, action, asked.site, events, label)
            recall = self._recall.after(given)
        else:
            recall = self._recall.after_dead_end(
                tree.program, simulation.store, after.store, player, action
            )
        return Node(tree, after, self.seeds, self.answers + 1, recall, self._still_first(after))

    def _still_first(self, after: Simulation) -> int | None:
        """Return who is asked first as long as the same block goes on in which several act at once."""
        assert self.simulation is not None
        before, now = self.simulation.store.fork, after.store.fork
        same = before is not None and now is not None and before.columns is now.columns
        return self.first if same else None

    def _after_chance(self, action: int) -> Node:
        tree = self.tree
        if self.simulation is None:
            if not 0 <= action < SEEDS:
                raise InvalidActionError(f"chance has no outcome {action} here")
            return _seeding(tree, (*self.seeds, action))
        for number, _, index in self._joined():
            if number == action:
                after = self.simulation.clone()
                after.apply_chance(index)
                first = self._still_first(after)
                return Node(tree, after, self.seeds, self.answers, self._recall, first)
        raise InvalidActionError(f"chance has no outcome {action} here")

    # -------------------------------------------------------------------------------------- in words

    def label(self, action: int) -> str:
        """Return what an answer or outcome is called; what an action number means that is none here."""
        if self._labels is None:
            self._labels = self._all_labels()
        found = self._labels.get(action)
        if found is not None:
            return found
        return f"outcome {action}" if self.player == CHANCE else self.tree.numbers.name(action)

    def _all_labels(self) -> dict[int, str]:
        if self.simulation is None:
            return {number: f"seed {number}" for number in range(SEEDS)}
        program, store = self.tree.program, self.simulation.store
        if self.player == CHANCE:
            listed = executor.outcomes(program, store)
            return {number: listed[index].label for number, _, index in self._joined()}
        if self.player == OVER:
            return {}
        called = {one.value: one.label for one in actions.legal(program, store)}
        return {
            number: called[self.simulation.value(number, self.player)] for number in self.legal()
        }

    # ------------------------------------------------------------------------------------- the end

    def returns(self) -> list[float]:
        """Return what the game pays each seat; 0 as long as it goes on."""
        if self.player != OVER or self.simulation is None:
            return [0.0] * self.tree.game.num_players
        result = self.simulation.result()
        if result.finished:
            return list(result.returns)
        return self._broken_off()

    def _broken_off(self) -> list[float]:
        """Return what a game pays that was broken off: what it would by the places so far, if it does not
        say itself what it pays; otherwise the same for all."""
        tree, seats = self.tree, self.tree.game.num_players
        assert self.simulation is not None
        if tree.game.model.payoff is None:
            try:
                store = seen_by(self.simulation.store, None)
                return list(tree.program.scoring.standing(store).payoff)
            except PlayError:
                # Before the end a rule need not be able to say it.
                pass
        least, most = tree.extent.payoffs
        share = 0.0 if tree.extent.total is None else tree.extent.total / seats
        return [min(max(share, least), most)] * seats

    # --------------------------------------------------------------------------- what a player knows

    def information_state(self, player: int) -> str:
        """Return in one short line all that a player has done and noticed: equal in two states if he cannot
        tell them apart."""
        found = self._digests.get(player)
        if found is None:
            if self.simulation is None:
                return f"{self._seat(player).name}: the game has not begun"
            self._recall = self._recall.up_to(self.tree.program, self.simulation.store, player)
            digest = self._recall.memories[player].digest.hex() or BLANK
            found = f"{self._seat(player).name} {digest}{self._asked(player)}"
            self._digests[player] = found
        return found

    def _asked(self, player: int) -> str:
        """Return what a player is asked."""
        simulation = self.simulation
        if simulation is None or player not in simulation.players:
            return ""
        view = seen_by(simulation.store, self._seat(player))
        asked = actions.decision(self.tree.program, view)
        return "" if asked is None else f" {asked.site}: {asked.prompt}"

    def observation(self, player: int | None) -> str:
        """Return what a player sees now, as JSON with the question that he is asked; None: what everybody
        sees."""
        if self.simulation is None:
            return "{}"
        seat = None if player is None else self._seat(player)
        seen: dict[str, Any] = dict(observation(self.tree.program, self.simulation.store, seat))
        if player is not None and (asked := self._asked(player)):
            seen["asked"] = asked.strip()
        return json.dumps(seen, ensure_ascii=False, separators=(",", ":"))

    def vector(self, player: int) -> Sequence[float]:
        """Return what a player sees now as numbers."""
        if self.simulation is None:
            return [0.0] * self.tree.vectors.size
        return self.tree.vectors.vector(self.simulation.store, self._seat(player))

    def sample(self, player: int, generator: Generator) -> Node:
        """Return a node that a player cannot tell from this one. Raises `KnowledgeError` if that cannot be
        said."""
        tree = self.tree
        if self.simulation is None:
            return self
        known = self._known.get(player)
        if known is None:
            known = Knowledge(tree.program, self.simulation.store, self._seat(player))
            self._known[player] = known
        store = known.sample(generator, log=True)
        store.explicit_chance = self.simulation.store.explicit_chance
        recall = self._recall.up_to(tree.program, self.simulation.store, player).of_one(player)
        simulation = Simulation(tree.program, store)
        # Others have to act again who have done so at the same time; whoever was to move still is.
        return Node(tree, simulation, self.seeds, self.answers, recall, self.player)

    def _seat(self, player: int) -> Thing:
        seats = self.tree.program.layout.players
        if not 0 <= player < len(seats):
            raise ValueError(f"there is no player {player}")
        return seats[player]


def _root(tree: Tree) -> Node:
    if tree.request.sampled and tree.has_chance:
        return _seeding(tree, ())
    simulation = Simulation.begin(tree.game, explicit_chance=tree.has_chance)
    return Node(tree, simulation, (), 0, Recall.empty(tree.game.num_players))


def _seeding(tree: Tree, seeds: tuple[int, ...]) -> Node:
    simulation = None
    if len(seeds) == DRAWS:
        simulation = Simulation.begin(tree.game, " ".join(map(str, seeds)))
    return Node(tree, simulation, seeds, 0, Recall.empty(tree.game.num_players))


def _unpacked(
    tree: Tree,
    data: bytes,
    seeds: tuple[int, ...],
    answers: int,
    recall: Recall,
    first: int | None,
) -> Node:
    store, _ = snapshots_of(tree.program).read(data)
    return Node(tree, Simulation(tree.program, store), seeds, answers, recall, first)
