"""Servers and a browser for the tests of the web table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import playwright.sync_api as playwright
    from web_clicks import Person
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[playwright.Browser]:
    """A browser, where there is one. It is closed after each module: it has an event loop, and there may be only
    one of them in a thread."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no Chromium")
    with sync_api.sync_playwright() as started:
        # Where a machine has little shared memory, files do as well.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        try:
            browser = started.chromium.launch(executable_path=found, args=options)
        except sync_api.Error as error:
            pytest.skip(f"Chromium does not start here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def sit(chromium: playwright.Browser) -> Iterator[Callable[..., list[Person]]]:
    """Lets people come, each with a browser of his own; they go home at the end."""
    from web_clicks import LOOKS, Person

    from rulewright.interpreter.state.random import Generator

    here: list[Person] = []

    def sitting(count: int, look: str = "both", seed: int = 1, **more: Any) -> list[Person]:
        kinds = LOOKS[look]
        for n in range(count):
            kind = {**kinds[n % len(kinds)], **more}
            here.append(Person(chromium, Generator(seed * 100 + n), **kind))
        return here[-count:]

    yield sitting
    for one in here:
        one.close()
