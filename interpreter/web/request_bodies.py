"""The bodies of requests: forms and files that are brought along, no larger and no slower than is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from rulewright.interpreter.web.dispatcher import Refused
from rulewright.interpreter.web.limits import Limits

RECORD = "record"
"""The field with a saved game."""

Fields = Sequence[tuple[str, str]]


async def body_of(asked: Request, limits: Limits, most: int) -> bytes:
    """Return the body of a request. Raises `Refused` if it is too large, or does not come."""
    length = asked.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise Refused(400)
    if len(length) > 12 or int(length) > most:
        raise Refused(413)
    parts, size = [], 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for part in asked.stream():
                size += len(part)
                if size > most:
                    raise Refused(413)
                parts.append(part)
    except (TimeoutError, ClientDisconnect):
        raise Refused(400) from None
    return b"".join(parts)


def fields_of(body: bytes, most: int) -> Fields:
    """Return the fields of a form as browsers send it. Raises `Refused`."""
    try:
        text = body.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=most)
    except ValueError:
        raise Refused(422) from None


async def form_of(asked: Request, limits: Limits) -> Fields:
    """Return the fields of a form. Raises `Refused`."""
    return fields_of(await body_of(asked, limits, limits.body), limits.fields)


async def record_of(asked: Request, limits: Limits) -> str:
    """Return the saved game that is brought along, as a file or in a field of a form. Raises `Refused`."""
    kind = asked.headers.get("content-type", "")
    body = await body_of(asked, limits, limits.record)
    found: str | None = None
    if kind.startswith("multipart/form-data"):
        data = _part(kind, body)
        try:
            found = None if data is None else data.decode()
        except UnicodeError:
            raise Refused(422) from None
    else:
        fields = fields_of(body, limits.fields)
        found = next((value for name, value in fields if name == RECORD), None)
    if found is None:
        raise Refused(422)
    return found.replace("\r\n", "\n")


def _part(kind: str, body: bytes) -> bytes | None:
    """Return what a browser sends as a file."""
    head = f"content-type: {kind}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = message.get_payload()
    for part in parts if isinstance(parts, list) else []:
        if not isinstance(part, EmailMessage):
            continue
        data = part.get_payload(decode=True)
        name = part.get_param("name", header="content-disposition")
        if name == RECORD and isinstance(data, bytes):
            return data
    return None
