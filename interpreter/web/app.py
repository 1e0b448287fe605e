"""The web application: which addresses there are, who may ask for what, and to whom it is handed on.

Nothing here runs rules or makes pages of a table: a worker does (`desk`). What this process knows of tables is to
whom a link belongs, and who listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import attrs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rulewright.interpreter.web import desk, thinking
from rulewright.interpreter.web.bodies import form_of, record_of
from rulewright.interpreter.web.driver import Driver, Refused
from rulewright.interpreter.web.exchange import Reply, Request
from rulewright.interpreter.web.games import Served, game_entry
from rulewright.interpreter.web.guard import LANGUAGE, LANGUAGES, Guard, language_of, refused
from rulewright.interpreter.web.limits import DAY, Limits
from rulewright.interpreter.web.messages import words_in
from rulewright.interpreter.web.news import News
from rulewright.interpreter.web.pages import Hint, PageContext, SeatLink, TableLine, lobby_page
from rulewright.interpreter.web.storage import WATCHER, SeatRow, Storage
from rulewright.interpreter.web.tokens import (
    TABLE,
    TOKEN,
    given_back,
    hashed,
    kept_for,
    new_table,
    new_token,
)
from rulewright.interpreter.web.workers import Pool, WorkerError

STATIC = Path(__file__).parent / "static"
BROWSER = "browser"
YEAR = 365 * 24 * 3600
LINES = 12
"""So many of one's tables are shown in the lobby."""

WATCHED = ("view", "log", "why", "rules", "replay", "record")
"""What the link to watch gives; a seat may do all."""


@attrs.define(eq=False)
class Web:
    """What the routes share."""

    served: Served
    storage: Storage
    limits: Limits
    desks: Pool
    thinkers: Pool
    news: News
    driver: Driver
    hints: dict[tuple[str, int], tuple[str, int, Hint | None]] = attrs.field(factory=dict)
    """Of a seat: at which stamp it has asked for a hint last, how often there, and what was found."""

    # ------------------------------------------------------------------------------------- who asks

    def seat(self, asked: Asked) -> SeatRow:
        """Return the seat of a link. Raises `Refused` if it leads nowhere."""
        table, token = asked.path_params["table"], asked.path_params["token"]
        found = None
        if TABLE.fullmatch(table) and TOKEN.fullmatch(token):
            found = self.storage.seat_of(table, hashed(token))
        if found is None:
            raise Refused(404)
        return found

    def base(self, asked: Asked) -> str:
        """Return the address of the table as a seat has it."""
        return f"/t/{asked.path_params['table']}/{asked.path_params['token']}/"

    def request(self, asked: Asked, action: str, seat: SeatRow, **more: Any) -> Request:
        """Return what a worker is asked for a seat."""
        return Request(
            action=action,
            table=seat.table,
            seat=seat.seat,
            base=self.base(asked),
            language=_language(asked),
            connected=self.news.seats(seat.table),
            **{"fields": tuple(asked.query_params.multi_items()), **more},
        )

    # ------------------------------------------------------------------------------------- handing on

    async def ask(self, request: Request, seconds: float | None = None) -> Reply:
        """Return what the worker of a table says, and spread the news. Raises `Refused`."""
        reply = await self.driver.ask(request, seconds)
        if reply.task is not None and request.action != "hint":
            self.driver.drive(request.table)
        return reply

    async def show(self, asked: Asked, request: Request, seconds: float | None = None) -> Response:
        """Return the reply of a worker as a response."""
        return self.response(asked, await self.ask(request, seconds))

    def response(self, asked: Asked, reply: Reply) -> Response:
        """Return a reply as a response."""
        if reply.status == 303:
            return _led(self.base(asked) + (f"?said={reply.said}" if reply.said else ""))
        headers = {}
        if reply.file:
            headers["content-disposition"] = f'attachment; filename="{reply.file}"'
        return Response(reply.body, reply.status, headers, reply.kind)


# --------------------------------------------------------------------------------------------- routes


async def lobby(asked: Asked) -> Response:
    """Show the shelf and one's own tables."""
    web = _web(asked)
    language = _language(asked)
    context = PageContext(base="/", language=language, words=words_in(language))
    games = [game_entry(web.served.entry(name)) for name in web.served.names()]
    lines = await _lines(asked, web)
    return HTMLResponse(lobby_page(lines, games, context, can_import=True))


async def _lines(asked: Asked, web: Web) -> list[TableLine]:
    """Return one's own tables; those that cannot be opened now are left out."""
    key = asked.cookies.get(BROWSER, "")
    if not TOKEN.fullmatch(key):
        return []
    kept = [one for one in web.storage.kept(hashed(key)) if one.own][:LINES]

    async def line(one: Any) -> TableLine | None:
        token = given_back(key, one.table, one.seat, one.token)
        request = Request(action="line", table=one.table, seat=one.seat, language=_language(asked))
        with contextlib.suppress(Refused):
            reply = await web.ask(request)
            if reply.line is not None:
                return TableLine(f"/t/{one.table}/{token}/", *reply.line)
        return None

    return [one for one in await asyncio.gather(*map(line, kept)) if one is not None]


