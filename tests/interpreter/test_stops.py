"""A stop leaves what it names, through all that stands after what was begun inside."""

from small_games import LOG, log
from written import played

# -------------------------------------------------------------------------------------- named steps


STEPPED = """
    to play
      work
      add 99 to log
    to work
      step first_part
        add 1 to log
        if stops
          stop
        add 2 to log
      add 3 to log
    after work.first_part
      add 20 to log
    after work
      add 30 to log
    """


def test_a_step_is_amended_where_it_stands() -> None:
    rules = "define stops = no\nbefore work.first_part\n  add 0 to log\n"

    assert log(STEPPED, rules) == [0, 1, 2, 20, 3, 30, 99]


def test_stop_in_a_step_leaves_the_verb_through_what_stands_after_both() -> None:
    rules = "define stops = yes\n"

    assert log(STEPPED, rules) == [1, 20, 30, 99]


def test_an_instead_of_a_step_leaves_only_the_step() -> None:
    rules = "define stops = yes\n"
    variant = {"Other": "instead of work.first_part\n  add 5 to log\n  stop\n"}

    assert played(LOG, STEPPED, rules, variants=variant).at("log") == [5, 20, 3, 30, 99]


def test_stop_of_a_step_by_name_goes_on_behind_it() -> None:
    rules = """
    to play
      work
    to work
      step outer
        step inner
          add 1 to log
          if log is not empty
            stop outer
        add 2 to log
      add 3 to log
    after work.inner
      add 10 to log
    after work.outer
      add 20 to log
    """

    assert log(rules) == [1, 10, 20, 3]


# ------------------------------------------------------------------------------- stops across verbs


def test_stop_by_name_ends_all_begun_inside_from_the_inside_out() -> None:
    rules = """
    to play
      outer
      add 99 to log
    to outer
      repeat 5 times
        middle
        add 1 to log
      add 2 to log
    to middle
      inner
      add 3 to log
    to inner
      add 4 to log
      if log is not empty
        stop outer
    after inner
      add 40 to log
    after middle
      add 30 to log
    after outer
      add 20 to log
    """

    assert log(rules) == [4, 40, 30, 20, 99]


def test_stop_by_name_means_the_innermost_running_one() -> None:
    rules = """
    to play
      outer 2
    to outer n: number
      add n to log
      if n > 0
        outer n - 1
        add 10 + n to log
      else
        inner
    to inner
      stop outer
    """

    assert log(rules) == [2, 1, 0, 11, 12]


def test_a_stop_out_of_nested_as_restores_me() -> None:
    rules = """
    to play
      as players[0]
        work
        mark
    to work
      as players[1]
        as players[2]
          mark
          helper
      add 50 to log
    to helper
      as players[1]
        stop work
    after work
      mark
    to mark
      add position(me, players) to log
    """

    assert log(rules, players=3) == [2, 0, 0]


def test_a_plain_stop_out_of_an_as_restores_me() -> None:
    rules = """
    to play
      as players[0]
        work
        work
    to work
      as players
        add position(me, players) to log
        if me is players[1]
          stop
    after work
      add 10 + position(me, players) to log
    """

    assert log(rules, players=3) == [0, 1, 10, 0, 1, 10]


def test_a_loop_that_was_left_begins_anew() -> None:
    rules = """
    to play
      work
      work
    to work
      for each n in [1, 2, 3]
        add n to log
        if n is 2
          stop
    """

    assert log(rules) == [1, 2, 1, 2]


def test_stop_by_name_where_it_does_not_run_ends_the_do() -> None:
    rules = (
        LOG
        + "to play\n  outer\nto outer\n  inner\nto inner\n  if log is empty\n    stop outer\n  add 1 to log\n"
    )
    table = played(rules, verb="inner")

    assert table.over
    assert table.at("log") == []
