"""`rulewright play`: at the table with people, or a whole game between programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    Word,
    add_game,
    add_language,
    add_names,
    heading,
    loaded,
    pairs,
    positive,
    spoken,
)
from rulewright.interpreter.terminal.status import FINE, Refused

if TYPE_CHECKING:
    from rulewright.interpreter.play.agents import Agent
    from rulewright.interpreter.play.api import Game, State
    from rulewright.interpreter.play.record import Saved
    from rulewright.interpreter.play.replay import Replay
    from rulewright.interpreter.terminal.console import Talk

LIMIT = 20_000
HUMAN = "human"
AGENTS = ("random",)
OTHERWISE = 1


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
        "--show-seed",
        action="store_true",
        help="tell the seed at once: with it all that is hidden can be found out",
    )
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
    state, places = opened(arguments, asks=arguments.agents is None)
    people = _people(arguments, state.game.num_players)

    from rulewright.interpreter.play.agents import RandomAgent, go_on_from

    # A playout with the same seed plays the same game.
    agent = RandomAgent(f"agents {state.seed}")
    go_on_from(dict.fromkeys(range(state.game.num_players), agent), places)
    game = spoken(state.game, arguments)
    # Who plays the same seed beside the table sees all hands. Who has chosen it knows it anyway.
    open_seed = not people or arguments.show_seed or arguments.seed is not None
    seed = f" (seed {state.seed})" if open_seed else ""
    for line in heading(game, f": {', '.join(game.names)}{seed}"):
        sys.stdout.write(f"{line}\n")
    if not people:
        _print_game(state, agent, arguments.limit, game)
    else:
        agents = {seat: agent for seat in range(game.num_players) if seat not in people}
        _sit_down(state, agents, arguments.limit, game, state.seed if open_seed else None)
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
    arguments: argparse.Namespace, seed: int | None = None, asks: bool = False
) -> tuple[State, Mapping[int, int]]:
    """Return the first state of a game, or that of a file, and where the generators of its random
    players stand. `asks`: who sits there may go on from where the game goes another way by now."""
    if arguments.load is None:
        game = loaded(arguments)
        chosen = arguments.seed if arguments.seed is not None else seed
        return game.new_initial_state(chosen), {}

    from rulewright.interpreter.cli.resuming import resumed
    from rulewright.interpreter.play import record

    saved, found = resumed(arguments, arguments.load)
    if asks:
        _judge(saved, found)
    elif found.difference is not None:
        told = record.otherwise(saved, found)
        hint = f"`rulewright replay {arguments.load}` tells more"
        raise UsageError(f"`{arguments.load}` cannot be loaded: {told}; {hint}")
    return found.state, record.agents_of(saved)


def _judge(saved: Saved, found: Replay) -> None:
    """Tell where a saved game goes another way by now, and ask whether to go on from there."""
    from rulewright.interpreter.cli.resuming import told
    from rulewright.interpreter.terminal.console import Leave

    if found.difference is None and not found.changed:
        return
    sys.stdout.write("".join(f"{line}\n" for line in told(saved, found)))
    if found.difference is None:
        return
    try:
        answer = _talk().ask("Go on from here (yes or no)? ")
    except Leave:
        answer = ""
    if answer.strip().casefold() not in ("y", "yes"):
        raise Refused(OTHERWISE)


def _print_game(state: State, agent: Agent, limit: int, spoken: Game) -> None:
    from rulewright.interpreter.terminal.transcript import Transcript

    for line in Transcript(state, agent, limit, spoken).lines():
        sys.stdout.write(f"{line}\n")


def _sit_down(
    state: State,
    agents: Mapping[int, Agent],
    limit: int,
    spoken: Game,
    known_seed: int | str | None,
) -> None:
    from rulewright.interpreter.terminal.repl import Repl

    Repl(state, agents, _talk(), limit, spoken, known_seed).run()


def _talk() -> Talk:
    """Return a terminal if there is one, otherwise plain lines."""
    from rulewright.interpreter.terminal.console import Plain

    if sys.stdin.isatty() and sys.stdout.isatty():
        from rulewright.interpreter.terminal.console import Terminal, is_capable

        if is_capable():
            return Terminal()
    return Plain()
