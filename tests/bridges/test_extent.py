"""What a game is said to be before it is played: how long, what it pays, of what kind."""

import brief
import pytest

import rulewright
from rulewright.interpreter.bridges.extent import extent_of, has_chance, has_secrets
from rulewright.interpreter.play.playout import playout


def test_a_game_that_says_nothing_pays_one_for_each_who_has_not_won() -> None:
    game = rulewright.load_game("tic_tac_toe")

    extent = extent_of(game)

    assert extent.payoffs == (-1.0, 1.0)
    assert "payoffs" not in extent.measured


def test_what_a_game_pays_by_its_own_rules_is_measured_and_labelled() -> None:
    game = rulewright.load_game("kuhn_poker")

    extent = extent_of(game)

    assert extent.payoffs == (-2.0, 2.0)
    assert (extent.total, extent.longest) == (0.0, 6)
    assert extent.measured == ("longest", "payoffs", "total")


def test_what_is_given_is_not_measured() -> None:
    extent = extent_of(rulewright.load_game("kuhn_poker"), longest=3, payoffs=(-5.0, 5.0))

    assert (extent.longest, extent.payoffs) == (3, (-5.0, 5.0))
    assert extent.measured == ("total",)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("name", rulewright.shelf())
def test_random_games_stay_within_what_was_measured(name: str) -> None:
    model = rulewright.load_game(name).model
    game = rulewright.load_game(name, options=brief.options_of(model))
    extent = extent_of(game)

    for seed in ("a", "b", "c"):
        one = playout(game, seed, extent.longest)

        assert one.decisions <= extent.longest
        assert all(extent.payoffs[0] <= paid <= extent.payoffs[1] for paid in one.returns)
        if one.finished and extent.total is not None:
            assert sum(one.returns) == pytest.approx(extent.total)


def test_a_game_without_a_shuffle_has_no_chance_and_one_with_a_hand_has_secrets() -> None:
    poker, noughts = rulewright.load_game("kuhn_poker"), rulewright.load_game("tic_tac_toe")

    assert (has_chance(poker.model), has_secrets(poker.program)) == (True, True)
    assert (has_chance(noughts.model), has_secrets(noughts.program)) == (False, False)


def test_who_acts_while_others_do_does_not_see_what_they_do() -> None:
    assert has_secrets(rulewright.load_game("jump_drive").program)


@pytest.mark.parametrize(
    ("longest", "payoffs", "said"),
    [
        (0, None, "a game cannot be 0 answers long"),
        (None, (1.0, 1.0), "1.0 to 1.0 is no range of payoffs: the least, then more"),
    ],
)
def test_what_cannot_be_is_one_clear_line(
    longest: int | None, payoffs: tuple[float, float] | None, said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        extent_of(rulewright.load_game("kuhn_poker"), longest, payoffs)
