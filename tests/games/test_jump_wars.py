"""Jump Wars as it is played: by somebody who marches on the others' homeworlds, and by chance."""

import collections
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.files.disk import packaged
from rulewright.interpreter.agents.agent import Agent, RandomAgent, play
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.cli import main
from rulewright.interpreter.engine.actions import Action, Decision
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.playout import playout
from rulewright.interpreter.program.program import cited
from rulewright.interpreter.testing.coverage import CoverageCounts, count_games
from rulewright.interpreter.testing.verify import play_under_laws

MOST_TURNS = 60
MOST_DECISIONS = 30_000
WON, BROKEN_OFF = "won by the book", "broken off after the agreed turns"
WORTH = {
    **{"jump": 3, "command": 3, "logistics": 3, "attack": 3},
    **{"manufacturing": 1.5, "defense": 1, "initiative": 2, "research": 1, "miniaturization": 0.5},
}
GARRISON = 3


class Conqueror:
    """Takes star fields nearby, builds what it can, and marches on the nearest foreign homeworld that
    it does not hold, with all but a garrison."""

    def __init__(self, seed: str) -> None:
        self.by_chance = RandomAgent(seed)
        self.plan: tuple[Any, Any, int] | None = None

    def choose(self, seat: Seat) -> Action:
        """Return one answer to the decision that waits; he looks at the whole board."""
        chosen = self.choice(seat._state, seat.decision, seat.actions)
        return self.by_chance.choose(seat) if chosen is None else chosen

    def choice(self, state: State, decision: Decision, actions: Sequence[Action]) -> Action | None:
        """Return what is to be answered, or None where it makes no difference."""
        labels = {action.label: action for action in actions}
        match decision.name:
            case "either":
                for one in (
                    "Discard 2 cards of the same technology",
                    "No (more) offers",
                    "Decline",
                ):
                    if one in labels:
                        return labels[one]
            case "may":
                return self.yes_or_no(actions, yes="Steal a random card" in decision.prompt)
            case "origins":
                self.plan = self.planned(state, decision.player)
                origin = self.plan and self.plan[0]
                done = next(one for one in actions if one.kind == "done")
                return next((one for one in actions if one.value is origin), done)
            case "target" if self.plan is not None:
                return next((one for one in actions if one.value is self.plan[1]), None)
            case "size" if self.plan is not None:
                fitting = [one for one in actions if one.value <= self.plan[2]]
                return max(fitting, key=lambda one: int(one.value), default=None)
            case "n":
                return actions[-1]
            case "sold" | "bombs" | "cards":
                return next((one for one in actions if one.kind == "done"), None)
            case "card" if "learn" in decision.prompt:
                level = Board(state, decision.player).level(decision.player)
                return min(actions, key=lambda one: self.rank(one.label, level))
        return None

    def yes_or_no(self, actions: Sequence[Action], *, yes: bool) -> Action:
        """Return one of the two answers to a `may`."""
        return next(one for one in actions if one.kind == ("yes" if yes else "no"))

    def rank(self, label: str, level: Mapping[str, int]) -> float:
        """Return how late a technology is wanted: what is low, and worth much, first."""
        names = [name for name in level if name in label]
        return level[names[0]] / WORTH.get(names[0], 0.2) if names else 99

    # ----------------------------------------------------------------------------------- orders

    def planned(self, state: State, player: int) -> tuple[Any, Any, int] | None:
        """Return from where to where how many fleets go."""
        board = Board(state, player)
        free = {space: board.free(space) for space in board.mine}
        by_size = sorted(free.items(), key=lambda one: -one[1])
        reach = {space: board.within_reach(space) for space, number in by_size[:8] if number}
        for space, number in by_size:
            near = [one for one in reach.get(space, ()) if board.is_wanted(one)]
            if near and number > 1:
                return space, near[0], 1
        goals = [home for home in board.foreign if home not in board.mine]
        if not goals:
            return None
        goal = min(goals, key=lambda home: (board.force(home), board.where[home]))
        way = board.way(goal)
        ready = {space: number for space, number in by_size if goal in reach.get(space, ())}
        strength = board.sent(goal) + board.wave(ready.values())
        if any(ready.values()) and board.would_win(strength, goal):
            origin = max(ready, key=lambda one: ready[one])
            return origin, goal, ready[origin]
        for space, number in by_size:
            kept = GARRISON if space is board.home else number // 2 if space in board.foreign else 0
            if space in ready or number <= kept or space not in reach:
                continue
            target = min(
                (one for one in reach[space] if one is not goal),
                key=lambda one: (way.get(one, 999), board.where[one]),
                default=None,
            )
            if target is not None and way.get(target, 999) < way.get(space, 999):
                return space, target, number - kept
        return None


