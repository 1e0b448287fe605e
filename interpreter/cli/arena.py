"""`rulewright arena`: matches between agents, with how sure their results are.

Everything on stdout is the same for the same arguments, unless an agent thinks for a time; how long it took, and how
long each agent thought, is on stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from math import isinf
from pathlib import Path
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
from rulewright.interpreter.cli.reports import decisions_word, games_word, spread_words, with_bar
from rulewright.interpreter.terminal.status import (
    FINE,
    INTERRUPTED,
    RULES_WRONG,
    Refused,
    rules_error,
)
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.interpreter.agents.arena import Arena, ArenaGame, Match, Standing
    from rulewright.interpreter.agents.intervals import Estimate
    from rulewright.interpreter.play.api import Game

SEEDS = 20
LIMIT = 5000
FORMATS = ("text", "json")
STEP = "  "
UNKNOWN = "?"


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `arena`."""
    add_game(parser)
    add_names(parser)
    parser.add_argument(
        "--agents",
        required=True,
        metavar="A,B",
        help="who plays: random, greedy, search, search:800 (iterations) or search:2s (seconds);"
        " the last one plays the seats that are left, and of more than there are seats all"
        " that can sit together play in turn",
    )
    parser.add_argument(
        "-n",
        type=positive,
        default=SEEDS,
        metavar="N",
        help=f"how many seeds ({SEEDS} if missing), each played in every rotation of the seats",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="how many processes play (1)"
    )
    parser.add_argument(
        "--save", metavar="FOLDER", help="save each game to this folder, for `rulewright replay`"
    )
    add_format(parser, FORMATS, "json: all numbers, and how each game came out")
    add_limit(parser, LIMIT)


def run_arena(arguments: argparse.Namespace) -> int:
    """Let agents play each other and print what came out."""
    begun = time.perf_counter()
    games: list[ArenaGame] = []
    try:
        game, match = _match(arguments)
        first = arguments.seed or 0
        wanted = arguments.n * len(match.seatings)
        seeds = range(first, first + arguments.n)
        # Whoever is interrupted here ends the processes, too.
        with closing(_games(match, seeds, arguments.jobs)) as playing:
            for one in with_bar(playing, wanted):
                games.append(one)
    except KeyboardInterrupt:
        if not games:
            sys.stderr.write("interrupted before a game was over\n")
            raise
    # A seed that was not played in all rotations would favour somebody.
    whole = games[: len(games) - len(games) % len(match.seatings)]
    if whole:
        _report(arguments, game, match.names, whole, time.perf_counter() - begun)
    if len(games) < wanted:
        left_out = len(games) - len(whole)
        verb = "does" if left_out == 1 else "do"
        rest = (
            f"; {games_word(left_out)} of a seed that was not played to its end {verb} not count"
            if left_out
            else ""
        )
        sys.stderr.write(f"interrupted after {len(games):,} of {wanted:,} games{rest}\n")
        return INTERRUPTED
    return FINE


def _match(arguments: argparse.Namespace) -> tuple[Game, Match]:
    """Return the game, and who plays whom."""
    from rulewright.interpreter.agents.arena import Match
    from rulewright.interpreter.agents.errors import AgentError

    game = loaded(arguments)
    folder = _folder(arguments.save)
    try:
        return game, Match.of(game, arguments.agents.split(","), arguments.limit, folder)
    except AgentError as error:
        raise UsageError(str(error)) from None


def _report(
    arguments: argparse.Namespace,
    game: Game,
    names: tuple[str, ...],
    games: Sequence[ArenaGame],
    seconds: float,
) -> None:
    """Print what came out, and how long it took."""
    from rulewright.interpreter.agents.arena import Arena

    played = Arena(names, tuple(games))
    write = {"text": _text, "json": _json}[arguments.format]
    sys.stdout.write(write(game, played, arguments.seed or 0))
    sys.stdout.flush()
    taken = "; ".join(_taken(name, *played.seconds(at)) for at, name in enumerate(played.agents))
    sys.stderr.write(f"{seconds:.1f} s: {len(games) / seconds:,.1f} games a second; {taken}\n")


def _taken(name: str, middle: float, most: float) -> str:
    """Return how long an agent thought, in words."""
    return f"{printable(name)} {1000 * middle:,.1f} ms of CPU a decision (95 %: {1000 * most:,.1f})"


def _folder(name: str | None) -> Path | None:
    """Return the folder for saved games, which is there then."""
    if name is None:
        return None
    if not name.strip():
        raise UsageError("--save needs the name of a folder")
    try:
        folder = Path(name).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"`{name}` cannot be a folder: {error.strerror}") from None
    return folder


