"""What an environment tells an agent does not depend on what its player does not see."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, loaded, play, player_counts, some_moments, starts
from worlds import another_world, has_secrets

from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.errors import ActionNumberError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra `pettingzoo`)")

from rulewright.interpreter.bridges.pettingzoo import GameEnv


@pytest.fixture(autouse=True)
def _with_secrets(rules: Rules) -> None:
    if not has_secrets(loaded(rules, player_counts(rules)[0])):
        pytest.skip("everything is seen by everybody")


@cache
def table_of(rules: Rules, players: int, seat: int | None) -> GameEnv:
    """Return the environment of a game."""
    return GameEnv(Start(rules, players, 0, 0).game, "ansi", seat=seat)


def told(start: Start, store: Store, player: Thing) -> list[object]:
    """Return all that an agent gets from its environment, and what is drawn for its seat and for all."""
    parts: list[object] = []
    for seat in (player.number, None):
        table = table_of(start.rules, start.players, seat)
        table.reset(options={"state": State(table.game, store)})
        parts.append(table.render())
    agent = table.possible_agents[player.number]
    try:
        parts += [array.tolist() for array in table.observe(agent).values()]
    except ActionNumberError as error:
        parts.append(str(error))
    return parts


def test_an_agent_is_told_the_same_in_worlds_that_its_player_cannot_tell_apart(
    rules: Rules, size: Size
) -> None:
    @size.tries(3)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played, generator = play(start), Generator(seed)
        for moment in some_moments(data, played, 2):
            for player in played.program.layout.players:
                other = another_world(played.program, moment.store, player, generator)
                if pending(played.program, other) is None:
                    # Who is done while others act has no state from which it goes on.
                    continue

                assert told(start, moment.store, player) == told(start, other, player)

    holds()
