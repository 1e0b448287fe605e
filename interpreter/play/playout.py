"""Random games: a loaded game and seeds in; how they ended, how long they were, who won, out.

Nothing is written down on the way, so this is the fast lane: Python generated from the rules plays
(`generated`), and what it answers is known to be possible. `states` walks the action graphs instead
and yields every state. The same seed gives the same game, whichever plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import suppress

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.interpreter.engine.executor import advance, answer, begin, is_over
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.program.decisions import pending, told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

LIMIT = 5000
"""How many decisions a game may have."""

NO_REASON = "it was played to its end"
STOPPED = "stopped at the limit"


@attrs.frozen
class Playout:
    """How one game came out.

    >>> one = playout(game, seed=7)
    >>> one.finished, one.reason, one.decisions, one.places, one.returns
    (True, 'won', 2, (1, 2), (1.0, -1.0))
    """

    seed: int | str
    finished: bool
    """Whether it came to an end before the limit."""

    ending: str | None
    decisions: int
    places: tuple[int, ...]
    """The place of each seat, 1 the first. Of a game that was stopped none, as with winners and scores,
    unless agents played it: then those so far."""

    returns: tuple[float, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...] = ()
    """The points of each seat, if the game counts any."""

    @property
    def reason(self) -> str:
        """Why it ended, in words."""
        if not self.finished:
            return STOPPED
        return NO_REASON if self.ending is None else self.ending


def expect(game: Game, games: int) -> bool:
    """Prepare for so many random games; return whether a library plays them that `building` has
    made of this game."""
    if game.program.lane is not None:
        return False
    from rulewright.interpreter.native import native

    return games >= native.WORTH and native.use(game.program)


def playout(game: Game, seed: int | str = 0, limit: int = LIMIT) -> Playout:
    """Play a random game and return how it came out; the same seed plays the same game. After `limit`
    decisions it is stopped. Raises `PlayError` if the rules go wrong.

    >>> playout(game, seed=7).winners
    (0,)
    """
    program = game.program
    if program.lane is None:
        # Not before: `check` plays no such games, and a short run is mostly imports.
        from rulewright.interpreter.codegen.generated import use_generated_code

        use_generated_code(program)
    store = begin(program, seed)
    try:
        decisions = program.lane.play(store, _agents(seed), limit, lambda: begin(program, seed))
    except PlayError as error:
        error.answered = _last_answer(program, seed, limit)
        raise
    return outcome(program, store, seed, decisions)


def _agents(seed: int | str) -> Generator:
    """Return the generator of those who play."""
    return Generator(f"agents {seed}")


def states(program: Program, seed: int | str, limit: int = LIMIT) -> Iterator[Store]:
    """Yield the state of a random game at its beginning and after each answer; always the same
    store."""
    store = begin(program, seed)
    agents = _agents(seed)
    advance(program, store)
    yield store
    for number in range(limit):
        if is_over(store):
            return
        try:
            answer(program, store, pick_random(program, store, agents), trusted=True)
        except PlayError as error:
            error.answered = _last_answer(program, seed, number + 1)
            raise
        yield store


def _last_answer(program: Program, seed: int | str, limit: int) -> str:
    """Return the answer after which a random game goes wrong, with who gave it; "" if none was given.

    Nobody looks at answers while they are given: the game is played once more.
    """
    store, agents = begin(program, seed), _agents(seed)
    given = ""
    with suppress(PlayError):
        advance(program, store)
        for _ in range(limit):
            value = pick_random(program, store, agents)
            waiting = pending(program, store)
            assert waiting is not None, "a decision is waiting"
            given = f"{waiting.player.name}: {told(program, store, value)}"
            answer(program, store, value, trusted=True)
    return given


def outcome(program: Program, store: Store, seed: int | str, decisions: int) -> Playout:
    """Return how a game came out that is in this state after so many decisions.

    Ranking, score and results are read at the end only: before it a rule need not be able to say them.
    """
    if not is_over(store):
        nothing = (0.0,) * len(program.layout.players)
        return Playout(seed, False, store.ending, decisions, (), nothing, ())
    standing = program.scoring.standing(store)
    return Playout(
        seed=seed,
        finished=True,
        ending=store.ending,
        decisions=decisions,
        places=standing.places,
        returns=standing.payoff,
        winners=tuple(seat.number for seat in standing.winners),
        scores=standing.points,
    )


# -------------------------------------------------------------------------------------- statistics


@attrs.frozen
class Spread:
    """Least, mean and greatest of some numbers.

    >>> statistics(game, range(100)).lengths
    Spread(least=2, mean=2.28, greatest=3)
    """

    least: float
    mean: float
    greatest: float


def spread(numbers: Sequence[float]) -> Spread:
    """Return least, mean and greatest; all 0 if there are none."""
    if not numbers:
        return Spread(0, 0.0, 0)
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers))


@attrs.frozen
class Statistics:
    """How many games came out; what is counted for each seat stands in seat order.

    >>> many = statistics(game, range(100))
    >>> many.wins, many.shares, many.endings
    ((58, 42), (0.58, 0.42), (('won', 100),))
    """

    playouts: tuple[Playout, ...]
    names: tuple[str, ...]

    @property
    def endings(self) -> tuple[tuple[str, int], ...]:
        """The reasons of the end with how many games ended so, the most frequent first."""
        counted = Counter(one.reason for one in self.playouts)
        return tuple(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))

    @property
    def lengths(self) -> Spread:
        """How many decisions a game took."""
        return spread([one.decisions for one in self.playouts])

    @property
    def decisions(self) -> int:
        """How many decisions were made in all games."""
        return sum(one.decisions for one in self.playouts)

    @property
    def wins(self) -> tuple[int, ...]:
        """How many games each seat has won, alone or with others."""
        counted = Counter(winner for one in self.playouts for winner in one.winners)
        return tuple(counted[seat] for seat in range(len(self.names)))

    @property
    def shared_wins(self) -> tuple[int, ...]:
        """How many of these games each seat has won with others."""
        counted = Counter(
            winner for one in self.playouts if len(one.winners) > 1 for winner in one.winners
        )
        return tuple(counted[seat] for seat in range(len(self.names)))

    @property
    def shares(self) -> tuple[float, ...]:
        """The part of all games that each seat has won; of a shared win each winner has the same part."""
        parts = [0.0] * len(self.names)
        for one in self.playouts:
            for winner in one.winners:
                parts[winner] += 1 / len(one.winners)
        return tuple(part / max(len(self.playouts), 1) for part in parts)

    @property
    def without_winner(self) -> int:
        """How many finished games nobody has won."""
        return sum(1 for one in self.playouts if one.finished and not one.winners)

    @property
    def scores(self) -> tuple[Spread, ...]:
        """The scores of each seat in the finished games; empty if the game counts none."""
        scored = [one.scores for one in self.playouts if one.finished and one.scores]
        return tuple(spread(column) for column in zip(*scored, strict=True))

    @property
    def returns(self) -> tuple[float, ...]:
        """The mean result of each seat in the finished games."""
        ended = [one.returns for one in self.playouts if one.finished]
        return tuple(spread(column).mean for column in zip(*ended, strict=True))

    @property
    def stopped(self) -> tuple[Playout, ...]:
        """The games that did not come to an end."""
        return tuple(one for one in self.playouts if not one.finished)

    def diagnostics(self, game: model.Game) -> tuple[Diagnostic, ...]:
        """Return a note if games did not come to an end."""
        return tuple(limit_reached(game, self.stopped))


def limit_reached(game: model.Game, stopped: Sequence[Playout]) -> Iterator[Diagnostic]:
    """Yield the note that games were stopped, at the verb with which the game starts."""
    if not stopped:
        return
    play = game.verbs.get("play") or next(iter(game.verbs.values()))
    first = play.span.text.partition("\n")[0]
    seeds = ", ".join(str(one.seed) for one in stopped[:3])
    games = "1 game" if len(stopped) == 1 else f"{len(stopped):,} games"
    yield diagnostic(
        "RW712",
        play.span.slice(0, len(first)),
        notes=(f"{games} did not end; the first seeds are {seeds}",),
        expected=f"{stopped[0].decisions:,} decisions",
    )


def playouts(game: Game, seeds: Iterable[int | str], limit: int = LIMIT) -> Iterator[Playout]:
    """Yield random games, one for each seed."""
    return (playout(game, seed, limit) for seed in seeds)


def statistics(game: Game, seeds: Iterable[int | str], limit: int = LIMIT) -> Statistics:
    """Play random games, one for each seed, and return what came out. After `limit` decisions a game is
    stopped. Raises `PlayError` if the rules go wrong.

    >>> statistics(game, range(100)).returns
    (0.14, -0.14)
    """
    if isinstance(seeds, Sized):
        expect(game, len(seeds))
    return Statistics(tuple(playouts(game, seeds, limit)), game.names)
