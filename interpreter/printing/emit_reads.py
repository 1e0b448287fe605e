"""Generating what is read from the store: fields, zones, entries of families, items, owners.

The same three things stand before a reading as in the walker: the guard of what not everybody sees,
the question whether chance has decided what lies where in a pile, and a holder that is none (which
Python notices by itself).

Places are here, too: which column and which entry a place of the rules is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import (
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.state.errors import LARGEST_NUMBER, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Value


def target_of(
    function: Function, place: model.Place, scope: Scope
) -> tuple[int, Part | None, ast.expr]:
    """Return the column of a place, its holder, and the tree of the index."""
    if isinstance(place, model.LocalPlace):
        return handed(scope.names[place.name])
    if not isinstance(place, model.FieldPlace | model.EntryPlace):
        raise NotGenerated("a place that was handed on")
    slot = function.layout.slots[place.field]
    if place.target is None:
        return slot, None, number(0)
    holder = function.kept(function.part(place.target, scope))
    if isinstance(holder, Known):
        if holder.value is None:
            raise NotGenerated("a field of none")
        return slot, holder, number(holder.value.number)
    index = function.keep(expression("thing.number", thing=holder.tree))
    return slot, holder, variable(index)


def handed(part: Part) -> tuple[int, Part | None, ast.expr]:
    """Return column, holder and index of a place that was handed on."""
    if isinstance(part, Made) and part.place is not None:
        return part.place
    if isinstance(part, Known) and part.value.key_index is None:
        place: PlaceValue = part.value
        holder = None if place.holder is None else Known(place.holder)
        return place.slot, holder, number(place.index)
    raise NotGenerated("a place that was handed on")


def place_part(function: Function, place: model.Place, scope: Scope) -> Part:
    """Write a place that is handed on."""
    if isinstance(place, model.FieldPlace):
        target = target_of(function, place, scope)
        slot, _, index = target
        if isinstance(index, ast.Constant):
            assert isinstance(index.value, int)
            return Known(function.layout.places[slot][index.value])
        return Made(variable(function.keep(place_of(function, slot, index))), place=target)
    if isinstance(place, model.LocalPlace):
        return function.kept(scope.names[place.name])
    raise NotGenerated("a place")


def place_of(function: Function, slot: int, index: ast.expr) -> ast.expr:
    """Return the tree of the place of a field."""
    places = function.layout.places[slot]
    if isinstance(index, ast.Constant):
        assert isinstance(index.value, int)
        return function.names.constant(places[index.value])
    key = "places", slot
    if key not in function.names.kept:
        function.names.kept[key] = function.names.helper("places", places)
    return expression("places[index]", places=function.names.kept[key], index=index)


ORDERED = "ordered"
ANY_ORDER = "any order"
COUNTED = "counted"
OFFERED = "offered"
"""How a zone is read: as it lies, in whatever order, only to be counted, or without asking who sees it,
to be offered."""


def read(function: Function, node: model.Read, scope: Scope) -> Part:
    """`planet.claim`, `my.hand`, `circle`"""
    return read_field(function, node, scope, ORDERED)


def read_field(function: Function, node: model.Read, scope: Scope, how: str) -> Part:
    """Write the reading of a field; `how` matters for zones."""
    slot = function.layout.slots[node.field]
    printed = function.layout.printed.get(slot)
    holder = None if node.target is None else function.part(node.target, scope)
    if printed is not None:
        return _printed(function, slot, printed, holder)
    place = index_of(holder)
    guard_of = function.evaluator.visibility.guard
    guarded = how != OFFERED and guard_of(slot, how == COUNTED) is not None
    guarded = guarded and not _is_open(function, slot, how == COUNTED, holder)
    bag = function.layout.bag_slots.get(slot) if how == ORDERED else None
    if guarded or bag is not None:
        place = simple(function, place)
    if guarded:
        guard(function, slot, how == COUNTED, holder, place)
    if bag is not None:
        undecided(function, slot, bag, place, scope)
    tree = expression("column[place]", column=function.column(slot), place=place)
    return Made(tree, length=longest(function, node.field), most=_most(function, node.field))


def longest(function: Function, field: str) -> int | None:
    """Return how many things can lie in a zone; None if it is none."""
    kind = function.evaluator.game.fields[field].type
    if isinstance(kind, types.ZoneType) and isinstance(kind.kind, types.ThingType):
        return function.layout.known_count(kind.kind.kind)
    if isinstance(kind, types.FamilyType):
        return len(function.layout.keys(kind.key))
    return None


def _most(function: Function, field: str) -> int:
    """Return how far the number in a field can be from 0."""
    found = function.evaluator.game.fields[field]
    ends = [end.value for end in (found.low, found.high) if isinstance(end, model.Constant)]
    if len(ends) == 2 and all(isinstance(end, int) for end in ends):
        return max(abs(int(end)) for end in ends if end is not None)
    return LARGEST_NUMBER


def _printed(
    function: Function, slot: int, values: tuple[object, ...], holder: Part | None
) -> Part:
    if holder is None:
        return Known(values[0])
    if isinstance(holder, Known):
        if holder.value is None:
            raise NotGenerated("a field of none")
        return Known(values[holder.value.number])
    key = "printed", slot
    if key not in function.names.kept:
        function.names.kept[key] = function.names.helper("p", values)
    lengths = [len(value) for value in values if isinstance(value, tuple)]
    numbers = [abs(value) for value in values if isinstance(value, int)]
    return Made(
        expression("column[thing.number]", column=function.names.kept[key], thing=holder.tree),
        length=max(lengths) if lengths and len(lengths) == len(values) else None,
        most=max(numbers) if numbers and len(numbers) == len(values) else LARGEST_NUMBER,
    )


def index_of(holder: Part | None) -> ast.expr:
    """Return the tree of the index into a column."""
    if holder is None:
        return number(0)
    if isinstance(holder, Known):
        if holder.value is None:
            raise NotGenerated("a field of none")
        return number(holder.value.number)
    return expression("thing.number", thing=holder.tree)


def simple(function: Function, tree: ast.expr) -> ast.expr:
    """Keep what is looked up in a variable, unless it is as simple as one."""
    if isinstance(tree, ast.Constant | ast.Name):
        return tree
    return ast.Name(function.keep(tree), ast.Load())


def guard(
    function: Function, slot: int, counted: bool, holder: Part | None, place: ast.expr
) -> None:
    """Write the guard of a column: the player of the transaction may not see it."""
    if _is_open(function, slot, counted, holder):
        return
    field = function.layout.fields[slot]
    viewers = field.count_viewers if counted else field.viewers
    if viewers.who == "owner" and field.holder == "Player" and holder is not None:
        function.looks = True
        function.write(
            "if S.viewer is not None and S.viewer.number != place:\n    S.meet_hidden()",
            place=place,
        )
        return
    function.looks = True
    if viewers.who in ("nobody", "owner") and field.holder is None:
        function.write("if S.viewer is not None:\n    S.meet_hidden()")
        return
    key = "guard", slot, counted
    if key not in function.names.kept:
        found = function.evaluator.visibility.guard(slot, counted)
        function.names.kept[key] = function.names.helper("guard", found)
    function.write(
        "if S.viewer is not None:\n    guard(S, place)",
        guard=function.names.kept[key],
        place=place,
    )


def _is_open(function: Function, slot: int, counted: bool, holder: Part | None) -> bool:
    """Return whether a column needs no guard here: nobody's transaction is running, or it is his own
    who sees it."""
    if function.blind:
        return True
    field = function.layout.fields[slot]
    viewers = field.count_viewers if counted else field.viewers
    match holder:
        case Made(tree=ast.Name(id=name)) if viewers.who == "owner" and field.holder == "Player":
            return name == function.seer
    return False


def undecided(function: Function, slot: int, bag: int, place: ast.expr, scope: Scope) -> None:
    """Write the question whether the places of a pile are decided."""
    function.looks = True
    if function.decides:
        function.write(
            "if bag[place]:\n    doing.decided(S, me, slot, place, bag[place])",
            bag=function.column(bag),
            slot=number(slot),
            place=place,
            me=function.tree(scope.me),
        )
        return
    function.names.space.setdefault("Undecided", Undecided)
    function.write(
        "if bag[place]:\n    raise Undecided(slot, place, bag[place])",
        bag=function.column(bag),
        slot=number(slot),
        place=place,
    )


def slot_thing(function: Function, node: model.SlotThing, scope: Scope) -> Part:
    """A slot as its thing, or none"""
    held = function.kept(function.part(node.slot, scope))
    return Made(expression("held[0] if held else None", held=function.items(held)))


def entry(function: Function, node: model.Entry, scope: Scope) -> Part:
    """`scans[me]`"""
    of = types.without_none(node.key.type)
    if isinstance(of, types.ThingType) and of.kind in function.layout.living_slots:
        raise NotGenerated("a family of things that come and go")
    family, key = function.parts((node.family, node.key), scope)
    tree = function.tree(family)
    if isinstance(key, Known):
        place = number(int(key.value) if isinstance(key.value, bool) else key.value.number)
    elif isinstance(node.key.type, types.FlagType):
        place = expression("int(key)", key=key.tree)
    else:
        place = expression("key.number", key=key.tree)
    if isinstance(family, Known) and isinstance(place, ast.Constant):
        return Known(family.value[place.value])
    return Made(expression("family[place]", family=tree, place=place))


def item(function: Function, node: model.Item, scope: Scope) -> Part:
    """`codes[0]`"""
    items, index = function.parts((node.items, node.index), scope)
    if isinstance(index, Known) and isinstance(index.value, int) and index.value >= 0:
        if isinstance(items, Known) and index.value < len(items.value):
            return Known(items.value[index.value])
        place: ast.expr = number(index.value)
    else:
        place = simple(function, function.tree(index))
        function.slow_if(expression("place < 0", place=place))
    return Made(expression("items[place]", items=function.items(items), place=place))


def owner_of(function: Function, node: model.OwnerOf, scope: Scope) -> Part:
    """`x.owner`"""
    thing, kind = _located(function, node.thing, scope)
    column = function.column(function.layout.owner_slots[kind])
    return Made(expression("column[thing.number]", column=column, thing=thing))


def lies_at(function: Function, node: model.LiesAt, scope: Scope) -> Part:
    """`x.lies_at`"""
    thing, kind = _located(function, node.thing, scope)
    column = function.column(function.layout.place_slots[kind])
    place = function.keep(expression("column[thing.number]", column=column, thing=thing))
    return Made(expression("None if place is None else place.holder", place=place))


def _located(function: Function, node: model.Expression, scope: Scope) -> tuple[ast.expr, str]:
    """Write a thing whose place is asked for, with the guard; return it with its kind."""
    kind = types.without_none(node.type)
    if not isinstance(kind, types.ThingType):
        raise NotGenerated("a place of something")
    thing = function.tree(function.kept(function.part(node, scope)))
    if function.evaluator.visibility.is_in_sight(kind.kind):
        return thing, kind.kind
    function.looks = True
    key = "guard_thing"
    if key not in function.names.kept:
        guard_thing = function.evaluator.visibility.guard_thing
        function.names.kept[key] = function.names.helper(key, guard_thing)
    function.write(
        "if S.viewer is not None:\n    guard(S, thing)",
        guard=function.names.kept[key],
        thing=thing,
    )
    return thing, kind.kind


def counted_place(function: Function, node: model.Contents, scope: Scope) -> Part:
    """A zone that was handed on, of which only the number of things is asked"""
    if not isinstance(node.place, model.LocalPlace) or node.place.name not in scope.names:
        raise NotGenerated("a place")
    part = scope.names[node.place.name]
    kind = types.element(node.type)
    length = None
    if isinstance(kind, types.ThingType):
        length = function.layout.known_count(kind.kind)
    try:
        slot, holder, index = handed(part)
    except NotGenerated:
        return Made(_counted(function, function.tree(part)), length=length)
    if function.evaluator.visibility.guard(slot, True) is not None:
        guard(function, slot, True, holder, index)
    tree = expression("column[index]", column=function.column(slot), index=index)
    return Made(tree, length=length)


def _counted(function: Function, place: ast.expr) -> ast.expr:
    """Write the same of a place of which nothing is known."""
    function.looks = True
    key = "counted place"
    if key not in function.names.kept:
        visibility = function.evaluator.visibility

        def counted(store: Store, place: PlaceValue) -> Value:
            if store.viewer is not None:
                guard = visibility.guard(place.slot, True)
                if guard is not None:
                    guard(store, place.index)
            value = store.columns[place.slot][place.index]
            return value if place.key_index is None else value[place.key_index]

        function.names.kept[key] = function.names.helper("counted", counted)
    return expression("counted(S, place)", counted=function.names.kept[key], place=place)


HANDLERS: Mapping[type, Handler] = {
    model.Read: read,
    model.SlotThing: slot_thing,
    model.Entry: entry,
    model.Item: item,
    model.OwnerOf: owner_of,
    model.LiesAt: lies_at,
}
