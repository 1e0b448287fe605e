"""Strangers may ask for so much and no more; who hangs or floods harms nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_table import Server, make, until

from rulewright.interpreter.web.limits import Allowance

HANGING = """language 1
game "Long Thoughts" for 2 players
use turns(turn)
use winner
the game has, seen by players
  pile: number = 0
to play
  play_in_turns
to turn
  choose coins from 1..300
  set pile to 0
  for each one in 1..60
    for each other in 1..60
      add coins to pile
  if pile < 0
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
def tight(folder: Path) -> Iterator[Server]:
    """A server with narrow limits."""
    found = Server(folder, tables_of_client=2, streams_of_table=1, record=1000)
    yield found
    found.stop()


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


def test_who_asks_too_often_is_refused(folder: Path) -> None:
    server = Server(folder, requests=0.01, burst=50)
    found = [httpx.get(f"{server.address}/nowhere").status_code for _ in range(60)]

    assert found[:10] == [404] * 10 and found[-1] == 429
    server.stop()


def test_rules_that_hang_are_cut_off_and_others_play_on(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "long_thoughts" / "game.rules"
    path.parent.mkdir()
    path.write_text(HANGING)
    server = Server(folder, str(path.parent), request_seconds=1.0, strikes=2, rest=600.0)
    other = make(server, "connect_four", "me", "link")
    form = {"game": "long_thoughts", "seat-1": "me", "seat-2": "link"}

    browser = server.browser()
    replies = [browser.post("/tables", data=form)]
    while len(replies) < 4:
        replies.append(browser.get(str(replies[0].url).removesuffix("links")))

    assert {one.status_code for one in replies[1:]} == {504}
    assert "cut off" in replies[-1].text
    assert other.seats[0].answer(3).status_code == 200
    server.stop()
