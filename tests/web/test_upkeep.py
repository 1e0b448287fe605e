"""Tables that are deleted or left alone, agents that play alone, and a server that has its folder for itself."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import attrs
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

from web_here import OPEN, Here
from web_table import until

from rulewright.interpreter.web.app import forget
from rulewright.interpreter.web.folder_lock import folder_locked
from rulewright.interpreter.web.storage import WATCHER, StorageError

DAY = 86_400.0
GAME = "tic_tac_toe"


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """An application with an empty file."""
    return Here(folder, monkeypatch)


# ------------------------------------------------------------------------------------------ deleted


def test_who_has_made_a_table_can_delete_it(here: Here) -> None:
    async def run() -> None:
        table, other = await here.table(GAME, "me", "link"), await here.table(GAME, "me", "link")
        link, key = table.people[0], [(b"cookie", table.cookie)]
        assert (await here.get(link)).status == 200

        links = await here.send("GET", f"{link}links".encode(), key)
        asked = await here.send("GET", f"{link}delete".encode(), key)
        assert f"{link}delete" in links.body.decode()
        assert asked.status == 200 and f'action="{link}delete"' in asked.body.decode()
        # To be asked does nothing yet.
        assert (await here.get(link)).status == 200

        done = await here.send("POST", f"{link}delete".encode(), key)

        assert (done.status, done.header(b"location")) == (303, b"/")
        assert [(await here.get(one)).status for one in table.links.values()] == [404] * 3
        assert [(await here.get(one)).status for one in other.links.values()] == [200] * 3
        left = {
            name: here.rows(f"select count(*) from {name} where table_id=?", table.table)
            for name in ("seats", "answers", "packs", "kept")
        }
        assert set(map(str, left.values())) == {"[(0,)]"}
        assert table.table not in here.worker.tables
        assert not [key for key in here.web.news.stamps if key[0] == table.table]

    asyncio.run(run())


def test_nobody_else_can_delete_a_table(here: Here) -> None:
    async def run() -> None:
        table, other = await here.table(GAME, "me", "link"), await here.table(GAME, "me", "link")
        for link in table.links.values():
            for headers in ([], [(b"cookie", other.cookie)]):
                for method in ("GET", "POST"):
                    got = await here.send(method, f"{link}delete".encode(), headers)
                    assert got.status == 403, (method, headers)
            assert (await here.get(link)).status == 200

    asyncio.run(run())


def test_what_comes_too_late_for_a_table_that_is_deleted_is_no_mistake(here: Here) -> None:
    async def run() -> None:
        table = await here.table(GAME, "me", "link")
        link = table.people[0]
        await here.get(link)
        # As if another process had done it: this one still has the table at hand.
        here.web.storage.delete_table(table.table)
        here.web.storage.seat_of = _as_before(here, table.table)  # type: ignore[method-assign]

        assert (await here.post(f"{link}answer", n=1, option=0)).status == 404
        assert not here.workers.wrong and not here.worker.tables

    asyncio.run(run())


def _as_before(here: Here, table: str) -> Any:
    from rulewright.interpreter.web.storage import SeatRow

    return lambda *given: SeatRow(table, 0, "Ann", None, True)


def test_tables_that_are_left_alone_are_deleted_after_some_days(here: Here) -> None:
    async def run() -> None:
        made = [await here.table(GAME, "me", "link") for _ in range(4)]
        long_ago = time.time() - 30 * DAY
        here.web.storage.base.execute("update tables set made=?", [long_ago])
        # One was played at lately, one long ago, and at one somebody looks.
        for table in made[:2]:
            await here.post(f"{table.people[0]}answer", n=1, option=0)
        here.web.storage.base.execute(
            "update answers set at=? where table_id=?", [long_ago, made[1].table]
        )
        news = here.web.news.stream(made[2].table, WATCHER, "somebody")
        await anext(news)

        await forget(here.web, 31 * DAY)
        assert here.web.storage.count_tables() == 4
        await forget(here.web, 29 * DAY)

        left = {id for (id,) in here.rows("select id from tables")}
        assert left == {made[0].table, made[2].table}
        await news.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


def test_a_table_that_was_touched_meanwhile_is_not_deleted(here: Here) -> None:
    async def run() -> None:
        table = await here.table(GAME, "me", "link")

        await here.web.delete(table.table, time.time() - DAY)

        assert (await here.get(table.people[0])).status == 200

    asyncio.run(run())


# ---------------------------------------------------------------------------------- agents alone


def test_agents_that_nobody_watches_wait(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here(folder, monkeypatch, limits=attrs.evolve(OPEN, moves_unwatched=2))

    def answers() -> int:
        ((count,),) = here.rows("select count(*) from answers")
        return int(count)

    async def run() -> None:
        table = await here.table(GAME, "random", "random")
        dispatcher = here.web.dispatcher

        async def rests() -> None:
            while dispatcher.driven:
                await asyncio.sleep(0)

        await rests()
        assert answers() == 2 and dispatcher.resting == {table.table} and not dispatcher.alone
        # A page that is opened lets them go on for a while, and one that listens to the end.
        await here.get(table.links[WATCHER])
        await rests()
        assert answers() == 4
        got = await here.get(f"{table.links[WATCHER]}news")
        assert got.status == 200
        await rests()
        assert answers() >= 5 and not dispatcher.alone

    asyncio.run(run())


def test_at_so_many_tables_agents_play_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here(folder, monkeypatch, limits=attrs.evolve(OPEN, agents_alone=1, pause=1e6))
    form = {"game": GAME, "seat-1": "random", "seat-2": "random"}

    async def run() -> None:
        first = await here.table(GAME, "random", "random")
        while not here.web.dispatcher.alone:
            await asyncio.sleep(0)

        refused = await here.post("/tables", **form)
        assert refused.status == 429 and b"Agents are playing alone" in refused.body
        # People may always play, also with agents.
        await here.table(GAME, "me", "random")
        assert here.web.dispatcher.alone == {first.table}

        await here.web.dispatcher.stop()
        assert not here.web.dispatcher.alone
        assert (await here.post("/tables", **form)).status == 303
        await here.web.dispatcher.stop()

    asyncio.run(run())


# ----------------------------------------------------------------------------------- the folder


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    used = pytest.raises(StorageError, match="in use by another server")
    with folder_locked(tmp_path), used, folder_locked(tmp_path):
        pass
    with folder_locked(tmp_path):
        pass


def test_who_is_killed_gives_the_folder_back(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path\n"
        "from rulewright.interpreter.web.folder_lock import folder_locked\n"
        "with folder_locked(Path(sys.argv[1])): print('here', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "here\n"
    with pytest.raises(StorageError), folder_locked(tmp_path):
        pass

    process.kill()
    process.communicate()

    with folder_locked(tmp_path):
        pass
    assert oct(os.stat(tmp_path / "server.lock").st_mode & 0o777) == "0o600"


@pytest.mark.slow
@pytest.mark.bounded
def test_serve_forgets_tables_and_has_its_folder_and_its_address(folder: Path, here: Here) -> None:
    asyncio.run(here.table(GAME, "me", "link"))
    here.web.storage.base.execute("update tables set made=?", [time.time() - 3 * DAY])
    here.web.storage.close()
    words = ["serve", "--port", "0", "--data", str(folder)]
    more = ["--forget", "2", "--public-url", "https://games.example"]
    command = [sys.executable, "-m", "rulewright.interpreter"]

    process = subprocess.Popen([*command, *words, *more], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "https://games.example/\n"
        until(lambda: here.rows("select count(*) from tables") == [(0,)])
        other = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    finally:
        process.terminate()
        process.communicate()

    assert (other.returncode, other.stdout) == (2, "")
    assert "is in use by another server" in other.stderr and other.stderr.count("\n") == 1
    assert process.returncode == 0
