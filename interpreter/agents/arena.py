"""Matches between agents: a game, agents and seeds in; who won how often, and how sure that is, out.

Each seed is played once in every rotation of the seats, so that neither the cards nor the seat favour anybody.
Chance of the game and of each agent come from streams of their own; so the same seeds give the same
result, unless an agent thinks for a time rather than for a number of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import combinations
from math import comb
from pathlib import Path
from pickle import dumps
from re import sub
from statistics import fmean, median, quantiles
from time import process_time
from typing import NoReturn, TypeAlias

import attrs

from rulewright.dsl.files import disk
from rulewright.interpreter.agents.agent import (
    Agent,
    RandomAgent,
    check_agent,
    generators,
    give,
    told_who,
)
from rulewright.interpreter.agents.errors import AgentError, shown, whole_number
from rulewright.interpreter.agents.evaluation import leads
from rulewright.interpreter.agents.greedy import Looks, looks_of
from rulewright.interpreter.agents.intervals import Estimate, mean, share
from rulewright.interpreter.agents.processes import Failure, in_processes
from rulewright.interpreter.agents.rollouts import Rollouts, altogether, rollouts_of
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.agents.specs import make_agent
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.playout import LIMIT, Spread, spread
from rulewright.interpreter.play.record import save
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.errors import KnowledgeError

MOST_JOBS = 256
"""So many processes play at most."""

MOST_SEATINGS = 10_000
"""So many games are played with one seed at most."""

Task: TypeAlias = tuple[int, tuple[int, ...]]
"""One game: its seed, and who sits where."""

SUFFIX = ".save"
"""How the names of saved games end."""

WANTED = "an entrant is the name of an agent, or what makes one from a seed, such as its class"

Entrant: TypeAlias = str | Callable[[str], Agent]
"""The name of an agent, or what makes one from a seed, such as its class."""


@attrs.frozen
class ArenaGame:
    """How one game of an arena came out; what is said of each seat stands in seat order.

    >>> one = arena(game, ["random", "random"], [7]).games[1]
    >>> one.seed, one.seats, one.finished, sorted(one.places)
    (7, (1, 0), True, [1, 2])
    """

    seed: int
    seats: tuple[int, ...]
    """Who sat there: the numbers of the agents, from 0."""

    finished: bool
    """Whether it came to an end before the limit."""

    ending: str | None
    decisions: int
    places: tuple[int, ...]
    """The place of each seat, 1 the first; of a game that was stopped those so far, () if the rules cannot say
    them."""

    returns: tuple[float, ...]
    """What it paid; () if it was stopped."""

    points: tuple[int, ...]
    """The points, if the game counts any."""

    seconds: tuple[tuple[float, ...], ...] = attrs.field(eq=False, repr=False)
    """How long each decision of a seat took, in seconds of the processor."""

    rollouts: Rollouts = attrs.field(factory=Rollouts)
    """How the playouts of all searches in this game came out."""

    looks: Looks = attrs.field(factory=Looks)
    """What `greedy` has seen in this game."""

    fallbacks: int = 0
    """How many answers chance gave, because an agent could not draw a state that fits what its seat knows."""


@attrs.frozen
class Standing:
    """What one agent has reached in all its games. A win is the first place alone, a draw the first place
    with others.

    >>> first, _ = arena(game, ["search:20", "random"], range(5)).standings
    >>> first.agent, first.games, 0 <= first.wins.low <= first.wins.value
    ('search:20', 10, True)
    """

    agent: str
    games: int
    wins: Estimate
    draws: Estimate
    payoff: Estimate | None
    """What a game pays; None if all were stopped."""

    lead: Estimate | None
    """How many points it is ahead of the best of the others; None if the game counts none."""


@attrs.frozen
class Arena:
    """All games between some agents.

    >>> match = arena(game, ["random", "random"], range(5))
    >>> match.agents, len(match.games), match.lengths.greatest
    (('random', 'random (2)'), 10, 3)
    """

    agents: tuple[str, ...]
    """What they are called; of several with the same name the later ones are numbered."""

    games: tuple[ArenaGame, ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What each agent has reached, in the order of the agents."""
        return tuple(self._standing(agent) for agent in range(len(self.agents)))

    @property
    def duels(self) -> tuple[tuple[Estimate | None, ...], ...]:
        """In which part of their games the agent of the row came before that of the column; the same place
        counts half. None for an agent with itself."""
        agents = range(len(self.agents))
        return tuple(
            tuple(None if row == column else self._before(row, column) for column in agents)
            for row in agents
        )

    @property
    def lengths(self) -> Spread:
        """How many decisions a game took."""
        return spread([one.decisions for one in self.games])

    @property
    def stopped(self) -> tuple[ArenaGame, ...]:
        """The games that did not come to an end; they count by the places so far."""
        return tuple(one for one in self.games if not one.finished)

    @property
    def fallbacks(self) -> int:
        """How many answers chance gave for agents that could draw no state."""
        return sum(one.fallbacks for one in self.games)

    @property
    def looks(self) -> Looks:
        """How often `greedy` saw no difference between its answers."""
        return sum((one.looks for one in self.games), Looks())

    @property
    def rollouts(self) -> Rollouts:
        """How the playouts of all searches came out."""
        return altogether(one.rollouts for one in self.games)

    def seconds(self, agent: int) -> tuple[float, float]:
        """Return how many seconds of the processor an agent took for a decision: the median, and what 95 of 100
        did not exceed. This is never quite the same again. Raises `AgentError` if there is no such agent."""
        whole_number(agent, "the number of an agent", 0, len(self.agents) - 1)
        taken = [
            second
            for one in self.games
            for seat, sits in enumerate(one.seats)
            if sits == agent
            for second in one.seconds[seat]
        ]
        if len(taken) < 2:
            return (taken[0], taken[0]) if taken else (0.0, 0.0)
        return median(taken), quantiles(taken, n=20, method="inclusive")[-1]

    def _standing(self, agent: int) -> Standing:
        played = [one for one in self.games if agent in one.seats]
        firsts = [_first(one, one.seats.index(agent)) for one in played]
        paid = [one for one in played if one.finished]
        counted = [one for one in played if one.points]
        return Standing(
            agent=self.agents[agent],
            games=len(played),
            wins=_share(played, [float(one == 1) for one in firsts]),
            draws=_share(played, [float(one > 1) for one in firsts]),
            payoff=_mean(paid, [one.returns[one.seats.index(agent)] for one in paid]),
            lead=_mean(counted, [leads(one.points)[one.seats.index(agent)] for one in counted]),
        )

    def _before(self, row: int, column: int) -> Estimate:
        played = [one for one in self.games if row in one.seats and column in one.seats]
        values = []
        for one in played:
            own, other = one.seats.index(row), one.seats.index(column)
            ahead = one.places[other] - one.places[own] if one.places else 0
            values.append(0.5 if ahead == 0 else float(ahead > 0))
        return _share(played, values)


