"""Which sets of variants `check` links, and what it says about them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

GAME = """language 1
game "Counting" for 1..2 players
use turns(turn)

define step_size = 1
define goal = 3

each Player has
  coins: number = 0, seen by players

check "the goal can be reached": goal > 0

to play
  play_in_turns

to turn "Take coins"
  choose n from 0..step_size
  add n to my.coins
  if my.coins >= goal
    end game "reached"

ranking
  most my.coins

example "One coin at a time"
  players ann
  do ann: turn, n = 1
  expect ann.coins is 1
"""


@pytest.fixture
def counting(tmp_path: Path) -> Callable[..., Path]:
    """Write the game with variants, given as name and text."""

    def write(**variants: str) -> Path:
        folder = tmp_path / "counting"
        (folder / "variants").mkdir(parents=True)
        (folder / "game.rules").write_text(GAME, encoding="utf-8")
        for name, text in variants.items():
            head = f'language 1\nvariant "{name.title()}" of counting\n'
            path = folder / "variants" / f"{name}.rules"
            path.write_text(head + text, encoding="utf-8")
        return folder

    return write


def last_line(result: Any) -> str:
    """Return the summary."""
    return str(result.stdout.splitlines()[-1]).rpartition("counting: ")[2]


def test_a_game_is_checked_with_each_variant_and_with_all(
    counting: Callable[..., Path], rulewright: Run
) -> None:
    folder = counting(fast="change step_size to 2\n", far="change goal by 2\n")

    result = rulewright(["check", str(folder)])

    assert result.status == 0, result.output
    assert last_line(result) == "1 example, 1 check, 2 variants in 4 sets: fine"


def test_a_mistake_that_only_two_variants_make_together_is_found(
    counting: Callable[..., Path], rulewright: Run
) -> None:
    folder = counting(low="change goal by -2\n", lower="change goal by -1\n")

    result = rulewright(["check", str(folder)])

    assert result.status == 1
    assert "the check `the goal can be reached` does not hold" in result.stdout
    assert last_line(result) == "1 example, 1 check, 2 variants in 4 sets: 1 error"


def test_a_variant_is_linked_with_what_it_requires(
    counting: Callable[..., Path], rulewright: Run
) -> None:
    folder = counting(fast="change step_size to 2\n", faster='requires "Fast"\nchange goal by 1\n')

    result = rulewright(["check", str(folder)])
    alone = rulewright(["play", str(folder), "--variant", "faster", "--agents", "random"])

    assert last_line(result) == "1 example, 1 check, 2 variants in 3 sets: fine"
    assert alone.status == 2
    assert alone.stderr.count("\n") == 1
    assert "the variant `Faster` needs `Fast`; switch on Fast, too" in alone.stderr


def test_a_file_that_requires_a_variant_is_checked_with_it(tmp_path: Path, rulewright: Run) -> None:
    file = tmp_path / "mine.rules"
    file.write_text(
        'language 1\nvariant "Mine" of tic_tac_toe\nrequires "Misère"\n', encoding="utf-8"
    )

    result = rulewright(["check", str(file)])

    assert result.status == 0
    assert last_line(result).endswith(": fine")


def test_variants_that_exclude_each_other_are_checked_in_pairs(
    counting: Callable[..., Path], rulewright: Run
) -> None:
    folder = counting(
        fast='excludes "Slow"\nchange step_size to 2\n',
        slow="change goal by -2\n",
        zero="change goal by -1\n",
    )

    result = rulewright(["check", str(folder)])
    both = rulewright(["check", str(folder), "--variant", "fast", "--variant", "slow"])

    assert result.status == 1
    assert "the check `the goal can be reached` does not hold" in result.stdout
    assert last_line(result) == "1 example, 1 check, 3 variants in 6 sets: 1 error"
    assert both.status == 2
    assert "the variants `Fast` and `Slow` exclude each other" in both.stderr


def test_a_variant_may_stand_for_its_game(counting: Callable[..., Path], rulewright: Run) -> None:
    folder = counting(fast="change step_size to 2\n", broken="change step_sise to 2\n")

    fast = rulewright(["check", str(folder / "variants" / "fast.rules")])
    broken = rulewright(["check", str(folder / "variants" / "broken.rules")])

    assert fast.status == 0, fast.output
    assert broken.status == 1
    assert "did you mean `step_size`?" in broken.stdout


def test_an_example_that_fails_is_shown(counting: Callable[..., Path], rulewright: Run) -> None:
    folder = counting(
        slow='example "Nothing is taken"\n  players ann\n'
        "  do ann: turn, n = 0\n  expect ann.coins is 1\n"
    )

    result = rulewright(["check", str(folder)])

    assert result.status == 1
    assert "RW412" in result.stdout
    assert last_line(result) == "2 examples, 1 check, 1 variant: 1 error"


def test_random_games_are_counted(counting: Callable[..., Path], rulewright: Run) -> None:
    result = rulewright(["check", str(counting()), "--playouts", "3"])

    assert last_line(result) == "1 example, 1 check, no variants, 6 random games: fine"


GREEDY = """language 1
variant "Greedy" of counting
before turn
  add 1 to my.coins
