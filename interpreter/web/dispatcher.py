"""Hands requests on to the workers, cuts off what takes too long, and lets agents move, one by one.

While an agent of a table is asked, one task here has it think in a process of its own and gives its answer to the
table; between two moves it waits, so that people can follow. Nobody else waits for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import traceback
from collections.abc import Coroutine
from time import monotonic
from typing import Any

import attrs

from rulewright.interpreter.web.exchange import Reply, Request
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.news import News
from rulewright.interpreter.web.thinking import Task
from rulewright.interpreter.web.workers import (
    BusyError,
    DiedError,
    Pool,
    TooLongError,
    WorkerError,
)

READING = (
    "page",
    "view",
    "log",
    "why",
    "rules",
    "replay",
    "record",
    "line",
    "links",
    "due",
    "new",
    "book",
)
"""What changes nothing, so that it can be asked once more."""


class Refused(Exception):
    """A request that is answered with a page which says why it is not done."""

    def __init__(self, status: int, text: str | None = None) -> None:
        self.status = status
        self.text = text
        super().__init__(status)


@attrs.define
class _Strikes:
    """How often a table has been cut off, and until when it rests."""

    count: int = 0
    until: float = 0.0


class Dispatcher:
    """The way from the event loop to the workers."""

    def __init__(self, workers: Pool, thinkers: Pool, news: News, limits: Limits) -> None:
        self.workers = workers
        self.thinkers = thinkers
        self.news = news
        self.limits = limits
        self.strikes: dict[str, _Strikes] = {}
        self.alone: set[str] = set()
        """The tables at which only agents sit and play."""

        self.resting: set[str] = set()
        """Those where they wait until somebody watches."""

        self.crowded_out: set[str] = set()
        """Those of them where they wait until others have ended."""

        self.driven: dict[str, asyncio.Task[None]] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def ask(self, request: Request, seconds: float | None = None) -> Reply:
        """Return what the worker of a table says, and spread the news. Raises `Refused`."""
        strikes = self.strikes.get(request.table)
        if strikes is not None and strikes.until > monotonic():
            raise Refused(504)
        limit = self.limits.request_seconds if seconds is None else seconds
        worker = self.workers.of(request.table)
        try:
            try:
                reply: Reply = await worker.ask(request, limit)
            except DiedError:
                if request.action not in READING:
                    # It may have been written down or not: the page shows which.
                    return Reply(status=303, said="replaced")
                reply = await worker.ask(attrs.evolve(request, said="replaced"), limit)
        except TooLongError:
            self._strike(request.table)
            raise Refused(504) from None
        except BusyError:
            raise Refused(503) from None
        except WorkerError:
            raise Refused(503) from None
        if not reply.midway:
            self.news.tell(request.table, reply.stamps)
        return reply

    def _strike(self, table: str) -> None:
        found = self.strikes.setdefault(table, _Strikes())
        found.count += 1
        if found.count >= self.limits.strikes:
            self.strikes[table] = _Strikes(0, monotonic() + self.limits.rest)
        while len(self.strikes) > self.limits.clients:
            del self.strikes[next(iter(self.strikes))]

    # ---------------------------------------------------------------------------------------- agents

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside the requests."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def drive(self, table: str) -> None:
        """Let the agents of a table move as long as one is asked."""
        if table not in self.driven:
            self.driven[table] = self.begin(self._drive(table))

    def is_full_of_agents(self) -> bool:
        """Return whether no more tables may be played at which only agents sit."""
        return len(self.alone) >= self.limits.agents_alone

    def waits(self, table: str) -> bool:
        """Return whether the agents of a table wait because they play alone at too many others."""
        return table in self.crowded_out

    def watch(self, table: str) -> None:
        """Let the agents of a table go on that wait until somebody watches."""
        if table in self.resting:
            self.drive(table)

    def _rests(self, table: str, moves: int) -> bool:
        """Return whether agents that are alone at a table are to wait, after so many moves while nobody has
        watched."""
        if table not in self.alone and self.is_full_of_agents():
            if table not in self.crowded_out:
                self.crowded_out.add(table)
                self.news.wake(table)
            return True
        self.crowded_out.discard(table)
        self.alone.add(table)
        return moves >= self.limits.moves_unwatched

    async def _drive(self, table: str) -> None:
        self.resting.discard(table)
        moves = 0
        try:
            with contextlib.suppress(Refused, WorkerError):
                reply = await self.ask(Request(action="due", table=table))
                shown = monotonic()
                while reply.task is not None:
                    moves = 0 if self.news.is_watched(table) else moves + 1
                    if reply.task.alone and self._rests(table, moves - 1):
                        self.resting.add(table)
                        break
                    thought = await self._thought(reply.task)
                    if not reply.midway:
                        await asyncio.sleep(shown + self.limits.pause - monotonic())
                    reply = await self.ask(Request(action="thought", table=table, given=thought))
                    shown = shown if reply.midway else monotonic()
        except asyncio.CancelledError:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
        finally:
            del self.driven[table]
            if table not in self.resting:
                self.crowded_out.discard(table)
            if table in self.alone:
                self.alone.discard(table)
                self._let_others_in()

    def _let_others_in(self) -> None:
        """Let the agents of a table go on that are waiting for room, one at which somebody looks."""
        waiting = (one for one in sorted(self.crowded_out) if self.news.is_watched(one))
        if (table := next(waiting, None)) is not None:
            self.drive(table)

    async def _thought(self, task: Task) -> Any:
        """Return what an agent decides; if that takes too long chance does."""
        try:
            return await self.thinkers.free().ask(task, self.limits.thought_seconds)
        except (TooLongError, DiedError):
            hasty = attrs.evolve(task, briefly=True)
            return await self.thinkers.free().ask(hasty, self.limits.thought_seconds)

    async def stop(self) -> None:
        """Leave the agents where they are."""
        for task in [*self.tasks]:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
