"""Generating effects: what a step writes, with its event, as statements.

`me` is a variable of the function, `S` the store. What is not generated here is left to the handler
of the walker.
"""

from __future__ import annotations

import ast

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import Function, Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.emit_moves import move, shuffle
from rulewright.interpreter.printing.emit_reads import place_of, target_of
from rulewright.interpreter.printing.emit_values import in_measure
from rulewright.interpreter.printing.moving import Doing
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.semantics.closures import constant_of
from rulewright.interpreter.state.values import PlaceValue

PLAIN = (types.NumberType, types.FlagType, types.EnumType, types.TextType, types.VerbType)


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
            move(function, step, things, scope, doing, real)
        case model.Shuffle(zone=zone) if real:
            shuffle(function, zone, scope, doing)
        case model.Show() if real:
            _show(function, step, scope, doing)
        case _:
            raise NotGenerated(type(step).__name__)


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
    slot, holder, index = target_of(function, place, scope)
    field = function.layout.fields[slot]
    if slot in doing.effects.destructible:
        raise NotGenerated("a field of what may have left the game")
    column = function.column(slot)
    old = expression("column[index]", column=column, index=index)
    where = place_of(function, slot, index)
    entry: ast.expr | None = None
    if isinstance(place, model.EntryPlace):
        key = function.part(place.key, scope)
        if isinstance(place.key.type, types.FlagType):
            raise NotGenerated("a family of flags")
        if isinstance(key, Known):
            entry = number(key.value.number)
        else:
            entry = variable(function.keep(expression("key.number", key=key.tree)))
    new = function.tree(value)
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
        event=_event(
            function, step, field, (slot, index), where, function.tree(value), scope, doing
        ),
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
    target: tuple[int, ast.expr],
    where: ast.expr,
    value: ast.expr,
    scope: Scope,
    doing: Doing,
) -> list[ast.stmt]:
    if field.internal:
        return []
    names = function.names
    (slot, index), place = target, step.place
    plain = (
        (isinstance(value, ast.Constant) and value.value is None)
        or isinstance(types.without_none(step.value.type), PLAIN)
        or types.without_none(step.value.type) in (types.PLAYER, types.ListType(types.PLAYER))
    )
    key_is_plain = True
    if isinstance(place, model.EntryPlace):
        kind = place.key.type
        key_is_plain = isinstance(kind, PLAIN) or kind == types.PLAYER
    shown = field.holder is None or field.holder not in doing.hiding
    names.space.setdefault("doing", doing)
    parts: dict[str, ast.expr] = {
        "word": ast.Constant("set" if isinstance(step, model.Set) else "add"),
        "me": function.tree(scope.me),
        "where": where,
        "value": value,
    }
    open_one = "S.log = (S.log, word, me, (where, value), OPEN)"
    told = statements("doing.changed(S, word, me, where, value)", **parts)
    if slot not in doing.open or not key_is_plain:
        return told
    if plain and shown:
        return statements(open_one, **parts)
    if not isinstance(place, model.FieldPlace):
        return told
    # Everybody sees this if everybody sees the things that it is about, where they lie now.
    of = types.without_none(step.value.type)
    single = isinstance(of, types.ThingType) and isinstance(value, ast.Name)
    if not (plain or single):
        return statements("doing.noted(S, word, me, where, value)", **parts)
    made = statements(open_one, **parts)
    if isinstance(of, types.ThingType) and not plain and of.kind in doing.hiding:
        # An author need not prove that a list has a first item.
        template = "None if value is None else C[slot][value.number]"
        slot = function.layout.place_slots[of.kind]
        lies = expression(template, slot=number(slot), value=value)
        made = _if_open(function, lies, made, told, doing)
    if field.holder is not None and not shown:
        slot = function.layout.place_slots[field.holder]
        lies = expression("C[slot][index]", slot=number(slot), index=index)
        made = _if_open(function, lies, made, told, doing)
    return made


def _if_open(
    function: Function,
    lies: ast.expr,
    then: list[ast.stmt],
    otherwise: list[ast.stmt],
    doing: Doing,
) -> list[ast.stmt]:
    """Return statements for a thing that everybody sees at its place, and for any other."""
    function.names.space["IN_SIGHT"] = doing.open
    return statements(
        "lies = place\nif lies is None or lies.slot in IN_SIGHT:\n    then\nelse:\n    otherwise",
        lies=function.names.fresh("t"),
        place=lies,
        then=then,
        otherwise=otherwise,
    )


def _show(function: Function, step: model.Show, scope: Scope, doing: Doing) -> None:
    value = function.value(step.value, scope)
    to = function.part(step.viewers, scope)
    viewers = function.tree(to)
    if not isinstance(types.without_none(step.viewers.type), types.ListType):
        viewers = ast.Tuple([viewers], ast.Load())
    names, me = function.names, function.tree(scope.me)
    template = "doing.shown(S, me, value, viewers)"
    names.space.setdefault("doing", doing)
    witnesses = doing.witnesses
    if isinstance(to, Known) and to.value == witnesses.players and not witnesses.hidden_rows:
        template = "S.log = (S.log, 'show', me, (value, viewers), OPEN)"
    function.write(template, me=me, value=value, viewers=viewers)
