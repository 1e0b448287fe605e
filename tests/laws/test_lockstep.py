"""Walker and generated code in lock-step: the same games, decision by decision.

The walker is the definition. At every decision both must stand at the same place with the same
state, ask the same player for the same options under the same labels, and have told the same
events; what one has saved, the other carries on.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playing import (
    Rules,
    branches,
    discovered,
    linked,
    loaded_anew,
    player_counts,
    shared_games,
)
from test_saves import answer as answer_for

from rulewright.interpreter.codegen import emit_frames, emit_tracks, emit_verbs, emit_ways
from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine.actions import living_offers
from rulewright.interpreter.engine.executor import advance, answer, begin
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.printing import emit_calls, emit_effects, emit_lines, emit_values
from rulewright.interpreter.printing.emit import Made
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_DECISIONS = 400
LIMITS = (7, 40, MOST_DECISIONS)
"""Where a game in the fast lane is looked at."""

SMALL_GAME = 15
"""So many verbs a game may have in which a bug is looked for."""

EVERY = 7
"""At every so many decisions the whole menu is looked at, not only the answer."""


def pair(load: Callable[[], Program]) -> tuple[Program, Program]:
    """Return a game twice: on the walker, and on generated code."""
    walked, quick = load(), load()
    generate(quick)
    return walked, quick


def pair_of(rules: Rules, players: int) -> tuple[Program, Program]:
    """Return a game of the laws twice."""
    return pair(lambda: loaded_anew(rules, players))


def plain(value: Value) -> Value:
    """Return a value as one that can be compared between two loaded games."""
    return repr(value)


def state_of(store: Store) -> dict[str, Any]:
    """Return everything that makes up a state."""
    store.count_events()
    return {
        "columns": plain(store.columns),
        "frames": [
            (frame.unit, frame.node, plain(frame.me), plain(sorted(frame.locals.items())))
            for frame in store.frames
        ],
        "transaction": plain(store.transaction),
        "viewer": plain(store.viewer),
        "branches": branches(store),
    }


def learned(store: Store) -> dict[str, Any]:
    """Return how often each of those who act at once has learned something: no part of a state, but
    it says what may be taken back."""
    fork = store.fork
    branches = () if fork is None else fork.branches
    return {
        "learned": [
            fork.learned if fork is not None and number == fork.at else branch.learned
            for number, branch in enumerate(branches)
        ]
    }


def told(store: Store) -> dict[str, Any]:
    """Return the events; how many there are is a part of the state."""
    return {"events": [plain(event) for event in store.events()]}


def asked(program: Program, store: Store, whole: bool) -> dict[str, Any]:
    """Return what the pending decision asks."""
    waiting = pending(program, store)
    if waiting is None:
        return {"site": None}
    found: dict[str, Any] = {"player": waiting.player.key, "site": waiting.site}
    if whole:
        values = [*lookahead.living(program, store), *living_offers(program, store)]
        found["options"] = plain(values)
        found["prompt"] = decisions.prompt(program, store)
        found["labels"] = decisions.option_labels(program, store, values)
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    """Yield what differs between two descriptions."""
    for name, value in one.items():
        if value != other[name]:
            yield f"{name}: {value} is not {other[name]}"[:2000]


def in_step(walked: Program, quick: Program, seed: int) -> Iterator[tuple[int, str]]:
    """Play one game on both; yield what differs, with the number of the decision."""
    one, other = begin(walked, seed), begin(quick, seed)
    agents = Generator(f"agents {seed}"), Generator(f"agents {seed}")
    advance(walked, one)
    advance(quick, other)
    for number in range(MOST_DECISIONS):
        whole = number % EVERY == 0
        for found in (
            *differences(state_of(one), state_of(other)),
            *differences(learned(one), learned(other)),
            *differences(asked(walked, one, whole), asked(quick, other, whole)),
        ):
            yield number, found
        if pending(walked, one) is None:
            break
        for program, store, agent in ((walked, one, agents[0]), (quick, other, agents[1])):
            value = lookahead.pick_random(program, store, agent)
            answer(program, store, value, trusted=True)
    for found in differences(told(one), told(other)):
        yield number, found


def lanes(walked: Program, quick: Program, seed: int) -> Iterator[str]:
    """Play one game with the executor on the walker and in the fast lane, from one limit to the
    next; yield what differs."""
    one, other = begin(walked, seed), begin(quick, seed)
    agents, players = Generator(f"agents {seed}"), Generator(f"agents {seed}")
    advance(walked, one)
    before = 0
    for limit in LIMITS:
        made = 0
        while before + made < limit and pending(walked, one) is not None:
            answer(walked, one, lookahead.pick_random(walked, one, agents), trusted=True)
            made += 1
        if quick.lane.play(other, players, limit - before) != made:
            yield "the number of decisions"
        if quick.lane.given_up:
            yield "the tracks were left"
        if quick.lane.tracks.names.refused:
            yield "Python does not take the tracks"
        if agents.state != players.state:
            yield "the generator of the players"
        before = limit
        if other.frames:
            # The executor passes over decisions when it is asked, the lane when it goes on.
            advance(quick, other)
        yield from differences(state_of(one), state_of(other))
        yield from differences(told(one), told(other))
        if pending(walked, one) is None:
            return


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, id=str(rules), marks=marks)
        for rules, marks in shared_games("test_generated_code_plays_the_games_of_the_walker")
    ],
)
def test_generated_code_plays_the_games_of_the_walker(rules: Rules) -> None:
    for players in {*player_counts(rules)[:1], *player_counts(rules)[-1:]}:
        check(rules, players, seeds=2)


@pytest.mark.slow
@pytest.mark.parametrize("rules", discovered(), ids=str)
def test_generated_code_plays_many_games_of_the_walker(rules: Rules) -> None:
    for players in player_counts(rules):
        check(rules, players, seeds=200)


def check(rules: Rules, players: int, seeds: int) -> None:
    """Fail where walker and generated code part."""
    walked, quick = pair_of(rules, players)
    for seed in range(seeds):
        first = next(in_step(walked, quick, seed), None)
        assert first is None, (players, seed, first)
        assert list(lanes(walked, quick, seed)) == [], (players, seed)


def wrong_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let generated code forget the second half of a sum."""
    monkeypatch.setitem(emit_values._TEMPLATES, "+", "one")  # type: ignore[arg-type]


