"""What the README shows is what happens: its rule files are checked, its sessions are run.

In a `console` block each line after `$ ` is a command, lines after `P1> ` in its output are what is
typed; the rest is the output. A line `…` stands for any number of lines that are left out.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^P1> (.*)$", re.MULTILINE)
LEFT_OUT = "…"


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == language]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the game and the variant of the README, and the game with its two slips."""
    game, variant = blocks("rules")
    (tmp_path / "noughts" / "variants").mkdir(parents=True)
    (tmp_path / "noughts" / "game.rules").write_text(game, "utf-8")
    (tmp_path / "noughts" / "variants" / "misere.rules").write_text(variant, "utf-8")
    (tmp_path / "slips").mkdir()
    slips = game.replace("  choose cell", "  chose cell").replace("set cell.mark", "set cell.mrak")
    assert slips.count("chose cell") == slips.count("mrak") == 1
    (tmp_path / "slips" / "game.rules").write_text(slips, "utf-8")
    return tmp_path


def run(command: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "rulewright"
    return subprocess.run(
        [sys.executable, "-m", "rulewright.interpreter", *words[1:]],
        cwd=folder,
        # Libraries that pytest loads set a width for all processes that begin here.
        env={**os.environ, "COLUMNS": "100"},
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def sessions() -> list[tuple[str, str]]:
    found = []
    for block in blocks("console"):
        command, _, output = block.partition("\n")
        assert command.startswith("$ ")
        found.append((command[2:], output))
    return found


def matches(shown: str, found: str) -> bool:
    """Return whether an output is what is shown, with lines left out at each `…`."""
    parts = [
        re.escape(part.strip("\n"))
        for part in re.split(rf"^[ ]*{LEFT_OUT}$", shown, flags=re.MULTILINE)
    ]
    pattern = r"(?:\n(?:.*\n)*?)?".join(parts)
    return re.fullmatch(rf"{pattern}\s*", found) is not None


@pytest.mark.parametrize(("command", "shown"), sessions())
def test_a_session_of_the_readme_goes_as_shown(command: str, shown: str, folder: Path) -> None:
    typed = "".join(f"{line}\n" for line in TYPED.findall(shown))

    done = run(command, folder, typed)

    assert "Traceback" not in done.stderr
    assert matches(shown, done.stdout), done.stdout + done.stderr


def test_the_rule_files_of_the_readme_are_fine(folder: Path) -> None:
    done = run("rulewright check noughts", folder)

    assert done.returncode == 0, done.stdout
    assert "1 variant: fine" in done.stdout


def test_the_play_command_of_the_readme_plays(folder: Path) -> None:
    command = next(line for line in README.splitlines() if line.endswith("--agents random"))
    _, _, play = command.partition(".venv/bin/rulewright ")

    first, second = (run(f"rulewright {play}", folder) for _ in range(2))

    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "Ranking" in first.stdout


def test_every_command_that_the_readme_names_exists(folder: Path) -> None:
    named = set(re.findall(r"rulewright (\w+)", README))

    help_text = run("rulewright --help", folder).stdout

    assert named and all(f" {name} " in help_text for name in named), named


def test_every_folder_and_file_that_the_readme_names_exists() -> None:
    linked = re.findall(r"\]\(([^)]+)\)", README)

    assert linked and all((ROOT / path).exists() for path in linked), linked
