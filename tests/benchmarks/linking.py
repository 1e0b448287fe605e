"""What a variant costs beside what it does: a game alone, with a variant that changes nothing in play, and
with the same rules written into the game itself. All three play the same games.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from candidates import prepared
from measuring import Costs, Table, figure, interleaved, ratios, spread, times

from rulewright.dsl.files import library
from rulewright.interpreter.play.api import Game, load_game

GAME, PLAYERS = "jump_gate_2010", 4
ALONE, LINKED, WRITTEN_IN = "alone", "with the variant", "written into the game"

RULES = """
before take_action when actions_left > 99
  stop turn
change black_hole_limit to 8 + 1
change hand_size by 1 - 1
"""
"""A rule that never fires, and numbers that come out as they are."""

IN_THE_GAME = RULES.partition("change")[0]
"""There the numbers stand already."""


def games(folder: Path) -> dict[str, Game]:
    """Return the three games; copies lie in a folder."""
    copy = folder / GAME
    found = library.find_target(GAME)[0]
    assert found is not None, "it is on the shelf"
    shutil.copytree(found.folder, copy)
    variant = folder / "quiet.rules"
    variant.write_text(f'language 1\nvariant "Quiet" of {GAME}\n{RULES}', encoding="utf-8")
    linked = load_game(GAME, PLAYERS, [str(variant)])
    rules = copy / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + IN_THE_GAME, encoding="utf-8")
    return {
        ALONE: load_game(GAME, PLAYERS),
        LINKED: linked,
        WRITTEN_IN: load_game(str(copy), PLAYERS),
    }


def measure(rounds: int, seconds: float) -> dict[str, Costs]:
    """Return for each candidate what a decision costs in each of the games."""
    with TemporaryDirectory() as folder:
        works = {name: prepared(game) for name, game in games(Path(folder)).items()}
    return {
        candidate: interleaved({name: works[name][candidate] for name in works}, rounds, seconds)
        for candidate in works[ALONE]
    }


def table(measured: dict[str, Costs]) -> Table:
    """Return what has been measured as a table, a row for each game and candidate."""
    rows = [
        (candidate, name, figure(spread(costs[name]).median), _against(costs, name))
        for candidate, costs in measured.items()
        for name in costs
    ]
    return Table(
        "Variants", ("candidate", "Jump Gate (2010)", "µs a decision", "times alone"), tuple(rows)
    )


def _against(costs: Costs, name: str) -> str:
    return "1" if name == ALONE else times(ratios(costs, name, ALONE))
