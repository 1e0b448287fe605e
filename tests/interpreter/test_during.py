"""What stands in a `during V` is in force while V is running, and at no other time."""

import pytest
from small_games import LOG, log
from written import linked, played

from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import game_of


def test_a_change_holds_while_its_verb_runs() -> None:
    rules = """
    define price = 1
    during fair
      change price by 4
    to play
      sell
      fair
      sell
    to fair
      sell
      sell
    to sell
      add price to log
    """

    assert log(rules) == [1, 5, 5, 1]


def test_it_holds_from_before_its_verb_until_after_it() -> None:
    rules = """
    define price = 1
    during fair
      change price by 4
    before fair
      sell
    to play
      fair
      sell
    to fair
      add 0 to log
    to sell
      add price to log
    after fair
      sell
    """

    assert log(rules) == [5, 0, 5, 1]


def test_a_verb_inside_itself_goes_on_until_the_outer_one_ends() -> None:
    rules = """
    define price = 1
    during dig
      change price by 4
    to play
      dig 2
      add price to log
    to dig n: number
      if n > 0
        dig n - 1
      add price to log
    """

    assert log(rules) == [5, 5, 5, 1]


def test_a_stop_ends_it() -> None:
    rules = """
    define price = 1
    during fair
      change price by 4
    to play
      fair
      add price to log
    to fair
      for each n in 1..3
        deep n
    to deep n: number
      add price to log
      if n is 2
        stop fair
    """

    assert log(rules) == [5, 5, 1]


def test_a_step_can_be_meant_and_is_ended_by_the_stop_of_its_verb() -> None:
    rules = """
    define price = 1
    during fair.morning
      change price by 4
    to play
      fair 1
      fair 2
      add price to log
    to fair n: number
      step morning
        add price to log
        if n is 1
          stop
      add price to log
    """

    assert log(rules) == [5, 5, 1, 1]


def test_several_targets_a_guard_and_one_inside_the_other() -> None:
    rules = """
    the game has, seen by players
      rain: flag = no
    define price = 1
    during fair, feast when not rain
      change price by 10
      during feast
        change price by 100 when count(log) > 3
    to play
      fair
      feast
      set rain to yes
      fair
      feast
    to fair
      add price to log
    to feast
      add price to log
      add price to log
      add price to log
    """

    assert log(rules) == [11, 11, 11, 11, 1, 1, 1, 1]


def test_blocks_and_watched_conditions_stand_in_it() -> None:
    rules = """
    during fair
      before sell
        add 7 to log
      as soon as count(log) >= 5
        add 99 to log
    to play
      sell
      as first(players)
        fair
      sell
    to fair
      choose n from 2..2
      sell
      sell
    to sell
      add 1 to log
    """

    assert played(LOG, rules).say("2").at("log") == [1, 7, 1, 7, 1, 99, 1]


def test_nothing_runs_any_more_when_the_game_has_ended() -> None:
    rules = """
    define price = 1
    during fair
      change price by 4
    to play
      fair
    to fair
      add price to log
      end game "over"
    after play
      add price to log
    """

    assert log(rules) == [5, 1]


ASKING = """
define price = 1
during fair
  change price by 4
to play
  as players
    fair
    choose n from 1..price
    add n to log
to fair
  choose n from 1..price
  add n to log
"""


def test_look_ahead_knows_what_runs() -> None:
    rules = """
    define price = 1
    during fair
      change price by 4
    to play
      as players
        either "Fair"
          fair
        or "Sell"
          sell
        or "Both"
          fair
          sell
    to fair
      need price is 5 else "no fair"
    to sell
      need price is 5 else "no fair"
    """
    table = played(LOG, rules)

    assert table.menu == ["Fair"]


def test_what_runs_is_saved_and_shown_to_nobody() -> None:
    game = game_of(linked(LOG, ASKING), players=2)
    state = game.new_initial_state(0)
    assert len(state.legal_actions()) == 5

    again = record.load(record.save(state), game)
    assert len(again.legal_actions()) == 5
    unpacked = game.unpack(state.pack())
    assert len(unpacked.legal_actions()) == 5
    for one in (state, again, unpacked):
        one.apply_action(3)
        assert len(one.legal_actions()) == 1
        assert "running" not in str(one.observation(0)["game"])
        assert "@" not in str(one.observation(0))
        assert "@" not in str(one.information_state(0))


@pytest.mark.parametrize("answers", [("5", "1"), ("1", "1")])
def test_a_game_goes_on_as_it_began(answers: tuple[str, ...]) -> None:
    table = played(LOG, ASKING)

    table.say(*answers)
    assert table.menu == ["1", "2", "3", "4", "5"]
