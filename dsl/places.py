"""Reading places: what a step writes to, and the objects and places of a verb.

A place is a field, an entry of a family, or a zone, of a thing or of the game; or what a parameter
holds. An argument of a module is a place in the words of the file that gave it.
"""

from __future__ import annotations

from rulewright.dsl import infer_calls, infer_names, kinds, model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import ListType, Type
from rulewright.dsl.registry import FUNCTION_BY_NAME
from rulewright.dsl.scope import ExpressionBinding, FieldDeclaration


def place(body: Body, node: nodes.Expression) -> model.Place | None:
    """Return the place that an expression names, or None after a report."""
    match node:
        case nodes.Name():
            return _named_place(body, node)
        case nodes.Attribute():
            return _field_place(body, node)
        case nodes.Index():
            return _entry_place(body, node)
        case nodes.Call():
            applied = _applied_place(body, node)
            if applied is not None:
                return applied
    return _no_place(body, node)


def _no_place(body: Body, node: nodes.Expression) -> model.Place | None:
    found = body.expression(node)
    if not isinstance(found.type, kinds.UnknownType):
        body.complain(
            diagnostic("RW308", node.span, "nothing to write to", found=_words(found))
        )
    return None


def _words(found: model.Expression) -> str:
    if isinstance(found, model.DefineCall):
        return "defined value"
    if isinstance(found, model.OptionValue):
        return "option"
    return f"value ({kinds.shown(found.type)})"


def _named_place(body: Body, node: nodes.Name) -> model.Place | None:
    type_ = body.locals.get(node.text) or body.seen_names.get(node.text)
    if isinstance(type_, kinds.ZoneType | kinds.PlaceType):
        inner = type_.inner if isinstance(type_, kinds.PlaceType) else type_
        return model.LocalPlace(type=inner, span=node.span, name=body.local_name(node.text))
    if type_ is not None:
        return _no_place(body, node)
    binding = body.scope.arguments.get(node.text)
    if isinstance(binding, ExpressionBinding):
        with body.elsewhere(binding.scope, body.its[-1:]):
            return place(body, binding.node)
    found = infer_names.find_named(body, node)
    if isinstance(found, FieldDeclaration):
        return _of_field(body, found, None, node.span)
    return _no_place(body, node)


def _of_field(
    body: Body, found: FieldDeclaration, target: model.Expression | None, span: nodes.Span
) -> model.Place:
    if not (body.example or body.silent) and not isinstance(found.type, kinds.ZoneType):
        found.written = True
    return model.FieldPlace(type=found.type, span=span, field=found.id, target=target)


def declaration(body: Body, read: model.Read) -> FieldDeclaration | None:
    """Return the declaration of a field that is read."""
    world = body.world
    for instance in world.instances:
        for one in instance.fields.values():
            if one.id == read.field:
                return one
    for kind in world.kinds.values():
        for one in kind.order:
            if one.id == read.field:
                return one
    return None


def _field_place(body: Body, node: nodes.Attribute) -> model.Place | None:
    found = body.expression(node)
    if isinstance(found, model.SlotThing):
        found = found.slot
    if isinstance(found, model.Read):
        known = declaration(body, found)
        if known is not None:
            return _of_field(body, known, found.target, node.span)
    if not isinstance(found.type, kinds.UnknownType):
        body.complain(
            diagnostic("RW308", node.span, "nothing to write to", found=_words(found))
        )
    return None


