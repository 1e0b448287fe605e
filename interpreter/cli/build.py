"""`rulewright build`: compile what is generated for a game, so that random games run faster."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import UsageError, add_game, loaded
from rulewright.interpreter.terminal.status import FINE

if TYPE_CHECKING:
    from rulewright.interpreter.program.program import Program


def add_build(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `build`."""
    add_game(parser)


def run_build(arguments: argparse.Namespace) -> int:
    """Build the library of a game and say so."""
    from rulewright.interpreter.native import building

    if arguments.no_cache:
        raise UsageError("what is built is kept in the cache folder: `--no-cache` leaves no place")
    try:
        building.require_tools()
        game = loaded(arguments)

        def fresh() -> Program:
            return loaded(arguments).program

        built = building.build(fresh)
    except building.CannotBuild as error:
        raise UsageError(f"nothing was built: {error}") from None
    sys.stdout.write(
        f"{game.model.title}, {game.num_players} players: {built.functions} functions compiled"
        f" ({built.size / 1e6:.1f} MB), after {built.games} random games\n"
    )
    return FINE
