"""Reading what stands behind a dot or in brackets: fields, defines of a thing, items, things by name.

`x.f` is a field of x, a define of its kind, or a define of the game about x; of a player it is the
define with `me` = that player. `m.f`, where m is an instance of a module, is what m calls f.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import infer_calls, infer_names, kinds, model, nodes
from rulewright.dsl.body import Body, Handler, slot_thing
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import EnumType, ThingType, Type
from rulewright.dsl.scope import DefineDeclaration, Instance


def attribute(body: Body, node: nodes.Attribute, wanted: Type | None) -> model.Expression:
    """`x.f`"""
    member = _member(body, node, wanted)
    if member is not None:
        return member
    qualifier: Instance | None = None
    target_node = node.target
    if isinstance(target_node, nodes.Attribute):
        instance = body.scope.instance_named(target_node.name.text)
        if instance is not None:
            qualifier, target_node = instance, target_node.target
    target = body.expression(target_node)
    return field_or_define(body, target, node.name, (), node.span, qualifier)


def _member(body: Body, node: nodes.Attribute, wanted: Type | None) -> model.Expression | None:
    """A value behind the name of an instance or an enumeration."""
    target = node.target
    if isinstance(target, nodes.KindName):
        type_ = body.types.kind_type(nodes.Word(span=target.span, text=target.text), body.scope)
        if isinstance(type_, EnumType):
            if node.name.text in body.world.enumerations[type_.name]:
                return model.EnumConstant(
                    type=type_, span=node.span, enum=type_.name, value=node.name.text
                )
            values = body.world.enumerations[type_.name]
            return body.unknown_name("RW215", node.name, values, kind=type_.name)
        return body.unknown(node.span) if type_ is None else None
    instance = infer_names.instance_of(body, target)
    if instance is None:
        return None
    with body.elsewhere(instance, []):
        found = infer_names.find_named(body, node.name)
        if found is not None:
            return infer_names.named(body, found, node.span)
        verbs = infer_names.find_verbs(body, node.name.text, instance)
        if verbs:
            return infer_names.verb_value(body, node.name.text, verbs, (), node.span)
        names = [*instance.fields, *instance.defines, *instance.verbs]
        return body.unknown_name("RW206", node.name, names, kind=f"`{instance.name}`")


def field_or_define(
    body: Body,
    target: model.Expression,
    word: nodes.Word,
    arguments: tuple[nodes.Argument, ...],
    span: nodes.Span,
    qualifier: Instance | None = None,
) -> model.Expression:
    """Return `x.f` or `x.f(y)`: a field, a define of its kind, or the define f about x."""
    if isinstance(target.type, kinds.ZoneType) and target.type.shape == "slot":
        target = slot_thing(target)
    type_ = kinds.without_none(target.type)
    if isinstance(type_, kinds.UnknownType):
        return body.unknown(span)
    body.must_be_known(target)
    text = word.text
    if isinstance(type_, ThingType):
        found = body.world.field_of(type_.kind, text, body.scope, qualifier)
        if found is not None and not arguments:
            return model.Read(type=found.type, span=span, field=found.id, target=target)
        about = body.world.define_of(type_.kind, text, body.scope, qualifier)
        if about is not None:
            first = () if not infer_names.has_this(about) else (target,)
            who = target if type_ == kinds.PLAYER else None
            return infer_calls.define_call(body, about, arguments, span, first, who)
        if text == "owner":
            return model.OwnerOf(
                type=kinds.OptionalType(kinds.PLAYER), span=span, thing=target
            )
        if text == "lies_at":
            return model.LiesAt(type=kinds.UNKNOWN, span=span, thing=target)
    if isinstance(type_, EnumType) and body.world.field_of(type_.name, text, body.scope):
        body.complain(diagnostic("RW800", span, construct="a field of an enumeration"))
        return body.unknown(span)
    plain = infer_names.find_named(body, word)
    if isinstance(plain, DefineDeclaration):
        if type_ == kinds.PLAYER:
            return infer_calls.define_call(body, plain, arguments, span, (), target)
        return infer_calls.define_call(body, plain, arguments, span, (target,), None)
    if text == "won" and type_ == kinds.PLAYER:
        return model.Won(type=kinds.FLAG, span=span, player=target)
    return _no_such_field(body, type_, word, span)


def _no_such_field(
    body: Body, type_: Type, word: nodes.Word, span: nodes.Span
) -> model.Expression:
    if isinstance(type_, ThingType):
        known = body.world.kinds.get(type_.kind)
        names = [*known.fields, *known.defines] if known else []
        for _, instance in body.scope.near():
            names.extend(instance.defines)
        return body.unknown_name(
            "RW206", word, names, f"no field of {type_.kind}", kind=type_.kind
        )
    help = None
    if kinds.element(type_) is not None:
        help = f"a list has no fields; for all of them: `xs each its.{word.text}`"
    return body.unknown_name(
        "RW206", word, (), help=help, kind=kinds.shown(type_)
    )


def index(body: Body, node: nodes.Index, wanted: Type | None) -> model.Expression:
    """`codes[0]`, `black_hole[me]`"""
    target = body.expression(node.target)
    if isinstance(target.type, kinds.FamilyType):
        key = body.typed(node.index, target.type.key)
        return model.Entry(type=target.type.value, span=node.span, family=target, key=key)
    held = kinds.element(target.type)
    if held is None:
        body.mismatch(target, kinds.ListType(kinds.ANYTHING))
        return body.unknown(node.span)
    place = body.typed(node.index, kinds.NUMBER)
    return model.Item(type=held, span=node.span, items=target, index=place)


def new(body: Body, node: nodes.New, wanted: Type | None) -> model.Expression:
    """`Planet("Cinder")`"""
    type_ = body.types.kind_type(node.kind, body.scope)
    if not isinstance(type_, ThingType):
        return body.unknown(node.span)
    arguments = node.arguments
    if len(arguments) == 1 and isinstance(arguments[0], nodes.Text):
        text = arguments[0].raw
        known = body.world.thing_names.get(type_.kind)
        if known is not None and text not in known:
            word = nodes.Word(span=arguments[0].span, text=text)
            return body.unknown_name("RW211", word, known, kind=type_.kind)
        return model.NamedThing(type=type_, span=node.span, kind=type_.kind, name=text)
    body.complain(
        diagnostic("RW800", node.span, construct=f"{node.kind.text}(…) as a new thing")
    )
    return body.unknown(node.span)


def method(body: Body, node: nodes.Method, wanted: Type | None) -> model.Expression:
    """`x.f(y)`"""
    instance = infer_names.instance_of(body, node.target)
    if instance is not None:
        inner = nodes.Call(span=node.span, name=node.name, arguments=node.arguments)
        found = instance.defines.get(node.name.text)
        if found is not None:
            return infer_calls.define_call(body, found, node.arguments, node.span, (), None)
        with body.elsewhere(instance, body.its):
            return infer_calls.call(body, inner, wanted)
    target = body.expression(node.target)
    return field_or_define(body, target, node.name, node.arguments, node.span)


HANDLERS: Mapping[type, Handler] = {
    nodes.Attribute: attribute,
    nodes.Method: method,
    nodes.Index: index,
    nodes.New: new,
}