class Board:
    """What everybody sees of the map."""

    def __init__(self, state: State, player: int) -> None:
        self.program, self.store = state.game.program, state.seen_by(player)
        self.layout = self.program.layout
        self.player = self.layout.players[player]
        self.spaces = self.layout.things["Space"]
        self.homes = self._column("Player.homeworld")
        self.home = self.homes[player]
        self.foreign = [
            home
            for seat, home in enumerate(self.homes[: len(self.layout.players)])
            if seat != player
        ]
        sides = self._column("Fleet.side")
        self.fleets = {
            space: collections.Counter(sides[fleet.number] for fleet in fleets)
            for space, fleets in zip(self.spaces, self._column("Space.fleets"), strict=True)
        }
        self.mine = [space for space in self.spaces if self.fleets[space][self.player]]
        self.at = {
            (x, y): space
            for x, y, space in zip(
                self._column("Space.x"), self._column("Space.y"), self.spaces, strict=True
            )
        }
        self.where = {space: at for at, space in self.at.items()}
        terrains = self._column("SystemCounter.terrain")
        self.terrain = {
            space: terrains[counter[0].number].value if counter else "void"
            for space, counter in zip(self.spaces, self._column("Space.system"), strict=True)
        }

        level = self.level(player)
        self.stack, written = 5 + level["logistics"], len(self._column("Player.orders")[player])
        self.orders_left = max(1 + level["command"] - written, 1)

    def level(self, seat: int) -> dict[str, int]:
        """Return the levels of a player by their names."""
        names = map(str, self.layout.enums["Tech"])
        return dict(zip(names, self._column("Player.levels")[seat], strict=True))

    def _column(self, field: str) -> Any:
        slot = self.layout.slots[field]
        return self.layout.printed.get(slot) or self.store.columns[slot]

    def free(self, space: Any) -> int:
        """Return how many of the player's fleets have no order yet."""
        origins, sizes = self._column("JumpOrder.origin"), self._column("JumpOrder.size")
        orders = self._column("Player.orders")[self.player.number]
        gone = sum(sizes[one.number] for one in orders if origins[one.number] is space)
        return int(self.fleets[space][self.player] - gone)

    def sent(self, goal: Any) -> int:
        """Return how many fleets have orders to go to a space."""
        targets, sizes = self._column("JumpOrder.target"), self._column("JumpOrder.size")
        orders = self._column("Player.orders")[self.player.number]
        return sum(sizes[one.number] for one in orders if targets[one.number] is goal)

    def wave(self, ready: Iterable[int]) -> int:
        """Return how many fleets can leave spaces with so many with the orders that are left."""
        stacks = [min(self.stack, n - at) for n in ready for at in range(0, n, self.stack)]
        return sum(sorted(stacks)[-self.orders_left :])

    def force(self, space: Any) -> int:
        """Return how many fleets others have there."""
        return sum(n for side, n in self.fleets[space].items() if side is not self.player)

    def would_win(self, number: int, home: Any) -> bool:
        """Return whether so many fleets would conquer a homeworld, as far as one can reckon."""
        seat = self.homes.index(home)
        mine, theirs = self.level(self.player.number), self.level(seat)
        defenders = max(self.force(home), 1)
        bonus = 2 if self.fleets[home][self.layout.players[seat]] else 0
        left = float(number)
        while left > 0 and defenders > 0:
            hits = left * mine["attack"] / (theirs["defense"] + bonus)
            if mine["initiative"] > theirs["initiative"]:
                defenders, hits = max(defenders - hits, 0), 0
            left -= defenders * (theirs["attack"] + bonus) / mine["defense"]
            defenders -= hits
        return left > 0

    def around(self, space: Any) -> list[Any]:
        """Return the spaces beside one that can be entered."""
        x, y = self.where[space]
        beside = ((x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
        found = [self.at[one] for one in beside if one in self.at]
        return [one for one in found if self.terrain[one] != "black_hole"]

    def is_wanted(self, space: Any) -> bool:
        """Return whether a free space yields tokens."""
        return not self.fleets[space] and self.terrain[space] in ("star_field", "cluster")

    def way(self, goal: Any) -> Mapping[Any, int]:
        """Return how far each space is from a goal."""
        far, border = {goal: 0}, collections.deque([goal])
        while border:
            here = border.popleft()
            for one in self.around(here):
                if one not in far:
                    far[one] = far[here] + 1
                    border.append(one)
        return far

    def within_reach(self, space: Any) -> list[Any]:
        """Return where an order can lead from a space."""
        evaluator, game = self.program.evaluator, self.program.game
        define = next(one for one in game.defines.values() if one.name == "within_reach")
        return list(
            evaluator.define(define.id)(self.store, self.player, {define.parameters[0]: space})
        )


def game(players: int, variants: Sequence[str] = (), **options: Any) -> Game:
    """Return the game, broken off after a while."""
    return load_game("jump_wars", players, variants, options={"turns": MOST_TURNS, **options})


def ended(seed: int, agents: Callable[[int], Sequence[Agent]], **options: Any) -> State:
    """Return the end of a game of three."""
    state = game(3, **options).new_initial_state(seed=seed)
    play(state, agents(seed), 30_000)
    return state


@pytest.mark.parametrize(
    ("seat", "seeds"),
    [
        pytest.param(0, range(14, 15), marks=[pytest.mark.slow, pytest.mark.bounded]),
        pytest.param(1, range(14, 15), marks=pytest.mark.slow),
        pytest.param(2, range(14, 15), marks=pytest.mark.slow),
        pytest.param(0, range(100), marks=pytest.mark.slow),
    ],
)
def test_who_marches_on_homeworlds_wins_by_the_book(seat: int, seeds: range) -> None:
    def agents(seed: int) -> Sequence[Agent]:
        found: list[Agent] = [RandomAgent(f"{name} {seed}") for name in "abc"]
        found[seat] = Conqueror(f"a {seed}")
        return found

    ends: collections.Counter[str | None] = collections.Counter()
    for seed in seeds:
        end = ended(seed, agents)
        ends[end.ending] += 1
        assert end.ending == BROKEN_OFF or end.winners() == (seat,)

    assert set(ends) <= {WON, BROKEN_OFF}
    assert ends[WON] * 2 >= len(seeds), ends


def test_the_rules_stand_in_450_lines() -> None:
    rules = packaged("games") / "jump_wars" / "game.rules"

    assert len(rules.read_text("utf-8").splitlines()) <= 450


NEGATED = re.compile(r"The order of P\d \(\d+ from \w+ to \w+\) is negated: (.{24})")


@pytest.mark.parametrize(
    "seed", [11, *(pytest.param(one, marks=pytest.mark.slow) for one in range(1, 21) if one != 11)]
)
def test_a_random_game_shows_orders_fights_and_why_orders_are_negated(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"play jump_wars --players 4 --seed {seed} --agents random --option turns=12"

    assert main.main(line.split()) == 0

    printed = " ".join(capsys.readouterr().out.split())
    assert len(re.findall(r"P\d moves order of P\d \(\d from \w+ to \w+\)", printed)) > 9
    assert any(one.startswith("too few fleets are left") for one in NEGATED.findall(printed))
    fights = re.split(r"Fight in \w+, round \d+", printed)[1:]
    assert any(re.match(r".{,999}fleet of P\d leaves the game", fight) for fight in fights)


SETS = ((), ("Cutting Edge",), ("Old Empire",), ("Cutting Edge", "Old Empire"))
TABLES = [
    (players, grid, variants)
    for players in range(3, 7)
    for grid in ("square", "hex")
    for variants in SETS
]


def random_games(
    players: int, grid: str, variants: Sequence[str], seeds: range, turns: int
) -> None:
    """Play random games: each comes to an end, and nothing is lost or doubled on the way there."""
    one = game(players, variants, map=grid, turns=turns)
    for seed in seeds:
        played = playout(one, seed, MOST_DECISIONS)

        assert played.finished, f"seed {seed}"
        assert played.reason in (WON, BROKEN_OFF)
    # The same games step by step, under all laws.
    assert [item.one_line() for item in play_under_laws(one, seeds, MOST_DECISIONS)] == []


@pytest.mark.parametrize(("players", "grid", "variants"), TABLES[4:5])
def test_random_games_come_to_an_end(players: int, grid: str, variants: Sequence[str]) -> None:
    random_games(players, grid, variants, range(1), turns=2)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "grid", "variants"), TABLES)
def test_many_random_games_come_to_an_end(players: int, grid: str, variants: Sequence[str]) -> None:
    random_games(players, grid, variants, range(16), turns=12)


COUNTED = """language 1
variant "Counted" of jump_wars                           # what else the passive technologies make a difference to

define way_without(space: Space, origin: Space) = if space is origin or terrain(space) is not black_hole then neighbours(space) else []

before mine
  if my.knows(ram_scoops) and (some space in my.mines has terrain(space) is nebula)
    show "ram_scoops" to players
  if my.knows(genesis) and (some space in my.mines has terrain(space) is star_field)
    show "genesis" to players
  if some space in my.mines has terrain(space) is cluster and raid_loss(space) > 0
    show "space_raiding" to players
before build
  if my.knows(star_docks) and count(my.yards) > 1 and my.tokens >= fleet_cost
    show "star_docks" to players
before carry_out_orders
  for each order in revealed where its.writer.knows(event_skimming)
    if nonsense(order) is none and order.target not in reach(order.origin, order.writer.jump_range, way_without(it, order.origin))
      show "event_skimming" to players
before combat_round when fight_round is 1
  if some p in sides(space) has p.knows(cloaking)
    show "cloaking" to players
"""
"""A technology that only changes what something is worth leaves no trace of its own."""

SPECIALS = {"Assimilation", "Nova Bombs", "Planet Jump", "Sabotage", "Time Jump"}
"""What is said of the others are offers."""


@pytest.mark.slow
def test_every_special_technology_is_used(tmp_path: Path) -> None:
    counted = tmp_path / "counted.rules"
    counted.write_text(COUNTED, "utf-8")
    variants = ("Cutting Edge", "Old Empire", str(counted))
    counts = CoverageCounts()
    for players in range(3, 7):
        for ruling in ("at_the_battle", "at_the_homeworld"):
            one = game(players, variants, turns=12, assimilated_fleets=ruling)
            count_games(one, range(6), counts, MOST_DECISIONS)

    assert len(counts.of_kind("offer")) == 5
    assert sum(point.place.startswith(str(counted)) for point in counts.points.values()) > 6
    never = [
        f"{point.place}: {point.text}"
        for point in counts.never()
        if point.kind == "offer"
        or point.place.startswith(str(counted))
        or not SPECIALS.isdisjoint(cited(point.see))
    ]
    assert never == []
