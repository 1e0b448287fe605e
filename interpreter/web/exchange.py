"""What the server asks a worker, and what that says: plain data that can be sent from process to process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulewright.interpreter.web.pages import Hint, SeatLink
from rulewright.interpreter.web.thinking import Task

HTML = "text/html; charset=utf-8"
JSON = "application/json"
TOML = "application/toml; charset=utf-8"


@attrs.frozen
class NewTable:
    """A table that is to be made."""

    id: str
    maker: str | None
    """Who makes it: so many are made by one."""


@attrs.frozen(kw_only=True)
class Request:
    """What somebody asks for, who may do so."""

    action: str
    """A method of `TableWorker`, without its `do_`."""

    table: str = ""
    seat: int = -1
    """The seat at the table, or that of watchers."""

    base: str = "/"
    language: str = "en"
    fields: Sequence[tuple[str, str]] = ()
    """What was sent: the fields of a form or of a query, in their order."""

    json: bool = False
    """Whether data are wanted, and no page."""

    said: str = ""
    """What became of the last answer: a key of `messages`."""

    hint: Hint | None = None
    hinted: int = 0
    connected: frozenset[int] | None = None
    links: bool = False
    waits: bool = False
    """Whether agents who are alone here wait until those at another table have ended."""

    given: Any = None
    """What goes along with some actions: a thought, links, a text, a time."""

    new: NewTable | None = None

    def field(self, name: str) -> str | None:
        """Return the first field of a name."""
        return next((value for key, value in self.fields if key == name), None)


@attrs.frozen(kw_only=True)
class Reply:
    """What a worker says to it."""

    status: int = 200
    body: str = ""
    kind: str = HTML
    file: str = ""
    """The name under which a browser is to save it."""

    said: str = ""
    """With a status of 303: what the next page is to tell."""

    stamps: Mapping[int, str] = attrs.field(factory=dict)
    """What a seat has seen changes when its stamp does."""

    task: Task | None = None
    """What an agent is to think about now, or what a hint was asked for."""

    midway: bool = False
    """Whether an agent is in the middle of a selection: nobody need see the pieces."""

    made: Made | None = None
    """A table that has been made."""

    line: tuple[str, Sequence[tuple[str, bool]], str, str] | None = None
    """For the lobby: the title, the seats, whose turn it is, and what is asked."""


@attrs.frozen
class Made:
    """A table that has been made, with the tokens of its links."""

    table: str
    tokens: Mapping[int, str]
    mine: Sequence[int]
    """The seats of the one who has made it."""


__all__ = ["HTML", "JSON", "TOML", "Made", "NewTable", "Reply", "Request", "SeatLink"]
