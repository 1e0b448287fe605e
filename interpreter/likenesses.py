"""Things of one name told apart: options with the same label in, what a person would say of each out.

    Man (side P1, C3)        where it lies
    fleet of P1 (damage 1)   what it has
    a face-down Tile (number 5)   which one of its row it is
    Apple (number 2)         nothing tells it apart

Only what the one who chooses sees is said: of a hidden thing not even where it lies, unless it lies at a
place of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.dsl import kinds, model
from rulewright.interpreter import labels
from rulewright.interpreter.compiling import Compiler
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import GONE, PlaceValue, Thing, Value


def told_apart(
    names: Sequence[str],
    values: Sequence[Value],
    viewer: Thing | None,
    store: Store,
    compiler: Compiler,
) -> list[str]:
    """Return the names of values; things of the same name each say what only some of them have, and
    where they lie."""
    found = list(names)
    teller = _Teller(viewer, store, compiler)
    for tell in (teller.having, teller.lying, teller.standing):
        groups: dict[str, list[int]] = {}
        for number, (name, value) in enumerate(zip(found, values, strict=True)):
            if isinstance(value, Thing):
                groups.setdefault(name, []).append(number)
        for name, numbers in groups.items():
            if len(numbers) < 2:
                continue
            said = tell([value for at in numbers if isinstance(value := values[at], Thing)])
            for at, words in zip(numbers, said, strict=True):
                if words:
                    found[at] = labels.with_words(name, words)
    return found


class _Teller:
    def __init__(self, viewer: Thing | None, store: Store, compiler: Compiler) -> None:
        self.viewer = viewer
        self.store = store
        self.compiler = compiler
        self.layout = compiler.layout

    def having(self, things: Sequence[Thing]) -> list[str]:
        """Return what things of one name have: what is printed on them, if that differs, and what their
        fields hold."""
        printed = [dict(self._printed(thing)) if self._sees(thing) else {} for thing in things]
        counted = Counter((name, text) for one in printed for name, text in one.items())
        return [
            ", ".join(
                [
                    *(
                        text
                        for name, text in one.items()
                        if text and counted[name, text] < len(things)
                    ),
                    *(self._held(thing) if self._sees(thing) else ()),
                ]
            )
            for thing, one in zip(things, printed, strict=True)
        ]

    def lying(self, things: Sequence[Thing]) -> list[str]:
        """Return where things of one name lie, if that tells them apart."""
        places = [self._place(thing) for thing in things]
        return ["" if len(set(places)) == 1 else place for place in places]

    def standing(self, things: Sequence[Thing]) -> list[str]:
        """Return which ones of their rows hidden things are: the same number as long as nothing moves,
        whatever else can be chosen."""
        return ["" if self._sees(thing) else self._number(thing) for thing in things]

    def _number(self, thing: Thing) -> str:
        place = self.store.columns[self.layout.place_slots[thing.kind]][thing.number]
        number = number_in_row(self.store, self.layout, thing)
        if number is None or self.viewer is None:
            return ""
        if not self.compiler.visibility.sees_count(self.store, place, self.viewer):
            return ""
        return self.compiler.words("number {number}", number=number)

    def _sees(self, thing: Thing) -> bool:
        return self.viewer is not None and self.compiler.visibility.sees_thing(
            self.store, thing, self.viewer
        )

    def _fields(self, thing: Thing) -> Iterator[model.Field]:
        kind = self.compiler.game.kinds.get(thing.kind)
        for id in () if kind is None else kind.fields:
            field = self.compiler.game.fields[id]
            if field.name != "name" and not field.internal:
                yield field

    def _printed(self, thing: Thing) -> Iterator[tuple[str, str]]:
        """Yield what is printed on a thing, by the names of the fields."""
        for field in self._fields(thing):
            if field.printed:
                value = labels.on(thing, field, self.viewer, self.store, self.compiler)
                yield field.name, self._detail(field, value)

    def _held(self, thing: Thing) -> Iterator[str]:
        for field in self._fields(thing):
            if field.printed or isinstance(field.type, kinds.ZoneType):
                continue
            place = self.layout.places[self.layout.slots[field.id]][thing.number]
            value = self.store.columns[place.slot][place.index]
            if value == self.layout.start_value(field.type) or self.viewer is None:
                continue
            if self.compiler.visibility.sees(self.store, place, self.viewer):
                told = self._detail(field, value)
                if told:
                    yield told

    def _detail(self, field: model.Field, value: Value) -> str:
        return labels.detail(field, value, self.viewer, self.store, self.compiler)

    def _place(self, thing: Thing) -> str:
        """Return where a thing lies, as far as who chooses may know: the thing at which it lies, or the
        zone."""
        place = self.store.columns[self.layout.place_slots[thing.kind]][thing.number]
        if not isinstance(place, PlaceValue) or place.slot == GONE or self.viewer is None:
            return ""
        if not self._sees(thing) and place.slot in self.layout.unordered:
            return ""
        holder = place.holder
        if holder is None or holder.kind == "Player":
            return labels.show_place(place, self.viewer, self.store, self.compiler)
        return self._name(holder) if self._sees(holder) else ""

    def _name(self, thing: Thing) -> str:
        return labels.show(thing, self.viewer, self.store, self.compiler)


def number_in_row(store: Store, layout: Layout, thing: Thing) -> int | None:
    """Return which one of a row a thing is, counted from 1; None if it lies in no row."""
    place = store.columns[layout.place_slots[thing.kind]][thing.number]
    zone = None if place is None else layout.zone(place.slot)
    if zone is None or zone.shape != "row":
        return None
    return list(store.columns[place.slot][place.index]).index(thing) + 1
