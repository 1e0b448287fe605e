"""Every game can be played to its end, and the end agrees with what the rules say about it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from playing import MOST_DECISIONS, Rules, Size, Start, player_counts, starts, steps

from rulewright.dsl.model import types
from rulewright.interpreter.codegen import ending_values
from rulewright.interpreter.codegen.ending_values import EndingValues
from rulewright.interpreter.codegen.generated import HANDLERS
from rulewright.interpreter.codegen.writing_budget import unlimited
from rulewright.interpreter.engine import executor
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.scoring import EndingCode, Standing
from rulewright.interpreter.state.errors import TICKS_PER_STEP, IllegalActionError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import EnumValue


def end_of(start: Start, most: int = MOST_DECISIONS, strict: bool = False) -> Store:
    """Return the last state of a game; whatever raises is a mistake in rules or engine."""
    *_, (store, _) = steps(start, most, strict)
    return store


def test_no_game_gets_stuck(rules: Rules, size: Size) -> None:
    for players in player_counts(rules):

        @size.tries(3)
        @given(st.builds(Start, st.just(rules), st.just(players), st.integers(0), st.integers(0)))
        def holds(start: Start) -> None:
            store = end_of(start, strict=True)

            assert executor.is_over(store) or pending(start.program, store) is not None

        holds()


def test_nothing_can_be_done_when_a_game_is_over(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        store = end_of(start)
        if not executor.is_over(store):
            return
        state = State(start.game, store)

        assert state.is_terminal()
        assert state.current_players() == ()
        assert state.legal_actions() == ()
        assert state.decision() is None
        assert not state.is_chance_node()
        with pytest.raises(IllegalActionError):
            executor.answer(start.program, store, True)

    holds()


def test_scores_agree_with_the_score_sheet(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        program = start.program
        score = program.game.score
        for number, (store, _) in enumerate(steps(start)):
            if score is None or number % 25:
                continue
            _check_sheet(start, store)
        if score is not None:
            _check_sheet(start, store)

    holds()


def _check_sheet(start: Start, store: Store) -> None:
    program = start.program
    assert program.game.score is not None
    define = program.game.defines[program.game.score]
    code = program.evaluator.define(define.id)
    *lines, total = program.scoring.sheet(store)

    for seat in program.layout.players:
        assert total.values[seat.number] == code(store, seat, {})
        if not define.changes and lines:
            assert total.values[seat.number] == sum(line.values[seat.number] for line in lines)


def _better(value: object) -> float:
    if value is None:
        return -math.inf
    return float(value.order if isinstance(value, EnumValue) else value)  # type: ignore[arg-type]


def test_the_ranking_goes_by_its_criteria(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        program = start.program
        store = end_of(start)
        scoring, game, seats = program.scoring, program.game, program.layout.players
        criteria = scoring.criteria(store)
        assert len(criteria) == len(game.ranking)

        places = scoring.standing(store).places

        for one in seats:
            for other in seats:
                ahead = 0.0
                for criterion, line in zip(game.ranking, criteria, strict=True):
                    mine, yours = (_better(line.values[seat.number]) for seat in (one, other))
                    if mine != yours:
                        ahead = (mine - yours) * (1 if criterion.most else -1)
                        break
                assert (places[one.number] < places[other.number]) is (ahead > 0)
                assert (places[one.number] == places[other.number]) is (ahead == 0)

    holds()


def test_generated_code_says_the_same_about_the_end(
    rules: Rules, size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending_values, "WORTH", 0)

    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        store, scoring = end_of(start), start.program.scoring
        if not executor.is_over(store):
            return
        evaluator = start.program.evaluator
        codes = EndingCode(evaluator, EndingValues(evaluator, HANDLERS, unlimited()).code)
        walked = scoring.standing(store)
        for (_, said), (_, again) in zip(scoring.codes.criteria, codes.criteria, strict=True):
            for seat in start.program.layout.players:
                spent = []
                for code in (said, again):
                    store.allowance = TICKS_PER_STEP, None
                    code(store, seat, {"it": seat})
                    spent.append(TICKS_PER_STEP - store.budget)

                # So what the walker finds too much to look at is never said by generated code.
                assert spent[1] >= spent[0]
        # Twice: what is remembered is the same.
        for _ in range(2):
            generated = Standing(scoring, codes, store, own_budget=True)

            assert generated.values == walked.values
            assert generated.winners == walked.winners
            assert generated.payoff == walked.payoff
            assert generated.points == walked.points

    holds()


def test_the_result_agrees_with_who_has_won(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        program = start.program
        store = end_of(start)
        if not executor.is_over(store):
            return
        scoring, game, seats = program.scoring, program.game, program.layout.players
        standing = scoring.standing(store)
        winners, returns, places = standing.winners, standing.payoff, standing.places

        assert len(returns) == len(seats)
        if game.won is None:
            first = game.ranking[0] if game.ranking else None
            if first is not None and first.most and first.value.type == types.FLAG:
                flags = scoring.criteria(store)[0].values
                firsts = [one for one in seats if places[one.number] == 1 and flags[one.number]]
                drawn = store.ending == "draw"
            else:
                firsts = [seat for seat in seats if places[seat.number] == 1]
                drawn = store.ending == "draw" or len(firsts) == len(seats)
            assert list(winners) == ([] if drawn else firsts)
        if game.payoff is not None:
            return
        if winners and len(winners) < len(seats):
            assert sum(returns) == pytest.approx(0)
            assert all(returns[seat.number] > 0 for seat in winners)
            assert all(returns[seat.number] == -1 for seat in seats if seat not in winners)
            assert len({returns[seat.number] for seat in winners}) == 1
        else:
            assert len(set(returns)) == 1
            assert returns[0] in ((1,) if winners else (0, -1))
        state = State(start.game, store)
        assert state.returns() == returns
        assert state.winners() == tuple(seat.number for seat in winners)

    holds()
