"""The address under which others find a server that stands behind a proxy."""

from __future__ import annotations

from urllib.parse import urlsplit

import attrs

PORTS = {"http": 80, "https": 443}


@attrs.frozen
class PublicUrl:
    """An address without a path: links begin with it, and forms may come from there.

    >>> public_url("https://Games.example:443/").origin
    'https://games.example'
    """

    scheme: str
    host: str
    """The name, in brackets where it is a number of IPv6."""

    port: int | None
    """None: the usual one."""

    @property
    def origin(self) -> str:
        """As browsers write it."""
        return f"{self.scheme}://{self.host}" + ("" if self.port is None else f":{self.port}")

    @property
    def is_secure(self) -> bool:
        """Whether nobody on the way can read along, so that cookies are sent in no other way."""
        return self.scheme == "https"


def public_url(text: str) -> PublicUrl:
    """Return an address that somebody has typed. Raises `ValueError` with one clear line.

    >>> public_url("games.example")
    Traceback (most recent call last):
    ValueError: `games.example` is no address like https://games.example
    """
    wrong = f"`{text[:60]}` is no address like https://games.example"
    try:
        found = urlsplit(text)
        port = found.port
    except ValueError:
        raise ValueError(wrong) from None
    host = found.hostname
    plain = text.isascii() and text.isprintable() and " " not in text
    if not plain or found.scheme not in PORTS or not host or "@" in found.netloc:
        raise ValueError(wrong)
    if found.path.strip("/") or found.query or found.fragment:
        raise ValueError(f"`{text[:60]}`: the tables need an address without a path")
    shown = f"[{host}]" if ":" in host else host
    return PublicUrl(found.scheme, shown, None if port == PORTS[found.scheme] else port)
