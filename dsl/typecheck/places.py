"""Type checking places: what a step writes to, and the objects and places of a verb.

A place is a field, an entry of a family, or a zone, of a thing or of the game; or what a parameter
holds. An argument of a module is a place in the words of the file that gave it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME
from rulewright.dsl.model.types import ListType, Type
from rulewright.dsl.resolve.symbols import ExpressionBinding, FieldDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import with_article
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.suggest import nearest
from rulewright.dsl.typecheck import calls, constants, name_lookup, names
from rulewright.dsl.typecheck.context import Body


def place(body: Body, node: nodes.Expression, wanted: Type | None = None) -> model.Place | None:
    """Return the place that an expression names, or None after a report.

    `wanted` is the type that is asked for, if that is known: it is only used for the words of the
    report.
    """
    match node:
        case nodes.Name():
            return _named_place(body, node, wanted)
        case nodes.Attribute():
            return _field_place(body, node, wanted)
        case nodes.Index():
            return _entry_place(body, node)
        case nodes.Call():
            applied = _applied_place(body, node)
            if applied is not None:
                return applied
    return _no_place(body, node, wanted)


ANY_ZONE = types.ZoneType("cards", types.ANYTHING)


def zone(body: Body, node: nodes.Expression) -> model.Place | None:
    """Return the zone that an expression names, or None after a report."""
    found = place(body, node, ANY_ZONE)
    if found is None or isinstance(found.type, types.ZoneType | types.UnknownType):
        return found
    _report_no_zone(body, node, f"field ({types.shown(found.type)})")
    return None


def _report_no_zone(body: Body, node: nodes.Expression, words: str) -> None:
    body.complain(
        "RW203", node.span, "expected a zone", name=node.span.text, kind="zone", found=words
    )


def _no_place(body: Body, node: nodes.Expression, wanted: Type | None) -> model.Place | None:
    found = body.expression(node, wanted)
    if isinstance(found.type, types.UnknownType):
        return None
    if isinstance(wanted, types.ZoneType):
        _report_no_zone(body, node, _words(found))
        return None
    help: str | None = None
    if isinstance(node, nodes.Name) and isinstance(found, model.Local):
        help = f"a name gets a new value by `let {node.text} = …`"
    elif isinstance(found, model.DefineCall):
        help = "change the fields from which it is worked out"
    body.complain("RW308", node.span, "nothing to write to", help=help, found=_words(found))
    return None


def _words(found: model.Expression) -> str:
    if isinstance(found, model.DefineCall):
        return "defined value"
    if isinstance(found, model.OptionValue):
        return "option"
    if isinstance(found, model.Local):
        return f"name for {with_article(types.words(found.type))}"
    return f"value ({types.words(found.type)})"


def _named_place(body: Body, node: nodes.Name, wanted: Type | None) -> model.Place | None:
    type_ = body.locals.get(node.text) or body.seen_names.get(node.text)
    if isinstance(type_, types.ZoneType | types.PlaceType):
        inner = type_.inner if isinstance(type_, types.PlaceType) else type_
        return model.LocalPlace(type=inner, span=node.span, name=body.local_name(node.text))
    if type_ is not None:
        return _no_place(body, node, wanted)
    binding = body.scope.arguments.get(node.text)
    if isinstance(binding, ExpressionBinding):
        with body.elsewhere(binding.scope, body.its[-1:]):
            return place(body, binding.node, wanted)
    found = name_lookup.find_named(body, node)
    if isinstance(found, FieldDeclaration):
        return _of_field(body, found, None, node.span)
    return _no_place(body, node, wanted)


def _of_field(
    body: Body, found: FieldDeclaration, target: model.Expression | None, span: nodes.Span
) -> model.Place:
    if not (body.example or isinstance(found.type, types.ZoneType)):
        if found.id in body.world.tabled:
            _report_printed(body, found, span)
        elif not body.silent:
            found.written = True
    return model.FieldPlace(type=found.type, span=span, field=found.id, target=target)


def _report_printed(body: Body, found: FieldDeclaration, span: nodes.Span) -> None:
    body.complain(
        "RW309",
        span,
        "given by the table",
        secondary=(Label(found.word.span, "declared here"),),
        help="keep what changes in a field of its own, without a column",
        name=found.name,
    )


def _field_place(body: Body, node: nodes.Attribute, wanted: Type | None) -> model.Place | None:
    found = body.expression(node, wanted)
    if isinstance(found, model.SlotThing):
        found = found.slot
    if isinstance(found, model.Read):
        return _of_field(body, body.world.field_ids[found.field], found.target, node.span)
    if isinstance(found, model.Entry):
        return _of_value(body, found, node.span)
    if isinstance(found.type, types.UnknownType):
        _note_meant(body, node)
        return None
    if isinstance(wanted, types.ZoneType):
        _report_no_zone(body, node, _words(found))
    else:
        body.complain("RW308", node.span, "nothing to write to", found=_words(found))
    return None


def _of_value(body: Body, found: model.Entry, span: nodes.Span) -> model.Place | None:
    """Return the field of a value of an enumeration as a place: an entry of a family."""
    family = found.family
    if isinstance(family, model.DefineCall):
        _report_printed(body, body.world.field_ids[family.define], span)
        return None
    assert isinstance(family, model.Read)
    _of_field(body, body.world.field_ids[family.field], None, span)
    return model.EntryPlace(
        type=found.type, span=span, field=family.field, target=None, key=found.key
    )


def _note_meant(body: Body, node: nodes.Attribute) -> None:
    """Take the field that a misspelt one means for written: it is no printed field."""
    with body.quietly():
        target = types.without_none(body.expression(node.target).type)
    if body.silent or not isinstance(target, types.ThingType):
        return
    fields = body.world.kinds[target.kind].fields
    for name in nearest(node.name.text, fields)[:1]:
        for field in fields[name]:
            field.written = field.written or field.id not in body.world.tabled


def _entry_place(body: Body, node: nodes.Index) -> model.Place | None:
    whole = place(body, node.target)
    if whole is None:
        return None
    if not isinstance(whole, model.FieldPlace) or not isinstance(whole.type, types.FamilyType):
        zone = isinstance(whole.type, types.ZoneType)
        body.complain(
            "RW308",
            node.span,
            "only families have entries",
            help="things come into a zone by `move … to …`" if zone else None,
            found=f"item of {with_article(types.words(whole.type))}",
        )
        return None
    key = body.typed(node.index, whole.type.key)
    return model.EntryPlace(
        type=whole.type.value, span=node.span, field=whole.field, target=whole.target, key=key
    )


def _applied_place(body: Body, node: nodes.Call) -> model.Place | None:
    text = node.name.text
    binding = body.scope.arguments.get(text)
    arguments = [one for one in node.arguments if not isinstance(one, nodes.Pair)]
    if len(arguments) != 1:
        return None
    if isinstance(binding, ExpressionBinding) and isinstance(binding.type, types.FunctionType):
        argument = body.typed(arguments[0], binding.type.parameter)
        with body.elsewhere(binding.scope, [argument]):
            return place(body, binding.node)
    type_ = body.locals.get(text)
    if isinstance(type_, types.FunctionType):
        inner = type_.result.inner if isinstance(type_.result, types.PlaceType) else type_.result
        argument = body.typed(arguments[0], type_.parameter)
        function = model.Local(type=type_, span=node.name.span, name=body.local_name(text))
        return model.AppliedPlace(type=inner, span=node.span, function=function, argument=argument)
    return None


def is_whole_zone(body: Body, node: nodes.Expression) -> bool:
    """Return whether an expression names a zone as a whole, not a list made from it."""
    if not isinstance(node, nodes.Name | nodes.Attribute | nodes.Call):
        return False
    with body.quietly():
        found = body.expression(node)
    if not isinstance(found.type, types.ZoneType):
        return False
    return isinstance(found, model.Read | model.Contents | model.Apply)


def with_chance(body: Body, node: nodes.Expression, wanted: Type | None) -> model.Expression:
    """Return a value that may be chance: `random(players)`, `roll(2, 6)`, `shuffled(xs)`."""
    if not isinstance(node, nodes.Call) or node.name.text not in FUNCTION_BY_NAME:
        return body.expression(node, wanted)
    function = FUNCTION_BY_NAME[node.name.text]
    arguments = [one for one in node.arguments if not isinstance(one, nodes.Pair)]
    least, most = function.arguments
    counted = least <= len(arguments) <= most
    if not function.chance or not counted or name_lookup.find_named(body, node.name) is not None:
        return body.expression(node, wanted)
    if function.name == "roll":
        count, sides = (body.typed(one, types.NUMBER) for one in arguments)
        return model.Chance(
            type=ListType(types.NUMBER), span=node.span, word="roll", count=count, source=sides
        )
    alone = function.name == "random" and len(arguments) == 1
    hint = ListType(types.without_none(wanted)) if alone and wanted is not None else wanted
    source = body.expression(arguments[-1], hint)
    drawn = arguments[-1]
    if isinstance(drawn, nodes.Binary) and drawn.word == "..":
        constants.check_order(body, drawn.left, drawn.right)
    held = body.listed(source)
    if isinstance(held, types.UnknownType):
        return body.unknown(node.span)
    if alone:
        return model.Chance(type=held, span=node.span, word="pick", count=None, source=source)
    number = body.typed(arguments[0], types.NUMBER) if len(arguments) == 2 else None
    word = "shuffled" if number is None else "some"
    return model.Chance(type=ListType(held), span=node.span, word=word, count=number, source=source)


Reading = Callable[[Body, nodes.Expression, "Type | None"], model.Expression]


def still_argument(body: Body, node: nodes.Expression, type_: Type) -> model.Argument:
    """Return an object of a verb that is a value: like everything in a value, it is no chance."""
    return argument(body, node, type_, Body.expression)


def argument(
    body: Body, node: nodes.Expression, type_: Type, reading: Reading = with_chance
) -> model.Argument:
    """Return an object or place of a verb as its parameter takes it."""
    match type_:
        case types.ZoneType() | types.PlaceType():
            return _place_argument(body, node, type_)
        case types.FunctionType(_, types.ZoneType() | types.PlaceType()):
            return _place_about(body, node, type_)
        case types.FunctionType():
            return calls.handed_on(body, node, type_)
        case types.InstanceType(name):
            instance = name_lookup.instance_of(body, node)
            if instance is not None and instance.name == name:
                return names.instance_value(instance, node.span)
            found = body.expression(node, type_)
            body.mismatch(found, type_)
            return body.unknown(node.span)
        case types.ListType(inner):
            found = reading(body, node, type_)
            if types.element(found.type) is None and types.fits(found.type, inner):
                if not isinstance(found.type, types.UnknownType):
                    return names.as_list(body.adapt(found, inner))
            return body.adapt(found, type_)
    return body.adapt(reading(body, node, type_), type_)


def _place_argument(body: Body, node: nodes.Expression, type_: Type) -> model.Argument:
    wanted = type_.inner if isinstance(type_, types.PlaceType) else type_
    found = place(body, node, wanted)
    if found is None:
        return body.unknown(node.span)
    both = isinstance(found.type, types.ZoneType) == isinstance(wanted, types.ZoneType)
    if not both or not types.fits(found.type, wanted):
        value = model.Contents(type=found.type, span=node.span, place=found)
        body.mismatch(value, type_)
        return body.unknown(node.span)
    return found


def _place_about(body: Body, node: nodes.Expression, type_: types.FunctionType) -> model.Argument:
    with body.binding(None, type_.parameter, frozenset(), handed_on=True) as local:
        found = place(body, node)
    if found is None:
        return body.unknown(node.span)
    return model.PlaceLambda(
        type=types.FunctionType(type_.parameter, found.type),
        span=node.span,
        parameter=local,
        place=found,
    )
