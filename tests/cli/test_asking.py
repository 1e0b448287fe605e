"""What a person is asked at the table, and what is said to an answer that is not possible."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def asked(tmp_path: Path, rulewright: Run) -> Callable[..., str]:
    """Return what is printed when somebody is asked so, and answers so."""

    def ask(choice: str, *typed: str) -> str:
        path = tmp_path / "game.rules"
        path.write_text(
            f"""language 1
game "Asked" for 1..1 players
each Player has
  score: number = 0, seen by players
  taken: list of number = [], seen by players
to play
  as players
    {choice}
""",
            encoding="utf-8",
        )
        result = rulewright(["play", str(path), "--seed", "1"], "".join(f"{x}\n" for x in typed))
        assert (result.status, result.stderr) == (0, "")
        return str(result.stdout)

    return ask


def test_a_number_is_answered_with_itself(asked: Callable[..., str]) -> None:
    choice = "choose amount from [3, 1, 7]\n    set my.score to amount"

    shown = asked(choice, "2", "1")

    assert "\n  3, 1, 7\n  (answer with a number itself, not with its place)\n" in shown
    assert "2 is not possible here: the numbers are 3, 1, 7" in shown
    assert "score of P1 is now 1" in shown


def test_several_numbers_are_answered_with_themselves(asked: Callable[..., str]) -> None:
    choice = "choose 2 amounts from [3, 1, 7]\n    set my.score to sum(amounts)"

    shown = asked(choice, "1 2", "3 7")

    assert "(2, for example 3 1)" in shown
    assert "2 is not possible here: the numbers are 3, 1, 7" in shown
    assert "score of P1 is now 10" in shown


def test_how_numbers_are_answered_is_said_once_and_in_the_help(asked: Callable[..., str]) -> None:
    one = "choose first from [3, 1, 7]\n    choose second from [4, 9]\n    set my.score to second"

    shown = asked(one, "?", "7", "4")

    assert shown.count("(answer with a number itself") == 1
    assert "Options that are numbers themselves have no places: 4 means the number 4." in shown
    assert "score of P1 is now 4" in shown


PICK = "\n    ".join(
    [
        'choose {amount} picked from ["fox", "owl", "elk", "bat"] such that {condition}',
        "{then}",
    ]
)


def test_what_a_selection_must_meet_is_quoted(asked: Callable[..., str]) -> None:
    condition = '"elk" in picked or "bat" in picked'
    choice = PICK.format(amount=2, condition=condition, then="add 1 to my.score")

    shown = asked(choice, "1", "1 2", "1 3")

    assert "2 are wanted, not 1" in shown
    assert f"this selection is not possible: picked must be such that `{condition}`" in shown
    assert "score of P1: +1" in shown


def test_what_belongs_to_no_selection_is_not_listed(asked: Callable[..., str]) -> None:
    condition = 'not ("owl" in picked)'
    choice = PICK.format(amount=2, condition=condition, then="add 1 to my.score")

    shown = asked(choice, "1 3")

    assert "(2, for example 1 2)\n  1  fox\n  2  elk\n  3  bat\n" in shown
    assert "score of P1: +1" in shown


def test_neither_is_what_a_later_rule_refuses(asked: Callable[..., str]) -> None:
    need = 'need not ("bat" in picked) else "the bat is asleep"'
    choice = PICK.format(amount="1..2", condition="true", then=f"{need}\n    add 1 to my.score")

    shown = asked(choice.replace(" such that true", ""), "1 4", "1 3")

    assert "\n  1  fox\n  2  owl\n  3  elk\nP1>" in shown
    assert "there is no option 4: the options are 1 to 3" in shown
    assert "score of P1: +1" in shown


def test_a_wide_choice_is_asked_at_once(asked: Callable[..., str]) -> None:
    choice = "choose 20 picked from 1..60\n    set my.score to sum(picked)"

    shown = asked(choice, "1-20")

    assert "score of P1 is now 210" in shown


def test_what_can_be_asked_about_is_said(rulewright: Run) -> None:
    typed = [
        "why scna",
        "why qqq",
        "rules qqq",
        "why",
        "help why",
        "? log",
        "? exit",
        "help me",
        "quit",
    ]
    result = rulewright(
        ["play", "jump_gate_2e", "--players", "2", "--seed", "3"], "\n".join(typed) + "\n"
    )

    lines = [line.rpartition("> ")[2] for line in result.stdout.splitlines()]
    what = "X is the number or the label of an option, or a verb: "
    assert "nothing that can be done is called `scna`; did you mean `scan`?" in lines
    for wrong in ("nothing that can be done", "no verb"):
        (said,) = (line for line in lines if line.startswith(f"{wrong} is called `qqq`; "))
        assert what in said and "jump" in said
    at = lines.index("write `why X`")
    assert lines[at + 1].startswith(what)
    assert "  why X  why an option or verb is possible or not" in lines
    assert "  log [all]  what has happened, as far as you noticed it" in lines
    assert "`help me` is no option; `?` shows what can be typed" in lines


def test_answers_that_are_not_possible_are_told_in_the_language_of_the_table(
    rulewright: Run,
) -> None:
    typed = ["77", "xyz", "1 2 3", "3-1", "1 5 5", "why xyz", "rules", "load nowhere", "quit"]
    result = rulewright(
        ["play", "jump_drive", "--players", "2", "--seed", "3", "--language", "de"],
        "\n".join(typed) + "\n",
    )

    for said in (
        "es gibt keine Option 77: die Optionen sind 1 bis 7",
        "`xyz` ist keine Option; `?` zeigt, was man eingeben kann",
        "gefragt: 2, genannt: 3",
        "`3-1` läuft rückwärts",
        "5 ist doppelt genannt",
        "nichts, was man tun kann, heißt `xyz`; X ist die Nummer",
        "schreibe `rules X`",
        "`nowhere` kann nicht geladen werden: ",
    ):
        assert said in result.stdout, said


def test_cards_of_a_hand_are_numbered_as_the_table_shows_them(
    tmp_path: Path, rulewright: Run
) -> None:
    path = tmp_path / "game.rules"
    path.write_text(
        """language 1
game "Hand" for 1..1 players
use deck(Card) as cards
each Card has
  name: text
table Card
  | name |
  | ant  |
  | bee  |
  | cat  |
  | dog  |
  | elk  |
  | fox  |
each Player has
  hand: cards of Card, seen by owner
  line: row of Card, seen by players
to play
  shuffle cards.pile
  as players
    draw 4 from cards to my.hand
    choose card from my.hand
    move card to my.line
    choose 2 more from my.hand
    move more to my.line
    choose last from my.line
    discard last
""",
        encoding="utf-8",
    )

    result = rulewright(["play", str(path), "--seed", "2"], "1\n1 3\n1\n")

    assert (result.status, result.stderr) == (0, "")
    lines = [line.strip() for line in result.stdout.splitlines()]
    hand = next(line for line in lines if line.startswith("hand: ")).removeprefix("hand: ")
    names = hand.split(", ")
    assert names == sorted(names) and len(names) == 4
    first, second, third = (
        number for number, line in enumerate(lines) if line.startswith(("Choose", "P1> Choose"))
    )
    assert lines[first + 1 : first + 5] == [f"{n}  {name}" for n, name in enumerate(names, 1)]
    rest = names[1:]
    assert lines[second + 1 : second + 4] == [f"{n}  {name}" for n, name in enumerate(rest, 1)]
    # A row has an order of its own.
    row = [names[0], rest[0], rest[2]]
    assert lines[third + 1 : third + 4] == [f"{n}  {name}" for n, name in enumerate(row, 1)]
