"""A player learns nothing of what he does not see: two worlds that differ in nothing else."""

from __future__ import annotations

import pytest
from histories import Diverged, history, replayed
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, loaded, play, player_counts, some_moments, starts
from worlds import (
    Renaming,
    another_world,
    changed_lines,
    differences,
    exchanged,
    has_secrets,
    known,
    recollection,
    view,
)

from rulewright.interpreter.state.random import Generator


@pytest.fixture(autouse=True)
def _with_secrets(rules: Rules) -> None:
    if not has_secrets(loaded(rules, player_counts(rules)[0])):
        pytest.skip("everything is seen by everybody")


def test_what_a_player_is_told_does_not_depend_on_what_he_does_not_see(
    rules: Rules, size: Size
) -> None:
    @size.tries(4)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played = play(start)
        generator = Generator(seed)
        for moment in some_moments(data, played, 2):
            for player in played.program.layout.players:
                other = another_world(played.program, moment.store, player, generator)

                here = view(played.program, moment.store, player)
                there = view(played.program, other, player)

                assert not differences(here, there), f"{player} can tell the worlds apart"

    holds()


def test_what_a_player_remembers_does_not_depend_on_what_he_never_saw(
    rules: Rules, size: Size
) -> None:
    @size.tries(5)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played = play(start)
        generator = Generator(seed)
        for moment in some_moments(data, played, 1):
            past = [one.store for one in played.moments[: played.moments.index(moment)]]
            player = data.draw(st.sampled_from(played.program.layout.players))
            seen = known(played.program, past, moment.store, player)
            other = another_world(played.program, moment.store, player, generator, seen)

            here = recollection(played.program, moment.store, player)
            there = recollection(played.program, other, player)

            assert not changed_lines(here, there), f"{player} can tell the worlds apart"

    holds()


def test_a_player_sees_the_same_game_if_only_cards_that_he_never_saw_are_others(
    rules: Rules, size: Size
) -> None:
    compared = 0

    @size.tries(20)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        nonlocal compared
        program, generator = start.program, Generator(seed)
        player = data.draw(st.sampled_from(program.layout.players))
        length = data.draw(st.integers(1, 60) | st.integers(1, 600))
        past = history(start, player, length)
        exchange = exchanged(past.unseen, generator, swaps=data.draw(st.integers(1, 3)))
        if not exchange:
            return
        try:
            other = replayed(start, past, Renaming(program, exchange), player)
        except Diverged:
            return
        compared += 1

        here, there = past.telling, other

        who = f"{player} can tell the worlds apart"
        assert not changed_lines(
            recollection(program, here.store, player, here.answers),
            recollection(program, there.store, player, there.answers),
        ), who
        assert not differences(
            view(program, here.store, player), view(program, there.store, player)
        ), who

    holds()
    if not compared:
        pytest.skip("no game could be played again with other cards")
