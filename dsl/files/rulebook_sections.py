"""The sections of a restated rule book (Markdown), so that citations can be looked up.

Only the headings matter to the checker: `# Title` opens the book, deeper headings nest, and a
citation names a heading by its own text with as many of the outer ones as make it unique. The
statements below a heading are kept for `why`, which quotes the rule that forbids something.
"""

from __future__ import annotations

import re

import attrs

from rulewright.dsl.text.source import Source

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


@attrs.frozen
class Heading:
    """One section: its path from the outermost heading below the title, and its own text."""

    path: tuple[str, ...]
    text: str
    offset: int
    has_text: bool


@attrs.frozen
class Digest:
    """A rule book: its title and its sections in order."""

    path: str
    title: str
    headings: tuple[Heading, ...]

    def find(self, path: tuple[str, ...]) -> tuple[Heading, ...]:
        """Return the sections whose path ends in `path` with outer parts left out anywhere."""
        last = path[-1:]
        return tuple(
            [one for one in self.headings if one.path[-1:] == last and _matches(path, one.path)]
        )

    def names(self) -> tuple[str, ...]:
        """Return every section as a citation would name it."""
        return tuple(heading.path[-1] for heading in self.headings)


def _matches(cited: tuple[str, ...], path: tuple[str, ...]) -> bool:
    rest = iter(path)
    return all(part in rest for part in cited)


def read_digest(source: Source) -> Digest:
    """Return the sections of a digest; text before the first heading below the title is its own."""
    found = list(_HEADING.finditer(source.text))
    title = ""
    headings: list[Heading] = []
    open_levels: list[tuple[int, str]] = []
    for number, match in enumerate(found):
        level, name = len(match.group(1)), match.group(2)
        end = found[number + 1].start() if number + 1 < len(found) else len(source.text)
        text = source.text[match.end() : end].strip()
        if level == 1 and not title:
            title = name
            continue
        while open_levels and open_levels[-1][0] >= level:
            open_levels.pop()
        open_levels.append((level, name))
        path = tuple(part for _, part in open_levels)
        headings.append(Heading(path, text, match.start(), bool(text)))
    return Digest(source.name, title, tuple(headings))
