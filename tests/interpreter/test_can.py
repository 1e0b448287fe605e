"""`can` is the look-ahead as a value: whether a verb could be carried out now."""

import pytest
from small_games import play

from rulewright.interpreter.lookahead import search
from rulewright.interpreter.state.errors import PlayError

CAN = """
    to pay p: number
      choose card from my.hand where its.rank >= p
      need n is 0 else "not now"
      set n to 1
      move card to lane
    to play
      move Card where its.rank is 3 to players[0].hand
      as players[0]
        choose a from 1..5 where can(pay(it))
    """


def test_can_is_a_search_as_a_value() -> None:
    table = play(CAN)

    assert table.menu == ["1", "2", "3"]
    assert table.at("n") == 0


def test_can_begin_tells_why_not() -> None:
    table = play(CAN)
    program, store = table.program, table.store
    pay = next(verb.id for verb in program.game.verbs.values() if verb.name == "pay")

    assert search.can_begin(program, store, pay, (2,), table.seat("ann")) == (True, ())
    possible, reasons = search.can_begin(program, store, pay, (4,), table.seat("ann"))
    assert not possible
    assert [reason.text for reason in reasons] == ["nothing to choose: card"]


def test_can_ends_with_the_verb() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..2
        need can(work(a)) else "no"
        need a is 2 else "two"
    to work a: number
      repeat 2 times
        choose b from 1..3
        add b to n
      need n is 6 else "six"
    """

    assert play(rules).menu == ["2"]


def test_can_asks_about_verbs_that_are_values() -> None:
    rules = """
    the game also has, seen by players
      plan: verb? = none
    define ways = [dear, cheap, give(2), give(3)]
    define possible(verbs: list of verb) = verbs where can(it)
    to play
      move Card where its.rank is 3 to players[0].hand
      as players[0]
        set plan to last(ways)
        if can(plan)
          choose way from possible(ways)
          do way
    to dear "Dear"
      need n > 5 else "too dear"
    to cheap "Cheap"
      need n < 5 else "too cheap"
    to give r: number "Give {r}"
      choose card from my.hand where its.rank is r
      move card to lane
    """

    assert play(rules).menu == ["Cheap", "Give 3"]


def test_can_of_no_verb_is_a_rules_error() -> None:
    rules = """
    define ways = [work]
    to work
      nothing
    to play
      as players[0]
        if can(first(ways where n > 3))
          add 1 to n
        choose a from 1..2
    """

    with pytest.raises(PlayError) as caught:
        play(rules)

    assert caught.value.code == "RW715"
