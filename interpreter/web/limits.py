"""How much strangers may ask of a server, and who has asked how much.

What goes beyond is refused with a status and one clear line: 413 for a body, 422 for a form, 429 for the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import attrs


@attrs.frozen
class Limits:
    """The limits of a server."""

    body: int = 64_000
    """Bytes of a form."""

    record: int = 4_000_000
    """Bytes of a saved game that is brought along."""

    fields: int = 500
    """Fields of a form."""

    body_seconds: float = 15.0
    """A form must have arrived by then."""

    requests: float = 20.0
    """Requests for each second of a client, over time."""

    burst: int = 200
    """So many more at once."""

    clients: int = 10_000
    """So many clients are remembered."""

    tables_of_client: int = 50
    """Tables that one client may open within a day."""

    tables: int = 2_000
    """Tables in all."""

    agents_alone: int = 8
    """Tables at which nobody but agents sits and plays at the same time."""

    moves_unwatched: int = 200
    """So often do agents move there while nobody watches; then they wait until somebody opens the table."""

    streams_of_table: int = 100
    """Pages of a table that listen to news at the same time."""

    streams: int = 1_000
    """The same of all tables."""

    waiting: int = 50
    """Requests that wait for one worker."""

    request_seconds: float = 10.0
    """What a worker may take for a request, before it is ended and replaced."""

    load_seconds: float = 60.0
    """The same where a whole game is played again."""

    thought_seconds: float = 30.0
    """What an agent may take for an answer."""

    pause: float = 0.4
    """Seconds between the moves of agents, so that people can follow."""

    strikes: int = 3
    """So often may a table be cut off before it rests for `rest` seconds."""

    rest: float = 60.0


DAY = 86_400.0


@attrs.define
class _Account:
    left: float
    at: float


class Allowance:
    """How much each of many clients may still have: so much at once, and so much for each second.

    >>> allowance = Allowance(per_second=1.0, at_once=2, clients=100, now=lambda: 0.0)
    >>> [allowance.takes("one"), allowance.takes("one"), allowance.takes("one"), allowance.takes("two")]
    [True, True, False, True]
    """

    def __init__(
        self,
        per_second: float,
        at_once: float,
        clients: int,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self.clients = clients
        self.now = now
        self.accounts: dict[str, _Account] = {}

    def takes(self, client: str) -> bool:
        """Let a client have one more; return whether it may."""
        now = self.now()
        account = self.accounts.pop(client, None) or _Account(self.at_once, now)
        account.left = min(self.at_once, account.left + (now - account.at) * self.per_second)
        account.at = now
        # Who came last stands last; who has not come for the longest time is forgotten first.
        self.accounts[client] = account
        if len(self.accounts) > self.clients:
            del self.accounts[next(iter(self.accounts))]
        if account.left < 1:
            return False
        account.left -= 1
        return True
