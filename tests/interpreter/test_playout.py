"""Random games, agents, and what is counted."""

import pytest
from duel import duel, labels, say, started

from rulewright.interpreter.agents.agent import RandomAgent, ScriptedAgent, let_answer, play
from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.playout import (
    Playout,
    Spread,
    Statistics,
    playout,
    spread,
    states,
    statistics,
)
from rulewright.interpreter.state.errors import InvalidActionError, PlayError

ENDLESS = """
to play
  repeat
    as players
      either "On"
      or "On and on"
"""


def test_the_same_seed_gives_the_same_playout() -> None:
    game = duel()

    assert playout(game, 3) == playout(game, 3) == playout(duel(), 3)
    assert len({playout(game, seed).decisions for seed in range(20)}) > 1


def test_a_playout_tells_how_a_game_came_out() -> None:
    found = playout(duel(), 1)

    assert found.finished and found.ending == found.reason == "two rounds"
    assert found.decisions > 3
    assert sorted(found.places)[0] == 1 and len(found.scores) == 2
    assert sum(found.returns) == pytest.approx(0)
    assert found.winners == tuple(
        seat for seat in (0, 1) if found.places[seat] == 1 and found.places != (1, 1)
    )


def test_a_game_without_end_is_stopped() -> None:
    game = started(ENDLESS).game

    found = statistics(game, range(3), limit=50)

    assert [one.finished for one in found.playouts] == [False] * 3
    assert found.playouts[0].decisions == 50 and found.playouts[0].returns == (0.0, 0.0)
    assert found.playouts[0].places == found.playouts[0].scores == ()
    assert found.endings == (("stopped at the limit", 3),)
    assert found.returns == () and found.scores == () and found.wins == (0, 0)
    (note,) = found.diagnostics(game.model)
    assert note.one_line().endswith("note[RW712]: the game was stopped after 50 decisions")
    assert note.notes == ("3 games did not end; the first seeds are 0, 1, 2",)


def test_statistics_of_many_games() -> None:
    found = statistics(duel(), range(30))

    assert found.endings == (("two rounds", 30),)
    assert found.lengths.least <= found.lengths.mean <= found.lengths.greatest
    assert found.decisions == sum(one.decisions for one in found.playouts)
    assert sum(found.wins) + found.without_winner >= 30
    assert len(found.scores) == len(found.returns) == 2
    assert found.stopped == () and found.diagnostics(duel().model) == ()
    assert spread([]) == Spread(0, 0.0, 0) and spread([1, 2, 6]) == Spread(1, 3.0, 6)


def test_endings_are_counted_the_most_frequent_first() -> None:
    def ended(reason: str | None) -> Playout:
        return Playout(0, True, reason, 1, (1,), (0.0,), ())

    found = Statistics((ended("b"), ended(None), ended("b"), ended("a")), ("ann",))

    assert found.endings == (("b", 2), ("a", 1), ("it was played to its end", 1))


def test_a_random_game_passes_through_one_store() -> None:
    program = duel().program

    assert len({id(store) for store in states(program, 1)}) == 1


# ------------------------------------------------------------------------------------------- agents


def test_random_agents_give_possible_answers() -> None:
    state = load_game("kuhn_poker").new_initial_state(2)

    given = play(state, [RandomAgent(1), RandomAgent(2)])

    assert state.is_terminal() and given == len(state.history())


def test_an_agent_does_not_touch_the_generator_of_the_game() -> None:
    game = load_game("tic_tac_toe")
    state = game.new_initial_state(5)

    play(state, [RandomAgent(1), RandomAgent(2)])

    assert state.store.random_state == game.new_initial_state(5).store.random_state


def test_a_scripted_agent_says_its_lines() -> None:
    state = duel().new_initial_state(1)
    agent = ScriptedAgent(["swap two", [0, 1], "Keep"])

    play(state, [agent, agent], most_answers=3)

    assert [answer.site for answer in state.history()] == [
        "turn.action",
        "swap_two.cards",
        "swap_two.may",
    ]
    assert state.current_players() == (1,) and labels(state)
    with pytest.raises(InvalidActionError, match="the script is at its end: Choose action"):
        let_answer(agent, state, 1)


STUCK = """
each Player has
  coins: number = 3, seen by players
to play
  repeat
    as players
      choose n from 1..my.coins
      add -n to my.coins
ranking
  most my.coins
"""


def test_the_report_of_a_stuck_game_says_which_answer_led_there() -> None:
    game = started(STUCK).game

    with pytest.raises(PlayError) as fast:
        playout(game, 1)
    with pytest.raises(PlayError) as walked:
        list(states(game.program, 1))
    with pytest.raises(PlayError) as said:
        say(game.new_initial_state(0), "1", "1", "2", "2")

    assert fast.value.answered == walked.value.answered != ""
    assert "after the answer of ben: 2" in said.value.diagnostic().notes
