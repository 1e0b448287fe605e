"""Of things that nobody can tell apart any may be named in an answer, in any order."""

import itertools
from collections.abc import Sequence

import pytest
from written import linked

from rulewright.interpreter.engine import State, game_of
from rulewright.interpreter.values import Thing
from rulewright.interpreter.verify import verify

CARDS = """
use deck(Card) as cards
each Card has
  name: text
table Card
  | copies | name  |
  | 4      | stone |
  | 3      | wood  |
each Player has
  hand: cards of Card, seen by owner
  laid: row of Card, seen by players
"""
THROW = """
to play
  move Card where its.name is "stone" to players[0].hand
  move first(2, Card where its.name is "wood") to players[0].hand
  as players[0]
    throw
    choose n from 1..2
ranking
  most count(my.hand)
"""


def state_of(*rules: str) -> State:
    return game_of(linked(CARDS, *rules, THROW), 2).new_initial_state(seed=1)


def zone(state: State, name: str) -> list[Thing]:
    """Return what lies in a zone of the first player."""
    layout = state.store.layout
    (slot,) = (slot for slot, field in layout.fields.items() if field.name == name)
    return list(state.store.columns[slot][0])


@pytest.mark.parametrize("named", list(itertools.permutations(range(4), 3)), ids=str)
def test_alike_cards_may_be_named_in_any_way(named: Sequence[int]) -> None:
    state = state_of("to throw\n  choose 3 unwanted from my.hand\n  discard unwanted\n")

    state.answer_whole(list(named))

    assert [card.name for card in zone(state, "hand")].count("stone") == 1


@pytest.mark.parametrize("named", list(itertools.permutations(range(6), 3))[::7], ids=str)
def test_what_is_named_is_what_is_thrown(named: Sequence[int]) -> None:
    state = state_of("to throw\n  choose any unwanted from my.hand\n  discard unwanted\n")
    before = zone(state, "hand")
    wanted = sorted(before[place].name for place in named)

    state.answer_whole(list(named))

    left = [card.name for card in zone(state, "hand")]
    assert sorted(left + wanted) == sorted(card.name for card in before)


@pytest.mark.parametrize("named", list(itertools.permutations(range(6)))[::53], ids=str)
def test_the_order_of_an_ordered_choice_is_kept(named: Sequence[int]) -> None:
    state = state_of(
        "to throw\n  choose ordered sorted_hand from my.hand\n  move sorted_hand to my.laid\n"
    )
    before = zone(state, "hand")

    state.answer_whole(list(named))

    assert [card.name for card in zone(state, "laid")] == [before[one].name for one in named]


def test_examples_name_copies_by_their_name() -> None:
    game = linked(
        CARDS,
        """
        to throw
          choose 3 unwanted from my.hand
          discard unwanted
        to lay
          choose card from my.hand
          move card to my.laid
        example "by names"
          players ann, ben
          given ben.hand holds 2 Card where its.name is "stone", Card("wood")
          given ann.hand holds 2 Card where its.name is "stone", 2 Card where its.name is "wood"
          refuse ann: throw, unwanted = [Card("stone"), Card("stone"), Card("stone")]
          do ann: throw, unwanted = [Card("stone"), Card("wood"), Card("stone")]
          expect count(ann.hand) is 1
          do ann: lay, card = Card("wood")
          expect count(ann.laid) is 1
        """,
        THROW,
    )

    assert [item.one_line() for item in verify(game) if item.severity.value == "error"] == []
