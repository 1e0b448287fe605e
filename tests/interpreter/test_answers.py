"""Answers are refused if they are no option, and may be left to chance."""

import pytest
from small_games import LOG, play
from written import played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program import decisions
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.random import Generator

# ------------------------------------------------------------------------------------ given answers


def test_an_answer_that_is_no_option_is_refused() -> None:
    table = played(LOG, "to play\n  as players[0]\n    choose n from 1..3\n")
    with pytest.raises(IllegalActionError):
        executor.answer(table.program, table.store, 4)
    table.say("3")
    with pytest.raises(IllegalActionError):
        executor.answer(table.program, table.store, 3)


def test_a_copy_goes_on_by_itself() -> None:
    rules = "to play\n  as players\n    choose n from 1..3\n    add n to my.points\n"
    table = played(LOG, rules)
    copy = table.store.clone()
    table.say("2")
    executor.answer(table.program, copy, 3)

    assert copy != table.store
    executor.answer(table.program, copy, 1)
    assert table.at("Player.points", "ann") == 2
    assert executor.is_over(copy)
    assert not table.over


# ----------------------------------------------------------------------------------- random answers


def test_a_random_answer_is_any_that_lives() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..6
        need a mod 2 is 0 else "odd"
    """
    table = play(rules)
    random = Generator(1)
    found = {lookahead.pick_random(table.program, table.store, random) for _ in range(60)}

    assert found == {2, 4, 6}


def test_a_big_range_stays_one() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..1000000
        need a > 10 else "little"
    """
    table = play(rules)

    assert decisions.options(table.program, table.store) == range(1, 1_000_001)
    assert lookahead.pick_random(table.program, table.store, Generator(1)) > 10
