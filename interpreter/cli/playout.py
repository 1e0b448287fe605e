"""`rulewright playout`: many random games, and what they came to.

Everything on stdout is the same for the same arguments; how long it took is on stderr.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    add_format,
    add_game,
    add_limit,
    add_names,
    complain,
    heading,
    loaded,
    positive,
)
from rulewright.interpreter.terminal.status import (
    FINE,
    INTERRUPTED,
    RULES_WRONG,
    Refused,
    rules_error,
)
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
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
BAR = 40
STEP = "  "


def add_playout(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `playout`."""
    add_game(parser)
    add_names(parser)
    parser.add_argument(
        "-n", type=positive, default=GAMES, metavar="N", help=f"how many games ({GAMES} if missing)"
    )
    add_format(
        parser,
        FORMATS,
        "json: all numbers, and how each game came out; csv: a line for each seat of each game",
    )
    add_limit(parser, LIMIT)


def run_playout(arguments: argparse.Namespace) -> int:
    """Play random games and print what came out."""
    from rulewright.interpreter.play.playout import Statistics, expect

    game = loaded(arguments)
    first = arguments.seed or 0
    begun = time.perf_counter()
    native = expect(game, arguments.n)
    seeds = _with_bar(range(first, first + arguments.n))
    games: list[Playout] = []
    try:
        for one in _games(game, seeds, arguments.limit):
            games.append(one)
    except KeyboardInterrupt:
        if not games:
            raise
    interrupted = len(games) < arguments.n
    played = Statistics(tuple(games), game.names)
    seconds = time.perf_counter() - begun
    write = {"text": _text, "json": _json, "csv": _csv}[arguments.format]
    sys.stdout.write(write(game, played, first))
    sys.stdout.flush()
    if interrupted:
        sys.stderr.write(f"interrupted after {len(games):,} of {arguments.n:,} games\n")
    sys.stderr.write(
        f"{seconds:.1f} s: {len(games) / seconds:,.1f} games,"
        f" {played.decisions / seconds:,.0f} decisions a second{', native' if native else ''}\n"
    )
    return INTERRUPTED if interrupted else FINE


def _games(game: Game, seeds: Iterable[int], limit: int) -> Iterator[Playout]:
    """Yield random games; a rules error is reported with the seed with which it comes again."""
    from rulewright.interpreter.play.playout import playout
    from rulewright.interpreter.state.errors import PlayError

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


def _text(game: Game, played: Statistics, first: int) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(game, played, first))


def _json(game: Game, played: Statistics, first: int) -> str:
    """Return all that was counted, and how each game came out, for programs."""
    from rulewright.interpreter.engine.setup import decided, in_words

    scores, returns = played.scores, played.returns
    seats = [
        {
            "name": name,
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


def _csv(game: Game, played: Statistics, first: int) -> str:
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
                    ("yes" if seat in one.winners else "no") if one.finished else "",
                    one.scores[seat] if one.scores else "",
                    f"{one.returns[seat]:g}" if one.finished else "",
                ]
            )
    return text.getvalue()


def _lines(game: Game, played: Statistics, first: int) -> Iterator[str]:
    from rulewright.interpreter.terminal.table import columns

    games = len(played.playouts)
    seeds = f"seed {first}" if games == 1 else f"seeds {first} to {first + games - 1}"
    yield from heading(game, f", {game.num_players} players: {_games_word(games)}, {seeds}")
    yield ""
    lengths = played.lengths
    spread = f"{lengths.least:,g} to {lengths.greatest:,g}"
    yield f"Decisions in a game: {lengths.mean:.1f} on average, {spread}"
    yield "Ends:"
    rows = [[end, str(number), f"{100 * number / games:.1f} %"] for end, number in played.endings]
    yield from columns(rows, STEP)
    if len(played.stopped) < games:  # else nobody could win, and 0 % would say that nobody has
        yield "Seats:"
        yield from columns(list(_seats(played)), STEP)
    if any(played.shared_wins):
        yield "(a win that is shared counts as a half for each of two, a third for each of three)"
    if played.without_winner and game.program.scoring.tells_winners:
        yield f"Without a winner: {_games_word(played.without_winner)}"
    for item in played.diagnostics(game.model):
        yield item.one_line()
        yield from (f"{STEP}{note}" for note in item.notes)


def _seats(played: Statistics) -> Iterator[Sequence[str]]:
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
        row = [name, str(played.wins[seat]), *([str(played.shared_wins[seat])] if shared else [])]
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


def _games_word(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"
