"""A seat tells what its player may know, and nothing else."""

from __future__ import annotations

import pytest
from written import linked

import rulewright
from rulewright.interpreter.agents.greedy import GreedyAgent
from rulewright.interpreter.agents.search import SearchAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.engine.actions import UNSEEN
from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator

UNSEEN_HANDS = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand: cards of Card, seen by owner
  taken: pile of Card, seen by players
the game has
  deck: pile of Card = Card, seen by []
to play
  shuffle deck
  as players
    move top(3, deck) to my.hand
  repeat 2 times
    as players
      turn
  end game "done"
to turn
  choose other from players without [me]
  choose card from other.hand
  move card to my.taken
ranking
  most sum(my.taken each its.rank)
"""

MANY = """
each Player has, seen by players
  bid: number = 0
to play
  as players
    choose n from {numbers}
    set my.bid to n
  end game "bid"
ranking
  most me.bid
"""


def begun(rules: str, seed: int = 1) -> State:
    """Return a game of two at its first decision."""
    return game_of(linked(rules), 2).new_initial_state(seed)


def test_what_the_player_does_not_see_has_no_value() -> None:
    found = []
    for seed in range(4):
        state = begun(UNSEEN_HANDS, seed)
        state.apply_action(0)
        seat = Seat(state, 0)
        found.append(seat.actions)
        assert [one.value for one in seat.actions] == [UNSEEN]
        assert seat.draw(Generator(seed)).value is UNSEEN
        hand = state.observation(1)["players"]["P2"]["hand"]

        state.apply_action(seat.draw(Generator(seed)), 0)

        assert len(state.observation(1)["players"]["P2"]["hand"]) == len(hand) - 1

    # Whatever the other holds, the answers are the same to the last bit.
    assert len({tuple(map(hash, one)) for one in found}) == 1


def test_what_the_player_sees_has_its_value() -> None:
    seat = Seat(rulewright.load_game("tic_tac_toe").new_initial_state(1), 0)

    assert [one.value.name for one in seat.actions][:2] == ["A1", "A2"]


@pytest.mark.parametrize("player", [1, 2, -1, "P1", None])
def test_nobody_sits_where_nobody_is_asked(player: object) -> None:
    state = rulewright.load_game("tic_tac_toe").new_initial_state(1)

    with pytest.raises(InvalidActionError, match="has nothing to decide now"):
        Seat(state, player)  # type: ignore[arg-type]


@pytest.mark.parametrize("numbers", ["0..100 + count(players)", "200..220 + count(players)"])
def test_answers_without_an_action_number_are_played_all_the_same(numbers: str) -> None:
    state = begun(MANY.format(numbers=numbers))
    seat = Seat(state, 0)

    assert len(set(seat.options)) == len(seat.options) == len(seat.actions)
    for agent in (SearchAgent(iterations=200, seed=1), GreedyAgent(seed=1)):
        copy = state.clone()
        copy.apply_action(agent.choose(Seat(copy, 0)), 0)
        assert copy.current_players() == (1,)