def _first(one: ArenaGame, seat: int) -> int:
    """Return how many share the first place, if a seat is among them; else 0. Where nothing can be said all
    share it."""
    places = one.places or (1,) * len(one.seats)
    return places.count(1) if places[seat] == 1 else 0


def _by_seed(games: Sequence[ArenaGame], values: Sequence[float]) -> list[float]:
    """Return the mean of each seed."""
    found: dict[int, list[float]] = {}
    for one, value in zip(games, values, strict=True):
        found.setdefault(one.seed, []).append(value)
    return [fmean(same) for same in found.values()]


def _share(games: Sequence[ArenaGame], values: Sequence[float]) -> Estimate:
    return share(_by_seed(games, values), len(games))


def _mean(games: Sequence[ArenaGame], values: Sequence[float]) -> Estimate | None:
    return mean(_by_seed(games, values)) if games else None


# ------------------------------------------------------------------------------------- who plays whom


def arena(
    game: Game,
    agents: Sequence[Entrant],
    seeds: Iterable[int],
    limit: int = LIMIT,
    jobs: int = 1,
    folder: Path | str | None = None,
) -> Arena:
    """Let agents play each other: each seed once in every rotation of the seats.

    An agent is named as on the command line (`random`, `greedy`, `search:800`, `search:2s`), or is what makes
    one from a seed, such as its class. If there are fewer than seats the last one plays the seats
    that are left; if there are more, all that can sit together do so in turn. After `limit` decisions a game is
    stopped, and counts by the places so far. With `jobs` so many processes play (then the program that
    calls this is begun once more in each: what it does stands under `if __name__ == "__main__"`, and agents
    of one's own are classes or functions of a module). The games are saved to a `folder`, if one is given; it is
    made if it is not there, and no file in it is replaced.

    Raises `AgentError` if no agent is called so, if what is given cannot be or a game is saved there already,
    `OSError` if one cannot be saved, `PlayError` if the rules go wrong, and what agents raise, with a note that
    says who it was and in which game.

    >>> match = arena(game, ["search:20", "random"], range(10))
    >>> [(one.agent, one.games) for one in match.standings]
    [('search:20', 20), ('random', 20)]
    """
    match = Match.of(game, agents, limit, folder)
    return Arena(match.names, tuple(match.games(seeds, jobs)))


