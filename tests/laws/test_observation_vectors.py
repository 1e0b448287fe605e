"""Vectors of what a player sees: the same wherever he cannot tell a difference, and others wherever he can."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, discovered, play, player_counts, some_moments, starts
from worlds import another_world, has_secrets

from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.knowledge.observation_vector import observation_vector
from rulewright.interpreter.knowledge.seen_things import Eyes
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue


def test_a_vector_tells_nothing_that_a_player_does_not_see(rules: Rules, size: Size) -> None:
    if not has_secrets(Start(rules, player_counts(rules)[0], 0, 0).program):
        pytest.skip("everything is seen by everybody")

    @size.tries(8)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played, generator = play(start), Generator(seed)
        for moment in some_moments(data, played, 4):
            assert not told(played.program, moment.store, generator)

    holds()


def told(program: Program, store: Store, generator: Generator) -> list[str]:
    """Return the parts of the vector by which players can tell worlds apart that look the same."""
    vectors = observation_vector(program)
    found = []
    for player in program.layout.players:
        here = vectors.vector(store, player)
        there = vectors.vector(another_world(program, store, player, generator), player)
        for part in vectors.layout:
            end = part.offset + math.prod(part.shape)
            if here[part.offset : end] != there[part.offset : end]:
                found.append(part.name)
    program.decision_cache = None
    return found


def test_a_vector_that_tells_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def cheating(self: Eyes, place: PlaceValue) -> bool:
        return True

    monkeypatch.setattr(Eyes, "sees", cheating)
    (rules,) = (one for one in discovered() if str(one) == "face_down")
    played, generator = play(Start(rules, 2, 1, 1)), Generator(1)

    found = {name for one in played.moments for name in told(played.program, one.store, generator)}

    assert "held of seat 1" in found


def test_two_states_that_a_player_can_tell_apart_have_different_vectors(
    rules: Rules, size: Size
) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        played = play(start)
        program, vectors = played.program, observation_vector(played.program)
        step = max(1, len(played.moments) // 60)
        for player in program.layout.players:
            known: dict[tuple[float, ...], object] = {}
            for store in (*(one.store for one in played.moments[::step]), played.end):
                seen = observation(program, store, player)
                assert known.setdefault(tuple(vectors.vector(store, player)), seen) == seen

    holds()


def test_a_vector_is_as_long_as_is_said_and_in_its_box(rules: Rules, size: Size) -> None:
    @size.tries(4)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        played = play(start)
        vectors = observation_vector(played.program)
        stores = [moment.store for moment in some_moments(data, played, 4)]
        for store in (*stores, played.end):
            for player in played.program.layout.players:
                vector = vectors.vector(store, player)

                assert len(vector) == vectors.size
                assert all(type(number) is float and math.isfinite(number) for number in vector)
                for number, low, high in zip(vector, vectors.low, vectors.high, strict=True):
                    assert low <= number <= high

    holds()


def test_the_layout_has_a_part_for_every_number(rules: Rules, size: Size) -> None:
    for players in player_counts(rules):
        vectors = observation_vector(Start(rules, players, 0, 0).program)
        expected = 0
        for part in vectors.layout:
            assert part.offset == expected
            expected += math.prod(part.shape)
        assert expected == vectors.size == len(vectors.low) == len(vectors.high)
        assert len({part.name for part in vectors.layout}) == len(vectors.layout)
