"""The addresses by which tables are made: of a form, of a saved game, and like one that is there."""

from __future__ import annotations

import time

import attrs
from starlette.requests import Request as Asked
from starlette.responses import Response

from rulewright.interpreter.web.dispatcher import Refused
from rulewright.interpreter.web.exchange import NewTable, Request
from rulewright.interpreter.web.limits import DAY
from rulewright.interpreter.web.new_tables import only_agents
from rulewright.interpreter.web.request_bodies import form_of, record_of
from rulewright.interpreter.web.routing import (
    BROWSER,
    Web,
    language_in,
    led,
    set_cookie,
    sitting,
    web_of,
)
from rulewright.interpreter.web.storage import WATCHER
from rulewright.interpreter.web.tokens import (
    TOKEN,
    hashed,
    kept_for,
    new_table,
    new_token,
    token_after,
)


async def new_table_form(asked: Asked) -> Response:
    """Show the form of a new table."""
    web = web_of(asked)
    fields = (("game", asked.path_params["game"]),)
    request = Request(action="new", table=new_table(), language=language_in(asked), fields=fields)
    return await web.show(asked, request)


async def make_table(asked: Asked) -> Response:
    """Make the table that a form asks for."""
    web = web_of(asked)
    fields = await form_of(asked, web.limits)
    if only_agents(fields) and web.dispatcher.is_full_of_agents():
        raise Refused(
            429,
            "Agents are playing alone at too many tables already."
            " Try again when one of them has ended.",
        )
    request = Request(action="make", language=language_in(asked), fields=fields)
    return await _made(asked, web, request)


async def import_game(asked: Asked) -> Response:
    """Make a table of a saved game."""
    web = web_of(asked)
    text = await record_of(asked, web.limits)
    return await _made(
        asked, web, Request(action="import", language=language_in(asked), given=text)
    )


async def play_again(asked: Asked) -> Response:
    """Make a table like one that is there; who has the same idea later is led to the same one."""
    web = web_of(asked)
    seat = sitting(asked, web)
    await form_of(asked, web.limits)
    if web.storage.followed_by(seat.table) is not None:
        return led(f"{web.base(asked)}next")
    return await _made(asked, web, web.request(asked, "again", seat))


async def next_table(asked: Asked) -> Response:
    """Lead a seat, or who watches, to the same place at the table that is played after this one."""
    web = web_of(asked)
    seat = web.seat(asked)
    found = web.storage.followed_by(seat.table)
    if found is None:
        raise Refused(404)
    table, _ = found
    token = token_after(asked.path_params["token"], table)
    web.storage.add_token(table, seat.seat, hashed(token))
    return led(f"/t/{table}/{token}/")


async def _made(asked: Asked, web: Web, request: Request) -> Response:
    """Make a table, and lead who makes it to its links, or to the table. Raises `Refused`."""
    key = asked.cookies.get(BROWSER, "")
    key = key if TOKEN.fullmatch(key) else new_token()
    # Who throws away his cookie is still the same client.
    maker = asked.client.host if asked.client else hashed(key)
    _count(web, maker)
    name = new_table()
    # A table that is like another one belongs to the worker of that one until it is opened.
    table = request.table or name
    reply = await web.ask(
        attrs.evolve(request, table=table, new=NewTable(name, maker)), web.limits.load_seconds
    )
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
    if request.action == "again" and web.storage.followed_by(request.table) is None:
        web.storage.follow(request.table, made.table, request.seat)
        # Whoever looks at the end of that game is told.
        web.news.wake(request.table)
    web.dispatcher.drive(made.table)
    others = [seat for seat in made.tokens if seat not in (WATCHER, *made.mine[:1])]
    response = led(f"/t/{made.table}/{first}/{'links' if others else ''}")
    set_cookie(asked, response, BROWSER, key)
    return response


def _count(web: Web, maker: str) -> None:
    """Raise `Refused` if there are too many tables."""
    limits = web.limits
    if web.storage.count_tables() >= limits.tables:
        raise Refused(429)
    if web.storage.count_tables(maker, time.time() - DAY) >= limits.tables_of_client:
        raise Refused(429)
