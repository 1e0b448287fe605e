"""One golden rendering for each code that the checker can raise: `rendered/RWnnn.txt`.

It is that of the first case which expects the code; what no case can show is laid out here. So
whoever reviews a change of a message sees it as an author would.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest
from chunks import Chunk, all_chunks

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.codes import CODES
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.render import render

pytestmark = pytest.mark.quick

RENDERED = Path(__file__).resolve().parent / "rendered"

ELSEWHERE: Mapping[str, str] = {
    "RW025": "a folder of so many variants is made in `test_extremes.py`",
    "RW113": "so many mistakes are made in `test_extremes.py`",
    "RW416": "nothing raises it: every place of a step has something to leave",
    "RW640": "all sets of variants are looked at together, in `test_unread.py`",
    "RW641": "all sets of variants are looked at together, in `test_unread.py`",
    "RW642": "all sets of variants are looked at together, in `test_unread.py`",
    "RW506": "the program that sets options says so in its own words",
    "RW507": "the interpreter sets options",
    "RW509": "a matter of how many play, and with which options",
}
"""Why no case raises a code below RW700."""


Exhibit = Callable[[], str]
"""Lays something out in the current folder, and returns what to compile."""


def file(name: str, content: str | bytes) -> Exhibit:
    """Return what writes one file and says what to compile: that file."""

    def write() -> str:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


def named(name: str) -> Exhibit:
    """Return what only says what to compile."""
    return lambda: name


EXHIBITS: Mapping[str, Exhibit] = {
    "RW001": named("nowhere/game.rules"),
    "RW002": file("case/game.rules", 'language 1\ngame "Größe"'.encode("latin-1")),
    "RW003": named("."),
    "RW004": file("case/game.rules", "#" * 3_000_000),
    "RW005": file("case/game.rules", b"language 1\0"),
    "RW006": file("case/game.rules", 'game "Old" for 2..4 players\n'),
    "RW106": file("case/game.rules", "language 1\n"),
}
"""What no file of cases can show: a file that is none, and what is missing at the very top."""


def raised() -> dict[str, Callable[[Path], tuple[Diagnostic, ...]]]:
    """Return for each code something in which it is raised."""
    found: dict[str, Callable[[Path], tuple[Diagnostic, ...]]] = {}
    for chunk in all_chunks():
        for mark in chunk.marks:
            found.setdefault(mark.code, without_gaps(chunk).diagnostics)
    return found | {code: compiled(exhibit) for code, exhibit in EXHIBITS.items()}


def without_gaps(chunk: Chunk) -> Chunk:
    """Return a chunk whose lines do not depend on what stands above it in its file."""
    files = tuple((name, re.sub(r"\n{3,}", "\n\n", text)) for name, text in chunk.files)
    return attrs.evolve(chunk, files=files)


def compiled(exhibit: Exhibit) -> Callable[[Path], tuple[Diagnostic, ...]]:
    """Return what lays an exhibit out and gives the messages about it."""
    return lambda folder: compile_game(exhibit()).diagnostics


RAISED = raised()


@pytest.mark.parametrize("code", sorted(RAISED))
def test_messages_look_as_they_have_been_reviewed(
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[Path, str], None],
) -> None:
    monkeypatch.chdir(tmp_path)
    diagnostics = RAISED[code](Path())

    found = next(item for item in diagnostics if item.code.code == code)

    golden(RENDERED / f"{code}.txt", render([found]))


def test_no_rendering_is_left_over() -> None:
    assert {path.stem for path in RENDERED.glob("*.txt")} == set(RAISED)


@pytest.mark.parametrize("code", [code.code for code in CODES])
def test_every_code_of_the_checker_has_a_case(code: str) -> None:
    if code >= "RW700":
        return  # raised in play; the checker raises some of them, too
    assert (code in RAISED) != (code in ELSEWHERE), ELSEWHERE.get(code, "no case expects it")
