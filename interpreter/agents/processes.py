"""One function of many tasks in several processes: results in the order of the tasks, and an end at any moment.

Each process has one task at a time; so it is known what a process was doing that has ended by itself. Who
stops asking (or is interrupted) ends the processes, also in the middle of a task.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from signal import SIG_IGN, SIGINT, signal
from typing import Generic, TypeVar

import attrs

from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.words.text import shortened

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 16
"""So many tasks for each process are begun before the first of them has come back."""

PATIENCE = 2.0
"""Seconds in which a process ends that was told to."""


@attrs.frozen
class Failure(Generic[T]):
    """A task that came to nothing in its process."""

    task: T
    error: str
    """What was raised; "" if the process has ended by itself."""

    status: int | None = None
    """The exit status of a process that has ended by itself."""


@attrs.frozen(eq=False)
class _Worker:
    process: SpawnProcess
    line: Connection


def in_processes(
    function: Callable[[T], R], tasks: Iterable[T], jobs: int
) -> Generator[R | Failure[T], None, None]:
    """Yield what the function returns for each task, in their order. Raises `AgentError` if the function cannot
    be sent to another process."""
    try:
        packed = pickle.dumps(function)
    except Exception as error:  # whatever the class of an agent raises when it is pickled
        raise AgentError(f"this cannot be sent to another process: {_told(error)}") from None
    waiting = enumerate(tasks)
    idle: list[_Worker] = []
    busy: dict[_Worker, tuple[int, T]] = {}
    found: dict[int, R | Failure[T]] = {}
    following, is_last = 0, False
    try:
        while True:
            while not is_last and len(busy) < jobs and len(busy) + len(found) < jobs * AHEAD:
                task = next(waiting, None)
                if task is None:
                    is_last = True
                    break
                worker = idle.pop() if idle else _begun(packed)
                busy[worker] = task
                # To a process that has ended: that shows when nothing comes back.
                with suppress(OSError):
                    worker.line.send(task[1])
            if following in found:
                yield found.pop(following)
                following += 1
            elif busy:
                for worker in _ready(busy):
                    number, given = busy[worker]
                    found[number], lives = _received(worker, given)
                    del busy[worker]
                    if lives:
                        idle.append(worker)
            else:
                return
    finally:
        for worker in idle:
            worker.line.close()
        for worker in busy:
            worker.process.terminate()
        for worker in (*idle, *busy):
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()


def _begun(packed: bytes) -> _Worker:
    """Begin a process."""
    # Not a copy of this process: it may have threads, and what it has open would be open twice.
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, packed), daemon=True)
    with _not_interrupted():
        process.start()
    there.close()
    return _Worker(process, here)


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Let a process that begins here not be interrupted from its first moment on: who interrupts all
    processes at once means the one that asked for the others. This one is interrupted a moment later."""
    try:
        from multiprocessing import resource_tracker
        from signal import SIG_BLOCK, SIG_SETMASK, pthread_sigmask
    except ImportError:
        yield
        return
    # It would let interrupts through again.
    resource_tracker.ensure_running()
    before = pthread_sigmask(SIG_BLOCK, [SIGINT])
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _ready(busy: Iterable[_Worker]) -> list[_Worker]:
    """Wait until processes have something to say, or have ended, and return them."""
    by_line = {worker.line: worker for worker in busy}
    ready = connection.wait(list(by_line))
    return [worker for line, worker in by_line.items() if line in ready]


def _received(worker: _Worker, task: T) -> tuple[R | Failure[T], bool]:
    """Return what came of a task, and whether its process goes on."""
    try:
        is_fine, value = worker.line.recv()
    except (EOFError, OSError):
        worker.line.close()
        worker.process.join(PATIENCE)
        return Failure(task, "", worker.process.exitcode), False
    return (value if is_fine else Failure(task, value)), True


def _serve(line: Connection, packed: bytes) -> None:
    """Carry out tasks in a process of its own until there are no more."""
    signal(SIGINT, SIG_IGN)
    function = None
    while True:
        try:
            task = line.recv()
        except (EOFError, OSError):
            return
        try:
            function = function or pickle.loads(packed)
            said = (True, function(task))
        except Exception as error:  # told to whoever asked, in words: not every error can be sent
            said = (False, _told(error))
        try:
            line.send(said)
        except OSError:
            return


def _told(error: Exception) -> str:
    return shortened(f"{type(error).__name__}: {' '.join(str(error).split())}")
