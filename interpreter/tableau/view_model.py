"""The table as one seat sees it, as data from which a page can be made: what each part has to say.

All names are those of the JSON document that `as_json` makes. Texts are in the language of the seat.
What is said of a part holds for every game; nothing here knows one.

A *handle* (`t12`) names a thing for one seat (`handles`). A *reference* is a handle, a seat (`p1`),
a zone (`g.deck`, `p0.hand`, `t3.inside`), a place in a row (`p1.hidden/2`), or a value of an
enumeration (`Sort:water`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

VERSION = 1
"""Grows when a client that knows the older form cannot read the newer one."""


@attrs.frozen
class FactView:
    """One value: of a field, of an entry of a family (then `name` is its key), or of a list."""

    name: str
    type: str
    """`none`, `flag`, `number`, `text`, `enum`, `player`, `thing`, `family`, `list` or `unknown`."""

    text: str
    """The value in words, whatever its type."""

    value: int | bool | None = None
    """Of a number or flag."""

    unit: str | None = None
    """Of a number: the unit that its rules give it."""

    enum: str | None = None
    """Of a value of an enumeration: the name of that."""

    n: int | None = None
    """Of a value of an enumeration: its place there, from 0."""

    word: str | None = None
    """Of a value of an enumeration: the author's word for it, whatever the language."""

    seat: int | None = None
    """Of a player: the number of the seat."""

    ref: str | None = None
    """Of a thing that is seen: its handle."""

    entries: tuple[FactView, ...] | None = None
    """Of a family: its values, each named by its key; `key` says what the key is."""

    key: FactView | None = None
    """Of an entry of a family: its key as a value."""

    items: tuple[FactView, ...] | None = None
    """Of a list."""

    formula: str | None = None
    """The formula that gives the value, as it is written."""

    said: bool | None = None
    """Whether the title of the thing says it already."""

    start: bool | None = None
    """Whether it is what it was at the beginning, so that it says little."""


@attrs.frozen
class ThingView:
    """A thing that the seat sees."""

    id: str
    """Its handle."""

    kind: str
    """The kind, in the language of the seat."""

    title: str
    """Its name, or that of its kind if it has none."""

    named: bool
    """Whether it has a name of its own."""

    label: str
    """What it is called in menus."""

    printed: tuple[FactView, ...] = ()
    facts: tuple[FactView, ...] = ()
    """What its state fields hold, without what says nothing."""

    zones: tuple[ZoneView, ...] = ()
    owner: int | None = None
    """The first seat that its fields name."""


@attrs.frozen
class NoteView:
    """What is seen of a thing that lies hidden."""

    place: int | None
    """Where it lies in its zone, from 0; None if places cannot be told apart there."""

    facts: tuple[FactView, ...]


@attrs.frozen
class ZoneView:
    """A zone of the game, of a seat or of a thing, of which the seat sees at least how full it is."""

    id: str
    name: str
    shape: str
    """`cards`, `row`, `pile` or `slot`."""

    ordered: bool
    see: str
    """`all`, or `count`: then there are no things here, only notes."""

    count: int
    things: tuple[ThingView, ...] = ()
    """In a pile the topmost is the last one. In unordered zones the order tells nothing."""

    undecided: int = 0
    """So many of the first ones lie in an order that nobody knows."""

    notes: tuple[NoteView, ...] = ()


@attrs.frozen
class HolderView:
    """What belongs to the game itself: its zones and fields."""

    zones: tuple[ZoneView, ...] = ()
    facts: tuple[FactView, ...] = ()


@attrs.frozen
class SeatView:
    """A seat, and what is seen of what belongs to it."""

    seat: int
    name: str
    you: bool
    acting: bool
    """Whether the game waits for it. Of those who act at once all are, whoever has answered."""

    zones: tuple[ZoneView, ...] = ()
    facts: tuple[FactView, ...] = ()
    neutral: bool = False
    """Whether it is a player without a seat, for whom chance decides."""


@attrs.frozen
class MarkView:
    """What is marked at a place of a map."""

    symbol: str
    words: str
    seat: int | None
    note: str
    count: int
    sort: str
    """`thing`, `player`, `reference`, `choice`, `flag`, `value`, `family` or `unseen`."""

    refs: tuple[str, ...] = ()
    """The handles of the things for which it stands."""


@attrs.frozen
class PlaceView:
    """A space of a board, or a place of a ring."""

    id: str
    """The handle of the thing that it is."""

    name: str
    across: int
    """On a board: in halves of a width from the left edge of the world; on a ring: its number."""

    up: int
    thing: ThingView
    marks: tuple[MarkView, ...] = ()


@attrs.frozen
class LegendView:
    """What a symbol of a map stands for."""

    symbol: str
    words: str
    seat: int | None


@attrs.frozen
class MapView:
    """A board or ring."""

    kind: str
    """The kind of its places, as it is called in the rules."""

    title: str
    shape: str
    """`ring`, `board`, or `hexagons`: then each row is half a width aside of the next one."""

    places: tuple[PlaceView, ...]
    legend: tuple[LegendView, ...] = ()
    columns: Mapping[str, str] = attrs.field(factory=dict)
    """The numbers of the columns by `across`, if somebody may be asked for one."""


@attrs.frozen
class OptionView:
    """One possible answer."""

    id: int
    """Its number, which is valid for this question only (`n`)."""

    label: str
    kind: str
    """`choose`, `number`, `piece` (of several things), `done`, `yes`, `no`, `arm` or `offer`."""

    refs: tuple[str, ...] = ()
    """What it stands for. Of alike things that are options of their own, each has another one."""

    touches: tuple[str, ...] = ()
    """Of an option that refers to nothing: the places of a map at which what the seat sees would change."""

    verb: str | None = None
    """The name of the verb in the rules, if it is one."""

    unproved: bool = False
    """Whether it may turn out to be a dead end, so that the question is asked again."""

    number: int | None = None
    """Of an option that is a number: which one."""


