"""The end of a game: ranking, who has won, what it pays, and the score sheet."""

from __future__ import annotations

import attrs

from rulewright.interpreter.evaluate import Evaluator
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Thing, Value


@attrs.frozen
class SheetLine:
    """A line of the score sheet: its name and the value for each player, in seat order."""

    name: str
    values: tuple[Value, ...]


class Scoring:
    """Ranks the players of a loaded game; makes the evaluator know `won` and `ranking`."""

    def __init__(self, evaluator: Evaluator) -> None:
        raise NotImplementedError

    def places(self, store: Store) -> tuple[int, ...]:
        """Return the place of each seat, 1 the first; equal players share one."""
        raise NotImplementedError

    def order(self, store: Store) -> tuple[Thing, ...]:
        """Return the seats from first to last place, in seat order where they share one."""
        raise NotImplementedError

    def won(self, store: Store, player: Thing) -> bool:
        """Return whether the player has won."""
        raise NotImplementedError

    def payoff(self, store: Store) -> tuple[int | float, ...]:
        """Return the result of each seat as a number."""
        raise NotImplementedError

    def sheet(self, store: Store) -> tuple[SheetLine, ...]:
        """Return the score sheet: the lines of the tally and its sum, last."""
        raise NotImplementedError
