"""What of a view is drawn where: which answers stand on things, which in the bar, what lies on the table.

Templates ask it instead of deciding for themselves. Nothing here knows a game; all of it comes from one
view, so that a page can tell no more than the view does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulewright.interpreter.web import boards, rings
from rulewright.interpreter.web.colours import Palette, hue_of_name, names_a_colour

Json = Mapping[str, Any]

FEW_NUMBERS = 12
"""So many numbers are buttons; more are a field."""

FEW_VALUES = 4
"""On a thing with more numbers than these, zeros are left out."""

FEW_ENTRIES = 6
"""A family with more entries shows only what has changed."""


BIG_THING = 4
"""Things with more printed values are shown as tiles wherever they lie."""

LOOSE_SHOWN = 24
"""Of things that lie nowhere so many are shown at once."""


@attrs.frozen
class AmountField:
    """A field of a distribution: the target that it is for."""

    index: int
    label: str
    high: int
    first: bool
    """Whether it is the first of its group."""

    of: int
    """How many targets the group has."""


class Arrangement:
    """A view, prepared for drawing. Templates read its members."""

    def __init__(
        self, view: Json, picked: Sequence[int] = (), hinted: Sequence[Sequence[int]] = ()
    ) -> None:
        self.view = view
        self.seat: int | None = view["seat"]
        self.question: Json | None = view["question"]
        self.names: tuple[str, ...] = tuple(one["name"] for one in view["seats"])
        self.initials = initials(self.names)
        self.picked = tuple(picked)
        self.hinted = {
            number: place for place, one in reversed([*enumerate(hinted, 1)]) for number in one
        }
        self.palette = Palette(view.get("enums"))
        self._coloured: set[str] = set()
        self._learn(view)
        options: Sequence[Json] = self.question["options"] if self.question else ()
        self.whole = bool(self.question and self.question["whole"])
        self.context = frozenset(self.question["context"] if self.question else ())
        self._options: dict[str, list[Json]] = {}
        self._touching = _touching(options)
        for option in options:
            for ref in self._controls_of(option):
                self._options.setdefault(ref, []).append(option)
        self._cannot: dict[str, int] = {}
        for number, one in enumerate(self.question["cannot"] if self.question else ()):
            for ref in one["refs"]:
                self._cannot.setdefault(ref, number)
        self.maps = [
            rings.arranged(one) if one["shape"] == "ring" else boards.arranged(one, self)
            for one in view["maps"]
        ]
        on_maps = {place["id"] for one in view["maps"] for place in one["places"]}
        self.ring = next((one for one in self.maps if one["shape"] == "ring"), None)
        self.shared_zones = [
            zone for zone in view["shared"]["zones"] if zone["count"] and not _all_in(zone, on_maps)
        ]
        drawn = set(self._drawn())
        self.onboard = [one for one in options if drawn.intersection(self._controls_of(one))]
        aside = {one["id"] for one in self.onboard}
        others = [one for one in options if one["id"] not in aside]
        self.offers = [one for one in others if one["kind"] == "offer"]
        self.bar = [one for one in others if one["kind"] != "offer"]
        self.numbers = [one for one in self.bar if one["kind"] == "number"]
        self.cannot_listed = [
            (number, one)
            for number, one in enumerate(self.question["cannot"] if self.question else ())
        ]
        self._menus: dict[tuple[int, ...], int] = {}
        self.me: Json | None = None if self.seat is None else view["seats"][self.seat]
        count = len(view["seats"])
        first = 0 if self.seat is None else self.seat + 1
        turned = [view["seats"][(first + n) % count] for n in range(count)]
        self.others: list[Json] = [one for one in turned if one["seat"] != self.seat]
        self.acting: list[Json] = [one for one in view["seats"] if one["acting"]]
        self.looks_at_hand = self._looks_at_hand()

    # ----------------------------------------------------------------------------- the answers

    def options_at(self, *refs: str) -> list[Json]:
        """Return the options that a click on what is called so may give, each once."""
        found: dict[int, Json] = {}
        for ref in refs:
            for one in self._options.get(ref, ()):
                found[one["id"]] = one
        return list(found.values())

    def cannot_at(self, ref: str) -> int | None:
        """Return the number of what cannot be chosen there."""
        return self._cannot.get(ref)

    def menu(self, refs: Sequence[str]) -> int:
        """Return the number of the menu with all answers that belong to what is called so."""
        options = tuple(one["id"] for one in self.options_at(*refs))
        return self._menus.setdefault(options, len(self._menus))

    def menu_items(self) -> list[tuple[int, list[Json]]]:
        """Return the menus that have been asked for, with their options."""
        options = {one["id"]: one for one in (self.question["options"] if self.question else ())}
        return [(number, [options[id] for id in ids]) for ids, number in self._menus.items()]

    def label_of(self, number: int) -> str:
        """Return what an option is called."""
        options = self.question["options"] if self.question else ()
        return next((one["label"] for one in options if one["id"] == number), "")

    def amounts(self) -> list[AmountField]:
        """Return the fields of a distribution. Of alike targets no more than can get something."""
        assert self.question is not None
        left = self.question["left"]
        groups: dict[int, list[Json]] = {}
        for one in self.question["targets"]:
            groups.setdefault(one["group"], []).append(one)
        return [
            AmountField(
                one["index"],
                one["title"] or one["label"],
                min(one["high"], left),
                not n,
                len(group),
            )
            for group in groups.values()
            for n, one in enumerate(group[: max(left, 1)])
        ]

    @property
    def most(self) -> int:
        """How many can be chosen at most."""
        assert self.question is not None
        high: int = self.question["high"]
        return min(high, len(self.question["options"]))

    # ------------------------------------------------------------------------------- the looks

    def hue(self, fact: Json) -> str:
        """Return the class for the colour of a value of an enumeration."""
        return self.palette.hue(fact["enum"], fact["n"]) if "enum" in fact else "plain"

    def flag_hue(self, fact: Json) -> str:
        """Return the class for a flag whose name may say a colour."""
        return hue_of_name(fact["name"])

    def band(self, thing: Json) -> str:
        """Return the class for the band of a thing: the value that names a colour, or else the first."""
        values = [one for one in thing["printed"] if one["type"] == "enum"]
        colours = [one for one in values if names_a_colour(one["word"])]
        if colours:
            return self.hue(colours[0])
        # A card without a colour, among such as have one, stays white.
        if not values or (thing["named"] and thing["kind"] in self._coloured):
            return "plain"
        return self.hue(values[0])

    def shown(self, thing: Json) -> list[Json]:
        """Return the printed values that are numbers or texts and worth a line."""
        numbers = [one for one in thing["printed"] if one["type"] in ("number", "unknown")]
        crowded = len(numbers) > FEW_VALUES
        return [
            one
            for one in thing["printed"]
            if one["type"] not in ("enum", "flag", "none")
            and not one.get("said")
            and not (
                crowded and one["type"] == "number" and one["value"] == 0 and not one.get("formula")
            )
        ]

    def telling(self, facts: Iterable[Json]) -> list[Json]:
        """Return the values of a seat or of the game that say anything."""
        return [one for one in facts if _says(one)]

    def entries(self, fact: Json) -> list[Json]:
        """Return the entries of a family; of a long one those that have changed."""
        entries: list[Json] = fact["entries"]
        if len(entries) <= FEW_ENTRIES:
            return entries
        return [one for one in entries if not one.get("start") and one.get("value") != 0]

    def merged(self, things: Sequence[Json]) -> list[tuple[Json, int]]:
        """Return things with how often they are there; where answers differ, they are not the same."""
        found: dict[str, tuple[Json, int]] = {}
        for one in things:
            key = self._likeness(one)
            first, count = found.get(key, (one, 0))
            found[key] = (first, count + 1)
        return list(found.values())

    def is_stack(self, zone: Json) -> bool:
        """Return whether only the topmost thing of a zone is shown."""
        return zone["shape"] == "pile" and len(zone["things"]) > 1 and not self.is_asked(zone)

    def is_asked(self, zone: Json) -> bool:
        """Return whether a thing of a zone can be chosen."""
        return any(self._asked_in(one) for one in zone["things"])

    def is_big(self, zone: Json) -> bool:
        """Return whether the things of a zone are shown as tiles although they are no hand."""
        return any(len(one["printed"]) > BIG_THING or self._asked_in(one) for one in zone["things"])

    def has_answers(self, zone: Json) -> bool:
        """Return whether places of a hidden zone can be chosen one by one."""
        return any(self._options.get(f"{zone['id']}/{n}") for n in range(zone["count"]))

    def loose(self) -> Iterator[tuple[str, list[Json], bool]]:
        """Yield what lies nowhere: the kind, its things, and whether they are shown at once."""
        for kind, things in self.view["loose"].items():
            asked = any(self._asked_in(one) for one in things)
            telling = any(one["printed"] or one["facts"] or one["zones"] for one in things)
            if things and (asked or telling):
                yield kind, list(things), asked or len(things) <= LOOSE_SHOWN

    # ---------------------------------------------------------------------------------- inside

    def _learn(self, part: Any) -> None:
        """Note the values of all enumerations, and which kinds have a colour of their own; of a mapping or
        a list."""
        if isinstance(part, Mapping):
            if part.get("enum") is not None and "word" in part:
                self.palette.learn(part["enum"], part["n"], part["word"])
            if "printed" in part and any(
                names_a_colour(one.get("word") or "") for one in part["printed"]
            ):
                self._coloured.add(part["kind"])
            parts: Iterable[Any] = part.values()
        else:
            parts = part
        for one in parts:
            if isinstance(one, dict | list | tuple):
                self._learn(one)

    def _controls_of(self, option: Json) -> Sequence[str]:
        """Return the references on which a click gives this answer."""
        refs: Sequence[str] = option["refs"]
        touches: Sequence[str] = option["touches"]
        return touches if touches and self._touching else refs

    def _drawn(self) -> Iterator[str]:
        """Yield all references at which a page draws something that can be clicked."""
        view = self.view
        for one in view["seats"]:
            yield f"p{one['seat']}"
            yield from self._drawn_in(one["zones"])
        yield from self._drawn_in(view["shared"]["zones"])
        for one in view["maps"]:
            for place in one["places"]:
                yield place["id"]
                yield from self._drawn_in(place["thing"]["zones"])
                for mark in place["marks"]:
                    yield from mark["refs"]
        for things in view["loose"].values():
            yield from self._drawn_things(things)

    def _drawn_in(self, zones: Sequence[Json]) -> Iterator[str]:
        for zone in zones:
            yield zone["id"]
            if zone["see"] == "all":
                yield from self._drawn_things(zone["things"])
            else:
                yield from (f"{zone['id']}/{n}" for n in range(zone["count"]))

    def _drawn_things(self, things: Sequence[Json]) -> Iterator[str]:
        for one in things:
            yield one["id"]
            yield from self._drawn_in(one["zones"])

    def _asked_in(self, thing: Json) -> bool:
        return any(ref in self._options for ref in self._drawn_things([thing]))

    def _likeness(self, thing: Json) -> str:
        """Return a text that is the same for things that look the same and give the same answers."""

        def plain(part: Any) -> Any:
            if isinstance(part, Mapping):
                return {
                    name: plain(one)
                    for name, one in part.items()
                    if name not in ("id", "label", "ref")
                }
            return [plain(one) for one in part] if isinstance(part, list | tuple) else part

        answers = [one["id"] for one in self.options_at(*self._drawn_things([thing]))]
        barred = self._cannot.get(thing["id"])
        # Of several things to be picked each has a box of its own.
        own = thing["id"] if answers and self.whole else ""
        return json.dumps([plain(thing), answers, barred, own], sort_keys=True)

    def _looks_at_hand(self) -> bool:
        """Return whether most answers lie among what belongs to the seat."""
        if self.me is None:
            return False
        mine = set(self._drawn_in(self.me["zones"]))
        at = [any(ref in mine for ref in self._controls_of(one)) for one in self.onboard]
        return 2 * sum(at) > len(at)


def initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return short signs for names, as short as they can be without being another's."""
    found = []
    for number, name in enumerate(names):
        others = [one for n, one in enumerate(names) if n != number]
        fitting = (
            name[:length].upper() if length == 1 else name[:length]
            for length in (1, 2)
            if name[:length].strip()
            and all(one[:length].casefold() != name[:length].casefold() for one in others)
        )
        found.append(next(fitting, str(number + 1)))
    return tuple(found)


def _touching(options: Sequence[Json]) -> bool:
    """Return whether answers that name nothing are given by a click on the place that they change: only if
    each has one of its own, or else some numbers would stand on the board and others beside it."""
    places = [tuple(one["touches"]) for one in options if not one["refs"]]
    plain = [one for one in places if one]
    others = [one for one in options if not one["refs"] and not one["touches"]]
    return (
        len(set(plain)) == len(plain)
        and all(len(one) == 1 for one in plain)
        and all(one["kind"] != "number" for one in others)
    )


def _all_in(zone: Json, ids: set[str]) -> bool:
    return bool(zone["things"]) and all(one["id"] in ids for one in zone["things"])


def _says(fact: Json) -> bool:
    kind = fact["type"]
    if kind == "none" or (kind == "list" and not fact["items"]):
        return False
    if kind == "flag":
        return bool(fact["value"])
    if kind == "number":
        return bool(fact["value"] or fact.get("unit"))
    return True