async def new(asked: Asked) -> Response:
    """Show the form of a new table."""
    web = _web(asked)
    fields = (("game", asked.path_params["game"]),)
    request = Request(action="new", table=new_table(), language=_language(asked), fields=fields)
    return await web.show(asked, request)


async def rules(asked: Asked) -> Response:
    """Show the rules of a game."""
    web = _web(asked)
    fields = (*asked.query_params.multi_items(), ("game", asked.path_params["game"]))
    request = Request(action="book", table=new_table(), language=_language(asked), fields=fields)
    return await web.show(asked, request)


async def make(asked: Asked) -> Response:
    """Make a table."""
    web = _web(asked)
    fields = await form_of(asked, web.limits)
    key = _may_make(asked, web)
    request = Request(
        action="make",
        table=new_table(),
        language=_language(asked),
        fields=fields,
        given=_maker(asked, key),
    )
    return await _made(asked, web, request, key, web.limits.load_seconds)


async def bring(asked: Asked) -> Response:
    """Make a table of a saved game."""
    web = _web(asked)
    text = await record_of(asked, web.limits)
    key = _may_make(asked, web)
    request = Request(
        action="bring",
        table=new_table(),
        language=_language(asked),
        given=(text, _maker(asked, key)),
    )
    return await _made(asked, web, request, key, web.limits.load_seconds)


async def again(asked: Asked) -> Response:
    """Make a table like one that is there."""
    web = _web(asked)
    seat = web.seat(asked)
    await form_of(asked, web.limits)
    key = _may_make(asked, web)
    given = (new_table(), _maker(asked, key))
    request = web.request(asked, "again", seat, given=given)
    return await _made(asked, web, request, key, web.limits.load_seconds)


def _maker(asked: Asked, key: str) -> str:
    # Who throws away his cookie is still the same client.
    return asked.client.host if asked.client else hashed(key)


def _may_make(asked: Asked, web: Web) -> str:
    """Return the key of the browser that makes a table, a new one if it has none. Raises `Refused` if
    there are too many tables."""
    key = asked.cookies.get(BROWSER, "")
    key = key if TOKEN.fullmatch(key) else new_token()
    limits, day = web.limits, time.time() - DAY
    if web.storage.count_tables() >= limits.tables:
        raise Refused(429)
    if web.storage.count_tables(_maker(asked, key), day) >= limits.tables_of_client:
        raise Refused(429)
    return key


async def _made(asked: Asked, web: Web, request: Request, key: str, seconds: float) -> Response:
    reply = await web.ask(request, seconds)
    made = reply.made
    if made is None:
        return web.response(asked, reply)
    browser = hashed(key)
    for seat, token in made.tokens.items():
        own = seat in made.mine
        web.storage.keep(browser, made.table, seat, False, kept_for(key, made.table, seat, token))
        if own:
            web.storage.keep(
                browser, made.table, seat, True, kept_for(key, made.table, seat, token)
            )
            web.storage.note_opened(made.table, seat)
    first = made.tokens[made.mine[0] if made.mine else WATCHER]
    web.driver.drive(made.table)
    others = [seat for seat in made.tokens if seat not in (WATCHER, *made.mine[:1])]
    response = _led(f"/t/{made.table}/{first}/{'links' if others else ''}")
    _set_cookie(response, BROWSER, key)
    return response


async def page(asked: Asked) -> Response:
    """Show a table to a seat."""
    web = _web(asked)
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
    web = _web(asked)
    seat, key = web.seat(asked), asked.cookies.get(BROWSER, "")
    kept = _kept(asked, web, seat.table)
    tokens = {
        one.seat: given_back(key, one.table, one.seat, one.token) for one in kept if not one.own
    }
    if not tokens:
        raise Refused(403)
    mine, origin = {one.seat for one in kept if one.own}, f"{asked.url.scheme}://{asked.url.netloc}"
    made = []
    for one in sorted(
        web.storage.seats(seat.table), key=lambda one: (one.seat == WATCHER, one.seat)
    ):
        token = tokens.get(one.seat)
        address = "" if token is None else f"{origin}/t/{one.table}/{token}/"
        number = None if one.seat == WATCHER else one.seat
        made.append(SeatLink(address, one.name, number, one.seat in mine, one.agent, one.opened))
    return await web.show(asked, web.request(asked, "links", seat, given=made))


async def answer(asked: Asked) -> Response:
    """Take in an answer."""
    web = _web(asked)
    seat = _sitting(asked, web)
    fields = await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "answer", seat, fields=fields))


async def agree(asked: Asked) -> Response:
    """Take in whether somebody agrees that an answer is taken back."""
    web = _web(asked)
    seat = _sitting(asked, web)
    fields = await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "agree", seat, fields=fields))


async def renew(asked: Asked) -> Response:
    """Go on under the rules of today."""
    web = _web(asked)
    seat = _sitting(asked, web)
    await form_of(asked, web.limits)
    return await web.show(asked, web.request(asked, "renew", seat), web.limits.load_seconds)


