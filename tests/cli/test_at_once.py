"""Several people at one keyboard who decide at once: one after the other, and nobody sees the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GAME = Path(__file__).parents[1] / "laws" / "games" / "goofspiel"
HIDING = "Nobody else should look"

Command = Callable[..., Any]


@pytest.fixture
def table(rulewright: Command) -> Callable[..., str]:
    """Return what plays a game with two people who type so many lines, and gives what is printed."""

    def play(*lines: str, more: str = "") -> str:
        line = f"play {GAME} --players 2 --names ann,ben --seed 4 --seat 1=human --seat 2=human"
        return rulewright(f"{line} {more}", "".join(f"{line}\n" for line in lines)).output

    return play


def test_the_keyboard_is_handed_over_and_nothing_is_told_before_all_are_done(
    table: Callable[..., str],
) -> None:
    ann, ben, after = table("3", "", "state", "log", "2", "").split(HIDING)

    assert "Bid (value 3, bidder ann)" in ann
    # Ben is told nothing of what ann has bid, also if he asks.
    assert "ann moves" not in ben and "hand: 5 unseen" in ben
    assert "ann moves Bid (value 3, bidder ann)" in after
    assert "ben moves a Bid from hand to sealed" in after


def test_an_answer_is_taken_back_while_others_are_still_to_answer(
    rulewright: Command, tmp_path: Path
) -> None:
    (tmp_path / "game.rules").write_text(
        """language 1
game "Twice" for 2 players
each Player has
  first:  number = 0, seen by owner
  second: number = 0, seen by owner
to play
  as players together
    choose n from 1..3 ask "First"
    set my.first to n
    choose m from 4..6 ask "Second"
    set my.second to m
ranking
  most my.first
  most my.second
""",
        encoding="utf-8",
    )
    typed = "1\nundo\n3\n4\n\nundo\n2\n5\n"
    line = f"play {tmp_path} --names ann,ben --seed 4 --seat 1=human --seat 2=human"

    output = rulewright(line, typed).output

    ann, ben = output.split(HIDING)
    assert ann.count("First") == 2 and "Taken back" in ann
    # What ann has answered is not his to take back.
    assert "there is no answer of yours to take back" in ben
    assert "Taken back" not in ben


TOLLS = """language 1
game "Tolls" for 2 players
each Player has
  coins: number from 0 = 3, seen by owner
  shown: number = 0, seen by players
to play
  as players together
    choose n from 1..3 ask "How much"
    add -n to my.coins
    add n to my.shown
during play
  may "Borrow" when my.shown is 0 and my.coins < 5
    choose size from 1..2 ask "What size"
    add size to my.coins
ranking
  most my.coins
"""


def test_an_offer_is_taken_in_secret_and_taken_back(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(TOLLS, encoding="utf-8")
    file = tmp_path / "middle.toml"
    line = f"play {tmp_path} --names ann,ben --seed 4 --seat 1=human --seat 2=human"

    typed = ("Borrow", "2", "undo", "undo", "Borrow", "1", "3", "", "why Borrow", f"save {file}")
    output = rulewright(line, "".join(f"{one}\n" for one in (*typed, "quit"))).output

    ann, ben = output.split(HIDING)
    assert ann.count("Borrow") > 2 and ann.count("What size") == 3 and "Taken back" in ann
    # Ben is made the same offer, and told nothing of what ann has taken.
    assert "Borrow" in ben and "ann" not in ben.partition("How much")[2]

    goes_on = rulewright(
        f"play {tmp_path} --load {file} --seat 1=human --seat 2=human", "Borrow\n2\n1\n"
    )
    assert goes_on.output.count("What size") == 1
    # Only now it is told, of ann first.
    after = goes_on.output.partition("What size")[2]
    assert after.index("shown of ann: +3") < after.index("shown of ben: +1")


def test_a_game_is_saved_in_the_middle_and_goes_on_for_the_other(
    table: Callable[..., str], tmp_path: Path, rulewright: Command
) -> None:
    file = tmp_path / "middle.toml"
    table("3", "", f"save {file}", "quit")

    goes_on = rulewright(f"play {GAME} --load {file} --seat 1=human --seat 2=human", "5\n\nlog\n")

    assert "ann moves" not in goes_on.output.split(HIDING)[0]
    assert "ann moves Bid (value 3, bidder ann)" in goes_on.output.split(HIDING)[1]


def test_programs_play_it_and_say_who_has_chosen_what(rulewright: Command) -> None:
    one = rulewright(f"play {GAME} --players 3 --seed 5 --agents random")
    other = rulewright(f"play {GAME} --players 3 --seed 5 --agents random")

    assert one.status == 0 and one.output == other.output
    assert "all prizes are gone" in one.output


def test_why_lists_the_questions_of_all(rulewright: Command) -> None:
    asked = rulewright(f"why {GAME} --players 2 --names ann,ben")

    assert asked.output.count("Choose bid") == 2
    assert "ann: Choose bid" in asked.output and "ben: Choose bid" in asked.output


def test_the_log_tells_what_was_done_at_once_only_once(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(
        """language 1
game "Twice" for 2..3 players
each Player has
  first:  number = 0, seen by owner
  second: number = 0, seen by owner
to play
  as players together
    choose n from 1..3
    set my.first to n
    choose m from 4..6
    set my.second to m
  as players
    choose z from 1..3
ranking
  most my.first
""",
        encoding="utf-8",
    )
    for players in (2, 3):
        typed = "2\nlog\n5\nlog\nlog all\nquit\n"
        found = rulewright(f"play {tmp_path} --players {players} --seed 1", typed).stdout
        during, after, everything = (
            part.partition("P1>")[0].split("\n\n")[0].split("\n", 1)[1].strip()
            for part in re.split("P1> log", found)[1:]
        )

        assert during == "first of P1 is now 2"
        assert after == everything == "first of P1 is now 2\nsecond of P1 is now 5"
