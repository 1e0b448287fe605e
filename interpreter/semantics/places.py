"""Compiling places: what is handed to a verb as a zone or `field of`, and what stands there.

A place is found out when the verb is called, so who sees it and whether it is a pile is known only
then: reading through a place asks what reading a field knows beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.dsl import model
from rulewright.interpreter.semantics.closures import Code, Compiler, PlaceCode, nothing_there
from rulewright.interpreter.state.errors import Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, PlaceValue, Thing, Value
from rulewright.interpreter.state.visibility import Guard


def contents(store: Store, place: PlaceValue) -> Value:
    """Return what stands or lies at a place, without asking who sees it."""
    value = store.columns[place.slot][place.index]
    return value if place.key_index is None else value[place.key_index]


def read_place(compiler: Compiler, expression: model.Contents, *, ordered: bool = True) -> Code:
    """What lies in a zone, or stands in a field, that was handed on."""
    found, visibility = compiler.place(expression.place), compiler.visibility
    bags = compiler.layout.bag_slots

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        place = found(store, me, locals)
        if store.viewer is not None:
            _meet(visibility.guard(place.slot), store, place)
        if ordered and place.slot in bags:
            undecided = store.columns[bags[place.slot]][place.index]
            if undecided:
                raise Undecided(place.slot, place.index, undecided)
        return contents(store, place)

    return code


def count_place(compiler: Compiler, expression: model.Contents) -> Code:
    """A zone that was handed on, of which only the number of things is asked."""
    found, visibility = compiler.place(expression.place), compiler.visibility

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        place = found(store, me, locals)
        if store.viewer is not None:
            _meet(visibility.guard(place.slot, True), store, place)
        return contents(store, place)

    return code


def top_place(compiler: Compiler, expression: model.Contents, number: Code | None) -> Code:
    """A pile that was handed on, of which only the top is looked at."""
    found, visibility = compiler.place(expression.place), compiler.visibility
    bags = compiler.layout.bag_slots

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        place = found(store, me, locals)
        if store.viewer is not None:
            _meet(visibility.guard(place.slot), store, place)
        pile = contents(store, place)
        undecided = store.columns[bags[place.slot]][place.index] if place.slot in bags else 0
        wanted = 1 if number is None else number(store, me, locals)
        missing = min(wanted, len(pile)) - (len(pile) - undecided)
        if undecided and missing > 0:
            raise Undecided(place.slot, place.index, missing)
        return pile

    return code


def _meet(guard: Guard | None, store: Store, place: PlaceValue) -> None:
    if guard is not None:
        guard(store, place.index)


def field_place(compiler: Compiler, place: model.FieldPlace) -> PlaceCode:
    """A field or zone to write to."""
    places = compiler.layout.places[compiler.layout.slots[place.field]]
    target = place.target
    if target is None:
        only = places[0]
        return lambda store, me, locals: only
    holder_code = compiler.expression(target)

    def code(store: Store, me: Thing | None, locals: Locals) -> PlaceValue:
        holder = holder_code(store, me, locals)
        try:
            number: int = holder.number
            return places[number]
        except AttributeError:
            raise nothing_there(target) from None

    return code


def entry_place(compiler: Compiler, place: model.EntryPlace) -> PlaceCode:
    """One entry of a family to write to."""
    slot = compiler.layout.slots[place.field]
    holder_code = None if place.target is None else compiler.expression(place.target)
    key = compiler.expression(place.key)

    def code(store: Store, me: Thing | None, locals: Locals) -> PlaceValue:
        holder = None
        if holder_code is not None:
            holder = holder_code(store, me, locals)
            if holder is None:
                assert place.target is not None
                raise nothing_there(place.target)
        of = key(store, me, locals)
        if of is None:
            raise nothing_there(place.key)
        return PlaceValue(slot, holder, int(of) if isinstance(of, bool) else of.number)

    return code


def local_place(compiler: Compiler, place: model.LocalPlace) -> PlaceCode:
    """The place that a parameter holds."""
    name = place.name

    def code(store: Store, me: Thing | None, locals: Locals) -> PlaceValue:
        held: PlaceValue = locals[name]
        return held

    return code


def applied_place(compiler: Compiler, place: model.AppliedPlace) -> PlaceCode:
    """A place about `it`, applied to a value."""
    argument, function = compiler.expression(place.argument), place.function
    if isinstance(function, model.PlaceLambda):
        name, body = function.parameter, compiler.place(function.place)

        def at_once(store: Store, me: Thing | None, locals: Locals) -> PlaceValue:
            inner = locals.copy()
            inner[name] = argument(store, me, locals)
            return body(store, me, inner)

        return at_once
    closure = compiler.expression(function)

    def code(store: Store, me: Thing | None, locals: Locals) -> PlaceValue:
        value = argument(store, me, locals)
        return compiler.apply_place(closure(store, me, locals), value, store, me)

    return code


def blind_place(compiler: Compiler, expression: model.Contents) -> Code:
    """A zone that was handed on, read without asking who sees it."""
    found = compiler.place(expression.place)
    return lambda store, me, locals: contents(store, found(store, me, locals))


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {model.Contents: read_place}

PLACES: Mapping[type, Callable[[Compiler, Any], PlaceCode]] = {
    model.FieldPlace: field_place,
    model.EntryPlace: entry_place,
    model.LocalPlace: local_place,
    model.AppliedPlace: applied_place,
}
