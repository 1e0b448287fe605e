"""`rulewright play`, `state` and `why`: a game at the keyboard, or one look at it for scripts.

`play` is a table with people, or a whole game between programs. `state` prints the table as a seat sees
it, as text or as a picture; `why` says why something is possible or not at a point of a game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_game,
    add_language,
    add_limit,
    add_names,
    heading,
    loaded,
    pairs,
    positive,
    spoken,
)
from rulewright.interpreter.terminal.status import FINE, Refused
from rulewright.interpreter.words.text import printable, shortened

if TYPE_CHECKING:
    from rulewright.interpreter.agents.agent import Agent
    from rulewright.interpreter.play.api import Game, State
    from rulewright.interpreter.play.replay import Replay
    from rulewright.interpreter.play.save_format import Saved
    from rulewright.interpreter.terminal.console import Dialog


LIMIT = 20_000
HUMAN = "human"
UNLESS_NAMED = "random"
DECLINED = 1


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
        help="who plays a seat: human, or an agent; without this you are seat 1, the others random",
    )
    parser.add_argument(
        "--agents",
        metavar="A[,B...]",
        help="who plays all seats, in their order, the last one those that are left: random, greedy,"
        " search, search:800 (iterations), search:2s (seconds), or human; if nobody is human the"
        " game is printed",
    )
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    parser.add_argument(
        "--show-seed",
        action="store_true",
        help="tell the seed at once: with it all that is hidden can be found out",
    )
    add_limit(parser, LIMIT, "")


def run_play(arguments: argparse.Namespace) -> int:
    """Play a game."""
    if arguments.agents is not None and arguments.seat:
        raise UsageError("--agents plays all seats, --seat one of them: give one of the two")
    asks = arguments.agents is None or HUMAN in arguments.agents.split(",")
    state, places = opened(arguments, asks=asks)
    seated = _seated(arguments, state.game.num_players)
    people = [seat for seat, name in enumerate(seated) if name == HUMAN]

    from rulewright.interpreter.agents.agent import go_on_from
    from rulewright.interpreter.agents.specs import RANDOM, make_agents

    # Those that are random play the game of a playout with the same seed.
    made = make_agents([RANDOM if name == HUMAN else name for name in seated], state.seed)
    agents = {seat: agent for seat, agent in enumerate(made) if seat not in people}
    go_on_from(agents, places)
    game = spoken(state.game, arguments)
    # Who plays the same seed beside the table sees all hands. Who has chosen it knows it anyway.
    open_seed = not people or arguments.show_seed or arguments.seed is not None
    seed = f" (seed {state.seed})" if open_seed else ""
    for line in heading(game, f": {', '.join(game.names)}{seed}"):
        sys.stdout.write(f"{line}\n")
    if not people:
        _print_game(state, made, arguments.limit, game)
    else:
        _sit_down(state, agents, arguments.limit, game, state.seed if open_seed else None)
    return FINE


def _seated(arguments: argparse.Namespace, seats: int) -> tuple[str, ...]:
    """Return who plays each seat, in seat order: `human`, or the name of an agent."""
    from rulewright.interpreter.agents.errors import AgentError
    from rulewright.interpreter.agents.specs import for_seats, make_agent

    said = pairs(arguments.seat, "seat")
    for seat in said:
        if not 1 <= seat <= seats:
            raise UsageError(f"there is no seat {seat}: the seats are 1 to {seats}")
    named = [] if arguments.agents is None else arguments.agents.split(",")
    try:
        for name in (*said.values(), *named):
            if name != HUMAN:
                make_agent(name, known=(HUMAN,))
        if named:
            return for_seats(named, seats)
    except AgentError as error:
        raise UsageError(str(error)) from None
    usual = {1: HUMAN, **dict.fromkeys(range(2, seats + 1), UNLESS_NAMED)}
    return tuple({**usual, **said}.values())


def opened(
    arguments: argparse.Namespace, seed: int | None = None, asks: bool = False
) -> tuple[State, Mapping[int, int]]:
    """Return the first state of a game, or that of a file, and where the generators of its agents
    stand. `asks`: who sits there may go on from where the game goes another way by now."""
    if arguments.load is None:
        game = loaded(arguments)
        chosen = arguments.seed if arguments.seed is not None else seed
        return game.new_initial_state(chosen), {}

    from rulewright.interpreter.cli.replay import resumed
    from rulewright.interpreter.play import record, save_format

    saved, found = resumed(arguments, arguments.load)
    if asks:
        _confirm_difference(saved, found)
    elif found.difference is not None:
        told = record.otherwise(saved, found)
        hint = f"`rulewright replay {arguments.load}` tells more"
        raise UsageError(f"`{arguments.load}` cannot be loaded: {told}; {hint}")
    return found.state, save_format.agents_of(saved)


def _confirm_difference(saved: Saved, found: Replay) -> None:
    """Tell where a saved game goes another way by now, and ask whether to go on from there."""
    from rulewright.interpreter.cli.replay import told
    from rulewright.interpreter.terminal.console import Leave

    if found.difference is None and not found.changed:
        return
    sys.stdout.write("".join(f"{line}\n" for line in told(saved, found)))
    if found.difference is None:
        return
    try:
        answer = _dialog().ask("Go on from here (yes or no)? ")
    except Leave:
        answer = ""
    if answer.strip().casefold() not in ("y", "yes"):
        raise Refused(DECLINED)


def _print_game(state: State, agents: Sequence[Agent], limit: int, spoken: Game) -> None:
    from rulewright.interpreter.terminal.transcript import Transcript

    for line in Transcript(state, agents, limit, spoken).lines():
        sys.stdout.write(f"{line}\n")


def _sit_down(
    state: State,
    agents: Mapping[int, Agent],
    limit: int,
    spoken: Game,
    known_seed: int | str | None,
) -> None:
    from rulewright.interpreter.terminal.repl import Repl

    Repl(state, agents, _dialog(), limit, spoken, known_seed).run()


def _dialog() -> Dialog:
    """Return a terminal if there is one, otherwise plain lines."""
    from rulewright.interpreter.terminal.console import LineConsole

    if sys.stdin.isatty() and sys.stdout.isatty():
        from rulewright.interpreter.terminal.console import TerminalConsole, is_capable

        if is_capable():
            return TerminalConsole()
    return LineConsole()


def add_state(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `state`."""
    add_game(parser)
    add_names(parser)
    parser.add_argument(
        "--seat",
        type=positive,
        default=1,
        metavar="N",
        help="who looks at the table (1 if nothing is said)",
    )
    parser.add_argument("--load", metavar="FILE", help="show a saved game, not the beginning")
    parser.add_argument(
        "--svg", metavar="FILE", help="write the boards and rings to a picture instead"
    )


