"""Small damages to a rule file, as a slip of the keyboard or of the mind would do them.

Each takes the text and a source of choices, and returns another text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Pick = Callable[[Sequence[T]], T]
"""Returns one of some things."""

_NAME = re.compile(r"\b[A-Za-z_][A-Za-z_0-9]*\b")
_NUMBER = re.compile(r"\b[0-9]+\b")
_SIGN = re.compile(
    r"<=|>=|\.\.|[-+*/<>=,:.()\[\]|?\"]|\b(?:is|not|and|or|in|where|each|to|from|none|me|my|its)\b"
)
_SIGNS = (
    *("<", ">", "<=", ">=", "+", "-", "*", "/", "..", "=", ",", ":", ".", "(", ")", "[", "]", "?"),
    *(
        "is",
        "is not",
        "and",
        "or",
        "in",
        "where",
        "each",
        "to",
        "from",
        "none",
        "me",
        "it",
        '"',
        "",
    ),
)
_NUMBERS = ("0", "1", "2", "7", "-1", "100000", "99999999999999999999", "x", "none", '"a"')
_WORDS = (
    *("number", "text", "flag", "Player", "players", "list of Player", "Player?", "my.hand", "it"),
    *("random(players)", "[]", "[1, 2]", "count(players)", "first(players)", "nothing", "stop"),
)


def _replaced(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def rename(text: str, pick: Pick) -> str:
    """Put another name of the text, or a word of the language, where a name stands."""
    names = list(_NAME.finditer(text))
    if not names:
        return text
    new = pick([*dict.fromkeys(match.group() for match in names), *_WORDS])
    return _replaced(text, pick(names), new)


def misspell(text: str, pick: Pick) -> str:
    """Swap two letters of a name."""
    names = [match for match in _NAME.finditer(text) if len(match.group()) > 2]
    if not names:
        return text
    found = pick(names)
    word = found.group()
    at = pick(range(len(word) - 1))
    return _replaced(text, found, word[:at] + word[at + 1] + word[at] + word[at + 2 :])


def exchange(text: str, pick: Pick) -> str:
    """Swap two names."""
    names = list(_NAME.finditer(text))
    if len(names) < 2:
        return text
    first, second = sorted((pick(names), pick(names)), key=lambda match: match.start())
    if first.start() == second.start():
        return text
    return _replaced(_replaced(text, second, first.group()), first, second.group())


def renumber(text: str, pick: Pick) -> str:
    """Put something else where a number stands."""
    numbers = list(_NUMBER.finditer(text))
    return _replaced(text, pick(numbers), pick(_NUMBERS)) if numbers else text


def resign(text: str, pick: Pick) -> str:
    """Put another sign or short word where one stands."""
    signs = list(_SIGN.finditer(text))
    return _replaced(text, pick(signs), pick(_SIGNS)) if signs else text


def drop_line(text: str, pick: Pick) -> str:
    """Leave out a line."""
    lines = text.split("\n")
    at = pick(range(len(lines)))
    return "\n".join(lines[:at] + lines[at + 1 :])


def move_line(text: str, pick: Pick) -> str:
    """Put a line somewhere else."""
    lines = text.split("\n")
    line = lines.pop(pick(range(len(lines))))
    lines.insert(pick(range(len(lines) + 1)), line)
    return "\n".join(lines)


def indent(text: str, pick: Pick) -> str:
    """Move a line in or out by one level, or by one blank."""
    lines = text.split("\n")
    at = pick(range(len(lines)))
    way = pick(("  ", " ", "", "\t"))
    lines[at] = way + (lines[at].lstrip() if way in ("", "\t") else lines[at])
    return "\n".join(lines)


def double_item(text: str, pick: Pick) -> str:
    """Write an item, with all that is indented below it, twice."""
    items = re.split(r"\n(?=\S)", text)
    at = pick(range(len(items)))
    return "\n".join([*items[: at + 1], *items[at:]])


def drop_item(text: str, pick: Pick) -> str:
    """Leave out an item with all that is indented below it."""
    items = re.split(r"\n(?=\S)", text)
    at = pick(range(len(items)))
    return "\n".join(items[:at] + items[at + 1 :])


MUTATIONS: tuple[Callable[[str, Pick], str], ...] = (
    rename,
    misspell,
    exchange,
    renumber,
    resign,
    drop_line,
    move_line,
    indent,
    double_item,
    drop_item,
)


# ------------------------------------------------------------------------------------ single slips


def drop_letter(text: str, pick: Pick) -> str:
    """Leave out a letter of a word."""
    return _respelt(text, pick, lambda word, at: word[:at] + word[at + 1 :])


def double_letter(text: str, pick: Pick) -> str:
    """Write a letter of a word twice."""
    return _respelt(text, pick, lambda word, at: word[:at] + word[at] + word[at:])


def _respelt(text: str, pick: Pick, change: Callable[[str, int], str]) -> str:
    names = [match for match in _NAME.finditer(text) if len(match.group()) > 2]
    if not names:
        return text
    found = pick(names)
    return _replaced(text, found, change(found.group(), pick(range(len(found.group())))))


def drop_word(text: str, pick: Pick) -> str:
    """Leave out a word."""
    names = list(_NAME.finditer(text))
    return _replaced(text, pick(names), "") if names else text


def double_word(text: str, pick: Pick) -> str:
    """Write a word twice."""
    names = list(_NAME.finditer(text))
    if not names:
        return text
    found = pick(names)
    return _replaced(text, found, f"{found.group()} {found.group()}")


def double_line(text: str, pick: Pick) -> str:
    """Write a line twice."""
    lines = text.split("\n")
    at = pick(range(len(lines)))
    return "\n".join([*lines[: at + 1], *lines[at:]])


def drop_partner(text: str, pick: Pick) -> str:
    """Leave out a bracket or a quote."""
    found = list(re.finditer(r'[()\[\]"]', text))
    return _replaced(text, pick(found), "") if found else text


def text_for_number(text: str, pick: Pick) -> str:
    """Put a text where a number stands."""
    numbers = list(_NUMBER.finditer(text))
    return _replaced(text, pick(numbers), '"a"') if numbers else text


SINGLE_SLIPS: tuple[Callable[[str, Pick], str], ...] = (
    drop_letter,
    double_letter,
    misspell,
    drop_word,
    double_word,
    rename,
    drop_line,
    double_line,
    indent,
    drop_partner,
    text_for_number,
    renumber,
)
"""What one slip of the keyboard or of the mind does to a file."""
