"""What the rule book says: finds the statements of a cited section.

Rules cite the sections of digests (`see Setup/Cards`), and a digest states the book rule by rule as
a list. `why` shows the first of them, so that a player need not fetch the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import attrs

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.files.rulebook_sections import Digest, Heading, read_digest

MOST_STATEMENTS = 4
LONGEST_STATEMENT = 300

_ITEM = re.compile(r"^\s*(?:\d+[.)]|[-*+])\s+")


class Citation(Protocol):
    """A section of a book: the word of the book, and the path of headings."""

    @property
    def book(self) -> str | None:
        """The word of the book; None or "" for the first."""

    @property
    def path(self) -> tuple[str, ...]:
        """The headings, from the outside in."""


@attrs.frozen
class Quote:
    """A section of a rule book, with the first of its statements."""

    book: str
    """The title of the digest."""

    section: str
    statements: tuple[str, ...]
    more: int = 0
    """How many statements were left out."""


class Books:
    """The rule books of a game, read when somebody asks."""

    def __init__(self, game: model.Game, folder: Path | None) -> None:
        self._named = dict(game.books)
        self._first = game.books[0][0] if game.books else ""
        self._folder = folder
        self._read: dict[str, tuple[Digest, str] | None] = {}

    def quotes(self, citations: Iterable[Citation]) -> tuple[Quote, ...]:
        """Return what the cited sections say; a section that is not found is left out."""
        return tuple(dict.fromkeys(self._quotes(citations)))

    def digests(self) -> Iterator[tuple[str, Digest, tuple[tuple[str, ...], ...]]]:
        """Yield each book that can be read: its name in the rules, its sections, and what each says."""
        for word in self._named:
            book = self._book(word)
            if book is not None:
                digest, text = book
                told = (
                    tuple(statements(_text_below(digest, one, text))) for one in digest.headings
                )
                yield word, digest, tuple(told)

    def _quotes(self, citations: Iterable[Citation]) -> Iterator[Quote]:
        for citation in citations:
            book = self._book(citation.book or self._first)
            if book is None:
                continue
            digest, text = book
            for heading in digest.find(tuple(citation.path))[:1]:
                found = tuple(statements(_text_below(digest, heading, text)))
                yield Quote(
                    digest.title,
                    "/".join(heading.path),
                    found[:MOST_STATEMENTS],
                    max(0, len(found) - MOST_STATEMENTS),
                )

    def _book(self, word: str) -> tuple[Digest, str] | None:
        if word not in self._read:
            self._read[word] = self._open(word)
        return self._read[word]

    def _open(self, word: str) -> tuple[Digest, str] | None:
        named = self._named.get(word)
        path = None if named is None else library.find_book(named, self._folder or Path())
        source = None if path is None else library.read_source(path)[0]
        return None if source is None else (read_digest(source), source.text)


def _text_below(digest: Digest, heading: Heading, text: str) -> str:
    """Return the text between a heading and the next one."""
    ends = [other.offset for other in digest.headings if other.offset > heading.offset]
    below = text[heading.offset : min(ends, default=len(text))]
    return below.partition("\n")[2]


def statements(text: str) -> Iterator[str]:
    """Yield the items of a list, or the paragraphs of a text, each in one line."""
    current: list[str] = []
    for line in [*text.splitlines(), ""]:
        starts = _ITEM.match(line)
        if (starts or not line.strip()) and current:
            yield _clipped(" ".join(current))
            current = []
        if line.strip():
            current.append(_ITEM.sub("", line).strip())


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_STATEMENT else text[: LONGEST_STATEMENT - 1] + "…"
