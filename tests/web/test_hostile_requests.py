"""Whatever strangers send: no request fails on our side, and none changes a table."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from hostile_requests import RECIPES, Request, Seat, Targets, requests
from web_here import Here, Seats

from rulewright.interpreter.web.guard import LOOPBACK
from rulewright.interpreter.web.storage import WATCHER
from rulewright.interpreter.web.table_worker import TABLES_KEPT

FEW = 300
MANY = int(os.environ.get("HOSTILE", "10000"))
MORE_MEMORY = 150_000_000
"""Bytes: what is kept of games and rule books has a limit, so this is enough for any number of requests."""

TABLES = (("connect_four", 3), ("kuhn_poker", 1), ("tic_tac_toe", 9))
"""Games, with the answers that are given before."""

LARGE = (("jump_drive", 2), ("jump_wars", 9), ("jump_gate_2e", 4))


async def view(here: Here, link: str) -> Any:
    """Return what a seat sees."""
    return json.loads((await here.get(f"{link}view.json")).body)


async def begun(here: Here, game: str, answers: int) -> Seats:
    """Return a table at which some have answered."""
    players = here.web.served.entry(game).least_players
    table = await here.table(game, "me", *["link"] * (players - 1))
    for _ in range(answers):
        for link in table.people.values():
            seen = await view(here, link)
            if seen["question"] is not None:
                low = max(1, seen["question"]["low"])
                await here.post(f"{link}answer", n=seen["n"], option=[*range(low)])
                break
    return table


async def targets_of(here: Here, tables: list[Seats]) -> Targets:
    """Return what there is to be attacked."""
    seats, saves = [], []
    for table in tables:
        for seat, link in table.links.items():
            asked = (seen := await view(here, link))["question"]
            options = 0 if asked is None else len(asked["options"])
            seats.append(Seat(link, seen["n"], options, seat == WATCHER))
        saves.append(here.worker.tables[table.table].saved())
    return Targets(seats, here.web.served.names(), saves)


def written(here: Here, tables: list[Seats]) -> list[Any]:
    """Return all that is in the file of some tables."""
    found = []
    for one in tables:
        found += here.rows("select * from answers where table_id=? order by n", one.table)
        found += here.rows("select * from tables where id=?", one.table)
        found += here.rows(
            "select table_id, seat, token_hash from seats where table_id=?", one.table
        )
    return found


async def seen(here: Here, tables: list[Seats]) -> list[bytes]:
    """Return what all seats see."""
    links = [link for one in tables for link in one.links.values()]
    return [
        (await here.get(f"{link}{part}")).body
        for link in links
        for part in ("", "view.json", "log")
    ]


async def asked(here: Here, tables: list[Seats]) -> list[Any]:
    """Return what all seats are asked."""
    found = []
    for link in (link for one in tables for link in one.links.values()):
        seen = await view(here, link)
        question = seen["question"] or {"prompt": None, "options": ()}
        labels = [one["label"] for one in question["options"]]
        found.append((seen["n"], question["prompt"], labels, [one["text"] for one in seen["log"]]))
    return found


async def attack(
    here: Here, seed: int, count: int, games: Sequence[tuple[str, int]] = TABLES
) -> Counter[tuple[str, int]]:
    """Send requests; return how often there was which status, and fail where something is not right."""
    tables = [await begun(here, *one) for one in games]
    targets = await targets_of(here, tables)
    before, shown = written(here, tables), await seen(here, tables)
    questions = await asked(here, tables)
    found: Counter[tuple[str, int]] = Counter()
    for number, one in enumerate(requests(Random(seed), targets, count)):
        got = await here.send(one.method, one.target, one.headers, one.body, one.host)
        said = f"request {number} of seed {seed}: {one!r:.600}"
        assert got.status < 500 and not here.workers.wrong, (said, got.status, here.workers.wrong)
        assert b"Traceback" not in got.body, said
        assert not any(b"\n" in value or b"\r" in value for _, value in got.headers), said
        if number % 50 == 0:
            assert written(here, tables) == before, said
        found[one.recipe, got.status] += 1
    assert written(here, tables) == before
    assert await seen(here, tables) == shown
    # As another process finds them, which gives things other handles.
    here.worker.tables.clear()
    assert await asked(here, tables) == questions
    return found


def memory() -> int:
    """Return what this process has in memory, in bytes; 0 where that cannot be told."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@pytest.mark.parametrize("hosts", [LOOPBACK, None], ids=["this machine", "any name"])
def test_no_request_fails_or_changes_a_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch, hosts: tuple[str, ...] | None
) -> None:
    here = Here(folder, monkeypatch, hosts=hosts)

    found = asyncio.run(attack(here, 1, FEW // 2))

    assert {recipe for recipe, _ in found} == set(RECIPES)


@pytest.mark.slow
@pytest.mark.bounded
def test_thousands_of_requests_fail_or_change_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(folder, monkeypatch)
    asyncio.run(attack(here, 2, FEW, (*TABLES, *LARGE)))
    begun_with = memory()

    found = asyncio.run(attack(here, 3, MANY, (*TABLES, *LARGE)))

    grown = memory() - begun_with
    statuses: Counter[int] = Counter()
    for (_, status), times in found.items():
        statuses[status] += times
    print(f"{MANY} requests, by status {dict(sorted(statuses.items()))}, {grown / 1e6:.1f} MB more")
    assert grown < MORE_MEMORY
    web, limits = here.web, here.web.limits
    assert len(here.worker.tables) <= TABLES_KEPT and len(web.dispatcher.strikes) <= limits.clients
    assert len(here.guard.allowance.accounts) <= limits.clients
    assert not web.news.listening and not web.news.clients


def test_a_request_that_changes_something_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(folder, monkeypatch)

    def honest(random: Random, targets: Targets) -> Request:
        seat = next(one for one in targets.seats if one.options)
        body = b"n=%d&option=0" % seat.n
        return Request("", "POST", f"{seat.link}answer".encode(), body=body)

    monkeypatch.setitem(RECIPES, "answers as it should be", honest)

    with pytest.raises(AssertionError):
        asyncio.run(attack(here, 1, len(RECIPES)))
