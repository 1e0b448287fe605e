"""Symbols on a map: short ones for what lies at the places, and their legend.

A symbol is as short as it can be without being another's: the beginning of a player's name for what
belongs to that player, otherwise the initials of what it stands for. The same places with the same
things on them give the same symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulewright.interpreter.state.values import Thing

UNSEEN = "?"
NUMBER = "#"
"""In a legend: here stands a number, or a word."""

SHORT_NAME = 8
SHORT_VALUE = 6
MOST_FORMS = 4
ORDER = ("name", "thing", "player", "reference", "choice", "flag", "value", "family")
"""Which sorts may have the shortest symbols, first to last."""


@attrs.frozen
class MapSymbol:
    """A symbol at a place, what it stands for, whose colour it has, and what else is to be said."""

    symbol: str
    words: str
    owner: int | None
    note: str = ""
    count: int = 1
    sort: str = ""
    """One of `ORDER`, or `unseen`."""

    things: tuple[Thing, ...] = attrs.field(default=(), eq=False)
    """The things that it stands for."""

    @property
    def text(self) -> str:
        """The symbol with how often it is there, and a star if there is a note."""
        star = "*" if self.note else ""
        if self.count == 1:
            return self.symbol + star
        times = "x" if self.symbol[:1].isdigit() else ""
        return f"{self.count}{times}{self.symbol}{star}"


@attrs.frozen
class _Occupant:
    sort: str
    words: str
    owner: int | None
    short: str
    value: str
    note: str
    plain: str
    """What is to be said of a thing without the numbers that are printed on it."""

    thing: Thing | None = None

    @property
    def key(self) -> tuple[str, str, int | None, str]:
        """What has one symbol."""
        return self.sort, self.words, self.owner, self.short


class PlaceContents:
    """What lies at one place."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.occupants: list[_Occupant] = []

    def add(
        self,
        sort: str,
        words: str,
        owner: int | None = None,
        short: str = "",
        value: str = "",
        note: str = "",
        plain: str = "",
        thing: Thing | None = None,
    ) -> None:
        """Add an occupant of a sort: a thing, a player, a reference, a choice, a flag, a value, a family."""
        self.occupants.append(_Occupant(sort, words, owner, short, value, note, plain, thing))

    def unseen(self, count: int, where: str) -> None:
        """Add things that lie hidden."""
        if count:
            self.add("unseen", where, value=str(count))


