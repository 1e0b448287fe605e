"""Writing files: all of the new content or all of the old one, whatever happens on the way.

Every file that the program writes is written here: beside its place under another name, flushed, and
then put into its place at once. Who is killed or runs out of space on the way leaves the older file as
it was. What goes wrong is an `OSError`; nothing that is unfinished is left behind then. What a killed
process has left can be read by its owner only, and is deleted by the next one that writes a file of that
name: a user's file at once, what may be written by other machines as well an hour later.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

UNFINISHED = ".part"
"""How the names of unfinished files end."""

FORGOTTEN = 3600.0
"""Seconds after which an unfinished file belongs to nobody."""

PRIVATE = 0o600
"""The permissions of a file while it is unfinished: who is killed then leaves nothing to others."""

LONGEST_STEM = 40
"""So much of the name of a file begins the name of its unfinished one: names have a limit."""


def write(path: Path, content: str, *, new: bool = False) -> None:
    """Write a text as a user's file, in UTF-8; what a link leads to is replaced, not the link.

    With `new` there must be no such file yet. Raises `OSError` if it cannot be written: the older
    file, if there is one, is then as it was.
    """
    target = Path(os.path.realpath(path, strict=False))
    mode = None
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    if new and os.path.lexists(path):
        raise _error(errno.EEXIST)
    if found is not None:
        if stat.S_ISDIR(found.st_mode):
            raise _error(errno.EISDIR)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no file")
        if not os.access(target, os.W_OK):
            # That the folder would let us replace it does not matter: somebody has protected it.
            raise _error(errno.EACCES)
        mode = stat.S_IMODE(found.st_mode)
    put(target, content.encode("utf-8"), mode, new=new)


def put(
    path: Path,
    data: bytes,
    mode: int | None = None,
    *,
    new: bool = False,
    lasting: bool = True,
) -> None:
    """Put a file into its place at once; `mode` are its permissions (None: the usual ones of a new
    file). `lasting`: also when the machine itself fails. Raises `OSError`."""
    prefix = f"{path.name[:LONGEST_STEM]}."
    _forget(path.parent, prefix, at_once=lasting)
    unfinished = path.with_name(f"{prefix}{os.getpid()}-{os.urandom(4).hex()}{UNFINISHED}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    number = os.open(unfinished, flags | getattr(os, "O_BINARY", 0), PRIVATE)
    try:
        with open(number, "wb") as file:
            file.write(data)
            file.flush()
            if hasattr(os, "fchmod"):
                with suppress(OSError):
                    os.fchmod(number, _usual_mode() if mode is None else mode)
            if lasting:
                os.fsync(number)
        _place(unfinished, path, new)
    finally:
        # Nothing is there any more if all went well.
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    if lasting:
        _flush_folder(path.parent)


def _usual_mode() -> int:
    """Return the permissions that this process gives new files."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _place(unfinished: Path, path: Path, new: bool) -> None:
    """Let a finished file have its name; with `new` only if nothing has it."""
    if new:
        try:
            os.link(unfinished, path)
            return
        except FileExistsError:
            raise
        except OSError:
            # There are file systems without links.
            if os.path.lexists(path):
                raise _error(errno.EEXIST) from None
    os.replace(unfinished, path)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _flush_folder(folder: Path) -> None:
    """Let the new name last, too, where that is possible."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _forget(folder: Path, prefix: str, at_once: bool) -> None:
    """Delete what killed processes have left of files that are called like this: what is old, and
    (`at_once`) what belongs to a process that this machine does not have."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith(prefix) and is_unfinished(name[len(prefix) :]):
                with suppress(OSError):
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    process = int(name[len(prefix) :].partition("-")[0])
                    if age > FORGOTTEN or (at_once and _is_gone(process)):
                        os.unlink(entry.path)


def _is_gone(process: int) -> bool:
    """Return whether a process has ended; no, where that cannot be asked."""
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def is_unfinished(rest: str) -> bool:
    """Return whether a name ends as those of unfinished files do: `1234-0a1b2c3d.part`."""
    number, line, token = rest.removesuffix(UNFINISHED).partition("-")
    return (
        rest.endswith(UNFINISHED)
        and bool(line)
        and number.isdigit()
        and len(token) == 8
        and all(one in "0123456789abcdef" for one in token)
    )
