"""Processes that answer one request at a time, each with a time limit: one that hangs or dies is replaced.

    pool = Pool(begin, argument, size)      begin(argument) -> what answers requests, made in each process
    reply = await pool.ask(0, request, seconds)

The event loop waits in threads. A process ends when its pipe does, so none is left over when the server is killed;
one that is busy then notices within a second that it has another parent.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from signal import SIG_IGN, SIGINT, signal
from typing import Any

import attrs

BEGIN_SECONDS = 120.0
"""What a process may take until it is there."""

STOP_SECONDS = 3.0
PARENT_SECONDS = 1.0

Answering = Callable[[Any], Any]


class WorkerError(Exception):
    """A request has come to nothing in its process."""


class TooLongError(WorkerError):
    """It took too long and was ended; the process is another one now."""


class DiedError(WorkerError):
    """The process has ended by itself, or was killed; it is another one now."""


class BusyError(WorkerError):
    """Too many requests wait for the process."""


class WentWrongError(WorkerError):
    """A mistake of ours was raised in the process, which goes on."""


@attrs.define(eq=False)
class Worker:
    """A process, and the thread that waits for it."""

    begin: Callable[[Any], Answering]
    argument: Any
    most_waiting: int
    process: SpawnProcess | None = None
    line: Connection | None = None
    waiting: int = 0
    replaced: int = 0
    """How often another process had to take its place."""

    threads: ThreadPoolExecutor = attrs.field(factory=lambda: ThreadPoolExecutor(1))

    async def ask(self, request: Any, seconds: float) -> Any:
        """Return what the process says to a request. Raises `WorkerError`."""
        if self.waiting >= self.most_waiting:
            raise BusyError
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            # Who has asked may go away meanwhile: the request is carried out all the same.
            return await asyncio.shield(
                loop.run_in_executor(self.threads, self._ask, request, seconds)
            )
        finally:
            self.waiting -= 1

    def _ask(self, request: Any, seconds: float) -> Any:
        line = self._running()
        try:
            line.send(request)
            if not line.poll(seconds):
                self._end()
                raise TooLongError
            is_fine, value = line.recv()
        except (EOFError, OSError):
            self._end()
            raise DiedError from None
        if not is_fine:
            sys.stderr.write(f"{value}\n")
            raise WentWrongError
        return value

    def _running(self) -> Connection:
        if self.line is not None and self.process is not None and self.process.is_alive():
            return self.line
        self._end()
        context = get_context("spawn")
        self.line, there = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(there, os.getpid(), self.begin, self.argument), daemon=True
        )
        self.process.start()
        there.close()
        if not self.line.poll(BEGIN_SECONDS):
            self._end()
            raise TooLongError
        self.line.recv()
        return self.line

    def _end(self) -> None:
        """End the process, whatever it does."""
        if self.line is not None:
            self.line.close()
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.replaced += 1
        self.line = self.process = None

    async def start(self) -> None:
        """Begin the process before somebody waits for it."""
        with suppress(WorkerError, EOFError, OSError):
            await asyncio.get_running_loop().run_in_executor(self.threads, self._running)

    def stop(self) -> None:
        """Let the process carry out what it is doing, and end."""
        self.threads.shutdown(wait=True, cancel_futures=True)
        if self.line is not None:
            self.line.close()
        if self.process is not None:
            self.process.join(STOP_SECONDS)
            if self.process.is_alive():
                self.process.kill()


class Pool:
    """Several such processes."""

    def __init__(
        self, begin: Callable[[Any], Answering], argument: Any, size: int, most_waiting: int
    ) -> None:
        self.workers = [Worker(begin, argument, most_waiting) for _ in range(size)]

    def of(self, name: str) -> Worker:
        """Return the process to which something belongs, by its name: always the same."""
        return self.workers[sum(name.encode()) % len(self.workers)]

    def free(self) -> Worker:
        """Return the process for which the fewest requests wait."""
        return min(self.workers, key=lambda one: one.waiting)

    async def start(self) -> None:
        """Begin all processes."""
        await asyncio.gather(*(one.start() for one in self.workers))

    def stop(self) -> None:
        """End all processes."""
        for one in self.workers:
            one.stop()


def _serve(line: Connection, parent: int, begin: Callable[[Any], Answering], argument: Any) -> None:
    """Answer requests in a process of its own until nobody asks any more."""
    # Who interrupts the server at the keyboard interrupts all processes; the server ends them.
    signal(SIGINT, SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    answering = begin(argument)
    with suppress(OSError):
        line.send(None)
    while True:
        try:
            request = line.recv()
        except (EOFError, OSError):
            return
        try:
            said = (True, answering(request))
        except Exception:  # told to the server in words: not every error can be sent
            said = (False, traceback.format_exc())
        try:
            line.send(said)
        except OSError:
            return


def _watch(parent: int) -> None:
    """End this process when its parent is gone, also in the middle of a request."""
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(1)
