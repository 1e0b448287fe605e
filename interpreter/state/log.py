"""The log: what has happened, from the last event backwards, so that copies share their past.

Events are noted all the time and read seldom, so an entry is one tuple: the log before it, what has
happened, and who sees what of it, which most events share. Who looks gets an `Event`. How many there
are is counted only when somebody asks (`Store.count_events`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright.interpreter.state.values import Thing, Value

Numbers = frozenset[int]
NOBODY: Numbers = frozenset()

Log = tuple[Any, ...]
"""`(log before, kind, actor, data, (seers, counters, strangers))`."""

Seen = tuple[Numbers, Numbers, Numbers]
"""Who sees all of an event, who sees that something happened, and to whom its places say nothing."""

SECRET: Seen = NOBODY, NOBODY, NOBODY


class Event(NamedTuple):
    """One thing that happened."""

    kind: str
    actor: Thing | None
    data: tuple[Value, ...]
    seers: Numbers
    counters: Numbers = NOBODY
    strangers: Numbers = NOBODY
    """Of a move: who does not see the things to which the places belong."""


def longer(log: Log | None, event: Event) -> Log:
    """Return a log with one more event."""
    return (log, *event[:3], event[3:])


def latest_first(log: Log | None, end: Log | None = None) -> Iterator[Event]:
    """Return the events of a log, the last one first, back to an earlier log."""
    while log is not None and log is not end:
        yield Event(*log[1:4], *log[4])
        log = log[0]


def length(log: Log | None, end: Log | None = None) -> int:
    """Return how many events a log has had since an earlier log."""
    count = 0
    while log is not None and log is not end:
        count += 1
        log = log[0]
    return count
