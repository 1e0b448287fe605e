"""What the search finds: wins at once, blocks, and plays as well as it can with what it knows."""

from __future__ import annotations

from math import inf, nan
from pathlib import Path

import pytest

import rulewright
from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.evaluation import evaluation
from rulewright.interpreter.agents.greedy import GreedyAgent
from rulewright.interpreter.agents.search import SearchAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator

HUGE = pytest.param(10**5000, id="huge")


def after(name: str, *labels: str, seed: int = 1) -> State:
    """Return a state of a game of the shelf after some answers."""
    state = rulewright.load_game(name).new_initial_state(seed)
    for label in labels:
        state.apply_action(label)
    return state


def dealt(own: int) -> State:
    """Return a game of Kuhn poker in which the second has a card and is asked after a bet."""
    for seed in range(100):
        state = after("kuhn_poker", "Bet", seed=seed)
        if state.observation(1)["players"]["P2"]["hand"] == [f"Card (rank {own})"]:
            return state
    raise AssertionError("no such deal")


def test_it_wins_at_once() -> None:
    seat = Seat(after("tic_tac_toe", "A1", "B1", "A2", "B2"), 0)

    assert SearchAgent(seed=1).choose(seat).label == "A3"
    assert GreedyAgent(seed=1).choose(seat).label == "A3"


def test_it_blocks_where_the_greedy_one_does_not_look() -> None:
    seat = Seat(after("tic_tac_toe", "A1", "C3", "A2"), 1)
    thought = SearchAgent(iterations=600, seed=2).think(seat)

    assert thought.action.label == "A3"
    assert thought.iterations == sum(one.visits for one in thought.options) <= 600
    assert {one.action.label for one in thought.options} == {one.label for one in seat.actions}
    assert all(0 <= one.value <= 1 for one in thought.options)


def test_an_answer_that_wins_is_tried_against_all_moves_that_do_not_meet_the_threat() -> None:
    seat = Seat(after("tic_tac_toe", "A1", "C3", "A2"), 1)
    thought = SearchAgent(iterations=2, seed=1).think(seat)

    lost = {one.action.label for one in thought.options if one.sure and one.value == 0}
    assert thought.action.label == "A3"
    assert lost == {one.label for one in seat.actions} - {"A3"}
    assert sum(one.visits for one in thought.options) == 2


def test_a_corner_is_answered_in_the_middle() -> None:
    # All other answers lose, and this stream made the search choose one of them.
    seat = Seat(after("tic_tac_toe", "C1"), 1)

    assert SearchAgent(seed="arena 46 (1, 0) 0").choose(seat).label == "B2"


@pytest.mark.parametrize(("card", "wanted"), [(1, "Fold"), (3, "Call")])
def test_it_knows_its_own_card_and_not_that_of_the_other(card: int, wanted: str) -> None:
    assert SearchAgent(seed=3).choose(Seat(dealt(card), 1)).label == wanted


def test_the_same_seed_finds_the_same_and_leaves_the_game_alone() -> None:
    state = after("jump_drive")
    saved = rulewright.save_state(state)

    found = [SearchAgent(iterations=8, seed=4).think(Seat(state, 1)).options for _ in range(2)]

    assert [(one.action.label, one.visits, one.value) for one in found[0]] == [
        (one.action.label, one.visits, one.value) for one in found[1]
    ]
    assert rulewright.save_state(state) == saved


def test_it_beats_random_players() -> None:
    won = [0, 0]
    for seed in range(6):
        state = rulewright.load_game("connect_four").new_initial_state(seed)
        agent, generator = SearchAgent(iterations=40, seed=seed), Generator(seed)
        while not state.is_terminal():
            (player,) = state.current_players()
            seat = Seat(state, player)
            mine = player == seed % 2
            state.apply_action(agent.choose(seat) if mine else seat.draw(generator))
        if state.winners():
            won[state.winners()[0] == seed % 2] += 1
    assert won == [0, 6]


def test_a_search_ends_when_its_answer_is_sure() -> None:
    wins = Seat(after("tic_tac_toe", "A1", "B1", "A2", "B2"), 0)
    loses = Seat(after("tic_tac_toe", "A1", "A3", "C3", "B2", "C1"), 1)

    won, lost = (SearchAgent(iterations=5000, seed=1).think(seat) for seat in (wins, loses))

    assert won.action.label == "A3"
    assert (won.options[0].sure, won.options[0].value) == (True, 1.0)
    assert won.iterations < 5000
    assert all(one.sure and one.value == 0 for one in lost.options)


def test_nothing_is_sure_where_something_is_hidden_or_chance_decides() -> None:
    thought = SearchAgent(iterations=300, seed=1).think(Seat(after("kuhn_poker", "Bet"), 1))

    assert thought.iterations == 300
    assert not any(one.sure for one in thought.options)


def test_a_budget_in_seconds_ends() -> None:
    seat = Seat(after("tic_tac_toe"), 0)
    thought = SearchAgent(seconds=0.05, seed=1).think(seat)

    assert thought.iterations >= 1
    assert SearchAgent(iterations=3, seconds=60).think(seat).iterations == 3


@pytest.mark.parametrize("name", ["iterations", "depth"])
@pytest.mark.parametrize("wrong", [0, -1, 1.5, inf, nan, True, "5", 10**9 + 1, HUGE])
def test_a_budget_that_is_no_number_of_times_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(AgentError, match=f"^`{name}` is a whole number from 1 to 1,000,000,000"):
        SearchAgent(**{name: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["seconds", "exploration"])
@pytest.mark.parametrize("wrong", [0, -1.0, inf, nan, True, "5", 1e10, HUGE])
def test_a_budget_that_is_no_time_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(AgentError, match=f"^`{name}` is a number above 0 and at most"):
        SearchAgent(**{name: wrong})  # type: ignore[arg-type]


FORCED = """
language 1
game "Forced" for 2..2 players
use turns(turn)
the game has, seen by players
  steps: number = 0
to play
  play_in_turns
to turn
  if steps is 0
    choose first from 1..2
    add first to steps
  else
    choose one from 1..1
    add one to steps
"""


def test_a_game_that_goes_on_without_a_choice_and_an_end_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "forced.rules"
    path.write_text(FORCED, "utf-8")
    seat = Seat(rulewright.load_game(str(path)).new_initial_state(seed=1), 0)

    thought = SearchAgent(iterations=4, seed=1).think(seat)

    assert [one.visits for one in thought.options] == [2, 2]


def test_what_results_are_worth() -> None:
    found = evaluation(rulewright.load_game("jump_gate_2e"))
    state = after("jump_gate_2e")
    result = Seat(state, 0).sample(Generator(1)).result()

    assert found.more_is_better
    assert found.spread > 0
    assert found.rewards(result) == (0.5, 0.5)
    assert evaluation(rulewright.load_game("tic_tac_toe")).spread == 0
