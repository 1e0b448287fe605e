"""The end of a game: who is first, who has won, what it pays, and the score sheet.

Each criterion of the `ranking` is evaluated with `me` (and `it`) = each seat; the first that
differs decides, and who is equal in all of them shares the place. Everything is computed from the
store at hand, so it can be asked during a game as well: by those who play (`standing`), and by the
rules (`won`, `ranking`), where it is part of what a step may look at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

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

Writer: TypeAlias = Callable[[model.Expression, Code], Code]
"""An expression about `me` (and `it`, the same), and its code -> quicker code that gives the same."""


@attrs.frozen
class SheetLine:
    """A line of the score sheet: its name and the value for each player, in seat order.

    >>> load_game("jump_gate_2e").new_initial_state(seed=1).score_sheet()[-1]
    SheetLine(name='score', values=(0, 0))
    """

    name: str
    values: tuple[Value, ...]


class EndingCode:
    """The code of what a game says about its end: the criteria of the ranking, who has won, payoff and score."""

    # What is worked out at the end only is compiled then: many games are loaded to play a few steps.

    def __init__(self, evaluator: Evaluator, writer: Writer | None = None) -> None:
        self._evaluator, self._writer = evaluator, writer
        self.game = evaluator.game

    @cached_property
    def criteria(self) -> tuple[tuple[model.Criterion, Code], ...]:
        """The criteria of the ranking."""
        evaluator = self._evaluator
        return tuple(
            (one, self._written(one.value, evaluator.expression(one.value)))
            for one in self.game.ranking
        )

    @cached_property
    def won(self) -> Code | None:
        """Whether a player has won, if the game says it."""
        return self._define(self.game.won)

    @cached_property
    def payoff(self) -> Code | None:
        """What the end is worth to a player, if the game says it."""
        return self._define(self.game.payoff)

    @cached_property
    def score(self) -> Code | None:
        """The points of a player, if the game has a tally of them."""
        return self._define(self.game.score)

    def _define(self, id: str | None) -> Code | None:
        if id is None:
            return None
        define = self.game.defines[id]
        call = model.DefineCall(
            span=define.span, type=define.type, define=id, arguments=(), me=None
        )
        return self._written(call, self._evaluator.define(id))

    def _written(self, expression: model.Expression, code: Code) -> Code:
        return code if self._writer is None else self._writer(expression, code)


class Scoring:
    """Ranks the players of a loaded game; makes the evaluator know `won` and `ranking`."""

    def __init__(self, evaluator: Evaluator) -> None:
        game = evaluator.game
        self._evaluator = evaluator
        self._defined = self.codes = EndingCode(evaluator)
        self.seats = evaluator.layout.players
        first = game.ranking[0] if game.ranking else None
        self.is_flag = first is not None and first.most and first.value.type == types.FLAG
        """Whether the ranking begins with who has won: with a flag it says so, also if all have."""

        self.number = next((place for place, one in enumerate(game.ranking) if _counts(one)), None)
        """Which criterion is the first that is a number that is worked out."""

        evaluator.won = self._usually_won
        evaluator.final_order = self._order

    def use(self, writer: Writer) -> None:
        """Let quicker code say from now on how games have come out."""
        self.codes = EndingCode(self._evaluator, writer)

    def standing(self, store: Store) -> Standing:
        """Return how a game stands or has come out, for as long as its state stays as it is."""
        return Standing(self, self.codes, store, own_budget=True)

    # The rules themselves ask with the code of the walker: what they look at is counted.

    def _usually_won(self, store: Store, player: Thing) -> bool:
        return Standing(self, self._defined, store).usually_won(player)

    def _order(self, store: Store) -> tuple[Thing, ...]:
        return Standing(self, self._defined, store).order

    @property
    def tells_winners(self) -> bool:
        """Return whether somebody can win: who is alone with his points cannot."""
        return self._evaluator.game.won is not None or self.is_flag or len(self.seats) > 1

    def criteria(self, store: Store) -> tuple[SheetLine, ...]:
        """Return the criteria of the ranking in the author's words, with their values."""
        values = self.standing(store).values
        return tuple(
            SheetLine(text_of(criterion.value.span), tuple(line[place] for line in values))
            for place, criterion in enumerate(self._evaluator.game.ranking)
        )

    def sheet(self, store: Store) -> tuple[SheetLine, ...]:
        """Return the score sheet: the lines of the tally and its sum, last; none without a score."""
        game = self._evaluator.game
        if game.score is None:
            return ()
        standing = self.standing(store)
        return tuple(
            SheetLine(name, tuple(standing.value(code, seat) for seat in self.seats))
            for name, code in (
                *self._evaluator.tally(game.score),
                (game.defines[game.score].name, self._evaluator.define(game.score)),
            )
        )


