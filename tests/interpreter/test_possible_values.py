"""What is guessed of a running verb where no random game has shown it: what the rules could write there."""

import attrs
import pytest
from small_games import deck
from written import played

from rulewright.interpreter.knowledge import guessed_locals, guesses
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

pytestmark = pytest.mark.quick

RULES = (
    deck(3)
    + """
each Player has
  hand: cards of Card, seen by owner
  mine: number = 2, seen by owner
to play
  shuffle cards.pile
  move top(cards.pile) to players[0].hand
  move top(cards.pile) to players[0].hand
  as players[0]
    {steps}
to ask_others
  as others(me)
    choose sign from 1..2
  set my.mine to my.mine
to tell n: number
  ask_others
  set my.mine to n
define others(p: Player) = players where it is not p
"""
)


def guessed(monkeypatch: pytest.MonkeyPatch, *steps: str) -> list[tuple[Store, Frame]]:
    """Return what the second player takes to be possible when he is asked, with the verb of the first."""
    table = played(RULES.format(steps="\n    ".join(steps)), players=2)
    player = table.program.layout.players[1]
    while table.program.op(table.store.frames[-1]).unit != "ask_others":
        table.say(table.menu[-1])
    nothing = attrs.evolve(guesses.met(table.program), stacks=())
    monkeypatch.setattr(guessed_locals, "met", lambda program: nothing)
    knowledge = Knowledge(table.program, table.store, player)
    drawn = [knowledge.sample(Generator(seed)) for seed in range(16)]
    return [(store, store.frames[-2]) for store in drawn]


def test_a_number_is_one_that_stands_to_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    found = guessed(monkeypatch, "choose n from 2..4", "ask_others", "set my.mine to n")

    assert {frame.locals["n"] for _, frame in found} == {2, 3, 4}


def test_a_card_is_one_that_whoever_chose_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = guessed(
        monkeypatch, "choose card from my.hand", "ask_others", "move card to cards.pile"
    )

    hands = [store.columns[store.layout.slots["Player.hand"]][0] for store, _ in found]
    held = [frame.locals["card"] for _, frame in found]
    assert all(card in hand for card, hand in zip(held, hands, strict=True))
    assert len(set(held)) == 3


def test_several_cards_are_as_many_as_could_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    found = guessed(
        monkeypatch, "choose any kept from my.hand", "ask_others", "move kept to cards.pile"
    )

    hands = [store.columns[store.layout.slots["Player.hand"]][0] for store, _ in found]
    held = [frame.locals["kept"] for _, frame in found]
    assert all(set(cards) <= set(hand) for cards, hand in zip(held, hands, strict=True))
    assert {len(cards) for cards in held} == {0, 1, 2}


@pytest.mark.parametrize(("source", "count"), [("random(1, my.hand)", 1), ("shuffled(my.hand)", 2)])
def test_what_chance_gave_is_of_what_it_could_give(
    monkeypatch: pytest.MonkeyPatch, source: str, count: int
) -> None:
    found = guessed(monkeypatch, f"let drawn = {source}", "ask_others", "move drawn to cards.pile")

    for store, frame in found:
        hand = store.columns[store.layout.slots["Player.hand"]][0]
        assert set(frame.locals["drawn"]) <= set(hand) and len(frame.locals["drawn"]) == count


def test_a_loop_goes_on_in_what_it_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    found = guessed(
        monkeypatch, "for each card in my.hand", "  ask_others", "  set my.mine to card.rank"
    )

    for store, frame in found:
        items, passed = next(
            held for held in frame.locals.values() if isinstance(held, tuple) and len(held) == 2
        )
        assert set(items) == set(store.columns[store.layout.slots["Player.hand"]][0])
        assert items[passed - 1] is frame.locals["card"]


def test_a_verb_holds_what_its_caller_hands_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table_rules = ("choose n from 2..4", "tell n", "set my.mine to n")
    found = guessed(monkeypatch, *table_rules)

    assert all(frame.locals["n"] == store.frames[-3].locals["n"] for store, frame in found)
    assert len({frame.locals["n"] for _, frame in found}) == 3


@pytest.mark.parametrize("seed", range(4))
def test_what_was_chosen_in_another_game_stood_to_choice_here(seed: int) -> None:
    rules = RULES.replace("mine: number = 2, seen by owner", "purse: number = 0, seen by players")
    rules = rules.replace("set my.mine to my.mine", "nothing")
    rules = rules.replace("set my.mine to n", "set my.purse to n")
    steps = ("set my.purse to random([1, 90])", "choose n from 0..my.purse", "ask_others")
    table = played(
        rules.format(steps="\n    ".join((*steps, "add n to my.purse"))), players=2, seed=seed
    )
    table.say(table.menu[0])
    program, player = table.program, table.program.layout.players[1]
    most = table.at("Player.purse", "ann")

    knowledge = Knowledge(program, table.store, player)
    drawn = [knowledge.sample(Generator(number)) for number in range(16)]

    assert all(store.frames[0].locals["n"] <= most for store in drawn)
    assert len({store.frames[0].locals["n"] for store in drawn}) > 1


def test_what_another_game_brings_fits_what_is_here() -> None:
    rules = RULES.replace(
        "to play\n", "the game has\n  shop: cards of Card, seen by players\nto play\n"
    )
    rules = rules.format(
        steps="""move my.hand to shop
    may "Only one"
      set my.mine to 1
    give shop"""
    )
    rules += """
to give those: list of Card
  if my.mine is 1
    for each card in those where its.rank > 1
      count_up card
  else
    for each card in those
      count_up card
to count_up found: Card
  ask_others
  set my.mine to found.rank
"""
    for answer in (0, 1):
        table = played(rules, players=2)
        table.say(table.menu[answer])
        program, player = table.program, table.program.layout.players[1]
        knowledge = Knowledge(program, table.store, player)
        assert knowledge.unknown.clouded
        there = set(table.store.columns[program.layout.slots["shop"]][0])
        places = set()
        for seed in range(16):
            _, give, counted, _ = knowledge.sample(Generator(seed)).frames
            name, (items, passed) = next(
                one for one in give.locals.items() if one[0].startswith("#")
            )
            places.add(name)
            # One loop goes through all of them, the other one through those that are not of rank 1.
            assert set(give.locals["those"]) == there
            assert set(items) in (there, {card for card in there if card.number > 0})
            assert give.locals["card"] is counted.locals["found"] is items[passed - 1]
        assert len(places) == 2


def test_whatever_may_have_written_it_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    high = ('either "High"', "  set my.mine to 1", "  let n = 1")
    low = ('or "Low"', "  set my.mine to 2", "  let n = 2")
    found = guessed(monkeypatch, *high, *low, "ask_others", "set my.mine to n")

    assert {frame.locals["n"] for _, frame in found} == {1, 2}
