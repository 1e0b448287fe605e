"""`rulewright playout`: many random games, and what they came to.

Everything on stdout is the same for the same arguments; how long it took is on stderr.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.interpreter.arguments import (
    FINE,
    RULES_WRONG,
    Refused,
    add_game,
    add_names,
    complain,
    heading,
    loaded,
    positive,
    printable,
    rules_error,
)

if TYPE_CHECKING:
    from rulewright.interpreter.engine import Game
    from rulewright.interpreter.playout import Playout, Spread, Statistics

GAMES = 100
LIMIT = 5000
BAR = 40
STEP = "  "


def add_playout(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `playout`."""
    add_game(parser)
    add_names(parser)
    parser.add_argument(
        "-n", type=positive, default=GAMES, metavar="N", help=f"how many games ({GAMES} if missing)"
    )
    parser.add_argument(
        "--limit",
        type=positive,
        default=LIMIT,
        metavar="N",
        help=f"stop a game after N decisions ({LIMIT:,} if nothing is said)",
    )


def run_playout(arguments: argparse.Namespace) -> int:
    """Play random games and print what came out."""
    from rulewright.interpreter.playout import Statistics, expect

    game = loaded(arguments)
    first = arguments.seed or 0
    begun = time.perf_counter()
    native = expect(game, arguments.n)
    seeds = _with_bar(range(first, first + arguments.n))
    played = Statistics(tuple(_games(game, seeds, arguments.limit)), game.names)
    seconds = time.perf_counter() - begun
    for line in _lines(game, played, first):
        sys.stdout.write(f"{printable(line)}\n")
    sys.stdout.flush()
    sys.stderr.write(
        f"{seconds:.1f} s: {arguments.n / seconds:,.1f} games,"
        f" {played.decisions / seconds:,.0f} decisions a second{', native' if native else ''}\n"
    )
    return FINE


def _games(game: Game, seeds: Iterable[int], limit: int) -> Iterator[Playout]:
    """Yield random games; a rules error is reported with the seed with which it comes again."""
    from rulewright.interpreter.errors import PlayError
    from rulewright.interpreter.playout import playout

    for seed in seeds:
        try:
            yield playout(game, seed, limit)
        except PlayError as error:
            complain([rules_error(error, f"in the random game with seed {seed}")])
            raise Refused(RULES_WRONG) from None


def _with_bar(seeds: range) -> Iterator[int]:
    """Yield the seeds, with a bar on a terminal that shows how far it is."""
    if not sys.stderr.isatty():
        yield from seeds
        return
    try:
        for number, seed in enumerate(seeds):
            filled = BAR * number // len(seeds)
            bar = "#" * filled + "." * (BAR - filled)
            sys.stderr.write(f"\r[{bar}] {number} of {len(seeds)}")
            sys.stderr.flush()
            yield seed
    finally:
        sys.stderr.write("\r" + " " * (BAR + 30) + "\r")
        sys.stderr.flush()


# ------------------------------------------------------------------------------------------ report


def _lines(game: Game, played: Statistics, first: int) -> Iterator[str]:
    from rulewright.interpreter.table import columns

    games = len(played.playouts)
    seeds = f"seed {first}" if games == 1 else f"seeds {first} to {first + games - 1}"
    yield from heading(game, f", {game.num_players} players: {_games_word(games)}, {seeds}")
    yield ""
    yield f"Decisions in a game: {_spread(played.lengths)}"
    yield "Ends:"
    rows = [[reason, str(number), _percent(number, games)] for reason, number in played.endings]
    yield from columns(rows, STEP)
    yield "Seats:"
    yield from columns(list(_seats(played, games)), STEP)
    if played.without_winner:
        yield f"Without a winner: {_games_word(played.without_winner)}"
    for item in played.diagnostics(game.model):
        yield item.one_line()
        yield from (f"{STEP}{note}" for note in item.notes)


def _seats(played: Statistics, games: int) -> Iterator[Sequence[str]]:
    """Yield a row for each seat: wins, scores, mean result."""
    scores, returns = played.scores, played.returns
    yield [
        "",
        "wins",
        "",
        *(["mean score", "least", "most"] if scores else []),
        *(["mean result"] if returns else []),
    ]
    for seat, name in enumerate(played.names):
        row = [name, str(played.wins[seat]), _percent(played.wins[seat], games)]
        if scores:
            of_seat = scores[seat]
            row += [f"{of_seat.mean:.1f}", f"{of_seat.least:g}", f"{of_seat.greatest:g}"]
        if returns:
            row.append(f"{returns[seat]:+.2f}")
        yield row


def _games_word(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"


def _spread(numbers: Spread) -> str:
    return f"{numbers.mean:.1f} on average, {numbers.least:,g} to {numbers.greatest:,g}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
