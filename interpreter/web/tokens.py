"""Secrets of the web table: links that nobody guesses, who a browser is, and texts that only we can read.

A link holds a token, of which only the hash is stored: who reads the file cannot sit down. A browser has a key
in a cookie; the tokens that it has seen are kept for it (`kept_for`), so that only that key gives them back.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import zlib

TOKEN_BYTES = 18
"""144 bits."""

TOKEN = re.compile(r"[A-Za-z0-9_-]{24}", re.ASCII)
"""How a token, or the key of a browser, is written."""

TABLE = re.compile(r"[A-Za-z0-9_-]{8}", re.ASCII)
"""How the name of a table in a link is written."""

LARGEST_TEXT = 50_000_000
STEP = 32_768
"""Bytes: sealed texts have sizes of whole steps, so that the size does not tell what is in them."""

NONCE, TAG = 16, 32


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_table() -> str:
    """Return the name of a new table, which is no secret."""
    return secrets.token_urlsafe(6)


def new_key() -> bytes:
    """Return a key with which a server seals texts."""
    return secrets.token_bytes(32)


def hashed(token: str) -> str:
    """Return what is stored of a token, or of the key of a browser."""
    return hashlib.sha256(token.encode()).hexdigest()


def kept_for(key: str, table: str, seat: int, token: str) -> bytes:
    """Return a token as it is kept for a browser: only its key gives it back (`given_back`)."""
    plain = base64.urlsafe_b64decode(token)
    # Each pad hides one token only: a seat has one for ever.
    return bytes(one ^ other for one, other in zip(plain, _pad(key, table, seat), strict=True))


def given_back(key: str, table: str, seat: int, kept: bytes) -> str:
    """Return the token that is kept for a browser."""
    plain = bytes(one ^ other for one, other in zip(kept, _pad(key, table, seat), strict=True))
    return base64.urlsafe_b64encode(plain).decode()


def _pad(key: str, table: str, seat: int) -> bytes:
    told = f"kept token {table} {seat}".encode()
    return hmac.digest(key.encode(), told, "sha256")[:TOKEN_BYTES]


def token_after(token: str, table: str) -> str:
    """Return the token that the holder of another one has at the table that is played after that."""
    derived = hmac.digest(token.encode(), f"token after {table}".encode(), "sha256")
    return base64.urlsafe_b64encode(derived[:TOKEN_BYTES]).decode()


# ---------------------------------------------------------------------------------------- sealed texts


SEALED = "rulewright sealed 1"
"""The first line of a sealed text."""


class SealError(ValueError):
    """A text is not sealed with this key, or has been changed."""


def sealed(key: bytes, text: str) -> str:
    """Return a text that nobody can read or change without the key."""
    nonce = secrets.token_bytes(NONCE)
    packed = zlib.compress(text.encode())
    # What stands behind the end of what is packed is not read.
    hidden = _crossed(key, nonce, packed + bytes(-len(packed) % STEP))
    tag = hmac.digest(_derived(key, b"tag"), nonce + hidden, "sha256")
    written = base64.b64encode(nonce + hidden + tag).decode()
    lines = [written[place : place + 76] for place in range(0, len(written), 76)]
    return "\n".join([SEALED, *lines, ""])


def unsealed(key: bytes, text: str) -> str:
    """Return what was sealed. Raises `SealError` if this was not, or not with this key."""
    head, _, written = text.partition("\n")
    try:
        data = base64.b64decode("".join(written.split()), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    nonce, hidden, tag = data[:NONCE], data[NONCE:-TAG], data[-TAG:]
    right = hmac.digest(_derived(key, b"tag"), nonce + hidden, "sha256")
    if head.strip() != SEALED or not hmac.compare_digest(tag, right):
        raise SealError("this was sealed by another server, or has been changed since")
    opened = zlib.decompressobj()
    plain = opened.decompress(_crossed(key, nonce, hidden), LARGEST_TEXT)
    return plain.decode()


def _derived(key: bytes, purpose: bytes) -> bytes:
    return hmac.digest(key, purpose, "sha256")


def _crossed(key: bytes, nonce: bytes, data: bytes) -> bytes:
    """Return data crossed with a stream that the key makes: HMAC of a counter, each nonce once."""
    own, blocks = _derived(key, b"stream"), []
    for number in range(len(data) // 32 + 1):
        blocks.append(hmac.digest(own, nonce + number.to_bytes(8, "big"), "sha256"))
    stream = b"".join(blocks)[: len(data)]
    if not data:
        return b""
    crossed = int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")
    return crossed.to_bytes(len(data), "big")