class SymbolTable:
    """The symbols of a map."""

    def __init__(self, players: Sequence[str], places: Sequence[PlaceContents]) -> None:
        self._owned = any(
            occupant.sort == "thing" and occupant.owner is not None
            for one in places
            for occupant in one.occupants
        )
        roomy = all(len(place.occupants) <= 1 for place in places)
        roomy = roomy and all(len(name) <= SHORT_NAME for name in players)
        if roomy:
            self._letters = [_compact(name) for name in players]
        else:
            self._letters = _beginnings(players)
        _without_numbers(places)
        self._pointers = {
            occupant.short
            for place in places
            for occupant in place.occupants
            if occupant.sort == "reference"
        }
        self._taken: set[str] = set()
        self._symbols: dict[tuple[str, str, int | None, str], str] = {}
        keys = dict.fromkeys(
            occupant.key
            for place in places
            for occupant in place.occupants
            if occupant.sort != "unseen"
        )
        for key in sorted(keys, key=lambda key: ORDER.index(key[0])):
            self._symbols[key] = self._new(key)
        self._hides = any(
            occupant.sort == "unseen" for place in places for occupant in place.occupants
        )

    def of(self, place: PlaceContents) -> tuple[MapSymbol, ...]:
        """Return the symbols at a place, alike ones as one with their number."""
        found: dict[MapSymbol, list[_Occupant]] = {}
        for occupant in place.occupants:
            found.setdefault(self._symbol_of(occupant), []).append(occupant)
        return tuple(
            MapSymbol(
                *(symbol.symbol, symbol.words, symbol.owner, symbol.note),
                count=len(alike),
                sort=alike[0].sort,
                things=tuple([one.thing for one in alike if one.thing is not None]),
            )
            for symbol, alike in found.items()
        )

    def legend(self, unseen: str) -> tuple[tuple[str, str, int | None], ...]:
        """Return what the symbols stand for; what says it itself is left out."""
        told = []
        for (sort, words, owner, short), symbol in self._symbols.items():
            if sort == "player":
                words = f"{words} {short}" if symbol not in self._letters else short
            elif sort == "choice":
                words = f"{words} {short}"
            shown = symbol + NUMBER if sort in ("value", "family") else symbol
            if shown != words:
                told.append((shown, words, owner))
        if self._hides:
            told.append((UNSEEN, unseen, None))
        return tuple(told)

    def _symbol_of(self, occupant: _Occupant) -> MapSymbol:
        if occupant.sort == "unseen":
            return MapSymbol(
                occupant.value + UNSEEN, f"{occupant.words} {occupant.value}{UNSEEN}", None
            )
        symbol = self._symbols[occupant.key]
        if occupant.sort in ("value", "family"):
            if len(occupant.value) <= SHORT_VALUE:
                return MapSymbol(
                    symbol + _compact(occupant.value),
                    f"{occupant.words} {occupant.value}",
                    occupant.owner,
                )
            return MapSymbol(symbol, occupant.words, occupant.owner, occupant.value)
        words = (
            f"{occupant.words} {occupant.short}"
            if occupant.sort in ("player", "choice")
            else occupant.words
        )
        return MapSymbol(symbol, words, occupant.owner, occupant.note)

    def _new(self, key: tuple[str, str, int | None, str]) -> str:
        for symbol in self._candidates(*key):
            if symbol and symbol.casefold() not in self._taken:
                self._taken.add(symbol.casefold())
                return symbol
        raise AssertionError("candidates never end")

    def _candidates(self, sort: str, words: str, owner: int | None, short: str) -> Iterator[str]:
        letter = self._letters[owner] if owner is not None and owner < len(self._letters) else ""
        if sort == "thing" and letter:
            bases: Iterable[str] = (letter, letter + words[:1].lower())
        elif sort == "player":
            plain = () if self._owned else (letter,)
            bases = (*plain, *(f"{one}={letter}" for one in _short_forms(words)))
        elif sort == "reference":
            alone = (f"@{letter}",) if len(self._pointers) == 1 else ()
            bases = (*alone, *(f"@{one}{letter}" for one in _short_forms(short)))
        elif sort == "family":
            tails = (letter,) if letter else _short_forms(words)
            heads = _short_forms(short) if letter else ("",)
            bases = (head + tail for head in heads for tail in tails)
        else:
            bases = _short_forms(short or words)
        last = ""
        for last in bases:
            if sort != "thing" or letter or last.casefold() not in self._folded_letters:
                yield last
        number = 2
        while True:
            yield f"{last or sort}{number}"
            number += 1

    @property
    def _folded_letters(self) -> frozenset[str]:
        return frozenset(letter.casefold() for letter in self._letters)


def _without_numbers(places: Sequence[PlaceContents]) -> None:
    """Leave out the numbers of a player's things if there are too many of them: they are as good as
    alike on a map."""
    found: dict[tuple[int, str], set[str]] = {}
    for occupant in (occupant for place in places for occupant in place.occupants):
        if occupant.sort == "thing" and occupant.owner is not None:
            found.setdefault((occupant.owner, occupant.plain), set()).add(occupant.words)
    many = {key for key, words in found.items() if len(words) > MOST_FORMS}
    for place in places:
        place.occupants = [
            attrs.evolve(occupant, words=occupant.plain, short="")
            if (occupant.owner, occupant.plain) in many
            else occupant
            for occupant in place.occupants
        ]


def _short_forms(text: str) -> tuple[str, ...]:
    """Return shorter and longer forms of a text: `sf`, `stf`, `starfi`; `n`, `ne`, `neb`."""
    words = re.findall(r"\w+", text)
    if not words:
        return (_compact(text)[:SHORT_NAME],)
    if words[0][:1].isdigit():
        return tuple(dict.fromkeys("".join(words)[:length] for length in (4, 8)))
    initials = "".join(word[:1] for word in words)[:4]
    longer = (
        words[0][:length] + "".join(word[:1] for word in words[1:])[:3] for length in (2, 3, 4)
    )
    return tuple(
        dict.fromkeys(form.lower() for form in (initials, *longer, "".join(words)[:SHORT_NAME]))
    )


def _compact(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _beginnings(names: Sequence[str]) -> list[str]:
    """Return the shortest beginning of each name that no other begins with."""
    plain = [_compact(name) or str(number + 1) for number, name in enumerate(names)]
    found = []
    for number, name in enumerate(plain):
        others = [other.casefold() for place, other in enumerate(plain) if place != number]
        lengths = (
            length
            for length in range(1, len(name))
            if not any(other.startswith(name[:length].casefold()) for other in others)
        )
        found.append(name[: next(lengths, len(name))])
    return found
