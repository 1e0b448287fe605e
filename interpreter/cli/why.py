"""`rulewright why`: why something is possible or not at a point of a game, for scripts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_game,
    add_language,
    add_names,
    spoken,
)
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.interpreter.play.api import State


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
    from rulewright.interpreter.cli.play import opened
    from rulewright.interpreter.state.errors import AmbiguousActionError, InvalidActionError
    from rulewright.interpreter.terminal.commands import why_lines

    state, _ = opened(arguments, seed=0)
    state = state.told_by(spoken(state.game, arguments))
    if state.is_terminal():
        raise UsageError("the game is over: nothing is possible any more")
    if arguments.what is None:
        lines: Iterable[str] = _options(state)
    else:
        try:
            asked = state.current_players()
            why = state.why(arguments.what, asked[0] if asked else None)
            lines = why_lines(why.text(state.game.program.evaluator.words))
        except (InvalidActionError, AmbiguousActionError) as error:
            raise UsageError(str(error)) from None
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FINE


def _options(state: State) -> Iterator[str]:
    """Yield what is asked, and all that can be answered."""
    for player in state.current_players():
        yield printable(f"{state.game.names[player]}: {state.prompt(player)}")
        for action in state.legal_actions(player):
            yield printable(f"  {action.label}")
