"""What powers of things cost in Jump Drive, whose cards change prices and strengths: as they are kept, and with
everything asked anew whenever a value is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from candidates import generated, walker
from measuring import Costs, Table, Work, figure, interleaved, ratios, spread, times

from rulewright.dsl import model
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.printing import emit_changes

GAME, PLAYERS = "jump_drive", 3

WALKED, QUICK = "walker", "generated"
ONE_BY_ONE = "generated, power by power"
ASKING = "generated, without the table"

WARMED_UP = 20
"""So many games are played before the first round: generated code is written when it is needed."""


def _one_by_one(found: list[model.Changed]) -> list[list[model.Changed]]:
    return [[change] for change in found]


def _no_table(*_: object) -> None:
    return None


def without(
    module: Any, name: str, instead: Callable[..., Any], prepare: Callable[[], Work]
) -> Work:
    """Return what plays with a function of a module replaced, while it is prepared and while it plays."""
    kept = getattr(module, name)

    def within(work: Callable[[], Any]) -> Any:
        setattr(module, name, instead)
        try:
            return work()
        finally:
            setattr(module, name, kept)

    play: Work = within(prepare)
    return lambda seed: int(within(lambda: play(seed)))


def works(game: Game) -> dict[str, Work]:
    """Return what plays a game, by its name."""
    return {
        WALKED: walker(game),
        ONE_BY_ONE: without(emit_changes, "_together", _one_by_one, lambda: generated(game)),
        ASKING: without(emit_changes, "_powers_of", _no_table, lambda: generated(game)),
        QUICK: generated(game),
    }


def measure(rounds: int, seconds: float, warmed_up: int = WARMED_UP) -> Costs:
    """Return what a decision costs."""
    found = works(load_game(GAME, PLAYERS))
    for work in found.values():
        for seed in range(warmed_up):
            work(seed)
    return interleaved(found, rounds, seconds)


def table(costs: Costs) -> Table:
    """Return what has been measured as a table, a row for each way."""
    rows = []
    for name in costs:
        ratio = "1" if name == ONE_BY_ONE else times(ratios(costs, name, ONE_BY_ONE))
        rows.append((name, figure(spread(costs[name]).median), ratio))
    head = ("Jump Drive, 3 players", "µs a decision", "times power by power")
    return Table("Powers", head, tuple(rows))
