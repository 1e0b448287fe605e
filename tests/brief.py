"""Games that chance alone does not bring to an end are broken off by an option.

In such a game somebody has to want to win, so random players could go on for ever. A game of the
shelf that is like this has an option `turns`: after how many turns it is broken off (0: never). The
tests use it, and expect of it what they expect of every other game: that it ends.
"""

from rulewright.dsl import model
from rulewright.interpreter.state.values import Value

OPTION = "turns"

FEW, MANY = 2, 12
"""After so many turns it is broken off, in short and in long runs."""


def is_broken_off(game: model.Game) -> bool:
    """Return whether a game has such an option."""
    return OPTION in game.options


def options_of(game: model.Game, turns: int = FEW) -> dict[str, Value]:
    """Return the options with which a game ends whatever the players do: none for most."""
    return {OPTION: turns} if is_broken_off(game) else {}
