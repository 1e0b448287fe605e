"""Agents by their names: what each name gives, and one line for what is none."""

import pytest

from rulewright.interpreter.agents.agent import RandomAgent
from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.greedy import GreedyAgent
from rulewright.interpreter.agents.search import ITERATIONS, SearchAgent
from rulewright.interpreter.agents.specs import for_seats, make_agent, make_agents


@pytest.mark.parametrize(
    ("name", "iterations", "seconds"),
    [
        ("search", ITERATIONS, None),
        ("search:1", 1, None),
        ("search:800", 800, None),
        ("search:2s", None, 2.0),
        ("search:0.25s", None, 0.25),
    ],
)
def test_a_search_has_the_budget_of_its_name(
    name: str, iterations: int | None, seconds: float | None
) -> None:
    agent = make_agent(name)

    assert isinstance(agent, SearchAgent)
    assert (agent.iterations, agent.seconds) == (iterations, seconds)


def test_the_others_have_none() -> None:
    assert isinstance(make_agent("random"), RandomAgent)
    assert isinstance(make_agent("greedy"), GreedyAgent)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("serach", "no agent is called `serach`; did you mean `search`?"),
        ("Random", "did you mean `random`?"),
        ("serach:800", "no agent is called `serach:800`; did you mean `search`?"),
        ("alphabet", "no agent is called `alphabet`; known: random, greedy, search"),
        ("", "the name of an agent is missing; known: random, greedy, search"),
        ("search:", "nothing behind the colon is no budget of a search"),
        ("search:1e9", "`1e9` is no budget of a search"),
        ("search:0.0001s", "`0.0001s` is no budget of a search"),
        ("search:0", "`0` is no budget of a search: it is a whole number of iterations,"),
        ("search:-5", "`-5` is no budget"),
        ("search:0s", "or seconds from 0.001, as in search:2s"),
        ("search:1.5", "`1.5` is no budget"),
        ("search:nan", "`nan` is no budget"),
        ("search:99999999999", "`99999999999` is no budget"),
        ("search:1000000001", "and at most 1,000,000,000"),
        (f"search:{'9' * 5000}", "and at most 1,000,000,000"),
        ("search:2 s", "`2 s` is no budget"),
        ("greedy:3", "`greedy` takes no budget: write `greedy` alone"),
    ],
)
def test_what_is_no_agent_is_one_clear_line(name: str, words: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(name)

    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [None, 5, RandomAgent])
def test_only_a_text_names_an_agent(name: object) -> None:
    with pytest.raises(AgentError, match="an agent is named by a text"):
        make_agent(name)  # type: ignore[arg-type]


def test_the_last_one_plays_the_seats_that_are_left() -> None:
    assert for_seats(["search", "random"], 4) == ("search", "random", "random", "random")
    assert for_seats(["search", "random"], 2) == ("search", "random")


def test_there_are_no_more_agents_than_seats() -> None:
    with pytest.raises(AgentError, match="3 agents are named, and there are 2 seats"):
        for_seats(["random"] * 3, 2)


def test_agents_that_are_random_share_a_generator_and_others_do_not() -> None:
    one, two, three, four = make_agents(["random", "greedy", "random", "greedy"], seed=1)

    assert one is three
    assert isinstance(two, GreedyAgent) and isinstance(four, GreedyAgent)
    assert two.generator.state != four.generator.state
