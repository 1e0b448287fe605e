"""An option is offered if it can be carried out, whatever decisions come behind it."""

import pytest
from small_games import play

from rulewright.interpreter.state.errors import IllegalActionError


def test_an_option_is_offered_if_it_can_be_carried_out() -> None:
    rules = """
    to play
      as players
        choose k from 1..4
        set n to k
        need n > 2 else "{n} is too little"
    """
    table = play(rules)

    assert table.menu == ["3", "4"]
    assert table.all == ["1", "2", "3", "4"]
    assert table.why("1") == ["1 is too little"]
    with pytest.raises(IllegalActionError) as caught:
        table.say("2")
    assert [reason.text for reason in caught.value.reasons] == ["2 is too little"]


def test_a_trial_leaves_no_trace() -> None:
    rules = """
    to play
      as players
        choose k from 1..4
        set n to k
        move deck to players[1].secret
        need n > 2 else "{n} is too little"
        choose m from 1..2
        need m is 2 else "two"
    """
    table = play(rules)
    before = table.store.clone()
    assert table.menu == ["3", "4"]
    table.why("1")

    assert table.store == before
    assert len(table.told) == len(list(before.events()))
    assert table.store.trail is None


def test_all_later_decisions_of_mine_are_searched() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        choose b from 1..3 where it > a
        choose c from 1..3 where it > b
        set n to c
    """
    table = play(rules)

    assert table.menu == ["1"]
    assert table.say("1").menu == ["2"]


def test_a_witness_may_need_several_decisions() -> None:
    rules = """
    to play
      as players
        choose a from 0..3
        choose b from 0..3
        choose c from 0..3
        need a + 4 * b + 16 * c is 27 or a + 4 * b + 16 * c is 62 else "no"
    """
    table = play(rules)

    assert table.menu == ["2", "3"]
    assert table.say("3").menu == ["2"]
    assert table.say("2").menu == ["1"]


def test_a_choice_that_finds_nothing_is_a_dead_end() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        choose b from lane where its.rank is a
    after play
      nothing
    before play
      move deck to lane
      move lane where its.rank is 2 to faces
    """
    table = play(rules)

    assert table.menu == ["1", "3"]
    assert table.why("2") == ["nothing to choose: b"]


def test_an_either_without_an_arm_is_a_dead_end() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        either "High" when a is 3
          nothing
        or "Low" when a is 1
          nothing
    """
    table = play(rules)

    assert table.menu == ["1", "3"]
    assert table.why("2") == ["no arm is possible"]


def test_menus_of_verbs_offer_what_can_be_done() -> None:
    rules = """
    define actions = [rest, pay, cheat]
    to play
      as players
        choose action from actions
        do action
        turn_over
    to rest "Rest"
      nothing
    to pay "Pay"
      need my.points > 0 else "you have nothing"
    to cheat "Cheat"
      set n to 1
    to turn_over
      need n is 0 else "found out"
    """
    table = play(rules)

    assert table.menu == ["Rest"]
    assert table.why("Pay") == ["you have nothing"]
    assert table.why("Cheat") == ["found out"]


def test_end_game_on_the_way_is_a_success() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          end game "over"
        need no else "never"
    """

    assert play(rules).menu == ["1"]


def test_watched_conditions_count_in_a_trial() -> None:
    rules = """
    as soon as n is 1
      set n to 7
    to play
      as players[0]
        choose a from 1..2
        set n to a
        need n is 7 else "seven"
    """

    assert play(rules).menu == ["1"]
