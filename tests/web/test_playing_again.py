"""Playing again: one makes a table with the same seats, and all others find the way there on their page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")

if TYPE_CHECKING:
    import httpx

from web_table import LINK, At, Made, Server, make, play

GAME = "tic_tac_toe"
NAMES = {"name-1": "Ann", "name-2": "Ben"}


@pytest.fixture
def over(server: Server) -> Made:
    """A table at which a game is over."""
    made = make(server, GAME, "me", "link", **NAMES)
    play(made)
    return made


def link_of(reply: httpx.Response) -> str:
    """Return the link to which somebody has been led."""
    found = LINK.search(str(reply.url))
    assert found is not None, reply.url
    return found[0]


def table_of(link: str) -> str:
    """Return the name of the table of a link."""
    found = LINK.search(link)
    assert found is not None
    return found[1]


def test_all_are_led_to_the_same_seats(over: Made) -> None:
    ann, ben = over.seats.values()
    others: Sequence[At] = (ben, over.watcher)
    assert not any("plays again" in at.page().text for at in others)

    new = At(ann.browser, link_of(ann.post("again")))

    assert new.view()["seat"] == 0 and new.view()["end"] is None
    for at, seat in zip(others, (1, None), strict=True):
        assert "Ann plays again" in at.page().text
        assert f'href="{at.link}next"' in at.page().text
        led = At(at.browser, link_of(at.browser.get(f"{at.link}next")))
        assert led.view()["seat"] == seat
        assert table_of(led.link) == table_of(new.link) != over.id
        # It is the same link each time, and that of nobody else.
        assert link_of(at.browser.get(f"{at.link}next")) == led.link != new.link


def test_who_plays_again_after_somebody_else_is_led_there(over: Made, server: Server) -> None:
    ann, ben = over.seats.values()
    new = link_of(ann.post("again"))
    (before,) = server.rows("select count(*) from tables")

    led = At(ben.browser, link_of(ben.post("again")))

    assert table_of(led.link) == table_of(new) and led.view()["seat"] == 1
    assert server.rows("select count(*) from tables") == [before]
    assert led.answer(0).status_code in (200, 422)


def test_before_somebody_plays_again_nothing_follows(over: Made) -> None:
    ann, _ = over.seats.values()

    assert ann.browser.get(f"{ann.link}next").status_code == 404
    assert over.watcher.post("again").status_code == 403


def test_links_that_are_handed_out_work_as_well(over: Made) -> None:
    ann, ben = over.seats.values()
    reply = ann.post("again")
    new = link_of(reply)
    handed = [at for at in LINK.findall(ann.browser.get(f"{new}links").text) if at[0]]

    views = [At(ben.browser, f"/t/{table}/{token}/").view()["seat"] for table, token in handed]

    assert set(views) == {0, 1, None}
    ben.browser.get(f"{ben.link}next")
    assert views == [At(ben.browser, f"/t/{one}/{token}/").view()["seat"] for one, token in handed]


def test_a_table_that_is_gone_is_followed_by_none(over: Made) -> None:
    ann, ben = over.seats.values()
    new = link_of(ann.post("again"))

    At(ann.browser, new).post("delete")

    assert ben.browser.get(f"{ben.link}next").status_code == 404
    assert "plays again" not in ben.page().text


@pytest.mark.browser
def test_the_pages_of_the_others_tell_it_by_themselves(
    server: Server, sit: Callable[..., Any]
) -> None:
    made = make(server, GAME, "me", "link", **NAMES)
    play(made)
    ann, ben = made.seats.values()
    (person,) = sit(1, "desktops")
    person.page.goto(f"{server.address}{ben.link}")

    with person.page.expect_response(re.compile(r"/news$")):
        person.page.reload()
    ann.post("again")
    to_it = person.page.get_by_role("link", name="To the new table")
    to_it.wait_for()
    to_it.click()
    person.page.wait_for_url(lambda url: LINK.search(url) is not None and made.id not in url)

    assert person.sees().over is False
    assert person.faults == []
