"""The web application: which addresses there are, and what runs beside them.

Nothing here runs rules or makes pages of a table: a worker does (`table_worker`). What this process knows of tables is
to whom a link belongs, and who listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rulewright.interpreter.web import (
    new_table_routes as making,
    table_routes as at_table,
    table_worker,
    thinking,
)
from rulewright.interpreter.web.dispatcher import Dispatcher, Refused
from rulewright.interpreter.web.exchange import Request
from rulewright.interpreter.web.games import Served, game_entry
from rulewright.interpreter.web.guard import Guard, refused
from rulewright.interpreter.web.limits import DAY, Limits
from rulewright.interpreter.web.messages import words_in
from rulewright.interpreter.web.news import News
from rulewright.interpreter.web.pages import PageContext, TableLine, lobby_page
from rulewright.interpreter.web.public_url import PublicUrl
from rulewright.interpreter.web.routing import BROWSER, Web, language_in, route, web_of
from rulewright.interpreter.web.storage import Storage
from rulewright.interpreter.web.tokens import TOKEN, given_back, hashed, new_table
from rulewright.interpreter.web.workers import Pool

STATIC = Path(__file__).parent / "static"
FORGET_EVERY = 3600.0
"""Seconds between two looks for tables that have been left alone."""

LINES = 12
"""So many of one's tables are shown in the lobby."""


async def lobby(asked: Asked) -> Response:
    """Show the shelf and one's own tables."""
    web = web_of(asked)
    language = language_in(asked)
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
        request = Request(
            action="line", table=one.table, seat=one.seat, language=language_in(asked)
        )
        with contextlib.suppress(Refused):
            reply = await web.ask(request)
            if reply.line is not None:
                return TableLine(f"/t/{one.table}/{token}/", *reply.line)
        return None

    return [one for one in await asyncio.gather(*map(line, kept)) if one is not None]


async def rules(asked: Asked) -> Response:
    """Show the rules of a game."""
    web = web_of(asked)
    fields = (*asked.query_params.multi_items(), ("game", asked.path_params["game"]))
    request = Request(action="book", table=new_table(), language=language_in(asked), fields=fields)
    return await web.show(asked, request)


async def _unrouted(asked: Asked, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 503
    return refused(status, language_in(asked))


ROUTES = (
    route("/", lobby),
    route("/new/{game}", making.new_table_form),
    route("/rules/{game}", rules),
    route("/tables", making.make_table, "POST"),
    route("/import", making.import_game, "POST"),
    route("/t/{table}/{token}/", at_table.page),
    route("/t/{table}/{token}/answer", at_table.answer, "POST"),
    route("/t/{table}/{token}/agree", at_table.agree, "POST"),
    route("/t/{table}/{token}/hint", at_table.hint, "POST"),
    route("/t/{table}/{token}/again", making.play_again, "POST"),
    route("/t/{table}/{token}/next", making.next_table),
    route("/t/{table}/{token}/renew", at_table.renew, "POST"),
    route("/t/{table}/{token}/links", at_table.links),
    route("/t/{table}/{token}/delete", at_table.ask_to_delete),
    route("/t/{table}/{token}/delete", at_table.delete, "POST"),
    route("/t/{table}/{token}/news", at_table.listen),
    route("/t/{table}/{token}/{action}", at_table.watched),
    Mount("/static", StaticFiles(directory=STATIC)),
)


async def forget(web: Web, seconds: float) -> None:
    """Delete the tables at which nothing has been done for so long, and at which nobody looks."""
    since = time.time() - seconds
    for table in web.storage.untouched(since):
        if not web.news.is_watched(table):
            with contextlib.suppress(Refused):
                await web.delete(table, since)


async def _forget_for_ever(web: Web, seconds: float) -> None:
    while True:
        try:
            await forget(web, seconds)
        except Exception:
            # A file that is busy now is not so an hour later.
            sys.stderr.write(traceback.format_exc())
        await asyncio.sleep(FORGET_EVERY)


def application(
    served: Served,
    path: Path,
    limits: Limits | None = None,
    hosts: tuple[str, ...] | None = None,
    workers: int = 2,
    thinkers: int = 1,
    public: PublicUrl | None = None,
    forget_days: float | None = None,
) -> ASGIApp:
    """Return the web application with its tables in a file.

    `hosts`: the names to which it answers, if not to any. `public`: its address, if a proxy stands before it.
    `forget_days`: after so long without an answer a table is deleted. Processes begin with it and end with it. Raises
    `StorageError` if the file cannot be used.
    """
    limits = limits or Limits()
    storage = Storage(path)
    pool = Pool(table_worker.begin, table_worker.Begun(served, path), workers, limits.waiting)
    thinking_pool = Pool(thinking.begin, served, thinkers, limits.waiting)
    news = News(limits.streams_of_table, limits.streams, limits.streams_of_table)
    dispatcher = Dispatcher(pool, thinking_pool, news, limits)
    web = Web(served, storage, limits, pool, thinking_pool, news, dispatcher, public)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        await asyncio.gather(pool.start(), thinking_pool.start())
        if forget_days is not None:
            dispatcher.begin(_forget_for_ever(web, forget_days * DAY))
        yield
        news.stop()
        await dispatcher.stop()
        pool.stop()
        thinking_pool.stop()
        storage.close()

    app = Starlette(
        routes=list(ROUTES),
        lifespan=life,
        exception_handlers={HTTPException: _unrouted},
    )
    app.state.web = web
    return Guard(app, limits, hosts, news.stop, public)
