"""A watched condition fires when it becomes true, once a verb has ended."""

import pytest
from written import begun, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.state.errors import PlayError

WATCHED = """
the game has, seen by players
  a: number = 0
  b: number = 0
  log: list of number = []
as soon as a > 0 and b is 0
  add 7 to log
"""


def test_a_condition_fires_when_an_atomic_verb_has_ended() -> None:
    rules = """
    to play
      as players[0]
        both
        choose n from 1..1
        one
        add 9 to log
    to both
      set a to 1
      set b to 1
    to one
      set b to 0
      add 8 to log
    after one
      add 80 to log
    """
    table = played(WATCHED, rules).say("1")

    assert table.at("log") == [8, 80, 7, 9]


def test_a_condition_fires_after_each_step_of_a_verb_that_asks() -> None:
    rules = """
    to play
      as players[0]
        set a to 1
        set b to 1
        choose n from 1..1
    """

    assert played(WATCHED, rules).at("log") == [7]


def test_a_condition_fires_only_when_it_becomes_true() -> None:
    rules = """
    to play
      as players[0]
        set a to 1
        set a to 2
        set a to 0
        set a to 3
        choose n from 1..1
    """

    assert played(WATCHED, rules).at("log") == [7, 7]


def test_conditions_sleep_during_set_up() -> None:
    rules = """
    to play
      set_up
      as players[0]
        choose n from 1..1
        set a to 2
    to set_up
      as players[0]
        set a to 1
        choose m from 1..1
    """
    table = played(WATCHED, rules).say("1", "1")

    assert table.over
    assert table.at("log") == []


def test_a_condition_with_me_is_watched_for_each_player_in_seat_order() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    the game has, seen by players
      log: list of number = []
    as soon as my.points > 0
      add position(me, players) to log
    to play
      as players[1]
        give_all
        choose n from 1..1
    to give_all
      for each p in players
        set p.points to 1
    """

    assert played(rules, players=3).at("log") == [1, 2, 0]


def test_a_block_may_make_another_condition_true() -> None:
    rules = """
    as soon as b > 0
      add 8 to log
    as soon as a is 2
      set b to 5
    to play
      as players[0]
        set a to 2
        choose n from 1..1
    """
    table = played(WATCHED, rules)

    assert table.at("log") == [7, 8]


def test_a_block_does_not_run_if_its_condition_is_false_again() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
      log: list of number = []
    as soon as a > 0
      set a to 0
      add 1 to log
    as soon as a is 1
      add 2 to log
    to play
      as players[0]
        set a to 1
        choose n from 1..1
    """

    assert played(rules).at("log") == [1]


def test_conditions_that_fire_for_ever_are_a_rules_error() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
    as soon as a mod 2 is 1
      add 1 to a
    as soon as a mod 2 is 0
      add 1 to a
    to play
      as players[0]
        add 1 to a
        choose n from 1..1
    """
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code == "RW714"


def test_an_atomic_verb_begun_from_outside_is_followed_by_a_look() -> None:
    rules = "to play\n  one\nto one\n  set a to 1\n"

    assert played(WATCHED, rules, verb="one").at("log") == [7]


def test_what_is_true_already_does_not_fire_when_a_verb_is_begun() -> None:
    rules = "to play\n  one\nto one\n  set a to 2\n"
    table = begun(WATCHED, rules)
    store, program = table.store, table.program
    store.write(program.layout.slots["a"], 0, 1)
    executor.begin_verb(program, store, "one")
    executor.advance(program, store)

    assert table.at("log") == []


def test_a_block_may_end_the_game() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
    as soon as a > 0
      end game "full"
    to play
      as players[0]
        choose n from 1..1
        set a to 1
        add 5 to a
    """
    table = played(rules).say("1")

    assert table.ending == "full"
    assert table.at("a") == 1


def test_a_block_may_ask() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    as soon as my.points > 1
      choose extra from 1..2
      set my.points to 1
    to play
      as players[0]
        take 2
        take 2
    to take n: number
      set players[1].points to n
      choose m from 1..1
    """
    table = played(rules)

    assert table.asked.startswith("ben: watch:")
    assert table.say("2").asked == "ann: take.m"
    assert table.say("1").asked.startswith("ben: watch:")
