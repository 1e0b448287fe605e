"""The small interface: what it answers is what a state answers, and it goes its own way."""

from __future__ import annotations

import copy

import pytest
from at_once import begun

import rulewright
from rulewright.interpreter.knowledge.action_codes import MOST_SEEN
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.errors import ActionNumberError, InvalidActionError
from rulewright.interpreter.state.random import Generator

GAMES = ("kuhn_poker", "tic_tac_toe", "jump_gate_2e", "jump_drive")

AT_ONCE = """
each Player has, seen by players
  points: number = 0
to play
  as players together
    choose n from 1..3
    add n to my.points
  end game "added"
ranking
  most me.points
"""


def game_called(name: str) -> Game:
    """Return a game of the shelf."""
    return rulewright.load_game(name)


@pytest.mark.parametrize("name", GAMES)
def test_a_simulation_and_a_state_go_the_same_way(name: str) -> None:
    game, generator = game_called(name), Generator(1)
    state, simulation = game.new_initial_state(seed=5), Simulation.begin(game, seed=5)
    for _ in range(60):
        if state.is_terminal():
            break
        assert simulation.players == state.current_players()
        player = simulation.players[-1]
        actions = state.legal_actions(player)
        options = simulation.options(player)
        assert simulation.count(player) == len(actions)
        assert [simulation.label(one, player) for one in options] == [one.label for one in actions]
        chosen = generator.below(len(options))
        assert simulation.apply(options[chosen], player)
        state.apply_action(actions[chosen], player)
        assert simulation.observe(0) == state.observation(0)
    assert simulation.is_over == state.is_terminal()
    if simulation.is_over:
        assert simulation.result().returns == state.returns()
        assert simulation.result().places == state.ranking()


def test_a_clone_goes_its_own_way() -> None:
    simulation = Simulation.begin(game_called("tic_tac_toe"), seed=1)
    before = simulation.options()
    other = simulation.clone()

    other.apply(before[4])

    assert simulation.options() == before
    assert before[4] not in other.options()


def test_a_simulation_of_a_state_leaves_it_alone() -> None:
    state = game_called("jump_gate_2e").new_initial_state(seed=2)
    saved = rulewright.save_state(state)

    simulation = Simulation.of(state)
    simulation.rollout(Generator(1), 5000)

    assert simulation.is_over
    assert rulewright.save_state(state) == saved


def test_each_option_is_drawn_about_as_often() -> None:
    simulation = Simulation.begin(game_called("tic_tac_toe"))
    generator = Generator(1)

    found = [simulation.clone().draw(generator) for _ in range(900)]
    options = simulation.options()
    again = [simulation.draw(generator) for _ in range(900)]

    for drawn in (found, again):
        assert set(drawn) == set(options)
        assert all(60 <= drawn.count(option) <= 140 for option in options)


def test_a_rollout_stops_at_its_limit_and_the_result_says_how_it_stands() -> None:
    simulation = Simulation.begin(game_called("jump_gate_2e"), seed=3)

    made = simulation.rollout(Generator(1), 40)

    result = simulation.result()
    assert made == 40
    assert not result.finished
    assert result.returns == (0.0, 0.0)
    assert len(result.points) == len(result.places) == 2


def test_chance_is_told_where_it_is_explicit() -> None:
    simulation = Simulation.begin(game_called("kuhn_poker"), explicit_chance=True)

    assert simulation.is_chance
    assert simulation.players == ()
    assert simulation.chance() == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    simulation.apply_chance(2)
    simulation.apply_chance(1)

    assert not simulation.is_chance
    assert simulation.chance() == ()
    assert simulation.players == (0,)
    assert simulation.observe(0)["players"]["P1"]["hand"] == ["Card (rank 3)"]


def test_what_is_no_option_is_an_error_of_one_line() -> None:
    simulation = Simulation.begin(game_called("kuhn_poker"))

    with pytest.raises(InvalidActionError, match="no option"):
        simulation.apply(999)
    with pytest.raises(InvalidActionError, match="player 1 has nothing to decide"):
        simulation.apply(0, 1)
    with pytest.raises(InvalidActionError, match="no outcome 0"):
        simulation.apply_chance(0)


def test_several_who_act_at_once_answer_in_any_order() -> None:
    state = begun(AT_ONCE)
    forth, back = Simulation.of(state), Simulation.of(state)

    for player in (0, 1, 2):
        forth.apply(forth.options(player)[player], player)
    for player in (2, 0, 1):
        back.apply(back.options(player)[player], player)

    assert forth.result() == back.result()
    assert forth.result().points == (1, 2, 3)


def test_what_a_seat_notices_of_an_answer() -> None:
    state = begun(AT_ONCE)
    simulation = Simulation.of(state)
    options = simulation.options(0)

    own = simulation.clone().apply_seen_by(options[0], 0, viewer=0)
    others = {simulation.clone().apply_seen_by(one, 0, viewer=1) for one in options}

    assert own == options[0]
    assert len(others) == 1


def test_an_answer_that_is_said_aloud_is_noticed_as_it_is() -> None:
    simulation = Simulation.begin(game_called("kuhn_poker"), seed=1)
    options = simulation.options()

    found = [simulation.clone().apply_seen_by(one, 0, viewer=1) for one in options]

    assert found == list(options)


COINS = """
each Player has, seen by players
  coins: number = 100
to play
  as first(players)
    choose n from {numbers}
    set my.coins to n
  end game "paid"
"""


def test_answers_beyond_what_has_a_number_are_counted_on() -> None:
    game = begun(COINS.format(numbers="0..my.coins")).game
    simulation, size = Simulation.begin(game), game.action_numbers.size

    options = simulation.options()

    assert [simulation.label(one) for one in options] == [str(n) for n in range(101)]
    assert len(set(options)) == 101
    assert simulation.numbered_options() == options[: MOST_SEEN + 1]
    assert max(simulation.numbered_options()) < size <= min(options[MOST_SEEN + 1 :])
    assert {simulation.draw(Generator(seed)) for seed in range(30)} <= set(options)
    assert simulation.clone().apply(options[100])


def test_a_decision_without_any_number_can_be_played_but_not_learned() -> None:
    simulation = Simulation.begin(begun(COINS.format(numbers="my.coins..200")).game)

    assert [simulation.label(one) for one in simulation.options()] == [
        str(number) for number in range(100, 201)
    ]
    assert simulation.draw(Generator(1)) in simulation.options()
    with pytest.raises(ActionNumberError, match="100 is none of the numbers 0 to 64"):
        simulation.numbered_options()


def test_a_copy_of_a_simulation_shares_nothing() -> None:
    simulation = Simulation.begin(game_called("tic_tac_toe"))
    for other in (copy.copy(simulation), copy.deepcopy(simulation)):
        other.apply(other.options()[0])

    assert len(simulation.options()) == 9


def test_a_sample_goes_on_from_the_middle_of_a_selection_of_somebody_else() -> None:
    # What is drawn for the other may not be what stands to choice where he has picked before.
    game, tried = game_called("jump_gate_2e"), 0
    for seed in (0, 2):
        state, generator = game.new_initial_state(seed), Generator(seed)
        for number in range(400):
            if state.is_terminal():
                break
            (player,) = state.current_players()
            asked = state.decision(player)
            picked = asked is not None and asked.kind == "several" and bool(asked.picked)
            # Each is played once more from the beginning, so a third of them is enough here.
            if picked and number % 3 == 0:
                sample = state.determinized(1 - player, number)
                assert sample.legal_actions(player)
                tried += 1
            state.apply_action(generator.pick(state.legal_actions(player)), player)
    assert tried > 10
