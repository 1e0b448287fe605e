"""What the book says and no rule does, and what random games never come by."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brief
import pytest
from sharing import shelf_for

from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.playout import statistics
from rulewright.interpreter.testing.coverage import CoverageCounts, count_games

MODULE = Path(__file__).parents[2] / "stdlib" / "deck.rules"
PORCH = Path(__file__).parent / "files" / "porch"


@pytest.fixture
def porch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The porch in a folder of its own, where one can change it; the current folder is another."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(PORCH, tmp_path / "games" / "porch"))


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_game_with_all_its_sections_is_complete(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    done = rulewright(f"coverage {porch} -n 0")

    assert done.status == 0
    assert "4 of 4 (100 %) sections have a rule" in done.stdout
    assert "17 of 17 (100 %) rules of the game cite a section" in done.stdout


def test_a_section_without_a_rule_is_told_and_fails(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    changed(porch / "book.md", "## The end", "## Wasps\n1. Run.\n\n## The end")

    done = rulewright(f"coverage {porch} -n 1")

    assert done.status == 1
    assert "4 of 5 (80 %) sections have a rule" in done.stdout
    assert "without a rule: Wasps" in done.stdout
    # The games are played all the same: nothing in them depends on it.
    assert "3 random games" in done.stdout


def test_an_excused_section_needs_no_rule(porch: Path, rulewright: Callable[..., Any]) -> None:
    changed(porch / "book.md", "## The end", "## Wasps\n1. Run.\n\n## The end")
    changed(porch / "game.rules", 'book "book.md"', 'book "book.md"\nno rules in Wasps')

    done = rulewright(f"coverage {porch} -n 0")

    assert done.status == 0
    assert "excused (no rules in): Wasps" in done.stdout


def test_a_rule_without_a_section_is_told_and_fails(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    changed(
        porch / "game.rules", '"Rest"                                           see Turns', '"Rest"'
    )
    changed(
        porch / "game.rules",
        "each Player has, seen by players                         see Turns",
        "each Player has, seen by players",
    )

    done = rulewright(f"coverage {porch} -n 0")

    assert done.status == 1
    assert re.search(r'without a section: .*game.rules:37  to rest "Rest"\n', done.stdout)
    assert re.search(r"without a section: .*game.rules:16  eaten: number = 0\n", done.stdout)


def test_what_a_variant_says_on_its_own_account_does_not_fail(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    done = rulewright(f"coverage {porch} --variant frost -n 0")

    assert done.status == 0
    assert "House rules of variants, without a section:" in done.stdout


def test_a_citation_of_no_section_is_told_and_fails(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    changed(porch / "game.rules", "hand:  cards of Apple", "hand:  cards of Apple   see Aples")

    done = rulewright(f"coverage {porch} -n 0")

    assert done.status == 1
    assert "4 of 4 (100 %) sections have a rule" in done.stdout
    assert "RW212" in done.stderr and "did you mean `Apples`?" in done.stderr


def test_a_book_that_is_missing_is_told(porch: Path, rulewright: Callable[..., Any]) -> None:
    (porch / "book.md").unlink()

    done = rulewright(f"coverage {porch}")

    assert done.status == 1 and "RW020" in done.stderr and not done.stdout


def test_other_mistakes_are_told_instead(porch: Path, rulewright: Callable[..., Any]) -> None:
    changed(porch / "game.rules", "add 1 to my.eaten", "add 1 to my.eatn")

    done = rulewright(f"coverage {porch}")

    assert done.status == 1 and "RW206" in done.stderr and not done.stdout


def test_what_never_runs_is_told_with_line_and_section(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    done = rulewright(f"coverage {porch} -n 3")

    never = done.stdout.partition("Never came up:\n")[2].partition("\n\n")[0]
    told = re.findall(r"game.rules:(\d+)  (.*)\n      see (.*)$", never, re.MULTILINE)
    assert told == [
        ("29", "if hole_in_fence", "Turns"),
        ("30", 'end game "the goat came"', "Turns"),
        ("40", 'or "Stand"', "Turns"),
        ("53", "as soon as no_chair", "The end"),
        ("54", 'end game "no chair"', "The end"),
    ]
    assert "What this cannot know" in done.stdout


def test_a_verb_that_never_runs_is_told_once(porch: Path, rulewright: Callable[..., Any]) -> None:
    with (porch / "game.rules").open("a", encoding="utf-8") as file:
        file.write(
            "\nto sneeze                     see Turns\n  if no_chair\n    add 1 to my.eaten\n"
            "  for each p in players\n    add 1 to p.eaten\n"
        )
    changed(
        porch / "game.rules",
        "  if hole_in_fence ",
        "  if no_chair\n    sneeze\n  if hole_in_fence ",
    )

    never = rulewright(f"coverage {porch} -n 2").stdout.partition("Never came up:\n")[2]

    assert "to sneeze" in never and "for each p" not in never


def test_an_option_that_is_never_possible_is_told(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    changed(
        porch / "game.rules",
        "  choose apple from my.hand\n",
        '  need no_chair else "no"\n  choose apple from my.hand\n',
    )

    done = rulewright(f"coverage {porch} -n 2")

    assert re.search(r"eat as an option: listed \d+ times, never taken\n", done.stdout)
    assert re.search(r'game.rules:32  to eat "Eat an apple"\n', done.stdout)


def test_things_that_are_never_used_are_told(porch: Path, rulewright: Callable[..., Any]) -> None:
    changed(porch / "apples.csv", "Boskoop,3", "Boskoop,30\nRusset,0")

    done = rulewright(f"coverage {porch} --variant frost -n 2 --players 1")

    assert "0 of 1 (0 %) sorts of Pot were used" in done.stdout
    assert "Pot never used: tea" in done.stdout


def test_the_sets_of_variants_are_counted_together(
    porch: Path, rulewright: Callable[..., Any]
) -> None:
    done = rulewright(f"coverage {porch} --all-variants -n 2 --counts")

    assert "Sets of variants: no variant; Frost" in done.stdout
    assert "12 random games" in done.stdout
    # Played in both sets, so begun once in each of the games.
    assert re.search(r"^ +12  .*game.rules:20  to play$", done.stdout, re.MULTILINE)


def test_the_same_arguments_give_the_same_text(porch: Path, rulewright: Callable[..., Any]) -> None:
    first, second = (rulewright(f"coverage {porch} -n 2 --seed 5 --counts") for _ in range(2))

    assert first.stdout == second.stdout
    assert first.stdout != rulewright(f"coverage {porch} -n 2 --seed 6 --counts").stdout


def test_wrong_usage_is_one_line(porch: Path, rulewright: Callable[..., Any]) -> None:
    for words, message in (
        (f"{porch} --all-variants --variant frost", "leave out --variant"),
        (f"{porch} --players 9", "is for 1 to 3 players, not for 9"),
        (f"{porch} --option apples_each=9", "`9` is no value of"),
        (f"{MODULE}", "is a module"),
        ("porhc", "no game is called `porhc`"),
    ):
        done = rulewright(f"coverage {words}")
        assert done.status == 2 and message in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1


TAPS = str(Path(__file__).parent.parent / "laws" / "games" / "taps")
"""A game in which offers are taken at a pause."""


@pytest.mark.parametrize(
    "name",
    [*shelf_for("test_counted_games_are_the_games_of_playout"), TAPS],
)
def test_counted_games_are_the_games_of_playout(name: str) -> None:
    seeds = range(2)
    options = brief.options_of(load_game(name).model)
    expected = statistics(load_game(name, options=options), seeds)

    counts = CoverageCounts()
    count_games(load_game(name, options=options), seeds, counts)

    assert dict(counts.endings) == dict(expected.endings)
    assert counts.decisions == expected.decisions
    # Each game begins once, and ends by one `end game` at most.
    played = [key for key in counts.points if counts.points[key].text.startswith("to play")]
    assert [counts.passed[key] for key in played if counts.points[key].unit == "play"] == [2]
    ends = sum(counts.passed[key] for key in counts.of_kind("end"))
    assert ends == sum(1 for one in expected.playouts if one.ending is not None)


def test_answers_of_several_who_decide_at_once_are_counted(
    tmp_path: Path, rulewright: Callable[..., Any]
) -> None:
    (tmp_path / "game.rules").write_text(
        """language 1
game "Signs" for 2..3 players
each Player has, seen by players
  stone: flag = no, fresh each throw
  won: number = 0
to play
  repeat 5 times
    throw
to throw
  as players together
    either "Stone"
      set my.stone to yes
    or "Paper"
      nothing
  as players where not it.stone
    may "Cheer"
      add 1 to my.won
ranking
  most my.won
"""
    )

    done = rulewright(f"coverage {tmp_path} -n 5")

    assert "3 of 3 (100 %) answers to `may` and `either` came up" in done.stdout
    assert "Nothing was left out" in done.stdout
