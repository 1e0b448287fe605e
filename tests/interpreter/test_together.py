"""Several players at once: each acts for himself, nobody learns of the others, and in the end all of
it is put together, whoever has answered first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from at_once import begun, value

from rulewright.interpreter.play import record, save_format
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.errors import IllegalActionError, InvalidActionError, RecordError

BIDS = """
    each Player has
      money:  number from 0 = 5, seen by players
      sealed: number = 0, seen by owner
      gifts:  number = 0, seen by players
      givers: list of Player = [], seen by players
    the game has, seen by players
      pot:    number = 0
      richer: number = 0
    to play
      as players together
        bid
      add 100 to pot
      as players together
        choose last from 1..2
    to bid
      choose amount from 0..my.money
      set my.sealed to amount
      add -amount to my.money
      add amount to pot
      if amount > 2
        choose rival from players without [me]
        add 1 to rival.gifts
        add me to rival.givers
    as soon as pot > 5
      add 1 to richer
    ranking
      most my.money
    """


def answer(state: State, order: Sequence[int], labels: dict[int, list[str]]) -> None:
    """Let each player give his next answer when it is his turn in the order."""
    left = {player: list(said) for player, said in labels.items()}
    for player in order:
        state.apply_action(left[player].pop(0), player)


# ------------------------------------------------------------------------------------- who is asked


def test_all_are_asked_at_once_and_each_his_own_question() -> None:
    state = begun(BIDS)

    assert state.current_players() == (0, 1, 2)
    for player in range(3):
        asked = state.decision(player)
        assert asked is not None and asked.player == player
        assert [action.label for action in state.legal_actions(player)] == list("012345")

    state.apply_action("3", 1)

    assert state.prompt(1) == "Choose rival"
    assert [action.label for action in state.legal_actions(1)] == ["ann", "cem"]
    assert state.prompt(0) == state.prompt(2) == "Choose amount"


def test_who_is_meant_must_be_said() -> None:
    state = begun(BIDS)

    for ask in (state.decision, state.legal_actions, lambda: state.apply_action("1")):
        with pytest.raises(InvalidActionError, match=r"at once \(ann, ben, cem\)"):
            ask()
    state.apply_action("1", 0)
    state.apply_action("1", 1)

    assert state.legal_actions(0) == () and state.decision(0) is None
    with pytest.raises(IllegalActionError, match="player 0 has nothing to decide now"):
        state.apply_action("1", 0)

    state.apply_action("1")

    assert state.current_players() == (0, 1, 2)
    assert value(state, "pot") == 103


def test_several_can_be_answered_for_at_once_or_not_at_all() -> None:
    state = begun(BIDS)
    before = state.clone()

    with pytest.raises(InvalidActionError):
        state.apply_actions({0: "1", 1: "2", 2: "seven"})

    assert state.store == before.store and state.history() == ()
    state.apply_actions({2: "2", 0: "0", 1: "1"})
    assert [one.player for one in state.history()] == [0, 1, 2]
    assert value(state, "pot") == 103
    with pytest.raises(IllegalActionError, match="player 7"):
        state.apply_actions({7: "1"})


# ------------------------------------------------------------------------------------ what comes of it


SAID = {0: ["3", "ben"], 1: ["4", "ann"], 2: ["5", "ben"]}


def test_the_order_of_the_answers_makes_no_difference() -> None:
    orders = set(itertools.permutations([0, 0, 1, 1, 2, 2]))
    states = []
    for order in sorted(orders):
        state = begun(BIDS)
        answer(state, order, SAID)
        states.append(state)

    first = states[0]
    for state in states:
        assert state.store == first.store
        assert state.store.key() == first.store.key()
        assert list(state.store.events()) == list(first.store.events())
        for player in range(3):
            assert state.information_state(player) == first.information_state(player)
            assert state.observation(player) == first.observation(player)
    assert value(first, "pot") == 112
    assert [value(first, "Player.gifts", player) for player in range(3)] == [1, 2, 0]
    givers = value(first, "Player.givers", 1)
    assert [one.name for one in givers] == ["ann", "cem"]  # type: ignore[attr-defined]


def test_in_the_middle_too_equal_states_are_equal() -> None:
    one, other = begun(BIDS), begun(BIDS)
    answer(one, [2, 0, 0, 1], SAID)
    answer(other, [0, 1, 0, 2], SAID)

    assert one.store == other.store
    assert one.store.key() == other.store.key()
    one.apply_action("ann", 1)
    assert one.store != other.store and one.store.key() != other.store.key()


def test_a_state_does_not_say_who_has_answered_first_where_offers_are_made() -> None:
    rules = """
    each Player has, seen by players
      money: number from 0 = 5
    to play
      as players
        choose first from 1..2
      as players together
        repeat 2 times
          choose amount from 1..3
          add amount to my.money
    during play
      may "Pay" when my.money > 0
        add -1 to my.money
    """
    said = {player: ["1", "2", "3"] for player in range(3)}
    one, other = begun(rules), begun(rules)
    answer(one, [0, 1, 2, 0, 1], said)
    answer(other, [0, 1, 2, 1, 0], said)
    assert one.current_players() == (0, 1, 2)

    for state in (other, record.load(record.save(one), one.game)):
        assert state.store == one.store


def test_nobody_sees_anything_of_the_others() -> None:
    state = begun(BIDS)
    seen = [state.observation(player) for player in range(3)]
    known = [state.information_state(player) for player in range(3)]
    asked = [state.legal_actions(player) for player in range(3)]

    answer(state, [1, 2, 2], SAID)

    assert state.observation(0) == seen[0]
    assert state.information_state(0) == known[0]
    assert state.legal_actions(0) == asked[0]
    assert state.observation(1) != seen[1]
    # Also who is done already is not known.
    assert state.current_players() == (0, 1)
    assert state.observation(1)["waiting for"] == ["ann", "ben", "cem"]
    assert state.observation(2)["waiting for"] == ["ann", "ben"]
    assert state.observation(2)["players"]["cem"]["money"] == 0
    assert state.observation(1)["players"]["cem"]["money"] == 5


def test_what_one_knows_only_grows() -> None:
    state = begun(BIDS)
    answers = {player: list(said) for player, said in SAID.items()}
    known = {player: state.information_state(player) for player in range(3)}
    for player in (1, 2, 1, 0, 2, 0):
        state.apply_action(answers[player].pop(0), player)
        for seat, before in known.items():
            now = state.information_state(seat)
            assert now[: len(before)] == before
            known[seat] = now
    # After the join everybody knows what everybody has added to the pot.
    for seat in range(3):
        told = [one for one in known[seat] if one.get("place") == "pot"]
        assert sorted(one["value"] for one in told) == [3, 4, 5, 100]


def test_conditions_are_looked_at_when_all_is_joined() -> None:
    state = begun(BIDS)
    answer(state, [0, 0, 1, 1], SAID)
    assert value(state, "richer") == 0

    answer(state, [2, 2], {2: ["5", "ben"]})

    assert value(state, "richer") == 1


def test_a_game_is_saved_in_the_middle() -> None:
    state = begun(BIDS)
    answer(state, [2, 1, 2], SAID)

    loaded = record.load(record.save(state), state.game)
    unpacked = state.game.unpack(state.pack(log=True))

    for other in (loaded, unpacked):
        assert other.store == state.store
        assert other.current_players() == state.current_players()
        for player in range(3):
            assert other.information_state(player) == state.information_state(player)
        other.apply_action("ann", 1)
        answer(other, [0, 0], SAID)
        assert value(other, "pot") == 112


def test_a_save_that_says_what_cannot_be_is_refused() -> None:
    state = begun(BIDS)
    answer(state, [2, 1], SAID)

    for spoil in (
        lambda saved: saved.branches.clear(),
        lambda saved: saved.branches.pop("Player:1"),
        lambda saved: saved.branches["Player:2"].pop(),
        lambda saved: saved.branches["Player:2"].append(saved.branches["Player:2"][0]),
        lambda saved: saved.branches.update({"Player:9": []}),
        lambda saved: saved.answers.pop(),
        lambda saved: saved.answers.reverse(),
        lambda saved: saved.answers.append(saved.answers[0]),
        lambda saved: saved.events.append(saved.branches["Player:2"][0]),
    ):
        saved = save_format.read(record.save(state))
        spoil(saved)
        assert saved != save_format.read(record.save(state))
        if saved.answers[0].player == state.history()[-1].player and len(saved.answers) == 2:
            # They act at once: the order in which they have answered does not count.
            assert record.restore(saved, state.game).store == state.store
            continue
        with pytest.raises(RecordError):
            record.restore(saved, state.game)


def test_everybody_may_take_back_his_own_answers_until_all_are_done() -> None:
    state, untouched = begun(BIDS), begun(BIDS)
    answer(state, [0, 1, 2, 0], SAID)
    answer(untouched, [1, 2], SAID)
    known = state.information_state(1)

    assert not state.can_undo(), "nobody is named"
    with pytest.raises(InvalidActionError, match="say whose"):
        state.undo()
    # He is done already, and takes both back.
    assert state.current_players() == (1, 2)
    state.undo(0)
    assert state.prompt(0) == "Choose rival"
    copy = state.clone()
    state.undo(0)

    assert not state.can_undo(0) and state.can_undo(1) and copy.can_undo(0)
    assert state.store == untouched.store
    assert [one.player for one in state.history()] == [1, 2]
    assert state.information_state(1) == known
    assert state.information_state(0) == untouched.information_state(0)
    with pytest.raises(IllegalActionError, match="somebody has learned"):
        state.undo(0)

    answer(state, [0, 0], SAID)
    answer(state, [1, 2], {1: ["ann"], 2: ["ben"]})
    assert value(state, "pot") == 112
    assert not any(state.can_undo(player) for player in range(3))


def test_what_has_shown_something_is_not_taken_back() -> None:
    rules = """
    each Card has
      number: number
    table Card for each number in 1..9
    each Player has
      own:  pile of Card, seen by []
      hand: cards of Card, seen by owner
      row_: row of Card, seen by players
    the game has
      pile: pile of Card = Card, seen by []
    to play
      shuffle pile
      as players
        move top(3, pile) to my.own
      as players together
        choose n from 1..2
        repeat 2 times
          choose m from 1..2
        move top(my.own) to my.hand
        choose o from 1..2
        show "done" to me
        choose p from 1..2
        if top(my.own).number > 4
          nothing
        choose q from 1..2
        choose r from 1..2
    """
    state = begun(rules, players=2)
    can = []
    for _ in range(7):
        state.apply_action("1", 1)
        can.append(state.can_undo(1))

    # A loop ends a transaction and shows nothing; cards and texts do, and so does a hidden card.
    assert can == [True, True, False, False, False, True, True]
    state.undo(1)
    state.undo(1)
    assert not state.can_undo(1)
    assert [one.site for one in state.history()][-1] == "play.p"
