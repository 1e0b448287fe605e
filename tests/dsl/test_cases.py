"""What the checker must say about mistakes, and what it must not: the files `cases/*.rules`."""

from pathlib import Path

import pytest
from chunks import Chunk, all_chunks, compare

from rulewright.dsl.text.render import render

pytestmark = pytest.mark.quick

CHUNKS = list(all_chunks())


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.id)
def test_the_checker_says_what_the_case_expects(chunk: Chunk, tmp_path: Path) -> None:
    compilation = chunk.compile(tmp_path)

    unexpected, missing = compare(chunk, chunk.told(compilation))
    expected = "\n".join(f"nothing says this: {mark}" for mark in missing)
    assert not unexpected and not missing, f"\n{render(unexpected)}\n{expected}"
    # There is a model exactly if there are no errors.
    errors = [item for item in compilation.diagnostics if item.severity.value == "error"]
    assert (compilation.game is None) == bool(errors)
