"""Chance may be dictated, drawn or asked for, and shuffled piles are bags until somebody looks."""

import pytest
from small_games import LOG, log
from written import loaded, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.state.errors import IllegalActionError

# ---------------------------------------------------------------------------------- rolls and draws


def test_dictated_outcomes_come_in_their_order() -> None:
    rules = """
    to play
      set log to roll(2, 6)
      add random([30, 40]) to log
      add random(2, [50, 60, 70]) to log
      add shuffled([1, 2]) to log
    """
    table = played(LOG, rules, chance=(6, 5, 40, 70, 50, 2))

    assert table.at("log") == [6, 5, 40, 70, 50, 2, 1]
    assert table.store.dictated == ()


def test_an_outcome_that_cannot_come_is_refused() -> None:
    with pytest.raises(IllegalActionError):
        played(LOG, "to play\n  set log to roll(2, 6)\n", chance=(7,))


def test_explicit_chance_stops_at_each_draw() -> None:
    table = played(LOG, "to play\n  set log to random(2, [1, 2, 3])\n", explicit=True)

    assert table.asked == ""
    assert executor.chance_outcomes(table.program, table.store) == (1, 2, 3)
    executor.answer_chance(table.program, table.store, 2)
    assert executor.chance_outcomes(table.program, table.store) == (1, 3)
    executor.answer_chance(table.program, table.store, 3)
    assert table.over
    assert table.at("log") == [2, 3]


def test_random_of_nothing_is_none() -> None:
    rules = """
    to play
      let x = random(players where count(log) > 0)
      if x is none
        add 1 to log
      let few = random(3, [5])
      for each n in few
        add n to log
    """

    assert log(rules) == [1, 5]


def test_same_seed_same_game() -> None:
    rules = "to play\n  set log to roll(20, 6)\n"

    assert log(rules, seed=3) == log(rules, seed=3)
    assert log(rules, seed=3) != log(rules, seed=4)


# ----------------------------------------------------------------------------------- shuffled piles


IDLE = "to play\n  nothing\n"

BAG = """
each Card has
  rank: number
table Card for each rank in 1..5
the game has
  deck: pile of Card = Card, seen by []
  open: row of Card, seen by players
  kept: pile of Card, seen by []
"""


def ranks(table: object, field: str) -> list[int]:
    """Return the ranks of the cards in a zone."""
    store, layout = table.store, table.program.layout  # type: ignore[attr-defined]
    printed = layout.printed[layout.slots["Card.rank"]]
    return [printed[card.number] for card in store.columns[layout.slots[field]][0]]


def test_a_shuffled_pile_is_decided_when_somebody_looks() -> None:
    rules = "to play\n  shuffle deck\n  move top(2, deck) to open\n"
    table = played(BAG, rules, explicit=True)
    program, store = table.program, table.store

    assert len(executor.chance_outcomes(program, store)) == 5
    card = executor.chance_outcomes(program, store)[2]
    executor.answer_chance(program, store, card)
    assert card not in executor.chance_outcomes(program, store)
    executor.answer_chance(program, store, executor.chance_outcomes(program, store)[0])
    assert table.over
    assert ranks(table, "open") == [3, 1]
    assert ranks(table, "deck") == [2, 4, 5]


def test_what_is_put_onto_a_bag_lies_decided_on_top() -> None:
    rules = """
    to play
      shuffle deck
      move top(deck) to open
      move open to deck
      move top(deck) to open
    """
    first = loaded(BAG, IDLE).layout.things["Card"][3]
    table = played(BAG, rules, chance=(first,))

    assert ranks(table, "open") == [4]


def test_a_whole_bag_stays_a_bag_in_an_empty_pile() -> None:
    rules = "to play\n  shuffle deck\n  move deck to kept\n  move top(kept) to open\n"
    card = loaded(BAG, IDLE).layout.things["Card"][1]
    table = played(BAG, rules, chance=(card,))

    assert ranks(table, "open") == [2]
    assert len(ranks(table, "kept")) == 4


def test_a_card_taken_out_of_a_bag_makes_it_smaller() -> None:
    rules = """
    to play
      shuffle deck
      move Card where its.rank is 2 to open
      move deck to open
    """
    cards = loaded(BAG, IDLE).layout.things["Card"]
    table = played(BAG, rules, chance=(cards[4], cards[0], cards[2]))

    # Decided from the top: 5, then 1, then 3; the last lies on top.
    assert ranks(table, "open") == [2, 4, 3, 1, 5]


def test_every_order_of_a_bag_can_come() -> None:
    orders = {
        tuple(ranks(played(BAG, "to play\n  shuffle deck\n  move deck to open\n", seed=n), "open"))
        for n in range(60)
    }

    assert len(orders) > 30


def test_a_row_is_shuffled_at_once() -> None:
    rules = "to play\n  move deck to open\n  shuffle open\n"
    cards = loaded(BAG, IDLE).layout.things["Card"]
    table = played(BAG, rules, chance=(cards[4], cards[0], cards[2], cards[1]))

    assert ranks(table, "open") == [5, 1, 3, 2, 4]
