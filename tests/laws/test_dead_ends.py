"""An option is offered if and only if it can be carried on to the horizon: tried by brute force."""

from __future__ import annotations

import brute
import pytest
from brute import Pass, TooLarge
from hypothesis import given, strategies as st
from playing import Played, Rules, Size, Start, discovered, play, some_moments, starts

from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.store import Store


def passes(played: Played) -> dict[int, Pass]:
    """Return for each moment the pass that ends its transaction; a transaction that goes on keeps
    the pass of its first decision."""
    found: dict[int, Pass] = {}
    running: object = None
    for moment in played.moments:
        store = moment.store
        if store.transaction is not running:
            last = brute.pass_around(played.program, store)
        running = store.transaction
        found[id(moment)] = last
    return found


def test_options_are_those_that_reach_the_horizon(rules: Rules, size: Size) -> None:
    tried = 0

    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        nonlocal tried
        played = play(start)
        until = passes(played)
        for moment in some_moments(data, played, 12):
            try:
                expected = brute.living(start.program, moment.store, until[id(moment)])
            except TooLarge:
                continue
            tried += 1
            start.program.decision_cache = None

            offered = list(lookahead.living(start.program, moment.store))

            assert offered == expected, moment.site

    holds()
    if not tried:
        pytest.skip("there is too much to try")


def test_a_verb_can_be_begun_if_it_reaches_the_horizon(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        played = play(start)
        for moment in some_moments(data, played, 3):
            for verb in program.game.verbs.values():
                if verb.parameters or not verb.needs_me:
                    continue
                for player in program.layout.players:
                    try:
                        expected = brute.can_begin(program, moment.store, verb.id, player)
                    except TooLarge:
                        continue
                    except PlayError as error:
                        if error.code == "RW621":
                            # Several act at once; no rules can ask for such a verb then.
                            continue
                        assert error.code == _error(start, moment.store, verb.id, player)
                        continue

                    possible, reasons = search.can_begin(program, moment.store, verb.id, (), player)

                    assert possible is expected, (verb.id, player, reasons)
                    assert possible or reasons

    holds()


def _error(start: Start, store: Store, verb: str, player: object) -> str | None:
    try:
        search.can_begin(start.program, store, verb, (), player)  # type: ignore[arg-type]
    except PlayError as error:
        return error.code
    return None


def test_an_engine_that_looks_too_short_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = next(rules for rules in discovered() if rules.path.name == "bargains")
    played = play(Start(rules, 2, 1, 1))
    until = passes(played)
    monkeypatch.setattr(lookahead, "alive", lambda program, store, value: True)

    wrong = [
        moment
        for moment in played.moments
        if list(lookahead.living(played.program, moment.store))
        != brute.living(played.program, moment.store, until[id(moment)])
    ]

    assert wrong
