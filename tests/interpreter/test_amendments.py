"""What is fresh, before, instead of and after a verb runs in the order of the guide."""

from textwrap import dedent

import pytest
from small_games import LOG, log
from written import linked, played

from rulewright.interpreter.engine.actions import decision
from rulewright.interpreter.engine.executor import answer
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.testing.blame import run_examples

AMENDED = LOG + dedent("""
    the game has, seen by players
      counter: number = 7, fresh each work
    to play
      set counter to 1
      work
      add 99 to log
    before work
      add counter to log
    after work
      add 3 to log
    """)


def test_order_is_fresh_before_body_after() -> None:
    rules = "to work\n  add 2 to log\n"

    assert played(AMENDED, rules).at("log") == [7, 2, 3, 99]


def test_a_list_that_is_only_counted_may_be_added_to() -> None:
    rules = """
    define low = [1, 2, 3] where it < limit
    change low by [4, 5, 6] where it > limit
    define limit = 2
    to play
      add count(low) to log
      if low is not empty
        add 9 to log
    """

    assert log(rules) == [4, 9]


def test_stop_of_the_body_does_not_skip_what_stands_after() -> None:
    rules = "to work\n  add 2 to log\n  if counter is 7\n    stop\n  add 4 to log\n"

    assert played(AMENDED, rules).at("log") == [7, 2, 3, 99]


def test_stop_in_an_amendment_leaves_only_that_amendment() -> None:
    rules = """
    to play
      work
    to work
      add 5 to log
    before work
      add 1 to log
      stop
    before work
      add 2 to log
    after work
      stop
    after work
      add 6 to log
    """

    assert log(rules) == [1, 2, 5, 6]


def test_the_innermost_instead_whose_guard_holds_replaces_the_body() -> None:
    rules = LOG + "to play\n  work 1\n  work 2\n  work 3\nto work n: number\n  add n to log\n"
    variant = {
        "Other": """
        instead of work when n is 2
          add 20 to log
          if n is 2
            stop
          add 21 to log
        after work
          add 0 to log
        """
    }

    assert played(rules, variants=variant).at("log") == [1, 0, 20, 0, 3, 0]


def test_guards_are_read_when_their_block_would_begin() -> None:
    rules = """
    to play
      work
    to work
      add 2 to log
    before work when log is empty
      add 1 to log
    before work when log is empty
      add 9 to log
    after work when count(log) is 2
      add 3 to log
    """

    assert log(rules) == [1, 2, 3]


def test_end_game_skips_what_stands_after_but_not_after_play() -> None:
    rules = 'to work\n  end game "over"\nafter play when ending is "over"\n  add 5 to log\n'
    table = played(AMENDED, rules)

    assert table.over
    assert table.ending == "over"
    assert table.at("log") == [7, 5]


def test_a_game_may_end_by_itself() -> None:
    table = played(LOG, "to play\n  add 1 to log\nafter play\n  add 2 to log\n")

    assert table.over
    assert table.ending is None
    assert table.at("log") == [1, 2]


def test_only_my_fields_start_anew_where_it_says_own() -> None:
    rules = """
    each Player has
      moves: number = 5, seen by players, fresh each own turn
    to play
      as players
        set my.moves to 1
      as players[1]
        turn
    to turn
      nothing
    """
    table = played(rules)

    assert (table.at("Player.moves", "ann"), table.at("Player.moves", "ben")) == (1, 5)


def test_a_change_appends_the_things_of_a_zone() -> None:
    rules = """
    each Card has
      rank: number
    table Card for each rank in 1..4
    the game has, seen by players
      open: row of Card
      under: pile of Card = Card
    define within_reach: list of Card = open
    change within_reach by under when count(open) < 2
    to play
      move top(under) to open
      for each card in within_reach
        add card.rank to log
      move top(under) to open
      for each card in within_reach
        add card.rank to log
    """

    assert log(rules) == [4, 1, 2, 3, 4, 3]


def test_a_choice_in_an_amendment_has_the_name_that_it_has_in_the_rules() -> None:
    rules = """
    to play
      as players[0]
        work
    to work
      add 1 to log
    instead of work
      choose toll from 2..4
      choose 2 coins from [5, 6, 7] where it > toll + 2
      add toll + sum(coins) to log
    """
    table = played(LOG, rules)

    assert decision(table.program, table.store).name == "toll"
    assert decision(table.program, table.store).prompt == "Choose toll"
    with pytest.raises(IllegalActionError, match="not enough for coins"):
        answer(table.program, table.store, 4)


def test_an_example_answers_a_choice_in_an_amendment_by_its_name() -> None:
    rules = """
    to play
      as players[0]
        work
    to work
      add 1 to log
    before work
      choose toll from 2..4
      add toll to log
    example "The toll comes first"
      players ann
      do ann: work, toll = 3
      expect log is [3, 1]
    """

    assert run_examples(linked(LOG, dedent(rules))) == ()
