"""The games of the shelf once more, written by hand in Python, to compare with.

Each is a state machine that can be copied at every elementary decision. The decisions, the order of
their options and the draws of chance are those of the rule files, so both sides play the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from handwritten.connect_four import ConnectFour
from handwritten.jump_gate import JumpGate
from handwritten.kuhn_poker import KuhnPoker
from handwritten.tic_tac_toe import TicTacToe


class Written(Protocol):
    """A game written by hand."""

    player: int
    """Who decides."""

    ending: str | None
    """Why the game is over."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be decided any more."""

    def legal(self) -> Sequence[int]:
        """Return the possible answers; none leads to a dead end."""

    def apply(self, answer: int) -> None:
        """Give one of the possible answers, and go on to the next decision."""

    def clone(self) -> Written:
        """Return a game of its own at the same point."""

    def scores(self) -> tuple[int, ...]:
        """Return the points of each player; nothing if the game counts none."""

    def returns(self) -> tuple[float, ...]:
        """Return the result of each player when the game is over."""

    def winners(self) -> tuple[int, ...]:
        """Return who has won."""


WRITTEN: dict[str, Callable[[int, int | str], Written]] = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "kuhn_poker": KuhnPoker,
    "jump_gate_2e": JumpGate,
}
"""For each game what begins it, for a number of players and a seed."""