def _games(match: Match, seeds: range, jobs: int) -> Generator[ArenaGame, None, None]:
    """Yield the games; a rules error is reported with the seed with which it comes again."""
    from rulewright.interpreter.agents.arena import MOST_JOBS
    from rulewright.interpreter.agents.errors import AgentError
    from rulewright.interpreter.state.errors import PlayError

    done = 0
    try:
        with closing(match.games(seeds, min(jobs, MOST_JOBS))) as playing:
            for one in playing:
                done += 1
                yield one
    except AgentError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise UsageError(f"`{error.filename}` cannot be written: {error.strerror}") from None
    except PlayError as error:
        seed = seeds[done // len(match.seatings)]
        complain([rules_error(error, f"in the game with seed {seed}")])
        raise Refused(RULES_WRONG) from None


# ------------------------------------------------------------------------------------------ report


def _text(game: Game, played: Arena, first: int) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(game, played, first))


def _lines(game: Game, played: Arena, first: int) -> Iterator[str]:
    from rulewright.interpreter.terminal.table import columns

    games, seeds = len(played.games), _seeds(played)
    told = f"seed {first}" if seeds == 1 else f"seeds {first} to {first + seeds - 1}"
    yield from heading(game, f", {game.num_players} players: {games_word(games)}, {told}")
    yield ""
    yield "Each seed was played once in every rotation of the seats. In brackets: the interval of 95 %."
    yield f"Decisions in a game: {spread_words(played.lengths)}"
    yield from columns(list(_standings(played)), STEP)
    if len(played.agents) > 2:
        yield "In so many of their games the one of the row came before the one of the column (a tie: half):"
        yield from columns(list(_duels(played)), STEP)
    if played.stopped:
        number = len(played.stopped)
        seeds_of = ", ".join(map(str, sorted({one.seed for one in played.stopped})[:3]))
        decisions = decisions_word(played.stopped[0].decisions)
        yield (
            f"Stopped after {decisions}: {games_word(number)}, counted by the places so far"
            f" (first seeds: {seeds_of})"
        )
    if played.fallbacks:
        yield f"Answers that chance gave, since no state could be drawn: {played.fallbacks}"
    if played.looks.alike:
        alike, decisions = played.looks.alike, decisions_word(played.looks.decisions)
        yield f"To greedy all answers looked the same in {alike} of {decisions}; chance chose there."
    if noticed := played.rollouts.told():
        yield f"Searches: {noticed}"


def _seeds(played: Arena) -> int:
    return len({one.seed for one in played.games})


def _standings(played: Arena) -> Iterator[Sequence[str]]:
    found = played.standings
    scored = any(one.lead is not None for one in found)
    yield ["", "games", "wins", "draws", "mean result", *(["points ahead"] if scored else [])]
    for one in found:
        row = [one.agent, str(one.games), _percent(one.wins), _percent(one.draws)]
        row.append(_signed(one.payoff, 2))
        yield [*row, *([_signed(one.lead, 1)] if scored else [])]


def _duels(played: Arena) -> Iterator[Sequence[str]]:
    yield ["", *played.agents]
    for name, row in zip(played.agents, played.duels, strict=True):
        yield [name, *("" if one is None else _percent(one) for one in row)]


def _percent(found: Estimate) -> str:
    return f"{100 * found.value:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _signed(found: Estimate | None, digits: int) -> str:
    if found is None:
        return UNKNOWN
    low, high = (UNKNOWN if isinf(one) else f"{one:+.{digits}f}" for one in (found.low, found.high))
    return f"{found.value:+.{digits}f} [{low}, {high}]"


def _json(game: Game, played: Arena, first: int) -> str:
    """Return all that was counted, and how each game came out, for programs."""
    from rulewright.interpreter.engine.setup import decided, in_words

    found = {
        "game": game.model.title,
        "variants": list(game.model.variants),
        "options": {name: in_words(value) for name, value in decided(game.program.layout).items()},
        "players": game.num_players,
        "first seed": first,
        "seeds": _seeds(played),
        "games": len(played.games),
        "decisions": {
            "least": played.lengths.least,
            "mean": played.lengths.mean,
            "most": played.lengths.greatest,
        },
        "stopped": len(played.stopped),
        "fallbacks": played.fallbacks,
        "looks of greedy": attrs.asdict(played.looks),
        "playouts of searches": attrs.asdict(played.rollouts),
        "agents": [_standing(one) for one in played.standings],
        "before": [[_numbers(one) for one in row] for row in played.duels],
        "played": [
            {
                "seed": one.seed,
                "seats": [played.agents[number] for number in one.seats],
                "finished": one.finished,
                "end": one.ending,
                "decisions": one.decisions,
                "places": one.places or None,
                "points": one.points or None,
                "results": one.returns or None,
            }
            for one in played.games
        ],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _standing(one: Standing) -> Mapping[str, object]:
    return {
        "agent": one.agent,
        "games": one.games,
        "wins": _numbers(one.wins),
        "draws": _numbers(one.draws),
        "mean result": _numbers(one.payoff),
        "points ahead": _numbers(one.lead),
    }


def _numbers(found: Estimate | None) -> Mapping[str, float | None] | None:
    if found is None:
        return None
    low, high = (None if isinf(one) else one for one in (found.low, found.high))
    return {"value": found.value, "low": low, "high": high}
