"""The intervals of an arena: against tables, and how often they hold the true value."""

from collections.abc import Callable
from math import inf
from random import Random

import pytest

from rulewright import load_game
from rulewright.interpreter.agents.arena import arena
from rulewright.interpreter.agents.intervals import Estimate, mean, share, student

MATCHES = 1000
SEEDS = 20
Outcome = Callable[[Random], tuple[float, float]]
"""What the two games of one seed give to the first agent."""


@pytest.mark.parametrize(
    ("freedom", "value"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (9, 2.2622),
        (30, 2.0423),
        (120, 1.9799),
        (5000, 1.9604),
    ],
)
def test_students_distribution_is_that_of_the_tables(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, abs=0.00006)


def test_a_mean_lies_in_the_middle_of_its_interval() -> None:
    assert mean([1.0, 2.0, 3.0]) == Estimate(
        2.0, pytest.approx(2 - 2.48414, abs=1e-4), pytest.approx(2 + 2.48414, abs=1e-4)
    )


def test_one_seed_alone_says_nothing_of_how_far_a_mean_may_be_off() -> None:
    assert mean([2.0]) == Estimate(2.0, -inf, inf)


def test_games_that_nothing_ties_together_have_the_interval_of_wilson() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263.
    found = share([1.0] * 81 + [0.0] * 182, 263)

    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=0.0015)


def test_a_share_of_none_or_all_is_not_sure() -> None:
    none, every = share([0.0] * 10, 20), share([1.0] * 10, 20)

    assert (none.low, none.high) == pytest.approx((0.0, 0.1611), abs=0.0001)
    assert (every.low, every.high) == pytest.approx((0.8389, 1.0), abs=0.0001)


def test_games_that_come_out_alike_count_as_fewer() -> None:
    alike, apart = share([1.0, 0.0] * 20, 80), share([0.5, 0.5, 1.0, 0.0] * 10, 80)

    assert alike.high - alike.low > 1.3 * (apart.high - apart.low)


def independent(first: float, second: float) -> Outcome:
    """Return games that are won with these chances in one seat and in the other."""
    return lambda random: (float(random.random() < first), float(random.random() < second))


def dealt(part: float) -> Outcome:
    """Return games of which so many are won by a seat, whoever sits there: the cards decide."""

    def outcome(random: Random) -> tuple[float, float]:
        if random.random() >= part:
            return float(random.random() < 0.5), float(random.random() < 0.5)
        return (1.0, 0.0) if random.random() < 0.5 else (0.0, 1.0)

    return outcome


def favoured(part: float) -> Outcome:
    """Return games of which so many are won by one agent, wherever it sits."""

    def outcome(random: Random) -> tuple[float, float]:
        if random.random() >= part:
            return float(random.random() < 0.5), float(random.random() < 0.5)
        return (1.0, 1.0) if random.random() < 0.5 else (0.0, 0.0)

    return outcome


KINDS = {
    # The chances of two random agents in tic-tac-toe and in Kuhn poker.
    "tic-tac-toe": (independent(0.585, 0.288), (0.585 + 0.288) / 2),
    "Kuhn poker": (independent(0.56, 0.44), 0.5),
    "the first seat wins": (independent(0.9, 0.1), 0.5),
    "one is strong": (independent(0.97, 0.9), 0.935),
    "the cards decide": (dealt(0.5), 0.5),
    "somebody is favoured": (favoured(0.5), 0.5),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("estimated", ["share", "mean"])
def test_intervals_hold_the_true_value_in_95_of_100_matches(kind: str, estimated: str) -> None:
    outcome, true = KINDS[kind]
    random, held = Random(1), 0

    for _ in range(MATCHES):
        seeds = [sum(outcome(random)) / 2 for _ in range(100)]
        found = share(seeds, 200) if estimated == "share" else mean(seeds)
        held += found.low <= true <= found.high

    assert 0.93 * MATCHES <= held <= 0.97 * MATCHES


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_so_do_those_of_games_between_two_random_agents(name: str) -> None:
    game, ahead, paid = load_game(name), 0, 0

    for match in range(MATCHES):
        played = arena(game, ["random", "random"], range(match * SEEDS, (match + 1) * SEEDS))
        before, payoff = played.duels[0][1], played.standings[0].payoff
        # Nothing tells the two apart, so each is as good as the other.
        assert before is not None and payoff is not None
        ahead += before.low <= 0.5 <= before.high
        paid += payoff.low <= 0 <= payoff.high

    assert 0.93 * MATCHES <= ahead <= 0.97 * MATCHES, ahead
    assert 0.93 * MATCHES <= paid <= 0.97 * MATCHES, paid
