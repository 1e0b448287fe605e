"""`rulewright state`: the table as a seat sees it, as text or as a picture, for scripts."""

from __future__ import annotations

import argparse
import sys

from rulewright.interpreter.cli.arguments import UsageError, add_game, add_names, positive
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import shortened


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
    from rulewright.interpreter.cli.play import opened
    from rulewright.interpreter.terminal.commands import write_picture
    from rulewright.interpreter.terminal.session import Sitting

    state, _ = opened(arguments, seed=0)
    seats = state.game.num_players
    if arguments.seat > seats:
        raise UsageError(f"there is no seat {arguments.seat}: the seats are 1 to {seats}")
    sitting, seat = Sitting(state, {}), arguments.seat - 1
    if arguments.svg is None:
        sys.stdout.write("".join(f"{line}\n" for line in sitting.view(seat)))
        return FINE
    wrong = write_picture(arguments.svg, sitting.picture(seat))
    if wrong is not None:
        raise UsageError(shortened(wrong))
    return FINE
