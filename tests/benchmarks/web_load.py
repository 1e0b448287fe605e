"""What many tables at once cost the web table: a real server, players that follow a script, open streams of news.

    python tests/benchmarks/web_load.py --tables 200 --streams 3 --seconds 600

At each table the seats and further watchers listen to the news. Who is asked answers by chance what his page offers, gets
the next page, and whoever hears of it opens his page as well, as browsers do; `--think` seconds later the next one answers.
When a game is over another one begins. What is measured goes to stdout as Markdown:

- the time from the moment an answer is sent to the event at each of the other streams
- answers and requests in a second, and refused ones
- answers that the server has taken and does not have in its file (lost), and events that never came
- memory of all processes of the server
- CPU time of the event loop, of its workers, and of these players, who need some of the same cores
- what the same answers cost the engine alone, given to a state again in this process
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import attrs

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from web_table import LINK, Server

from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.replay import AnswerGiver
from rulewright.interpreter.play.save_format import FORMAT, SavedAnswer

LIMITS = {"streams_of_table": 100_000, "streams": 100_000, "tables": 1_000_000, "waiting": 10_000}
PATIENCE = 60.0
"""Seconds: an event that has not come by then never comes."""

SAMPLE_SECONDS = 2.0
WATCHER = -1
OPTION = re.compile(r'name="option" value="(\d+)"')
NUMBER = re.compile(r'name="n" value="(\d+)"')


class GoneError(Exception):
    """The server has closed the connection, or says something that is no answer."""


@attrs.frozen
class Reply:
    """What the server says."""

    status: int
    headers: dict[str, str]
    body: bytes


@attrs.define(eq=False)
class Line:
    """A connection that is kept open, for one request after another."""

    port: int
    cookie: str = ""
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: str = "") -> Reply:
        """Send a request and return the reply; once more if the connection was closed meanwhile."""
        fresh = self.writer is None
        try:
            return await self._ask(method, path, body)
        except (OSError, asyncio.IncompleteReadError, GoneError):
            await self.close()
            if fresh or method != "GET":
                raise GoneError from None
            return await self.ask(method, path, body)

    async def _ask(self, method: str, path: str, body: str) -> Reply:
        status, headers = await self.begin(method, path, body)
        assert self.reader is not None
        found = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            await self.close()
        return Reply(status, headers, found)

    async def begin(self, method: str, path: str, body: str = "") -> tuple[int, dict[str, str]]:
        """Send a request and return the head of the reply."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        head = [
            f"{method} {path} HTTP/1.1",
            f"host: 127.0.0.1:{self.port}",
            f"cookie: {self.cookie}",
            f"content-length: {len(body)}",
        ]
        self.writer.write(("\r\n".join([*head, "", ""]) + body).encode())
        await self.writer.drain()
        said = await self.reader.readuntil(b"\r\n\r\n")
        first, *lines = said.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return int(first.split()[1]), headers

    async def close(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
            with suppress(OSError):
                await self.writer.wait_closed()
        self.reader = self.writer = None


@attrs.define
class Figures:
    """What is measured."""

    waits: list[float] = attrs.field(factory=list)
    """Seconds from an answer to the event at each other stream."""

    posts: list[float] = attrs.field(factory=list)
    """Seconds from an answer to the reply."""

    pages: list[float] = attrs.field(factory=list)
    """Seconds from a request for a page of a table to all of it."""

    answers: int = 0
    requests: int = 0
    refused: int = 0
    unheard: int = 0
    """Events that did not come."""

    games: int = 0
    taken: dict[str, int] = attrs.field(factory=dict)
    """How many answers the server has taken at each table."""

    memory: int = 0
    """The most that all processes had at once, in bytes."""

    processes: int = 0
    load: list[float] = attrs.field(factory=list)
    """The load average of the machine while that was measured."""

    streams: int = 0
    seconds: float = 0.0


@attrs.define(eq=False)
class Ear:
    """A stream of news: when the last event has come, and which."""

    link: str
    seat: int
    line: Line
    said: str = ""
    at: float = 0.0
    fresh: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def listen(self) -> None:
        """Take in events until the stream ends."""
        while True:
            try:
                status, _ = await self.line.begin("GET", f"{self.link}news")
                reader = self.line.reader
                assert status == 200 and reader is not None, status
                while part := await reader.readline():
                    if part.startswith(b"data:"):
                        self.said, self.at = part.decode().strip(), time.monotonic()
                        self.fresh.set()
            except (OSError, asyncio.IncompleteReadError, AssertionError):
                await asyncio.sleep(1.0)
            await self.line.close()


class Crowd:
    """The people at all tables."""

    def __init__(self, port: int, game: str, streams: int, think: float) -> None:
        self.port = port
        self.game = game
        self.most_streams = streams
        self.think = think
        self.figures = Figures()

    async def play(self, number: int, until: float) -> None:
        """Let the people of one table play, one game after another."""
        chance = random.Random(number)
        line = Line(self.port)
        await asyncio.sleep(chance.random() * min(self.think, until - time.monotonic()))
        over = False
        while not over:
            try:
                await self._game(line, chance, until)
            except GoneError:
                self.figures.refused += 1
                await asyncio.sleep(1.0)
            over = time.monotonic() >= until
        await line.close()

    async def _asked(self, line: Line, method: str, path: str, body: str = "") -> Reply:
        """Return a reply; what is refused is asked again a moment later, but for answers."""
        while True:
            reply = await line.ask(method, path, body)
            self.figures.requests += 1
            if reply.status < 429 or method != "GET":
                return reply
            self.figures.refused += 1
            await asyncio.sleep(1.0)

    async def _game(self, line: Line, chance: random.Random, until: float) -> None:
        form = {"game": self.game, "seat-1": "me", "seat-2": "link"}
        made = await self._asked(line, "POST", "/tables", urlencode(form))
        if made.status != 303:
            raise GoneError
        line.cookie = made.headers["set-cookie"].partition(";")[0]
        first = made.headers["location"]
        links = await self._asked(line, "GET", first)
        # The first seat is that of who has made the table; who watches comes last.
        found = dict.fromkeys(LINK.findall(first + links.body.decode()))
        *seats, watcher = (f"/t/{table}/{token}/" for table, token in found)
        ears = [Ear(link, seat, Line(self.port)) for seat, link in enumerate(seats)]
        ears += [Ear(watcher, WATCHER, Line(self.port)) for _ in range(self.most_streams)]
        ears = ears[: max(self.most_streams, len(seats))]
        pages = {seat: await self._page(line, link) for seat, link in enumerate(seats)}
        tasks = [asyncio.create_task(ear.listen()) for ear in ears]
        self.figures.streams += len(ears)
        try:
            for ear in ears:
                await asyncio.wait_for(ear.fresh.wait(), PATIENCE)
            table = first.split("/")[2]
            # Somebody answers also where it took all the time to come to this.
            while await self._answer(line, table, pages, ears, chance):
                if time.monotonic() >= until:
                    return
                await asyncio.sleep(self.think * (0.5 + chance.random()))
            self.figures.games += 1
        except TimeoutError:
            self.figures.unheard += 1
        finally:
            self.figures.streams -= len(ears)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for ear in ears:
                await ear.line.close()

    async def _page(self, line: Line, link: str) -> str:
        begun = time.monotonic()
        reply = await self._asked(line, "GET", link)
        self.figures.pages.append(time.monotonic() - begun)
        return reply.body.decode()

    async def _answer(
        self,
        line: Line,
        table: str,
        pages: dict[int, str],
        ears: Sequence[Ear],
        chance: random.Random,
    ) -> bool:
        """Let who is asked answer; return whether somebody was. `pages`: what the seats have before them."""
        asked = ((seat, sorted(set(OPTION.findall(page)))) for seat, page in pages.items())
        seat, options = next(((seat, found) for seat, found in asked if found), (WATCHER, []))
        number = NUMBER.search(pages.get(seat, ""))
        if number is None:
            return False
        for ear in ears:
            ear.fresh.clear()
        link = next(ear.link for ear in ears if ear.seat == seat)
        form = urlencode({"n": number[1], "option": chance.choice(options)})
        begun = time.monotonic()
        reply = await self._asked(line, "POST", f"{link}answer", form)
        self.figures.posts.append(time.monotonic() - begun)
        if reply.status != 303 or "said=" in reply.headers["location"]:
            self.figures.refused += 1
        else:
            self.figures.answers += 1
            self.figures.taken[table] = self.figures.taken.get(table, 0) + 1
            await self._heard([ear for ear in ears if ear.seat != seat], begun)
        for ear in ears:
            page = await self._page(line, ear.link)
            if ear.seat != WATCHER:
                pages[ear.seat] = page
        return True

    async def _heard(self, ears: Sequence[Ear], begun: float) -> None:
        """Wait for the events of an answer."""
        for ear in ears:
            try:
                await asyncio.wait_for(ear.fresh.wait(), PATIENCE)
            except TimeoutError:
                self.figures.unheard += 1
                continue
            self.figures.waits.append(ear.at - begun)


def memory(processes: Sequence[int]) -> int:
    """Return what processes have in memory; what they share counts once (in parts) where that is told."""
    found = 0
    for number in processes:
        with suppress(OSError, StopIteration, ValueError):
            text = Path(f"/proc/{number}/smaps_rollup").read_text()
            line = next(one for one in text.splitlines() if one.startswith("Pss:"))
            found += int(line.split()[1]) * 1024
    return found


async def run(
    server: Server, game: str, tables: int, streams: int, seconds: float, think: float
) -> Figures:
    """Let so many tables play so long."""
    crowd = Crowd(server.port, game, streams, think)
    begun = time.monotonic()
    until = begun + seconds
    playing = [asyncio.create_task(crowd.play(number, until)) for number in range(tables)]
    most, figures = 0, crowd.figures
    while time.monotonic() < until:
        processes = [server.process.pid, *server.workers()]
        figures.memory = max(figures.memory, memory(processes))
        figures.processes = len(processes)
        figures.load.append(os.getloadavg()[0])
        most = max(most, figures.streams)
        await asyncio.sleep(min(SAMPLE_SECONDS, seconds / 4))
    await asyncio.gather(*playing)
    figures.streams, figures.seconds = most, time.monotonic() - begun
    return figures


def lost(server: Server, figures: Figures) -> int:
    """Return how many answers were taken and are not in the file."""
    found = dict(server.rows("select table_id, count(*) from answers group by table_id"))
    return sum(max(0, count - found.get(table, 0)) for table, count in figures.taken.items())


def engine_alone(server: Server, game: str) -> tuple[float, int]:
    """Give all answers of the file again to states in this process; return CPU seconds and how many."""
    loaded = load_game(game, names=["P1", "P2"])
    giver, spent, count = AnswerGiver(loaded, FORMAT), 0.0, 0
    for table, seed in server.rows("select id, seed from tables"):
        rows = server.rows("select given from answers where table_id=? order by n", table)
        state = loaded.new_initial_state(json.loads(seed))
        told = [SavedAnswer(**json.loads(given)["answer"]) for (given,) in rows]
        begun = time.process_time()
        for one in told:
            state = giver.given(state, one)
        spent += time.process_time() - begun
        count += len(told)
    return spent, count


def quantile(numbers: Sequence[float], part: float) -> float:
    """Return the number below which a part of the numbers lies: `quantile([1, 2, 3, 4], 0.5)` is 2."""
    ordered = sorted(numbers)
    return ordered[max(0, min(len(ordered) - 1, -int(-part * len(ordered) // 1) - 1))]


def report(
    title: str, figures: Figures, gone: int, spent: float, given: int, cpu: Sequence[float]
) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield f"### {title}"
    yield ""
    yield "| what | |"
    yield "| --- | --- |"
    for name, times in (
        ("post to event at others", figures.waits),
        ("post to reply", figures.posts),
        ("a page", figures.pages),
    ):
        for said, part in (("median", 0.5), ("p95", 0.95), ("p99", 0.99), ("most", 1.0)):
            if times:
                yield f"| {name}, {said} | {1000 * quantile(times, part):.0f} ms |"
    yield f"| events measured | {len(figures.waits)} |"
    yield f"| open streams, most | {figures.streams} |"
    yield f"| answers | {figures.answers} ({figures.answers / figures.seconds:.1f}/s) |"
    yield f"| requests | {figures.requests} ({figures.requests / figures.seconds:.1f}/s) |"
    yield f"| games to the end | {figures.games} |"
    yield f"| refused requests | {figures.refused} |"
    yield f"| events that never came | {figures.unheard} |"
    yield f"| lost answers | {gone} |"
    yield f"| memory of {figures.processes} processes, most | {figures.memory / 1e6:.0f} MB |"
    server, cores = cpu[0] + cpu[1], os.cpu_count() or 1
    shares = ", ".join(f"{100 * one / figures.seconds / cores:.0f} %" for one in cpu)
    yield f"| CPU of {cores} cores: event loop, workers, these players | {shares} |"
    yield f"| server, CPU for each answer, with all pages | {1000 * server / max(1, figures.answers):.1f} ms |"
    yield f"| server, CPU for each request | {1000 * server / max(1, figures.requests):.1f} ms |"
    yield f"| engine alone, CPU for each answer | {1000 * spent / max(1, given):.2f} ms ({given} answers) |"
    yield f"| load average of the machine | {min(figures.load):.1f} to {max(figures.load):.1f} |"


def cpu_seconds(processes: Sequence[int]) -> float:
    """Return what CPU time processes have taken."""
    found = 0
    for number in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
            found += int(fields[11]) + int(fields[12])
    return found / os.sysconf("SC_CLK_TCK")


def main(given: Sequence[str] | None = None) -> int:
    """Run the benchmark; return 1 if answers were lost."""
    parser = argparse.ArgumentParser(description="Measure the web table with many tables at once.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--streams", type=int, default=3, help="open streams of each table")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--think", type=float, default=10.0, help="seconds between two answers")
    parser.add_argument(
        "--game", default="connect_four", help="a game of two without distributions"
    )
    chosen = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), **LIMITS)
        try:
            parts = [[server.process.pid], server.workers(), [os.getpid()]]
            before = [cpu_seconds(one) for one in parts]
            figures = asyncio.run(
                run(
                    server, chosen.game, chosen.tables, chosen.streams, chosen.seconds, chosen.think
                )
            )
            cpu = [cpu_seconds(one) - past for one, past in zip(parts, before, strict=True)]
            gone = lost(server, figures)
            spent, count = engine_alone(server, chosen.game)
        finally:
            server.stop()
    title = f"{chosen.game}: {chosen.tables} tables, {chosen.streams} streams each, {figures.seconds:.0f} s"
    print("\n".join(report(title, figures, gone, spent, count, cpu)))
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
