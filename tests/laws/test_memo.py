"""What is memoised changes nothing: the same games, decision by decision, with and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playing import Rules, loaded_anew, player_counts
from test_lockstep import games, in_step

from rulewright.interpreter.semantics.memo import Epoch, Memo


def memoising() -> Iterator[Rules]:
    """Yield the games of which some define is memoised."""
    for rules in games():
        program = loaded_anew(rules, player_counts(rules)[-1])
        if any(program.evaluator.memo.memoises(define) for define in program.game.defines):
            yield rules


def differences(rules: Rules, players: int, seeds: int) -> list[str]:
    """Return where games with memoised defines part from games without."""
    found = []
    for seed in range(seeds):
        with_memo, without = loaded_anew(rules, players), loaded_anew(rules, players)
        without.evaluator.memo.on = False
        first = next(in_step(without, with_memo, seed), None)
        if first is not None:
            found.append(f"{rules}, {players} players, seed {seed}: {first}")
    return found


GAMES = list(memoising())


def test_there_are_games_with_memoised_defines() -> None:
    assert len(GAMES) > 2


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_memoised_defines_say_what_they_would_say(rules: Rules) -> None:
    assert differences(rules, player_counts(rules)[0], seeds=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_memoised_defines_say_what_they_would_say_in_many_games(rules: Rules) -> None:
    for players in player_counts(rules):
        assert differences(rules, players, seeds=20) == []


def test_what_is_not_forgotten_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Epoch, "current", lambda epoch, store: epoch.contents)

    found = [line for rules in GAMES for line in differences(rules, player_counts(rules)[0], 1)]

    assert found


def test_a_value_of_another_player_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Memo.facts

    def without_me(memo: Memo, define: str) -> object:
        import attrs

        found = facts(memo, define)
        return None if found is None else attrs.evolve(found, asks_me=False)

    monkeypatch.setattr(Memo, "facts", without_me)

    found = [line for rules in GAMES for line in differences(rules, player_counts(rules)[0], 1)]

    assert found
