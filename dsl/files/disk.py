"""All questions to the disk, with a record of the answers, and safe writing.

Whoever keeps what was made from files asks the same questions again later: if all answers are the
same, it would be made in the same way. A file that was looked for and is missing is such a question,
too, so one that appears is noticed as well as one that changes or disappears.

    with recorded() as questions: …       # {("contents", "/games/duel/game.rules"): "5f3c…", …}
    unchanged(questions)
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

Answer: TypeAlias = bool | int | str | tuple[str, ...] | None
"""What the disk said; none if it refused to answer."""

Questions: TypeAlias = Mapping[tuple[str, str], Answer]
"""By the sort of a question and its path, what the answer was."""

CHANGED = "changed while it was read"
"""The answer to what was asked twice with different answers: it is never given again."""

_record: ContextVar[dict[tuple[str, str], Answer] | None] = ContextVar("record", default=None)


@contextmanager
def recorded() -> Iterator[Questions]:
    """Give what is asked inside, with the answers: complete when the block is left."""
    questions: dict[tuple[str, str], Answer] = {}
    before = _record.set(questions)
    try:
        yield questions
    finally:
        _record.reset(before)
        outer = _record.get()
        if outer is not None:
            outer.update(questions)


def unchanged(questions: Questions) -> bool:
    """Return whether all questions still have the same answers, asked in the same order."""
    return all(_answer(sort, path) == answer for (sort, path), answer in questions.items())


def is_file(path: Path) -> bool:
    """Return whether a path leads to a file."""
    return _told("is_file", path, path.is_file)


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder."""
    return _told("is_folder", path, path.is_dir)


def exists(path: Path) -> bool:
    """Return whether a path leads anywhere."""
    return _told("exists", path, path.exists)


def resolved(path: Path) -> Path:
    """Return an absolute path without links; raise as `Path.resolve` does."""
    with _refusals("resolved", path):
        try:
            found = path.resolve()
        except RuntimeError:
            # Links that lead round in a circle: what is there cannot be read, and that is said then.
            found = path.absolute()
        _noted("resolved", path, str(found))
        return found


def size(path: Path) -> int:
    """Return the size of a file in bytes; raise `OSError` or `ValueError` if nothing is there."""
    with _refusals("size", path):
        found = path.stat().st_size
        _noted("size", path, found)
        return found


def contents(path: Path) -> bytes:
    """Return the bytes of a file; raise `OSError` or `ValueError` if it cannot be read."""
    with _refusals("contents", path):
        data = path.read_bytes()
        if _record.get() is not None:
            _noted("contents", path, _digest(data))
        return data


def matching(folder: Path, pattern: str) -> tuple[Path, ...]:
    """Return what matches a pattern in a folder, sorted; nothing if there is no such folder."""
    found = tuple(sorted(folder.glob(pattern)))
    _noted(f"matching {pattern}", folder, tuple(str(path) for path in found))
    return found


def working_folder() -> Path:
    """Return the current folder."""
    with _refusals("working_folder", Path()):
        found = Path.cwd()
        _noted("working_folder", Path(), str(found))
        return found


# -------------------------------------------------------------------------------- the other way round


def _answer(sort: str, path: str) -> Answer:
    """Return what the disk says now."""
    try:
        word, _, pattern = sort.partition(" ")
        if word == "matching":
            return tuple(str(found) for found in sorted(Path(path).glob(pattern)))
        return _SORTS[word](path)
    except (KeyError, OSError, ValueError, RuntimeError):
        return None


_SORTS: Mapping[str, Callable[[str], Answer]] = {
    "is_file": os.path.isfile,
    "is_folder": os.path.isdir,
    "exists": os.path.exists,
    "resolved": lambda path: str(Path(path).resolve()),
    "size": os.path.getsize,
    "contents": lambda path: _digest(Path(path).read_bytes()),
    "working_folder": lambda path: os.getcwd(),
}


def _digest(data: bytes) -> str:
    # It takes as long to import as it takes to list the shelf.
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _told(sort: str, path: Path, ask: Callable[[], bool]) -> bool:
    """Return whether something is so; raise `OSError` if the way there is barred."""
    with _refusals(sort, path):
        found = ask()
        _noted(sort, path, found)
        return found


def _noted(sort: str, path: Path, answer: Answer) -> None:
    """Write an answer into the record, if there is one."""
    record = _record.get()
    if record is not None:
        if not path.is_absolute() and sort != "working_folder":
            # The same words mean another file in another folder.
            working_folder()
        question = (sort, str(path))
        record[question] = answer if record.get(question, answer) == answer else CHANGED


@contextmanager
def _refusals(sort: str, path: Path) -> Iterator[None]:
    """Note that there was no answer, if there is none."""
    try:
        yield
    except (OSError, ValueError, RuntimeError):
        _noted(sort, path, None)
        raise


# ------------------------------------------------------------------------------------------ folders


LARGEST_FILE = 2_000_000
"""Bytes; the longest rule file of the shelf has 25,000."""


def packaged(part: str) -> Path:
    """Return a folder of the package: `games`, `stdlib` or `seeds`."""
    return Path(import_module(f"rulewright.{part}").__path__[0])


def shelf() -> tuple[str, ...]:
    """Return the names of the packaged games, sorted.

    >>> "kuhn_poker" in shelf()
    True
    """
    return tuple(path.parent.name for path in matching(packaged("games"), "*/game.rules"))


def variant_files(folder: Path) -> tuple[Path, ...]:
    """Return the variant files of a game's folder, sorted."""
    return tuple(
        path for path in files_of_variants(folder) if find_inside(f"variants/{path.name}", folder)
    )


def files_of_variants(folder: Path) -> tuple[Path, ...]:
    """Return all that stands where the variants of a game do and is called like a rule file, also
    what cannot be read."""
    return matching(folder / "variants", "*.rules")


def find_module(name: str, folder: Path) -> Path | None:
    """Return the file of a module: the game's own comes before the standard library's."""
    own = find_inside(f"{name}.rules", folder)
    for path in (own, packaged("stdlib") / f"{name}.rules"):
        if path is not None and is_file(path):
            return path
    return None


def find_inside(named: str, folder: Path) -> Path | None:
    """Return the file that a rule file names, relative to the game's folder, if it is inside it."""
    base = resolved(folder)
    try:
        path = resolved(base / named)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_relative_to(base) else None


def text_of(path: Path) -> tuple[str | None, str]:
    """Return the text of a file, or the code of the message that says what is wrong with it."""
    try:
        if is_folder(path):
            return None, "RW003"
        if not is_file(path):
            return None, "RW001"
        if size(path) > LARGEST_FILE:
            return None, "RW004"
        data = contents(path)
    except (OSError, ValueError):
        return None, "RW001"
    if b"\0" in data:
        return None, "RW005"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None, "RW002"
    return text.replace("\r\n", "\n").replace("\r", "\n"), ""


def undecodable(path: Path) -> tuple[int, int] | None:
    """Return line and column, from 1, of the first character of a file that is not UTF-8."""
    try:
        contents(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return len(lines), len(lines[-1]) + 1
    except (OSError, ValueError):
        pass
    return None


# -------------------------------------------------------------------------------------- replacement


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


def no_file(path: Path) -> str | None:
    """Return what stands at a path if reading it might never end: a pipe, or a device."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
