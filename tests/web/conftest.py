"""Servers for the tests of the web table, which are left out where the extra `web` is not installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from web_table import Server

NEEDED = ("starlette", "uvicorn", "jinja2", "httpx")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]

collect_ignore_glob = ["test_*.py"] if MISSING else []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the games of the shelf."""
    from web_table import Server

    found = Server(tmp_path_factory.mktemp("tables"))
    yield found
    found.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for tables of one test."""
    return tmp_path / "tables"
