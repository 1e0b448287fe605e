"""In which order tables, options and start values are written makes no difference."""

import itertools

import pytest
from written import linked, played

from rulewright.interpreter.engine.load import load_program

PLAY = """
to play
  as players
    choose n from 1..2
ranking
  most 1
"""


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_product_has_all_rows_whatever_comes_first(order: tuple[int, ...]) -> None:
    squares = """
each Square has
  board: Board
  place: number
table Square for each board in Board where its.x < 3, place in 1..9
"""
    boards = """
each Board has
  x, y: number
table Board for each x in 1..first(Weight).n, y in 1..3
"""
    weights = "each Weight has\n  n: number\ntable Weight\n  | n |\n  | 3 |\n"
    parts = (squares, boards, weights)

    layout = load_program(linked(*(parts[one] for one in order), PLAY), 2).layout

    assert len(layout.things["Board"]) == 9
    assert len(layout.things["Square"]) == 6 * 9


@pytest.mark.parametrize("late", [False, True])
def test_an_option_may_depend_on_tables_and_tables_on_options(late: bool) -> None:
    option = 'option size: number in 1..sum(Coin each its.worth) = count(Coin) "How wide?"\n'
    board = "each Board has\n  x: number\ntable Board for each x in 1..size\n"
    coins = "each Coin has\n  worth: number\ntable Coin\n  | worth |\n  | 1 |\n  | 2 |\n"
    parts = (option, board, coins) if late else (coins, option, board)

    program = load_program(linked(*parts, PLAY), 2)
    chosen = load_program(linked(*parts, PLAY), 2, {"size": 3})

    assert len(program.layout.things["Board"]) == 2
    assert len(chosen.layout.things["Board"]) == 3


def test_start_values_may_read_what_is_declared_later() -> None:
    table = played(
        """
        each Player has, seen by players
          limit: number = my.half + all
          half: number = all / 2
        each Card has
          n: number
        table Card for each n in 1..4
        the game has, seen by players
          all: number = count(pile)
          large: row of Card = pile where its.n > 4
          pile: row of Card = Card
        to play
          as players
            choose n from 1..my.limit
        """
    )

    assert table.menu == [str(n) for n in range(1, 7)]
