"""Options and fixtures that all tests share."""

import difflib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

CACHES = "XDG_CACHE_HOME"
"""The variable that names the folder for caches."""

sys.path.insert(0, str(ROOT / "tests"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update` (rewrite golden files) and `--slow` (run the long tests, too)."""
    parser.addoption("--update", action="store_true", help="rewrite the golden files")
    parser.addoption("--slow", action="store_true", help="run the long tests, too")


def pytest_configure(config: pytest.Config) -> None:
    """Give the tests a cache folder of their own, where there is a variable for it: they must neither
    fill that of the user nor depend on it. All processes of a run share it: what one has checked no
    other checks again."""
    if hasattr(config, "workerinput"):
        return
    before = os.environ.get(CACHES)
    folder = os.environ[CACHES] = tempfile.mkdtemp(prefix="rulewright-tests-")

    def put_back() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        if before is None:
            del os.environ[CACHES]
        else:
            os.environ[CACHES] = before

    config.add_cleanup(put_back)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests unless somebody asks for them."""
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="a long run: give --slow")
    for item in items:
        if item.get_closest_marker("slow") is not None:
            item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def own_width() -> Iterator[None]:
    """Let lines be as long as without a terminal: libraries that pytest loads set a width for the
    processes that begin there, such as those in which the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with a golden file; with `--update`, write the file instead."""

    def compare(path: Path, actual: str) -> None:
        if request.config.getoption("--update"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8", newline="\n")
            return
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        if not path.is_file():
            pytest.fail(f"{shown} is missing; `pytest --update` writes it", pytrace=False)
        expected = path.read_text(encoding="utf-8")
        if actual == expected:
            return
        pairs = zip(expected.splitlines(), actual.splitlines(), strict=False)
        shorter = min(len(expected.splitlines()), len(actual.splitlines()))
        line = next((i for i, (old, new) in enumerate(pairs) if old != new), shorter) + 1
        difference = "\n".join(
            difflib.unified_diff(
                expected.splitlines(), actual.splitlines(), "expected", "actual", lineterm=""
            )
        )
        pytest.fail(
            f"{shown} differs from line {line} on; `pytest --update` rewrites it\n{difference}",
            pytrace=False,
        )

    return compare