@attrs.frozen
class Match:
    """Who plays whom, and how: what is the same for all games of an arena."""

    game: Game
    names: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    limit: int
    folder: Path | None

    @classmethod
    def of(
        cls,
        game: Game,
        agents: Sequence[Entrant],
        limit: int = LIMIT,
        folder: Path | str | None = None,
    ) -> Match:
        """Return a match between agents; the folder is there then. Raises `AgentError` if it cannot be, and
        `OSError` if the folder cannot."""
        if game.num_players < 2:
            raise AgentError("an arena needs a game of two players or more")
        if isinstance(agents, str):
            raise AgentError(f"agents are a list: write [{shown(agents)}]")
        if not agents:
            raise AgentError("an arena needs agents: one for each seat, or fewer")
        for one in agents:
            _check_entrant(one)
        seatings = comb(len(agents), game.num_players) * game.num_players
        if seatings > MOST_SEATINGS:
            raise AgentError(
                f"{len(agents)} agents at {game.num_players} seats play {seatings:,} games with one seed, and there can"
                f" be {MOST_SEATINGS:,}: name fewer"
            )
        whole_number(limit, "`limit`")
        if folder == "":
            raise AgentError("the folder has no name")
        left = max(game.num_players - len(agents), 0)
        entrants = (*agents, *tuple(agents[-1:]) * left)
        into = None if folder is None else Path(folder)
        if into is not None:
            into.mkdir(parents=True, exist_ok=True)
        return cls(game, tuple(_numbered(entrants)), entrants, limit, into)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Who sits where in the games of one seed: all that can sit together, in every rotation."""
        seats = self.game.num_players
        return tuple(
            (*those[first:], *those[:first])
            for those in combinations(range(len(self.entrants)), seats)
            for first in range(seats)
        )

    def games(self, seeds: Iterable[int], jobs: int = 1) -> Generator[ArenaGame, None, None]:
        """Yield the games in order, seed by seed. Raises what `arena` does."""
        whole_number(jobs, "`jobs`", 1, MOST_JOBS)
        if isinstance(seeds, Sequence):
            self._check_folder(seeds)
        tasks = ((seed, seating) for seed in seeds for seating in self.seatings)
        if jobs == 1:
            yield from map(self.played, tasks)
            return
        for one in self.entrants:
            _check_sent(one)
        with closing(in_processes(self.played, tasks, jobs)) as found:
            for came in found:
                if isinstance(came, Failure):
                    self._repeat(came)
                else:
                    yield came

    def _repeat(self, failure: Failure[Task]) -> NoReturn:
        """Let what went wrong in a process of its own go wrong here, with all that is known of it."""
        seed, seats = failure.task
        which = f"the game with seed {seed} ({', '.join(self.names[one] for one in seats)})"
        if not failure.error:
            raise AgentError(
                f"a process has ended in {which}, with status {failure.status}: an agent has ended it, or the"
                ' program that calls `arena` does not stand under `if __name__ == "__main__"`'
            )
        self.played(failure.task)
        raise AgentError(f"{which} goes wrong in a process of its own: {failure.error}")

    def _check_folder(self, seeds: Sequence[int]) -> None:
        """Raise `AgentError` if one of the games is saved already."""
        if self.folder is None:
            return
        there = {one.name for one in self.folder.iterdir() if one.suffix == SUFFIX}
        for seed in seeds if there else ():
            for seats in self.seatings:
                if self._file(seed, seats).name in there:
                    path = self._file(seed, seats)
                    raise AgentError(f"`{path}` is there already: name another folder")

    def _file(self, seed: int, seats: tuple[int, ...]) -> Path:
        """Return where a game is saved."""
        assert self.folder is not None, "games are not saved"
        names = "-".join(sub(r"\W+", "_", self.names[number]).strip("_") for number in seats)
        return self.folder / f"{seed}-{names}{SUFFIX}"

    def played(self, task: Task) -> ArenaGame:
        """Play one game, given by its seed and who sits where, and return how it came out."""
        seed, seats = task
        agents = [self._agent(number, seed, seats) for number in seats]
        state = self.game.new_initial_state(seed)
        seconds: list[list[float]] = [[] for _ in seats]
        decisions = fallbacks = 0
        while not state.is_terminal() and decisions < self.limit:
            player = state.current_players()[0]
            with told_who(agents[player], state, player):
                begun = process_time()
                seat = Seat(state, player)
                try:
                    choice = agents[player].choose(seat)
                except KnowledgeError:
                    # One such answer is no reason to lose a whole match, but it is told.
                    choice = RandomAgent(f"fallback {seed} {seats} {decisions}").choose(seat)
                    fallbacks += 1
                seconds[player].append(process_time() - begun)
                give(state, player, choice)
            decisions += 1
        result = Simulation.of(state).result()
        if self.folder is not None:
            path = self._file(seed, seats)
            text = save(state, generators(dict(enumerate(agents))))
            try:
                disk.write(path, text, new=True)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from None
        return ArenaGame(
            seed=seed,
            seats=seats,
            finished=result.finished,
            ending=state.ending,
            decisions=decisions,
            places=result.places,
            returns=result.returns if result.finished else (),
            points=result.points,
            seconds=tuple(map(tuple, seconds)),
            rollouts=rollouts_of(agents),
            looks=looks_of(agents),
            fallbacks=fallbacks,
        )

    def _agent(self, number: int, seed: int, seats: tuple[int, ...]) -> Agent:
        """Return an agent for one game, with a stream of chance that no other agent or game has."""
        entrant, own = self.entrants[number], f"arena {seed} {seats} {number}"
        if isinstance(entrant, str):
            return make_agent(entrant, own)
        try:
            made = entrant(own)
            check_agent(made)
        except Exception as error:
            error.add_note(
                f"when `{self.names[number]}` was called with a seed, a text, for the game with seed {seed}"
            )
            raise
        return made


def _numbered(entrants: Iterable[Entrant]) -> Iterator[str]:
    """Yield what agents are called, later ones of the same name with a number."""
    seen: dict[str, int] = {}
    for one in entrants:
        name = one if isinstance(one, str) else getattr(one, "__name__", type(one).__name__)
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def _check_entrant(one: object) -> None:
    """Raise `AgentError` if something neither names an agent nor makes one."""
    if isinstance(one, str):
        make_agent(one)
    elif not callable(one):
        kind = type(one).__name__
        hint = (
            f"an agent is made for each game: give the class, `{kind}`"
            if hasattr(one, "choose")
            else WANTED
        )
        raise AgentError(f"{shown(one)} makes no agents: {hint}")


def _check_sent(one: Entrant) -> None:
    """Raise `AgentError` if what makes an agent cannot be sent to another process."""
    try:
        dumps(one)
    except Exception:  # whatever its class raises
        text = "with `jobs` an agent is a class or function of a module, which other processes can import"
        raise AgentError(f"{shown(one)} cannot be sent to another process: {text}") from None
