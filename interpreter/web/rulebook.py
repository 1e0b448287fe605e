"""The rule book in force as data for its page: what the books say, and the rules with every amendment.

Each section and each line has an anchor, so that a message can lead to the rule of which it speaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.dsl.files.rulebook_sections import Digest
from rulewright.dsl.frontend.frontend import Compilation
from rulewright.dsl.tools.effective_rulebook import RuleFile, RuleLine, rule_book
from rulewright.interpreter.engine.setup import in_words
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.words.translation import Words

if TYPE_CHECKING:
    from rulewright.dsl.tools.effective_text import Author

PARTS = {
    "game": "The rules",
    "variant": "Added by {title}",
    "module": "Library: {title}",
    "examples": "Worked examples: {title}",
}
"""What a file of the rules is called, by its kind."""


def anchor(place: str) -> str:
    """Return how a line of the rules (`game.rules:12`, with folders or without) is called on their page."""
    return "r-" + re.sub(r"[^A-Za-z0-9]+", "-", place.rpartition("/")[2]).strip("-")


def book_data(found: Compilation, game: Game, words: Words) -> dict[str, Any]:
    """Return the rule book of a game that is compiled and loaded with its variants and options.

    Members: `title`, `players`, `variants` (titles), `options` (`name`, `word`, `text`, `value`,
    `usual`: "" if it holds), `books` (`title`, `anchor`, `language`, `sections`: `title`, `depth`, `anchor`,
    `says`) and `parts` (`title`, `place`, `anchor`, `lines`: `text`, `mark`, `author`, `heading`, `anchor`,
    `note`, `cites`: `text`, `anchor`). `found` must be sound, as it is if `game` could be loaded.
    """
    assert found.world is not None, "a game that is loaded has a world"
    # Not the model of the game: if that was known, its lines are those of another reading of the files.
    book = rule_book(found.world, found.model_or_raise(), found.target.folder)
    writer = _BookWriter(game, words)
    least, most = game.model.least_players, game.model.most_players
    players = words("{low} to {high} players", low=least, high=most)
    if least == most:
        players = words("1 player") if most == 1 else words("{number} players", number=most)
    return {
        "title": words.name(game.title),
        "players": players,
        "variants": [words.name(title) for title, _ in book.variants],
        "options": list(writer.options()),
        "books": writer.books,
        "parts": [writer.part(number, one) for number, one in enumerate(book.parts)],
    }


class _BookWriter:
    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words
        self.digests: dict[str, Digest] = {}
        self.anchors: dict[tuple[str, int], str] = {}
        self.taken: set[str] = set()
        self.books = list(self._books())

    def options(self) -> Iterator[dict[str, str]]:
        """Yield what is decided before the game, with its value in force."""
        values = self.game.program.layout.options
        for name, option in self.game.model.options.items():
            value, default = in_words(values[name]), " ".join(option.default.span.text.split())
            yield {
                "name": name,
                "word": "ruling" if option.ruling else "option",
                "text": self.words.name(option.question) if option.question else "",
                "value": self._told(value),
                "usual": "" if value == default else self._told(default),
            }

    def part(self, number: int, part: RuleFile) -> dict[str, Any]:
        """Return one file of the rules."""
        title = self.words(PARTS[part.kind], title=self.words.name(part.title))
        author: Author | None = None
        lines: list[dict[str, Any]] = []
        for line in part.lines:
            if not line.text and (not lines or not lines[-1]["text"]):
                continue
            told = line.author is not None and line.author != author
            author = line.author
            lines.append(self._line(line, told))
        return {"title": title, "place": part.place, "anchor": f"part-{number}", "lines": lines}

    # ----------------------------------------------------------------------------------- inside

    def _books(self) -> Iterator[dict[str, Any]]:
        for number, (word, digest, says) in enumerate(self.game.books.digests()):
            self.digests[word] = digest
            sections = []
            for at, (heading, told) in enumerate(zip(digest.headings, says, strict=True)):
                self.anchors[word, at] = f"s-{number}-{at}"
                sections.append(
                    {
                        "title": heading.path[-1],
                        "depth": min(len(heading.path), 3),
                        "anchor": self.anchors[word, at],
                        "says": [_plain(text) for text in told],
                    }
                )
            title = digest.title or word
            yield {
                "title": title,
                "anchor": f"book-{number}",
                "language": "",
                "sections": sections,
            }

    def _told(self, word: str) -> str:
        return self.words.name(word.replace("_", " "))

    def _line(self, line: RuleLine, told: bool) -> dict[str, Any]:
        text, note, cites = line.text, "", []
        if line.cited > 0:
            text, cited = line.text[: line.cited].rstrip(), line.text[line.cited :]
            cited, comment, rest = cited.partition(" #")
            cites = list(self._cites(cited.strip().removeprefix("see").strip()))
            note = f"#{rest}" if comment else ""
        if line.elsewhere:
            note = f"{note} → {', '.join(line.elsewhere)}".strip()
        author = ""
        if told and line.author is not None:
            author = f"{line.author.name}, {line.author.place}"
        return {
            "text": text,
            "mark": line.mark,
            "author": author,
            "heading": line.heading,
            "anchor": self._anchor(line.place),
            "note": note,
            "cites": cites,
        }

    def _anchor(self, place: str) -> str:
        """Return the anchor of a line. The first one that stands there has it; all others get one of
        their own."""
        wanted = anchor(place) if place else "r"
        found, number = wanted, 1
        while found in self.taken:
            number += 1
            found = f"{wanted}--{number}"
        self.taken.add(found)
        return found

    def _cites(self, text: str) -> Iterator[dict[str, str]]:
        """Yield the sections that a citation names; names may have commas of their own."""
        parts = text.split(", ")
        at = 0
        while at < len(parts):
            for end in range(len(parts), at, -1):
                name = ", ".join(parts[at:end])
                place = self._section(name)
                if place is not None:
                    yield {"text": name, "anchor": place}
                    at = end
                    break
            else:
                at += 1

    def _section(self, name: str) -> str | None:
        word, colon, rest = name.partition(": ")
        if colon and word in self.digests:
            chosen, name = word, rest
        else:
            chosen = next(iter(self.digests), "")
        digest = self.digests.get(chosen)
        if digest is None:
            return None
        path = tuple(part.strip() for part in name.split("/"))
        for heading in digest.find(path)[:1]:
            return self.anchors[chosen, digest.headings.index(heading)]
        return None


def _plain(text: str) -> str:
    """Return a statement without the signs for bold and code of the books."""
    return re.sub(r"\*\*|`", "", text)
