"""Things move, fields are set, and zones and fields swap."""

import pytest
from written import begun, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.state.errors import PlayError

CARDS = """
each Card has
  rank: number
table Card for each rank in 1..4
each Player has
  hand: cards of Card, seen by owner
  points: number = 0, seen by players
the game has, seen by players
  heap: pile of Card = Card
  lane: row of Card
  spot: slot of Card
  log: list of number = []
  level: number in 0..5 = 2
  per: number per Player = 0
"""


def test_moved_things_keep_their_order_and_the_last_lies_on_top() -> None:
    table = played(CARDS, "to play\n  move top(2, heap) to lane\n  move heap to lane\n")

    assert [card[-2] for card in table.at("lane")] == ["4", "3", "1", "2"]
    assert table.at("heap") == []


def test_a_thing_leaves_wherever_it_was() -> None:
    rules = """
    to play
      move first(heap) to players[0].hand
      move Card where its.rank is 1 to lane
      for each card in Card
        if card.lies_at is none
          add card.rank to log
    """
    table = played(CARDS, rules)

    assert table.at("Player.hand", "ann") == []
    assert len(table.at("lane")) == 1
    assert table.at("log") == [1, 2, 3, 4]


def test_the_owner_is_the_last_player_in_whose_zone_it_lay() -> None:
    rules = """
    to play
      move first(heap) to players[1].hand
      move players[1].hand to lane
      for each card in lane
        if card.owner is players[1] and card.lies_at is none
          add 7 to log
      if first(heap).owner is none
        add 8 to log
    """

    assert played(CARDS, rules).at("log") == [7, 8]


def test_a_full_slot_is_a_rules_error() -> None:
    rules = "to play\n  move first(heap) to spot\n  move first(heap) to spot\n"
    with pytest.raises(PlayError) as caught:
        played(CARDS, rules)

    assert caught.value.code == "RW708"


def test_leaving_a_range_is_a_rules_error() -> None:
    table = begun(CARDS, "to play\n  add 3 to level\n  add 1 to level\n")
    with pytest.raises(PlayError) as caught:
        executor.advance(table.program, table.store)

    assert caught.value.code == "RW707"
    assert table.at("level") == 5


def test_nothing_on_top_is_a_rules_error_in_a_move() -> None:
    with pytest.raises(PlayError) as caught:
        played(CARDS, "to play\n  move heap to lane\n  move top(heap) to lane\n")

    assert caught.value.code == "RW706"


def test_a_family_is_set_as_a_whole_or_by_entry() -> None:
    rules = """
    to play
      set per to 4
      add 2 to per[players[1]]
    """

    assert played(CARDS, rules).at("per") == [4, 6]


def test_lists_take_elements_and_lists_and_lose_the_first_equal_one() -> None:
    rules = """
    to play
      add 1 to log
      add [2, 1] to log
      remove 1 from log
      remove 5 from log
    """

    assert played(CARDS, rules).at("log") == [2, 1]


def test_swap_exchanges_fields_and_zones() -> None:
    rules = """
    to play
      set players[0].points to 3
      swap players[0].points with players[1].points
      swap players[1].points with players[1].points
      move top(heap) to lane
      swap heap with lane
      move lane to players[0].hand
    """
    table = played(CARDS, rules)

    assert [table.at("Player.points", name) for name in ("ann", "ben")] == [0, 3]
    assert len(table.at("heap")) == 1
    assert len(table.at("Player.hand", "ann")) == 3
