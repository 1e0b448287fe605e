"""Several players at once: no order of their answers matters, and nobody learns of the others."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, branches, loaded, player_counts, starts
from test_copies import everything
from test_saves import assert_same, knowledge
from worlds import differences, recollection, view

from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Value

MOST = 120


@pytest.fixture(autouse=True)
def _at_once(rules: Rules) -> None:
    program = loaded(rules, player_counts(rules)[0])
    if not any(node.kind == "fork" for plan in program.plans.values() for node in plan.nodes):
        pytest.skip("nobody acts while others do")


def answer(state: State, player: int, agents: Generator) -> Value:
    """Let a player answer at random; return what he has answered."""
    asking = state.asking(player)
    assert asking is not None
    value = pick_random(state.game.program, asking, agents)
    state.apply_value(value, player)
    return value


def test_the_order_of_the_answers_does_not_matter(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.integers(0, 2**16))
    def holds(start: Start, seed: int) -> None:
        game, agents, order = start.game, Generator(start.agents), Generator(seed)
        one, other = game.new_initial_state(start.seed), game.new_initial_state(start.seed)
        given: dict[int, list[Value]] = {player: [] for player in range(game.num_players)}
        for _ in range(MOST):
            if one.is_terminal():
                break
            player = one.current_players()[0]
            given[player].append(answer(one, player, agents))
        for _ in range(len(one.history())):
            player = order.pick(other.current_players())
            if not given[player]:
                # The first game was left while others could still have answered.
                player = next(seat for seat in other.current_players() if given[seat])
            other.apply_value(given[player].pop(0), player)

        assert one.store == other.store
        assert one.store.key() == other.store.key()
        assert everything(one.store) == everything(other.store)
        for player in range(game.num_players):
            assert one.information_state(player) == other.information_state(player)
            assert one.observation(player) == other.observation(player)

    holds()


def test_what_others_do_at_the_same_time_tells_a_player_nothing(rules: Rules, size: Size) -> None:
    compared = 0

    @size.tries(3)
    @given(starts(rules), st.data(), st.integers(0, 12))
    def holds(start: Start, data: st.DataObject, length: int) -> None:
        nonlocal compared
        game, agents = start.game, Generator(start.agents)
        state = game.new_initial_state(start.seed)
        for number in range(length + MOST):
            if state.is_terminal():
                return
            # To the next time from there that several act at once.
            if number >= length and state.store.fork is not None:
                break
            answer(state, agents.pick(state.current_players()), agents)
        if state.store.fork is None:
            return
        program = game.program
        seat = data.draw(st.sampled_from(program.layout.players))
        before = view(program, state.store, seat)
        told = recollection(program, state.store, seat, state.history())
        waiting = state.seen_by(seat.number)
        while state.store.fork is not None:
            others = [player for player in state.current_players() if player != seat.number]
            # As long as he is not done himself the others cannot come to the join.
            if not others or (len(others) == 1 and len(state.current_players()) == 1):
                break
            answer(state, agents.pick(others), agents)
            if state.store.fork is None or state.seen_by(seat.number).frames == []:
                break
            compared += 1
            assert not differences(before, view(program, state.store, seat))
            assert told == recollection(program, state.store, seat, state.history())
            assert state.seen_by(seat.number).columns[1:] == waiting.columns[1:]

    holds()
    assert compared


def test_a_game_is_saved_and_answers_are_taken_back_in_any_moment(rules: Rules, size: Size) -> None:
    taken_back = 0

    @size.tries(4)
    @given(starts(rules))
    def holds(start: Start) -> None:
        nonlocal taken_back
        game, agents = start.game, Generator(start.agents)
        state = game.new_initial_state(start.seed)
        for number in range(MOST // 2):
            if state.is_terminal():
                break
            player = agents.pick(state.current_players())
            before = state.clone()
            answer(state, player, agents)
            if state.store.fork is not None and state.can_undo(player):
                taken_back += 1
                copy = state.clone()
                copy.undo(player)
                assert copy.store == before.store
                assert branches(copy.store) == branches(before.store)
                assert knowledge(copy) == knowledge(before)
            if number % 5 == 0:
                back = record.load(record.save(state), game)
                assert_same(state, back)
                assert knowledge(back) == knowledge(state)
                back = game.unpack(state.pack(log=True))
                assert back.store == state.store
                assert branches(back.store) == branches(state.store)
                assert knowledge(back) == knowledge(state)

    holds()
    assert taken_back
