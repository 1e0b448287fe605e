"""Agents that answer: what they may return, what is said of those that go wrong, and who can play at all."""

import pytest

from rulewright import Game, InvalidActionError, Seat, load_game
from rulewright.interpreter.agents.agent import RandomAgent, ScriptedAgent, play
from rulewright.interpreter.agents.errors import AgentError


class Saying:
    """An agent that always says the same."""

    def __init__(self, said: object) -> None:
        self.said = said

    def choose(self, seat: Seat) -> object:
        """Say it, or raise it."""
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


class Unshown:
    """What cannot be shown."""

    def __repr__(self) -> str:
        raise ZeroDivisionError


@pytest.fixture(scope="module")
def kuhn() -> Game:
    """Return a game of two players."""
    return load_game("kuhn_poker", names=["ann", "ben"])


@pytest.mark.parametrize(
    "said", [None, 1.5, True, [0], [], (), {0: 1}, {0}, b"bet", object(), Unshown(), Saying]
)
def test_what_is_no_answer_is_one_line_that_says_what_is(kuhn: Game, said: object) -> None:
    state = kuhn.new_initial_state(7)

    with pytest.raises(InvalidActionError) as caught:
        play(state, [Saying(said), RandomAgent()])  # type: ignore[list-item]

    assert "is no answer: an agent returns one of `seat.actions`" in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    assert state.history() == ()


@pytest.mark.parametrize("said", [None, 99, "fold", [0], KeyError("mine"), ZeroDivisionError()])
def test_an_error_says_whose_answer_it_was_and_in_which_game(kuhn: Game, said: object) -> None:
    with pytest.raises(Exception) as caught:
        play(kuhn.new_initial_state(7), [ScriptedAgent(["Check"]), Saying(said)])  # type: ignore[list-item]

    assert caught.value.__notes__ == [
        "Saying was asked for ben (seat 2) in a game of Kuhn poker with seed 7, at answer 2"
    ]
    assert caught.value is said or isinstance(caught.value, ValueError)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_is_an_agent_for_each_seat(kuhn: Game, count: int) -> None:
    with pytest.raises(
        AgentError, match=f"2 agents play, one for each seat, and {count} are given"
    ):
        play(kuhn.new_initial_state(7), [RandomAgent()] * count)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (RandomAgent, "`RandomAgent` is a class: an agent is made from it first"),
        ("greedy", "no method `choose`; write make_agent('greedy')"),
        (None, "None is no agent"),
        (Unshown(), "a Unshown is no agent"),
    ],
)
def test_what_is_no_agent_is_one_line(kuhn: Game, agent: object, words: str) -> None:
    with pytest.raises(AgentError) as caught:
        play(kuhn.new_initial_state(7), [RandomAgent(), agent])  # type: ignore[list-item]

    assert words in str(caught.value)


def test_agents_do_not_play_for_chance(kuhn: Game) -> None:
    state = kuhn.new_initial_state(7, explicit_chance=True)

    with pytest.raises(AgentError, match="stops for chance"):
        play(state, [RandomAgent(), RandomAgent()])


@pytest.mark.parametrize("wrong", [-1, "3", 1.5, True])
def test_a_number_of_answers_is_a_whole_number(kuhn: Game, wrong: object) -> None:
    with pytest.raises(AgentError, match=r"^`most_answers` is a whole number from 0"):
        play(kuhn.new_initial_state(7), [RandomAgent()] * 2, wrong)  # type: ignore[arg-type]


def test_no_answers_are_none(kuhn: Game) -> None:
    assert play(kuhn.new_initial_state(7), [RandomAgent()] * 2, 0) == 0


def test_a_script_is_no_text() -> None:
    with pytest.raises(AgentError, match=r"write \['bet'\]"):
        ScriptedAgent("bet")
