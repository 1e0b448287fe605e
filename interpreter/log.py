"""The log: what has happened, from the last event backwards, so that copies share their past.

Events are noted all the time and read seldom, so an entry is one flat tuple: the log before it, then
the parts of the event. Who looks gets an `Event`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright.interpreter.values import Thing, Value

Numbers = frozenset[int]
NOBODY: Numbers = frozenset()

Log = tuple[Any, ...]
"""`(log before, kind, actor, data, seers, counters, strangers)`."""


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
    return (log, *event)


def latest_first(log: Log | None, end: Log | None = None) -> Iterator[Event]:
    """Return the events of a log, the last one first, back to an earlier log."""
    while log is not None and log is not end:
        yield Event._make(log[1:])
        log = log[0]
