"""How much room there is for what is printed, and where a text is broken that finds no room in a line."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterator

WIDTH = 100
"""The columns of what is no terminal, a file or a pipe, unless `COLUMNS` says another number."""

LEAST = 20
"""What is narrower than this is written as if it were as wide."""


def is_terminal() -> bool:
    """Return whether a person reads the output, and no program."""
    return sys.stdout.isatty()


def width() -> int:
    """Return how many columns the output has at this moment: a terminal may have changed its size."""
    try:
        if not is_terminal():
            columns = int(os.environ.get("COLUMNS", "0"))
            return max(columns, LEAST) if columns > 0 else WIDTH
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return WIDTH
    # A terminal that does not know its size says 0.
    return max(columns, LEAST) if columns else WIDTH


# --------------------------------------------------------------------------------- breaking lines

_GLUE = "\0"
"""Stands for a blank at which a line is not broken."""

_NUMBERED = re.compile(
    r"(?<![^\s(])\d+( )x( )(?=\S)"  # 3 x Card
    r"|(?<![^\s(])\d+( )(?=[^\W\d])"  # 3 unseen
    r"|(?<=[^\W\d])( )(?=\d+(?!\w))"  # cost 3
    r"|(?<=\d)( )[+-]( )(?=\d)"  # 2 + 3
)
_NEW_PHRASE = re.compile(r"[,;.)] ")
_SHORT_PHRASE = re.compile(r"(?<=; )[^;]{1,24}(?=;|$)")


def broken(text: str, room: int, first: str = "", further: str = "") -> list[str]:
    """Return a text in lines that are no longer than there is room, with what stands before the first
    and before the further ones. A number stays with what it counts, what is short between semicolons
    stays whole, and so do brackets, with what they belong to if that finds room in a line."""
    least = room - max(len(first), len(further))
    lines = textwrap.wrap(
        _glued(text, least),
        room,
        initial_indent=first,
        subsequent_indent=further,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]


def _glued(text: str, room: int) -> str:
    """Return a text with glue where it is not to be broken."""
    for pattern in (_NUMBERED, _SHORT_PHRASE):
        text = pattern.sub(lambda found: found[0].replace(" ", _GLUE), text)
    for begin, end in _bracketed(text):
        before = [found.end() for found in _NEW_PHRASE.finditer(text, 0, begin)]
        phrase = before[-1] if before else 0
        value = text.rfind(": ", phrase, begin) + len(": ")
        # What follows at once, such as a comma, stands in the same line.
        after = end + len(text[end:].split(" ", 1)[0])
        for start in (phrase, max(phrase, value), begin):
            if after - start <= room:
                text = text[:start] + text[start:end].replace(" ", _GLUE) + text[end:]
                break
        else:
            parts = (part.replace(" ", _GLUE) for part in text[begin:end].split(", "))
            text = text[:begin] + ", ".join(parts) + text[end:]
    return text


def _bracketed(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each pair of brackets begins and ends, inner ones before those around them."""
    opened = []
    for place, letter in enumerate(text):
        if letter == "(":
            opened.append(place)
        elif letter == ")" and opened:
            yield opened.pop(), place + 1
