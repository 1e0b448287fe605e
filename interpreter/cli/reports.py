"""What the commands that play many games print in the same way: how far they are, and what they counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rulewright.interpreter.play.playout import Spread

BAR = 40
T = TypeVar("T")


def with_bar(items: Iterable[T], total: int) -> Iterator[T]:
    """Yield items, of which there are so many, with a bar on a terminal that shows how far it is."""
    if not sys.stderr.isatty():
        yield from items
        return
    try:
        _draw(0, total)
        for number, item in enumerate(items, 1):
            yield item
            _draw(number, total)
    finally:
        sys.stderr.write("\r" + " " * (BAR + 30) + "\r")
        sys.stderr.flush()


def _draw(number: int, total: int) -> None:
    filled = BAR * number // total
    bar = "#" * filled + "." * (BAR - filled)
    sys.stderr.write(f"\r[{bar}] {number} of {total}")
    sys.stderr.flush()


def games_word(number: int) -> str:
    """Return a number of games in words."""
    return "1 game" if number == 1 else f"{number:,} games"


def decisions_word(number: int) -> str:
    """Return a number of decisions in words."""
    return "1 decision" if number == 1 else f"{number:,} decisions"


def spread_words(numbers: Spread) -> str:
    """Return mean, least and greatest of some numbers in words."""
    return f"{numbers.mean:.1f} on average, {numbers.least:,g} to {numbers.greatest:,g}"
