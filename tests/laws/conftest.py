"""Lets the laws import their helpers, and tries each law on every game that there is."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from playing import LARGE, CannotBePlayed, Rules, Size, discovered, linked, shared_games, size_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a law about `rules` some of the games by default, every game in CI, and all of them in
    large runs with `--slow`."""
    if not {"rules", "size"} <= set(metafunc.fixturenames):
        return
    law = metafunc.function.__name__
    cases = [
        pytest.param(rules, None, id=str(rules), marks=marks) for rules, marks in shared_games(law)
    ]
    if metafunc.config.getoption("--slow"):
        cases += [
            pytest.param(rules, LARGE, id=f"{rules}-large", marks=pytest.mark.slow)
            for rules in discovered(all_of_them=True)
        ]
    metafunc.parametrize(("rules", "size"), cases, indirect=["size"])


@pytest.fixture
def size(request: pytest.FixtureRequest, rules: Rules) -> Size:
    """How much of a game is tried: it depends on its rules, which no process reads before it must."""
    given: Size | None = request.param
    return size_of(rules) if given is None else given


@pytest.fixture(autouse=True)
def _playable(request: pytest.FixtureRequest) -> None:
    if "rules" in request.fixturenames:
        try:
            linked(request.getfixturevalue("rules"))
        except CannotBePlayed as reason:
            pytest.skip(str(reason).splitlines()[0])
