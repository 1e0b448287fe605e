"""Why an option does not live, and why a game is stuck, is said by the trials that came furthest."""

import pytest
from small_games import GAME, play
from written import begun

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.lookahead.search import Stuck

# ------------------------------------------------------------------------------------- dead options


def test_the_reasons_are_those_of_the_trials_that_came_furthest() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          either "Early"
            need no else "early"
          or "Late"
            need n is 0 else "never shown"
            need no else "late"
          or "Also late"
            need n is 0 else "never shown"
            need no else "also late"
    """

    assert play(rules).why("1") == ["late", "also late"]


def test_answers_count_more_than_needs() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          either "Many needs"
            need n is 0 else "1"
            need n is 0 else "2"
            need n is 1 else "needs"
          or "One answer"
            choose b from 1..2
            need n is 1 else "answer"
    """

    assert play(rules).why("1") == ["answer"]


def test_sets_say_what_is_missing() -> None:
    rules = """
    to play
      move Card where its.rank < 4 to players[0].hand
      as players[0]
        either "Four"
          choose 4 cards from my.hand
        or "Seven"
          choose 2 pair from my.hand such that sum(pair each its.rank) is 7
        or "Five"
          choose 2 pair from my.hand such that sum(pair each its.rank) is 5
    """
    table = play(rules)

    assert table.menu == ["Five"]
    assert table.why("Four") == ["not enough for cards"]
    assert table.why("Seven") == ["no selection for pair"]


def test_a_reason_knows_its_rule_and_the_values() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        need my.points + a >= 2 and n is 0 else "poor"
    """
    table = play(rules)
    (reason,) = lookahead.explain_dead(table.program, table.store, 1)

    assert reason.kind == "need"
    assert reason.span.text.startswith("need my.points")
    assert reason.values == (("my.points + a", 1), ("n", 0))


# -------------------------------------------------------------------------------------- stuck games


def test_a_decision_that_must_be_made_without_an_option_is_stuck() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        need n > 2 else "n is {n}"
    """
    with pytest.raises(Stuck) as caught:
        play(rules)

    assert caught.value.code == "RW701"
    assert [reason.text for reason in caught.value.reasons] == ["n is 0"]
    assert caught.value.stack[0].text == "choose a from 1..2"


def test_a_need_behind_the_horizon_is_stuck_with_its_reason() -> None:
    table = begun(GAME, 'to play\n  need n > 1 else "n is {n}"\n')
    with pytest.raises(Stuck) as caught:
        executor.advance(table.program, table.store)

    assert [reason.text for reason in caught.value.reasons] == ["n is 0"]
