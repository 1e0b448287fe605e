"""Games that were checked before start at once, and nobody can tell except by the time."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from sharing import shelf_for

from rulewright.dsl.files import cache as user_cache
from rulewright.dsl.frontend import checked_cache, frontend
from rulewright.interpreter.play.api import load_game

Run = Callable[..., Any]

GAME = """language 1
game "Little" for 2..2 players
use turns(turn)
use winner
to play
  play_in_turns
to turn
  either "Win"
    win me
  or "Wait"
    end game "waited"
"""

FINE = [
    "play {game} --agents random --seed 5 --limit 300",
    "why {game}",
    "play {game} --seed 5",
    "playout {game} -n 3",
    "graph {game} --format mermaid",
    "graph {game} --format python",
]
WRONG = [
    "why {game} no_such",
    "play {game} --agents random --players 99",
    "play {game} --agents random --option no_such=1",
    "play {game} --agents random --variant NoSuch",
    "play {game}x --agents random",
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of each test's own."""
    folder = tmp_path / "below" / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))
    return folder


@pytest.fixture
def little(tmp_path: Path) -> Path:
    """The folder of a small game."""
    folder = tmp_path / "little"
    folder.mkdir()
    (folder / "game.rules").write_text(GAME, encoding="utf-8")
    return folder


def refuse(*arguments: object) -> None:
    raise AssertionError("this is to be known")


def said(result: Any) -> tuple[str, int, str]:
    """Return what a command printed, without how long it took."""
    errors = [line for line in result.stderr.splitlines() if " s: " not in line]
    return result.stdout, result.status, "\n".join(errors)


def assert_the_same(line: str, rulewright: Run, cache: Path) -> None:
    """Fail if a command says anything else with a cache, empty or not, than without."""
    without = rulewright(f"{line} --no-cache")
    assert not cache.exists()
    cold = rulewright(line)
    warm = rulewright(line)

    assert said(without) == said(cold) == said(warm)


@pytest.mark.parametrize("line", FINE[:2])
@pytest.mark.parametrize("name", shelf_for("test_a_game_of_the_shelf_is_the_same"))
def test_a_game_of_the_shelf_is_the_same_with_and_without_a_cache(
    name: str, line: str, rulewright: Run, cache: Path
) -> None:
    assert_the_same(line.format(game=name), rulewright, cache)

    assert len(list(cache.glob("game-*"))) == 1


@pytest.mark.parametrize("line", [*FINE, *WRONG])
def test_a_command_says_the_same_with_and_without_a_cache(
    line: str, rulewright: Run, cache: Path, little: Path
) -> None:
    assert_the_same(line.format(game=little), rulewright, cache)

    known = "NoSuch" not in line and "{game}x" not in line
    assert len(list(cache.glob("game-*"))) == int(known)


@pytest.mark.parametrize("name", shelf_for("test_a_saved_game_goes_on_the_same"))
def test_a_saved_game_goes_on_the_same(
    name: str, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "a.toml"
    rulewright(f"play {name} --seed 3", f"save {saved}\nquit\n")
    line = f"play {name} --load {saved} --agents random --limit 300"

    without = rulewright(f"{line} --no-cache")
    monkeypatch.setattr(frontend, "compile_game", refuse)
    warm = rulewright(line)

    assert without.status == 0, without.output
    assert said(without) == said(warm)


@pytest.mark.parametrize("line", FINE)
def test_a_command_does_not_compile_what_is_known(
    line: str, rulewright: Run, little: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = rulewright(line.format(game=little))
    assert first.status == 0, first.stderr
    monkeypatch.setattr(frontend, "compile_game", refuse)

    assert said(rulewright(line.format(game=little))) == said(first)
    assert rulewright(line.format(game=little) + " --no-cache").status == 70


def test_a_program_does_not_compile_what_is_known(
    little: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_game(str(little))
    monkeypatch.setattr(frontend, "compile_game", refuse)

    assert load_game(str(little)).model.digest == first.model.digest
    with user_cache.unused(), pytest.raises(AssertionError):
        load_game(str(little))


def test_a_check_always_compiles(
    rulewright: Run, little: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulewright(f"play {little} --agents random")
    monkeypatch.setattr(checked_cache, "known", refuse)
    (little / "game.rules").write_text(GAME.replace("use winner", ""), encoding="utf-8")

    result = rulewright(f"check {little}")

    assert result.status == 1
    assert "win" in result.stdout


def test_a_warning_is_said_by_each_check(rulewright: Run, little: Path) -> None:
    text = GAME.replace("use winner\n", "").replace("    win me\n", '    end game "won"\n')
    (little / "game.rules").write_text(text, encoding="utf-8")
    rulewright(f"play {little} --agents random")

    for more in ("", " --no-cache"):
        assert "RW415" in rulewright(f"check {little}{more}").stdout


def test_a_mistake_is_found_in_a_game_that_was_fine(rulewright: Run, little: Path) -> None:
    assert rulewright(f"play {little} --agents random").status == 0
    (little / "game.rules").write_text(GAME.replace("win me", "winn me"), encoding="utf-8")

    first, second = (rulewright(f"play {little} --agents random") for _ in range(2))

    assert first.status == second.status == 1
    assert "winn" in first.stderr and first.output == second.output


def test_a_game_that_is_gone_is_gone(rulewright: Run, little: Path) -> None:
    assert rulewright(f"play {little} --agents random").status == 0
    shutil.rmtree(little)

    assert rulewright(f"play {little} --agents random").status == 2


@pytest.mark.parametrize("command", ["play", "playout", "graph", "why", "check"])
def test_the_help_of_what_loads_a_game_tells_of_the_cache(command: str, rulewright: Run) -> None:
    assert "--no-cache" in rulewright(f"{command} --help").stdout


@pytest.mark.parametrize("command", ["play --agents random", "playout -n 1", "graph", "check"])
def test_no_cache_means_that_nothing_is_written(
    command: str, rulewright: Run, little: Path, cache: Path
) -> None:
    result = rulewright(f"{command} {little} --no-cache")

    assert result.status == 0, result.output
    assert not cache.exists()


def test_a_folder_that_cannot_be_made_is_no_error(
    rulewright: Run, little: Path, cache: Path
) -> None:
    cache.parent.touch()

    results = [rulewright(f"play {little} --agents random --seed 1") for _ in range(2)]

    assert [result.status for result in results] == [0, 0]
    assert results[0].output == results[1].output


@pytest.mark.skipif(sys.platform != "linux", reason="where the variable counts")
def test_a_warm_start_loads_nothing_slow(little: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from rulewright.interpreter.cli import main as cli; status = cli.main(sys.argv[1:]);"
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    command = [sys.executable, "-c", code, "play", str(little), "--agents", "random"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "caches")}
    loaded = []
    for _ in range(2):
        result = subprocess.run(
            command, capture_output=True, encoding="utf-8", env=environment, check=True
        )
        loaded.append(set(result.stderr.split()))
    compiler = {"lark", "rulewright.dsl.frontend.frontend", "rulewright.dsl.syntax.nodes"}

    assert compiler <= loaded[0]
    slow = {"networkx", "prompt_toolkit", "rich", "cattrs", *compiler}
    assert not loaded[1] & slow
