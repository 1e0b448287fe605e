"""Offers while several players act at once: each takes his own, in secret, before he has answered."""

from __future__ import annotations

import pytest
from at_once import begun, value

from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.checks.offers_in_branches import OffersInBranches
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator

BIDS = """
    each Player has
      money: number from 0 = 3, seen by owner
      owed:  number = 0, seen by players
      bids:  list of number = [], seen by owner
    each Loan has
      size: number
    each Player also has
      loans: cards of Loan, seen by owner
    the game has, seen by players
      pot:   number = 0
      king:  Player?
      debts: number = 0
    to play
      as players together
        bid
      let all = join(players each its.bids)
      show "{all}" to players
      as players
        choose last from 7..8
    to bid
      repeat 2 times
        choose amount from 0..my.money
        choose sure from [1, 2]
        add amount to my.bids
        add -amount to my.money
    during play
      may "Borrow" when my.owed < 2
        choose size from 1..2
        choose side from [5, 6]
        create Loan(size: size) into my.loans
        add size to my.money
        add 1 to my.owed
      may "Be king" when my.money > 0
        add -1 to my.money
        set king to me
      may "Owe openly" when my.money > 1
        add -1 to my.money
        add 1 to debts
    during bid
      may "Go home" when my.owed > 0 and my.bids is empty
        stop bid
    ranking
      most my.money
    """

OPEN = ("borrow", "owe_openly")


def labels(state: State, player: int) -> list[str]:
    """Return what a player can answer."""
    return [action.label for action in state.legal_actions(player)]


def test_an_offer_is_open_before_the_first_answer_of_each_transaction() -> None:
    state = begun(BIDS)

    assert labels(state, 1) == ["0", "1", "2", "3", "Borrow", "Owe openly"]
    state.apply_action("Borrow", 1)
    # While it is carried out no other is open, and after it they are again.
    assert labels(state, 1) == ["1", "2"]
    state.apply_action("2", 1)
    state.apply_action("5", 1)
    assert labels(state, 1) == ["0", "1", "2", "3", "4", "5", "Borrow", "Owe openly", "Go home"]
    state.apply_action("4", 1)
    assert labels(state, 1) == ["1", "2"], "something has been answered"
    state.apply_action("1", 1)
    assert labels(state, 1) == ["0", "1", "Borrow"], "the next pass is a transaction of its own"


def test_what_one_has_answered_closes_no_offer_of_another() -> None:
    state = begun(BIDS)

    state.apply_action("1", 0)
    state.apply_action("Borrow", 1)

    assert labels(state, 0) == ["1", "2"]
    assert labels(state, 1) == ["1", "2"]
    assert "Borrow" in labels(state, 2)
    state.apply_action("1", 0)
    assert "Borrow" in labels(state, 0) and "Borrow" not in labels(state, 1)


def test_nobody_learns_of_an_offer_before_all_are_done() -> None:
    state, other = begun(BIDS), begun(BIDS)

    for label in ("Borrow", "2", "5", "Owe openly", "Go home"):
        state.apply_action(label, 0)

    for player in (1, 2):
        assert state.information_state(player) == other.information_state(player)
        assert state.observation(player) == other.observation(player)
        assert state.legal_actions(player) == other.legal_actions(player)
    for player in (1, 2):
        for label in ("0", "1", "0", "1"):
            state.apply_action(label, player)
    assert state.store.fork is None
    assert value(state, "Player.owed", 0) == 1 and value(state, "debts") == 1
    assert "Borrow" in [action.label for action in state.offers()]


def test_what_only_one_may_do_is_closed_and_why_says_so() -> None:
    state = begun(BIDS)

    (reason,) = state.why("Be king", player=0).reasons
    assert reason.text == (
        "closed while several act at once: several players may change `king` at once"
    )
    for player in range(3):
        for label in ("0", "1", "0", "1"):
            state.apply_action(label, player)
    assert "Be king" in [action.label for action in state.legal_actions()]


def test_why_says_that_something_has_been_answered() -> None:
    state = begun(BIDS)
    state.apply_action("1", 2)

    (reason,) = state.why("Borrow", player=2).reasons
    assert "only before you have decided anything" in reason.text
    assert state.why("Borrow", player=1).possible


