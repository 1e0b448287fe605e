"""The web application in this process: its workers are called and no socket is opened, so that thousands of requests
can be sent to it. What goes to a worker and back is packed and unpacked as it would be on its way."""

from __future__ import annotations

import asyncio
import pickle
import sqlite3
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

import pytest
from starlette.types import Message

from rulewright.interpreter.web import app, thinking
from rulewright.interpreter.web.games import Served, served
from rulewright.interpreter.web.guard import Guard
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.public_url import PublicUrl
from rulewright.interpreter.web.storage import WATCHER, located
from rulewright.interpreter.web.table_worker import TableWorker
from rulewright.interpreter.web.workers import WentWrongError

HOST = b"127.0.0.1:8000"
OPEN = Limits(requests=1e9, burst=10**9, tables_of_client=10**9, tables=10**9, pause=0.0)
"""Limits of rates that no test meets by chance."""

Headers = Iterable[tuple[bytes, bytes]]


class HerePool:
    """Stands for the processes: one worker, called at once."""

    def __init__(self, begin: Callable[[Any], Any], argument: Any, size: int, most: int) -> None:
        # The process of the tests keeps its priority.
        self.answering = (thinking.Thinker if begin is thinking.begin else begin)(argument)
        self.wrong: list[str] = []

    def of(self, name: str) -> HerePool:
        """Return the worker of a table."""
        return self

    def free(self) -> HerePool:
        """Return some worker."""
        return self

    async def ask(self, request: Any, seconds: float) -> Any:
        """Return what a worker says to a request."""
        try:
            return pickle.loads(pickle.dumps(self.answering(pickle.loads(pickle.dumps(request)))))
        except Exception:
            self.wrong.append(traceback.format_exc())
            raise WentWrongError from None


class Got(NamedTuple):
    """What came back."""

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes

    @property
    def sent(self) -> bytes:
        """All that was sent, with the headers."""
        lines = [b"%d" % self.status, *(b": ".join(pair) for pair in self.headers), self.body]
        return b"\n".join(lines)

    def header(self, name: bytes) -> bytes:
        """Return a header; nothing if it is not there."""
        return dict(self.headers).get(name, b"")


class Here:
    """An application with its tables in a folder."""

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        where: Served | None = None,
        limits: Limits = OPEN,
        hosts: tuple[str, ...] | None = None,
        public: PublicUrl | None = None,
    ) -> None:
        monkeypatch.setattr(app, "Pool", HerePool)
        self.path = located(folder)
        found = app.application(where or served(), self.path, limits, hosts, public=public)
        assert isinstance(found, Guard)
        self.guard: Guard = found
        self.web: app.Web = found.app.state.web  # type: ignore[attr-defined]
        self.workers: HerePool = self.web.workers  # type: ignore[assignment]

    @property
    def worker(self) -> TableWorker:
        """What has the tables."""
        found: TableWorker = self.workers.answering
        return found

    async def send(
        self,
        method: str,
        target: bytes,
        headers: Headers = (),
        body: bytes | Sequence[bytes] = b"",
        host: bytes = HOST,
    ) -> Got:
        """Send a request as it stands, and return what comes back; a stream is left after its first event."""
        path, _, query = target.partition(b"?")
        given = [(b"host", host), *headers]
        parts = [body] if isinstance(body, bytes) else [*body]
        if isinstance(body, bytes) and b"content-length" not in dict(given):
            given.append((b"content-length", b"%d" % len(body)))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            # As the server reads it.
            "path": unquote(path.decode("latin-1")),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in given],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
        }
        status, told, came = 0, [], []
        left = asyncio.Event()

        async def receive() -> Message:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts)}
            await left.wait()
            return {"type": "http.disconnect"}

        async def sending(message: Message) -> None:
            nonlocal status, told
            if message["type"] == "http.response.start":
                status, told = message["status"], list(message["headers"])
            else:
                came.append(message.get("body", b""))
                if b"data:" in came[-1]:
                    left.set()

        await self.guard(scope, receive, sending)
        return Got(status, told, b"".join(came))

    async def get(self, link: str) -> Got:
        """Open a page."""
        return await self.send("GET", link.encode())

    async def post(self, link: str, **fields: Any) -> Got:
        """Send a form of one of our pages."""
        body = urlencode(fields, doseq=True).encode()
        return await self.send("POST", link.encode(), [(b"sec-fetch-site", b"same-origin")], body)

    def rows(self, asked: str, *given: Any) -> list[Any]:
        """Return rows of the file of the tables."""
        with closing(sqlite3.connect(self.path)) as base:
            return base.execute(asked, given).fetchall()

    async def table(self, game: str, *who: str, **fields: Any) -> Seats:
        """Make a table; all links to it are returned."""
        form = {"game": game, **{f"seat-{number}": one for number, one in enumerate(who, 1)}}
        made = await self.post("/tables", **form, **fields)
        assert made.status == 303, made.body
        first = made.header(b"location").decode().removesuffix("links")
        key = made.header(b"set-cookie").partition(b";")[0]
        found = await self.send("GET", f"{first}links".encode(), [(b"cookie", key)])
        text, links = found.body.decode(), {}
        table = first.split("/")[2]
        for token in dict.fromkeys(_tokens(table, text)):
            link = f"/t/{table}/{token}/"
            seat = self.web.storage.seat_of(table, app.hashed(token))
            assert seat is not None
            links[seat.seat] = link
        return Seats(table, dict(sorted(links.items())), key)


class Seats(NamedTuple):
    """The links of a table by seats, that of watchers among them, and the cookie of who has made it."""

    table: str
    links: dict[int, str]
    cookie: bytes

    @property
    def people(self) -> dict[int, str]:
        """The links of those who play."""
        return {seat: link for seat, link in self.links.items() if seat != WATCHER}


def _tokens(table: str, text: str) -> list[str]:
    return [part[:24] for part in text.split(f"/t/{table}/")[1:]]
