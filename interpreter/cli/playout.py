"""`rulewright playout`: many games, random or between agents, and what they came to.

Everything on stdout is the same for the same arguments; how long it took is on stderr.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_format,
    add_game,
    add_limit,
    add_names,
    complain,
    heading,
    loaded,
    positive,
)
from rulewright.interpreter.cli.reports import games_word, spread_words, with_bar
from rulewright.interpreter.terminal.status import (
    FINE,
    INTERRUPTED,
    RULES_WRONG,
    Refused,
    rules_error,
)
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.interpreter.agents.rollouts import Rollouts
    from rulewright.interpreter.play.api import Game
    from rulewright.interpreter.play.playout import Playout, Spread, Statistics

GAMES = 100
LIMIT = 5000
FORMATS = ("text", "json", "csv")
CSV_HEAD = (
    "seed",
    "end",
    "finished",
    "decisions",
    "seat",
    "name",
    "place",
    "won",
    "points",
    "result",
)
STEP = "  "


def add_playout(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `playout`."""
    add_game(parser)
    add_names(parser)
    parser.add_argument(
        "-n", type=positive, default=GAMES, metavar="N", help=f"how many games ({GAMES} if missing)"
    )
    parser.add_argument(
        "--agents",
        default="random",
        metavar="A[,B...]",
        help="who plays, in the order of the seats, the last one those that are left: random (if"
        " nothing is said), greedy, search, search:800 (iterations) or search:2s (seconds)",
    )
    add_format(
        parser,
        FORMATS,
        "json: all numbers, and how each game came out; csv: a line for each seat of each game",
    )
    add_limit(parser, LIMIT)


def run_playout(arguments: argparse.Namespace) -> int:
    """Play games and print what came out."""
    from rulewright.interpreter.play.playout import Statistics, expect

    game = loaded(arguments)
    agents = _agents(arguments.agents, game.num_players)
    first = arguments.seed or 0
    begun = time.perf_counter()
    native = not agents and expect(game, arguments.n)
    seeds = range(first, first + arguments.n)
    games: list[Playout] = []
    thought: list[Rollouts] = []
    try:
        for one in with_bar(_games(game, agents, seeds, arguments.limit, thought), arguments.n):
            games.append(one)
    except KeyboardInterrupt:
        if not games:
            sys.stderr.write("interrupted before a game was over\n")
            raise
    interrupted = len(games) < arguments.n
    played = Statistics(tuple(games), game.names)
    seconds = time.perf_counter() - begun
    write = {"text": _text, "json": _json, "csv": _csv}[arguments.format]
    sys.stdout.write(write(game, agents, played, first))
    if arguments.format == "text" and thought:
        sys.stdout.write(_of_searches(thought))
    sys.stdout.flush()
    if interrupted:
        sys.stderr.write(f"interrupted after {len(games):,} of {arguments.n:,} games\n")
    sys.stderr.write(
        f"{seconds:.1f} s: {len(games) / seconds:,.1f} games,"
        f" {played.decisions / seconds:,.0f} decisions a second{', native' if native else ''}\n"
    )
    return INTERRUPTED if interrupted else FINE


def _agents(named: str, seats: int) -> Sequence[str]:
    """Return the agent of each seat; () if all are random: such games are played on generated code."""
    from rulewright.interpreter.agents.errors import AgentError
    from rulewright.interpreter.agents.specs import RANDOM, for_seats, make_agent

    names = named.split(",")
    if set(names) == {RANDOM} and len(names) <= seats:
        return ()
    try:
        for name in names:
            make_agent(name)
        return for_seats(names, seats)
    except AgentError as error:
        raise UsageError(str(error)) from None


def _of_searches(thought: Sequence[Rollouts]) -> str:
    """Return what has to be known of the playouts of searches, as a line; "" if they all ended."""
    from rulewright.interpreter.agents.rollouts import altogether

    noticed = altogether(thought).told()
    return f"Searches: {noticed}\n" if noticed else ""


def _games(
    game: Game, agents: Sequence[str], seeds: range, limit: int, thought: list[Rollouts]
) -> Iterator[Playout]:
    """Yield games; a rules error is reported with the seed with which it comes again. How the playouts of
    searches came out is added to `thought`."""
    from rulewright.interpreter.play.playout import playout
    from rulewright.interpreter.state.errors import PlayError

    for seed in seeds:
        try:
            if agents:
                yield _between(game, agents, seed, limit, thought)
            else:
                yield playout(game, seed, limit)
        except PlayError as error:
            kind = "game" if agents else "random game"
            complain([rules_error(error, f"in the {kind} with seed {seed}")])
            raise Refused(RULES_WRONG) from None


def _between(
    game: Game, agents: Sequence[str], seed: int, limit: int, thought: list[Rollouts]
) -> Playout:
    """Return how a game between agents came out."""
    from rulewright.interpreter.agents.agent import play
    from rulewright.interpreter.agents.rollouts import rollouts_of
    from rulewright.interpreter.agents.specs import make_agents
    from rulewright.interpreter.play.playout import outcome
    from rulewright.interpreter.play.simulation import Simulation

    state = game.new_initial_state(seed)
    seated = make_agents(agents, seed)
    decisions = play(state, seated, limit)
    thought.append(rollouts_of(seated))
    found = outcome(game.program, state.store, seed, decisions)
    if found.finished:
        return found
    # What came of so much thinking counts all the same.
    reached = Simulation.of(state).result()
    first = tuple(seat for seat, place in enumerate(reached.places) if place == 1)
    return attrs.evolve(found, places=reached.places, winners=first, scores=reached.points)