@attrs.frozen
class TargetView:
    """One among whom something is distributed."""

    index: int
    """Its number among the amounts."""

    label: str
    refs: tuple[str, ...]
    high: int
    """What it can get at most."""

    group: int
    """Targets with the same number cannot be told apart."""

    title: str
    """The label without what is there only to tell it from those of its group."""


@attrs.frozen
class CannotView:
    """What could be asked for, but is not possible now."""

    label: str
    refs: tuple[str, ...]
    reasons: tuple[ReasonView, ...] = ()
    """The first reason at most: `why` tells all of them, and what they come from."""


@attrs.frozen
class ReasonView:
    """Why something is not possible."""

    text: str
    rule: str = ""
    place: str = ""
    """`file:line`."""

    variant: str = ""
    values: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    quotes: tuple[QuoteView, ...] = ()
    behind: tuple[ReasonView, ...] = ()


@attrs.frozen
class QuoteView:
    """What a section of a rule book says."""

    book: str
    section: str
    says: tuple[str, ...]
    more: int = 0
    """How many more statements it has."""


@attrs.frozen
class QuestionView:
    """What the seat is asked."""

    n: int
    """The number that an answer must carry: that of the tableau."""

    kind: str
    """`one`, `numbers`, `several`, `split`, `may` or `either`."""

    site: str
    prompt: str
    low: int
    high: int
    left: int
    """Of a `split`: what is to be distributed."""

    ordered: bool
    """Whether the order matters in which several things are chosen."""

    whole: bool
    """Whether a list of options is wanted, be it of one."""

    picked: tuple[str, ...] = ()
    """What has been chosen before, one by one; of a `split` what the first targets get."""

    range: tuple[int, int] | None = None
    """The least and the greatest number, if there are too many to be listed."""

    targets: tuple[TargetView, ...] = ()
    """Of a `split`. It is answered with an amount for each of them."""

    context: tuple[str, ...] = ()
    """References to what the seat has named so far in what it is doing."""

    pause: bool = False
    """Whether nothing is asked but whether an offer is taken."""

    forced: bool = False
    """Whether there is one possible answer only."""

    undo: bool = False
    options: tuple[OptionView, ...] = ()
    cannot: tuple[CannotView, ...] = ()


@attrs.frozen
class EntryView:
    """A line of the log."""

    n: int
    """Its number among all that the seat has noticed: it grows along the log."""

    depth: int
    seat: int | None
    """Who does it."""

    text: str
    """The whole line."""

    rest: str
    """The line without the name of who does it, if it begins with that."""

    turn: bool = False
    """Whether it is the heading of what somebody does now."""

    refs: tuple[str, ...] = ()
    """What it speaks of, as far as it is seen now."""

    count: int = 1
    """How many times it came, one after the other."""


@attrs.frozen
class LineView:
    """A line of the score sheet, or a criterion of the ranking: a value for each seat."""

    name: str
    values: tuple[str, ...]
    numbers: tuple[int | None, ...]
    """The values that are numbers."""

    most: bool = True
    """Of a criterion: whether the greatest is the best."""


@attrs.frozen
class EndView:
    """How the game came out."""

    reason: str | None
    places: tuple[int, ...]
    winners: tuple[int, ...]
    tells_winners: bool
    """Whether somebody can win at all: who is alone with his points cannot."""

    returns: tuple[float, ...]
    sheet: tuple[LineView, ...] = ()
    criteria: tuple[LineView, ...] = ()
    """The criteria that were needed to tell the seats apart."""


@attrs.frozen
class Tableau:
    """All that a seat, or a watcher (`seat` is None), is shown."""

    game: str
    """The title of the game."""

    n: int
    """The seat's own count of what it has noticed and answered."""

    seat: int | None
    together: bool
    """Whether several act at once."""

    running: tuple[str, ...]
    """What is being done, outermost first, in words."""

    shared: HolderView
    seats: tuple[SeatView, ...]
    maps: tuple[MapView, ...]
    loose: Mapping[str, tuple[ThingView, ...]]
    """By kind: the things that lie nowhere and are on no map."""

    question: QuestionView | None
    log: tuple[EntryView, ...]
    end: EndView | None
    undo: bool = False
    """Whether the seat can take back its last answer, also where it is not asked."""

    setback: tuple[str, ...] = ()
    """Why the last answer of the seat was taken back, if it could not be carried out."""

    enums: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """The author's words for the values of each enumeration, in order, so that a colour that is given to
    a value is the same in all views."""

    v: int = VERSION


def as_json(part: Any) -> Any:
    """Return a part of the view as mappings, lists, texts, numbers, flags and None.

    Of values (`FactView`) members that are None are left out; all other members are always there.
    """
    kind = type(part)
    # Most parts are plain: to ask what else they are would take most of the time.
    if kind in _PLAIN:
        return part
    names = _NAMES.get(kind)
    if names is not None:
        pairs = [(name, getattr(part, name)) for name in names]
        if kind is FactView:
            return {name: as_json(one) for name, one in pairs if one is not None}
        return {name: one if type(one) in _PLAIN else as_json(one) for name, one in pairs}
    if isinstance(part, tuple | list):
        return [as_json(one) for one in part]
    if isinstance(part, Mapping):
        return {key: as_json(one) for key, one in part.items()}
    return part


_PLAIN = frozenset({str, int, bool, type(None)})

_NAMES: dict[type, tuple[str, ...]] = {
    cls: tuple(field.name for field in attrs.fields(cls))
    for cls in tuple(globals().values())
    if isinstance(cls, type) and attrs.has(cls)
}
