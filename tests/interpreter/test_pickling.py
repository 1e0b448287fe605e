"""Games and states can be copied and pickled by the means of the standard library."""

import copy
import pickle

import pytest

import rulewright

GAMES = ("kuhn_poker", "jump_gate_2e", "jump_drive", "jump_wars")


def middle(name: str, explicit_chance: bool = False) -> rulewright.State:
    """Return a state in the middle of a game; its first answers are taken one after the other."""
    state = rulewright.load_game(name).new_initial_state(seed=3, explicit_chance=explicit_chance)
    while state.is_chance_node():
        state.apply_chance(0)
    for _ in range(0 if name == "kuhn_poker" else 20):
        player = state.current_players()[-1]
        state.apply_action(0, player)
    return state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_a_copy_is_the_same_game_and_goes_its_own_way(name, how) -> None:
    state = middle(name)
    before = rulewright.save_state(state)

    other = how(state)

    assert other is not state
    assert rulewright.save_state(other) == before
    player = other.current_players()[0]
    other.apply_action(0, player)
    assert rulewright.save_state(other) != before
    assert rulewright.save_state(state) == before
    state.apply_action(0, player)
    assert rulewright.save_state(other) == rulewright.save_state(state)


def test_a_copy_can_take_back_and_an_unpickled_state_cannot() -> None:
    state = middle("jump_gate_2e")
    while not state.can_undo():
        state.apply_action(0)

    assert copy.deepcopy(state).can_undo()
    assert not pickle.loads(pickle.dumps(state)).can_undo()


def test_states_that_are_pickled_together_share_their_game() -> None:
    game = rulewright.load_game("tic_tac_toe")
    first, second = pickle.loads(
        pickle.dumps([game.new_initial_state(1), game.new_initial_state(2)])
    )

    assert first.game is second.game
    assert first.seed == 1


def test_an_unpickled_game_has_players_options_and_variants_of_the_first() -> None:
    game = rulewright.load_game(
        "jump_drive", variants=[], options={"who_begins": "by_lot"}, names=["ann", "ben", "eve"]
    )
    found = pickle.loads(pickle.dumps(game))

    assert found.names == game.names
    assert {name: str(value) for name, value in found.options.items()} == {
        name: str(value) for name, value in game.options.items()
    }
    assert found.model.variants == game.model.variants
    assert copy.deepcopy(game) is game


def test_a_state_without_its_log_stays_without_it() -> None:
    state = middle("jump_gate_2e")
    short = state.game.unpack(state.pack())

    found = pickle.loads(pickle.dumps(short))

    assert found.history() == short.history() == ()
    assert found.observation(0) == state.observation(0)
