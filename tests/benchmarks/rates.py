"""Random games of the shelf: how many times as long they take as the same games written by hand."""

from __future__ import annotations

from candidates import BASE, prepared
from measuring import Costs, Table, figure, interleaved, ratios, spread, times

from rulewright.interpreter.play.api import load_game

GAMES = {
    "ttt": ("Tic-tac-toe", "tic_tac_toe", 2),
    "c4": ("Connect four", "connect_four", 2),
    "kuhn": ("Kuhn poker", "kuhn_poker", 2),
    "jump2": ("Jump Gate, 2 players", "jump_gate_2e", 2),
    "jump3": ("Jump Gate, 3 players", "jump_gate_2e", 3),
    "jump4": ("Jump Gate, 4 players", "jump_gate_2e", 4),
    "jump5": ("Jump Gate, 5 players", "jump_gate_2e", 5),
}
"""By its short name the title of a game, its folder and how many play."""


def measure(name: str, rounds: int, seconds: float) -> Costs:
    """Return what a decision of one of the games costs each candidate."""
    _, folder, players = GAMES[name]
    return interleaved(prepared(load_game(folder, players)), rounds, seconds)


def table(measured: dict[str, Costs]) -> Table:
    """Return what has been measured as a table, a row for each game and candidate."""
    rows = [
        (
            GAMES[name][0],
            candidate,
            figure(spread(costs[candidate]).median),
            "1" if candidate == BASE else times(ratios(costs, candidate, BASE)),
        )
        for name, costs in measured.items()
        for candidate in costs
    ]
    head = ("game", "candidate", "µs a decision", "times written by hand")
    return Table("Random games", head, tuple(rows))
