"""What is offered can be answered, what is not raises; to look what can be done changes nothing."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, play, some_moments, starts
from test_copies import everything

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import current, pending
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.errors import IllegalActionError, InvalidActionError, PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_OPTIONS = 40


def offered(program: Program, store: Store) -> list[Value]:
    """Return options of the pending decision that live; not too many."""
    found = []
    for value in lookahead.living(program, store):
        found.append(value)
        if len(found) == MOST_OPTIONS:
            break
    return found


def test_every_option_that_is_offered_can_be_answered(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        for moment in some_moments(data, play(start), 4):
            options = offered(program, moment.store)
            assert options
            for value in options:
                copy = moment.store.clone()

                executor.answer(program, copy, value)

                assert copy != moment.store

    holds()


def strangers(program: Program, store: Store, generator: Generator) -> list[Value]:
    """Return values that are no answers to the pending decision."""
    asked = current(program, store)
    layout = program.layout
    meant = {repr(item) for option in asked.options for item in (option, *asked.group(option))}
    things = [thing for held in layout.things.values() for thing in held]
    values = [value for held in layout.enums.values() for value in held]
    tried: list[Value] = [
        *(generator.pick(things) for _ in range(4)),
        *values[:3],
        *(-1, 99, 10**20, "nothing", None, (), ("done",), 1.5, float("nan"), object()),
    ]
    return [value for value in tried if repr(value) not in meant]


def test_what_is_not_offered_raises_and_changes_nothing(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        program, generator = start.program, Generator(seed)
        for moment in some_moments(data, play(start), 3):
            store = moment.store
            living = offered(program, store)
            dead = [
                value
                for value in list(decisions.options(program, store))[:MOST_OPTIONS]
                if not lookahead.alive(program, store, value)
            ]
            no_done = [] if DONE in decisions.options(program, store) else [DONE]
            before = everything(store)
            for value in (*dead, *strangers(program, store, generator), *no_done):
                with pytest.raises(IllegalActionError):
                    executor.answer(program, store, value)

                assert everything(store) == before
            assert offered(program, store) == living

    holds()


def test_a_number_of_another_sort_is_no_answer(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        for moment in some_moments(data, play(start), 4):
            # Python finds `True == 1 == 1.0`; in a store they are not the same.
            for value in offered(program, moment.store):
                if type(value) is not int:
                    continue
                for alike in (float(value), *([bool(value)] if value in (0, 1) else [])):
                    copy = moment.store.clone()
                    try:
                        executor.answer(program, copy, alike)
                    except IllegalActionError:
                        continue
                    expected = moment.store.clone()
                    executor.answer(program, expected, value)
                    assert everything(copy) == everything(expected)

    holds()


def test_the_labels_of_a_decision_are_distinct_and_are_read_back(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        game = start.game
        for moment in some_moments(data, play(start), 3):
            store = moment.store
            values = list(decisions.options(program, store))[:MOST_OPTIONS]
            labels = decisions.option_labels(program, store, values)
            assert len(set(labels)) == len(labels)
            assert all(label and label == label.strip() for label in labels)

            state = State(game, store.clone())
            player = moment.player.number
            for action in state.legal_actions(player)[:MOST_OPTIONS]:
                by_label, by_number = state.clone(), state.clone()
                by_label.apply_action(action.label, player)
                by_number.apply_action(action.index, player)
                assert everything(by_label.store) == everything(by_number.store)

    holds()


def test_an_action_that_cannot_be_read_leaves_the_state_as_it_was(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data(), st.text(max_size=8))
    def holds(start: Start, data: st.DataObject, text: str) -> None:
        game = start.game
        for moment in some_moments(data, play(start), 2):
            state = State(game, moment.store.clone())
            before = everything(state.store)
            for given_as in (-1, 10**9, text + "?", ""):
                with pytest.raises((IllegalActionError, InvalidActionError)):
                    state.apply_action(given_as, moment.player.number)
                assert everything(state.store) == before

    holds()


def test_to_try_out_leaves_everything_as_it_was(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data())
    def holds(start: Start, data: st.DataObject) -> None:
        program = start.program
        for moment in some_moments(data, play(start), 3):
            store = moment.store
            before = everything(store)
            frames, locals = store.frames, [frame.locals for frame in store.frames]
            log, state = store.log, store.random_state
            program.decision_cache = None

            for value in list(decisions.options(program, store))[:MOST_OPTIONS]:
                if not lookahead.alive(program, store, value):
                    assert lookahead.explain_dead(program, store, value)
            for verb in program.game.verbs.values():
                if verb.needs_me and not verb.parameters:
                    for player in program.layout.players:
                        # The rules may never come to it in such a moment, and an error that is met
                        # in a trial leaves no more behind than anything else.
                        with contextlib.suppress(PlayError):
                            search.can_begin(program, store, verb.id, (), player)
            decisions.prompt(program, store)
            pending(program, store)

            assert store.frames is frames
            assert [frame.locals for frame in store.frames] == locals
            assert store.log is log
            assert store.random_state == state
            assert everything(store) == before

    holds()
