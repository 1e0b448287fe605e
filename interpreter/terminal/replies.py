"""Reads what a person types at a prompt: the chosen options, or one line that says what is unclear.

One option is chosen by its number or by the beginning of its label, if only one begins so, or by the
name of its verb; case does not matter. Several are chosen by numbers and stretches of numbers:
`1 3 4`, `2-5`, `none`. If options are numbers themselves, what is typed is the number that is meant,
and never a place in a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import attrs

from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.words.translation import ENGLISH, Words

_STRETCH = re.compile(r"(\d{1,9})(?:\s*(?:-|\.\.)\s*(\d{1,9}))?")
_NUMBER = re.compile(r"-?\d{1,16}")
_VALUES = re.compile(r"(-?\d{1,16})(?:(?:-|\.\.)(-?\d{1,16}))?")
NONE_WORDS = ("none", "nothing", "-")
CANDIDATES_SHOWN = 4
NUMBERS_SHOWN = 20


Filling = str | int | Callable[[Words], str]
"""What stands in the braces of a text; a function says it in a language."""


class Unclear(Exception):
    """The reply fits no option, or several; the text is one line, with what stands in its braces."""

    def __init__(self, text: str, **filled: Filling) -> None:
        self.text = text
        self.filled = filled
        super().__init__(self.told(ENGLISH))

    def told(self, say: Words) -> str:
        """Return the text in a language."""
        told = {name: one(say) if callable(one) else one for name, one in self.filled.items()}
        return say(self.text, **told) if told else say(self.text)


@attrs.frozen
class Menu:
    """What can be answered: the labels of the options, and how many of them make an answer."""

    labels: Sequence[str]
    low: int = 1
    high: int = 1
    several: bool = False
    """Whether a list of options is wanted, be it one of a single option."""

    ordered: bool = False
    """Whether the order in which they are given matters."""

    names: Sequence[str] = ()
    """What the options are called in the rules, if they are verbs: this is understood, too."""

    beside: Sequence[str] = ()
    """Where several options are wanted: the labels of offers, of which one can be taken instead.
    They have the places behind the options."""

    @property
    def numbers(self) -> list[str]:
        """The options that are numbers."""
        return [label for label in self.labels if _NUMBER.fullmatch(label)]

    @property
    def numeric(self) -> bool:
        """Whether there are options that are numbers, so that a number means itself."""
        return any(_NUMBER.fullmatch(label) for label in self.labels)

    @property
    def misleading(self) -> bool:
        """Whether a number could be taken for a place in the list, and another one meant by it."""
        places = map(str, range(1, len(self.labels) + 1))
        return self.numeric and list(self.labels) != list(places)


def read(menu: Menu, reply: str, commands: Iterable[str] = ()) -> tuple[int, ...]:
    """Return the places of the chosen options, from 0; raise `Unclear` if that is not clear.

    `commands` is what could have been meant instead.
    """
    reply = " ".join(reply.split())
    if menu.several:
        taken = _offer(menu, reply)
        return _several(menu, reply, commands) if taken is None else (taken,)
    if menu.numeric and _NUMBER.fullmatch(reply):
        wanted = str(int(reply))
        if wanted in menu.labels:
            return (menu.labels.index(wanted),)
        raise _not_here(menu, wanted)
    if re.fullmatch(r"-\d+", reply):
        raise _no_place(menu, reply)
    if reply.isascii() and reply.isdigit():
        return (_place(menu, reply),)
    return (_by_label(menu, reply, commands),)


def read_amounts(reply: str) -> list[int] | None:
    """Return several numbers, as a whole distribution is given; None if there are not several."""
    parts = reply.replace(",", " ").split()
    if len(parts) < 2 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    return [int(part) for part in parts]


def read_number(numbers: range, reply: str) -> int:
    """Return a number out of a long range."""
    text = "".join(reply.split())
    if not _NUMBER.fullmatch(text):
        raise Unclear("`{reply}` is no number", reply=reply)
    if int(text) not in numbers:
        raise Unclear(
            "{number} is not one of {low} to {high}",
            number=int(text),
            low=numbers[0],
            high=numbers[-1],
        )
    return int(text)


def _not_here(menu: Menu, wanted: str) -> Unclear:
    numbers = menu.numbers
    shown = ", ".join(numbers[:NUMBERS_SHOWN])
    return Unclear(
        "{wanted} is not possible here: the numbers are {listed}",
        wanted=wanted,
        listed=partial(_and_more, shown, len(numbers) - NUMBERS_SHOWN),
    )


def _and_more(shown: str, more: int, say: Words) -> str:
    return say("{listed} and {number} more", listed=shown, number=more) if more > 0 else shown


def _offer(menu: Menu, reply: str) -> int | None:
    """Return the place of the offer that is meant, if one is: by its place or its label."""
    first = len(menu.labels)
    if not menu.numeric and reply.isascii() and reply.isdigit():
        number = int(reply[:10])
        return number - 1 if first < number <= first + len(menu.beside) else None
    wanted = reply.casefold()
    fitting = [
        place
        for place, label in enumerate(menu.beside, first)
        if wanted and " ".join(label.casefold().split()).startswith(wanted)
    ]
    if len(fitting) == 1 and not any(one.casefold().startswith(wanted) for one in menu.labels):
        return fitting[0]
    return None


def _several(menu: Menu, reply: str, commands: Iterable[str]) -> tuple[int, ...]:
    if reply.casefold() in NONE_WORDS:
        chosen: list[int] = []
    elif re.fullmatch(r"[\d\s,.-]+", reply):
        chosen = _valued(menu, reply) if menu.numeric else _places(menu, reply)
    elif reply.casefold() == "all":
        chosen = list(range(len(menu.labels)))
    else:
        # Labels may hold commas, so the whole reply is tried as one label first.
        chosen = [_by_label(menu, reply, commands)]
    twice = next((place for place in chosen if chosen.count(place) > 1), None)
    if twice is not None:
        raise Unclear("{number} is given twice", number=twice + 1)
    if not menu.low <= len(chosen) <= menu.high:
        raise Unclear(
            "{expected} are wanted, not {found}",
            expected=partial(how_many, menu),
            found=len(chosen),
        )
    return tuple(chosen if menu.ordered else sorted(chosen))


def how_many(menu: Menu, say: Words = ENGLISH) -> str:
    """Return how many options make an answer: `2`, `1 to 3`, `any number`."""
    if menu.low == menu.high:
        return str(menu.low)
    if menu.low == 0:
        everything = menu.high >= len(menu.labels)
        return say("any number") if everything else say("up to {high}", high=menu.high)
    return say("{low} to {high}", low=menu.low, high=menu.high)


def _places(menu: Menu, reply: str) -> list[int]:
    if re.fullmatch(r"-\d+", reply):
        raise _no_place(menu, reply)
    chosen: list[int] = []
    for part in re.sub(r"\s*(-|\.\.)\s*", r"\1", reply).replace(",", " ").split():
        match = _STRETCH.fullmatch(part)
        if match is None:
            raise Unclear("`{part}` is no number and no stretch such as 2-4", part=part)
        first = _place(menu, match[1])
        last = first if match[2] is None else _place(menu, match[2])
        if last < first:
            raise Unclear("`{part}` runs backwards", part=part)
        chosen += range(first, last + 1)
    return chosen


def _place(menu: Menu, digits: str) -> int:
    number = int(digits[:10])
    if not 1 <= number <= len(menu.labels):
        raise _no_place(menu, digits)
    return number - 1


def _no_place(menu: Menu, digits: str) -> Unclear:
    count = len(menu.labels)
    if count == 1:
        return Unclear("there is no option {number}: there is only option 1", number=digits[:10])
    text = "there is no option {number}: the options are 1 to {count}"
    return Unclear(text, number=digits[:10], count=count)


def _valued(menu: Menu, reply: str) -> list[int]:
    """Return the places of numbers that are given by themselves; equal ones stand for each other."""
    left = list(enumerate(menu.labels))
    chosen: list[int] = []
    for part in re.sub(r"(?<=\d)\s*\.\.\s*", "..", reply).replace(",", " ").split():
        match = _VALUES.fullmatch(part)
        if match is None:
            raise Unclear("`{part}` is no number and no stretch such as 2-4", part=part)
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise Unclear("`{part}` runs backwards", part=part)
        if last - first > len(menu.labels):
            raise Unclear("not all of {part} are possible here", part=part)
        for number in range(first, last + 1):
            found = next((entry for entry in left if entry[1] == str(number)), None)
            if found is None and str(number) in menu.labels:
                raise Unclear("{number} is given too often", number=number)
            if found is None:
                raise _not_here(menu, str(number))
            left.remove(found)
            chosen.append(found[0])
    return chosen


def _by_label(menu: Menu, reply: str, commands: Iterable[str]) -> int:
    wanted = reply.casefold()
    folded = [" ".join(label.casefold().split()) for label in menu.labels]
    if wanted in folded:
        return folded.index(wanted)
    called = [" ".join(name.casefold().split("_")) for name in menu.names]
    if wanted and called.count(wanted.replace("_", " ")) == 1:
        return called.index(wanted.replace("_", " "))
    fitting = [place for place, label in enumerate(folded) if label.startswith(wanted)]
    if len(fitting) == 1 and wanted:
        return fitting[0]
    if len(fitting) > 1 and wanted:
        shown = ", ".join(
            f"{place + 1} ({menu.labels[place]})" for place in fitting[:CANDIDATES_SHOWN]
        )
        more = len(fitting) - CANDIDATES_SHOWN
        raise Unclear(
            "`{reply}` fits {listed}", reply=reply, listed=partial(_and_more, shown, more)
        )
    near = nearest(reply, [*menu.labels, *menu.names, *commands])
    if near:
        raise Unclear("`{reply}` is no option; did you mean `{near}`?", reply=reply, near=near[0])
    raise Unclear("`{reply}` is no option; `?` shows what can be typed", reply=reply)
