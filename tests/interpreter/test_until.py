"""`until V ends`: which V, for whom, with which values; and that nothing of it stays or shows."""

import pytest
from duel import say, started
from written import played

from rulewright.interpreter.play import record
from rulewright.interpreter.program.until import check_records
from rulewright.interpreter.state.layout import LASTING, SCALARS

BASE = """
each Player has, seen by players
  points: number = 0
the game has, seen by players
  log: list of number = []
define cost: number = 10
define gain: number = my.points
to act
  add cost to log
to turn
  act
"""


def log(*rules: str) -> object:
    """Return what a game has noted; when it is over there are no records."""
    table = played(BASE, *rules)
    assert table.store.columns[SCALARS][LASTING] is None
    return table.at("log")


def test_it_ends_with_the_verb_that_runs() -> None:
    rules = """
to play
  as players
    turn
  act
before turn
  until turn ends change cost by -1
after turn
  act
"""
    assert log(rules) == [9, 9, 9, 9, 10]


def test_it_waits_for_the_next_one_of_its_maker() -> None:
    rules = """
to play
  as players[0]
    until turn ends change gain by 5
    add gain to log
  as players[1]
    turn
    add gain to log
  as players[0]
    add gain to log
    turn
    add gain to log
before turn
  add gain to log
"""
    assert log(rules) == [5, 0, 10, 0, 5, 5, 10, 0]


def test_what_depends_on_no_player_holds_for_all() -> None:
    rules = """
to play
  as players[0]
    until turn ends change cost by 1
    until turn ends change gain by 1
  as players[1]
    add gain to log
    act
  as players[0]
    add gain to log
    act
"""
    assert log(rules) == [0, 11, 1, 11]


def test_locals_are_taken_along_and_fields_are_read() -> None:
    rules = """
to play
  as players[0]
    turn
before turn
  let n = 1
  until turn ends change gain to n * 100 + my.points
  until turn ends before act
    add n to log
    let n = 50
  let n = 2
  until turn ends change gain by n
  set my.points to 7
after turn
  add gain to log
"""
    assert log(rules) == [1, 10, 109]


def test_it_may_be_said_again_and_the_inner_run_ends_its_own() -> None:
    rules = """
to play
  as players[0]
    deep 2
    act
to deep n: number
  until deep ends change cost by n
  act
  if n > 1
    deep n - 1
  act
"""
    assert log(rules) == [12, 13, 13, 12, 10]


def test_stop_ends_it_after_what_stands_after() -> None:
    rules = """
to play
  as players
    turn
  act
before turn
  until turn ends change cost by 1
instead of turn
  act
  stop turn
after turn
  act
"""
    assert log(rules) == [11, 11, 11, 11, 10]


def test_blocks_around_instead_and_in_one_another() -> None:
    rules = """
to play
  as players[0]
    turn
    turn
before turn when my.points is 0
  add 1 to my.points
  until turn ends instead of act
    add 1 to log
    until turn ends after act
      add 2 to log
after turn
  act
"""
    assert log(rules) == [1, 2, 1, 2, 2, 10, 10]


def test_a_condition_may_wait_for_it() -> None:
    rules = """
to play
  as players[0]
    turn
before turn
  until turn ends change cost by 5
  choose n from 1..2
as soon as cost > 12
  add 1 to log
as soon as cost < 11
  add 2 to log
"""
    assert played(BASE, rules).at("log") == [1]
    assert played(BASE, rules).say("1").at("log") == [1, 15, 2]


def test_records_are_kept_in_saves_and_copies_and_shown_to_nobody() -> None:
    rules = """
to play
  as players
    turn
    act
before turn
  choose n from 1..3
  until turn ends change cost by n
  choose m from 1..3
"""
    state = say(started(BASE, rules), "2")
    before = state.clone()
    state.undo()
    assert state.store.columns[SCALARS][LASTING] is None
    say(state, "3", "1")
    assert state.observation(0)["game"] == {"log": [13, 10]}

    again = record.load(record.save(before), before.game)

    assert again.observation(1) == before.observation(1)
    assert set(before.observation(0)) == {
        "you", "running", "waiting for", "game", "players", "things", "ending",
    }  # fmt: skip
    assert say(again, "1").observation(0)["game"] == {"log": [12, 10]}


@pytest.mark.parametrize(
    "records",
    [(), 3, ((1, None, None),), ((2, None, None, 5),), ((1, 4, None, 5),), ((1, None, "x", 5),)],
)
def test_a_save_with_records_that_are_none_is_refused(records: object) -> None:
    rules = """
to play
  as players
    turn
before turn
  choose n from 1..3
  until turn ends change cost by n
"""
    state = say(started(BASE, rules), "2")
    check_records(state.game.model, state.store.columns[SCALARS][LASTING])
    check_records(state.game.model, ((1, None, 7, 5),))

    with pytest.raises(ValueError, match="until a verb ends"):
        check_records(state.game.model, records)
