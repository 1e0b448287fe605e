"""What a person reads at the table: nothing twice, nothing that says nothing, and how it came out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.quick

Run = Callable[..., Any]


@pytest.fixture
def taking(tmp_path: Path) -> Path:
    """Return a game that the first answer wins, with one answer that is refused."""
    path = tmp_path / "taking.rules"
    path.write_text(
        'language 1\ngame "Taking" for 2..2 players\nuse winner\n'
        "table Card for each worth in 1..3\neach Card has\n  worth: number\n"
        "each Card also has, seen by players\n  taker: Player?\n"
        "each Player has\n  friend: Player?, seen by players\n  late: flag, seen by players\n  secret: number = 1, seen by owner\n"
        "to play\n  as players[0]\n"
        '    choose 1..2 taken from Card such that sum(taken each its.worth) is 3 ask "Take 3"\n'
        "    for each card in taken\n      set card.taker to me\n    set my.secret to 3\n    win me\n",
        encoding="utf-8",
    )
    return path


def test_what_has_no_value_and_what_is_not_so_is_shown_on_request_only(
    rulewright: Run, taking: Path
) -> None:
    result = rulewright(f"play {taking} --seed 1", "state\nquit\n").stdout

    before, after = result.split("P1> state\n")
    assert "friend" not in before
    assert "late" not in before
    assert after.count("none: friend\n") == 2
    assert after.count("late: no") == 2


def test_the_last_table_is_shown_before_how_the_game_came_out(
    rulewright: Run, taking: Path
) -> None:
    result = rulewright(f"play {taking} --seed 1", "3\n").stdout

    table, _, end = result.rpartition("The game is over: won\n")
    assert "  taker: P1: Card (worth 3)\n" in table
    assert "  secret: 3" in table
    assert end == "\nP1 wins.\n"


def test_the_last_table_tells_nothing_to_others_who_sit_there(
    rulewright: Run, taking: Path
) -> None:
    result = rulewright(f"play {taking} --seed 1 --seat 2=human", "3\n").stdout

    assert "the game ends: won\n\nThe game is over: won\n\nP1 wins.\n" in result


def test_a_selection_is_refused_in_the_language_of_the_table(rulewright: Run, taking: Path) -> None:
    result = rulewright(f"play {taking} --seed 1 --language de", "1\nquit\n").stdout

    assert (
        "diese Auswahl geht nicht, taken muss erfüllen: `sum(taken each its.worth) is 3`" in result
    )
    assert "is not possible" not in result


def test_a_refusal_gives_its_reason_in_the_language_of_the_table(
    rulewright: Run, tmp_path: Path
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "de.csv").write_text(
        "text,translation\ntoo dear,zu teuer\n", encoding="utf-8"
    )
    (tmp_path / "game.rules").write_text(
        'language 1\ngame "Shop" for 1..1 players\n'
        "each Player has, seen by players\n  coins: number = 3\n"
        "to play\n  as players\n"
        "    choose 1..2 bought from [1, 2, 4]\n"
        '    need sum(bought) < my.coins else "too dear"\n'
        "    set my.coins to 0\n",
        encoding="utf-8",
    )

    result = rulewright(f"play {tmp_path} --seed 1 --language de", "1 2\nquit\n").stdout

    assert "> 1 2\ndiese Auswahl geht nicht: zu teuer\n" in result


def test_of_games_that_all_were_stopped_no_wins_are_counted(rulewright: Run) -> None:
    stopped = rulewright("playout tic_tac_toe -n 2 --limit 3").stdout
    finished = rulewright("playout tic_tac_toe -n 2").stdout

    assert "stopped at the limit  2" in stopped
    assert "Seats:" not in stopped
    assert "Seats:" in finished
