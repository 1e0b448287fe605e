"""What stands before all routes: who may ask, how much, and the headers of each reply.

| what is wrong | status |
| --- | --- |
| another name of the host, while only this machine or a proxy may ask | 421 |
| a post from another site | 403 |
| too much in too short a time | 429 |
| a mistake of ours | 503, with a page; it is written to stderr |
"""

from __future__ import annotations

import asyncio
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.interpreter.web.limits import Allowance, Limits
from rulewright.interpreter.web.messages import REFUSED, words_in
from rulewright.interpreter.web.pages import error_page
from rulewright.interpreter.web.public_url import PublicUrl

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    # Addresses of tables, which are secret, are told to no other site. Not `no-referrer`: with that browsers
    # send forms of our own pages as if they came from nowhere.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "interest-cohort=()",
}
LANGUAGE = "language"
LANGUAGES = ("en", "de")
SAFE = ("GET", "HEAD")
OUR_SITES = ("same-origin", "none")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
PROXIES = ("127.0.0.1", "::1")
"""From where a proxy speaks that may say for whom."""

_NAME = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:]*)(?::(\d+))?")


def language_of(headers: Headers, query: Mapping[str, str], cookies: Mapping[str, str]) -> str:
    """Return the language in which somebody wants to be spoken to."""
    for said in (query.get("lang"), cookies.get(LANGUAGE)):
        if said in LANGUAGES:
            return str(said)
    for part in str(headers.get("accept-language", ""))[:200].split(","):
        word: str = part.partition(";")[0].strip().lower().partition("-")[0]
        if word in LANGUAGES:
            return word
    return LANGUAGES[0]


def refused(status: int, language: str = "en", text: str | None = None) -> Response:
    """Return the page that says why something is not done."""
    words = words_in(language)
    told = words(
        REFUSED[503] if text is None and status not in REFUSED else text or REFUSED[status]
    )
    return HTMLResponse(error_page(status, told, language, words), status)


class Guard:
    """The application behind its limits."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        hosts: tuple[str, ...] | None,
        stop: Callable[[], None],
        public: PublicUrl | None = None,
    ) -> None:
        """Put an application behind limits; `hosts`: the names to which it answers, if not to any;
        `stop` ends what would go on for ever; `public`: where a proxy stands before it, its address."""
        self.app = app
        self.stop = stop
        self.hosts = hosts
        self.public = public
        self.allowance = Allowance(limits.requests, limits.burst, limits.clients)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self.public is not None:
            scope = {**scope, "client": _client(scope.get("client"), headers)}
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                said = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in said
                    ),
                ]
            await send(message)

        status = self._status(scope, headers)
        try:
            if status is not None:
                await refused(status, language_of(headers, {}, {}))(scope, receive, sending)
            else:
                await self.app(scope, receive, sending)
        except asyncio.CancelledError:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
            if not begun:
                await refused(503, language_of(headers, {}, {}))(scope, receive, sending)

    def _status(self, scope: Scope, headers: Headers) -> int | None:
        """Return why a request is refused; None if it is not."""
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            # A page of another site whose name was made to lead here would pass for ours.
            return 421
        if scope["method"] not in SAFE:
            site, origin = headers.get("sec-fetch-site"), headers.get("origin")
            if site is not None and site not in OUR_SITES:
                return 403
            if origin is not None and not self._is_ours(origin, host):
                return 403
        client = scope.get("client")
        if not self.allowance.takes(client[0] if client else ""):
            return 429
        return None

    def _is_ours(self, origin: str, host: str) -> bool:
        """Return whether a form comes from a page of ours."""
        if self.public is not None and origin == self.public.origin:
            return True
        if self.public is not None and _name(host) == self.public.host:
            # Of this name there are only pages with that address, and not others with another scheme.
            return False
        return origin.partition("://")[2] == host


def _client(client: tuple[str, int] | None, headers: Headers) -> tuple[str, int] | None:
    """Return who has sent a request, as a proxy on this machine tells: the last address is what it has seen
    itself, those before it may be made up."""
    if client is None or client[0] not in PROXIES:
        return client
    told = str(headers.get("x-forwarded-for", "")).rpartition(",")[2].strip()
    try:
        return str(ip_address(told)), 0
    except ValueError:
        return client


def _name(host: str) -> str:
    found = _NAME.fullmatch(host)
    return str(found[1]).lower() if found else ""
