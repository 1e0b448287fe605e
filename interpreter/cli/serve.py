"""`rulewright serve`: tables in the browser, for friends who join by a link."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rulewright.interpreter.cli.arguments import UsageError, playable
from rulewright.interpreter.terminal.status import FINE

PORT = 8765
MOST_WORKERS = 64
MOST_DAYS = 36_500


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `serve`."""
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="the game of a new table: its name, folder or file; those of the shelf are always there",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where to listen; without this only this machine can open the pages",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=PORT,
        metavar="N",
        help=f"the port ({PORT}); 0 is any free one",
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="where the tables lie; without this in the folder for data of this user",
    )
    parser.add_argument(
        "--workers", type=_workers, default=2, metavar="N", help="processes for tables (2)"
    )
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="the address that others use, where a proxy stands in front: https://games.example",
    )
    parser.add_argument(
        "--forget",
        type=_days,
        metavar="DAYS",
        help="delete tables at which nothing has been done for so many days",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"`{text}` is no port")
    return int(text)


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_WORKERS):
        raise argparse.ArgumentTypeError(f"`{text}` is no number of processes")
    return int(text)


def _days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_DAYS):
        raise argparse.ArgumentTypeError(f"`{text}` is no number of days")
    return int(text)


def run_serve(arguments: argparse.Namespace) -> int:
    """Serve tables until somebody stops it."""
    try:
        from rulewright.interpreter.web import serving
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in (
            "starlette",
            "uvicorn",
            "jinja2",
        ):
            raise
        raise UsageError(
            f"`serve` needs {error.name}, which is not installed: pip install 'rulewright[web]'"
        ) from None
    from rulewright.interpreter.web.public_url import public_url
    from rulewright.interpreter.web.storage import StorageError

    if arguments.game is not None:
        playable(arguments.game, ())
    try:
        public = None if arguments.public_url is None else public_url(arguments.public_url)
    except ValueError as error:
        raise UsageError(f"--public-url: {error}") from None
    data = Path(arguments.data) if arguments.data is not None else _data_folder()

    def ready(addresses: Sequence[str]) -> None:
        sys.stdout.writelines(f"{one}\n" for one in addresses)
        sys.stdout.flush()
        if arguments.open:
            import webbrowser

            webbrowser.open(addresses[0])

    try:
        serving.serve(
            arguments.game,
            arguments.host,
            arguments.port,
            data,
            ready,
            workers=arguments.workers,
            public=public,
            forget_days=arguments.forget,
        )
    except StorageError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        told = error.strerror or str(error)
        raise UsageError(f"{arguments.host}:{arguments.port} cannot be used: {told}") from None
    except KeyboardInterrupt:
        pass
    return FINE


def _data_folder() -> Path:
    from platformdirs import user_data_path

    return Path(user_data_path("rulewright")) / "tables"