def _entry_place(body: Body, node: nodes.Index) -> model.Place | None:
    whole = place(body, node.target)
    if whole is None:
        return None
    if not isinstance(whole, model.FieldPlace) or not isinstance(whole.type, kinds.FamilyType):
        body.complain(
            diagnostic(
                "RW308",
                node.span,
                "only families have entries",
                found=f"item of a {kinds.shown(whole.type)}",
            )
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
    if isinstance(binding, ExpressionBinding) and isinstance(binding.type, kinds.FunctionType):
        argument = body.typed(arguments[0], binding.type.parameter)
        with body.elsewhere(binding.scope, [argument]):
            return place(body, binding.node)
    type_ = body.locals.get(text)
    if isinstance(type_, kinds.FunctionType):
        inner = type_.result.inner if isinstance(type_.result, kinds.PlaceType) else type_.result
        argument = body.typed(arguments[0], type_.parameter)
        function = model.Local(type=type_, span=node.name.span, name=body.local_name(text))
        return model.AppliedPlace(
            type=inner, span=node.span, function=function, argument=argument
        )
    return None


def is_whole_zone(body: Body, node: nodes.Expression) -> bool:
    """Return whether an expression names a zone as a whole, not a list made from it."""
    if not isinstance(node, nodes.Name | nodes.Attribute | nodes.Call):
        return False
    with body.quietly():
        found = body.expression(node)
    if not isinstance(found.type, kinds.ZoneType):
        return False
    return isinstance(found, model.Read | model.Contents | model.Apply)


def with_chance(body: Body, node: nodes.Expression, wanted: Type | None) -> model.Expression:
    """Return a value that may be chance: `random(players)`, `roll(2, 6)`, `shuffled(xs)`."""
    if not isinstance(node, nodes.Call) or node.name.text not in FUNCTION_BY_NAME:
        return body.expression(node, wanted)
    function = FUNCTION_BY_NAME[node.name.text]
    arguments = [one for one in node.arguments if not isinstance(one, nodes.Pair)]
    counted = function.least <= len(arguments) <= function.most
    if not function.chance or not counted or infer_names.find_named(body, node.name) is not None:
        return body.expression(node, wanted)
    if function.name == "roll":
        count, sides = (body.typed(one, kinds.NUMBER) for one in arguments)
        return model.Chance(
            type=ListType(kinds.NUMBER), span=node.span, word="roll", count=count, source=sides
        )
    source = body.expression(arguments[-1])
    held = kinds.element(source.type)
    if held is None:
        body.mismatch(source, ListType(kinds.ANYTHING))
        return body.unknown(node.span)
    if function.name == "random" and len(arguments) == 1:
        return model.Chance(type=held, span=node.span, word="pick", count=None, source=source)
    number = body.typed(arguments[0], kinds.NUMBER) if len(arguments) == 2 else None
    word = "shuffled" if number is None else "some"
    return model.Chance(
        type=ListType(held), span=node.span, word=word, count=number, source=source
    )


def argument(body: Body, node: nodes.Expression, type_: Type) -> model.Argument:
    """Return an object or place of a verb as its parameter takes it."""
    match type_:
        case kinds.ZoneType() | kinds.PlaceType():
            return _place_argument(body, node, type_)
        case kinds.FunctionType(_, kinds.ZoneType() | kinds.PlaceType()):
            return _place_about(body, node, type_)
        case kinds.FunctionType():
            return infer_calls.handed_on(body, node, type_)
        case kinds.InstanceType(name):
            instance = infer_names.instance_of(body, node)
            if instance is not None and instance.name == name:
                return infer_names.instance_value(instance, node.span)
            found = body.expression(node)
            body.mismatch(found, type_)
            return body.unknown(node.span)
        case kinds.ListType(inner):
            found = with_chance(body, node, type_)
            if kinds.element(found.type) is None and kinds.fits(found.type, inner):
                if not isinstance(found.type, kinds.UnknownType):
                    return infer_names.as_list(body.adapt(found, inner))
            return body.adapt(found, type_)
    return body.adapt(with_chance(body, node, type_), type_)


def _place_argument(body: Body, node: nodes.Expression, type_: Type) -> model.Argument:
    found = place(body, node)
    if found is None:
        return body.unknown(node.span)
    wanted = type_.inner if isinstance(type_, kinds.PlaceType) else type_
    both = isinstance(found.type, kinds.ZoneType) == isinstance(wanted, kinds.ZoneType)
    if not both or not kinds.fits(found.type, wanted):
        value = model.Contents(type=found.type, span=node.span, place=found)
        body.mismatch(value, type_)
        return body.unknown(node.span)
    return found


def _place_about(
    body: Body, node: nodes.Expression, type_: kinds.FunctionType
) -> model.Argument:
    with body.binding(None, type_.parameter, frozenset()) as local:
        found = place(body, node)
    if found is None:
        return body.unknown(node.span)
    return model.PlaceLambda(
        type=kinds.FunctionType(type_.parameter, found.type),
        span=node.span,
        parameter=local,
        place=found,
    )
