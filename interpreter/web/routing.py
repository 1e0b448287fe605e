"""What all routes share: who asks, what a worker is asked for him, and what becomes of the reply."""

from __future__ import annotations

from typing import Any

import attrs
from starlette.requests import Request as Asked
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulewright.interpreter.web.dispatcher import Dispatcher, Refused
from rulewright.interpreter.web.exchange import Reply, Request
from rulewright.interpreter.web.games import Served
from rulewright.interpreter.web.guard import LANGUAGE, LANGUAGES, language_of, refused
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.news import News
from rulewright.interpreter.web.pages import Hint
from rulewright.interpreter.web.public_url import PublicUrl
from rulewright.interpreter.web.storage import WATCHER, SeatRow, Storage
from rulewright.interpreter.web.tokens import TABLE, TOKEN, hashed
from rulewright.interpreter.web.workers import Pool

BROWSER = "browser"
"""The cookie with the key of a browser."""

YEAR = 365 * 24 * 3600


@attrs.define(eq=False)
class Web:
    """What the routes share."""

    served: Served
    storage: Storage
    limits: Limits
    workers: Pool
    thinkers: Pool
    news: News
    dispatcher: Dispatcher
    public: PublicUrl | None = None
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
            language=language_in(asked),
            connected=self.news.seats(seat.table),
            **{"fields": tuple(asked.query_params.multi_items()), **more},
        )

    def origin(self, asked: Asked) -> str:
        """Return the beginning of addresses under which others find this server."""
        if self.public is not None:
            return self.public.origin
        return f"{asked.url.scheme}://{asked.url.netloc}"

    # ------------------------------------------------------------------------------------- handing on

    async def ask(self, request: Request, seconds: float | None = None) -> Reply:
        """Return what the worker of a table says, and spread the news. Raises `Refused`."""
        reply = await self.dispatcher.ask(request, seconds)
        if reply.task is not None and request.action != "hint":
            self.dispatcher.drive(request.table)
        return reply

    async def show(self, asked: Asked, request: Request, seconds: float | None = None) -> Response:
        """Return the reply of a worker as a response."""
        return self.response(asked, await self.ask(request, seconds))

    async def delete(self, table: str, since: float | None = None) -> None:
        """Delete a table: if nothing has been done there since then, where a time is given. Raises `Refused`."""
        await self.dispatcher.ask(Request(action="delete", table=table, given=since))
        if self.storage.table(table) is None:
            self.news.forget(table)
            for place in [place for place in self.hints if place[0] == table]:
                del self.hints[place]

    def response(self, asked: Asked, reply: Reply) -> Response:
        """Return a reply as a response."""
        if reply.status == 303:
            return led(self.base(asked) + (f"?said={reply.said}" if reply.said else ""))
        headers = {}
        if reply.file:
            headers["content-disposition"] = f'attachment; filename="{reply.file}"'
        return Response(reply.body, reply.status, headers, reply.kind)


def web_of(asked: Asked) -> Web:
    """Return what the routes of an application share."""
    web: Web = asked.app.state.web
    return web


def language_in(asked: Asked) -> str:
    """Return the language in which somebody wants to be spoken to."""
    return language_of(asked.headers, asked.query_params, asked.cookies)


def led(address: str) -> Response:
    """Return what leads a browser to another address."""
    return RedirectResponse(address, 303)


def set_cookie(asked: Asked, response: Response, name: str, value: str) -> None:
    """Let a browser keep something that no script and no other site gets."""
    public = web_of(asked).public
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        path="/",
        httponly=True,
        samesite="strict",
        secure=public is not None and public.is_secure,
    )


def route(path: str, endpoint: Any, *methods: str) -> Route:
    """Return a route; what is refused there is a page that says why."""

    async def guarded(asked: Asked) -> Response:
        try:
            response: Response = await endpoint(asked)
        except Refused as refusal:
            return refused(refusal.status, language_in(asked), refusal.text)
        if asked.query_params.get("lang") in LANGUAGES:
            set_cookie(asked, response, LANGUAGE, asked.query_params["lang"])
        return response

    return Route(path, guarded, methods=list(methods or ("GET",)), name=endpoint.__name__)


def sitting(asked: Asked, web: Web) -> SeatRow:
    """Return the seat of a link. Raises `Refused` for those who watch."""
    seat = web.seat(asked)
    if seat.seat == WATCHER:
        raise Refused(403, "Who watches cannot do that.")
    return seat
