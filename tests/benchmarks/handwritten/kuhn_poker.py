"""Kuhn poker, written by hand."""

from __future__ import annotations

from rulewright.interpreter.state.random import below, seeded

BET = CALL = 0
CHECK = FOLD = 1

OPENING, AFTER_CHECK, AFTER_BET = range(3)


class KuhnPoker:
    """A game that is going on, or over."""

    __slots__ = ("cards", "ending", "paid", "player", "random", "stage", "winner")

    def __init__(self, players: int = 2, seed: int | str = 0) -> None:
        self.random = seeded(seed)
        deck = [1, 2, 3]
        self.cards: list[int] = []
        for _ in range(2):
            self.random, place = below(self.random, len(deck))
            self.cards.append(deck.pop(place))
        self.paid = [1, 1]
        self.player = 0
        self.stage = OPENING
        self.winner: int | None = None
        self.ending: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.ending is not None

    def legal(self) -> tuple[int, int]:
        """Return both answers: bet or check, call or fold."""
        return 0, 1

    def apply(self, answer: int) -> None:
        """Bet or check, call or fold."""
        me, foe = self.player, 1 - self.player
        if self.stage == AFTER_BET:
            if answer == CALL:
                self.paid[me] += 1
                self._show_down()
            else:
                self._win(foe)
        elif answer == BET:
            self.paid[me] += 1
            self.player = foe
            self.stage = AFTER_BET
        elif self.stage == OPENING:
            self.player = foe
            self.stage = AFTER_CHECK
        else:
            self._show_down()

    def _show_down(self) -> None:
        self._win(0 if self.cards[0] > self.cards[1] else 1)

    def _win(self, player: int) -> None:
        self.winner = player
        self.ending = "won"

    def clone(self) -> KuhnPoker:
        """Return a game of its own at the same point."""
        copy = KuhnPoker.__new__(KuhnPoker)
        copy.random = self.random
        copy.cards = self.cards.copy()
        copy.paid = self.paid.copy()
        copy.player = self.player
        copy.stage = self.stage
        copy.winner = self.winner
        copy.ending = self.ending
        return copy

    def scores(self) -> tuple[int, ...]:
        """Return nothing: there are no points."""
        return ()

    def returns(self) -> tuple[float, ...]:
        """Return what the winner gets of the other."""
        if self.winner is None:
            return 0.0, 0.0
        won = float(self.paid[1 - self.winner])
        return (won, -won) if self.winner == 0 else (-won, won)

    def winners(self) -> tuple[int, ...]:
        """Return who has won."""
        return () if self.winner is None else (self.winner,)