# ------------------------------------------------------------------------------------------ report


def _text(game: Game, agents: Sequence[str], played: Statistics, first: int) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(game, agents, played, first))


def _json(game: Game, agents: Sequence[str], played: Statistics, first: int) -> str:
    """Return all that was counted, and how each game came out, for programs."""
    from rulewright.interpreter.engine.setup import decided, in_words

    scores, returns = played.scores, played.returns
    seats = [
        {
            "name": name,
            "agent": agents[seat] if agents else "random",
            "wins": played.wins[seat],
            "shared wins": played.shared_wins[seat],
            "share": played.shares[seat],
            "points": _as_mapping(scores[seat]) if scores else None,
            "mean result": returns[seat] if returns else None,
        }
        for seat, name in enumerate(played.names)
    ]
    found = {
        "game": game.model.title,
        "variants": list(game.model.variants),
        "options": {name: in_words(value) for name, value in decided(game.program.layout).items()},
        "players": game.num_players,
        "first seed": first,
        "games": len(played.playouts),
        "decisions": _as_mapping(played.lengths),
        "ends": dict(played.endings),
        "stopped": len(played.stopped),
        "without winner": played.without_winner,
        "seats": seats,
        "played": [
            {
                "seed": one.seed,
                "finished": one.finished,
                "end": one.reason,
                "decisions": one.decisions,
                "places": one.places or None,
                "winners": [played.names[seat] for seat in one.winners],
                "points": one.scores or None,
                "results": one.returns if one.finished else None,
            }
            for one in played.playouts
        ],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _as_mapping(numbers: Spread) -> Mapping[str, float]:
    return {"least": numbers.least, "mean": numbers.mean, "most": numbers.greatest}


def _csv(game: Game, agents: Sequence[str], played: Statistics, first: int) -> str:
    """Return a line for each seat of each game; what there is nothing of is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for one in played.playouts:
        for seat, name in enumerate(played.names):
            writer.writerow(
                [
                    one.seed,
                    printable(one.reason),
                    "yes" if one.finished else "no",
                    one.decisions,
                    seat + 1,
                    printable(name),
                    one.places[seat] if one.places else "",
                    ("yes" if seat in one.winners else "no") if one.places else "",
                    one.scores[seat] if one.scores else "",
                    f"{one.returns[seat]:g}" if one.finished else "",
                ]
            )
    return text.getvalue()


def _lines(game: Game, agents: Sequence[str], played: Statistics, first: int) -> Iterator[str]:
    from rulewright.interpreter.terminal.table import columns

    games = len(played.playouts)
    seeds = f"seed {first}" if games == 1 else f"seeds {first} to {first + games - 1}"
    yield from heading(game, f", {game.num_players} players: {games_word(games)}, {seeds}")
    yield ""
    yield f"Decisions in a game: {spread_words(played.lengths)}"
    yield "Ends:"
    rows = [[end, str(number), f"{100 * number / games:.1f} %"] for end, number in played.endings]
    yield from columns(rows, STEP)
    ranked = any(one.places for one in played.stopped)
    if len(played.stopped) < games or ranked:  # else 0 % would say that nobody has won
        yield "Seats:"
        yield from columns(list(_seats(agents, played)), STEP)
    if any(played.shared_wins):
        yield "(a win that is shared counts as a half for each of two, a third for each of three)"
    if played.without_winner and game.program.scoring.tells_winners:
        yield f"Without a winner: {games_word(played.without_winner)}"
    for item in played.diagnostics(game.model):
        yield item.one_line()
        yield from (f"{STEP}{note}" for note in item.notes)
    if ranked:
        yield f"{STEP}they count by the places so far, and have no result"


def _seats(agents: Sequence[str], played: Statistics) -> Iterator[Sequence[str]]:
    """Yield a row for each seat: wins, scores, mean result."""
    scores, returns, shared = played.scores, played.returns, any(played.shared_wins)
    shares = _in_tenths([*played.shares, 1 - sum(played.shares)])
    yield [
        "",
        "wins",
        *(["shared"] if shared else []),
        "",
        *(["mean score", "least", "most"] if scores else []),
        *(["mean result"] if returns else []),
    ]
    for seat, name in enumerate(played.names):
        who = f"{name} ({agents[seat]})" if agents else name
        row = [who, str(played.wins[seat]), *([str(played.shared_wins[seat])] if shared else [])]
        row.append(f"{shares[seat] / 10:.1f} %")
        if scores:
            of_seat = scores[seat]
            row += [f"{of_seat.mean:.1f}", f"{of_seat.least:g}", f"{of_seat.greatest:g}"]
        if returns:
            row.append(f"{returns[seat]:+.2f}")
        yield row


def _in_tenths(parts: Sequence[float]) -> Sequence[int]:
    """Return parts of a whole in tenths of a percent that make up the whole: what is lost by rounding
    down goes to those that have lost most."""
    exact = [1000 * part for part in parts]
    found = [int(part + 1e-9) for part in exact]
    by_loss = sorted(range(len(parts)), key=lambda place: found[place] - exact[place])
    for place in by_loss[: 1000 - sum(found)]:
        found[place] += 1
    return found
