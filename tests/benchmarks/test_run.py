"""The runner works; how long anything takes is none of its tests."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import environments
import growing
import linking
import powers
import pytest
import rates
import run
import starting
import storing
from candidates import CANDIDATES
from measuring import Spread, Table, ratios, times

from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.playout import statistics

RATIO = re.compile(r"1|[\d.,]+ \([\d.,]+ to [\d.,]+\)")


def assert_sound(table: Table) -> None:
    assert table.rows
    for row in table.rows:
        assert len(row) == len(table.head)
        assert RATIO.fullmatch(row[-1]), row


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["ttt", "kuhn", "--rounds", "1", "--seconds", "0.001"]) == 0

    printed = capsys.readouterr().out.splitlines()
    rows = [line for line in printed if line.startswith("| ")]
    assert len(rows) == 2 + 2 * len(CANDIDATES)
    assert {row.count("|") for row in rows} == {5}


def some(names: Iterable[str], quick: Sequence[str]) -> list[Any]:
    """Return parameters, of which all but some are for long runs: they do the same elsewhere."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in names]


@pytest.mark.parametrize("name", some(rates.GAMES, ("kuhn",)))
def test_every_candidate_plays_every_game(name: str) -> None:
    costs = rates.measure(name, rounds=1, seconds=0.001)

    assert list(costs) == list(CANDIDATES)
    assert_sound(rates.table({name: costs}))


@pytest.mark.slow
def test_copies_are_measured() -> None:
    assert_sound(storing.table(storing.measure(rounds=1, seconds=0.001)))


@pytest.mark.parametrize("series", some(growing.SERIES, ("players",)))
def test_every_series_grows(series: str) -> None:
    measured = growing.measure(series, rounds=1, seconds=0.001)

    assert all(len(costs) == 3 for costs in measured.values())
    assert_sound(growing.table({series: measured}))


@pytest.mark.slow
def test_variants_are_measured() -> None:
    assert_sound(linking.table(linking.measure(rounds=1, seconds=0.001)))


@pytest.mark.slow
def test_variants_are_measured_in_the_same_games(tmp_path: Path) -> None:
    found = linking.games(tmp_path)
    played = [statistics(game, range(1)).scores for game in found.values()]
    assert played[0] == played[1] == played[2]


@pytest.mark.slow
def test_powers_are_measured_in_the_same_games() -> None:
    assert_sound(powers.table(powers.measure(rounds=1, seconds=0.001, warmed_up=0)))

    found = powers.works(load_game(powers.GAME, powers.PLAYERS))
    assert len({work(1) for work in found.values()}) == 1


@pytest.mark.skipif(not environments.IS_HERE, reason="PettingZoo is not installed")
def test_environments_are_measured_in_whole_games() -> None:
    measured = {"kuhn_poker": environments.measure("kuhn_poker", rounds=1, seconds=0.001)}

    assert_sound(environments.table(measured))
    found = environments.works(load_game("tic_tac_toe"))
    assert found[environments.ALONE](1) == found[environments.BLIND](1)


def test_starts_are_measured() -> None:
    costs = starting.measure(rounds=1, commands={"version": ("--version",)})

    assert list(costs) == [starting.BARE, starting.IMPORTS, "version, cold", "version, warm"]
    assert_sound(starting.table(costs))


def test_ratios_are_made_within_a_round() -> None:
    costs = {"slow": [20.0, 9.0, 40.0], "fast": [2.0, 3.0, 4.0]}

    found = ratios(costs, "slow", "fast")

    assert found == Spread(median=10.0, least=3.0, greatest=10.0)
    assert times(found) == "10.0 (3.00 to 10.0)"
