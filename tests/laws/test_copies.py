"""A copy of a state has a life of its own."""

from __future__ import annotations

from hypothesis import given, strategies as st
from playing import Rules, Size, Start, branches, play, some_moments, starts

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store


def everything(store: Store) -> tuple[object, ...]:
    """Return all that a state consists of; texts, so that nothing in it is shared."""
    store.count_events()
    return (
        repr(store.columns),
        [
            (frame.unit, frame.node, repr(sorted(frame.locals.items())), frame.me)
            for frame in store.frames
        ],
        list(store.events()),
        repr(store.transaction),
        store.viewer,
        branches(store),
        store.dictated,
        store.trail,
        store.explicit_chance,
        store.strict,
    )


def go_on(program: Program, store: Store, seed: int, most: int = 30) -> None:
    """Play on at random."""
    agents = Generator(seed)
    for _ in range(most):
        if pending(program, store) is None:
            return
        value = lookahead.pick_random(program, store, agents)
        executor.answer(program, store, value, trusted=True)


def test_a_copy_and_its_original_do_not_touch_each_other(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data(), st.integers(0, 2**16), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, one: int, other: int) -> None:
        program = start.program
        for moment in some_moments(data, play(start), 3):
            original = moment.store.clone()
            copy = original.clone()
            before = everything(original)
            assert copy == original
            assert copy.key() == original.key()
            assert everything(copy) == before

            go_on(program, original, one)

            assert everything(copy) == before
            later = everything(original)

            go_on(program, copy, other)

            assert everything(original) == later

    holds()


def test_a_copy_goes_on_as_its_original_would(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        program = start.program
        for moment in some_moments(data, play(start), 2):
            original, copy = moment.store.clone(), moment.store.clone()

            go_on(program, original, seed, 200)
            go_on(program, copy, seed, 200)

            assert everything(original) == everything(copy)

    holds()


def test_equal_states_have_equal_keys_and_other_ones_others(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        stores = [moment.store for moment in play(start, 60).moments]
        for store in stores:
            for other in stores:
                if store == other:
                    assert store.key() == other.key()
            # What only tells how a position was reached is no part of it.
            another = store.clone()
            another.write(0, 0, store.random_state ^ 1)
            assert another.key() == store.key()

    holds()
