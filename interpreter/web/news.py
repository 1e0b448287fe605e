"""Server-sent events: each page of a table hears that there is something new for its seat, and nothing else.

The event carries the stamp of the seat, which changes when what the seat sees changes. So nobody can tell from the
news that somebody who acts at the same time has answered.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping

import attrs

ALIVE_SECONDS = 15.0
"""A line comes at least so often, so that proxies leave the connection open."""

RETRY_MILLISECONDS = 2_000


@attrs.define(eq=False)
class _Listener:
    table: str
    seat: int
    client: str
    fresh: asyncio.Event
    again: bool = False


class News:
    """Who listens at which tables, and what each seat has been told last."""

    def __init__(self, of_table: int, of_all: int, of_client: int) -> None:
        self.of_table = of_table
        self.of_all = of_all
        self.of_client = of_client
        self.stamps: dict[tuple[str, int], str] = {}
        self.listening: dict[str, list[_Listener]] = defaultdict(list)
        self.clients: Counter[str] = Counter()
        self.stopping = False

    def is_full(self, table: str, client: str) -> bool:
        """Return whether nobody more may listen there."""
        return (
            self.clients.total() >= self.of_all
            or len(self.listening.get(table, ())) >= self.of_table
            or self.clients[client] >= self.of_client
        )

    def seats(self, table: str) -> frozenset[int]:
        """Return the seats of a table whose pages are open."""
        return frozenset(one.seat for one in self.listening.get(table, ()) if one.seat >= 0)

    def is_watched(self, table: str) -> bool:
        """Return whether a page of a table is open."""
        return bool(self.listening.get(table))

    def forget(self, table: str) -> None:
        """Let all pages of a table look again: it is there no longer."""
        for key in [key for key in self.stamps if key[0] == table]:
            del self.stamps[key]
        for one in self.listening.get(table, ()):
            one.again = True
            one.fresh.set()

    def tell(self, table: str, stamps: Mapping[int, str]) -> None:
        """Wake the pages of the seats for which there is something new."""
        for seat, stamp in stamps.items():
            if self.stamps.get((table, seat)) == stamp:
                continue
            self.stamps[table, seat] = stamp
            for one in self.listening.get(table, ()):
                if one.seat == seat:
                    one.fresh.set()

    def wake(self, table: str, seat: int | None = None) -> None:
        """Let the pages of a seat, or of all, look again, though nothing has happened at the table."""
        for one in self.listening.get(table, ()):
            if seat is None or one.seat == seat:
                one.again = True
                one.fresh.set()

    def stop(self) -> None:
        """End all streams."""
        self.stopping = True
        for listeners in self.listening.values():
            for one in listeners:
                one.fresh.set()

    async def stream(
        self, table: str, seat: int, client: str, again: bool = False
    ) -> AsyncIterator[bytes]:
        """Yield events until the page is closed. `again`: something else than the game may have changed
        since the page was made, so it looks again at once."""
        me = _Listener(table, seat, client, asyncio.Event(), again)
        self.listening[table].append(me)
        self.clients[client] += 1
        try:
            yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
            told = None
            while not self.stopping:
                stamp = self.stamps.get((table, seat))
                if stamp is not None and stamp != told:
                    number, same = (
                        _number(stamp),
                        told is not None and _number(told) == _number(stamp),
                    )
                    told = stamp
                    # A page compares the number with its own; `look` is not about the number.
                    event = "look" if same else "table"
                    yield f"event: {event}\ndata: {number}\nid: {stamp}\n\n".encode()
                if me.again:
                    me.again = False
                    yield b"event: look\ndata: 0\n\n"
                try:
                    await asyncio.wait_for(me.fresh.wait(), ALIVE_SECONDS)
                    me.fresh.clear()
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            self.listening[table].remove(me)
            if not self.listening[table]:
                del self.listening[table]
            self.clients[client] -= 1
            if not self.clients[client]:
                del self.clients[client]


def _number(stamp: str) -> str:
    return stamp.partition(".")[0]
