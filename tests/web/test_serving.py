"""The program that serves: where it listens, and which folder it takes."""

from __future__ import annotations

import asyncio
import socket

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")

from rulewright.interpreter.web.serving import listening, origins_of


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


def test_addresses_that_are_printed_can_be_opened() -> None:
    for host in ("0.0.0.0", "::", ""):
        first, *others = origins_of(host, 8765)
        assert first == "http://localhost:8765"
        assert len(others) <= 1
        for one in others:
            # Listening everywhere and to itself alone are of no use to others.
            assert not any(name in one for name in ("0.0.0.0", "[::]", "127.", "localhost"))

    assert origins_of("192.168.0.5", 80) == ["http://192.168.0.5:80"]
    assert origins_of("fe80::1", 80) == ["http://[fe80::1]:80"]
