"""How long a connection may take until it has said what it wants, and until it has read what it is told.

uvicorn ends a connection that is idle between two requests, but waits for ever for a head that comes letter by letter,
for the rest of a body that nobody reads any more, and for somebody to read a reply: some thousand of such connections
would keep everybody out.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
"""The head of a request must have arrived by then."""


READ_SECONDS = 60.0
"""For so long some of what is sent may wait to be read, without a moment at which all has been."""

LOOKS = 6
"""So often it is looked at within that time."""


class TimedProtocol(H11Protocol):
    """HTTP over one connection, which is closed where a head does not come in time, and given up where nobody reads."""

    _late: asyncio.TimerHandle | None = None
    _next_look: asyncio.TimerHandle | None = None
    _unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._look()
        self._look_what_is_unread()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._stop_waiting()
        if self._next_look is not None:
            self._next_look.cancel()

    def _waits_for_a_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        """Count from the first letter on, and not anew with each that comes."""
        if not self._waits_for_a_head():
            self._stop_waiting()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close(self) -> None:
        self._late = None
        if self._waits_for_a_head():
            self.transport.close()

    def _look_what_is_unread(self) -> None:
        """Give the connection up if not all was read at any of the last times; a stream that is read has moments at which
        nothing waits."""
        waits = self.transport.get_write_buffer_size() > 0
        self._unread = self._unread + 1 if waits else 0
        if self._unread > LOOKS:
            self.transport.abort()
        else:
            self._next_look = self.loop.call_later(READ_SECONDS / LOOKS, self._look_what_is_unread)
