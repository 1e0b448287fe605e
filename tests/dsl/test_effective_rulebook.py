"""The order in which a rule book shows amendments is the one in which they apply."""

from pathlib import Path

import pytest

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.tools.effective_rulebook import (
    ADDED,
    CHANGED,
    REPLACED,
    SAME,
    RuleBook,
    RuleLine,
    rule_book,
)

GAME = """\
language 1
game "Well" for 1..2 players
use turns(turn)
define depth = 3   # in yards
to play
  play_in_turns
to turn "Draw"
  step look
    show depth to players
  end game "wet"
change depth to original + 1
after turn
  nothing
ranking
  fewest 1
"""
INNER = """\
language 1
variant "Inner" of well
includes "Outer"
change depth to 8
change depth by 2
change depth to at most 9
before turn
  show "inner" to players
instead of turn when depth > 2
  end game "inner"
instead of between_turns
  nothing
"""
OUTER = """\
language 1
variant "Outer" of well
change depth by 1
change depth to at least 4
before turn
  show "outer" to players
instead of turn
  end game "outer"
"""


@pytest.fixture
def well(tmp_path: Path) -> Path:
    folder = tmp_path / "well"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.rules").write_text(GAME, "utf-8")
    (folder / "variants" / "inner.rules").write_text(INNER, "utf-8")
    (folder / "variants" / "outer.rules").write_text(OUTER, "utf-8")
    return folder


def book(folder: Path, *variants: str, modules: bool = False) -> RuleBook:
    compilation = compile_game(str(folder), variants)
    assert compilation.game is not None, [one.one_line() for one in compilation.diagnostics]
    assert compilation.world is not None
    return rule_book(compilation.world, compilation.game, folder, modules=modules)


def between(lines: tuple[RuleLine, ...], first: str, last: str) -> list[tuple[str, str]]:
    """Return marks and texts of the lines from one up to, not including, another."""
    texts = [line.text for line in lines]
    stretch = lines[texts.index(first) : texts.index(last)]
    return [(line.mark, line.text.strip()) for line in stretch]


def test_changes_stand_in_the_order_in_which_they_apply(well: Path) -> None:
    lines = book(well, "inner").parts[0].lines

    assert between(lines, "define depth = 3   # in yards", "to play") == [
        (REPLACED, "define depth = 3   # in yards"),
        (SAME, "change depth to original + 1"),
        (CHANGED, "change depth by 1"),
        (CHANGED, "change depth to 8"),
        (CHANGED, "change depth by 2"),
        (CHANGED, "change depth to at most 9"),
        (CHANGED, "change depth to at least 4"),
    ]


def test_of_several_instead_of_the_innermost_comes_first(well: Path) -> None:
    lines = book(well, "inner").parts[0].lines

    assert between(lines, 'to turn "Draw"', "ranking")[:-2] == [
        (SAME, 'to turn "Draw"'),
        (ADDED, "before turn"),
        (ADDED, 'show "outer" to players'),
        (ADDED, "before turn"),
        (ADDED, 'show "inner" to players'),
        (ADDED, "instead of turn when depth > 2"),
        (ADDED, 'end game "inner"'),
        (ADDED, "# otherwise:"),
        (ADDED, "instead of turn"),
        (ADDED, 'end game "outer"'),
        (REPLACED, "step look"),
        (REPLACED, "show depth to players"),
        (REPLACED, 'end game "wet"'),
        (SAME, "after turn"),
        (SAME, "nothing"),
    ]


def test_an_instead_of_that_another_rules_out_is_shown_as_replaced(well: Path) -> None:
    inner = INNER.replace("instead of turn when depth > 2", "instead of turn")
    (well / "variants" / "inner.rules").write_text(inner, "utf-8")

    lines = book(well, "inner").parts[0].lines

    turn = between(lines, 'to turn "Draw"', "ranking")
    assert turn[5:10] == [
        (ADDED, "instead of turn"),
        (ADDED, 'end game "inner"'),
        (REPLACED, "instead of turn"),
        (REPLACED, 'end game "outer"'),
        (REPLACED, "step look"),
    ]


def test_who_says_it_is_told_with_its_line(well: Path) -> None:
    lines = book(well, "outer").parts[0].lines

    (said,) = [line.author for line in lines if line.text == "  change depth by 1"]
    assert said is not None and said.name == "Outer"
    assert said.place.endswith("outer.rules:3")
    (gone,) = [line.author for line in lines if line.text == '  end game "wet"']
    assert gone is not None and gone.place.endswith("outer.rules:7")


def test_what_amends_something_else_points_there(well: Path) -> None:
    parts = book(well, "inner").parts

    pointers = [line for part in parts for line in part.lines if line.elsewhere]
    assert ("change depth to 8", ("depth",)) in [(line.text, line.elsewhere) for line in pointers]
    assert ("instead of between_turns", ("to between_turns",)) in [
        (line.text, line.elsewhere) for line in pointers
    ]


def test_only_modules_that_somebody_else_amends_are_shown(well: Path) -> None:
    assert [part.kind for part in book(well).parts] == ["game"]
    inner = book(well, "inner").parts
    assert [part.title for part in inner if part.kind == "module"] == ["module turns"]
    every = book(well, modules=True).parts
    assert {part.title for part in every if part.kind == "module"} == {
        "module turns",
        "module seats",
    }
