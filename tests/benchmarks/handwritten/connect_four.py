"""Connect four, written by hand."""

from __future__ import annotations

COLUMNS = 7
ROWS = 6
LONG_ENOUGH = 4

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


class ConnectFour:
    """A game that is going on, or over."""

    __slots__ = ("columns", "ending", "player", "winner")

    def __init__(self, players: int = 2, seed: int | str = 0) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        """The discs of each column, the lowest first."""

        self.player = 0
        self.winner: int | None = None
        self.ending: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether the board is full or somebody has won."""
        return self.ending is not None

    def legal(self) -> list[int]:
        """Return the columns that are not full."""
        return [number for number, column in enumerate(self.columns) if len(column) < ROWS]

    def apply(self, answer: int) -> None:
        """Drop a disc into a column."""
        column = self.columns[answer]
        column.append(self.player)
        if self._longest_line(answer, len(column) - 1) >= LONG_ENOUGH:
            self.winner = self.player
            self.ending = "won"
        elif all(len(column) == ROWS for column in self.columns):
            self.ending = "the board is full"
        else:
            self.player = 1 - self.player

    def _longest_line(self, x: int, y: int) -> int:
        return max(1 + self._count(x, y, dx, dy) + self._count(x, y, -dx, -dy) for dx, dy in WAYS)

    def _count(self, x: int, y: int, dx: int, dy: int) -> int:
        """Return how many discs of the player follow in a direction."""
        columns, player = self.columns, self.player
        count = 0
        while True:
            x, y = x + dx, y + dy
            if not (0 <= x < COLUMNS and 0 <= y < len(columns[x]) and columns[x][y] == player):
                return count
            count += 1

    def clone(self) -> ConnectFour:
        """Return a game of its own at the same point."""
        copy = ConnectFour.__new__(ConnectFour)
        copy.columns = [column.copy() for column in self.columns]
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
