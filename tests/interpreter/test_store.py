"""A store is copied, compared, undone and kept in order without surprises."""

import pytest
from handmade import played

from rulewright.interpreter.state.errors import Horizon
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import DECISIONS, EVENTS, RANDOM, SCALARS
from rulewright.interpreter.state.log import NOBODY, Event

ONE, TWO = Event("end", None, (1,), NOBODY), Event("end", None, (2,), NOBODY)


def test_a_write_is_seen_and_undone() -> None:
    game = played()
    place = game.place("Player.coins", game.ben)
    game.store.trail = []

    game.store.write(place.slot, place.index, 7)
    mark = len(game.store.trail)
    game.store.write(place.slot, place.index, 8)
    game.store.undo_to(mark)

    assert game.store.columns[place.slot] == [3, 7]
    game.store.undo_to(0)
    assert game.store.columns[place.slot] == [3, 3]


def test_a_copy_goes_its_own_way() -> None:
    game = played()
    game.store.frames.append(Frame("play", 3, {"x": 1}, game.ann))
    game.store.append_event(ONE)
    copy = game.store.clone()
    assert copy == game.store
    assert copy.key() == game.store.key()

    place = game.place("Player.coins", game.ann)
    copy.write(place.slot, place.index, 9)
    copy.frames[0].locals["x"] = 2
    copy.append_event(TWO)

    assert game.store.columns[place.slot] == [3, 3]
    assert game.store.frames[0].locals == {"x": 1}
    assert list(game.store.events()) == [ONE]
    assert list(copy.events()) == [ONE, TWO]
    assert copy != game.store
    assert copy.key() != game.store.key()


@pytest.mark.parametrize("scalar", [RANDOM, DECISIONS, EVENTS])
def test_the_key_leaves_out_how_it_came_about(scalar: int) -> None:
    game = played()
    key = game.store.key()

    game.store.columns[SCALARS][scalar] = 99

    assert game.store.key() == key


def test_the_key_ignores_the_order_where_there_is_none() -> None:
    one, other = played(), played()
    one.lay("table_cards", one.card(0), one.card(5))
    other.evaluator, other.scoring = one.evaluator, one.scoring
    other.store = one.store.clone()
    place = one.place("table_cards")
    other.store.write(place.slot, 0, (one.card(5), one.card(0)))

    assert other.store != one.store
    assert other.store.key() == one.store.key()


def test_the_key_keeps_the_order_of_a_row() -> None:
    game = played()
    game.lay("Player.tableau", game.card(0), game.card(5), holder=game.ann)
    copy = game.store.clone()
    place = game.place("Player.tableau", game.ann)

    copy.write(place.slot, place.index, (game.card(5), game.card(0)))

    assert copy.key() != game.store.key()


def test_frames_and_transaction_count() -> None:
    game = played()
    copy = game.store.clone()
    copy.transaction = (0, 1, -1)
    assert copy != game.store

    copy.transaction = None
    copy.frames = [Frame("play", 0, {}, None)]
    assert copy != game.store
    assert copy.key() != game.store.key()


def test_no_event_is_noted_in_a_trial() -> None:
    game = played()
    game.store.trail = []

    game.store.append_event(ONE)

    assert list(game.store.events()) == []
    assert game.store.count_events() == 0


def test_shuffled_piles_are_bags() -> None:
    game = played()
    game.lay("deck", game.card(5), game.card(1), game.card(3))
    slot = game.place("deck").slot

    game.store.to_bag(slot, 0)

    assert game.store.undecided(slot, 0) == (game.card(1), game.card(3), game.card(5))


def test_a_decided_card_lies_on_top_of_the_undecided_ones() -> None:
    game = played()
    game.lay("deck", *(game.card(i) for i in range(4)))
    slot = game.place("deck").slot
    game.store.to_bag(slot, 0)

    game.store.decide(slot, 0, game.card(1))
    game.store.decide(slot, 0, game.card(3))

    assert game.store.undecided(slot, 0) == (game.card(0), game.card(2))
    # The second one was the next below the first.
    assert game.store.columns[slot][0] == tuple(game.card(i) for i in (0, 2, 3, 1))


def test_cards_on_top_of_a_bag_stay_there() -> None:
    game = played()
    game.lay("deck", game.card(0), game.card(1))
    game.shuffle("deck")
    game.lay("deck", game.card(7))
    slot = game.place("deck").slot

    game.store.decide(slot, 0, game.card(0))

    assert game.store.columns[slot][0] == tuple(game.card(i) for i in (1, 0, 7))


def test_what_is_hidden_ends_a_trial() -> None:
    game = played()
    game.store.viewer, game.store.trail = game.ann, []

    with pytest.raises(Horizon):
        game.store.meet_hidden()


def test_what_is_hidden_ends_the_transaction_in_the_real_run() -> None:
    game = played()
    game.store.viewer, game.store.transaction = game.ann, (0, 1, -1)

    game.store.meet_hidden()

    assert game.store.viewer is None
    assert game.store.transaction is None
