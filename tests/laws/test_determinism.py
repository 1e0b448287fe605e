"""The same seed and the same answers give the same game, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from playing import (
    MOST_DECISIONS,
    Rules,
    Size,
    Start,
    discovered,
    loaded,
    loaded_anew,
    player_counts,
    starts,
    steps,
)

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.random import Generator, below, seeded
from rulewright.interpreter.state.store import Store

LABELLED = 7
"""At every so many decisions the labels are compared, too."""


def transcript(start: Start, most: int = 400) -> list[object]:
    """Return all that can be told about a game, as texts and numbers."""
    program = start.program
    told: list[object] = []
    for number, (store, waiting) in enumerate(steps(start, most)):
        told.append((store.random_state, None if waiting is None else waiting.site))
        if waiting is not None and number % LABELLED == 0:
            values = list(lookahead.living(program, store))
            told.append(decisions.option_labels(program, store, values))
        last = store
    last.count_events()
    told.append(repr(last.columns))
    told.extend(
        (event.kind, repr(event.actor), repr(event.data), sorted(event.seers))
        for event in last.events()
    )
    return told


def end_of(start: Start) -> Store:
    """Return the last state of a game."""
    *_, (store, _) = steps(start)
    return store


def test_the_same_seed_and_answers_give_the_same_game(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        one, other = end_of(start), end_of(start)

        assert one == other
        assert one.key() == other.key()
        assert list(one.events()) == list(other.events())
        assert transcript(start) == transcript(start)

    holds()


def test_a_game_that_is_loaded_anew_is_the_same(rules: Rules, size: Size) -> None:
    start = Start(rules, player_counts(rules)[0], 5, 9)
    fresh = loaded_anew(rules, start.players)

    assert fresh is not loaded(rules, start.players)
    assert [thing.key for thing in fresh.layout.by_key.values()] == [
        thing.key for thing in start.program.layout.by_key.values()
    ]
    here = transcript(start)
    loaded.cache_clear()
    assert here == transcript(start)


def test_a_driver_that_draws_as_the_game_does_gets_the_same_game(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        program = start.program
        alone = end_of(start)
        store = executor.begin(program, start.seed)
        store.explicit_chance = True
        executor.advance(program, store)
        agents, scalars = Generator(start.agents), store.columns[SCALARS]
        answers = 0
        while answers < MOST_DECISIONS:
            if pending(program, store) is not None:
                value = lookahead.pick_random(program, store, agents)
                executor.answer(program, store, value, trusted=True)
                answers += 1
                continue
            outcomes = executor.chance_outcomes(program, store)
            if not outcomes:
                break
            # Where several act at once each of them has a generator of his own.
            scalars[RANDOM], number = below(store.random_state, len(outcomes))
            executor.answer_chance(program, store, outcomes[number])

        assert store.columns[1:] == alone.columns[1:]
        assert store.ending == alone.ending
        assert list(store.events()) == list(alone.events())

    holds()


def test_another_seed_is_another_game(rules: Rules, size: Size) -> None:
    start = Start(rules, player_counts(rules)[0], 0, 0)
    uses_chance = end_of(start).random_state != seeded(start.seed)

    answers = [_first_moves(Start(rules, start.players, seed, 0)) for seed in range(12)]

    assert (len(set(answers)) > 1) is uses_chance


def _first_moves(start: Start) -> str:
    """Return what has happened in a game when always the first living option was taken."""
    program = start.program
    store = executor.begin(program, start.seed)
    executor.advance(program, store)
    for _ in range(60):
        if pending(program, store) is None:
            break
        value = next(lookahead.living(program, store))
        executor.answer(program, store, value, trusted=True)
    # The generator itself differs from seed to seed, even where nobody uses it.
    return repr(store.columns[1:]) + repr([event.data for event in store.events()])


def test_the_generator_of_the_answers_is_not_that_of_the_game(rules: Rules, size: Size) -> None:
    start = Start(rules, player_counts(rules)[0], 3, 3)
    for store, waiting in steps(start, 50):
        if waiting is None:
            break
        before = store.random_state
        lookahead.pick_random(start.program, store, Generator(1))

        assert store.random_state == before


PROGRAM = """
import hashlib, sys
sys.path[:0] = {folders!r}
from playing import Start, discovered, player_counts
from test_determinism import transcript
for rules in discovered():
    told = transcript(Start(rules, player_counts(rules)[-1], 11, 12), 120)
    print(rules, hashlib.sha256(repr(told).encode()).hexdigest())
"""


def test_no_process_plays_in_another_way() -> None:
    # Sets of texts are in another order in each, and objects lie at other addresses.
    told = set()
    program = PROGRAM.format(folders=[str(folder) for folder in Path(__file__).parents[:2]])
    for seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        told.add(result.stdout)

    assert len(told) == 1
    assert len(told.pop().splitlines()) == len(discovered())
