"""Whatever bytes come over the wire: no request fails here, nothing is done by what is no request, and the server goes on."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import attrs
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")

from web_here import OPEN, Here

from rulewright.interpreter.web import connections
from rulewright.interpreter.web.guard import LOOPBACK
from rulewright.interpreter.web.serving import listening, server_of

GAME = "tic_tac_toe"
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
SILENCE = 1.0
"""Seconds: what has said nothing by then waits for more, and is left."""

PATIENCE = 60.0
"""The same where it is known what is to come."""

MUTATIONS = 100
END = b"\r\n\r\n" + b"x" * 80 + b"\r\n\r\n"
"""Whatever is not yet complete is, and then comes what is no request, so that the server closes the connection."""

HOST = b"Host: 127.0.0.1\r\n"
GET = b"GET / HTTP/1.1\r\n" + HOST


class Wire:
    """A server at a socket, and a table there at which somebody is asked."""

    def __init__(self, here: Here, port: int, link: bytes) -> None:
        self.here = here
        self.port = port
        self.link = link

    def answer(self, body: bytes = b"n=1&option=0", *headers: bytes, length: int = -1) -> bytes:
        """Return a form with an answer; one that is possible, if nothing else is said."""
        told = b"%d" % (len(body) if length < 0 else length)
        lines = [HOST.strip(), b"Content-Length: " + told, *headers]
        head = b"POST " + self.link + b"answer HTTP/1.1\r\n" + b"\r\n".join(lines)
        return head + b"\r\n\r\n" + body

    async def send(self, *parts: bytes, pause: float = 0.0, replies: int | None = None) -> bytes:
        """Send parts one after the other, and return what comes back: so many replies, or until nothing more
        does."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        came = bytearray()
        try:
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
            async with asyncio.timeout(SILENCE if replies is None else PATIENCE):
                while len(statuses(came)) != replies and (part := await reader.read(65_536)):
                    came += part
        except (TimeoutError, OSError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        return bytes(came)

    def rows(self) -> list[object]:
        """Return all that is written down of tables."""
        names = ("tables", "seats", "answers", "packs")
        return [self.here.rows(f"select * from {name}") for name in names]

    async def goes_on(self) -> None:
        """Check that the next request is answered, and that an answer still counts."""
        before = self.rows()
        assert statuses(await self.send(GET + b"\r\n", replies=1)) == [200]
        assert statuses(await self.send(self.answer(), replies=1)) == [303]
        assert self.rows() != before


def statuses(came: bytes | bytearray) -> list[int]:
    """Return the statuses of replies."""
    return [int(found) for found in STATUS.findall(came)]


@asynccontextmanager
async def wire(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    """A server whose bodies must come within a moment."""
    here = Here(folder, monkeypatch, limits=attrs.evolve(OPEN, body_seconds=0.3), hosts=LOOPBACK)
    table = await here.table(GAME, "me", "link")
    sock = listening("127.0.0.1", 0)
    server = server_of(here.guard)
    server.config.lifespan = "off"
    task = asyncio.create_task(server.serve(sockets=[sock]))
    try:
        yield Wire(here, sock.getsockname()[1], table.people[0].encode())
    finally:
        server.should_exit = server.force_exit = True
        await task


# --------------------------------------------------------------------------------------- no requests


def no_requests(at: Wire) -> Sequence[bytes]:
    """Return what is no request, or only a part of one, though the rest would be an answer."""
    whole = at.answer()
    head, _, body = whole.partition(b"\r\n\r\n")
    chunked = whole.replace(b"Content-Length: 12", b"Transfer-Encoding: chunked")
    chunks = chunked.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    return (
        # lines that ask for nothing
        *(b"\r\n", b"\0" * 500, b"\xff" * 500, b"GET\r\n\r\n", b"GET /\r\n\r\n", b" GET / HTTP/1.1\r\n\r\n"),
        *(b"GET  / HTTP/1.1\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1 x\r\n\r\n"),
        *(b"G\0T / HTTP/1.1\r\n" + HOST + b"\r\n", b"GET /\0 HTTP/1.1\r\n" + HOST + b"\r\n"),
        *(b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n", b"GET " + b"/x" * 60_000 + b" HTTP/1.1\r\n\r\n"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
        # headers
        *(b"GET / HTTP/1.1\r\n\r\n", GET + HOST + b"\r\n", GET + b"x" * 100_000),
        *(GET + b"x: " + b"y" * 100_000 + b"\r\n\r\n", GET + b"x: y\r\n" * 20_000 + b"\r\n"),
        *(GET + b"no colon\r\n\r\n", GET + b"x : y\r\n\r\n", GET + b": y\r\n\r\n", GET + b"x: \0\r\n\r\n"),
        GET + b"x: a\r\n\tb\r\n c\x00\r\n\r\n",
        # lengths
        *(at.answer(body, length=13), at.answer(body, length=60_000), at.answer(body, length=10**30)),
        *(at.answer(body, length=3), at.answer(body, b"Content-Length: 11"), at.answer(b"", length=12)),
        *(whole.replace(b": 12", told) for told in (b": -12", b": +12", b": 0x0c", b": 1 2", b":", b": \xb2")),
        # chunks
        *(chunks + told for told in (b"zz\r\n", b"-c\r\n", b"c\r\n" + body, b"c\r\n" + body + b"xx0\r\n\r\n")),
        *(chunks + b"f" * 40 + b"\r\n" + body, chunks + b"c;" + b"x" * 100_000 + b"\r\n" + body),
        chunked.replace(b"chunked", b"gzip"),
        chunked.replace(b"chunked", b"chunked, chunked"),
        # parts of bodies
        *(whole[:-1], head, head + b"\r\n\r\n", whole[:40], at.answer(body[:5], b"Expect: 100-continue", length=12)),
        # a name of another host
        *(whole.replace(b"127.0.0.1", b"elsewhere.example"), whole.replace(HOST, b"")),
        whole.replace(b"POST /", b"POST http://elsewhere.example/").replace(b"127.0.0.1", b"a.example"),
    )  # fmt: skip


def test_what_is_no_request_does_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with wire(folder, monkeypatch) as at:
            before = at.rows()
            sent = no_requests(at)

            replies = await asyncio.gather(*map(at.send, sent))

            for one, came in zip(sent, replies, strict=True):
                found = statuses(came)
                # Some are cut off without a word, and large headers that come at once do not matter.
                assert {*found} <= {100, 200, *range(400, 500)}, (one[:200], found)
            assert sum(map(bool, replies)) > len(sent) // 2
            assert at.rows() == before and not at.here.workers.wrong
            await at.goes_on()

    asyncio.run(run())


def test_slow_bodies_are_cut_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with wire(folder, monkeypatch) as at:
            before = at.rows()
            whole = at.answer()
            pieces = [whole[place : place + 1] for place in range(len(whole) - 12, len(whole))]

            slow, other = await asyncio.gather(
                at.send(whole[:-12], *pieces, pause=0.05),
                at.send(GET + b"Connection: close\r\n\r\n"),
            )

            assert statuses(slow)[0] == 400 and statuses(other) == [200]
            assert at.rows() == before
            # In time, byte by byte, it is a form like any other.
            await at.send(*(whole[place : place + 1] for place in range(len(whole))), replies=1)
            assert at.rows() != before

    asyncio.run(run())


def test_slow_heads_are_cut_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def closed(at: Wire, begun: bytes = b"", replies: int = 0) -> bool:
        """Return whether a connection ends on which a head comes letter by letter for ever."""
        reader, writer = await asyncio.open_connection("127.0.0.1", at.port)
        writer.write(begun)
        came = b""
        while len(statuses(came)) < replies:
            came += await reader.read(65_536)

        async def trickle() -> None:
            with suppress(OSError):
                while True:
                    writer.write(b"x")
                    await asyncio.sleep(0.02)

        trickling = asyncio.create_task(trickle())
        try:
            async with asyncio.timeout(PATIENCE):
                while await reader.read(65_536):
                    pass
        except ConnectionError:
            pass
        except TimeoutError:
            return False
        finally:
            trickling.cancel()
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        return True

    async def run() -> None:
        async with wire(folder, monkeypatch) as at:
            monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
            # A head, the second one of a connection, and what is left of a body that is refused.
            assert await closed(at, b"GET / HTTP/1.1\r\nX-")
            assert await closed(at, GET + b"\r\nGET /", replies=1)
            assert await closed(at, at.answer(length=10**9), replies=1)
            # Who says nothing at all is not waited for either.
            reader, writer = await asyncio.open_connection("127.0.0.1", at.port)
            async with asyncio.timeout(PATIENCE):
                assert await reader.read() == b""
            writer.close()
            await at.goes_on()

    asyncio.run(run())


def test_who_does_not_read_what_he_is_told_is_not_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with wire(folder, monkeypatch) as at:
            monkeypatch.setattr(connections, "READ_SECONDS", 0.6)
            lost = asyncio.Event()
            end = connections.TimedProtocol.connection_lost

            def noted(self: connections.TimedProtocol, exc: Exception | None) -> None:
                end(self, exc)
                if self.transport.get_extra_info("peername")[1] == own[1]:
                    lost.set()

            monkeypatch.setattr(connections.TimedProtocol, "connection_lost", noted)
            # As little as possible is read for who is slow before he asks for it.
            with socket.socket() as slow:
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                slow.connect(("127.0.0.1", at.port))
                own = slow.getsockname()
                # More than the system itself keeps for him.
                slow.sendall((b"GET /rules/tic_tac_toe HTTP/1.1\r\n" + HOST + b"\r\n") * 200)
                async with asyncio.timeout(PATIENCE):
                    await lost.wait()
            # Who reads is not hurried.
            await asyncio.sleep(1.0)
            await at.goes_on()

    asyncio.run(run())


def test_junk_behind_a_request_is_not_done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with wire(folder, monkeypatch) as at:
            before = at.rows()
            page = GET + b"\r\n"
            late = at.answer(b"n=99999999&option=0")
            sent = {
                page + b"\0\0\0\0\r\n\r\n": [200, 400],
                page + page + b"junk\r\n\r\n": [200, 200, 400],
                late + at.answer()[:-1]: [303, 400],
                late + b"x" + at.answer(): [303, 405],
                late + at.answer(b"n=1&option=0", b"Content-Length: 11"): [303, 400],
                # The body of one that is refused is no request.
                at.answer(at.answer(), b"Host: 127.0.0.1"): [400],
                at.answer(at.answer()): [422],
            }

            asked = (at.send(one, replies=len(found)) for one, found in sent.items())
            replies = await asyncio.gather(*asked)

            assert [statuses(one) for one in replies] == [*sent.values()]
            assert at.rows() == before and not at.here.workers.wrong
            await at.goes_on()

    asyncio.run(run())


def mutated(random: Random, plain: bytes) -> bytes:
    """Return bytes in which something is another one."""
    found = bytearray(plain)
    for _ in range(random.choice((1, 1, 2, 5))):
        place = random.randrange(len(found))
        match random.randrange(6):
            case 0:
                found[place] = random.randrange(256)
            case 1:
                del found[place : place + random.choice((1, 2, 20))]
            case 2:
                found[place:place] = random.choice(
                    (b"\0", b"\r\n", b"\n", b" ", b"\xff", b"\r\n\r\n")
                )
            case 3:
                found[place:place] = found[place : place + 40]
            case 4:
                found[:] = found.replace(b"\r\n", b"\n") or b"x"
            case _:
                del found[place + 1 :]
        if not found:
            return b"x"
    return bytes(found)


def test_changed_bytes_fail_nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        random = Random(11)
        async with wire(folder, monkeypatch) as at:
            before = at.rows()
            # That one comes too late, so that it does nothing even where the change does not matter.
            plain = [at.answer(b"n=99999999&option=0", b"Connection: close"), GET + b"X: y\r\n\r\n"]
            sent = [mutated(random, random.choice(plain)) + END for _ in range(MUTATIONS)]

            replies = await asyncio.gather(*(at.send(one, replies=MUTATIONS) for one in sent))

            for one, came in zip(sent, replies, strict=True):
                assert all(status < 500 for status in statuses(came)), (one, came)
            # The changes matter, though not all of them.
            assert {200, 303, 400, 404} <= {one for came in replies for one in statuses(came)}
            assert at.rows() == before and not at.here.workers.wrong
            await at.goes_on()

    asyncio.run(run())
