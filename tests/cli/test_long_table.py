"""Of a long table only what has changed is printed again, and what happened many times is told shortly."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

RULES = """language 1
game "Notes" for 4..4 players
use grid(Cell, 10, 1)
each Cell also has, seen by players
  stone: slot of Stone
each Stone has
  number: number
table Stone for each number in 1..10
the game has
  box: pile of Stone = Stone, seen by players
each Player has, seen by players
  coins: number = 0
  first, second, third, fourth: text = "what stands here takes a whole line"
to play
  repeat 4 times
    as players
      if me is players[0]
        turn
      else
        ask "How do you wait?"
        either "Sit"
        or "Stand"
to turn
  ask "What will you do with {my.coins} coins?"
  either "Earn"
    add 1 to my.coins
  or "Wait"
  or "Spread the stones"
    for each cell in Cell
      move top(box) to cell.stone
  or "Gather"
    may "Gather the stones"
      for each cell in Cell
        move cell.stone to box
ranking
  most my.coins
"""
CHANGES = "(the rest is as before: `state` shows the whole table)\n"
ANSWERED = "P2: Sit\nP3: Sit\nP4: Sit\n"
QUESTION = "\nWhat will you do with {} coins?\n  1  Earn\n  2  Wait\n  3  Spread the stones\n"


@pytest.fixture
def play(tmp_path: Path, rulewright: Run) -> Callable[..., list[str]]:
    """Return what is printed behind each answer of the first player."""
    path = tmp_path / "game.rules"
    path.write_text(RULES, encoding="utf-8")

    def played(*typed: str) -> list[str]:
        lines = "".join(f"{reply}\n" for reply in typed)
        result = rulewright(["play", str(path), "--seed", "1"], lines)
        assert (result.status, result.stderr) == (0, "")
        parts: list[str] = result.stdout.split("P1> ")
        return [parts[0], *(part.partition("\n")[2] for part in parts[1:])]

    return played


def test_a_table_that_looks_as_before_is_not_printed_again(play: Callable[..., list[str]]) -> None:
    first, second, *_ = play("wait")

    assert first.count("takes a whole line") == 16
    assert second.startswith(ANSWERED + QUESTION.format(0))


def test_of_a_long_table_only_the_lines_that_have_changed_are_printed(
    play: Callable[..., list[str]],
) -> None:
    _, second, third, *_ = play("earn", "state", "wait")

    told = f"coins of P1: +1\n{ANSWERED}\nyou (P1)\n  coins: 1\n{CHANGES}"
    assert second.startswith(told + QUESTION.format(1))
    assert third.count("takes a whole line") == 16


def test_a_board_that_has_changed_is_printed_as_a_whole_and_a_run_of_moves_is_one_line(
    play: Callable[..., list[str]],
) -> None:
    _, second, third, *_ = play("spread", "log all", "wait")

    assert second.startswith("P1 moves 10 x Stone from box to stone of 10 x Cell\n")
    assert "\nCell\n  1  n1 " in second
    assert "takes a whole line" not in second
    assert third.count("P1 moves Stone (number ") == 10


def test_what_may_be_done_is_answered_with_yes_and_no(play: Callable[..., list[str]]) -> None:
    _, _, asked, after, *_ = play("spread", "gather", "yes")

    assert asked.startswith("\nGather the stones?\n  1  Gather the stones\n  2  no ")
    assert after.startswith("P1 moves 10 x Stone from stone of 10 x Cell to box\n")
