"""The user's cache folder: what can be made again is kept there, and nothing in it is believed.

Whatever is wrong with the folder or a file, we silently do without it. A file is read only if it is
the user's own and nobody else can write to it, if it is whole, and if it was made for the very key
that is asked for; and reading it makes objects of a few known classes and nothing else, so that no
file can run anything. Files are written by `disk`: nobody shall find half of one.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from rulewright.dsl.files.disk import FORGOTTEN, UNFINISHED, put

PREFIXES = ("game-", "grammar-", "native-", "tree-")
"""How the names of our files begin; no other file is ever deleted."""

LARGEST_FILE = 32_000_000
LARGEST_FOLDER = 64_000_000
"""Bytes; a kept game has a third of a million."""

HASH = hashlib.sha256
HEAD = 2 * HASH().digest_size

_unused: ContextVar[bool] = ContextVar("unused", default=False)


@contextmanager
def unused() -> Iterator[None]:
    """Do without the cache folder inside: nothing is read from it and nothing written to it."""
    before = _unused.set(True)
    try:
        yield
    finally:
        _unused.reset(before)


def cache_folder() -> Path | None:
    """Return the user's folder for what can be made again, or nothing if there is no safe one."""
    if _unused.get():
        return None
    import platformdirs

    try:
        folder = Path(platformdirs.user_cache_dir("rulewright"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_private(folder) else None
    except (OSError, RuntimeError):
        return None


def _is_private(folder: Path) -> bool:
    """Whether nobody else can put files into a folder."""
    if not folder.is_absolute() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    return _is_own(folder.stat())


def _is_own(status: os.stat_result) -> bool:
    """Whether a file or folder is the user's, and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


@cache
def version() -> str:
    """Return what changes whenever the front end or Python does."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return "\n".join((sys.version, *versions(folder, (".py", ".lark"))))


def versions(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    """Return a line for each file of some kinds in a folder of the package and in the folders inside: it
    changes with the file."""
    lines = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            if name.endswith(suffixes):
                path = os.path.join(place, name)
                status = os.stat(path)
                lines.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return sorted(lines)


def key_of(*parts: str) -> bytes:
    """Return the key of what was made from these texts by this version."""
    return HASH(repr((version(), *parts)).encode("utf-8", "surrogatepass")).digest()


# -------------------------------------------------------------------------------------------- files


def kept(path: Path, key: bytes) -> bytes:
    """Return what a file holds for a key; raise `ValueError` or `OSError` if there is no such file,
    or it is damaged, another's, or made for another key."""
    data = read(path)
    if data[: len(key)] != key:
        raise ValueError("made for another key")
    if data[len(key) : HEAD] != HASH(memoryview(data)[HEAD:]).digest():
        raise ValueError("damaged")
    return data[HEAD:]


def keep(path: Path, key: bytes, data: bytes) -> None:
    """Write what `kept` finds; raise `OSError` if that is not possible."""
    write(path, b"".join((key, HASH(data).digest(), data)))


def read(path: Path) -> bytes:
    """Return the bytes of a file that only the user can have written; raise `OSError` or
    `ValueError` if it is no such file."""
    # A pipe of that name must not be waited for, and a link may lead to anybody's file.
    careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, os.O_RDONLY | careful | getattr(os, "O_BINARY", 0))
    with open(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or not _is_own(status):
            raise ValueError("somebody else's file")
        if status.st_size > LARGEST_FILE:
            raise ValueError("too large")
        return file.read(LARGEST_FILE + 1)


def write(path: Path, data: bytes) -> None:
    """Write a file at once or not at all, and delete the oldest ones if there are too many; raise
    `OSError` if that is not possible."""
    if len(data) > LARGEST_FILE:
        raise OSError("too large")
    # Whether it is whole, its checksum tells: it need not outlast the machine.
    put(path, data, 0o600, lasting=False)
    _tidy(path)


def _tidy(newest: Path) -> None:
    """Delete the oldest of our files until the folder is small enough, but never the newest."""
    found: list[tuple[float, int, Path]] = []
    with os.scandir(newest.parent) as entries:
        for entry in entries:
            if not entry.name.startswith(PREFIXES) or entry.name == newest.name:
                continue
            # Another process may have deleted it.
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                age = time.time() - status.st_mtime
                if entry.name.endswith(UNFINISHED):
                    if age > FORGOTTEN:
                        os.unlink(entry.path)
                    continue
                found.append((status.st_mtime, status.st_size, Path(entry.path)))
    size = newest.stat().st_size + sum(size for _, size, _ in found)
    for _, own, path in sorted(found):
        if size <= LARGEST_FOLDER:
            break
        path.unlink(missing_ok=True)
        size -= own


# ------------------------------------------------------------------------------------------ objects


def packed(value: object, stand_ins: Mapping[str, object] | None = None) -> bytes:
    """Return an object as bytes; for what `stand_ins` hold their names are written."""
    buffer = io.BytesIO()
    _CachePickler(buffer, {id(held): name for name, held in (stand_ins or {}).items()}).dump(value)
    return buffer.getvalue()


def unpacked(
    data: bytes, modules: Collection[str] = (), stand_ins: Mapping[str, object] | None = None
) -> Any:
    """Return the object that `packed` wrote: made of plain data, of the frozen classes of these
    modules of the package, and of stand-ins. Anything else raises any exception."""
    return _CacheUnpickler(io.BytesIO(data), modules, stand_ins or {}).load()


class _CachePickler(pickle.Pickler):
    """Writes names instead of some objects."""

    def __init__(self, file: io.BytesIO, names: Mapping[int, str]) -> None:
        super().__init__(file, protocol=5)
        if names:
            # Having this method makes writing slower: it is asked for each object.
            self.persistent_id = lambda value: names.get(id(value))  # type: ignore[method-assign]


class _CacheUnpickler(pickle.Unpickler):
    """Makes objects of known classes, and nothing else."""

    def __init__(
        self, file: io.BytesIO, modules: Collection[str], stand_ins: Mapping[str, object]
    ) -> None:
        super().__init__(file)
        self.modules = modules
        self.stand_ins = stand_ins

    def persistent_load(self, name: Any) -> object:
        """Return what a name stands for."""
        return self.stand_ins[name]

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of plain frozen objects that is defined in one of the modules."""
        if module.removeprefix("rulewright.dsl.") not in self.modules:
            raise pickle.UnpicklingError(f"{module}.{name} is not known")
        found = vars(import_module(module)).get(name)
        # What has no way of its own to be filled is a class that a file could change instead.
        if not (
            isinstance(found, type)
            and found.__module__ == module
            and "__attrs_attrs__" in vars(found)
            and "__setstate__" in vars(found)
        ):
            raise pickle.UnpicklingError(f"{module}.{name} is no class of plain objects")
        return found
