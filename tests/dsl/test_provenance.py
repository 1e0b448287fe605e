"""A message names the section of the rule book that its line implements."""

from pathlib import Path

import pytest

from rulewright.dsl.frontend.frontend import compile_game

GAME = """language 1
game "Small Jump" for 2..4 players       see Overview
book "rules.md"
each Player has                          see Setup
  coins: number = 0, seen by players     see Coins
to play                                  see Play
  as players
    add fee to my.coins                  see Play/Paying, Coins
    add toll to my.coins
define half = tenth / 2
ranking                                  see Nowhere
  most my.coins
"""
BOOK = """# Small Jump
## Overview
Text.
## Setup
Text.
## Coins
Text.
## Play
Text.
### Paying
Text.
"""


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (8, ('Small Jump, "Play/Paying"', 'Small Jump, "Coins"')),
        (9, ('Small Jump, "Play"',)),
        (10, ()),
        (11, ()),
    ],
    ids=("the line itself", "the item around it", "no citation", "the citation itself"),
)
def test_a_message_names_the_nearest_section(
    line: int, rule: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "small_jump"
    folder.mkdir()
    (folder / "game.rules").write_text(GAME, encoding="utf-8")
    (folder / "rules.md").write_text(BOOK, encoding="utf-8")

    found = compile_game(str(folder)).diagnostics

    assert {item.primary.span.line: item.rule for item in found}[line] == rule