def run_state(arguments: argparse.Namespace) -> int:
    """Print what a seat sees, or write it to a picture."""
    from rulewright.interpreter.terminal.commands import write_picture
    from rulewright.interpreter.terminal.session import TableSession

    state, _ = opened(arguments, seed=0)
    seats = state.game.num_players
    if arguments.seat > seats:
        raise UsageError(f"there is no seat {arguments.seat}: the seats are 1 to {seats}")
    session, seat = TableSession(state, {}), arguments.seat - 1
    if arguments.svg is None:
        sys.stdout.write("".join(f"{line}\n" for line in session.view(seat)))
        return FINE
    wrong = write_picture(arguments.svg, session.picture(seat))
    if wrong is not None:
        raise UsageError(shortened(wrong))
    return FINE


def add_why(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `why`."""
    add_game(parser)
    add_names(parser)
    add_language(parser)
    parser.add_argument(
        "what", nargs="?", metavar="WHAT", help="a verb or the label of an option; else all options"
    )
    parser.add_argument("--load", metavar="FILE", help="ask in a saved game, not at the beginning")


def run_why(arguments: argparse.Namespace) -> int:
    """Print why something is possible or not for the player whose decision waits."""
    from rulewright.interpreter.state.errors import AmbiguousActionError, InvalidActionError
    from rulewright.interpreter.terminal.commands import why_lines

    state, _ = opened(arguments, seed=0)
    state = state.told_by(spoken(state.game, arguments))
    if state.is_terminal():
        raise UsageError("the game is over: nothing is possible any more")
    if arguments.what is None:
        lines: Iterable[str] = _option_lines(state)
    else:
        try:
            players = state.current_players()
            why = state.why(arguments.what, players[0] if players else None)
            lines = why_lines(why.text(state.game.program.evaluator.words))
        except (InvalidActionError, AmbiguousActionError) as error:
            raise UsageError(str(error)) from None
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FINE


def _option_lines(state: State) -> Iterator[str]:
    """Yield what is asked, and all that can be answered."""
    for player in state.current_players():
        yield printable(f"{state.game.names[player]}: {state.prompt(player)}")
        for action in state.legal_actions(player):
            yield printable(f"  {action.label}")
