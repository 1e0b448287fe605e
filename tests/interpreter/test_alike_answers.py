"""Of things that nobody can tell apart any may be named in an answer, in any order."""

import itertools
from collections.abc import Sequence

import pytest
from written import linked

from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.program.decisions import current
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.testing.verify import verify

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


@pytest.mark.parametrize("such", ["", " such that count(distinct(unwanted each its.name)) is 1"])
@pytest.mark.parametrize("named", list(itertools.permutations(range(4), 3))[::5], ids=str)
def test_alike_cards_may_be_named_one_after_the_other(named: Sequence[int], such: str) -> None:
    state = state_of(f"to throw\n  choose 3 unwanted from my.hand{such}\n  discard unwanted\n")
    cards = current(state.game.program, state.store).items

    for number in named:
        state.apply_value(cards[number])

    assert [card.name for card in zone(state, "hand")].count("stone") == 1


@pytest.mark.parametrize(
    "question",
    [
        "choose card from my.hand\n  discard card",
        "choose any unwanted from my.hand\n  discard unwanted",
        "choose 2 u from my.hand such that count(distinct(u each its.name)) is 2\n  discard u",
        "choose n from 1..2\n  discard first(n, my.hand)",
        'may "Throw"\n    discard my.hand',
        'either "One"\n    discard first(1, my.hand)\n  or "Two"\n    discard first(2, my.hand)',
    ],
)
def test_what_does_not_stand_to_choice_is_no_answer(question: str) -> None:
    state = state_of(f"to throw\n  {question}\n")
    before, layout = state.pack(log=True), state.store.layout
    (elsewhere,) = [
        card
        for card in layout.things["Card"]
        if card.name == "wood" and card not in zone(state, "hand")
    ]

    for value in (elsewhere, layout.players[1], 99, -1, None, "stone", (1, 2), [1]):
        with pytest.raises(IllegalActionError):
            state.apply_value(value)

    assert state.pack(log=True) == before


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


def test_a_name_in_an_answer_is_any_copy_that_fits() -> None:
    game = linked(
        CARDS,
        """
        each Card also has, seen by players
          used: flag = no
          got: number = 0
        to throw
          choose card from my.hand
          need not card.used else "it is used"
          discard card
        to throw_two
          choose 2 unwanted from my.hand such that (every one in unwanted has not one.used)
          discard unwanted
        to lay card: Card
          need card in my.hand and not card.used else "it cannot be laid"
          move card to my.laid
        to act
          choose action from my.hand each lay(it)
          do action
        to share
          choose split parts of 3 over my.hand where not its.used
          for each card in my.hand
            add parts[card] to card.got
        example "the second copy"
          players ann, ben
          given ann.hand holds 4 Card where its.name is "stone", Card("wood")
          given first(ann.hand).used is yes
          do ann: throw, card = Card("stone")
          do ann: throw_two, unwanted = [Card("wood"), Card("stone")]
          do ann: act, action = lay(Card("stone"))
          expect count(ann.hand) is 1 and count(ann.laid) is 1
          refuse ann: throw, card = Card("stone")
          refuse ann: lay(Card("stone"))
        example "of what it is about"
          players ann, ben
          given ann.hand holds 3 Card where its.name is "stone"
          given first(ann.hand).used is yes
          do ann: share, parts = [Card("stone"): 1, Card("stone"): 2]
          do ann: lay(Card("stone"))
          expect sum(Card each its.got) is 3 and first(ann.hand).got is 0
        """,
        THROW,
    )

    assert [item.one_line() for item in verify(game) if item.severity.value == "error"] == []