def test_an_offer_is_taken_back_piece_by_piece() -> None:
    state, untouched = begun(BIDS), begun(BIDS)
    untouched.apply_action("1", 0)
    state.apply_action("1", 0)
    for label in ("Borrow", "2", "5", "3"):
        state.apply_action(label, 1)
    assert labels(state, 1) == ["1", "2"]

    state.undo(1)
    assert "Borrow" in labels(state, 1)
    state.undo(1)
    assert labels(state, 1) == ["5", "6"]
    state.undo(1)
    assert labels(state, 1) == ["1", "2"]
    state.undo(1)

    assert state.store == untouched.store
    assert "Borrow" in labels(state, 1) and not state.can_undo(1)
    assert labels(state, 0) == ["1", "2"]


@pytest.mark.parametrize("taken", [(), ("Borrow",), ("Borrow", "2"), ("Borrow", "2", "6"), ("1",)])
def test_a_game_is_saved_in_the_middle_of_an_offer(taken: tuple[str, ...]) -> None:
    state = begun(BIDS)
    state.apply_action("1", 0)
    for label in taken:
        state.apply_action(label, 2)

    for other in (
        record.load(record.save(state), state.game),
        state.game.unpack(state.pack(log=True)),
        state.clone(),
    ):
        assert other.store == state.store
        for player in range(3):
            assert labels(other, player) == labels(state, player)
            assert other.information_state(player) == state.information_state(player)


def test_equal_states_are_equal_whoever_has_taken_his_offer_first() -> None:
    said = {0: ["Borrow", "1", "5", "2"], 1: ["2"], 2: ["Owe openly", "Borrow", "2", "6"]}
    orders = ([0, 0, 0, 0, 1, 2, 2, 2, 2], [2, 1, 2, 0, 0, 2, 0, 2, 0], [1, 2, 2, 2, 2, 0, 0, 0, 0])
    states = []
    for order in orders:
        state, left = begun(BIDS), {player: list(labels) for player, labels in said.items()}
        for player in order:
            state.apply_action(left[player].pop(0), player)
        states.append(state)

    one, *others = states
    for other in others:
        assert other.store == one.store and other.store.key() == one.store.key()


def test_whether_offers_are_open_is_part_of_the_position() -> None:
    rules = """
    each Player has
      money: number from 0 = 3, seen by owner
    to play
      as players together
        choose first from 1..2
        choose second from 3..4
    during play
      may "Pay" when my.money > 0
        add -1 to my.money
    """
    state = begun(rules)
    before = state.store.clone()
    state.apply_action("1", 1)

    assert state.store.fork is not None
    assert [branch.opened for branch in state.store.fork.branches[1:]] == [False, True]
    assert state.store != before and state.store.key() != before.key()


def test_of_two_that_get_into_each_others_way_both_are_closed() -> None:
    rules = """
    each Player has, seen by players
      money: number from 0 = 3
    the game has, seen by players
      pot: number = 0
    to play
      as players together
        choose first from 1..2
      pause
    during play
      may "Pay" when my.money > 0
        add -1 to my.money
        add 1 to pot
      may "Look" when pot > 0 and my.money > 1
        add -1 to my.money
      may "Waste" when my.money > 0
        add -1 to my.money
    """
    state = begun(rules)
    assert labels(state, 0) == ["1", "2", "Waste"]

    at_once = OffersInBranches(GameEffects(state.game.model))
    (fork,) = at_once.forks
    closed = at_once.closed(fork)
    assert sorted(closed) == ["offer:look", "offer:pay"]
    assert {problem.code.code for problem in closed.values()} == {"RW626"}


def test_a_random_player_takes_offers_there() -> None:
    state = begun(BIDS)
    asking = state.asking(1)
    assert asking is not None
    random = Generator(5)

    drawn = {repr(pick_random(state.game.program, asking, random)) for _ in range(200)}
    assert drawn == {"0", "1", "2", "3"} | {f"Taken(offer='offer:{one}')" for one in OPEN}
