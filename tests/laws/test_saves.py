"""A game that was saved and loaded is the same game, at every decision."""

from __future__ import annotations

from hypothesis import given, strategies as st
from playing import Rules, Size, Start, player_counts, starts
from test_copies import everything

from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.random import Generator

SAVES = 8


def answer(state: State, agents: Generator) -> None:
    """Answer the pending decision at random."""
    value = pick_random(state.game.program, state.store, agents)
    state.apply_value(value, state.current_players()[0])


def knowledge(state: State) -> list[object]:
    """Return what the players know, and what they have answered."""
    return [
        [state.information_state(player) for player in range(state.game.num_players)],
        [(one.site, one.player, one.label, repr(one.value)) for one in state.history()],
    ]


def assert_same(state: State, loaded: State) -> None:
    """Check that nothing has changed but the objects."""
    assert loaded.store == state.store
    assert loaded.store.key() == state.store.key()
    assert everything(loaded.store) == everything(state.store)
    assert list(loaded.store.events()) == list(state.store.events())
    assert loaded.history() == state.history()


def test_a_saved_game_is_the_same_game(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules), st.integers(1, 40))
    def holds(start: Start, stride: int) -> None:
        game, agents = start.game, Generator(start.agents)
        state = game.new_initial_state(start.seed)
        stride = 1 if size.factor > 1 else stride
        saves = 0
        for number in range(round(stride * SAVES * size.factor)):
            if pending(game.program, state.store) is None:
                break
            answer(state, agents)
            if number % stride == 0:
                text = record.save(state)
                loaded = record.load(text, game)
                assert_same(state, loaded)
                assert record.save(loaded) == text
                saves += 1
        assert saves or not state.history()

    holds()


def test_a_saved_game_goes_on_as_it_would_have(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules), st.integers(0, 60), st.integers(1, 9))
    def holds(start: Start, first: int, every: int) -> None:
        game = start.game
        state, other = game.new_initial_state(start.seed), game.new_initial_state(start.seed)
        agents, others = Generator(start.agents), Generator(start.agents)
        for number in range(first + 40):
            if pending(game.program, state.store) is None:
                break
            answer(state, agents)
            answer(other, others)
            if number >= first and number % every == 0:
                # One of the two is put away and taken out again, over and over.
                other = record.load(record.save(other), game)

        assert_same(state, other)
        assert knowledge(state) == knowledge(other)

    holds()


def test_a_finished_game_can_be_saved(rules: Rules, size: Size) -> None:
    start = Start(rules, player_counts(rules)[0], 4, 4)
    game, agents = start.game, Generator(4)
    state = game.new_initial_state(4)
    for _ in range(400):
        if state.is_terminal():
            break
        answer(state, agents)

    loaded = record.load(record.save(state), game)

    assert_same(state, loaded)
    assert loaded.returns() == state.returns()
