"""A state that was made into bytes and back is the same state, at every decision."""

from __future__ import annotations

from hypothesis import given, strategies as st
from playing import Rules, Size, Start, branches, loaded_anew, play, player_counts, starts, steps
from test_saves import answer

from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.play.snapshot import Snapshots, snapshots_of
from rulewright.interpreter.program.decisions import option_labels, options, pending
from rulewright.interpreter.state.layout import EVENTS, SCALARS
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

MOST = 150
"""So many decisions of a game are looked at."""


def content(store: Store) -> list[object]:
    """Return all that a state consists of but for its log, as texts, so that states of two programs
    can be compared; and which types the values have, as 1 is equal to True."""
    store.count_events()
    return [
        repr(store.columns),
        [
            (frame.unit, frame.node, repr(frame.me), sorted(map(repr, frame.locals.items())))
            for frame in store.frames
        ],
        repr(store.transaction),
        repr(store.viewer),
        branches(store),
        repr(store.dictated),
        store.trail,
        store.explicit_chance,
        store.strict,
    ]


def asked(program: Program, store: Store) -> list[object]:
    """Return what is asked, and what can be answered."""
    waiting = pending(program, store)
    if waiting is None:
        return []
    listed = tuple(options(program, store))[:1000]
    alive = [lookahead.alive(program, store, value) for value in listed[:50]]
    return [waiting.site, repr(waiting.player), option_labels(program, store, listed), alive]


def since_the_fork(store: Store) -> list[Event]:
    """Return the events that a state knows without its log: of a player who acts while others do."""
    if store.fork is None:
        return []
    own = store.count_events() - store.fork.columns[SCALARS][EVENTS]
    happened = list(store.events())
    return happened[len(happened) - own :]


def assert_the_same(codec: Snapshots, store: Store, log: bool = True) -> None:
    """Check that a state comes back as it was, in the same bytes, and that it was left alone."""
    before = content(store)

    data = codec.pack(store, log=log)
    back = codec.unpack(data)

    assert back == store
    assert back.key() == store.key()
    assert content(back) == before == content(store)
    assert back.viewer is store.viewer
    assert list(back.events()) == (list(store.events()) if log else since_the_fork(store))
    assert codec.pack(back, log=log) == data


def test_a_state_comes_back_as_it_was(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.booleans())
    def holds(start: Start, strict: bool) -> None:
        codec = snapshots_of(start.program)
        for number, (store, _) in enumerate(steps(start, round(MOST * size.factor), strict)):
            assert_the_same(codec, store, log=number % 20 == 0)

    holds()


def test_a_state_goes_on_as_it_would_have_elsewhere(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules), st.integers(0, 40), st.integers(1, 7), st.booleans())
    def holds(start: Start, first: int, every: int, quick: bool) -> None:
        here = start.program
        # As in another process: nothing in it has been compiled, and it has things of its own.
        there = loaded_anew(rules, start.players)
        if quick:
            generate(there)
        codec, other_codec = snapshots_of(here), snapshots_of(there)
        store = executor.begin(here, start.seed)
        executor.advance(here, store)
        one, other = Generator(start.agents), Generator(start.agents)
        copy = other_codec.unpack(codec.pack(store, log=True))
        for number in range(first + 40):
            assert content(copy) == content(store)
            assert asked(there, copy) == asked(here, store)
            if pending(here, store) is None:
                break
            for program, state, agents in ((here, store, one), (there, copy, other)):
                value = lookahead.pick_random(program, state, agents)
                executor.answer(program, state, value, trusted=True)
            if number >= first and number % every == 0:
                # From one to the other and back again, over and over.
                store = codec.unpack(other_codec.pack(copy, log=True))
                copy = other_codec.unpack(codec.pack(store, log=True))

        assert repr(list(copy.events())) == repr(list(store.events()))
        assert codec.pack(store, log=True) == other_codec.pack(copy, log=True)

    holds()


def test_equal_positions_have_equal_bytes_and_others_have_others(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        codec = snapshots_of(start.program)
        stores = [moment.store for moment in play(start, 40).moments]
        packed = [codec.pack(store) for store in stores]
        for store, data in zip(stores, packed, strict=True):
            for other, more in zip(stores, packed, strict=True):
                assert (data == more) is (store == other and store.viewer is other.viewer)

    holds()


def test_a_state_comes_back_where_a_driver_tells_what_chance_brings(
    rules: Rules, size: Size
) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        game, agents = start.game, Generator(start.agents)
        codec = snapshots_of(game.program)
        state = game.new_initial_state(start.seed, explicit_chance=True)
        for _ in range(round(60 * size.factor)):
            assert_the_same(codec, state.store)
            back = game.unpack(state.pack(log=True))
            assert back.is_chance_node() is state.is_chance_node()
            if state.is_chance_node():
                assert back.chance_outcomes() == state.chance_outcomes()
                state.apply_chance(agents.below(len(state.chance_outcomes())))
            elif state.is_terminal():
                break
            else:
                answer(state, agents)

    holds()


def test_a_finished_game_comes_back(rules: Rules, size: Size) -> None:
    start = Start(rules, player_counts(rules)[-1], 6, 6)
    game, agents = start.game, Generator(6)
    state = game.new_initial_state(6)
    for _ in range(400):
        if state.is_terminal():
            break
        answer(state, agents)

    back = game.unpack(state.pack(log=True))

    assert_the_same(snapshots_of(game.program), state.store)
    assert back.is_terminal() is state.is_terminal()
    assert (back.ending, back.winners(), back.returns()) == (
        state.ending,
        state.winners(),
        state.returns(),
    )
    assert back.history() == state.history()
