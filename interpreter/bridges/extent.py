"""What other libraries want to know of a game before it is played: what kind it is, how long it may be and
what it may pay.

What the rules say is exact. What they do not say is measured in random games, and labelled so: the same
games on every machine, so that the figures are the same, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.playout import LIMIT, Playout, playout
from rulewright.interpreter.program.program import Program

MOST_PLAYOUTS = 200
FEWEST_PLAYOUTS = 10
ENOUGH_DECISIONS = 4_000
"""When so many decisions have been made, no more than the fewest games are played."""

MARGIN = 2
"""How many times the longest random game a game may be long."""


@attrs.frozen
class Extent:
    """How long a game may be, and what it may pay.

    >>> extent_of(load_game("tic_tac_toe")).payoffs
    (-1.0, 1.0)
    """

    longest: int
    """The most decisions that players can make in it."""

    payoffs: tuple[float, float]
    """The least and the greatest payoff."""

    total: float | None
    """What all payoffs come to, if that is always the same."""

    measured: tuple[str, ...] = ()
    """Which of these are what random games came to; `longest` is twice as long as the longest of them."""


def extent_of(
    game: Game, longest: int | None = None, payoffs: tuple[float, float] | None = None
) -> Extent:
    """Return the extent of a game; what is given is not measured.

    Raises `ValueError`, with one clear line, if what is given is no length or no range.
    """
    if longest is not None and (isinstance(longest, bool) or longest < 1):
        raise ValueError(f"a game cannot be {longest} answers long")
    if payoffs is not None and not payoffs[0] < payoffs[1]:
        raise ValueError(
            f"{payoffs[0]} to {payoffs[1]} is no range of payoffs: the least, then more"
        )
    known = payoffs is not None or game.model.payoff is None
    shared = _always_shared(game)
    played: Sequence[Playout] = ()
    if longest is None or not known or not shared:
        played = _played(game, LIMIT if longest is None else longest)
    if payoffs is None:
        payoffs = _usual(game.num_players) if known else _between(played)
    total = 0.0 if shared else _same_total(played)
    measured = [] if longest is not None else ["longest"]
    if longest is None:
        longest = min(MARGIN * max(one.decisions for one in played), LIMIT)
    if not known:
        measured.append("payoffs")
    if total is not None and not shared:
        measured.append("total")
    return Extent(longest, payoffs, total, tuple(measured))


def _played(game: Game, limit: int) -> Sequence[Playout]:
    played: list[Playout] = []
    decisions = 0
    for seed in range(MOST_PLAYOUTS):
        if decisions >= ENOUGH_DECISIONS and len(played) >= FEWEST_PLAYOUTS:
            break
        played.append(playout(game, seed, limit))
        decisions += played[-1].decisions
        if decisions >= ENOUGH_DECISIONS and not any(one.finished for one in played):
            # It does not end by itself: more of it tells nothing.
            break
    return played


def _usual(players: int) -> tuple[float, float]:
    """Return what a game pays at least and at most that does not say what it pays."""
    return -1.0, float(max(players - 1, 1))


def _between(played: Iterable[Playout]) -> tuple[float, float]:
    found = [0.0, *(number for one in played for number in one.returns)]
    least, most = min(found), max(found)
    return (least, most) if least < most else (least, least + 1.0)


def _always_shared(game: Game) -> bool:
    """Return whether the winners are always paid what the others lose: the game says neither what it pays
    nor who has won, and is not won or lost by all."""
    return game.model.payoff is None and game.model.won is None and not game.program.scoring.is_flag


def _same_total(played: Sequence[Playout]) -> float | None:
    totals = {round(sum(one.returns), 9) for one in played if one.finished}
    return totals.pop() if len(totals) == 1 else None


# ---------------------------------------------------------------------------------- of what kind it is


def has_chance(game: model.Game) -> bool:
    """Return whether chance may decide something in a game."""
    return bool(game.neutrals) or any(
        isinstance(part, model.Shuffle | model.Chance) for part in _rules(game)
    )


def has_secrets(program: Program) -> bool:
    """Return whether a player may not see something, or several act at once."""
    layout, visibility = program.layout, program.evaluator.visibility
    hidden = any(
        slot < layout.size
        and not field.printed
        and not field.internal
        and visibility.seer(slot) is not None
        for slot, field in layout.fields.items()
    )
    return hidden or any(
        isinstance(part, model.As) and part.together for part in _rules(program.game)
    )


def _rules(game: model.Game) -> Iterable[object]:
    return visitor.walk(
        (
            tuple(game.defines.values()),
            tuple(game.verbs.values()),
            tuple(game.step_amendments.values()),
            game.watches,
            game.offers,
        )
    )
