"""Generating effects: what a step writes, with its event, as statements.

`me` is a variable of the function, `S` the store. What is not generated here is left to the handler
of the walker.
"""

from __future__ import annotations

import ast
import contextlib

from rulewright.dsl import kinds, model
from rulewright.interpreter.compiling import constant_of, may_lack
from rulewright.interpreter.doing import Doing
from rulewright.interpreter.emit import Function, Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.emit_values import in_measure
from rulewright.interpreter.log import NOBODY
from rulewright.interpreter.templates import expression, number, statements, variable
from rulewright.interpreter.values import PlaceValue

PLAIN = (kinds.NumberType, kinds.FlagType, kinds.EnumType, kinds.TextType, kinds.VerbType)


def effect(
    function: Function, step: model.Statement, scope: Scope, doing: Doing, real: bool = False
) -> None:
    """Write an effect; `real` where nothing is only tried out."""
    match step:
        case model.Set(whole_family=False):
            value = function.part(step.value, scope)
            _write(function, step, step.place, function.kept(value), scope, doing, "set", real)
        case model.Add(append=False):
            value = function.kept(function.part(step.value, scope))
            _write(function, step, step.place, value, scope, doing, "add", real)
        case model.Move(things=things) if things is not None:
            _move(function, step, things, scope, doing)
        case model.Shuffle(zone=zone) if real:
            _shuffle(function, zone, scope, doing)
        case model.Show() if real:
            _show(function, step, scope, doing)
        case _:
            raise NotGenerated(type(step).__name__)


def _target(
    function: Function, place: model.Place, scope: Scope
) -> tuple[int, Part | None, ast.expr]:
    """Return the column of a place, its holder, and the tree of the index."""
    if isinstance(place, model.LocalPlace):
        return _handed(function, scope.names[place.name])
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


def _handed(function: Function, part: Part) -> tuple[int, Part | None, ast.expr]:
    """Return the same of a place that was handed on."""
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
        target = _target(function, place, scope)
        slot, _, index = target
        if isinstance(index, ast.Constant):
            assert isinstance(index.value, int)
            return Known(function.layout.places[slot][index.value])
        return Made(variable(function.keep(_place_of(function, slot, index))), place=target)
    if isinstance(place, model.LocalPlace):
        return function.kept(scope.names[place.name])
    raise NotGenerated("a place")


def _place_of(function: Function, slot: int, index: ast.expr) -> ast.expr:
    """Return the tree of the place of a field."""
    places = function.layout.places[slot]
    if isinstance(index, ast.Constant):
        assert isinstance(index.value, int)
        return function.names.constant(places[index.value])
    key = "places", slot
    if key not in function.names.kept:
        function.names.kept[key] = function.names.helper("places", places)
    return expression("places[index]", places=function.names.kept[key], index=index)


def _write(
    function: Function,
    step: model.Set | model.Add,
    place: model.Place,
    value: Part,
    scope: Scope,
    doing: Doing,
    word: str,
    real: bool,
) -> None:
    if not isinstance(place, model.FieldPlace | model.EntryPlace):
        raise NotGenerated("a place that was handed on")
    if isinstance(value, Made) and value.listed:
        value = Made(variable(function.keep(function.tree(value))))
    slot, holder, index = _target(function, place, scope)
    field = function.layout.fields[slot]
    if slot in doing.effects.mortal:
        raise NotGenerated("a field of what may have left the game")
    column = function.column(slot)
    old = expression("column[index]", column=column, index=index)
    where = _place_of(function, slot, index)
    entry: ast.expr | None = None
    if isinstance(place, model.EntryPlace):
        key = function.part(place.key, scope)
        if isinstance(place.key.type, kinds.FlagType):
            raise NotGenerated("a family of flags")
        if isinstance(key, Known):
            entry = number(key.value.number)
        else:
            entry = variable(function.keep(expression("key.number", key=key.tree)))
    new = function.tree(value)
    if isinstance(value, Made) and may_lack(step.value):
        function.slow_if(expression("new is None", new=new))
    if word == "add":
        before = old
        if entry is not None:
            before = expression("family[entry]", family=old, entry=entry)
        made = Made(expression("before + more", before=before, more=new))
        new = in_measure(function, made).tree
    new = _in_range(function, field, new, scope)
    written = new
    if entry is not None:
        family = function.keep(old)
        written = expression(
            "(*family[:entry], new, *family[entry + 1:])", family=family, entry=entry, new=new
        )
        old = variable(family)
        function.names.space.setdefault("PlaceValue", PlaceValue)
        where = expression(
            "PlaceValue(slot, holder, entry)",
            slot=number(slot),
            holder=ast.Constant(None) if holder is None else function.tree(holder),
            entry=entry,
        )
    template = "column[index] = written\nevent"
    if not real:
        template = (
            "if S.trail is None:\n"
            "    column[index] = written\n"
            "    event\n"
            "else:\n"
            "    S.trail.append((column, index, old))\n"
            "    column[index] = written"
        )
    function.write(
        template,
        column=column,
        index=index,
        old=old,
        written=written,
        event=_event(function, step, field, slot, place, where, function.tree(value), scope, doing),
    )


