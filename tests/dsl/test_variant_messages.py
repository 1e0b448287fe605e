"""How each conflict and mistake of `cases/variant_mistakes.rules` looks to an author, in full: golden
files `variant_messages/<case>.txt`, so that whoever changes a message reads what people get.
"""

import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from chunks import CASES, Chunk, chunks_of

from rulewright.dsl.text.render import render

MESSAGES = Path(__file__).resolve().parent / "variant_messages"
MISTAKES = CASES / "variant_mistakes.rules"


def short(chunk: Chunk) -> Chunk:
    """Return a case whose line numbers do not depend on the cases above it."""
    files = tuple((name, re.sub(r"\n{3,}", "\n\n", text)) for name, text in chunk.files)
    return attrs.evolve(chunk, files=files)


def name_of(chunk: Chunk) -> str:
    return re.sub(r"\W+", "_", chunk.title.partition(":")[0].lower()).strip("_")


WRONG = {name_of(chunk): chunk for chunk in chunks_of(MISTAKES) if chunk.marks}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_reads_as_it_has_been_reviewed(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[Path, str], None],
) -> None:
    monkeypatch.chdir(tmp_path)

    found = render(WRONG[name].judged(short(WRONG[name]).diagnostics(Path())))

    golden(MESSAGES / f"{name}.txt", found)


def test_there_are_thirty_and_none_is_left_over() -> None:
    assert len(WRONG) >= 30
    assert {path.stem for path in MESSAGES.glob("*.txt")} == set(WRONG)
