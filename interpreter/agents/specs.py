"""Agents by their names: `random`, `greedy`, `search:800`, `search:2s`.

In: a text as somebody types it. Out: agents for the seats of a game, or one line that says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.agents.agent import Agent, RandomAgent
from rulewright.interpreter.agents.errors import MOST, AgentError, shown
from rulewright.interpreter.agents.greedy import GreedyAgent
from rulewright.interpreter.agents.search import SearchAgent
from rulewright.interpreter.words.text import shortened

RANDOM, GREEDY, SEARCH = KNOWN = ("random", "greedy", "search")
LEAST_SECONDS = 0.001
"""A search of less time would be one of no time."""

BUDGET = re.compile(r"(\d{1,10}(?:\.\d{1,6})?)(s?)", re.ASCII)


def make_agent(name: str, seed: int | str = 0, known: Sequence[str] = ()) -> Agent:
    """Return the agent of a name: `random`, `greedy`, or `search` with so many iterations
    (`search:800`) or seconds (`search:2s`) for each decision. Raises `AgentError` if there is none; `known` are
    other words that may have been meant.

    >>> make_agent("random", seed=1).choose(seat).label
    'Check'
    """
    if not isinstance(name, str):
        raise AgentError(
            f"an agent is named by a text, as in `search:800`, and this is {shown(name)}"
        )
    kind, colon, budget = name.partition(":")
    if kind not in KNOWN:
        words = (*KNOWN, *known)
        if not name:
            raise AgentError(f"the name of an agent is missing; known: {', '.join(words)}")
        near = nearest(kind, words)
        hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(words)}"
        raise AgentError(f"no agent is called `{name}`; {hint}")
    if kind == SEARCH:
        iterations, seconds = read_budget(budget) if colon else (None, None)
        return SearchAgent(iterations, seconds, seed=seed)
    if colon:
        raise AgentError(f"`{kind}` takes no budget: write `{kind}` alone")
    return GreedyAgent(seed) if kind == GREEDY else RandomAgent(seed)


def read_budget(text: str) -> tuple[int | None, float | None]:
    """Return how many iterations (`800`) or seconds (`2s`, `0.5s`) a text names; the other is None. Raises
    `AgentError` if it is no budget."""
    found = BUDGET.fullmatch(text)
    least = LEAST_SECONDS if found is not None and found[2] else 1
    if found is None or ("." in text and not found[2]) or not least <= float(found[1]) <= MOST:
        what = f"`{shortened(text)}` is" if text else "nothing behind the colon is"
        raise AgentError(
            f"{what} no budget of a search: it is a whole number of iterations, as in search:800, or seconds from"
            f" {LEAST_SECONDS}, as in search:2s, and at most {MOST:,}"
        )
    return (None, float(found[1])) if found[2] else (int(found[1]), None)


def for_seats(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the name of the agent for each seat, in seat order: the last one plays the seats that are
    left. Raises `AgentError` if there are more than seats."""
    if len(names) > seats:
        raise AgentError(f"{len(names)} agents are named, and there are {seats} seats")
    return (*names, *tuple(names[-1:]) * (seats - len(names)))


def make_agents(names: Sequence[str], seed: int | str) -> tuple[Agent, ...]:
    """Return an agent for each seat. Those that are random share one generator: so they give the answers of
    the random game with the same seed. Raises `AgentError` if a name is none."""
    by_chance = RandomAgent(f"agents {seed}")
    return tuple(
        by_chance if name == RANDOM else make_agent(name, f"agent {seat} {seed}")
        for seat, name in enumerate(names, 1)
    )
