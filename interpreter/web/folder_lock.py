"""A folder belongs to one server at a time: two would write the same tables without knowing of each other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rulewright.interpreter.web.storage import StorageError

LOCK = "server.lock"


@contextmanager
def folder_locked(folder: Path) -> Iterator[None]:
    """Have a folder for oneself; whoever is killed gives it back. Raises `StorageError`."""
    try:
        number = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        told = error.strerror or "it cannot be opened"
        raise StorageError(f"`{folder}` cannot hold tables: {told}") from None
    try:
        if not _taken(number):
            raise StorageError(f"`{folder}` is in use by another server")
        yield
    finally:
        # What is closed is locked no longer; the file stays, as somebody may wait with it open.
        os.close(number)


def _taken(number: int) -> bool:
    """Lock a file that is open; return whether nobody else has done so."""
    try:
        import fcntl
    except ImportError:
        return _taken_there(number)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _taken_there(number: int) -> bool:
    """Do the same where files are locked in another way."""
    with suppress(ImportError):
        import msvcrt

        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
    return True
