"""A server of the web table in a process of its own, and somebody with a browser that follows links and sends forms."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx

QUICK: dict[str, Any] = {
    "pause": 0.0,
    "requests": 1e6,
    "burst": 1_000_000,
    "tables_of_client": 1_000_000,
    "request_seconds": 90.0,
    "load_seconds": 90.0,
    "thought_seconds": 90.0,
}
"""Limits that no test meets by chance."""

SCRIPT = """
import json, sys
from pathlib import Path
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.serving import serve

game, port, data, limits = json.loads(sys.argv[1])
serve(game, "127.0.0.1", port, Path(data), lambda addresses: print(addresses[0], flush=True), Limits(**limits))
"""
LINK = re.compile(r"/t/([A-Za-z0-9_-]{8})/([A-Za-z0-9_-]{24})/")
WITHIN = 120.0


class Server:
    """A server that can be killed and begun again; it stays at its port."""

    def __init__(self, data: Path, game: str | None = None, **limits: Any) -> None:
        self.data = data
        self.game = game
        self.limits = {**QUICK, **limits}
        self.port = 0
        self.browsers: list[httpx.Client] = []
        self.begin()

    def begin(self) -> None:
        """Begin the server, and wait until it answers."""
        told = json.dumps([self.game, self.port, str(self.data), self.limits])
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, told], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = re.sub(r"(://[^/]*).*", r"\1", self.process.stdout.readline().strip())
        self.port = int(self.address.rpartition(":")[2])

        def answers() -> bool:
            try:
                return httpx.get(f"{self.address}/static/table.css").status_code == 200
            except httpx.HTTPError:
                return False

        until(answers)

    def kill(self) -> None:
        """End the server at once."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """Ask the server to stop; return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        if self.process.stdout is not None:
            self.process.stdout.close()
        for browser in self.browsers:
            browser.close()
        return self.process.wait(WITHIN)

    def workers(self) -> list[int]:
        """Return the numbers of its processes."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                if int(parent) == self.process.pid:
                    if "spawn_main" in (entry / "cmdline").read_text():
                        found.append(int(entry.name))
        assert found, "they are not seen on this machine"
        return found

    def browser(self) -> httpx.Client:
        """Return somebody who opens pages there."""
        found = httpx.Client(base_url=self.address, follow_redirects=True, timeout=WITHIN)
        self.browsers.append(found)
        return found

    def rows(self, asked: str, *given: Any) -> list[Any]:
        """Return rows of the file of the tables."""
        with closing(sqlite3.connect(self.data / "tables.sqlite")) as base:
            return base.execute(asked, given).fetchall()


class At(NamedTuple):
    """Somebody at a table: with a browser and a link."""

    browser: httpx.Client
    link: str

    def page(self) -> httpx.Response:
        """Return the page of the table."""
        return self.browser.get(self.link)

    def view(self) -> dict[str, Any]:
        """Return what is seen there, as data."""
        found: dict[str, Any] = self.browser.get(f"{self.link}view.json").json()
        return found

    def post(self, action: str = "answer", **fields: Any) -> httpx.Response:
        """Send a form."""
        headers = {"sec-fetch-site": "same-origin"}
        return self.browser.post(f"{self.link}{action}", data=fields, headers=headers)

    def answer(self, option: int | list[int] = 0) -> httpx.Response:
        """Answer what is asked."""
        return self.post(n=self.view()["n"], option=option)


class Made(NamedTuple):
    """A table that was made: who sits there, and who watches."""

    seats: dict[int, At]
    watcher: At
    id: str


def make(server: Server, game: str, *who: str, **fields: Any) -> Made:
    """Make a table; everybody at it has a browser of his own."""
    browser = server.browser()
    form: dict[str, Any] = {"game": game, **fields}
    form |= {f"seat-{number}": one for number, one in enumerate(who, 1)}
    reply = browser.post("/tables", data=form)
    assert reply.status_code == 200, reply.text
    return links_of(server, browser, reply)


def links_of(server: Server, browser: httpx.Client, reply: httpx.Response) -> Made:
    """Return the table that a browser has just made."""
    mine = LINK.search(str(reply.url))
    assert mine is not None, reply.url
    found = dict.fromkeys(LINK.findall(browser.get(f"{mine[0]}links").text))
    seats, watcher = {}, None
    for table, token in found:
        link = f"/t/{table}/{token}/"
        at = At(browser if link == mine[0] else server.browser(), link)
        number = at.view()["seat"]
        if number is None:
            watcher = at
        else:
            seats[number] = at
    assert watcher is not None
    return Made(dict(sorted(seats.items())), watcher, mine[1])


def play(made: Made, most: int = 200) -> int:
    """Let everybody give the first answer that is possible, to the end; return how many were given."""
    asked: list[At] = []

    def goes_on() -> bool:
        """Look who is asked; an agent may have to think first."""
        views = [at.view() for at in made.seats.values()]
        seats = zip(made.seats.values(), views, strict=True)
        asked[:] = [at for at, view in seats if view["question"] is not None]
        return bool(asked) or views[0]["end"] is not None

    for given in range(most):
        until(goes_on)
        if not asked:
            return given
        assert asked[0].answer().status_code == 200
    return most


def until(true: Callable[[], Any], within: float = WITHIN) -> None:
    """Wait until something is true."""
    end = time.monotonic() + within
    while not true():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)


def ends(number: int) -> bool:
    """Return whether a process has ended."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False
