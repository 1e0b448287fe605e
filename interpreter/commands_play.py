"""`rulewright play`: at the table with people, or a whole game between programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.interpreter.arguments import (
    FINE,
    UsageError,
    Word,
    add_game,
    add_language,
    add_names,
    heading,
    loaded,
    pairs,
    playable,
    positive,
    spoken,
)

if TYPE_CHECKING:
    from rulewright.interpreter.agents import Agent
    from rulewright.interpreter.engine import Game, State
    from rulewright.interpreter.record import Saved
    from rulewright.interpreter.talk import Talk

LIMIT = 20_000
HUMAN = "human"
AGENTS = ("random",)


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `play`."""
    add_game(parser)
    add_names(parser)
    add_language(parser)
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="N=WHO",
        help="who plays a seat: human or random; without this you are seat 1, the others random",
    )
    parser.add_argument(
        "--agents",
        type=Word("agent", AGENTS),
        metavar="|".join(AGENTS),
        help="let programs play all seats, and print the game",
    )
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    parser.add_argument(
        "--limit",
        type=positive,
        default=LIMIT,
        metavar="N",
        help=f"stop after N decisions ({LIMIT:,} if nothing is said)",
    )


def run_play(arguments: argparse.Namespace) -> int:
    """Play a game."""
    if arguments.agents is not None and arguments.seat:
        raise UsageError("--agents plays all seats, --seat one of them: give one of the two")
    state, places = opened(arguments)
    people = _people(arguments, state.game.num_players)

    from rulewright.interpreter.agents import RandomAgent, go_on_from

    # A playout with the same seed plays the same game.
    agent = RandomAgent(f"agents {state.seed}")
    go_on_from(dict.fromkeys(range(state.game.num_players), agent), places)
    game = spoken(state.game, arguments)
    for line in heading(game, f": {', '.join(game.names)} (seed {state.seed})"):
        sys.stdout.write(f"{line}\n")
    if not people:
        _print_game(state, agent, arguments.limit, game)
    else:
        agents = {seat: agent for seat in range(game.num_players) if seat not in people}
        _sit_down(state, agents, arguments.limit, game)
    return FINE


def _people(arguments: argparse.Namespace, seats: int) -> frozenset[int]:
    """Return the seats at which somebody sits, counted from 0."""
    if arguments.agents is not None:
        return frozenset()
    judge = Word("player of a seat", (HUMAN, *AGENTS))
    said = {seat: judge(word) for seat, word in pairs(arguments.seat, "seat").items()}
    for seat in said:
        if not 1 <= seat <= seats:
            raise UsageError(f"there is no seat {seat}: the seats are 1 to {seats}")
    return frozenset(
        seat - 1 for seat in range(1, seats + 1) if said.get(seat, _usual(seat)) == HUMAN
    )


def _usual(seat: int) -> str:
    return HUMAN if seat == 1 else AGENTS[0]


def opened(
    arguments: argparse.Namespace, seed: int | None = None
) -> tuple[State, Mapping[int, int]]:
    """Return the first state of a game, or that of a file, and where the generators of its random
    players stand: what the file says of players, variants and options needs not be said again, and
    must not be said otherwise."""
    if arguments.load is None:
        game = loaded(arguments)
        chosen = arguments.seed if arguments.seed is not None else seed
        return game.new_initial_state(chosen), {}

    from rulewright.interpreter import record
    from rulewright.interpreter.repl_commands import read_saved, reason

    try:
        saved = record.read(read_saved(Path(arguments.load)))
        _compare(arguments, saved)
        if arguments.names is None:
            arguments.names = ",".join(saved.players)
        arguments.variant = arguments.variant or saved.variants
        known = {name: record.option_word(value) for name, value in saved.options.items()}
        words = (f"{name}={_written(value)}" for name, value in known.items())
        arguments.option = [*words, *arguments.option]
        return record.restore(saved, _loaded_again(arguments, saved)), record.agents_of(saved)
    except (OSError, ValueError) as error:
        raise UsageError(f"`{arguments.load}` cannot be loaded: {reason(error)}") from None


def _loaded_again(arguments: argparse.Namespace, saved: Saved) -> Game:
    """Return the game of a saved one; a variant that lies elsewhere must be named once more."""
    from rulewright.interpreter.errors import RecordError

    try:
        return loaded(arguments)
    except UsageError as error:
        missing = [one for one in error.diagnostics if one.code.code == "RW503"]
        if not missing or arguments.variant != saved.variants:
            raise
        title = missing[0].arguments["name"]
        help = "it does not belong to the game, so name its file, as in --variant ./my.rules"
        raise RecordError(f"it was saved with the variant `{title}`: {help}") from None


def _compare(arguments: argparse.Namespace, saved: Saved) -> None:
    """Refuse what the command line says otherwise than a saved game, before it is asked for."""
    from rulewright.interpreter.errors import RecordError

    game = playable(arguments.game).game
    if game.title != saved.title:
        raise RecordError(f"this is a saved game of {saved.title}, not of {game.title}")
    if arguments.seed not in (None, saved.seed):
        raise RecordError(f"it was saved with seed {saved.seed}, not {arguments.seed}")
    if arguments.players not in (None, len(saved.players)):
        raise RecordError(f"it was saved with {len(saved.players)} players")


def _written(value: object) -> object:
    """Return the value of an option as it is written on the command line."""
    return ("no", "yes")[value] if isinstance(value, bool) else value


def _print_game(state: State, agent: Agent, limit: int, spoken: Game) -> None:
    from rulewright.interpreter.transcript import Transcript

    for line in Transcript(state, agent, limit, spoken).lines():
        sys.stdout.write(f"{line}\n")


def _sit_down(state: State, agents: Mapping[int, Agent], limit: int, spoken: Game) -> None:
    from rulewright.interpreter.repl import Repl

    Repl(state, agents, _talk(), limit, spoken).run()


def _talk() -> Talk:
    """Return a terminal if there is one, otherwise plain lines."""
    from rulewright.interpreter.talk import Plain

    if sys.stdin.isatty() and sys.stdout.isatty():
        from rulewright.interpreter.terminal import Terminal, is_capable

        if is_capable():
            return Terminal()
    return Plain()
