"""What a seat sees, as text: formats the plain data of an observation as lines for a person.

    the game
      circle: Anno, 2 unseen in its inside
              Cinder, its claim ann
      black hole: ann 1
    you (ann)
      hand: Code (number 3), 2 x Code (number 5)
    ben
      hand: 4 unseen
      empty: passed; none: place

Nothing here knows more than the observation says. Text from rule files is shown without control
characters, so that no game can move the cursor of a terminal.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulewright.interpreter.terminal.screen import WIDTH, broken, width
from rulewright.interpreter.words.text import printable, times
from rulewright.interpreter.words.translation import ENGLISH, Words

Plain: TypeAlias = Any

STEP = "  "
SHORT = 32
"""Entries up to this length share a line with others."""

MOST_COLUMNS = 10
SHORT_LIST = 2
"""What needs more lines than that stands as a table, a line for each thing."""

NOTHING: tuple[Plain, ...] = (0, None, False, "", [])
LONG_FAMILY = 6
"""Of a family with more entries only those that hold something are shown."""


Piece: TypeAlias = tuple[str, str]
"""A part of a line, and its style."""


class StyledLine(str):
    """A line that is made of pieces, each in a style of its own; without styles it is a text."""

    pieces: tuple[Piece, ...]

    def __new__(cls, pieces: Iterable[Piece]) -> StyledLine:
        """Make a line of pieces, without blanks at its end."""
        parts = [(printable(text), style) for text, style in pieces]
        while parts and not parts[-1][0].rstrip():
            parts.pop()
        if parts:
            parts[-1] = (parts[-1][0].rstrip(), parts[-1][1])
        line = super().__new__(cls, "".join(text for text, _ in parts))
        line.pieces = tuple(parts)
        return line


def state_lines(
    observation: Mapping[str, Plain],
    drawn: Mapping[str, Sequence[str]] | None = None,
    room: int | None = None,
    say: Words = ENGLISH,
    *,
    briefly: bool = False,
) -> list[str]:
    """Return the lines that show an observation; `drawn` are the kinds that have a drawing. `briefly`:
    without the fields that have no value, and flags that are no."""
    teller = _ObservationPrinter(say, room or width(), briefly)
    lines = teller.block(say("the game"), observation["game"])
    drawings = dict(drawn or {})
    for kind, things in observation["things"].items():
        lines += drawings.pop(kind, ()) or teller.loose(kind, things)
    lines += itertools.chain.from_iterable(drawings.values())
    you = observation["you"]
    for name, holder in observation["players"].items():
        lines += teller.block(say("you ({name})", name=name) if name == you else name, holder)
    return [line if isinstance(line, StyledLine) else printable(line) for line in lines]


def wrapped(
    head: str, text: str, room: int | None = None, indent: str = "", step: str = STEP * 2
) -> list[str]:
    """Return `head: text` in lines no longer than there is room (None: as the output has it), the further
    ones indented by a step."""
    line = f"{head}: {text}" if head else text
    return broken(line, width() if room is None else room, indent, indent + step) or [indent]


def words(name: str) -> str:
    """Return a name of the rules as words; of a module's field `navcomps.pile` all is said."""
    return name.replace(".", " ").replace("_", " ")


def shown(content: Plain) -> str:
    """Return a value of an observation in one line."""
    return _ObservationPrinter(ENGLISH, WIDTH).shown(content)


def told(thing: Plain, say: Words) -> tuple[str, str]:
    """Return the name of a thing of an observation, and what is to be said about it besides."""
    name = thing["thing"] if isinstance(thing, Mapping) else thing
    return str(name), _ObservationPrinter(say, WIDTH).about(thing)


