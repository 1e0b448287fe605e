"""Commands that write a file, killed at any moment: the older file is there, or the whole new one."""

import ast
import os
import random
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.files import cache
from rulewright.dsl.files.disk import UNFINISHED
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.terminal.svg import BEGINS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a matter of Unix")

FEW, MANY = 4, 200
OLDER = "older\n"

Run = Callable[..., object]


@attrs.frozen
class Writing:
    """A command that writes a file, and what it is typed."""

    line: str
    typed: str = ""
    file: str = ""
    older: str = OLDER


def saved() -> str:
    """Return a saved game."""
    return record.save(load_game("tic_tac_toe").new_initial_state(1))


COMMANDS: dict[str, Callable[[], Writing]] = {
    "save": lambda: Writing(
        "play tic_tac_toe --seed 1", "1\nsave game.save\n", "game.save", saved()
    ),
    "map": lambda: Writing(
        "play tic_tac_toe --seed 1", "state --svg map.svg\n", "map.svg", f"{BEGINS}>older</svg>\n"
    ),
    "state": lambda: Writing(
        "state tic_tac_toe --seed 1 --svg map.svg", "", "map.svg", f"{BEGINS}>older</svg>\n"
    ),
    "game": lambda: Writing('new game "Farm" --force', "", "farm/game.rules"),
    "variant": lambda: Writing('new variant "Odd" of tic_tac_toe --force', "", "odd.rules"),
    "translation": lambda: Writing("new translation fr of tic_tac_toe --force", "", "fr.csv"),
}


def child(work: Callable[[], object], kill_at: float, event: int) -> int:
    """Do something in a process of its own that is killed after some seconds, or when it is about to
    do something with a file for the `event`-th time; return how it ended."""
    number = os.fork()
    if number == 0:
        left = event

        def heard(name: str, _: object) -> None:
            nonlocal left
            if name in ("open", "os.rename", "os.remove", "os.link", "os.scandir"):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, kill_at)
            sys.addaudithook(heard)
            work()
        finally:
            os._exit(0)
    return os.waitpid(number, 0)[1]


def moments(work: Callable[[], object], reset: Callable[[], object], many: int) -> Iterator[int]:
    """Yield how a piece of work ends that is killed at so many moments, by the clock and between two
    files; it is undone before each."""
    reset()
    begun = time.monotonic()
    assert child(work, 100.0, 0) == 0
    took = time.monotonic() - begun
    generator = random.Random(many)
    for number in range(many):
        reset()
        if number % 2:
            yield child(work, max(generator.uniform(0, 1.1 * took), 0.001), 0)
        else:
            # The last things that are done with files are the writing.
            yield child(work, 100.0, number // 2 + 1)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    "many", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_command_that_is_killed_leaves_a_whole_file(
    name: str, many: int, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    writing = COMMANDS[name]()
    path = tmp_path / writing.file
    path.parent.mkdir(exist_ok=True)

    def work() -> None:
        rulewright(shlex.split(writing.line), writing.typed)

    def reset() -> None:
        path.write_text(writing.older)

    reset()
    work()
    newer = path.read_text()
    assert newer != writing.older

    killed = 0
    for status in moments(work, reset, many):
        killed += os.WIFSIGNALED(status)
        assert path.read_text() in (newer, writing.older)
    assert killed
    assert all(
        one == path.name or one.endswith(UNFINISHED)
        for one in os.listdir(path.parent)
        if "." in one
    )


@pytest.mark.parametrize(
    "many", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_what_is_kept_is_whole_whoever_was_killed(many: int, tmp_path: Path) -> None:
    path, key = tmp_path / "game-1", cache.key_of("test")
    older, newer = b"older", b"newer" * 100_000

    for _ in moments(
        lambda: cache.keep(path, key, newer), lambda: cache.keep(path, key, older), many
    ):
        assert cache.kept(path, key) in (older, newer)


WRITING = {"write_text", "write_bytes"}
FOLDERS_OF_THEIR_OWN = {"scaffold", "building"}
"""These write into temporary folders that nobody else sees."""


def test_all_files_are_written_in_one_place(root: Path) -> None:
    found = []
    for path in sorted((*root.glob("dsl/*.py"), *root.glob("interpreter/*.py"))):
        if path.stem == "replacement" or path.stem in FOLDERS_OF_THEIR_OWN:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
            modes += [
                one.value.value for one in node.keywords if isinstance(one.value, ast.Constant)
            ]
            if name in WRITING or (
                name == "open" and any(isinstance(one, str) and one[:1] in "wxa" for one in modes)
            ):
                found.append(f"{path.name}:{node.lineno}")
    assert found == []
