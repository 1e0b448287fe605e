"""Action numbers: every option has one of its own, which is the same wherever nobody can tell a difference."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from playing import (
    MOST_DECISIONS,
    Rules,
    Size,
    Start,
    discovered,
    loaded_anew,
    play,
    player_counts,
    some_moments,
    starts,
)
from test_saves import answer
from worlds import another_world, has_secrets

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.knowledge.action_codes import ThingCodes
from rulewright.interpreter.knowledge.action_numbers import action_numbers
from rulewright.interpreter.play import record
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import current, offers, options, pending
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_OPTIONS = 1000


def values_at(program: Program, store: Store) -> Sequence[Value]:
    """Return the options of the pending decision and the offers beside it."""
    return (*tuple(options(program, store))[:MOST_OPTIONS], *offers(program, store))


def numbers_at(program: Program, store: Store) -> list[int]:
    """Return their numbers, in their order."""
    program.decision_cache = None
    values = values_at(program, store)
    return action_numbers(program).numbers(store, current(program, store), values)


def test_the_options_of_a_decision_have_different_numbers_that_are_read_back(
    rules: Rules, size: Size
) -> None:
    @size.tries(4)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        numbering = action_numbers(program)
        for moment in some_moments(data, play(start), 12):
            values = values_at(program, moment.store)
            found = numbers_at(program, moment.store)
            site = next(one for one in numbering.sites if one.name == moment.site)

            assert len(set(found)) == len(found)
            for number, value in zip(found, values, strict=True):
                assert numbering.value_of(moment.store, number) == value
                assert numbering.name(number).startswith((f"{moment.site}: ", "offers: "))
            for number in (*range(site.first, site.first + site.size), -1, numbering.size):
                if number not in found:
                    with pytest.raises(InvalidActionError):
                        numbering.value_of(moment.store, number)

    holds()


def test_the_table_has_a_place_for_every_number(rules: Rules, size: Size) -> None:
    for players in player_counts(rules):
        numbering = action_numbers(Start(rules, players, 0, 0).program)
        names = [numbering.name(number) for number in range(numbering.size)]
        expected = 0
        for site in numbering.sites:
            assert site.first == expected and site.size > 0
            assert all(name.startswith(f"{site.name}: ") for name in names[expected:][: site.size])
            expected += site.size
        assert expected == numbering.size
        assert len({site.name for site in numbering.sites}) == len(numbering.sites)


def test_a_game_is_played_by_numbers_alone(rules: Rules, size: Size) -> None:
    for players in player_counts(rules):
        for seed in range(round(size.factor) or 1):
            program = Start(rules, players, seed, seed).program
            numbering, agents = action_numbers(program), Generator(seed)
            store = executor.begin(program, seed)
            executor.advance(program, store)
            for _ in range(MOST_DECISIONS):
                if pending(program, store) is None:
                    break
                number = agents.pick(numbering.legal(store))
                executor.answer(program, store, numbering.value_of(store, number), trusted=True)
            assert numbering.legal(store) == [] or not executor.is_over(store)


def test_numbers_stay_the_same_when_a_game_is_saved_packed_and_loaded_anew(
    rules: Rules, size: Size
) -> None:
    @size.tries(2)
    @given(starts(rules), st.integers(1, 40))
    def holds(start: Start, stride: int) -> None:
        game, agents = start.game, Generator(start.agents)
        state = game.new_initial_state(start.seed)
        for number in range(stride * 4):
            if pending(game.program, state.store) is None:
                break
            answer(state, agents)
            if number % stride or pending(game.program, state.store) is None:
                continue
            here = numbers_at(game.program, state.store)
            for other in (record.load(record.save(state), game), game.unpack(state.pack())):
                assert numbers_at(game.program, other.store) == here

    holds()


def test_a_game_that_is_loaded_anew_has_the_same_numbers(rules: Rules, size: Size) -> None:
    players = player_counts(rules)[-1]
    here = action_numbers(Start(rules, players, 0, 0).program)
    anew = action_numbers(loaded_anew(rules, players))

    assert anew is not here
    assert anew.sites == here.sites
    assert anew.digest == here.digest


def test_numbers_tell_nothing_that_a_player_does_not_see(rules: Rules, size: Size) -> None:
    if not has_secrets(Start(rules, player_counts(rules)[0], 0, 0).program):
        pytest.skip("everything is seen by everybody")

    @size.tries(8)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played, generator = play(start), Generator(seed)
        for moment in some_moments(data, played, 6):
            assert not told(played.program, moment.store, generator)

    holds()


def told(program: Program, store: Store, generator: Generator) -> list[int]:
    """Return the numbers by which a player can tell two worlds apart that look the same to him."""
    found = []
    for player in program.layout.players:
        here = seen_by(store, player)
        waiting = pending(program, here)
        if waiting is not None and waiting.player is player:
            there = another_world(program, store, player, generator)
            pairs = zip(numbers_at(program, here), numbers_at(program, there), strict=True)
            found += [one for one, other in pairs if one != other]
    program.decision_cache = None
    return found


def test_numbers_that_tell_what_lies_hidden_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def cheating(self: ThingCodes, store: Store, asked: object, values: Sequence[Value]) -> object:
        return [value.number for value in values]

    monkeypatch.setattr(ThingCodes, "codes", cheating)
    (rules,) = (one for one in discovered() if str(one) == "face_down")
    generator = Generator(1)
    found: list[int] = []
    for seed in range(10):
        played = play(Start(rules, 2, seed, seed))
        for moment in played.moments:
            found += told(played.program, moment.store, generator)

    assert found


PROGRAM = """
import hashlib, sys
sys.path[:0] = {folders!r}
from playing import Start, discovered, play, player_counts
from test_action_numbers import action_numbers, numbers_at
from rulewright.interpreter.knowledge.observation_vector import observation_vector
for rules in discovered():
    start = Start(rules, player_counts(rules)[-1], 11, 12)
    told = [numbers_at(start.program, moment.store) for moment in play(start, 60).moments]
    vectors = observation_vector(start.program)
    seen = [vectors.vector(one.store, one.player) for one in play(start, 20).moments]
    for found in (told, seen):
        print(rules, action_numbers(start.program).digest, hash(tuple(map(tuple, found))))
"""


@pytest.mark.slow
@pytest.mark.bounded
def test_no_process_has_other_numbers_or_vectors() -> None:
    folders = [str(folder) for folder in Path(__file__).parents[:2]]
    said = set()
    for seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(folders=folders)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        said.add(result.stdout)

    assert len(said) == 1
    assert len(said.pop().splitlines()) == 2 * len(discovered())