async def hint(asked: Asked) -> Response:
    """Let an agent look for the best answers; the page shows them when they are there."""
    web = _web(asked)
    seat = _sitting(asked, web)
    fields = await form_of(asked, web.limits)
    place = seat.table, seat.seat
    stamp, count, found = web.hints.get(place, ("", 0, None))
    now = web.news.stamps.get(place, "")
    if stamp == now and found is not None and found.thinking:
        return _led(web.base(asked))
    count = count + 1 if stamp == now else 1
    request = web.request(asked, "hint", seat, fields=fields, hinted=count)
    reply = await web.ask(request)
    if reply.task is not None:
        web.hints[place] = (reply.stamps[seat.seat], count, Hint(thinking=True))
        web.driver.begin(_found(web, place, reply.task, reply.stamps[seat.seat], count))
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
    web = _web(asked)
    seat = web.seat(asked)
    action, dot, kind = asked.path_params["action"].partition(".")
    if action not in WATCHED or (dot and kind != "json") or (action == "view" and not dot):
        raise Refused(404)
    seconds = web.limits.load_seconds if action in ("replay", "record") else None
    return await web.show(asked, web.request(asked, action, seat, json=bool(dot)), seconds)


async def listen(asked: Asked) -> Response:
    """Stream the news of a seat."""
    web = _web(asked)
    seat = web.seat(asked)
    client = asked.client.host if asked.client else ""
    if web.news.is_full(seat.table, client):
        raise Refused(429)
    if (seat.table, seat.seat) not in web.news.stamps:
        # Nobody has opened this table since the server began.
        await web.ask(web.request(asked, "due", seat))
    stream = web.news.stream(seat.table, seat.seat, client)
    return StreamingResponse(
        stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )


# ------------------------------------------------------------------------------------------- forms


def _sitting(asked: Asked, web: Web) -> SeatRow:
    seat = web.seat(asked)
    if seat.seat == WATCHER:
        raise Refused(403, "Who watches cannot do that.")
    return seat


# ------------------------------------------------------------------------------------ the application


def _web(asked: Asked) -> Web:
    web: Web = asked.app.state.web
    return web


def _language(asked: Asked) -> str:
    return language_of(asked.headers, asked.query_params, asked.cookies)


def _led(address: str) -> Response:
    return RedirectResponse(address, 303)


def _set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="strict")


def _route(path: str, endpoint: Any, *methods: str) -> Route:
    async def guarded(asked: Asked) -> Response:
        try:
            response: Response = await endpoint(asked)
        except Refused as refusal:
            return refused(refusal.status, _language(asked), refusal.text)
        if asked.query_params.get("lang") in LANGUAGES:
            _set_cookie(response, LANGUAGE, asked.query_params["lang"])
        return response

    return Route(path, guarded, methods=list(methods or ("GET",)), name=endpoint.__name__)


async def _unrouted(asked: Asked, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 503
    return refused(status, _language(asked))


ROUTES = (
    _route("/", lobby),
    _route("/new/{game}", new),
    _route("/rules/{game}", rules),
    _route("/tables", make, "POST"),
    _route("/import", bring, "POST"),
    _route("/t/{table}/{token}/", page),
    _route("/t/{table}/{token}/answer", answer, "POST"),
    _route("/t/{table}/{token}/agree", agree, "POST"),
    _route("/t/{table}/{token}/hint", hint, "POST"),
    _route("/t/{table}/{token}/again", again, "POST"),
    _route("/t/{table}/{token}/renew", renew, "POST"),
    _route("/t/{table}/{token}/links", links),
    _route("/t/{table}/{token}/news", listen),
    _route("/t/{table}/{token}/{action}", watched),
    Mount("/static", StaticFiles(directory=STATIC)),
)


def application(
    served: Served,
    path: Path,
    limits: Limits | None = None,
    hosts: tuple[str, ...] | None = None,
    workers: int = 2,
    thinkers: int = 1,
) -> ASGIApp:
    """Return the web application with its tables in a file.

    `hosts`: the names to which it answers, if not to any. Processes begin with it and end with it. Raises
    `StorageError` if the file cannot be used.
    """
    limits = limits or Limits()
    storage = Storage(path)
    desks = Pool(desk.begin, desk.Begun(served, path), workers, limits.waiting)
    thinking_pool = Pool(thinking.begin, served, thinkers, limits.waiting)
    news = News(limits.streams_of_table, limits.streams, limits.streams_of_table)
    driver = Driver(desks, thinking_pool, news, limits)
    web = Web(served, storage, limits, desks, thinking_pool, news, driver)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await asyncio.gather(desks.start(), thinking_pool.start())
        yield
        news.stop()
        await driver.stop()
        desks.stop()
        thinking_pool.stop()
        storage.close()

    app = Starlette(
        routes=list(ROUTES),
        lifespan=life,
        exception_handlers={HTTPException: _unrouted},
    )
    app.state.web = web
    return Guard(app, limits, hosts, news.stop)
