"""`rulewright build`: what it says, and that nobody needs it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from rulewright.interpreter.native import building, native

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of each test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))
    return folder


def test_without_mypyc_one_line_says_what_to_install(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "find_spec", lambda name: None)

    result = rulewright("build tic_tac_toe")

    assert (result.status, result.stdout) == (2, "")
    assert result.stderr == (
        "rulewright: nothing was built: mypyc is not installed;"
        " `pip install 'rulewright[native]'` installs it\n"
    )


def test_without_a_compiler_one_line_says_so(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "find_spec", lambda name: object())
    monkeypatch.setenv("CC", "no_such_compiler")

    result = rulewright("build tic_tac_toe")

    assert (result.status, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1 and "`no_such_compiler`" in result.stderr


@pytest.mark.parametrize("more", ["--players 99", "--option x=1", "--variant NoSuch"])
def test_a_game_that_cannot_be_loaded_is_wrong_usage(
    more: str, rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "require_tools", lambda: None)

    result = rulewright(f"build tic_tac_toe {more}")

    assert result.status == 2
    assert result.stderr == rulewright(f"playout tic_tac_toe {more}").stderr


def test_it_needs_the_cache_folder(rulewright: Run, cache: Path) -> None:
    result = rulewright("build tic_tac_toe --no-cache")

    assert result.status == 2 and "--no-cache" in result.stderr
    assert not cache.exists()


def test_it_says_what_it_has_built(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "require_tools", lambda: None)
    monkeypatch.setattr(building, "compiled", lambda name, pieces: b"x" * 200_000)

    result = rulewright("build tic_tac_toe")

    assert result.status == 0, result.stderr
    assert result.stdout.startswith("Tic-tac-toe, 2 players: ")
    assert "functions compiled (0.2 MB)" in result.stdout


def test_a_library_that_is_none_does_not_disturb(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "playout tic_tac_toe -n 30"
    expected = rulewright(line).stdout
    monkeypatch.setattr(building, "require_tools", lambda: None)
    monkeypatch.setattr(building, "compiled", lambda name, pieces: b"no library")
    rulewright("build tic_tac_toe")

    result = rulewright(line)

    assert (result.status, result.stdout) == (0, expected)
    assert "native" not in result.stderr


def test_a_playout_says_if_it_was_native(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "use", lambda program: True)

    for games, told in ((native.WORTH, True), (native.WORTH - 1, False)):
        result = rulewright(f"playout tic_tac_toe -n {games}")
        assert result.stderr.rstrip().endswith("a second, native") == told
        assert "native" not in result.stdout
