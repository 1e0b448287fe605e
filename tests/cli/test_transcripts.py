"""Commands as a person types them, with all that they print.

A file of `transcripts/` holds commands after `$ `, each followed by its output and, if it is not 0,
its exit status after `? `. What is typed while a command runs stands behind it, up to a line with a
single dot:

    $ rulewright play tic_tac_toe --seed 1 <<.
    quit
    .

Commands run in the folder `files/`, or in a copy of it if something is saved. To add one, write the command into a file and run `pytest --update`.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.quick

FOLDER = Path(__file__).parent / "transcripts"
FILES_FOLDER = Path(__file__).parent / "files"
FILES = sorted(FOLDER.glob("*.txt"))
TYPED = " <<."
RATE = re.compile(r"^[\d.,]+ s: [\d.,]+ games(, [\d.,]+ decisions)? a second.*$", re.MULTILINE)
"""What differs from run to run."""


def commands_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the command lines of a transcript, each with what is typed while it runs."""
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        typed = ""
        if line.endswith(TYPED):
            for entered in lines:
                if entered == ".":
                    break
                typed += entered + "\n"
        yield line, typed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_transcript_comes_out_as_it_is_written(
    path: Path,
    golden: Callable[[Path, str], None],
    rulewright: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    commands = list(commands_in(path.read_text(encoding="utf-8")))
    writes = any(line.startswith("save ") for _, typed in commands for line in typed.splitlines())
    folder = shutil.copytree(FILES_FOLDER, tmp_path / "files") if writes else FILES_FOLDER
    monkeypatch.chdir(folder)

    parts = []
    for command, typed in commands:
        words = command.removeprefix("$ rulewright").removesuffix(TYPED)
        result = rulewright(words, typed)
        text = f"{command}\n" + (f"{typed}.\n" if command.endswith(TYPED) else "")
        text += RATE.sub("(time and rates)", result.output)
        text += "" if text.endswith("\n") else "\n"
        parts.append(text + (f"? {result.status}\n" if result.status else ""))

    assert commands, f"{path} holds no command"
    golden(path, "\n".join(parts))
