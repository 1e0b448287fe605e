"""What a decision costs as a game grows: variants of small rule files, made by text substitution."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
from candidates import prepared
from measuring import Costs, Table, figure, interleaved, ratios, spread, times

from rulewright.interpreter.play.api import Game, load_game

FOLDER = Path(__file__).resolve().parent / "growth"


@attrs.frozen
class Size:
    """A size of a game: what is written instead of what in its rules, and how many play."""

    name: str
    players: int = 2
    instead: tuple[tuple[str, str], ...] = ()


def _decks(*packs: int) -> tuple[Size, ...]:
    return tuple(
        Size(f"{60 * number} cards", instead=(("pack in 1..1", f"pack in 1..{number}"),))
        for number in packs
    )


def _hands(*sizes: int) -> tuple[Size, ...]:
    return tuple(
        Size(f"hands of {size}", instead=(("hand_size = 5", f"hand_size = {size}"),))
        for size in sizes
    )


def _grids(*grids: tuple[int, int, int]) -> tuple[Size, ...]:
    return tuple(
        Size(
            f"{columns} x {rows}, {row} in a row",
            instead=(
                ("grid(Cell, 3, 3)", f"grid(Cell, {columns}, {rows})"),
                ("long_enough = 3", f"long_enough = {row}"),
            ),
        )
        for columns, rows, row in grids
    )


SERIES: dict[str, tuple[str, tuple[Size, ...]]] = {
    "deck": ("cards.rules", _decks(1, 3, 10)),
    "players": ("cards.rules", tuple(Size(f"{n} players", players=n) for n in (2, 4, 8))),
    "hand": ("cards.rules", _hands(5, 10, 20)),
    "grid": ("line.rules", _grids((3, 3, 3), (7, 6, 4), (19, 19, 5))),
}
"""By its name a series: the rule file, and its sizes, the smallest first."""


def grown(rules: str, size: Size, folder: Path) -> Game:
    """Load a rule file with its substitutions, from a copy in a folder."""
    text = (FOLDER / rules).read_text(encoding="utf-8")
    for old, new in size.instead:
        if old not in text:
            raise ValueError(f"{rules} has no {old!r}")
        text = text.replace(old, new)
    copy = folder / rules
    copy.write_text(text, encoding="utf-8")
    return load_game(str(copy), size.players)


def measure(series: str, rounds: int, seconds: float) -> dict[str, Costs]:
    """Return for each candidate what a decision costs at each size of a series."""
    rules, sizes = SERIES[series]
    with TemporaryDirectory() as folder:
        games = {size.name: grown(rules, size, Path(folder)) for size in sizes}
    works = {size: prepared(game) for size, game in games.items()}
    return {
        candidate: interleaved({size: works[size][candidate] for size in works}, rounds, seconds)
        for candidate in next(iter(works.values()))
    }


def table(measured: dict[str, dict[str, Costs]]) -> Table:
    """Return what has been measured as a table, a row for each size and candidate."""
    rows = [
        (series, size, candidate, figure(spread(costs[size]).median), _growth(costs, size))
        for series, candidates in measured.items()
        for candidate, costs in candidates.items()
        for size in costs
    ]
    head = ("series", "size", "candidate", "µs a decision", "times the smallest")
    return Table("Growth", head, tuple(rows))


def _growth(costs: Costs, size: str) -> str:
    smallest = next(iter(costs))
    return "1" if size == smallest else times(ratios(costs, size, smallest))
