"""Compiling what is read from the store: fields, zones, entries of families, items, owners.

The column of a field is known when the game is loaded, so that most reads are one index into one
list. Three things can stand before it: the guard of what not everybody sees, the question whether
chance has decided what lies where in a pile, and a holder that is none.

What the declaration of a field says is compiled here, too: its start value, and the range it stays in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.semantics.closures import (
    THIS,
    Code,
    Compiler,
    constant,
    constant_of,
    nothing_there,
)
from rulewright.interpreter.state.errors import PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


def read(compiler: Compiler, expression: model.Read) -> Code:
    """`planet.claim`, `my.hand`, `circle`"""
    return read_field(compiler, expression)


def read_field(compiler: Compiler, expression: model.Read, *, ordered: bool = True) -> Code:
    """Return the code of a field; where the order does not matter, a bag is as good as a pile."""
    slot = compiler.layout.slots[expression.field]
    if slot in compiler.layout.printed:
        return _read_printed(compiler, expression, compiler.layout.printed[slot])
    guard = compiler.visibility.guard(slot)
    bag = compiler.layout.bag_slots.get(slot) if ordered else None
    if guard is None and bag is None:
        return read_unguarded(compiler, expression, slot)
    index = _index(compiler, expression)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        at = index(store, me, locals)
        if guard is not None and store.viewer is not None:
            guard(store, at)
        if bag is not None:
            undecided = store.columns[bag][at]
            if undecided:
                raise Undecided(slot, at, undecided)
        return store.columns[slot][at]

    return code


def counted(compiler: Compiler, expression: model.Read) -> Code:
    """Return the code of a zone of which only the number of things is asked."""
    slot = compiler.layout.slots[expression.field]
    guard = compiler.visibility.guard(slot, True)
    if guard is None:
        return read_unguarded(compiler, expression, slot)
    index = _index(compiler, expression)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        at = index(store, me, locals)
        if store.viewer is not None:
            guard(store, at)
        return store.columns[slot][at]

    return code


def topmost(compiler: Compiler, expression: model.Read, number: Code | None) -> Code:
    """Return the code of a pile of which only the top is looked at: so many cards, or one."""
    slot = compiler.layout.slots[expression.field]
    bag = compiler.layout.bag_slots[slot]
    guard = compiler.visibility.guard(slot)
    index = _index(compiler, expression)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        at = index(store, me, locals)
        if guard is not None and store.viewer is not None:
            guard(store, at)
        pile = store.columns[slot][at]
        undecided = store.columns[bag][at]
        if undecided:
            wanted = 1 if number is None else number(store, me, locals)
            missing = min(wanted, len(pile)) - (len(pile) - undecided)
            if missing > 0:
                raise Undecided(slot, at, missing)
        return pile

    return code


# ------------------------------------------------------------------------------ one index, one list


def read_unguarded(compiler: Compiler, expression: model.Read, slot: int) -> Code:
    """Return the code of a field that everybody sees: one index into one column."""
    target = expression.target
    if target is None:
        return lambda store, me, locals: store.columns[slot][0]
    if isinstance(target, model.Me):

        def of_me(store: Store, me: Thing | None, locals: Locals) -> Value:
            try:
                return store.columns[slot][me.number]  # type: ignore[union-attr]
            except AttributeError:
                raise nothing_there(target) from None

        return of_me
    if isinstance(target, model.Local):
        name = target.name

        def of_local(store: Store, me: Thing | None, locals: Locals) -> Value:
            holder = locals[name]
            try:
                return store.columns[slot][holder.number]
            except AttributeError:
                raise nothing_there(target) from None

        return of_local
    holder_code = compiler.expression(target)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        holder = holder_code(store, me, locals)
        try:
            return store.columns[slot][holder.number]
        except AttributeError:
            raise nothing_there(target) from None

    return code


def _read_printed(compiler: Compiler, expression: model.Read, values: tuple[Value, ...]) -> Code:
    target = expression.target
    if target is None:
        return lambda store, me, locals: values[0]
    if isinstance(target, model.Local):
        name = target.name

        def of_local(store: Store, me: Thing | None, locals: Locals) -> Value:
            holder = locals[name]
            try:
                return values[holder.number]
            except AttributeError:
                raise nothing_there(target) from None

        return of_local
    holder_code = compiler.expression(target)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        holder = holder_code(store, me, locals)
        try:
            return values[holder.number]
        except AttributeError:
            raise nothing_there(target) from None

    return code


def _index(
    compiler: Compiler, expression: model.Read
) -> Callable[[Store, Thing | None, Locals], int]:
    target = expression.target
    if target is None:
        return lambda store, me, locals: 0
    holder_code = compiler.expression(target)

    def code(store: Store, me: Thing | None, locals: Locals) -> int:
        holder = holder_code(store, me, locals)
        try:
            number: int = holder.number
            return number
        except AttributeError:
            raise nothing_there(target) from None

    return code


# --------------------------------------------------------------------------------- parts of values


def slot_thing(compiler: Compiler, expression: model.SlotThing) -> Code:
    """A slot as its thing, or none."""
    slot = compiler.expression(expression.slot)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        held = slot(store, me, locals)
        return held[0] if held else None

    return code


def entry(compiler: Compiler, expression: model.Entry) -> Code:
    """`scans[me]`"""
    family, key = compiler.expression(expression.family), compiler.expression(expression.key)
    if isinstance(expression.key.type, types.FlagType):
        return lambda store, me, locals: family(store, me, locals)[int(key(store, me, locals))]
    kind = types.without_none(expression.key.type)
    if isinstance(kind, types.ThingType) and kind.kind in compiler.layout.living_slots:
        return _entry_of_some(compiler, expression, family, key)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        entries, of = family(store, me, locals), key(store, me, locals)
        try:
            return entries[of.number]
        except AttributeError:
            raise nothing_there(expression.key) from None

    return code


def _entry_of_some(compiler: Compiler, expression: model.Entry, family: Code, key: Code) -> Code:
    """An entry of a family of things that come and go: of a later one it says nothing."""
    missing = compiler.layout.start_value(expression.type)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        entries, of = family(store, me, locals), key(store, me, locals)
        if of is None:
            raise nothing_there(expression.key)
        return entries[of.number] if of.number < len(entries) else missing

    return code


def item(compiler: Compiler, expression: model.Item) -> Code:
    """`codes[0]`"""
    items, index = compiler.expression(expression.items), compiler.expression(expression.index)
    span = expression.span

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        listed, at = items(store, me, locals), index(store, me, locals)
        if at is None or listed is None:
            raise nothing_there(expression.index if at is None else expression.items)
        if 0 <= at < len(listed):
            return listed[at]
        raise PlayError("RW705", span, found=at, expected=len(listed))

    return code


def owner_of(compiler: Compiler, expression: model.OwnerOf) -> Code:
    """`x.owner`"""
    code = _column_of_thing(compiler, expression.thing, compiler.layout.owner_slots)
    if not expression.needed:
        return code
    thing_code = compiler.expression(expression.thing)

    def needed(store: Store, me: Thing | None, locals: Locals) -> Value:
        owner = code(store, me, locals)
        if owner is None:
            thing = thing_code(store, me, locals)
            raise PlayError("RW718", expression.span, name=thing.name or thing.key)
        return owner

    return needed


def lies_at(compiler: Compiler, expression: model.LiesAt) -> Code:
    """`x.lies_at`"""
    place_code = _column_of_thing(compiler, expression.thing, compiler.layout.place_slots)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        place = place_code(store, me, locals)
        return None if place is None else place.holder

    return code


def _column_of_thing(
    compiler: Compiler, expression: model.Expression, slots: Mapping[str, int]
) -> Code:
    """Return what reads, of the thing that an expression gives, the column of its kind; whoever may
    not see where the thing lies may not read it."""
    thing_code, visibility = compiler.expression(expression), compiler.visibility

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        thing = thing_code(store, me, locals)
        if thing is None:
            raise nothing_there(expression)
        if store.viewer is not None:
            visibility.guard_thing(store, thing)
        return store.columns[slots[thing.kind]][thing.number]

    return code


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    model.Read: read,
    model.SlotThing: slot_thing,
    model.Entry: entry,
    model.Item: item,
    model.OwnerOf: owner_of,
    model.LiesAt: lies_at,
}


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
