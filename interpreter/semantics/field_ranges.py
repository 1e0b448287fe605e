"""Compiling what the declaration of a field says: its start value, and the range it stays in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.semantics.closures import THIS, Compiler, constant, constant_of
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

Start: TypeAlias = Callable[[Store, Thing | None], Value]
"""What a field holds at the start, for a holder (None: the game)."""

RangeCheck: TypeAlias = Callable[[Store, Thing | None, Value, Span], None]
"""Raises a rules error at the span if a number of the field is out of its range."""


def compile_start(compiler: Compiler, field: model.Field) -> Start:
    """Return what computes the start value of a field."""
    layout, default = compiler.layout, field.default
    if default is None:
        value = layout.start_value(field.type)
        return lambda store, holder: value
    code = compiler.needed(default, _start_type(field.type, default.type))
    keys = 0
    if isinstance(field.type, types.FamilyType) and not isinstance(default.type, types.FamilyType):
        keys = len(layout.keys(field.type.key))
    me_of = _acting(compiler, field)

    def start(store: Store, holder: Thing | None) -> Value:
        value = code(store, me_of(store, holder), {THIS: holder})
        return (value,) * keys if keys else value

    return start


def _start_type(of: types.Type, given: types.Type) -> types.Type:
    """Return the type of a start value; a plain value stands for every entry of a family."""
    if isinstance(of, types.FamilyType) and not isinstance(given, types.FamilyType):
        return of.value
    return of


def compile_range(compiler: Compiler, field: model.Field) -> RangeCheck | None:
    """Return what checks that a number, or each entry of a family, is in the range of the field."""
    if field.low is None and field.high is None:
        return None
    low = constant(None) if field.low is None else compiler.expression(field.low)
    high = constant(None) if field.high is None else compiler.expression(field.high)
    me_of = _acting(compiler, field)
    family = isinstance(field.type, types.FamilyType)
    layout = compiler.layout
    limits = (end for end in (field.low, field.high) if end is not None)
    plain = all(constant_of(end, layout)[0] for end in limits)

    def seers(store: Store, holder: Thing | None) -> frozenset[int]:
        """Return who may be told the value: who sees the field, if the limits are no secret."""
        if not plain:
            return frozenset()
        places = layout.places[layout.slots[field.id]]
        place = next((one for one in places if one.holder is holder), None)
        if place is None:
            return frozenset()
        sees = compiler.visibility.sees
        return frozenset(one.number for one in layout.players if sees(store, place, one))

    def check(store: Store, holder: Thing | None, value: Value, span: Span) -> None:
        me, locals = me_of(store, holder), {THIS: holder}
        least, greatest = low(store, me, locals), high(store, me, locals)
        for number in value if family and isinstance(value, tuple) else (value,):
            if number is None:
                continue
            if (least is not None and number < least) or (
                greatest is not None and number > greatest
            ):
                expected = _range_in_words(least, greatest)
                error = PlayError("RW707", span, name=field.name, found=number, expected=expected)
                error.seers = seers(store, holder)
                raise error

    return check


def _range_in_words(least: int | None, greatest: int | None) -> str:
    if greatest is None:
        return f"{least} and more"
    return f"{greatest} and less" if least is None else f"{least}..{greatest}"


def _acting(
    compiler: Compiler, field: model.Field
) -> Callable[[Store, Thing | None], Thing | None]:
    """Return who `me` is in the declaration of a field: the holder, or its owner."""
    if field.holder is None:
        return lambda store, holder: None
    if field.holder == "Player":
        return lambda store, holder: holder
    slot = compiler.layout.owner_slots[field.holder]

    def owner(store: Store, holder: Thing | None) -> Thing | None:
        if holder is None:
            return None
        found: Thing | None = store.columns[slot][holder.number]
        return found

    return owner
