"""Generating places: which column and which entry a place of the rules is."""

from __future__ import annotations

import ast

from rulewright.dsl import model
from rulewright.interpreter.printing.emit import Function, Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.state.values import PlaceValue


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
