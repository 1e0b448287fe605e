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
from rulewright.interpreter.web.routing import BROWSER, Web, language_in, led, set_cookie, web_of
from rulewright.interpreter.web.storage import WATCHER
from rulewright.interpreter.web.tokens import TOKEN, hashed, kept_for, new_table, new_token


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
    """Make a table like one that is there."""
    web = web_of(asked)
    seat = web.seat(asked)
    await form_of(asked, web.limits)
    return await _made(asked, web, web.request(asked, "again", seat))


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
