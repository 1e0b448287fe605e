"""`rulewright replay`: a saved game under these rules, to its end or to the first difference."""

from __future__ import annotations

import argparse
import sys

from rulewright.interpreter.arguments import FINE, add_options, add_variants, heading

OTHERWISE = 1


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `replay`."""
    parser.add_argument("file", metavar="SAVE", help="a saved game")
    parser.add_argument(
        "--rules",
        metavar="GAME",
        help="a game of the shelf, a folder or a file; without this the game that was played",
    )
    add_variants(parser)
    add_options(parser)


def run_replay(arguments: argparse.Namespace) -> int:
    """Play what was answered, and say where it goes another way."""
    from rulewright.interpreter.resuming import replayed, told

    game, saved, found = replayed(arguments, arguments.file)
    for line in heading(game, f": {', '.join(game.names)}"):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write("".join(f"{line}\n" for line in told(saved, found)))
    return FINE if found.difference is None else OTHERWISE
