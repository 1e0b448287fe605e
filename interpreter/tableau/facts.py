"""Values of fields as facts: with their types, and only as far as the seat sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.observation import PLAYER, View
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.values import EnumValue, Thing, Value
from rulewright.interpreter.tableau.view_model import FactView
from rulewright.interpreter.words.text import printable

NOTHING: tuple[Value, ...] = (None, False, 0, "", ())
"""Values that say nothing about a thing."""

NAME = "name"


class Facts:
    """Makes facts for one view; `handle` names a thing that is seen."""

    def __init__(self, view: View, handle: Callable[[Thing], str]) -> None:
        self.view = view
        self.handle = handle
        self.layout = view.layout
        self.compiler = view.compiler
        self.say = view.compiler.words

    def name(self, field: model.Field) -> str:
        """Return what a field is called, in the language of the seat."""
        name = self.view.name(field) if not field.printed else field.name
        return self.named(name.replace(".", " ").replace("_", " "))

    def named(self, words: str) -> str:
        """Return a name of the rules in the language of the seat."""
        return printable(self.say.name(words))

    def words(self, value: Value) -> str:
        """Return a value in words, as the seat would name it."""
        return printable(self.view.words(value))

    def field(self, field: model.Field, value: Value) -> FactView:
        """Return what a field holds."""
        fact = self.fact(self.name(field), field.type, value)
        return attrs.evolve(fact, start=True) if self.is_start(field, value) else fact

    def is_start(self, field: model.Field, value: Value) -> bool:
        """Return whether a field holds what it did at the beginning, as far as the rules say it."""
        if field.default is None:
            return bool(value == self.layout.start_value(field.type))
        known, start = labels.constant_of(field.default, self.layout)
        return bool(known and type(start) is type(value) and start == value)

    def fact(self, name: str, kind: types.Type, value: Value) -> FactView:
        """Return a value of a type under a name."""
        kind = types.without_none(kind)
        match value:
            case None:
                return FactView(name, "none", self.words(None))
            case bool():
                return FactView(name, "flag", self.words(value), value=value)
            case int():
                unit = kind.unit if isinstance(kind, types.NumberType) else None
                unit = None if unit is None else self.named(unit)
                return FactView(name, "number", str(value), value=value, unit=unit)
            case EnumValue():
                return FactView(
                    name,
                    "enum",
                    self.words(value),
                    enum=value.enum,
                    n=value.order,
                    word=value.value,
                )
            case Thing():
                return self._thing(name, value)
            case tuple() if isinstance(kind, types.FamilyType):
                return self._family(name, kind, value)
            case tuple():
                inner = types.element(kind) or types.UNKNOWN
                items = tuple(self.fact("", inner, one) for one in value)
                text = " + ".join(one.text for one in items) or self.words(())
                return FactView(name, "list", text, items=items)
        return FactView(name, "text", self.words(value))

    def _thing(self, name: str, thing: Thing) -> FactView:
        if thing.kind == PLAYER:
            return FactView(name, "player", self.words(thing), seat=thing.number)
        ref = self.handle(thing) if self.sees(thing) else None
        return FactView(name, "thing", self.words(thing), ref=ref)

    def sees(self, thing: Thing) -> bool:
        """Return whether the seat sees a thing where it lies."""
        return self.compiler.sees_thing(self.view.store, thing, self.view.player)

    def _family(self, name: str, kind: types.FamilyType, entries: tuple[Value, ...]) -> FactView:
        """Return a family; the entries of hidden things in no order."""
        known: list[FactView] = []
        unknown: list[FactView] = []
        start = self.layout.start_value(kind.value)
        for key, entry in zip(self.layout.keys(kind.key), entries, strict=True):
            at_start = True if entry == start else None
            if isinstance(key, Thing) and not self.sees(key):
                fact = self.fact("?", kind.value, entry)
                unknown.append(attrs.evolve(fact, start=at_start))
                continue
            of = self.fact("", kind.key, key)
            fact = self.fact(of.text, kind.value, entry)
            known.append(attrs.evolve(fact, key=of, start=at_start))
        unknown.sort(key=lambda one: one.text)
        shown = (*known, *unknown)
        listed = (f"{one.name} {one.text}" for one in shown if not one.start)
        return FactView(name, "family", ", ".join(listed) or self.words(()), entries=shown)

    # ------------------------------------------------------------------------------ what is printed

    def printed(
        self, thing: Thing, title: str, but_for: tuple[str, ...] = ()
    ) -> Iterator[FactView]:
        """Yield what is printed on a thing besides its name; of formulas the value, if the seat sees all
        that they read."""
        kind = self.view.game.kinds[thing.kind]
        for id in kind.fields:
            field = self.view.game.fields[id]
            if not field.printed or field.internal or field.name in (NAME, *but_for):
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
        for id in self.view.game.kinds[thing.kind].fields:
            field = self.view.game.fields[id]
            if types.without_none(field.type) != types.ThingType(PLAYER):
                continue
            if field.printed:
                value = self._on(thing, field)
            else:
                place = self.layout.places[self.layout.slots[id]][thing.number]
                sees = self.compiler.visibility.sees(self.view.store, place, self.view.player)
                value = self.view.store.columns[place.slot][place.index] if sees else None
            if value is not None:
                return int(value.number)
        return None
