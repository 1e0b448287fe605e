"""What the README and the page about commands show is what happens: rule files are checked, sessions run.

The first `rules` block of a page is a game, the second a variant of it; `slips` is the game with two
slips. In a `console` block each line after `$ ` is a command, lines after `P1> ` in its output are what
is typed; the rest is the output. A line `…` stands for any number of lines that are left out.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = (ROOT / "interpreter" / "COMMANDS.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^P1> (.*)$", re.MULTILINE)
LEFT_OUT = "…"


@attrs.frozen
class Page:
    """A page, the folder of its game, and the slips that it shows."""

    name: str
    text: str = attrs.field(repr=False)
    game: str
    slips: tuple[tuple[str, str], ...]

    def blocks(self, language: str) -> list[str]:
        """Return the texts of the blocks in a language."""
        return [text for name, text in BLOCK.findall(self.text) if name == language]

    def lay_out(self, folder: Path) -> None:
        """Write the game, its variant, and the game with the slips."""
        game, variant = self.blocks("rules")
        slipped = game
        for right, wrong in self.slips:
            assert slipped.count(right) == 1
            slipped = slipped.replace(right, wrong)
        files = {
            f"{self.game}/game.rules": game,
            f"{self.game}/variants/misere.rules": variant,
            "slips/game.rules": slipped,
        }
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True)
            (folder / name).write_text(text, "utf-8")


PAGES = (
    Page("README", README, "race", ((" choose coins", " chose coins"), ("to pot\n", "to pott\n"))),
    Page(
        "COMMANDS",
        COMMANDS,
        "noughts",
        ((" choose cell", " chose cell"), ("set cell.mark", "set cell.mrak")),
    ),
)


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


def sessions() -> Iterator[tuple[Page, str, str]]:
    """Yield each session with its page: the command, and what is shown."""
    for page in PAGES:
        for block in page.blocks("console"):
            command, _, output = block.partition("\n")
            assert command.startswith("$ ")
            yield page, command[2:], output


def matches(shown: str, found: str) -> bool:
    """Return whether an output is what is shown, with lines left out at each `…`."""
    parts = [
        re.escape(part.strip("\n"))
        for part in re.split(rf"^[ ]*{LEFT_OUT}$", shown, flags=re.MULTILINE)
    ]
    pattern = r"(?:\n(?:.*\n)*?)?".join(parts)
    return re.fullmatch(rf"{pattern}\s*", found) is not None


@pytest.mark.parametrize(("page", "command", "shown"), tuple(sessions()))
def test_a_session_of_a_page_goes_as_shown(
    page: Page, command: str, shown: str, tmp_path: Path
) -> None:
    page.lay_out(tmp_path)
    typed = "".join(f"{line}\n" for line in TYPED.findall(shown))

    done = run(command, tmp_path, typed)

    assert "Traceback" not in done.stderr
    assert matches(shown, done.stdout), done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_rule_files_of_a_page_are_fine(page: Page, tmp_path: Path) -> None:
    page.lay_out(tmp_path)

    done = run(f"rulewright check {page.game}", tmp_path)

    assert done.returncode == 0, done.stdout
    assert "1 variant: fine" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_game_of_a_page_comes_to_its_end(page: Page, tmp_path: Path) -> None:
    page.lay_out(tmp_path)

    done = run(f"rulewright playout {page.game} --variant misere -n 3", tmp_path)

    assert done.returncode == 0, done.stderr
    assert "3 games" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_no_other_blocks(page: Page) -> None:
    assert {name for name, _ in BLOCK.findall(page.text)} <= {"rules", "console", "sh"}


def test_the_play_command_of_the_readme_plays(tmp_path: Path) -> None:
    command = next(line for line in README.splitlines() if line.endswith("--agents random"))
    _, _, play = command.partition(".venv/bin/rulewright ")

    first, second = (run(f"rulewright {play}", tmp_path) for _ in range(2))

    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "Ranking" in first.stdout


def test_every_command_is_on_its_page_and_exists(tmp_path: Path) -> None:
    named = set(re.findall(r"rulewright (\w+)", README))
    listed = set(re.findall(r"rulewright (\w+)", COMMANDS))
    help_text = run("rulewright --help", tmp_path).stdout

    there = set(re.findall(r"^    (\w+) ", help_text, re.MULTILINE))

    assert listed == there
    assert named and named <= there


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
