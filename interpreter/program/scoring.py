"""The end of a game: who is first, who has won, what it pays, and the score sheet.

Each criterion of the `ranking` is evaluated with `me` (and `it`) = each seat; the first that
differs decides, and who is equal in all of them shares the place. Everything is computed from the
store at hand, so it can be asked during a game as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.semantics.closures import Code, text_of
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.lists import rank
from rulewright.interpreter.state.errors import TICKS_PER_STEP
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

DRAW = "draw"
"""The reason of the end with which nobody wins."""


@attrs.frozen
class SheetLine:
    """A line of the score sheet: its name and the value for each player, in seat order.

    >>> load_game("jump_gate_2e").new_initial_state(seed=1).score_sheet()[-1]
    SheetLine(name='score', values=(0, 0))
    """

    name: str
    values: tuple[Value, ...]


class Scoring:
    """Ranks the players of a loaded game; makes the evaluator know `won` and `ranking`."""

    def __init__(self, evaluator: Evaluator) -> None:
        game = evaluator.game
        self._evaluator = evaluator
        self._seats = evaluator.layout.players
        first = game.ranking[0] if game.ranking else None
        self.is_flag = first is not None and first.most and first.value.type == types.FLAG
        """Whether the ranking begins with who has won: with a flag it says so, also if all have."""

        self._number = next((place for place, one in enumerate(game.ranking) if _counts(one)), None)
        evaluator.won = self.usually_won
        evaluator.final_order = self.order

    # What is worked out at the end only is compiled then: many games are loaded to play a few steps.

    @cached_property
    def _criteria(self) -> tuple[tuple[model.Criterion, Code], ...]:
        ranking = self._evaluator.game.ranking
        return tuple((one, self._evaluator.expression(one.value)) for one in ranking)

    @cached_property
    def _won(self) -> Code | None:
        won = self._evaluator.game.won
        return None if won is None else self._evaluator.define(won)

    @cached_property
    def _payoff(self) -> Code | None:
        payoff = self._evaluator.game.payoff
        return None if payoff is None else self._evaluator.define(payoff)

    @cached_property
    def _lines(self) -> Sequence[tuple[str, Code]]:
        score = self._evaluator.game.score
        return () if score is None else self._evaluator.tally(score)

    @cached_property
    def _score(self) -> Code | None:
        score = self._evaluator.game.score
        return None if score is None else self._evaluator.define(score)

    def places(self, store: Store) -> tuple[int, ...]:
        """Return the place of each seat, 1 the first; equal players share one."""
        _begin(store)
        return self._places(store)

    def _places(self, store: Store) -> tuple[int, ...]:
        keys = [self._key(store, seat) for seat in self._seats]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    def order(self, store: Store) -> tuple[Thing, ...]:
        """Return the seats from first to last place, in seat order where they share one."""
        places = self._places(store)
        return tuple(sorted(self._seats, key=lambda seat: places[seat.number]))

    def criteria(self, store: Store) -> tuple[SheetLine, ...]:
        """Return the criteria of the ranking in the author's words, with their values."""
        _begin(store)
        return tuple(
            SheetLine(
                text_of(criterion.value.span),
                tuple(code(store, seat, {"it": seat}) for seat in self._seats),
            )
            for criterion, code in self._criteria
        )

    def won(self, store: Store, player: Thing) -> bool:
        """Return whether the player has won, as the game says it or in the usual meaning."""
        if self._won is None:
            return self.usually_won(store, player)
        return bool(self._won(store, player, {}))

    def usually_won(self, store: Store, player: Thing) -> bool:
        """Return whether the player shares the first place, and the game is no draw. Where the ranking
        begins with a flag, he has not won unless it is yes: a defeat of all has first places, too."""
        if player.number >= len(self._seats) or self._is_draw(store):
            return False
        return self._places(store)[player.number] == 1 and (
            not self.is_flag or self._flag(store, player)
        )

    def _flag(self, store: Store, seat: Thing) -> bool:
        return bool(self._criteria[0][1](store, seat, {"it": seat}))

    @property
    def tells_winners(self) -> bool:
        """Return whether somebody can win: who is alone with his points cannot."""
        return self._won is not None or self.is_flag or len(self._seats) > 1

    def winners(self, store: Store) -> tuple[Thing, ...]:
        """Return those who have won, in seat order."""
        _begin(store)
        return tuple(seat for seat in self._seats if self.won(store, seat))

    def payoff(self, store: Store) -> tuple[float, ...]:
        """Return the result of each seat as a number.

        If the game does not say it: 0 each for a draw, 1 each if all win, -1 each if all lose;
        otherwise each who has not won pays 1, and the winners share it.
        """
        _begin(store)
        if self._payoff is not None:
            return tuple(float(self._payoff(store, seat, {})) for seat in self._seats)
        winners = self.winners(store)
        losers = len(self._seats) - len(winners)
        if not winners:
            return (0.0 if self._is_draw(store) else -1.0,) * len(self._seats)
        if not losers:
            return (1.0,) * len(self._seats)
        share = losers / len(winners)
        return tuple(share if seat in winners else -1.0 for seat in self._seats)

    def sheet(self, store: Store) -> tuple[SheetLine, ...]:
        """Return the score sheet: the lines of the tally and its sum, last; none without a score."""
        if self._score is None or self._evaluator.game.score is None:
            return ()
        _begin(store)
        named = [
            *self._lines,
            (self._evaluator.game.defines[self._evaluator.game.score].name, self._score),
        ]
        return tuple(
            SheetLine(name, tuple(code(store, seat, {}) for seat in self._seats))
            for name, code in named
        )

    def points(self, store: Store) -> tuple[int, ...]:
        """Return the points of each seat: the sum of the score sheet, or the first number by which the
        seats are ranked; none if the game counts nothing."""
        _begin(store)
        if self._score is not None:
            return tuple(self._score(store, seat, {}) for seat in self._seats)
        if self._number is None:
            return ()
        code = self._criteria[self._number][1]
        return tuple(code(store, seat, {"it": seat}) for seat in self._seats)

    def _is_draw(self, store: Store) -> bool:
        if store.ending == DRAW:
            return True
        if self._won is not None or set(self._places(store)) != {1}:
            return False
        if not self.is_flag:
            # Also of a player alone: nothing says whether that was enough.
            return True
        return len(self._seats) > 1 and not self._flag(store, self._seats[0])

    def _key(self, store: Store, seat: Thing) -> tuple[Any, ...]:
        """Return the values of the criteria so that the greater key is better."""
        return tuple(
            rank(code(store, seat, {"it": seat})) * (1 if criterion.most else -1)
            for criterion, code in self._criteria
        )


def _begin(store: Store) -> None:
    """Let what is worked out now count on its own: the game has come to a stop."""
    store.allowance = TICKS_PER_STEP, None


def _counts(criterion: model.Criterion) -> bool:
    """Return whether a criterion is a number that is worked out."""
    is_number = isinstance(criterion.value.type, types.NumberType)
    return is_number and any(True for _ in visitor.parts(criterion.value))
