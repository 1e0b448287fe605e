"""What a form of a page holds when it is sent: the names of its fields are known here and in the templates.

| field | what it says |
| --- | --- |
| `n` | the number of the question that is answered |
| `option` | the number of an option; several times where several are chosen |
| `order` | the numbers of the chosen options as they were clicked, with commas (a script fills it in) |
| `place-3` | at which place option 3 comes, where there is no script |
| `amount-3` | what target 3 of a distribution gets |
| `number` | a number out of a range |
| `undo` | the last answer is taken back |
| `hint` | a hint is wanted; what was chosen so far is sent as well |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

MOST_FIELDS = 500
LONGEST_NUMBER = 12


@attrs.frozen
class Form:
    """What somebody has sent; numbers that are none are as if they were not there."""

    n: int = -1
    options: tuple[int, ...] = ()
    """In the order in which they are to be taken, each once."""

    amounts: Mapping[int, int] = attrs.field(factory=dict)
    number: int | None = None
    undo: bool = False
    hint: bool = False


def read_form(fields: Iterable[tuple[str, str]]) -> Form:
    """Return what the fields of a form say, as `parse_qsl` gives them; what has no meaning is left out."""
    n, number, undo, hint = -1, None, False, False
    chosen: dict[int, None] = {}
    order: list[int] = []
    places: list[tuple[int, int]] = []
    amounts: dict[int, int] = {}
    for count, (name, text) in enumerate(fields):
        if count >= MOST_FIELDS:
            break
        value = _number(text)
        word, _, place = name.partition("-")
        at = _number(place)
        if name == "undo":
            undo = True
        elif name == "hint":
            hint = True
        elif name == "order":
            order = [one for part in text.split(",") if (one := _number(part)) is not None]
        elif value is None:
            continue
        elif name == "n":
            n = value
        elif name == "option":
            chosen[value] = None
        elif name == "number":
            number = value
        elif word == "amount" and at is not None:
            amounts[at] = value
        elif word == "place" and at is not None:
            places.append((value, at))
    if not order and places:
        # A place is enough: the box beside it need not be ticked.
        order = [option for _, option in sorted(places)]
        chosen = {**dict.fromkeys(order), **chosen}
    known = [one for one in dict.fromkeys(order) if one in chosen]
    options = (*known, *(one for one in chosen if one not in known))
    return Form(n, options, amounts, number, undo, hint)


def _number(text: str) -> int | None:
    """Return a whole number as it is written in plain digits."""
    text = text.strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(text) <= LONGEST_NUMBER):
        return None
    return int(text)
