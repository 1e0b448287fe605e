"""What is assumed to be possible: which decisions a note shows, and deep nests of choices."""

from pathlib import Path

import pytest

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import Diagnostic

pytestmark = pytest.mark.quick

HEAD = """language 1
game "Stuck" for 2..2 players
each Player has, seen by players
  coins: number = 0
ranking
  most my.coins
to play
  repeat 3 times
    as players
"""


def notes_of(steps: str, folder: Path) -> list[Diagnostic]:
    """Return the notes about what is assumed to be possible in a game of these steps."""
    path = folder / "game.rules"
    path.write_text(HEAD + steps)
    return [one for one in compile_game(path).diagnostics if one.code.code == "RW604"]


def lines_of(note: Diagnostic) -> tuple[int, list[int]]:
    """Return the line of a note, and those of what it shows besides."""
    return note.primary.span.line, [one.span.line for one in note.secondary]


def test_a_note_shows_the_first_decision_that_needs_it(tmp_path: Path) -> None:
    steps = """
      choose a from 1..3
      choose b from players where its.coins > a
      choose c from players where its.coins > b.coins
"""

    notes = notes_of(steps, tmp_path)

    assert [lines_of(one) for one in notes] == [(12, [11]), (13, [11])]


def test_what_is_assumed_itself_needs_no_note_for_what_follows(tmp_path: Path) -> None:
    steps = """
      choose a from players where its.coins > 3
      choose b from players where its.coins > 4
"""

    notes = notes_of(steps, tmp_path)

    assert [lines_of(one) for one in notes] == [(11, [])]


@pytest.mark.parametrize("word", ['either "A"', "for each p{} in players", 'may "M"'])
def test_deep_nests_are_looked_through(word: str, tmp_path: Path) -> None:
    depth = 25
    lines = [" " * (6 + 2 * n) + word.format(n) for n in range(depth)]
    lines.append(" " * (6 + 2 * depth) + "choose b from players where its.coins > 4")
    if word.startswith("either"):
        others = (" " * (6 + 2 * n) + 'or "B" when my.coins > 3' for n in range(depth))
        lines += reversed(list(others))

    notes = notes_of("\n".join(lines) + "\n", tmp_path)

    assert len(notes) == (0 if word.startswith("may") else 1)
