"""Colours for what has none: a hue for each value of an enumeration, always the same one.

Words for colours and for natural things get the hue that everybody expects, in the author's language or in English; all others
take what is left over, in the author's order. No hue comes twice in an enumeration of up to eleven values.

A hue is a class of the style sheet (`h0` to `h7`, `hw`, `hg`, `hk`), so that there are no colours in pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

COLOUR_WORDS: Mapping[str, str] = {
    "white": "w", "light": "w", "silver": "w", "weiß": "w", "weiss": "w", "hell": "w", "silber": "w",
    "red": "0", "rot": "0",
    "blue": "1", "blau": "1",
    "green": "2", "grün": "2", "gruen": "2",
    "yellow": "3", "gold": "3", "gelb": "3",
    "purple": "4", "violet": "4", "pink": "4", "lila": "4", "violett": "4", "rosa": "4",
    "cyan": "5", "teal": "5", "türkis": "5", "tuerkis": "5",
    "orange": "6",
    "brown": "7", "braun": "7",
    "gray": "g", "grey": "g", "grau": "g",
    "black": "k", "dark": "k", "schwarz": "k", "dunkel": "k",
}  # fmt: skip
"""Words that name a colour, in English and German."""

NATURE_WORDS: Mapping[str, str] = {
    "water": "1", "sea": "1", "ocean": "1", "river": "1", "wasser": "1", "meer": "1", "see": "1",
    "ice": "5", "snow": "w", "eis": "5", "schnee": "w",
    "sand": "3", "grain": "3", "wheat": "3", "desert": "3", "korn": "3", "getreide": "3", "wüste": "3",
    "fire": "0", "blood": "0", "feuer": "0", "blut": "0", "hearts": "0", "diamonds": "6", "herz": "0",
    "forest": "2", "grass": "2", "wald": "2", "gras": "2", "wood": "7", "holz": "7", "earth": "7", "erde": "7",
    "clay": "6", "brick": "6", "lehm": "6", "stone": "g", "ore": "g", "iron": "g", "mountain": "g", "stein": "g", "erz": "g", "eisen": "g", "berg": "g",
    "coal": "k", "void": "k", "night": "k", "kohle": "k", "nacht": "k", "spades": "k", "clubs": "k",
}  # fmt: skip
"""Natural things that have a colour, in English and German."""

LEFT_OVER = "13425607wgk"
"""The hues in the order in which they are given to words that say no colour."""

_LETTERS = re.compile(r"[^\W\d_]+")


def hues(words: Sequence[str]) -> tuple[str, ...]:
    """Return the classes for the values of an enumeration, named in the author's order."""
    found: dict[int, str] = {}
    for known in (COLOUR_WORDS, NATURE_WORDS):
        for number, word in enumerate(words):
            hue = _known(word, known)
            if hue and number not in found and hue not in found.values():
                found[number] = hue
    left = [hue for hue in LEFT_OVER if hue not in found.values()] or list(LEFT_OVER)
    others = [number for number in range(len(words)) if number not in found]
    for place, number in enumerate(others):
        found[number] = left[place % len(left)]
    return tuple(f"h{found[number]}" for number in range(len(words)))


def hue_of_name(name: str) -> str:
    """Return the class for something whose name may say a colour (`black hole`); `plain` if not."""
    hue = _known(name, COLOUR_WORDS)
    return f"h{hue}" if hue else "plain"


def names_a_colour(word: str) -> bool:
    """Return whether a word says nothing but a colour."""
    return word.lower() in COLOUR_WORDS


def _known(text: str, known: Mapping[str, str]) -> str | None:
    parts = _LETTERS.findall(text.lower().replace("_", " "))
    return next((known[part] for part in parts if part in known), None)


class Palette:
    """The hues of all enumerations of a page.

    `enumerations` are the author's words of each in order. What is missing there is learned from the
    facts that the page shows (`learn`), so that a page of an older form has colours as well.
    """

    def __init__(self, enumerations: Mapping[str, Sequence[str]] | None = None) -> None:
        self._words: dict[str, dict[int, str]] = {
            name: dict(enumerate(words)) for name, words in (enumerations or {}).items()
        }
        self._given = frozenset(self._words)
        self._hues: dict[str, dict[int, str]] = {}

    def learn(self, enumeration: str, number: int, word: str) -> None:
        """Note a value that is somewhere on the page."""
        if enumeration not in self._given:
            self._words.setdefault(enumeration, {})[number] = word
            self._hues.pop(enumeration, None)

    def hue(self, enumeration: str, number: int) -> str:
        """Return the class for a value of an enumeration."""
        if enumeration not in self._hues:
            words = sorted(self._words.get(enumeration, {}).items())
            found = hues([word for _, word in words])
            self._hues[enumeration] = {at: hue for (at, _), hue in zip(words, found, strict=True)}
        return self._hues[enumeration].get(number, "plain")

    def has_colours(self, enumeration: str) -> bool:
        """Return whether most values of an enumeration are colours by name."""
        words = list(self._words.get(enumeration, {}).values())
        return 2 * sum(map(names_a_colour, words)) > len(words)
