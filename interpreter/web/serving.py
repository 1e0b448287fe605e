"""Runs the web application on a port of this machine until somebody stops it.

At SIGINT or SIGTERM no new request is taken, streams of news end, what workers are doing is done, and then all
ends. A kill at any moment loses nothing: what a page has shown is in the file.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from rulewright.interpreter.web.app import application
from rulewright.interpreter.web.folder_lock import folder_locked
from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.guard import LOOPBACK, Guard
from rulewright.interpreter.web.limits import Limits
from rulewright.interpreter.web.public_url import PublicUrl
from rulewright.interpreter.web.storage import located

GRACE_SECONDS = 5
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
    ready: Callable[[str], None],
    limits: Limits | None = None,
    workers: int = 2,
    public: PublicUrl | None = None,
    forget_days: float | None = None,
) -> None:
    """Serve tables until somebody stops it. `ready` gets the address when it can be opened. For `public` and
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
        shown = f"[{host}]" if ":" in host else host
        origin = f"http://{shown}:{sock.getsockname()[1]}" if public is None else public.origin
        first = (
            "" if game is None else f"new/{found.names()[0] if game not in found.folders else game}"
        )
        ready(f"{origin}/{first}")
        server_of(app).run(sockets=[sock])


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return what speaks HTTP for an application, and nothing else."""
    config = uvicorn.Config(
        app,
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
