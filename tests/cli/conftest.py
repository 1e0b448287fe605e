"""Runs the command line inside the process of the tests, with streams of its own."""

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs
import pytest

from rulewright.interpreter.cli import main


@attrs.frozen
class Result:
    """What a command printed, in the order in which it did, and its exit status."""

    output: str
    stdout: str
    stderr: str
    status: int


class _Stream(io.StringIO):
    """A stream that also writes into a common one."""

    def __init__(self, common: io.StringIO) -> None:
        super().__init__()
        self.common = common

    def write(self, text: str) -> int:
        """Write to both."""
        self.common.write(text)
        return super().write(text)


@contextmanager
def _streams(typed: str) -> Iterator[tuple[io.StringIO, _Stream, _Stream]]:
    before = sys.stdin, sys.stdout, sys.stderr
    common = io.StringIO()
    out, err = _Stream(common), _Stream(common)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(typed), out, err
    try:
        yield common, out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _run(line: str | list[str], typed: str = "") -> Result:
    words = shlex.split(line) if isinstance(line, str) else line
    with _streams(typed) as (common, out, err):
        status = main.main(words)
    return Result(common.getvalue(), out.getvalue(), err.getvalue(), status)


@pytest.fixture
def rulewright(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run what stands behind `rulewright` on a command line, with so much typed into it."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("RULEWRIGHT_TRACEBACK", raising=False)
    return _run


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the same in a process of its own, to see what only a process shows."""

    def run(*words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rulewright.interpreter", *words],
            input=typed,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **more},
            check=False,
        )

    return run
