"""The addresses of a table: what its seats may do and see, and what those may who watch."""

from __future__ import annotations

import contextlib
from typing import Any

import attrs
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response, StreamingResponse

from rulewright.interpreter.web.dispatcher import Refused
from rulewright.interpreter.web.messages import words_in
from rulewright.interpreter.web.pages import Hint, PageContext, SeatLink, delete_page
from rulewright.interpreter.web.request_bodies import form_of
from rulewright.interpreter.web.routing import (
    BROWSER,
    Web,
    language_in,
    led,
    sitting,
    web_of,
)
from rulewright.interpreter.web.storage import WATCHER, SeatRow
from rulewright.interpreter.web.tokens import TOKEN, given_back, hashed, kept_for
from rulewright.interpreter.web.workers import WorkerError

WATCHED = ("view", "log", "why", "rules", "replay", "record")
"""What the link to watch gives; a seat may do all."""


async def page(asked: Asked) -> Response:
    """Show a table to a seat."""
    web = web_of(asked)
    seat = web.seat(asked)
    key = asked.cookies.get(BROWSER, "")
    if TOKEN.fullmatch(key):
        token = asked.path_params["token"]
        kept = kept_for(key, seat.table, seat.seat, token)
        if seat.seat != WATCHER:
            web.storage.keep(hashed(key), seat.table, seat.seat, True, kept)
    if not seat.opened and seat.seat != WATCHER:
        web.storage.note_opened(seat.table, seat.seat)
    request = web.request(
        asked,
        "page",
        seat,
        said=asked.query_params.get("said", ""),
        hint=_hint(web, seat),
        links=_has_links(asked, web, seat),
        waits=web.dispatcher.waits(seat.table),
    )
    return await web.show(asked, request)


def _hint(web: Web, seat: SeatRow) -> Hint | None:
    stamp, _, found = web.hints.get((seat.table, seat.seat), ("", 0, None))
    return found if stamp == web.news.stamps.get((seat.table, seat.seat)) else None


def _has_links(asked: Asked, web: Web, seat: SeatRow) -> bool:
    return any(not one.own for one in _kept(asked, web, seat.table))


def _kept(asked: Asked, web: Web, table: str) -> Any:
    key = asked.cookies.get(BROWSER, "")
    return web.storage.kept(hashed(key), table) if TOKEN.fullmatch(key) else ()


async def links(asked: Asked) -> Response:
    """Show the links of a table to the browser that has made it."""
    web = web_of(asked)
    seat, key = web.seat(asked), asked.cookies.get(BROWSER, "")
    kept = _kept(asked, web, seat.table)
    tokens = {
        one.seat: given_back(key, one.table, one.seat, one.token) for one in kept if not one.own
    }
    if not tokens:
        raise Refused(403)
    mine, origin = {one.seat for one in kept if one.own}, web.origin(asked)
    made = []
    for one in sorted(
        web.storage.seats(seat.table), key=lambda one: (one.seat == WATCHER, one.seat)
    ):
        token = tokens.get(one.seat)
        address = "" if token is None else f"{origin}/t/{one.table}/{token}/"
        number = None if one.seat == WATCHER else one.seat
        made.append(SeatLink(address, one.name, number, one.seat in mine, one.agent, one.opened))
    return await web.show(asked, web.request(asked, "links", seat, given=made))


async def ask_to_delete(asked: Asked) -> Response:
    """Ask the browser that has made a table whether it is to be deleted."""
    web, seat = web_of(asked), _made_here(asked)
    row, language = web.storage.table(seat.table), language_in(asked)
    assert row is not None, "its link is there"
    context = PageContext(web.base(asked), language, words_in(language), news=False)
    title = web.served.entry(row.game).title if row.game in web.served.folders else row.game
    return HTMLResponse(delete_page(title, row.setup.names, context))


async def delete(asked: Asked) -> Response:
    """Delete a table for the browser that has made it."""
    web, seat = web_of(asked), _made_here(asked)
    await form_of(asked, web.limits)
    await web.delete(seat.table)
    return led("/")


def _made_here(asked: Asked) -> SeatRow:
    """Return the seat of a link. Raises `Refused` if another browser has made the table."""
    web = web_of(asked)
    seat = web.seat(asked)
    if not _has_links(asked, web, seat):
        raise Refused(403, "Only the browser that has made a table can delete it.")
    return seat


async def answer(asked: Asked) -> Response:
    """Take in an answer."""
    web = web_of(asked)
    seat = sitting(asked, web)
    fields = await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "answer", seat, fields=fields))


async def agree(asked: Asked) -> Response:
    """Take in whether somebody agrees that an answer is taken back."""
    web = web_of(asked)
    seat = sitting(asked, web)
    fields = await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "agree", seat, fields=fields))


async def renew(asked: Asked) -> Response:
    """Go on under the rules of today."""
    web = web_of(asked)
    seat = sitting(asked, web)
    await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "renew", seat), web.limits.load_seconds)


async def hint(asked: Asked) -> Response:
    """Let an agent look for the best answers; the page shows them when they are there."""
    web = web_of(asked)
    seat = sitting(asked, web)
    fields = await form_of(asked, web.limits)
    place = seat.table, seat.seat
    stamp, count, found = web.hints.get(place, ("", 0, None))
    now = web.news.stamps.get(place, "")
    if stamp == now and found is not None and found.thinking:
        return led(web.base(asked))
    count = count + 1 if stamp == now else 1
    request = web.request(asked, "hint", seat, fields=fields, hinted=count)
    reply = await web.ask(request)
    if reply.task is not None:
        web.hints[place] = (reply.stamps[seat.seat], count, Hint(thinking=True))
        web.dispatcher.begin(_found(web, place, reply.task, reply.stamps[seat.seat], count))
    return web.response(asked, attrs.evolve(reply, status=303))


async def _found(web: Web, place: tuple[str, int], task: Any, stamp: str, count: int) -> None:
    found: Hint | None = None
    with contextlib.suppress(WorkerError):
        found = await web.thinkers.free().ask(task, web.limits.thought_seconds)
    if web.hints.get(place, ("", 0, None))[:2] == (stamp, count):
        web.hints[place] = (stamp, count, found)
        web.news.wake(*place)


async def watched(asked: Asked) -> Response:
    """Return what also those may see who watch: the name of the action stands last in the address."""
    web = web_of(asked)
    seat = web.seat(asked)
    action, dot, kind = asked.path_params["action"].partition(".")
    if action not in WATCHED or (dot and kind != "json") or (action == "view" and not dot):
        raise Refused(404)
    seconds = web.limits.load_seconds if action in ("replay", "record") else None
    return await web.show(asked, web.request(asked, action, seat, json=bool(dot)), seconds)


async def listen(asked: Asked) -> Response:
    """Stream the news of a seat."""
    web = web_of(asked)
    seat = web.seat(asked)
    client = asked.client.host if asked.client else ""
    if web.news.is_full(seat.table, client):
        raise Refused(429)
    if (seat.table, seat.seat) not in web.news.stamps:
        # Nobody has opened this table since the server began.
        await web.ask(web.request(asked, "due", seat))
    web.dispatcher.watch(seat.table)
    again = web.storage.followed_by(seat.table) is not None or web.dispatcher.waits(seat.table)
    stream = web.news.stream(seat.table, seat.seat, client, again)
    return StreamingResponse(
        stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )
