"""A server behind a proxy with HTTPS: links, cookies, forms and who asks how much."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")

from web_here import HOST, OPEN, Here

from rulewright.interpreter.web.guard import LOOPBACK
from rulewright.interpreter.web.public_url import public_url

GAME = "tic_tac_toe"
NAME = b"games.example"
FORM = b"game=tic_tac_toe&seat-1=me&seat-2=link"


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    """An application behind a proxy."""
    return behind(folder, monkeypatch, "https://games.example")


def behind(folder: Path, monkeypatch: pytest.MonkeyPatch, address: str, **limits: float) -> Here:
    """Return an application that has a public address."""
    public = public_url(address)
    given = attrs.evolve(OPEN, **limits)
    return Here(folder, monkeypatch, None, given, (*LOOPBACK, public.host), public)


def status(here: Here, host: bytes, *headers: tuple[bytes, bytes], method: str = "POST") -> int:
    """Return what becomes of a form of a new table."""
    return asyncio.run(here.send(method, b"/tables", headers, FORM, host)).status


@pytest.mark.parametrize("host", [NAME, HOST], ids=["its name is sent on", "it is not"])
def test_links_and_cookies_are_those_of_the_public_address(here: Here, host: bytes) -> None:
    async def run() -> None:
        made = await here.send(
            "POST", b"/tables", [(b"origin", b"https://games.example")], FORM, host
        )
        assert made.status == 303 and made.header(b"location").startswith(b"/t/")
        cookie = made.header(b"set-cookie")
        assert b"; Secure" in cookie and b"HttpOnly" in cookie
        key = [(b"cookie", cookie.partition(b";")[0])]
        page = await here.send("GET", made.header(b"location"), key, host=host)
        assert page.body.count(b'value="https://games.example/t/') == 3
        assert b"http://" not in page.body

    asyncio.run(run())


def test_without_a_proxy_cookies_go_as_they_can(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(folder, monkeypatch)

    made = asyncio.run(here.send("POST", b"/tables", [], FORM))

    assert made.status == 303 and b"secure" not in made.header(b"set-cookie").lower()


@pytest.mark.parametrize(
    ("host", "origin", "found"),
    [
        (NAME, b"https://games.example", 303),
        (HOST, b"https://games.example", 303),
        (HOST, b"http://" + HOST, 303),
        (NAME, b"http://games.example", 403),
        (NAME, b"https://games.example:444", 403),
        (NAME, b"https://elsewhere.example", 403),
        (HOST, b"https://elsewhere.example", 403),
        (NAME, b"null", 403),
        (NAME, b"https://games.example.elsewhere.example", 403),
        (b"elsewhere.example", b"https://games.example", 421),
        (b"elsewhere.example", b"https://elsewhere.example", 421),
    ],
)
def test_forms_come_from_the_public_address_or_this_machine(
    here: Here, host: bytes, origin: bytes, found: int
) -> None:
    assert status(here, host, (b"origin", origin)) == found


def test_the_proxy_says_who_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = behind(folder, monkeypatch, "https://games.example", tables_of_client=1)

    def asks(*told: bytes) -> Sequence[int]:
        return [status(here, NAME, (b"x-forwarded-for", one)) for one in told]

    assert asks(b"10.0.0.1", b"10.0.0.2", b"2001:db8::1") == [303, 303, 303]
    # Only the last address is the proxy's word; whatever somebody puts before it says nothing.
    assert asks(b"10.0.0.9, 10.0.0.1", b"10.0.0.1", b"2001:DB8:0::1") == [429, 429, 429]
    assert asks(b"nobody", b"", b"10.0.0.3, nobody") == [303, 429, 429]


def test_without_a_proxy_nobody_says_who_asks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(folder, monkeypatch, limits=attrs.evolve(OPEN, tables_of_client=1))

    found = [status(here, HOST, (b"x-forwarded-for", one)) for one in (b"10.0.0.1", b"10.0.0.2")]

    assert found == [303, 429]


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://games.example", "https://games.example"),
        ("HTTPS://Games.Example:443/", "https://games.example"),
        ("https://games.example:8443", "https://games.example:8443"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
    ],
)
def test_an_address_is_written_as_browsers_do(text: str, origin: str) -> None:
    assert public_url(text).origin == origin


@pytest.mark.parametrize(
    "text",
    [
        "",
        "games.example",
        "ftp://a",
        "https://",
        "https://a@b",
        "https://a b",
        "https://a:x",
        "https://[1",
    ],
)
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="is no address like https"):
        public_url(text)


@pytest.mark.parametrize("text", ["https://a/tables", "https://a?b", "https://a/#c"])
def test_an_address_has_no_path(text: str) -> None:
    with pytest.raises(ValueError, match="without a path"):
        public_url(text)
