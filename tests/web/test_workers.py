"""Processes that answer requests: one that hangs, dies or raises harms nobody but who has asked."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

from web_table import ends, until

from rulewright.interpreter.web.workers import (
    BusyError,
    DiedError,
    Pool,
    TooLongError,
    WentWrongError,
)


def begin(answer: str) -> Callable[[Any], Any]:
    """Return what answers in the process: it does what it is told."""

    def answering(request: Any) -> Any:
        match request:
            case "who":
                return os.getpid()
            case "hang":
                while True:
                    pass
            case "die":
                os._exit(3)
            case "raise":
                raise RuntimeError("a mistake")
            case float():
                time.sleep(request)
        return answer

    return answering


@pytest.fixture
def pool() -> Any:
    """Two processes."""
    found = Pool(begin, "fine", 2, most_waiting=3)
    yield found
    found.stop()


def test_a_process_that_hangs_is_replaced(pool: Pool) -> None:
    async def run() -> None:
        one, other = pool.workers
        first = await one.ask("who", 60)
        hanging = asyncio.create_task(one.ask("hang", 0.5))
        # Who asks another process does not wait for it.
        assert await other.ask("", 60) == "fine"
        with pytest.raises(TooLongError):
            await hanging
        assert await one.ask("who", 60) != first
        until(lambda: ends(first))

    asyncio.run(run())


def test_a_process_that_dies_is_replaced(pool: Pool) -> None:
    async def run() -> None:
        one = pool.workers[0]
        with pytest.raises(DiedError):
            await one.ask("die", 60)
        assert await one.ask("", 60) == "fine"
        os.kill(await one.ask("who", 60), 9)
        # Killed between two requests: nobody need notice.
        until(lambda: one.process is not None and not one.process.is_alive())
        assert await one.ask("", 60) == "fine"

    asyncio.run(run())


def test_a_mistake_of_ours_does_not_end_the_process(
    pool: Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        one = pool.workers[0]
        first = await one.ask("who", 60)
        with pytest.raises(WentWrongError):
            await one.ask("raise", 60)
        assert await one.ask("who", 60) == first

    asyncio.run(run())
    assert "RuntimeError: a mistake" in capsys.readouterr().err


def test_not_too_many_wait(pool: Pool) -> None:
    async def run() -> None:
        one = pool.workers[0]
        asked = [asyncio.create_task(one.ask(0.2, 60)) for _ in range(4)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in found] == [str, str, str, BusyError]

    asyncio.run(run())


def test_a_table_has_always_the_same_process(pool: Pool) -> None:
    names = [f"table{number}" for number in range(20)]

    assert len({id(pool.of(name)) for name in names}) == 2
    assert all(pool.of(name) is pool.of(name) for name in names)
