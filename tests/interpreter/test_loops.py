"""Branches, loops and `as` run their steps as often, and for whom, the guide says."""

import pytest
from small_games import log

from rulewright.dsl.text.source import Span
from rulewright.interpreter.state.errors import PlayError


def test_branches_take_the_first_condition_that_holds() -> None:
    rules = """
    to play
      for each n in [1, 2, 3, 4]
        if n is 1
          add 10 to log
        else if n < 3
          add 20 to log
        else
          if n is 4
            add 40 to log
    """

    assert log(rules) == [10, 20, 40]


def test_a_loop_goes_over_the_list_as_it_was() -> None:
    rules = """
    to play
      set log to [1, 2]
      for each n in log
        add n + 10 to log
    """

    assert log(rules) == [1, 2, 11, 12]


def test_a_number_of_times_is_read_once() -> None:
    rules = """
    to play
      add 1 to log
      repeat count(log) + 1 times
        add 2 to log
      repeat 0 times
        add 3 to log
      repeat 1 - 3 times
        add 4 to log
    """

    assert log(rules) == [1, 2, 2]


def test_while_and_until_test_before_each_pass() -> None:
    rules = """
    to play
      repeat while count(log) < 2
        add 1 to log
      repeat until count(log) >= 2
        add 2 to log
    """

    assert log(rules) == [1, 1]


def test_me_is_who_it_was_after_an_as() -> None:
    rules = """
    to play
      as players[0]
        mark
        as players[1]
          mark
        mark
    to mark
      add position(me, players) to log
    """

    assert log(rules) == [0, 1, 0]


def test_steps_without_end_are_a_rules_error_that_names_the_rule() -> None:
    rules = """
    to play
      repeat while count(log) < 2
        set log to [1]
        remove 2 from log
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW702"
    assert isinstance(caught.value.span, Span)
    assert caught.value.stack
