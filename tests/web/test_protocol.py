"""What a browser may send, and what comes of it: an answer counts once, and nobody answers for somebody else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx
from web_table import LINK, At, Made, Server, make, play

GAME = "connect_four"


@pytest.fixture
def made(server: Server) -> Made:
    """A table of two people."""
    return make(server, GAME, "me", "link", **{"name-1": "Ann", "name-2": "Ben"})


def test_an_answer_counts_and_the_other_one_is_asked(made: Made) -> None:
    ann, ben = made.seats[0], made.seats[1]
    before = ben.view()

    reply = ann.answer(3)

    assert reply.status_code == 200 and str(reply.url).endswith(ann.link)
    assert ann.view()["question"] is None
    assert before["question"] is None and ben.view()["question"] is not None


def test_a_double_click_changes_nothing_and_says_so(made: Made) -> None:
    ann = made.seats[0]
    n = ann.view()["n"]
    ann.post(n=n, option=3)
    after = ann.view()

    again = ann.post(n=n, option=3)

    assert "too late" in again.text
    assert ann.view() == after


def test_the_page_of_another_tab_is_too_late(made: Made) -> None:
    ann, ben = made.seats[0], made.seats[1]
    old = ann.view()["n"]
    ann.answer(3)
    ben.answer(3)
    before = ann.view()

    reply = ann.post(n=old, option=0)

    assert "too late" in reply.text and ann.view() == before


def test_who_is_not_asked_cannot_answer(made: Made) -> None:
    ben = made.seats[1]
    before = made.seats[0].view()

    ben.post(n=ben.view()["n"], option=0)

    assert made.seats[0].view() == before


def test_who_watches_can_look_and_do_nothing(made: Made) -> None:
    watcher = made.watcher

    assert watcher.view()["seat"] is None and watcher.page().status_code == 200
    for action in ("answer", "hint", "again", "agree", "renew"):
        assert watcher.post(action, n=watcher.view()["n"], option=0).status_code == 403


def test_a_link_that_is_not_quite_right_leads_nowhere(made: Made) -> None:
    ann = made.seats[0]
    token = ann.link.split("/")[3]
    other = token[:-1] + ("A" if token[-1] != "A" else "B")

    for wrong in (other, "x", "..", token + "A", "%00"):
        assert At(ann.browser, f"/t/{made.id}/{wrong}/").page().status_code == 404
    assert At(ann.browser, f"/t/AAAAAAAA/{token}/").page().status_code == 404
    assert At(ann.browser, ann.link.replace(token, other)).post(n=1, option=0).status_code == 404


def test_a_link_of_another_table_leads_nowhere(server: Server, made: Made) -> None:
    other = make(server, GAME, "me", "link")
    token = other.seats[0].link.split("/")[3]

    assert At(made.seats[0].browser, f"/t/{made.id}/{token}/").page().status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"option": 99},
        {"option": -1},
        {"option": "x"},
        {"option": [0, 1]},
        {"option": "9" * 400},
        {"number": 5},
        {"amount-0": 3},
        {"amount-99999": "1e9"},
        {"order": "0,0,0"},
        {},
    ],
    ids=str,
)
def test_what_is_no_answer_changes_nothing(made: Made, fields: dict[str, Any]) -> None:
    ann = made.seats[0]
    before = ann.view()

    reply = ann.post(n=before["n"], **fields)

    assert reply.status_code == 422 and "<main" in reply.text
    assert ann.view() == before


@pytest.mark.parametrize("n", ["", "x", "-1", "9" * 500, "0x1", "\u0661"])
def test_a_form_that_names_no_question_is_refused(made: Made, n: str) -> None:
    ann = made.seats[0]
    before = ann.view()

    assert ann.post(n=n, option=0).status_code == 422
    assert ann.view() == before


def test_a_form_from_another_site_is_refused(made: Made) -> None:
    ann = made.seats[0]
    before = ann.view()
    form = {"n": before["n"], "option": 0}

    for headers in (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
    ):
        reply = ann.browser.post(f"{ann.link}answer", data=form, headers=headers)
        assert reply.status_code == 403, headers
    assert ann.view() == before


def test_another_name_of_the_host_is_refused(made: Made) -> None:
    ann = made.seats[0]

    reply = ann.browser.get(ann.link, headers={"host": "elsewhere.example"})

    assert reply.status_code == 421 and "Ann" not in reply.text


def test_what_is_too_large_is_refused(made: Made) -> None:
    ann = made.seats[0]
    before = ann.view()

    assert ann.post(n=before["n"], option=0, more="x" * 70_000).status_code == 413
    many = "&".join(f"n{number}=1" for number in range(600))
    reply = ann.browser.post(f"{ann.link}answer", content=many)
    assert reply.status_code == 422
    assert ann.view() == before


def test_a_body_without_a_length_is_cut_off(made: Made) -> None:
    ann = made.seats[0]

    def parts() -> Any:
        for _ in range(100):
            yield b"x" * 10_000

    assert ann.browser.post(f"{ann.link}answer", content=parts()).status_code == 413


@pytest.mark.parametrize("body", [b"\xff\xfe", b"n=%ff&option=0", "n=ü".encode(), b"%%%=&&&"])
def test_bytes_that_are_no_form_are_refused(made: Made, body: bytes) -> None:
    ann = made.seats[0]

    assert ann.browser.post(f"{ann.link}answer", content=body).status_code == 422


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nowhere"),
        ("GET", "/t/a/b/"),
        ("GET", "/static/../tables.sqlite"),
        ("GET", "/static/%2e%2e/app.py"),
        ("GET", "/new/nowhere"),
        ("GET", "/rules/..%2f..%2f"),
        ("DELETE", "/"),
        ("GET", "/tables"),
        ("POST", "/"),
    ],
)
def test_what_is_not_there_is_said_so(server: Server, method: str, path: str) -> None:
    reply = server.browser().request(method, path)

    assert reply.status_code in (404, 405) and "<main" in reply.text


def test_each_reply_says_what_a_browser_may_do(made: Made) -> None:
    ann = made.seats[0]
    replies = [
        ann.page(),
        ann.browser.get("/"),
        ann.browser.get("/nowhere"),
        ann.browser.get(f"{ann.link}view.json"),
        ann.post(n=-1),
        ann.browser.get("/", headers={"host": "elsewhere.example"}),
    ]

    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["referrer-policy"] == "same-origin"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "server" not in reply.headers


def test_the_key_of_a_browser_is_kept_from_scripts_and_other_sites(server: Server) -> None:
    reply = httpx.post(
        f"{server.address}/tables", data={"game": GAME, "seat-1": "me", "seat-2": "link"}
    )

    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie


def test_only_who_has_made_a_table_sees_its_links(made: Made) -> None:
    ben = made.seats[1]

    assert ben.browser.get(f"{ben.link}links").status_code == 403
    assert made.seats[0].browser.get(f"{made.seats[0].link}links").status_code == 200


def test_my_tables_are_in_the_lobby_and_lead_there(made: Made, server: Server) -> None:
    made.seats[1].page()
    ann = made.seats[0]

    assert ann.link in ann.browser.get("/").text
    assert not LINK.search(server.browser().get("/").text)


def test_the_file_holds_no_token(made: Made, server: Server) -> None:
    rows = "\n".join(map(repr, server.rows("select * from seats")))
    kept = server.rows("select token from kept")

    for at in (*made.seats.values(), made.watcher):
        token = at.link.split("/")[3]
        assert token not in rows
        assert all(token.encode() not in one for (one,) in kept)


def test_the_seed_stays_here_until_the_end(server: Server) -> None:
    made = make(server, "kuhn_poker", "me", "link")
    ((seed,),) = server.rows("select seed from tables where id=?", made.id)
    ann = made.seats[0]

    def told() -> str:
        parts = ["", "view.json", "log", "log.json", "rules", "record", "links"]
        return "\n".join(ann.browser.get(f"{ann.link}{part}").text for part in parts)

    assert seed not in told()
    assert "sealed" in ann.browser.get(f"{ann.link}record").text
    play(made)
    assert f"seed = {json.loads(seed)}" in ann.browser.get(f"{ann.link}record").text


def test_nobody_gets_what_another_seat_sees(server: Server) -> None:
    made = make(server, "kuhn_poker", "me", "link")

    def hand(at: At, of: int) -> Any:
        zones = {zone["id"]: zone for zone in at.view()["seats"][of]["zones"]}
        return zones[f"p{of}.hand"]

    assert hand(made.seats[0], 0)["things"] and not hand(made.seats[0], 1)["things"]
    assert not hand(made.watcher, 0)["things"] and not hand(made.watcher, 1)["things"]


def test_variants_that_do_not_fit_together_are_said(server: Server) -> None:
    form = {"game": GAME, "seat-1": "me", "option-nothing": "1", "variant": "../../secret.rules"}

    reply = server.browser().post("/tables", data=form)

    assert reply.status_code == 422
    assert re.search(r"for 2 players", reply.text)


@pytest.mark.parametrize("who", ["search:99999999", "nobody", "search:1e9s", "human", ""])
def test_a_seat_is_given_to_no_agent_that_is_none(server: Server, who: str) -> None:
    reply = server.browser().post("/tables", data={"game": GAME, "seat-1": "me", "seat-2": who})

    assert reply.status_code == 422
