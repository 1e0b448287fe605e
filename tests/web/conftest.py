"""Servers for the tests of the web table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from web_table import Server


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


@pytest.fixture
def begin(folder: Path) -> Iterator[Callable[..., Server]]:
    """Begins servers with their tables in that folder; what is still running at the end is stopped."""
    from web_table import Server

    begun: list[Server] = []

    def beginning(game: str | None = None, **limits: Any) -> Server:
        begun.append(Server(folder, game, **limits))
        return begun[-1]

    yield beginning
    for one in begun:
        if one.process.poll() is None:
            one.stop()
