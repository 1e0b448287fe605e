"""Small help for texts: lists of names, counted things, and what may be printed at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_WORD = 400


WORD_SHOWN = 60


LONGEST_LINE = 2000


def printable(text: str) -> str:
    """Return a text in one line and without control characters: it may come from anywhere."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else " " for letter in text)


def legible(text: str) -> str:
    """Return a text as `printable` does; of one in which nothing can be seen a sign that something is there: a
    button needs a name."""
    text = printable(text)
    return text if text.strip() else "…"


def shortened(text: str) -> str:
    """Return a line without what nobody can have meant to read: words without an end."""
    text = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda found: f"{found[0][:WORD_SHOWN]}…", text)
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"


def listed(names: Iterable[str], most: int = 8) -> str:
    """Return names as `a, b, c`, and how many more there are."""
    names = list(names)
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def times(text: str, count: int) -> str:
    """Return a text that stands for so many: `2 x Code`."""
    return text if count == 1 else f"{count} x {text}"
