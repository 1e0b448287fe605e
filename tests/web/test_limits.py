"""Strangers may ask for so much and no more; who hangs or floods harms nobody else."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx
from web_table import Server, make, until

from rulewright.interpreter.web.limits import Allowance

Begin = Callable[..., Server]

ENDLESS = """language 1
game "Long Thoughts" for 2 players
use turns(turn)
use winner
the game has, seen by players
  pile: number = 0
to play
  play_in_turns
to turn
  choose coins from 1..3
  repeat until pile < 0
    add coins to pile
  win me
"""


def test_an_allowance_fills_up_again() -> None:
    now = [0.0]
    allowance = Allowance(2.0, 3, 2, now=lambda: now[0])

    assert [allowance.takes("a") for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [allowance.takes("a") for _ in range(2)] == [True, False]
    assert allowance.takes("b")
    # Only so many are remembered: the one who has not come for the longest time is not.
    assert allowance.takes("c") and set(allowance.accounts) == {"b", "c"}


@pytest.fixture
def tight(begin: Begin) -> Server:
    """A server with narrow limits."""
    return begin(tables_of_client=2, streams_of_table=1, record=1000)


@pytest.mark.slow
@pytest.mark.bounded
def test_tables_streams_and_records_are_counted(tight: Server) -> None:
    form = {"game": "connect_four", "seat-1": "me", "seat-2": "link"}
    made = make(tight, "connect_four", "me", "link")
    make(tight, "connect_four", "me", "link")

    assert tight.browser().post("/tables", data=form).status_code == 429
    assert tight.browser().post("/import", data={"record": "x" * 2000}).status_code == 413
    at = made.watcher
    with at.browser.stream("GET", f"{at.link}news") as news:
        assert news.status_code == 200
        assert tight.browser().get(f"{at.link}news").status_code == 429

    def free() -> bool:
        with at.browser.stream("GET", f"{at.link}news") as again:
            return again.status_code == 200

    until(free)


@pytest.mark.slow
@pytest.mark.bounded
def test_who_asks_too_often_is_refused(begin: Begin) -> None:
    server = begin(requests=0.01, burst=50)
    found = [httpx.get(f"{server.address}/nowhere").status_code for _ in range(60)]

    assert found[:10] == [404] * 10 and found[-1] == 429


@pytest.mark.slow
@pytest.mark.bounded
def test_rules_that_never_end_are_cut_off_and_others_play_on(tmp_path: Path, begin: Begin) -> None:
    path = tmp_path / "long_thoughts" / "game.rules"
    path.parent.mkdir()
    path.write_text(ENDLESS)
    server = begin(str(path.parent))
    made = make(server, "long_thoughts", "me", "link")
    other = make(server, "connect_four", "me", "link")
    before = made.seats[0].view()

    reply = made.seats[0].answer()

    assert reply.status_code == 422 and "cannot carry that out" in reply.text
    assert made.seats[0].view() == before
    assert other.seats[0].answer(3).status_code == 200


@pytest.mark.slow
@pytest.mark.bounded
def test_a_process_that_hangs_is_cut_off_and_its_tables_go_on(begin: Begin) -> None:
    server = begin(request_seconds=15.0)
    made = make(server, "connect_four", "me", "link")
    made.seats[0].answer(3)
    before = made.seats[1].view()

    for number in server.workers():
        os.kill(number, signal.SIGSTOP)
    reply = made.seats[1].post(n=before["n"], option=0)

    assert reply.status_code == 504 and "cut off" in reply.text
    assert made.seats[1].view()["n"] == before["n"]
    assert made.seats[1].post(n=before["n"], option=0).status_code == 200
    assert made.seats[1].view()["n"] != before["n"]
