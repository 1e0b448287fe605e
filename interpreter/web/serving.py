"""Runs the web application on a port of this machine until somebody stops it.

At SIGINT or SIGTERM no new request is taken, streams of news end, what workers are doing is done, and then all
ends. A kill at any moment loses nothing: what a page has shown is in the file.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from rulewright.interpreter.web.app import application
from rulewright.interpreter.web.connections import TimedProtocol
from rulewright.interpreter.web.folder_lock import folder_locked
from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.guard import LOOPBACK, Guard
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.public_url import PublicUrl
from rulewright.interpreter.web.storage import located

GRACE_SECONDS = 5
EVERYWHERE = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1", "": "192.0.2.1"}
"""What says that all addresses of this machine are meant, each with one outside (that nobody has)."""

MOST_CONNECTIONS = 2_000
BACKLOG = 512


class _Server(uvicorn.Server):
    """Ends the streams when it is told to stop: they would never end by themselves."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop."""
        guard = self.config.app
        if isinstance(guard, Guard):
            guard.stop()
        # Not as the library does: it would end as if it had been killed.
        self.force_exit: bool = self.should_exit and sig == signal.SIGINT
        self.should_exit: bool = True


def serve(
    game: str | None,
    host: str,
    port: int,
    data: Path,
    ready: Callable[[Sequence[str]], None],
    limits: Limits | None = None,
    workers: int = 2,
    public: PublicUrl | None = None,
    forget_days: float | None = None,
) -> None:
    """Serve tables until somebody stops it. `ready` gets the addresses when they can be opened. For `public` and
    `forget_days` see `application`.

    Raises `StorageError` (the folder cannot hold tables, or another server has it) or `OSError` (the port is taken).
    """
    found = served(game)
    loopback = host in ("127.0.0.1", "::1", "localhost")
    hosts: tuple[str, ...] | None = LOOPBACK if loopback else None
    if public is not None:
        hosts = (*LOOPBACK, public.host)
    path = located(data)
    with folder_locked(data), closing(listening(host, port)) as sock:
        app: ASGIApp = application(
            found, path, limits, hosts, workers, public=public, forget_days=forget_days
        )
        port = sock.getsockname()[1]
        origins = [public.origin] if public is not None else origins_of(host, port)
        first = (
            "" if game is None else f"new/{found.names()[0] if game not in found.folders else game}"
        )
        ready([f"{origin}/{first}" for origin in origins])
        server_of(app).run(sockets=[sock])


def origins_of(host: str, port: int) -> list[str]:
    """Return the beginnings of addresses under which a server can be opened that listens there. Where it listens
    everywhere these are this machine for itself, and what others call it, if that is known."""
    hosts = [host]
    if host in EVERYWHERE:
        mine = _own_address(EVERYWHERE[host])
        hosts = ["localhost", *([mine] if mine is not None else [])]
    return [f"http://[{one}]:{port}" if ":" in one else f"http://{one}:{port}" for one in hosts]


def _own_address(outside: str) -> str | None:
    """Return the address with which this machine would speak to another one; None if it has no way to it."""
    family = socket.AF_INET6 if ":" in outside else socket.AF_INET
    try:
        # Nothing is sent: the system only says which way it would go.
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((outside, 9))
            found = str(asked.getsockname()[0])
    except OSError:
        return None
    return None if found in ("127.0.0.1", "::1", *EVERYWHERE) else found


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return what speaks HTTP for an application, and nothing else."""
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE_SECONDS,
        limit_concurrency=MOST_CONNECTIONS,
    )
    return _Server(config)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises `OSError` if it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without its protocol said, asyncio does not know it for TCP, and each part of a reply may wait some
    # 40 ms until the part before it is acknowledged.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock
