"""Walker and generated code where rules are wrong: the same error, at the same place, in the same state.

Two sorts of games: made-up ones whose rules can go wrong (`made_up_wrong`), and games of the shelf with a
small change in their text (`mutated`) that the checker accepts. Both are compared decision by decision, in
the way of the executor and in the fast lane (see `test_made_up`, which says what may differ). Nothing but
a rules error may come out of them.
"""

from __future__ import annotations

import time

import pytest
from made_up_words import accepted
from made_up_wrong import made_up_wrong
from mutated import mutated
from test_lockstep import pair
from test_made_up import Numbers, compared, in_the_lane

from rulewright.dsl import model
from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.state.errors import PlayError

SECONDS = 3
"""So long each sort of games is played; `--slow` plays more."""


def play(name: str, text: str, game: model.Game, players: int, numbers: Numbers) -> None:
    """Play a game; fail where walker and generated code part."""
    numbers.games += 1
    try:
        walked, quick = pair(lambda: load_program(game, players))
    except PlayError:
        # Start values go wrong before anything is generated.
        return
    for seed in range(2):
        for how in (compared(walked, quick, seed, numbers), in_the_lane(walked, quick, seed)):
            try:
                first = next(how, None)
            except Exception as error:
                raise AssertionError(f"{name}, seed {seed}: {error!r}\n{text}") from error
            # A track may always leave it to the executor.
            left = first is None or "given up" in first
            assert left, f"{name}, seed {seed}: {first}\n{text}"


def make_up(seed: int, numbers: Numbers) -> None:
    """Make up a game whose rules can go wrong, and play it."""
    try:
        text, game = accepted(made_up_wrong(seed))
    except RulesError:
        numbers.refused += 1
        return
    play(f"made-up game {seed}", text, game, 1 + seed % 3, numbers)


def mutate(seed: int, numbers: Numbers) -> None:
    """Change a game of the shelf a little, and play it."""
    found = mutated(seed)
    if found is None:
        numbers.refused += 1
        return
    play(f"mutation {seed}: {found.change}", "", found.game, found.players, numbers)


def test_made_up_rules_go_wrong_alike() -> None:
    numbers, start = Numbers(), time.monotonic()
    for seed in range(1000):
        if time.monotonic() - start > SECONDS:
            break
        make_up(seed, numbers)

    assert numbers.refused <= numbers.games, numbers
    assert numbers.errors > 0, numbers


def test_mutated_games_go_wrong_alike() -> None:
    numbers, start = Numbers(), time.monotonic()
    for seed in range(1000):
        if time.monotonic() - start > SECONDS:
            break
        mutate(seed, numbers)

    assert numbers.games > 0, numbers


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1600, 50))
def test_many_made_up_rules_go_wrong_alike(start: int) -> None:
    numbers = Numbers()
    for seed in range(start, start + 50):
        make_up(seed, numbers)

    assert numbers.errors > 0, numbers


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1600, 50))
def test_many_mutated_games_go_wrong_alike(start: int) -> None:
    numbers = Numbers()
    for seed in range(start, start + 50):
        mutate(seed, numbers)

    assert numbers.games > 0, numbers
