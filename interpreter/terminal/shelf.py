"""The shelf at a glance: titles, variants and options of the games, read from their folders.

`rulewright list` must answer at once, also when the shelf is long or a game on it is broken, so it
does not parse anything. It reads head lines, which stand unindented in a rule file:

    game "Little Jump" for 2..4 players
    ruling reach: one of [near, far] = near "How far does a jump reach?"

A test compares what is read here with the checked models of all games. Importing attrs takes as long
as all the rest, so the classes are named tuples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rulewright.dsl.files import disk

_TITLE = re.compile(r'(?:game|variant)\s+"((?:[^"\\]|\\.)*)"')
_PLAYERS = re.compile(r"\bfor\s+(\d+)(?:\s*\.\.\s*(\d+))?\s+players?\b")
_OF = re.compile(r'variant\s+"(?:[^"\\]|\\.)*"\s+of\s+(\w+)')
_RELATION = re.compile(r'(?:includes|requires|excludes)\s+(?:ordered\s+)?".*')
_DEMAND = re.compile(r'(requires\s+[^"\s].*?)\s+else\s+"((?:[^"\\]|\\.)*)"')
_USE = re.compile(r"use\s+([a-z]\w*)")
_QUESTION = re.compile(
    r"(option|ruling)\s+(\w+)\s*:\s*"
    r"(one\s+of\s*\[[^\]]*\]|[^=]*?)\s*=\s*"
    r'([^"]*?)\s*"((?:[^"\\]|\\.)*)"'
)


class ShelfOption(NamedTuple):
    """An option or a ruling: what is decided before the game starts."""

    word: str
    """`option` or `ruling`."""

    name: str
    type: str
    default: str
    text: str

    def others(self) -> tuple[str, ...]:
        """Return the other answers, as far as they are written out."""
        if self.type == "flag":
            return ("no",) if self.default == "yes" else ("yes",)
        bounds = re.fullmatch(r"number in (\S+)", self.type)
        if bounds is not None:
            return (bounds[1],)
        listed = re.fullmatch(r"one\s+of\s*\[([^\]]*)\]", self.type)
        words = [] if listed is None else [word.strip() for word in listed[1].split(",")]
        return tuple(word for word in words if word and word != self.default)


class ShelfDemand(NamedTuple):
    """What options and numbers of players must meet, and what is said if they do not."""

    condition: str
    """As it is written: `requires …`."""

    text: str


class ShelfVariant(NamedTuple):
    """A variant as the shelf shows it, with the questions that come up in it alone."""

    title: str
    file: str
    """The name of its file without `.rules`, which names the variant as well."""

    questions: tuple[ShelfOption, ...]
    players: tuple[int, int] | None = None
    """How many play, if it says otherwise than its game."""

    relations: tuple[str, ...] = ()
    """What it includes, requires and excludes, as it is written."""

    demands: tuple[ShelfDemand, ...] = ()


class ShelfEntry(NamedTuple):
    """A game as the shelf shows it."""

    name: str
    title: str
    least_players: int
    most_players: int
    variants: tuple[ShelfVariant, ...]
    questions: tuple[ShelfOption, ...]
    demands: tuple[ShelfDemand, ...] = ()


def entries() -> Iterator[ShelfEntry]:
    """Yield the games of the shelf by their names."""
    for name in disk.shelf():
        yield entry(name, disk.packaged("games") / name)


def game_of(variant: Path) -> str | None:
    """Return the folder of the game for which a file is a variant; None if it is none."""
    found = next((match for match in map(_OF.match, _items(variant)) if match), None)
    return None if found is None else found[1]


def entry(name: str, folder: Path, own: Path | None = None) -> ShelfEntry:
    """Return the entry of one game; what cannot be read is missing in it. Of its variants only the
    file `own` is shown, if one is given."""
    lines = _items(folder / "game.rules")
    head = next((line for line in lines if line.startswith("game")), "")
    least, most = _players(head) or (0, 0)
    read: set[Path] = set()
    questions = tuple(_questions(lines, folder, read))
    files = disk.variant_files(folder) if own is None else (own,)
    variants = (_variant(path, folder, read) for path in files)
    return ShelfEntry(
        name,
        _title(lines) or name,
        least,
        most,
        tuple(sorted(variants, key=lambda variant: variant.title)),
        questions,
        tuple(_demands(lines)),
    )


def texts(folder: Path, language: str) -> Mapping[str, str]:
    """Return what the texts of a game are in a language; what cannot be read is missing."""
    import csv
    import io

    path = disk.find_inside(f"texts/{language}.csv", folder)
    text = None if path is None else disk.text_of(path)[0]
    found: dict[str, str] = {}
    with suppress(csv.Error):
        for row in csv.DictReader(io.StringIO(text or "")):
            if row.get("text") and row.get("translation"):
                found[row["text"]] = row["translation"]
    return found


def _variant(path: Path, folder: Path, read: set[Path]) -> ShelfVariant:
    lines = _items(path)
    questions = tuple(_questions(lines, folder, read.copy()))
    head = next((line for line in lines if line.startswith("variant")), "")
    relations = tuple(" ".join(line.split()) for line in lines if _RELATION.match(line))
    return ShelfVariant(
        _title(lines) or path.stem,
        path.stem,
        questions,
        _players(head),
        relations,
        tuple(_demands(lines)),
    )


def _demands(items: list[str]) -> Iterator[ShelfDemand]:
    for match in map(_DEMAND.match, items):
        if match:
            yield ShelfDemand(" ".join(match[1].split()), match[2])


def _players(head: str) -> tuple[int, int] | None:
    found = _PLAYERS.search(head)
    return None if found is None else (int(found[1]), int(found[2] or found[1]))


def _items(path: Path) -> list[str]:
    """Return the unindented items of a rule file, each with the lines that continue it, as one."""
    text, _ = disk.text_of(path)
    items: list[str] = []
    for line in (text or "").split("\n"):
        text = _without_comment(line)
        if text and not text[0].isspace():
            items.append(text)
        elif items and text.strip():
            items[-1] += " " + text.strip()
    return items


def _without_comment(line: str) -> str:
    inside = False
    for place, letter in enumerate(line):
        if letter == '"':
            inside = not inside
        elif letter == "#" and not inside:
            return line[:place].rstrip()
    return line.rstrip()


def _title(items: list[str]) -> str:
    found = next((match for match in map(_TITLE.match, items) if match), None)
    return "" if found is None else found[1]


def _questions(items: list[str], folder: Path, read: set[Path]) -> Iterator[ShelfOption]:
    """Yield the questions of a file, then those of the modules that it uses, each module once."""
    for item in items:
        match = _QUESTION.match(item)
        if match:
            yield ShelfOption(match[1], match[2], " ".join(match[3].split()), match[4], match[5])
    for item in items:
        used = _USE.match(item)
        path = disk.find_module(used[1], folder) if used else None
        if path is not None and path not in read:
            read.add(path)
            yield from _questions(_items(path), folder, read)
