"""Saves that somebody has changed, who knows how to seal them: refused in one line, or played on."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Iterator
from typing import Any

import tomli_w
from playing import Rules, Size, Start, player_counts
from test_saves import answer, assert_same

from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.save_format import seal_of
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.state.random import Generator

SAVES = 3
PLAYED_ON = 6
VALUES = (
    0,
    -1,
    1,
    7,
    10**12,
    True,
    "",
    "x",
    "none",
    "Player:1",
    0.5,
    [],
    [0],
    [[]],
    {},
    {"text": "x"},
)


def middle(start: Start, most: int) -> State:
    """Return a state of a game that is going on, with a decision to be made."""
    game, agents = start.game, Generator(start.agents)
    state = game.new_initial_state(start.seed)
    for _ in range(most):
        before = state.clone()
        answer(state, agents)
        if pending(game.program, state.store) is None:
            return before
    return state


def parts(plain: Any) -> Iterator[tuple[Any, Any]]:
    """Yield everything that stands in something: what it stands in, and where."""
    keys = list(plain) if isinstance(plain, dict) else range(len(plain))
    for key in keys:
        yield plain, key
        if isinstance(plain[key], dict | list):
            yield from parts(plain[key])


def spoilt(plain: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    """Return a save with something else at one to three places."""
    plain = copy.deepcopy(plain)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        # As many of the answers, of which there are few, as of all the rest.
        sort = generator.choice(["answers", "events", "branches", "players", "options", *plain])
        within = plain.get(sort)
        every = list(parts(within)) if isinstance(within, dict | list) else []
        holder, key = generator.choice(every or [(plain, generator.choice(list(plain)))])
        kind = generator.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[generator.randrange(len(holder))]))
        elif kind == 2 and isinstance(holder, list):
            other = generator.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        elif kind == 3:
            other, at = generator.choice(list(parts(plain)))
            holder[key] = copy.deepcopy(other[at])
        elif kind == 4 and type(holder[key]) is int:
            holder[key] += generator.choice((-1, 1))
        else:
            holder[key] = copy.deepcopy(generator.choice(VALUES))
    return plain


def is_legal(state: State) -> None:
    """Check that nothing is wrong with a state, nor with what anybody has before him."""
    for store in (state.store, seen_by(state.store, None)):
        assert list(breaches(store)) == []


def played_on(state: State, seed: int) -> None:
    """Play on, save, load and compare."""
    agents = Generator(seed)
    for _ in range(PLAYED_ON):
        if not state.current_players():
            break
        is_legal(state)
        answer(state, agents)
    is_legal(state)
    assert_same(state, record.load(record.save(state), state.game))


def tampered(start: Start, most: int, number: int) -> tuple[int, int]:
    """Load so many changed saves of a game; return how many were refused and played on."""
    state = middle(start, most)
    plain = tomllib.loads(record.save(state))
    del plain["seal"]
    refused = 0
    for seed in range(number):
        changed = spoilt(plain, random.Random(f"{start.seed} {seed}"))
        try:
            text = tomli_w.dumps({"seal": seal_of(changed), **changed})
        except TypeError:
            continue
        try:
            loaded = record.load(text, start.game)
        except RecordError as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        played_on(loaded, seed)
    return refused, number - refused


def test_a_save_that_was_tampered_with_is_refused_or_played_on(rules: Rules, size: Size) -> None:
    number = max(2, round(SAVES * size.factor))
    counts = player_counts(rules)
    start = Start(rules, counts[len(counts) // 2], 5, 7)

    refused, played = tampered(start, 20, number)

    print(f"seeds 0 to {number - 1}: {refused} refused, {played} played on")
    assert refused + played == number
