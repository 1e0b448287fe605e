"""A `may`, an arm and `or stop` are offered only where there is a choice."""

from small_games import play


def test_a_may_that_cannot_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Pay"
          need my.points > 0 else "poor"
        choose a from 1..1
    """

    assert play(rules).asked == "ann: play.a"


def test_a_may_that_must_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn"
          set n to 1
        need n is 1 else "poor"
        choose a from 1..1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 1


def test_a_may_with_both_is_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn {1 + 1}"
          set n to 2
    """
    table = play(rules)

    assert table.menu == ["Earn 2", 'no "Earn 2"']
    assert table.say("Earn 2").at("n") == 2


def test_arms_that_cannot_be_carried_out_are_hidden() -> None:
    rules = """
    to play
      as players[0]
        either "Pay"
          need my.points > 0 else "poor"
        or "Wait"
        or "Guarded" when n > 0
          nothing
    """
    table = play(rules)

    assert table.menu == ["Wait"]
    assert table.all == ["Pay", "Wait"]
    assert table.why("Pay") == ["poor"]


def test_or_stop_is_taken_when_nothing_lives() -> None:
    rules = """
    to play
      as players[0]
        work
        choose a from 1..1
    to work
      choose b from 1..3 or stop
      need b > 7 else "too little"
      set n to 1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 0


def test_or_stop_is_not_taken_by_wish() -> None:
    rules = """
    to play
      as players[0]
        work
    to work
      choose b from 1..3 or stop
      need b > 2 else "too little"
    """

    assert play(rules).menu == ["3"]


def test_or_stop_counts_in_a_trial() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..2
        work a
    to work a: number
      choose b from 1..3 where it > 2 * a or stop
      need b is 3 else "three"
    after work
      need a is 2 else "two"
    """

    assert play(rules).menu == ["2"]
