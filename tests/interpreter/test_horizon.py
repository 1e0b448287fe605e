"""What the player cannot know, and the end of the pass, are the horizon of the look-ahead."""

import pytest
from small_games import GAME, play
from written import begun, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead.search import Stuck
from rulewright.interpreter.state.errors import PlayError


def beyond(steps: str) -> list[str]:
    """Return which of two answers live, if both fail behind some steps but for those steps."""
    indented = "\n".join(f"        {line}" for line in steps.splitlines())
    rules = f"""
    to play
      as players
        choose a from 1..2
{indented}
        need n > 5 else "dead"
    to draw_one
      move top(deck) to my.hand
    to other_decides
      as players[1]
        may "Do it"
          need no else "never"
    define covered = if n is 99 then faces else players[1].hand
    change covered by deck when n < 5
    """
    table = begun(GAME, rules)
    table.store.dictated = ()
    try:
        executor.advance(table.program, table.store)
    except Stuck:
        return []
    return table.menu


@pytest.mark.parametrize(
    "steps",
    [
        "let x = random(1..6)",
        "set n to random(1..6)",
        "move random(2, Card) to lane",
        "move top(deck) to my.hand",
        "draw_one",
        "let x = top(deck)",
        "show top(deck) to players",
        "if hidden > 2\n  nothing",
        "for each x in players[1].hand\n  nothing",
        "let x = count(players[1].hand where its.rank is 2)",
        "repeat hidden times\n  nothing",
        "repeat until hidden is 3\n  add 1 to hidden",
        "shuffle faces",
        "move deck to faces",
        "other_decides",
        "as players[1]\n  choose b from 1..1",
        "let x = count(covered where its.rank is 2)",
        "for each x in covered\n  nothing",
        "let x = last(covered)",
    ],
)
def test_what_i_cannot_know_is_a_horizon(steps: str) -> None:
    assert beyond(steps) == ["1", "2"]


@pytest.mark.parametrize(
    "steps",
    [
        "set n to a",
        "let x = count(deck)",
        "if deck is empty\n  nothing",
        "shuffle deck",
        "move deck to players[1].secret",
        "for each x in my.hand\n  nothing",
        "for each x in [1, 2]\n  set n to x",
        "let x = count(my.hand where its.rank is 2)",
        "as players[1]\n  add 1 to my.points",
        "repeat 2 times\n  set n to a",
        "as me\n  choose b from 1..2",
        "set hidden to 2",
        "let x = count(covered)",
        "let x = count(if covered is empty then covered else covered + faces)",
        "if covered is not empty\n  nothing",
        "choose 9 xs from covered",
    ],
)
def test_what_follows_from_what_i_know_is_none(steps: str) -> None:
    assert beyond(steps) == []


def test_the_end_of_the_pass_of_an_as_is_the_horizon() -> None:
    rules = """
    to play
      as players
        work
      need n > 5 else "dead"
    to work
      choose a from 1..2
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    table.say("1")
    with pytest.raises(Stuck):
        table.say("1")


def test_without_an_as_or_repeat_the_end_of_the_game_is_the_horizon() -> None:
    rules = """
    to play
      nothing
    to work
      choose a from 1..2
      inner
      need n is 2 else "dead"
    to inner
      choose b from 1..3
      set n to b
    """
    table = played(GAME, rules, verb="work", me="ann")

    assert table.menu == ["1", "2"]
    assert table.say("1").menu == ["2"]


def test_a_repeat_cuts_a_turn_into_actions() -> None:
    rules = """
    to play
      as players
        repeat 2 times
          choose a from 1..2
          add a to my.points
        need my.points is 4 else "dead"
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    table.say("1")
    with pytest.raises(PlayError) as caught:
        table.say("1")
    assert caught.value.code == "RW701"


def test_a_repeat_behind_my_first_decision_does_not_cut() -> None:
    rules = """
    to play
      as players
        choose first_one from 1..2
        repeat 2 times
          choose a from 1..2
          add a to my.points
        need my.points is 4 else "dead"
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    assert table.say("1").menu == ["2"]
    assert table.say("2").menu == ["2"]


def test_for_each_steps_and_verbs_do_not_cut() -> None:
    rules = """
    to play
      as players
        for each x in [1, 2]
          step inner
            work x
        need my.points is 4 else "dead"
    to work x: number
      choose a from 1..2
      add a to my.points
    """
    table = play(rules)

    assert table.menu == ["2"]
    assert table.say("2").menu == ["2"]


def test_the_pass_ends_too_when_stop_leaves_it() -> None:
    rules = """
    to play
      work
      need n > 5 else "dead"
    to work
      as players
        choose a from 1..2
        if a is 1
          stop
        stop_it
    to stop_it
      if n is 0
        stop work
    """

    assert play(rules).menu == ["1", "2"]


def test_a_verb_value_with_a_loop_of_its_own_ends_with_its_pass() -> None:
    rules = """
    to play
      as players
        turn
        need n > 5 else "dead"
    to turn
      repeat while n < 2
        action
    to action
      choose a from 1..2
      add 1 to n
      need a is 2 else "two"
    """

    assert play(rules).menu == ["2"]


def test_a_list_of_viewers_that_depends_on_the_state_is_asked_in_play() -> None:
    rules = """
    the game has
      vault: cards of Card = [], seen by players where its.points > 0
    to play
      set players[1].points to 1
      as players
        choose a from 1..2
        if count(vault where its.rank > 2) > 0
          nothing
        need n > 5 or me is players[0] else "dead"
    """
    table = play(rules)

    # To ann it is hidden, so that she may do anything; ben sees that he is lost.
    assert table.menu == ["1", "2"]
    with pytest.raises(Stuck):
        table.say("1")
