"""The players to measure by are what they say: one plays perfectly, one sees everything."""

from __future__ import annotations

import pytest
from sharing import LEFT_OUT
from strength import MIRRORING, ROWS, Row, SeeingAgent, SeeingSeat, main, play, told

import rulewright
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.state.random import Generator


def test_two_perfect_players_draw_and_a_random_one_never_beats_a_perfect_one() -> None:
    draws = play(Row("tic_tac_toe", ("perfect", "perfect"), 0, ""), range(1), 1)
    beaten = play(Row("tic_tac_toe", ("perfect", "random"), 0, ""), range(2), 1)

    assert all(one.returns == (0, 0) for one in draws.games)
    assert all(one.returns[one.seats.index(0)] >= 0 for one in beaten.games)
    assert any(one.returns[one.seats.index(0)] > 0 for one in beaten.games)


@pytest.mark.parametrize(
    "other", ["random", *(pytest.param(other, marks=LEFT_OUT) for other in ("perfect", "greedy"))]
)
def test_a_search_of_tic_tac_toe_does_not_lose(other: str) -> None:
    match = play(Row("tic_tac_toe", ("search", other), 0, ""), range(2), 400)

    assert all(one.returns[one.seats.index(0)] >= 0 for one in match.games)


def test_who_sees_everything_calls_only_with_the_better_card() -> None:
    game = rulewright.load_game("kuhn_poker")
    for seed in range(12):
        state = game.new_initial_state(seed)
        state.apply_action("Bet")
        own, other = (state.observation(seat)["players"][f"P{seat + 1}"]["hand"] for seat in (1, 0))

        found = SeeingAgent(iterations=60, seed=seed).choose(Seat(state, 1))

        assert found.label == ("Call" if own > other else "Fold")


def test_who_sees_everything_does_not_see_what_chance_will_bring() -> None:
    state = rulewright.load_game("jump_drive").new_initial_state(seed=1)
    seat, generator = SeeingSeat(state, 0), Generator(1)
    seen = set()
    for _ in range(3):
        sample = seat.sample(generator)
        assert sample.observe(1) == state.observation(1)
        sample.rollout(Generator("the same"), 30)
        seen.add(str(sample.observe(1)))

    assert len(seen) > 1


def test_the_search_of_openspiel_plays_connect_four_in_both_seats_better_than_at_random() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not here", exc_type=ImportError)
    match = play(Row("connect_four", (MIRRORING, "random"), 0, ""), range(3), 60)

    assert match.standings[0].wins.value == 1
    assert match == play(Row("connect_four", (MIRRORING, "random"), 0, ""), range(3), 60)


def test_a_row_without_its_library_is_left_out_with_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("strength.find_spec", lambda name: None)
    monkeypatch.setattr("sys.argv", ["strength.py", "mcts_c4"])

    main()

    assert "mcts_c4 is left out: OpenSpiel is not here" in capsys.readouterr().out


def test_a_row_of_the_table_says_all_that_was_measured() -> None:
    row = ROWS["kuhn"]
    cells = list(told("kuhn", row, play(row, range(2), 5)))

    assert cells[:4] == ["kuhn", "kuhn_poker", "search - random", "4"]
