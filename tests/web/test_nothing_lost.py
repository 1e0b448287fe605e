"""The server is killed, or one of its processes: all tables go on, all links work, nothing counts twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from random import Random
from threading import Timer

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx
from web_table import At, Made, Server, ends, links_of, make, play, until

Begin = Callable[..., Server]


@pytest.fixture
def own(begin: Begin) -> Server:
    """A server that may be killed."""
    return begin()


def everything(made: Made) -> list[object]:
    """Return what everybody sees, but for the names of things."""
    found: list[object] = []
    for at in (*made.seats.values(), made.watcher):
        view = at.view()
        asked = view["question"]
        labels = asked and [one["label"] for one in asked["options"]]
        found.append((view["n"], view["seat"], labels, [one["text"] for one in view["log"]]))
    return found


@pytest.mark.slow
@pytest.mark.bounded
def test_after_a_kill_all_tables_go_on(own: Server) -> None:
    tables = [make(own, "connect_four", "me", "link"), make(own, "kuhn_poker", "me", "link")]
    for made in tables:
        made.seats[0].answer()
    old = tables[0].seats[0].view()["n"] - 1
    before = [everything(made) for made in tables]
    workers = own.workers()

    own.kill()
    # Its processes do not outlive it.
    until(lambda: all(map(ends, workers)))
    own.begin()

    assert [everything(made) for made in tables] == before
    # The reply was lost, so the form is sent once more.
    assert "too late" in tables[0].seats[0].post(n=old, option=0).text
    assert [everything(made) for made in tables] == before
    for made in tables:
        assert play(made) > 0
        assert all(at.view()["end"] for at in made.seats.values())
    lobby = tables[0].seats[0].browser.get("/").text
    assert tables[0].seats[0].link in lobby


@pytest.mark.slow
@pytest.mark.bounded
def test_a_process_that_is_killed_is_replaced(own: Server) -> None:
    made = make(own, "connect_four", "me", "link")
    made.seats[0].answer(2)
    before = everything(made)
    workers = own.workers()
    assert len(workers) == 3

    for number in workers:
        os.kill(number, signal.SIGKILL)

    assert everything(made) == before
    made.seats[1].answer(2)
    assert everything(made) != before


@pytest.mark.slow
@pytest.mark.bounded
def test_a_stop_is_graceful(begin: Begin) -> None:
    server = begin()
    made = make(server, "connect_four", "me", "random")
    with (
        httpx.Client(base_url=server.address, timeout=60) as browser,
        browser.stream("GET", f"{made.watcher.link}news") as news,
    ):
        assert news.status_code == 200
        assert server.stop() == 0
    assert server.rows("pragma integrity_check") == [("ok",)]


def posted(at: At, option: int) -> bool:
    """Send an answer; return whether a reply came."""
    try:
        return at.answer(option).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.slow
@pytest.mark.bounded
def test_kills_at_any_moment(own: Server) -> None:
    random = Random(5)
    made = make(own, "connect_four", "me", "link")
    said = 0
    for _ in range(8):
        timer = Timer(random.uniform(0.0, 1.0), own.process.kill)
        timer.start()
        while own.process.poll() is None:
            for at in made.seats.values():
                try:
                    asked = at.view()["question"]
                except httpx.HTTPError:
                    break
                if asked is not None:
                    said += posted(at, random.randrange(len(asked["options"])))
        timer.join()
        own.process.communicate()
        own.begin()
        ((count,),) = own.rows("select count(*) from answers where table_id=?", made.id)
        # One more may be written whose reply never came; none is missing, none is there twice.
        assert said <= count <= said + 1
        said = count
        if made.watcher.view()["end"]:
            break
    first = own.browser()
    assert links_of(own, made.seats[0].browser, made.seats[0].page()).id == made.id
    assert first.get(made.watcher.link).status_code == 200