def _in_range(function: Function, field: model.Field, value: ast.expr, scope: Scope) -> ast.expr:
    """Check the range of a field."""
    if field.low is None and field.high is None:
        return value
    name = variable(function.keep(value))
    for end, template in ((field.low, "name < end"), (field.high, "name > end")):
        if end is not None:
            found, limit = constant_of(end, function.layout)
            if not found:
                raise NotGenerated("a range that is not known")
            function.slow_if(expression(template, name=name, end=ast.Constant(limit)))
    return name


def _event(
    function: Function,
    step: model.Set | model.Add,
    field: model.Field,
    slot: int,
    place: model.Place,
    where: ast.expr,
    value: ast.expr,
    scope: Scope,
    doing: Doing,
) -> list[ast.stmt]:
    if field.internal:
        return []
    names = function.names
    word = "set" if isinstance(step, model.Set) else "add"
    me = function.tree(scope.me)
    plain = (
        (isinstance(value, ast.Constant) and value.value is None)
        or isinstance(kinds.without_none(step.value.type), PLAIN)
        or kinds.without_none(step.value.type) in (kinds.PLAYER, kinds.ListType(kinds.PLAYER))
    )
    key_is_plain = True
    if isinstance(place, model.EntryPlace):
        kind = place.key.type
        key_is_plain = isinstance(kind, PLAIN) or kind == kinds.PLAYER
    shown = field.holder is None or field.holder not in doing.hiding
    if slot in doing.open and plain and shown and key_is_plain:
        names.space.update(EVERYBODY=doing.everybody, NOBODY=NOBODY)
        return statements(
            "S.log = (S.log, word, me, (where, value), EVERYBODY, EVERYBODY, NOBODY)\nC[0][3] += 1",
            word=ast.Constant(word),
            me=me,
            where=where,
            value=value,
        )
    names.space.setdefault("doing", doing)
    template = "doing.changed(S, word, me, where, value)"
    if slot in doing.open and isinstance(place, model.FieldPlace):
        template = "doing.noted(S, word, me, where, value)"
    return statements(
        template,
        word=ast.Constant(word),
        me=me,
        where=where,
        value=value,
    )


def _shuffle(function: Function, zone: model.Place, scope: Scope, doing: Doing) -> None:
    slot, _, index = _target(function, zone, scope)
    names = function.names
    key = "shuffler", slot
    if key not in names.kept:
        names.kept[key] = names.helper("shuffle", doing.shuffler(slot))
    function.looks = True
    function.write(
        "shuffle(S, me, index)",
        shuffle=names.kept[key],
        me=function.tree(scope.me),
        index=index,
    )


def _show(function: Function, step: model.Show, scope: Scope, doing: Doing) -> None:
    value = function.value(step.value, scope)
    viewers = function.value(step.viewers, scope)
    if not isinstance(kinds.without_none(step.viewers.type), kinds.ListType):
        viewers = ast.Tuple([viewers], ast.Load())
    function.names.space.setdefault("doing", doing)
    me = function.tree(scope.me)
    function.write("doing.shown(S, me, value, viewers)", me=me, value=value, viewers=viewers)


def _move(
    function: Function,
    step: model.Move,
    things: model.Expression,
    scope: Scope,
    doing: Doing,
) -> None:
    moved = function.part(things, scope)
    single = kinds.element(things.type) is None
    if isinstance(moved, Made) and isinstance(moved.tree, ast.Tuple) and len(moved.tree.elts) == 1:
        moved = Made(moved.tree.elts[0])
        single = True
    moved = function.kept(moved)
    kind = kinds.without_none(kinds.element(things.type) or things.type)
    space, names = function.names.space, function.names
    target = None
    if isinstance(kind, kinds.ThingType):
        with contextlib.suppress(NotGenerated), function.aside() as block:
            target = _target(function, step.to, scope)
    if target is not None and isinstance(kind, kinds.ThingType):
        function.block += block
        slot, _, index = target
        key = "mover", kind.kind, slot, single
        if key not in names.kept:
            names.kept[key] = names.helper("move", doing.mover(kind.kind, slot, not single))
        function.write(
            "mover(S, me, thing, index, step)",
            mover=names.kept[key],
            me=function.tree(scope.me),
            thing=function.tree(moved),
            index=index,
            step=names.helper("step", step),
        )
    else:
        space.setdefault("doing", doing)
        function.write(
            "doing.put(S, me, things, where, step)",
            me=function.tree(scope.me),
            things=function.tree(moved),
            where=function.tree(place_part(function, step.to, scope)),
            step=names.helper("step", step),
        )
    if not isinstance(kind, kinds.ThingType) or kind.kind in doing.hiding:
        function.looks = True