class Standing:
    """How a game stands, as far as somebody asks: for a state that stays as it is.

    `own_budget`: each value may look at as much as a step; else it is part of what is running.
    """

    def __init__(
        self, scoring: Scoring, codes: EndingCode, store: Store, own_budget: bool = False
    ) -> None:
        self._scoring, self._codes, self._store, self._own_budget = (
            scoring,
            codes,
            store,
            own_budget,
        )
        self._seats = scoring.seats

    def value(self, code: Code, seat: Thing) -> Value:
        """Return what code says about a seat."""
        if self._own_budget:
            self._store.allowance = TICKS_PER_STEP, None
        return code(self._store, seat, {"it": seat})

    @cached_property
    def values(self) -> tuple[tuple[Value, ...], ...]:
        """What the criteria of the ranking say about each seat."""
        criteria = self._codes.criteria
        return tuple(tuple(self.value(code, seat) for _, code in criteria) for seat in self._seats)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, 1 the first; equal players share one."""
        signs = [1 if criterion.most else -1 for criterion, _ in self._codes.criteria]
        keys: list[tuple[Any, ...]] = [
            tuple(rank(value) * sign for value, sign in zip(line, signs, strict=True))
            for line in self.values
        ]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    @property
    def order(self) -> tuple[Thing, ...]:
        """The seats from first to last place, in seat order where they share one."""
        places = self.places
        return tuple(sorted(self._seats, key=lambda seat: places[seat.number]))

    def usually_won(self, player: Thing) -> bool:
        """Return whether the player shares the first place, and the game is no draw. Where the ranking
        begins with a flag, he has not won unless it is yes: a defeat of all has first places, too."""
        if player.number >= len(self._seats) or self.is_draw:
            return False
        return self.places[player.number] == 1 and (
            not self._scoring.is_flag or bool(self.values[player.number][0])
        )

    @cached_property
    def winners(self) -> tuple[Thing, ...]:
        """Those who have won, as the game says it or in the usual meaning, in seat order."""
        won = self._codes.won
        if won is None:
            return tuple(seat for seat in self._seats if self.usually_won(seat))
        return tuple(seat for seat in self._seats if self.value(won, seat))

    @cached_property
    def payoff(self) -> tuple[float, ...]:
        """The result of each seat as a number.

        If the game does not say it: 0 each for a draw, 1 each if all win, -1 each if all lose;
        otherwise each who has not won pays 1, and the winners share it.
        """
        payoff = self._codes.payoff
        if payoff is not None:
            return tuple(float(self.value(payoff, seat)) for seat in self._seats)
        winners = self.winners
        losers = len(self._seats) - len(winners)
        if not winners:
            return (0.0 if self.is_draw else -1.0,) * len(self._seats)
        if not losers:
            return (1.0,) * len(self._seats)
        share = losers / len(winners)
        return tuple(share if seat in winners else -1.0 for seat in self._seats)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The points of each seat: the sum of the score sheet, or the first number by which the seats
        are ranked; none if the game counts nothing."""
        score, number = self._codes.score, self._scoring.number
        if score is not None:
            return tuple(self.value(score, seat) for seat in self._seats)
        if number is None:
            return ()
        return tuple(line[number] for line in self.values)

    @cached_property
    def is_draw(self) -> bool:
        """Whether nobody has won since all are equal, or since the rules say so."""
        if self._store.ending == DRAW:
            return True
        if self._codes.game.won is not None or set(self.places) != {1}:
            return False
        if not self._scoring.is_flag:
            # Also of a player alone: nothing says whether that was enough.
            return True
        return len(self._seats) > 1 and not self.values[0][0]


def _counts(criterion: model.Criterion) -> bool:
    """Return whether a criterion is a number that is worked out."""
    is_number = isinstance(criterion.value.type, types.NumberType)
    return is_number and any(True for _ in visitor.parts(criterion.value))
