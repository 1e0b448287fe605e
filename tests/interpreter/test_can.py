"""`can` is the look-ahead as a value: whether a verb could be carried out now."""

from small_games import play

from rulewright.interpreter import lookahead

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

    assert lookahead.can_begin(program, store, pay, (2,), table.seat("ann")) == (True, ())
    possible, reasons = lookahead.can_begin(program, store, pay, (4,), table.seat("ann"))
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