"""


def test_what_a_variant_has_to_say_anew_is_written(
    counting: Callable[..., Path], rulewright: Run, tmp_path: Path
) -> None:
    mild = 'after turn\n  add 2 to my.coins\nexample "One coin at a time"\n  players ann\n'
    counting(mild=mild + "  do ann: turn, n = 1\n  expect ann.coins is 3\n")
    path = tmp_path / "greedy.rules"
    path.write_text(GREEDY, encoding="utf-8")

    before = rulewright(["check", str(path)])
    restated = rulewright(["check", str(path), "--restate"])
    alone = rulewright(["check", str(tmp_path / "counting"), "--variant", str(path), "--restate"])
    path.write_text(f"{GREEDY}\n{restated.stdout}", encoding="utf-8")
    after = rulewright(["check", str(path)])
    again = rulewright(["check", str(path), "--restate"])

    assert before.status == 1
    assert last_line(before).endswith("2 examples, 1 check, 2 variants: 1 error")
    assert "error[RW513]: `Greedy` changes 2 examples without saying so" in before.stdout
    assert restated.stdout == alone.stdout
    assert restated.stdout.splitlines() == [
        "# examples that come out differently with Greedy, for both sets of variants",
        "",
        'example "One coin at a time"',
        "  players ann",
        "  do ann: turn, n = 1",
        "  expect ann.coins is 2",
        "",
        'example "One coin at a time" with "Mild"',
        "  players ann",
        "  do ann: turn, n = 1",
        "  expect ann.coins is 4",
    ]
    assert after.status == 0, after.output
    assert (
        again.stdout
        == "# All examples of Counting come out with Greedy, in both sets of variants.\n"
    )


def test_restate_is_about_variants(counting: Callable[..., Path], rulewright: Run) -> None:
    result = rulewright(["check", str(counting()), "--restate"])

    assert result.status == 2
    assert "--restate is about variants" in result.stderr


def test_rules_that_run_on_and_on_are_said_once_for_all_sets(
    counting: Callable[..., Path], rulewright: Run
) -> None:
    folder = counting(
        endless="before turn\n  repeat while my.coins >= 0\n    add 1 to my.coins\n",
        fast="change step_size to 2\n",
    )

    result = rulewright(["check", str(folder), "--playouts", "1"])
    path = str(folder / "variants" / "endless.rules")
    restated = rulewright(["check", path, "--restate"])

    assert result.stdout.count("error[") == 1
    assert "error[RW702]" in result.stdout
    assert last_line(result).endswith("1 check, 2 variants in 4 sets, 6 random games: 1 error")
    assert restated.status == 1
    assert "error[RW702]" in restated.stderr


def test_options_are_those_of_random_games(counting: Callable[..., Path], rulewright: Run) -> None:
    late = 'option late: flag = no "Later?"\nbefore play\n  if late\n    show "{1 / (count(players) - 1)}" to players\n'
    folder = str(counting(late=late, fast="change step_size to 2\n"))

    plain = rulewright(["check", folder])
    chosen = rulewright(["check", folder, "--option", "late=yes"])
    unknown = rulewright(["check", folder, "--option", "laet=yes"])
    wrong = rulewright(["check", folder, "--option", "late=maybe"])

    assert plain.status == 0, plain.output
    assert chosen.status == 1
    assert chosen.stdout.count("error[") == 1
    assert "error[RW704]: a number is divided by zero" in chosen.stdout
    assert unknown.status == wrong.status == 2
    assert "no option is called `laet`; did you mean `late`?" in unknown.stderr
    assert "`maybe` is no value of `late`" in wrong.stderr
