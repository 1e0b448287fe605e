"""What is said to people, in their language: translates texts of the engine and of the rules.

Texts are known by what they are in English, or in whatever language the rules are written: those of
the engine stand in `phrases/de.csv`, those of a game beside it (`frontend/translations`). What is not
translated is said as it is. Words are looked up where something is shown and nowhere else: rules,
answers, records and agents never meet a translation.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.dsl.text.suggest import nearest

if TYPE_CHECKING:
    from rulewright.dsl import model

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
LONGEST_FILLED = 500
"""A longer text is not searched for the words of which it was made."""


class LanguageError(ValueError):
    """Nothing is translated into a language.

    >>> game.spoken("eo")
    Traceback (most recent call last):
    LanguageError: nothing is said in `eo`; did you mean `en`?
    """


class Words:
    """The words of one language; of a game that is said as its author wrote it, none."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        self.known: Mapping[str, str] = {} if known is None else known
        self._forms: list[tuple[re.Pattern[str], str, tuple[str, ...]]] | None = None

    def __call__(self, text: str, /, **filled: object) -> str:
        """Return a text of the engine, with what stands in its braces."""
        text = self.known.get(text, text)
        return text.format(**filled) if filled else text

    def name(self, text: str) -> str:
        """Return a name or a text without placeholders."""
        return self.known.get(text, text)

    def parts(
        self, text: str, parts: Sequence[str | model.Expression]
    ) -> list[str | model.Expression]:
        """Return the parts of a text with placeholders as they stand in its translation; `text` is
        how it is written."""
        said = self.known.get(text)
        if said is None:
            return list(parts)
        values = [part for part in parts if not isinstance(part, str)]
        found = dict(zip(map(_words, _PLACEHOLDER.findall(text)), values, strict=False))
        pieces = _PLACEHOLDER.split(said)
        if not set(map(_words, pieces[1::2])) <= set(found):
            return list(parts)
        mixed: list[str | model.Expression] = []
        for number, piece in enumerate(pieces):
            mixed.append(found[_words(piece)] if number % 2 else piece)
        return [part for part in mixed if part != ""]

    def filled(self, text: str) -> str:
        """Return a text whose placeholders have been filled in: it is taken apart again, and what
        stands in it is translated, too."""
        if not self.known or len(text) > LONGEST_FILLED:
            return text
        said = self.known.get(text)
        if said is not None:
            return said
        if self._forms is None:
            self._forms = list(_forms(self.known))
        for pattern, said, names in self._forms:
            found = pattern.fullmatch(text)
            if found is not None:
                lists = (map(self.name, one.split(", ")) for one in found.groups())
                inner = dict(zip(names, map(", ".join, lists), strict=True))
                pieces = enumerate(_PLACEHOLDER.split(said))
                return "".join(inner.get(_words(one), "") if at % 2 else one for at, one in pieces)
        return text


ENGLISH = Words()
"""The words of those who say nothing about a language."""


def _words(placeholder: str) -> str:
    return " ".join(placeholder.split())


def _forms(known: Mapping[str, str]) -> list[tuple[re.Pattern[str], str, tuple[str, ...]]]:
    """Return the texts with placeholders as patterns; those that say most of themselves come first."""
    found = []
    for text, said in known.items():
        pieces = _PLACEHOLDER.split(text)
        own = "".join(pieces[::2])
        if len(pieces) > 1 and any(map(str.isalpha, own)):
            shape = "(.+?)".join(map(re.escape, pieces[::2]))
            names = tuple(map(_words, pieces[1::2]))
            found.append((len(own), re.compile(shape, re.DOTALL), said, names))
    found.sort(key=lambda one: -one[0])
    return [one[1:] for one in found]


# --------------------------------------------------------------------------------------- languages


def _folder() -> Path:
    return Path(__file__).parent / "phrases"


def spoken() -> tuple[str, ...]:
    """Return the languages that the engine speaks besides English."""
    return tuple(sorted(path.stem for path in _folder().glob("*.csv")))


@functools.cache
def phrases(language: str) -> Mapping[str, str]:
    """Return what the engine says in a language."""
    if language not in spoken():
        return {}
    import csv
    import io

    text = (_folder() / f"{language}.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text)))
    return {row[0]: row[1] for row in rows[1:] if row and row[1]}


def words_of(game: model.Game | None, language: str | None) -> Words:
    """Return the words of a language for a game; raise `LanguageError` if there are none."""
    if language in (None, "en"):
        return ENGLISH
    assert language is not None
    own = {} if game is None else game.languages.get(language, {})
    known = {**phrases(language), **own}
    if not known:
        there = sorted({"en", *spoken(), *(() if game is None else game.languages)})
        near = nearest(language, there)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(there)}"
        raise LanguageError(f"nothing is said in `{language}`; {hint}")
    return Words(known)
