"""What people at a table agree to by a form: that an answer is taken back, and that a game goes on under other rules."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from parsed_page import Element, Page
from web_here import Here, Seats

from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.storage import WATCHER


async def view(here: Here, link: str) -> dict[str, Any]:
    """Return what a seat is shown, as data."""
    found: dict[str, Any] = json.loads((await here.get(f"{link}view.json")).body)
    return found


async def page(here: Here, link: str) -> Page:
    """Return the page of a seat."""
    return Page((await here.get(link)).body.decode())


async def answer(here: Here, link: str, option: int) -> None:
    """Answer what a seat is asked."""
    n = (await view(here, link))["n"]
    assert (await here.post(f"{link}answer", n=n, option=option)).status == 303


def form(found: Page, action: str) -> Element | None:
    """Return the form of a page that leads somewhere."""
    return next((one for one in found.all("form") if one.get("action").endswith(action)), None)


def fields(found: Page, where: Element, button: str) -> dict[str, str]:
    """Return what a form sends when somebody clicks on one of its buttons."""
    inside = [one for one in found.all("input", "button") if where in one.around]
    return {
        one.get("name"): one.get("value")
        for one in inside
        if one.get("name") and (one.tag == "input" or one.get("value") == button)
    }


async def undo_is_asked_for(here: Here) -> tuple[Seats, str, str, int]:
    """Return a table at which Ann would like to take back an answer after Ben has given his."""
    table = await here.table("connect_four", "me", "link")
    ann, ben = table.people.values()
    await answer(here, ann, 3)
    await answer(here, ben, 3)
    lines = len((await view(here, ann))["log"])
    n = (await view(here, ann))["n"]
    assert (await here.post(f"{ann}answer", n=n, undo=1)).status == 303
    return table, ann, ben, lines


@pytest.mark.parametrize("says", ["yes", "no"])
def test_who_has_answered_since_agrees_or_refuses_by_a_form(
    folder: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    here = Here(folder, monkeypatch)

    async def ask() -> None:
        table, ann, ben, lines = await undo_is_asked_for(here)
        # Only he is asked, and only he can say it.
        assert form(await page(here, ann), "agree") is None
        assert form(await page(here, table.links[WATCHER]), "agree") is None
        seen = await page(here, ben)
        asks = form(seen, "agree")
        assert asks is not None
        given = fields(seen, asks, says)
        assert set(given) == {"asked", "agree"}
        assert (await here.post(f"{ann}agree", **given)).status == 303
        assert len((await view(here, ann))["log"]) == lines

        assert (await here.post(asks.get("action"), **given)).status == 303

        assert form(await page(here, ben), "agree") is None
        after = await view(here, ann)
        assert (len(after["log"]) < lines) == (says == "yes")
        told = (await here.get(ann)).body.decode()
        assert ("would not have it taken back" in told) == (says == "no")
        # What was said once is said: the same form again comes too late.
        again = await here.post(asks.get("action"), **given)
        assert b"late" in again.header(b"location") or b"late" in again.sent
        assert (await view(here, ann))["log"] == after["log"]

    asyncio.run(ask())
    assert not here.workers.wrong


@pytest.mark.parametrize("wrong", [{"agree": "perhaps"}, {}, {"agree": "yes", "asked": "999"}])
def test_a_form_that_agrees_to_something_else_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str]
) -> None:
    here = Here(folder, monkeypatch)

    async def ask() -> None:
        _, ann, ben, lines = await undo_is_asked_for(here)

        reply = await here.post(f"{ben}agree", **wrong)

        assert reply.status == (303 if wrong.get("agree") == "yes" else 422)
        assert len((await view(here, ann))["log"]) == lines
        assert form(await page(here, ben), "agree") is not None

    asyncio.run(ask())
    assert not here.workers.wrong


RULES = """\
language 1
game "Piles" for 2..2 players
use turns(turn)
the game has, seen by players
  pile: number = 10
to play
  play_in_turns
to turn
  choose n from 1..3
  add -n to pile
  if pile <= 0
    end game "all gone"
ranking
  most 0 - pile
"""


def test_a_table_with_other_rules_goes_on_when_somebody_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "piles" / "game.rules"
    path.parent.mkdir()
    path.write_text(RULES)
    games = served(str(path.parent))

    async def play() -> Seats:
        here = Here(tmp_path / "tables", monkeypatch, games)
        table = await here.table("piles", "me", "link")
        ann, ben = table.people.values()
        await answer(here, ann, 0)
        await answer(here, ben, 2)
        return table

    async def go_on(table: Seats) -> None:
        here = Here(tmp_path / "tables", monkeypatch, games)
        ann, ben = table.people.values()
        watcher = table.links[WATCHER]
        for link in (ann, ben, watcher):
            got = await here.get(link)
            assert got.status == 409
            assert re.search(r"1 of 2 answers", got.body.decode())
        assert form(await page(here, watcher), "renew") is None
        assert (await here.post(f"{watcher}renew")).status == 403
        assert (await here.get(ben)).status == 409, "who watches has renewed it"
        asks = form(await page(here, ben), "renew")
        assert asks is not None

        assert (await here.post(asks.get("action"))).status == 303

        seen = [await view(here, link) for link in (ann, ben)]
        assert [one["question"] is not None for one in seen] == [False, True]
        assert [one["label"] for one in seen[1]["question"]["options"]] == ["1", "2"]
        # Once more changes nothing.
        assert (await here.post(f"{ann}renew")).status == 303
        assert (await view(here, ben)) == seen[1]
        assert not here.workers.wrong

    table = asyncio.run(play())
    path.write_text(RULES.replace("1..3", "1..2"))
    asyncio.run(go_on(table))


def test_who_cannot_take_back_any_more_hears_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(folder, monkeypatch)

    async def ask() -> None:
        table = await here.table("kuhn_poker", "me", "link")
        while not (await view(here, table.people[0]))["end"]:
            for link in table.people.values():
                seen = await view(here, link)
                if seen["question"] is not None:
                    await answer(here, link, seen["question"]["options"][0]["id"])
        ann, ben = table.people.values()
        before = dict(here.web.news.stamps)
        assert "Take back" in (await here.get(ben)).body.decode()

        # Whoever saves the record reads all secrets.
        assert (await here.get(f"{ann}record")).status == 200

        assert all(here.web.news.stamps[key] != before[key] for key in before)
        assert "Take back" not in (await here.get(ben)).body.decode()

    asyncio.run(ask())
    assert not here.workers.wrong
