"""Formulas in tables: about whom they are read, and what of them is seen."""

import pytest
from duel import started
from written import played

from rulewright.interpreter.state.errors import PlayError

DEEDS = """
each Deed has
  name: text
  rent: number
  twin: Deed?
table Deed
  | name | rent                      | twin         |
  | Mill | 2                         | Inn          |
  | Inn  | `my.coins + count(my.row)` |              |
  | Well | `2 * 3`                   | `this`       |
  | Barn | `my.debt`                 | `first(my.row)` |
each Player has
  row:   row of Deed, seen by players
  hand:  cards of Deed, seen by owner
  coins: number = 4, seen by players
  debt:  number = 9, seen by owner
the game has, seen by players
  log: list of number = []
"""


def read(*steps: str) -> object:
    """Return what has been noted."""
    body = "".join(f"\n  {step}" for step in steps)
    return played(DEEDS, f"to play{body}\n").at("log")


def test_a_formula_is_read_for_the_owner_of_the_thing() -> None:
    steps = (
        'as players[0]\n    move Deed("Inn") to my.row',
        'as players[1]\n    add 3 to my.coins\n    add Deed("Inn").rent to log',
        'add sum(players[0].row each its.rent) + Deed("Mill").rent to log',
    )

    assert read(*steps) == [5, 7]


def test_the_last_owner_stays_the_one_who_is_asked() -> None:
    steps = (
        'as players[1]\n    set my.coins to 1\n    move Deed("Inn") to my.row',
        'as players[0]\n    move Deed("Inn") to my.row',
        'add Deed("Inn").rent to log',
    )

    assert read(*steps) == [5]


def test_what_does_not_ask_for_the_owner_needs_none() -> None:
    assert read('add Deed("Well").rent to log') == [6]
    with pytest.raises(PlayError, match=r"RW718.*Inn"):
        read('add Deed("Inn").rent to log')


def test_formulas_give_things_too() -> None:
    steps = (
        'as players[0]\n    move [Deed("Mill"), Deed("Barn")] to my.row',
        'if Deed("Barn").twin is Deed("Mill") and Deed("Well").twin is Deed("Well")\n    add 1 to log',
    )

    assert read(*steps) == [1]


def test_a_value_is_shown_to_who_sees_all_that_it_reads() -> None:
    play = """
to play
  as players
    choose n from 1..2
    move Deed[n] to my.row
    move Deed("Barn") to my.row
"""
    state = started(DEEDS, play)
    state.apply_action("1")

    own, other = (state.observation(seat)["players"]["ann"]["row"] for seat in (0, 1))

    assert own == ["Inn (rent 6)", "Barn (rent 9, twin Inn)"]
    assert other == ["Inn (rent 6)", "Barn (rent ?, twin Inn)"]
