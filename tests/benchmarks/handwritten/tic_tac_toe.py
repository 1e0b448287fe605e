"""Tic-tac-toe, written by hand."""

from __future__ import annotations

FREE = -1

# The cells are numbered column by column.
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
LINES_THROUGH = tuple(tuple(line for line in LINES if cell in line) for cell in range(9))


class TicTacToe:
    """A game that is going on, or over."""

    __slots__ = ("board", "ending", "player", "winner")

    def __init__(self, players: int = 2, seed: int | str = 0) -> None:
        self.board = [FREE] * 9
        self.player = 0
        self.winner: int | None = None
        self.ending: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether the board is full or somebody has won."""
        return self.ending is not None

    def legal(self) -> list[int]:
        """Return the free cells."""
        return [cell for cell, mark in enumerate(self.board) if mark == FREE]

    def apply(self, answer: int) -> None:
        """Mark a cell."""
        board, player = self.board, self.player
        board[answer] = player
        for a, b, c in LINES_THROUGH[answer]:
            if board[a] == board[b] == board[c] == player:
                self.winner = player
                self.ending = "won"
                return
        if FREE not in board:
            self.ending = "the board is full"
            return
        self.player = 1 - player

    def clone(self) -> TicTacToe:
        """Return a game of its own at the same point."""
        copy = TicTacToe.__new__(TicTacToe)
        copy.board = self.board.copy()
        copy.player = self.player
        copy.winner = self.winner
        copy.ending = self.ending
        return copy

    def scores(self) -> tuple[int, ...]:
        """Return nothing: there are no points."""
        return ()

    def returns(self) -> tuple[float, ...]:
        """Return 1 for the winner and -1 for the other, or 0."""
        if self.winner is None:
            return 0.0, 0.0
        return (1.0, -1.0) if self.winner == 0 else (-1.0, 1.0)

    def winners(self) -> tuple[int, ...]:
        """Return who has won."""
        return () if self.winner is None else (self.winner,)
