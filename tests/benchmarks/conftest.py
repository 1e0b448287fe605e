"""The modules of this folder can be imported by the tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the candidate that would compile for minutes."""
    from candidates import CANDIDATES

    monkeypatch.delitem(CANDIDATES, "native")
