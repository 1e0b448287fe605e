"""Which cases of a test are left to CI, where a test of all of them would take too long.

What is left out is marked `slow` and `bounded`. What that is depends on the name of the test, so that the
tests do not all try the same cases: at every change each game is tried by some of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rulewright.dsl.files import library

Case = TypeVar("Case")

LEFT_OUT = (pytest.mark.slow, pytest.mark.bounded)

LARGE = 10_000
"""Bytes: a game whose rules are longer takes long."""


def shared_out(
    cases: Iterable[Case], test: str, tests: int = 3
) -> Iterator[tuple[Case, Sequence[pytest.MarkDecorator]]]:
    """Yield cases with the marks that they have in a test: so many tests share them, so that a test of
    three leaves two of three cases to CI."""
    kept = zlib.crc32(test.encode()) % tests
    for number, case in enumerate(cases):
        yield case, () if number % tests == kept else LEFT_OUT


def shelf_for(test: str) -> list[Any]:
    """Return the games of the shelf as parameters of a test, which leaves the large ones but one to CI."""
    large = large_games()
    kept = large[zlib.crc32(test.encode()) % len(large)] if large else None
    return [
        pytest.param(name, marks=LEFT_OUT if name in large and name != kept else ())
        for name in library.shelf()
    ]


def large_games() -> list[str]:
    """Return those games of the shelf that have many rules."""
    found = ((name, library.find_target(name)[0]) for name in library.shelf())
    return [name for name, target in found if target is not None and is_large(target.folder)]


def is_large(folder: Path) -> bool:
    """Return whether the game in a folder has many rules."""
    return (folder / "game.rules").stat().st_size > LARGE
