"""What is memoised changes nothing: the same games, decision by decision, with and without."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from playing import Rules, discovered, loaded, loaded_anew, player_counts, shared_games
from sharing import is_large
from test_lockstep import in_step

from rulewright.interpreter.semantics.memo import Epoch, Memo


def memoising() -> Iterator[Rules]:
    """Yield the games of which some define is memoised."""
    yield from filter(memoises, discovered())


def memoises(rules: Rules) -> bool:
    """Return whether some define of a game is memoised."""
    program = loaded(rules, player_counts(rules)[-1])
    return any(program.evaluator.memo.memoises(define) for define in program.game.defines)


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


def first_difference() -> str | None:
    """Return where some game parts from itself without memoised defines."""
    return next(
        (
            line
            for rules in memoising()
            for line in differences(rules, player_counts(rules)[0], seeds=1)
        ),
        None,
    )


def test_there_are_games_with_memoised_defines() -> None:
    assert len(list(islice(memoising(), 3))) == 3


@pytest.mark.parametrize(
    "rules",
    [
        # Few small games have anything to memoise: they are all tried.
        pytest.param(rules, id=str(rules), marks=marks if is_large(rules.path) else ())
        for rules, marks in shared_games("test_memoised_defines_say_what_they_would_say")
    ],
)
def test_memoised_defines_say_what_they_would_say(rules: Rules) -> None:
    if not memoises(rules):
        pytest.skip("nothing is memoised")
    assert differences(rules, player_counts(rules)[0], seeds=1) == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", discovered(), ids=str)
def test_memoised_defines_say_what_they_would_say_in_many_games(rules: Rules) -> None:
    if not memoises(rules):
        pytest.skip("nothing is memoised")
    for players in player_counts(rules):
        assert differences(rules, players, seeds=20) == []


def test_what_is_not_forgotten_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Epoch, "current", lambda epoch, store: epoch.contents)

    assert first_difference()


def test_a_value_of_another_player_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = Memo.facts

    def without_me(memo: Memo, define: str) -> object:
        import attrs

        found = facts(memo, define)
        return None if found is None else attrs.evolve(found, asks_me=False)

    monkeypatch.setattr(Memo, "facts", without_me)

    assert first_difference()
