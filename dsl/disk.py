"""Questions about files: a question in, the answer of the disk out, and a record of all of them.

Whoever keeps what was made from files asks the same questions again later: if all answers are the
same, it would be made in the same way. A file that was looked for and is missing is such a question,
too, so one that appears is noticed as well as one that changes or disappears.

    with recorded() as questions: …       # {("contents", "/games/duel/game.rules"): "5f3c…", …}
    unchanged(questions)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
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
