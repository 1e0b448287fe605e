"""Games with a small change in their text: one that an author could make by mistake, and that compiles."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import RulesError

GAMES = Path(__file__).resolve().parents[2] / "games"
SMALL_GAMES = Path(__file__).resolve().parent / "games"

LARGE = 12_000
"""Longer texts take long to compile: they are changed in every tenth mutation only."""

CHANGES = (
    (r"(?<=[ (\[])\d+\b", "0"),
    (r"(?<=[ (\[])\d+\b", "1"),
    (r"(?<=[ (\[])\d+\b", "999999999"),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" >=? ", " < "),
    (r" <=? ", " > "),
    (r" is not ", " is "),
    (r" is ", " is not "),
    (r" and ", " or "),
    (r"\bfirst\(", "last("),
    (r"\bfirst\(", "only("),
    (r"\btop\(\d, ", "top(0, "),
    (r" where [^,)\n]*$", " where no"),
    (r" or stop$", ""),
    (r" when .*$", ""),
    (r"^( +)need .*$", r"\1nothing"),
    (r"^( +)(set|add|move|shuffle|swap) .*$", r"\1nothing"),
    (r"^( +)if (.*)$", r"\1if not (\2)"),
    (r"(= )\d+\b", r"\g<1>0"),
    (r"(set \S+ to ).*$", r"\1first([])"),
    (r"\bme\b", "first(players where no)"),
    (r"\bplayers\b", "(players where no)"),
    (r"to (left_of|right_of|next)\(", "to first(players where no) # "),
)
"""What is changed, and what stands there then."""

MOST_TRIED = 8


@attrs.frozen
class Mutation:
    """A changed game: what was changed, and its model."""

    change: str
    game: model.Game
    players: int


def mutated(seed: int) -> Mutation | None:
    """Return a game with one to three changes; None if the checker takes none of some."""
    dice = random.Random(seed)
    files = sorted([*GAMES.glob("*/game.rules"), *SMALL_GAMES.glob("*/game.rules")])
    if seed % 10:
        files = [file for file in files if file.stat().st_size < LARGE]
    for _ in range(MOST_TRIED):
        file = dice.choice(files)
        lines = file.read_text(encoding="utf-8").split("\n")
        begin = next((n for n, line in enumerate(lines) if line.startswith("to ")), 0)
        told = []
        for _ in range(dice.randint(1, 3)):
            pattern, new = dice.choice(CHANGES)
            fitting = [n for n in range(begin, len(lines)) if re.search(pattern, lines[n])]
            if fitting:
                number = dice.choice(fitting)
                lines[number] = re.sub(pattern, new, lines[number], count=1)
                told.append(f"line {number + 1}: {lines[number].strip()}")
        found = _compiled(file, "\n".join(lines)) if told else None
        if found is not None:
            players = dice.randint(found.least_players, found.most_players)
            return Mutation(f"{file.parent.name}, " + "; ".join(told), found, players)
    return None


def _compiled(file: Path, text: str) -> model.Game | None:
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / file.parent.name
        shutil.copytree(file.parent, game, ignore=shutil.ignore_patterns("variants"))
        (game / "game.rules").write_text(text, encoding="utf-8")
        try:
            return compile_game(str(game)).model_or_raise()
        except RulesError:
            return None