@attrs.frozen
class _ObservationPrinter:
    """Puts parts of an observation into words of a language."""

    say: Words
    width: int
    briefly: bool = False

    def words(self, name: str) -> str:
        return self.say.name(words(name))

    def block(self, head: str, holder: Mapping[str, Plain]) -> list[str]:
        """Return the lines of what a player or the game has; short entries share a line, and what
        is empty or not there is listed behind all others."""
        lines = [head] if holder else []
        row = ""
        empty: dict[str, list[str]] = {}
        for name, content in holder.items():
            if self.briefly and (content is None or content is False):
                continue
            if content is None or content in ([], {"count": 0}):
                empty.setdefault("none" if content is None else "empty", []).append(
                    self.words(name)
                )
                continue
            entry = f"{self.words(name)}: {self.shown(content)}"
            if len(entry) <= SHORT and not _is_long(content):
                if row and len(row) + len(entry) + 4 > self.width:
                    lines.append(row)
                    row = ""
                row = f"{row}; {entry}" if row else f"{STEP}{entry}"
                continue
            if row:
                lines.append(row)
                row = ""
            lines += self.entry(self.words(name), content)
        if row:
            lines.append(row)
        told = [f"{self.say(word)}: {', '.join(names)}" for word, names in sorted(empty.items())]
        return lines + (wrapped("", "; ".join(told), self.width, STEP) if told else [])

    def entry(self, name: str, content: Plain) -> list[str]:
        """Return the lines of a zone or field; things with things in them take a line each."""
        if not _is_long(content):
            lines = wrapped(name, self.shown(content), self.width, STEP)
            rows = list(self.rows(content)) if len(lines) > SHORT_LIST else []
            return [f"{STEP}{name}:", *rows] if rows else lines
        lines = [f"{STEP}{name}:"]
        for text, count in self.merged(content):
            lines += wrapped("", times(text, count), self.width, STEP * 2)
        return lines

    def rows(self, items: Plain) -> Iterator[str]:
        """Yield a small table: a line for each thing, its name first and then what is printed on it;
        things of one name side by side. Nothing of what is no list, or finds no room side by side."""
        if not isinstance(items, list):
            return
        cells, entries = [], []
        for text, count in self.merged(items):
            entries.append(times(text, count))
            name, bracket, details = text.partition(" (")
            cells.append((times(name, count), details.removesuffix(")") if bracket else ""))
        if not any(details for _, details in cells):
            return
        if len({name.split(" x ")[-1] for name, _ in cells}) == 1:
            rows = in_columns(entries, self.width - len(STEP * 2))
            if len(rows) < len(entries):
                yield from (f"{STEP * 2}{row}" for row in rows)
            return
        widest = max(len(name) for name, _ in cells)
        for name, details in cells:
            line = f"{name:<{widest}}  {details}".rstrip()
            yield from wrapped("", line, self.width, STEP * 2, " " * (widest + 2))

    def loose(self, kind: str, things: Sequence[Plain]) -> list[str]:
        """Return the lines of things that lie nowhere: those of which the same is to be said, once."""
        groups: dict[str, list[str]] = {}
        for thing in things:
            name = thing["thing"] if isinstance(thing, Mapping) else thing
            groups.setdefault(self.about(thing) or self.say("as it was printed"), []).append(name)
        lines = [self.words(kind)]
        for about, names in groups.items():
            lines += wrapped(about, ", ".join(names), self.width, STEP)
        return lines

    def shown(self, content: Plain) -> str:
        """Return a value of an observation in one line."""
        say = self.say
        match content:
            case None:
                return say("none")
            case bool():
                return say("yes" if content else "no")
            case {"count": count}:
                return self.unseen(count, content.get("notes"))
            case {"undecided": below, "above": above}:
                if not below:
                    return self.shown(above)
                text = say("in an order that nobody knows: {what}", what=self.shown(below))
                return text + say("; above: {what}", what=self.shown(above)) if above else text
            case {"thing": name}:
                about = self.about(content)
                return f"{name}, {about}" if about else str(name)
            case Mapping():
                return self.family(content)
            case list():
                merged = self.merged(content)
                return ", ".join(times(text, count) for text, count in merged) or say("nothing")
            case str():
                return say.filled(content)
        return str(content)

    def unseen(self, count: int, notes: Mapping[str, Plain] | None) -> str:
        say = self.say
        text = say("{count} unseen", count=count) if count else say("nothing")
        for place, fields in (notes or {}).items():
            told = fields if isinstance(fields, list) else [fields]
            where = say("one of them")
            if place != "somewhere":
                where = say("number {number}", number=int(place) + 1)
            for one in told:
                about = ", ".join(
                    f"{self.words(name)} {self.shown(value)}" for name, value in one.items()
                )
                text += f"; {where}: {about}"
        return text

    def family(self, entries: Mapping[str, Plain]) -> str:
        told = {
            key: value
            for key, value in entries.items()
            if len(entries) <= LONG_FAMILY or value not in NOTHING
        }
        listed = ", ".join(f"{key} {self.shown(value)}" for key, value in told.items())
        return listed or self.say("nothing")

    def about(self, thing: Plain) -> str:
        """Return what is to be said about a thing besides its name; empty zones say nothing."""
        if not isinstance(thing, Mapping):
            return ""
        parts = []
        for name, value in thing.items():
            if name == "thing" or value in ([], None, False) or value == {"count": 0}:
                continue
            if isinstance(value, Mapping) and not {"count", "thing", "undecided"} & value.keys():
                # Of a family only what holds something.
                value = {key: one for key, one in value.items() if one not in NOTHING}
                if not value:
                    continue
            said = self.words(name)
            parts.append(said if value is True else f"{said}: {self.shown(value)}")
        return "; ".join(parts)

    def merged(self, items: Iterable[Plain]) -> list[tuple[str, int]]:
        """Return the items in words, alike ones once with their number, in order."""
        return list(Counter(self.shown(item) for item in items).items())


def _is_long(content: Plain) -> bool:
    """Return whether there are things of which more is to be said than their names."""
    return isinstance(content, list) and any(
        map(_ObservationPrinter(ENGLISH, WIDTH).about, content)
    )


# ------------------------------------------------------------------------------- rows and columns


def in_columns(entries: Sequence[str], room: int | None = None) -> list[str]:
    """Return entries in as many columns as find room (None: on the output, behind an indent), to be
    read from the top to the bottom."""
    pitch = max(map(len, entries), default=0) + 3
    across = max(1, min((width() - len(STEP) if room is None else room) // pitch, MOST_COLUMNS))
    height = -(-len(entries) // across)
    rows = (entries[row::height] for row in range(height))
    return ["".join(f"{entry:<{pitch}}" for entry in row).rstrip() for row in rows]


def columns(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return rows of cells with the columns below each other: the first to the left, the others
    to the right."""
    lines = []
    for row, widths in _with_widths(rows):
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(wide) for cell, wide in others)]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def _with_widths(rows: Sequence[Sequence[str]]) -> Iterator[tuple[Sequence[str], list[int]]]:
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield from ((row, widths) for row in rows)
