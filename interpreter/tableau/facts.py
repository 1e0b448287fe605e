"""Values of fields as facts: with their types, and only as far as the seat sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.observation import PLAYER, View
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.closures import constant_of
from rulewright.interpreter.state.values import EnumValue, Thing, Value
from rulewright.interpreter.tableau.view_model import FactView
from rulewright.interpreter.words.text import legible, printable

NOTHING: tuple[Value, ...] = (None, False, 0, "", ())
"""Values that say nothing about a thing."""

NAME = "name"


class Facts:
    """Makes facts for one view; `handle` names a thing that is `shown` there."""

    def __init__(
        self, view: View, handle: Callable[[Thing], str], shown: Callable[[Thing], bool]
    ) -> None:
        self.view = view
        self.handle = handle
        self.shown = shown
        self.layout = view.layout
        self.compiler = view.compiler
        self.say = view.compiler.words
        self._names: dict[str, str] = {}
        self._starts: dict[str, tuple[bool, Value]] = {}
        self._words: dict[Value, str] = {}
        self._fields: dict[str, Sequence[model.Field]] = {}
        self._of_players: dict[str, Sequence[model.Field]] = {}

    def name(self, field: model.Field) -> str:
        """Return what a field is called, in the language of the seat."""
        found = self._names.get(field.id)
        if found is None:
            name = self.view.name(field) if not field.printed else field.name
            found = self.named(name.replace(".", " ").replace("_", " "))
            self._names[field.id] = found
        return found

    def named(self, words: str) -> str:
        """Return a name of the rules in the language of the seat."""
        return printable(self.say.name(words))

    def words(self, value: Value) -> str:
        """Return a value in words, as the seat would name it."""
        if isinstance(value, Thing | EnumValue):
            found = self._words.get(value)
            if found is None:
                found = self._words[value] = legible(self.view.words(value))
            return found
        return printable(self.view.words(value))

    def field(self, field: model.Field, value: Value) -> FactView:
        """Return what a field holds."""
        start = True if self.is_start(field, value) else None
        return self.fact(self.name(field), field.type, value, start)

    def is_start(self, field: model.Field, value: Value) -> bool:
        """Return whether a field holds what it did at the beginning, as far as the rules say it."""
        found = self._starts.get(field.id)
        if found is None:
            found = True, self.layout.start_value(field.type)
            if field.default is not None:
                found = constant_of(field.default, self.layout)
            self._starts[field.id] = found
        known, start = found
        return bool(known and type(start) is type(value) and start == value)

    def fact(
        self, name: str, kind: types.Type, value: Value, start: bool | None = None
    ) -> FactView:
        """Return a value of a type under a name; `start` says whether it is what it was at first."""
        kind = types.without_none(kind)
        match value:
            case None:
                return FactView(name, "none", self.words(None), start=start)
            case bool():
                return FactView(name, "flag", self.words(value), value=value, start=start)
            case int():
                unit = kind.unit if isinstance(kind, types.NumberType) else None
                unit = None if unit is None else self.named(unit)
                return FactView(name, "number", str(value), value=value, unit=unit, start=start)
            case EnumValue():
                return FactView(
                    name,
                    "enum",
                    self.words(value),
                    enum=value.enum,
                    n=value.order,
                    word=value.value,
                    start=start,
                )
            case Thing():
                return self._thing(name, value, start)
            case tuple() if isinstance(kind, types.FamilyType):
                return self._family(name, kind, value, start)
            case tuple():
                inner = types.element(kind) or types.UNKNOWN
                items = tuple(self.fact("", inner, one) for one in value)
                text = " + ".join(one.text for one in items) or self.words(())
                return FactView(name, "list", text, items=items, start=start)
        return FactView(name, "text", self.words(value), start=start)

    def _thing(self, name: str, thing: Thing, start: bool | None) -> FactView:
        if thing.kind == PLAYER:
            return FactView(name, "player", self.words(thing), seat=thing.number, start=start)
        ref = self.handle(thing) if self.shown(thing) else None
        return FactView(name, "thing", self.words(thing), ref=ref, start=start)

    def sees(self, thing: Thing) -> bool:
        """Return whether the seat sees a thing where it lies."""
        return self.compiler.sees_thing(self.view.store, thing, self.view.player)

    def _family(
        self, name: str, kind: types.FamilyType, entries: tuple[Value, ...], begun: bool | None
    ) -> FactView:
        """Return a family; the entries of hidden things in no order."""
        known: list[FactView] = []
        unknown: list[FactView] = []
        start = self.layout.start_value(kind.value)
        for key, entry in zip(self.layout.keys(kind.key), entries, strict=True):
            at_start = True if entry == start else None
            if isinstance(key, Thing) and not self.sees(key):
                unknown.append(self.fact("?", kind.value, entry, at_start))
                continue
            of = self.fact("", kind.key, key)
            fact = self.fact(of.text, kind.value, entry, at_start)
            known.append(attrs.evolve(fact, key=of))
        unknown.sort(key=lambda one: one.text)
        shown = (*known, *unknown)
        listed = (f"{one.name} {one.text}" for one in shown if not one.start)
        text = ", ".join(listed) or self.words(())
        return FactView(name, "family", text, entries=shown, start=begun)

    # ------------------------------------------------------------------------------ what is printed

    def printed(
        self, thing: Thing, title: str, but_for: tuple[str, ...] = ()
    ) -> Iterator[FactView]:
        """Yield what is printed on a thing besides its name; of formulas the value, if the seat sees all
        that they read."""
        kind = self.view.game.kinds[thing.kind]
        for field in self._printed_fields(kind):
            if field.name in but_for:
                continue
            formula = labels.formula_of(thing, field, self.compiler)
            if formula is None:
                value = self._on(thing, field)
                if value in (None, ()):
                    continue
                fact = self.fact(self.name(field), field.type, value)
            else:
                fact = self._worked_out(thing, field, formula.text)
            if kind.name_define is not None and labels.says(title, fact.text):
                fact = attrs.evolve(fact, said=True)
            yield fact

    def _printed_fields(self, kind: model.Kind) -> Sequence[model.Field]:
        found = self._fields.get(kind.name)
        if found is None:
            fields = (self.view.game.fields[id] for id in kind.fields)
            found = tuple(
                one for one in fields if one.printed and not one.internal and one.name != NAME
            )
            self._fields[kind.name] = found
        return found

    def _on(self, thing: Thing, field: model.Field) -> Value:
        slot = self.layout.slots[field.id]
        return (self.layout.printed.get(slot) or self.view.store.columns[slot])[thing.number]

    def _worked_out(self, thing: Thing, field: model.Field, formula: str) -> FactView:
        store, seat = self.view.store, self.view.player
        known, value = labels.seen_value(thing, field, seat, store, self.compiler)
        name = self.name(field)
        fact = self.fact(name, field.type, value) if known else FactView(name, "unknown", "?")
        return attrs.evolve(fact, formula=printable(formula))

    def owner(self, thing: Thing) -> int | None:
        """Return the first seat that the fields of a thing name."""
        for field in self._players(self.view.game.kinds[thing.kind]):
            if field.printed:
                value = self._on(thing, field)
            else:
                place = self.layout.places[self.layout.slots[field.id]][thing.number]
                sees = self.compiler.visibility.sees(self.view.store, place, self.view.player)
                value = self.view.store.columns[place.slot][place.index] if sees else None
            if value is not None:
                return int(value.number)
        return None

    def _players(self, kind: model.Kind) -> Sequence[model.Field]:
        """Return the fields of a kind that hold a player."""
        found = self._of_players.get(kind.name)
        if found is None:
            fields = (self.view.game.fields[id] for id in kind.fields)
            wanted = types.ThingType(PLAYER)
            found = tuple(one for one in fields if types.without_none(one.type) == wanted)
            self._of_players[kind.name] = found
        return found
