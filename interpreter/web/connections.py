"""How long a connection may take until it has said what it wants.

uvicorn ends a connection that is idle between two requests, but waits for ever for a head that comes letter by letter,
and for the rest of a body that nobody reads any more: some thousand of such connections would keep everybody out.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
"""The head of a request must have arrived by then."""


class TimedProtocol(H11Protocol):
    """HTTP over one connection, which is closed where a head does not come in time."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._stop_waiting()

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