def forgotten_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let generated code forget to tell what was set."""
    monkeypatch.setattr(emit_effects, "_event", lambda *arguments: [])


def blind_to_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let generated code take every comparison with a constant for true."""
    monkeypatch.setattr(
        emit_values, "_same", lambda function, node, scope: Made(emit_values.expression("True"))
    )


def forgotten_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tracks forget to write what has changed in a frame that stands."""
    monkeypatch.setattr(emit_frames.Frames, "_update", lambda *arguments: None)


def endless_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tracks forget that a transaction ends with the pass of its loop."""
    monkeypatch.setattr(emit_ways.Ways, "passed", lambda *arguments: None)


def stops_that_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stops in tracks forget who acted before."""
    monkeypatch.setattr(emit_verbs.Verbs, "_unwind", lambda *arguments: None)


def branches_that_look_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tracks forget that it is watched what a player learns who acts while others do."""
    tell = emit_ways.Ways.tell

    def told(self: emit_ways.Ways) -> None:
        self.at_once = False
        tell(self)

    monkeypatch.setattr(emit_ways.Ways, "tell", told)


def neighbours_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a define has said hold for ever, whatever becomes of the zones it depends on."""
    lately = emit_calls._lately

    def for_ever(function: Any, *arguments: Any) -> Any:
        tree = lately(function, *arguments)
        function.block[-1].test.comparators = [emit_values.expression("None")]
        function.block[-1].test.ops = [ast.Is()]
        return tree

    monkeypatch.setattr(emit_calls, "_lately", for_ever)


def rows_to_one_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows be looked for in one place only."""
    runs = emit_lines._runs
    monkeypatch.setattr(
        emit_lines, "_runs", lambda *arguments: (found[:1] for found in runs(*arguments))
    )


def looks_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tracks look at no watched condition."""
    monkeypatch.setattr(emit_tracks.Track, "watch", lambda self, op: op.edges["next"])


BUGS = [
    *(wrong_sums, forgotten_events, blind_to_bounds),
    *(neighbours_of_before, rows_to_one_side, looks_left_out),
    *(forgotten_frames, endless_transactions, stops_that_forget, branches_that_look_away),
]


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_generated_code_is_caught(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bug(monkeypatch)

    found = []
    for rules in discovered():
        if len(linked(rules).verbs) > SMALL_GAME:
            continue
        walked, quick = pair_of(rules, player_counts(rules)[-1])
        try:
            for seed in range(3):
                found += list(itertools.islice(in_step(walked, quick, seed), 1))
                found += [(seed, one) for one in itertools.islice(lanes(walked, quick, seed), 1)]
        except Exception as error:  # a bug may break the game altogether
            found.append((0, repr(error)))
        if found:
            return
    pytest.fail("nobody notices")


@pytest.mark.parametrize("rules", discovered(), ids=str)
def test_what_one_has_saved_the_other_carries_on(rules: Rules) -> None:
    walked, quick = pair_of(rules, player_counts(rules)[-1])
    texts = []
    for first, second in ((walked, quick), (quick, walked)):
        one = State(as_game(rules, first), begin(first, 3), 3)
        advance(first, one.store)
        agents = Generator("before")
        for _ in range(40):
            if one.is_terminal():
                break
            answer_for(one, agents)

        texts.append(record.save(one))
        other = record.load(texts[-1], as_game(rules, second))

        mine, theirs = Generator("after"), Generator("after")
        for _ in range(40):
            assert list(differences(state_of(one.store), state_of(other.store))) == []
            if one.is_terminal():
                break
            answer_for(one, mine)
            answer_for(other, theirs)
    assert texts[0] == texts[1]


def as_game(rules: Rules, program: Program) -> Game:
    """Return a loaded game for the API."""
    return Game(linked(rules), program, tuple(seat.name for seat in program.layout.players))
