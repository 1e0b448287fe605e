"""Whether the playouts of a search ended: what is counted, and what is said of it."""

from pathlib import Path

import pytest

import rulewright
from rulewright.interpreter.agents.rollouts import Rollouts, altogether, rollouts_of
from rulewright.interpreter.agents.search import SearchAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.words.translation import words_of

AIMLESS = """
language 1
game "Aimless" for 2..2 players
use turns(turn)
{counted}
each Player has, seen by players
  coins: number = 0
to play
  play_in_turns
to turn
  may "Take a coin"
    add 1 to my.coins
"""

TALLY = """
tally score: points
  coins: my.coins
ranking
  most my.score
"""

FLAG = """
ranking
  most my.coins > 1000000
"""


def thought_of(path: Path, counted: str) -> Rollouts:
    """Return how the playouts came out in a game without an end."""
    path.write_text(AIMLESS.format(counted=counted), "utf-8")
    seat = Seat(rulewright.load_game(str(path)).new_initial_state(seed=1), 0)
    return SearchAgent(iterations=6, seed=1).think(seat).rollouts


def test_playouts_that_end_are_nothing_to_tell() -> None:
    seat = Seat(rulewright.load_game("kuhn_poker").new_initial_state(seed=1), 0)
    found = SearchAgent(iterations=6, seed=1).think(seat).rollouts

    assert found == Rollouts(ended=6)
    assert found.told() == ""


def test_where_points_are_counted_a_playout_that_is_cut_off_says_something(tmp_path: Path) -> None:
    found = thought_of(tmp_path / "made.rules", TALLY)

    assert found == Rollouts(ended=0, cut=6, silent=0, depth=30)
    assert found.told() == (
        "6 of 6 playouts were cut off after 30 decisions: they count the ranking so far."
    )


@pytest.mark.parametrize("counted", ["", FLAG])
def test_where_nobody_is_ahead_the_answers_cannot_be_told_apart(
    tmp_path: Path, counted: str
) -> None:
    found = thought_of(tmp_path / "made.rules", counted)

    assert found == Rollouts(ended=0, cut=6, silent=6, depth=30)
    assert found.told() == (
        "No playout ended within 30 decisions, and the rules do not say who is ahead by then:"
        " the answers cannot be told apart."
    )


def test_where_some_ended_the_others_count_as_even() -> None:
    told = Rollouts(ended=4, cut=6, silent=6, depth=30).told()

    assert told.startswith("6 of 10 playouts were cut off after 30 decisions, when the rules did")


@pytest.mark.parametrize(("cut", "silent", "ended"), [(6, 0, 4), (6, 6, 4), (6, 6, 0)])
def test_it_is_said_in_german(cut: int, silent: int, ended: int) -> None:
    found = Rollouts(ended, cut, silent, 30)
    words = words_of(rulewright.load_game("tic_tac_toe").model, "de")

    assert "Entscheidungen" in found.told(words)


def test_an_agent_counts_all_that_it_has_thought() -> None:
    seat = Seat(rulewright.load_game("kuhn_poker").new_initial_state(seed=1), 0)
    one, other = SearchAgent(iterations=6, seed=1), SearchAgent(iterations=3, seed=1)
    for agent in (one, one, other):
        agent.think(seat)

    assert one.rollouts == Rollouts(ended=12)
    assert rollouts_of([one, one, object(), other]) == Rollouts(ended=15)
    assert altogether([]) == Rollouts()
