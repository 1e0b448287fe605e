"""Walker and generated code on games that nobody wrote (`made_up`): both play the same.

Rules errors are compared, too: code and place. In a game without one the tracks must not give up,
which would hide that they are wrong. One difference is allowed: an error that comes while an option is
tried out. The fast lane tries out only what it draws, and generated code ends a trial where nothing can
fail any more, so neither need ever meet it.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from made_up import made_up
from made_up_words import accepted
from test_lockstep import asked, differences, pair, state_of, told

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.engine.executor import advance, answer, begin
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

SECONDS = 4
"""So long games are made up; `--slow` makes up more."""

MOST_DECISIONS = 60
LIMITS = (1, 2, 9, 10, 31, MOST_DECISIONS)


@attrs.define
class Numbers:
    """What has been compared."""

    games: int = 0
    refused: int = 0
    decisions: int = 0
    at_once: int = 0
    """Those of players who act at once."""

    errors: int = 0


def fault(error: PlayError | None) -> str:
    """Return what a rules error is."""
    return "" if error is None else f"{error.code} {error.span}"


def left_at(store: Store, error: PlayError) -> dict[str, Any]:
    """Return in which state a rules error leaves a game, and which rules were running."""
    running = [f"{rule.text} {rule.span}" for rule in error.stack]
    return {"running": running, **state_of(store)}


def while_trying_out(error: PlayError) -> bool:
    """Return whether a rules error came while an option was tried out."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code is search.try_out.__code__ for frame, _ in frames)


def question(program: Program, store: Store, whole: bool) -> dict[str, Any]:
    """Return what the pending decision asks, or the rules error that its options meet."""
    try:
        return {"error": "", **asked(program, store, whole)}
    except PlayError as error:
        return {"error": fault(error), "tried": while_trying_out(error)}


def moves(program: Program, seed: int) -> Iterator[tuple[Store, PlayError | None, Generator]]:
    """Play a game in the way of the executor; yield the store at each decision, and at last the
    rules error."""
    store, agents = begin(program, seed), Generator(f"agents {seed}")
    try:
        advance(program, store)
        yield store, None, agents
        while pending(program, store) is not None:
            value = lookahead.pick_random(program, store, agents)
            answer(program, store, value, trusted=True)
            yield store, None, agents
    except PlayError as error:
        yield store, error, agents


def compared(walked: Program, quick: Program, seed: int, numbers: Numbers) -> Iterator[Any]:
    """Play one game on both, decision by decision; yield what differs."""
    quick.lane.given_up = 0
    error = None
    both = zip(moves(walked, seed), moves(quick, seed), strict=True)
    for number, ((one, error, agents), (other, fault_of_other, players)) in enumerate(both):
        if error and not fault_of_other and while_trying_out(error):
            return
        if fault(error) != fault(fault_of_other):
            yield number, f"error {fault(error)!r} is not {fault(fault_of_other)!r}"
            return
        if error and while_trying_out(error):
            # The other one may have met it when it did what was only tried out here.
            numbers.errors += 1
            return
        if number == MOST_DECISIONS:
            break
        numbers.decisions += 1
        numbers.at_once += one.fork is not None
        if error and fault_of_other:
            for difference in differences(left_at(one, error), left_at(other, fault_of_other)):
                yield "where it went wrong", difference
            break
        whole = number % 5 == 0
        mine, theirs = question(walked, one, whole), question(quick, other, whole)
        tried = mine.pop("tried", False)
        theirs.pop("tried", None)
        # A probe stops where nothing can fail any more; a trial runs on and may meet an error.
        alone = tried and not theirs["error"]
        found = [
            *differences(state_of(one), state_of(other)),
            *(() if alone else differences(mine, theirs)),
        ]
        if agents.state != players.state:
            found.append("the players have drawn something else")
        if found:
            yield number, found
            return
        if alone:
            return
    for difference in differences(told(one), told(other)):
        yield "events", difference
    if quick.lane.tracks.names.refused:
        yield "broken", "Python does not take the tracks"
    if not error and quick.lane.given_up:
        yield "given up", quick.lane.given_up
    numbers.errors += bool(error)


def in_the_lane(walked: Program, quick: Program, seed: int) -> Iterator[Any]:
    """Play one game with the executor and in the fast lane, from one limit to the next; between
    them the executor plays on with generated code. Yield what differs."""
    quick.lane.given_up = 0
    walk = enumerate(moves(walked, seed))
    number, (one, error, agents) = next(walk)
    other, players = begin(quick, seed), Generator(f"agents {seed}")
    before = 0
    for turn, limit in enumerate(LIMITS):
        while not error and number < limit:
            found = next(walk, None)
            if found is None:
                break
            number, (one, error, agents) = found
        mine = None
        try:
            if turn % 3 == 2:
                advance(quick, other)
                for _ in range(limit - before):
                    if pending(quick, other) is not None:
                        value = lookahead.pick_random(quick, other, players)
                        answer(quick, other, value, trusted=True)
            else:
                quick.lane.play(other, players, limit - before)
            advance(quick, other)
        except PlayError as met:
            mine = met
        before = limit
        if error and not mine and while_trying_out(error):
            return
        if fault(mine) != fault(error):
            yield limit, f"error {fault(error)!r} is not {fault(mine)!r}"
        if error or mine:
            return
        if quick.lane.given_up:
            yield limit, "given up"
        if agents.state != players.state:
            yield limit, "the players have drawn something else"
        found = [*differences(state_of(one), state_of(other)), *differences(told(one), told(other))]
        if found:
            yield limit, found
            return


def check(seed: int, numbers: Numbers, seeds: int = 2) -> None:
    """Make up a game; fail where walker and generated code part."""
    try:
        text, game = accepted(made_up(seed))
    except RulesError:
        numbers.refused += 1
        return
    numbers.games += 1
    walked, quick = pair(lambda: load_program(game, 1 + seed % 3))
    for played in range(seeds):
        for play in (
            compared(walked, quick, played, numbers),
            in_the_lane(walked, quick, played),
        ):
            first = next(play, None)
            assert first is None, f"game {seed}, seed {played}: {first}\n{text}"


def test_generated_code_plays_made_up_games_of_the_walker() -> None:
    numbers, start = Numbers(), time.monotonic()
    for seed in range(1000):
        if time.monotonic() - start > SECONDS:
            break
        check(seed, numbers)

    assert numbers.refused < numbers.games / 4, numbers
    assert numbers.errors < numbers.games, numbers


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_generated_code_plays_many_made_up_games_of_the_walker(start: int) -> None:
    numbers = Numbers()
    for seed in range(start, start + 100):
        check(seed, numbers)

    assert numbers.at_once > 0, numbers
