"""The time of a decision is taken apart without changing what is thought; no test looks at a time."""

from __future__ import annotations

import pytest
from thinking import CLOCKED, PARTS, Clock, clocking, loaded, main, measure

from rulewright.interpreter.agents.search import SearchAgent, Thought
from rulewright.interpreter.agents.seat import Seat


def thought() -> Thought:
    """Return what a search finds in a game with hidden cards."""
    state = loaded("kuhn_poker").new_initial_state(seed=1)
    return SearchAgent(iterations=20, seed=1).think(Seat(state, 0))


def test_the_clock_changes_nothing_and_is_taken_away_again() -> None:
    before = [getattr(owner, name) for _, owner, name in CLOCKED]
    plain = thought()
    with clocking() as clock:
        clocked = thought()

    assert plain.options == clocked.options
    assert all(clock.spent[part] > 0 for part, _, _ in CLOCKED if part != "what is sure")
    assert [getattr(owner, name) for _, owner, name in CLOCKED] == before


def test_time_goes_to_the_inner_part_or_to_the_whole() -> None:
    clock = Clock()
    running = []
    inner = clock.clocked("rollouts", lambda: running.append(clock.running[-1]))

    clock.clocked("what is noticed", inner)()
    clock.clocked("samples", inner)()

    assert running == ["rollouts", "samples"]
    assert clock.running == ["rest"]


def test_a_row_says_the_share_of_each_part() -> None:
    found = measure(loaded("tic_tac_toe"), 2, iterations=5)

    assert found.decisions == 2 and 2 <= found.iterations <= 10
    assert set(found.spent) == set(PARTS)


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["kuhn_poker", "-n", "1", "--iterations", "4"])

    *_, row = capsys.readouterr().out.splitlines()
    assert row.startswith("| kuhn_poker | ")
    assert row.count("|") == 2 + len(PARTS) + 1
