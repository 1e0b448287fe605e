"""A poker that is in no library of ours, written down as rules: OpenSpiel finds in it what it finds in its own."""

from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `openspiel`)")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

from rulewright.interpreter.bridges import openspiel

RULES = str(Path(__file__).with_name("leduc.rules"))


def test_the_uniform_policy_can_be_exploited_as_much_as_in_theirs() -> None:
    ours, theirs = openspiel.load_game(RULES), pyspiel.load_game("leduc_poker")

    found = [
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)
    ]

    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_cfr_goes_the_same_way_as_in_theirs() -> None:
    found = []
    for game in (openspiel.load_game(RULES), pyspiel.load_game("leduc_poker")):
        solver = cfr.CFRPlusSolver(game)
        for _ in range(10):
            solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(game, solver.average_policy()))

    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_two_cards_of_a_rank_are_one_outcome_with_the_weight_of_both() -> None:
    state = openspiel.load_game(RULES).new_initial_state()
    first = state.chance_outcomes()
    state.apply_action(0)

    assert [weight for _, weight in first] == pytest.approx([1 / 3] * 3)
    assert [weight for _, weight in state.chance_outcomes()] == pytest.approx([1 / 5, 2 / 5, 2 / 5])
