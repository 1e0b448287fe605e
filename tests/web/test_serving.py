"""The program that serves: where it listens, and which folder it takes."""

from __future__ import annotations

import asyncio
import socket

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")

from rulewright.interpreter.web.serving import listening


def test_no_part_of_a_reply_waits_for_the_one_before() -> None:
    async def run() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = writer.get_extra_info("socket")
            found.set_result(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        sock = listening("127.0.0.1", 0)
        async with await asyncio.start_server(accepted, sock=sock):
            _, writer = await asyncio.open_connection(*sock.getsockname())
            told = await found
            writer.close()
        return told

    assert asyncio.run(run()) != 0
