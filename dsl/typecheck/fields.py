"""Type checking what stands behind a dot or in brackets: fields, defines of a thing, items, things
by name.

`x.f` is a field of x, a define of its kind, or a define of the game about x; of a player it is the
define with `me` = that player. `m.f`, where m is an instance of a module, is what m calls f.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import EnumType, ThingType, Type
from rulewright.dsl.resolve.symbols import DefineDeclaration, Instance
from rulewright.dsl.syntax import nodes
from rulewright.dsl.typecheck import calls, name_lookup
from rulewright.dsl.typecheck.context import Body, Handler, slot_thing
from rulewright.dsl.typecheck.names import doubt, has_this, named, no_objects, verb_value


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
    outer = body.outer_it() if isinstance(target_node, nodes.It) else None
    if outer is not None and types.without_none(outer.type) != types.without_none(target.type):
        if _has(body, types.without_none(outer.type), node.name.text):
            if _has(body, types.without_none(target.type), node.name.text):
                body.report.add(doubt(node.span))
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
    instance = name_lookup.instance_of(body, target)
    if instance is None:
        return None
    with body.elsewhere(instance, []):
        found = name_lookup.find_named(body, node.name)
        if found is not None:
            return named(body, found, node.span)
        verbs = name_lookup.find_verbs(body, node.name.text, instance)
        if verbs:
            return verb_value(body, node.name.text, verbs, (), node.span, wanted)
        names = [
            *instance.fields,
            *instance.defines,
            *instance.options,
            *instance.neutrals,
            *instance.verbs,
        ]
        kind = f"instance `{instance.name}`"
        return body.unknown_name("RW206", node.name, names, f"not in `{instance.name}`", kind=kind)


def field_or_define(
    body: Body,
    target: model.Expression,
    word: nodes.Word,
    arguments: tuple[nodes.Argument, ...],
    span: nodes.Span,
    qualifier: Instance | None = None,
) -> model.Expression:
    """Return `x.f` or `x.f(y)`: a field, a define of its kind, or the define f about x."""
    if isinstance(target.type, types.ZoneType) and target.type.shape == "slot":
        target = slot_thing(target)
    type_ = types.without_none(target.type)
    if isinstance(type_, types.UnknownType):
        return body.unknown(span)
    body.must_be_known(target)
    text = word.text
    if isinstance(type_, ThingType):
        found = body.world.field_of(type_.kind, text, body.scope, qualifier)
        formulas = None if found is None else body.world.formulas.get(found.id)
        if formulas is not None and not arguments:
            return calls.define_call(body, formulas.define, (), span, (target,), None)
        if found is not None and not arguments:
            return model.Read(type=found.type, span=span, field=found.id, target=target)
        if found is not None and not body.world.define_of(type_.kind, text, body.scope, qualifier):
            return no_objects(body, word, len(arguments), span, found.type)
        about = body.world.define_of(type_.kind, text, body.scope, qualifier)
        if about is not None:
            first = () if not has_this(about) else (target,)
            who = target if type_ == types.PLAYER else None
            return calls.define_call(body, about, arguments, span, first, who)
        if text == "owner":
            return model.OwnerOf(type=types.OptionalType(types.PLAYER), span=span, thing=target)
        if text == "lies_at":
            return model.LiesAt(type=_holder_type(body, type_), span=span, thing=target)
    if isinstance(type_, EnumType):
        of_value = _of_value(body, target, type_, word, arguments, span, qualifier)
        if of_value is not None:
            return of_value
    plain = name_lookup.find_named(body, word)
    if isinstance(plain, DefineDeclaration):
        if type_ == types.PLAYER:
            return calls.define_call(body, plain, arguments, span, (), target)
        return calls.define_call(body, plain, arguments, span, (target,), None)
    if text == "won" and type_ == types.PLAYER:
        return model.Won(type=types.FLAG, span=span, player=target)
    return _no_such_field(body, target, type_, word)


def _of_value(
    body: Body,
    target: model.Expression,
    type_: EnumType,
    word: nodes.Word,
    arguments: tuple[nodes.Argument, ...],
    span: nodes.Span,
    qualifier: Instance | None,
) -> model.Expression | None:
    """Return a field or define of a value of an enumeration: a field is an entry of a family, which
    never changes if a table gives it."""
    found = body.world.field_of(type_.name, word.text, body.scope, qualifier)
    if found is not None and not arguments:
        whole = types.FamilyType(found.type, type_)
        family: model.Expression = model.Read(type=whole, span=span, field=found.id, target=None)
        if found.id in body.world.tabled:
            family = model.DefineCall(type=whole, span=span, define=found.id, arguments=(), me=None)
        return model.Entry(type=found.type, span=span, family=family, key=target)
    about = body.world.define_of(type_.name, word.text, body.scope, qualifier)
    if about is not None:
        return calls.define_call(body, about, arguments, span, (target,), None)
    if found is not None:
        return no_objects(body, word, len(arguments), span, found.type)
    return None


def _holder_type(body: Body, thing: ThingType) -> Type:
    """Return what `x.lies_at` may be: a thing of the kind that has the zones for it, or none."""
    holders = {
        field.holder
        for kind in body.world.kinds.values()
        for field in kind.order
        if isinstance(field.type, types.ZoneType) and field.type.kind == thing
    }
    only = holders.pop() if len(holders) == 1 else None
    return types.OptionalType(types.ANYTHING if only is None else ThingType(only))


def _no_such_field(
    body: Body, target: model.Expression, type_: Type, word: nodes.Word
) -> model.Expression:
    held = types.element(type_)
    if held is not None and not isinstance(type_, types.AnythingType):
        text = target.span.text
        whole = f"({text})" if " " in text else text
        label = "a list has no fields"
        help = f"for all of them: `{whole} each its.{word.text}`"
        return body.unknown_name("RW206", word, (), label, help, kind=types.words(type_))
    names: list[str] = []
    if isinstance(type_, ThingType | EnumType):
        known = body.world.kinds.get(_kind_of(type_))
        names = [*known.fields, *known.defines] if known else []
        for _, instance in body.scope.near():
            names.extend(instance.defines)
    label = f"no field of {types.words(type_)}"
    advice = _outer_level(body, target, word.text) or _whose(body, word.text)
    return body.unknown_name("RW206", word, names, label, advice, kind=types.words(type_))


def _outer_level(body: Body, target: model.Expression, field: str) -> str | None:
    """Return how to speak of an outer `it`, if that is the one that has the field."""
    if not isinstance(target, model.Local) or target not in body.its[-1:]:
        return None
    for outer in body.its[:-1]:
        if _has(body, types.without_none(outer.type), field):
            return f"for the outer list write `… as x where …` and `x.{field}`"
    return None


def _has(body: Body, type_: Type, field: str) -> bool:
    known = body.world.kinds.get(_kind_of(type_))
    return known is not None and (field in known.fields or field in known.defines)


def _kind_of(type_: Type) -> str:
    if isinstance(type_, EnumType):
        return type_.name
    return type_.kind if isinstance(type_, ThingType) else ""


def _whose(body: Body, field: str) -> str | None:
    """Return which other kinds have the field, or that the game itself has it."""
    having = [kind for kind in body.world.kinds if _has(body, ThingType(kind), field)]
    if having:
        return f"{' and '.join(having[:2])} {'has' if len(having) == 1 else 'have'} it"
    if any(field in instance.fields for _, instance in body.scope.near()):
        return f"the game has it: write `{field}` alone"
    return None


def index(body: Body, node: nodes.Index, wanted: Type | None) -> model.Expression:
    """`codes[0]`, `black_hole[me]`"""
    written = isinstance(node.target, nodes.ListValue) and wanted is not None
    target = body.expression(node.target, types.ListType(wanted) if written and wanted else None)
    if isinstance(target.type, types.FamilyType):
        key = body.typed(node.index, target.type.key)
        return model.Entry(type=target.type.value, span=node.span, family=target, key=key)
    held = body.listed(target)
    if isinstance(held, types.UnknownType):
        return body.unknown(node.span)
    place = body.typed(node.index, types.NUMBER)
    return model.Item(type=held, span=node.span, items=target, index=place)


def new(body: Body, node: nodes.New, wanted: Type | None) -> model.Expression:
    """`Planet("Cinder")`"""
    type_ = body.types.kind_type(node.kind, body.scope)
    if isinstance(type_, EnumType):
        kind = node.kind.text
        example = next(iter(body.world.enumerations[type_.name]), "value")
        body.complain(
            "RW203",
            node.kind.span,
            help=f"a value of it is written `{kind}.{example}`",
            name=kind,
            kind="kind of things",
            found="list of values",
        )
    if not isinstance(type_, ThingType):
        return body.unknown(node.span)
    arguments = node.arguments
    if len(arguments) == 1 and isinstance(arguments[0], nodes.Text):
        return _named_thing(body, node, type_, arguments[0])
    if any(isinstance(one, nodes.Pair) for one in arguments):
        for one in arguments:
            body.expression(one.value if isinstance(one, nodes.Pair) else one)
        help = f"a value makes nothing: write `create {node.span.text} into …` as a step of its own"
        return body.no_value("RW322", node.span, help=help, name=node.kind.text)
    help = f'a thing is found by its name: `{node.kind.text}("…")`'
    if len(arguments) == 1:
        assert not isinstance(arguments[0], nodes.Pair)
        value = body.expression(arguments[0])
        body.mismatch(value, types.TEXT, "only a name in quotes", help=help)
    else:
        found = str(len(arguments))
        expected = "1 argument"
        body.complain(
            "RW302", node.span, help=help, name=node.kind.text, expected=expected, found=found
        )
    return body.unknown(node.span)


def named_things(names: Iterable[str]) -> str | None:
    """Return which names there are, as far as they fit into a help."""
    known = list(names)
    shown = ", ".join(known[:MOST_NAMES])
    more = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
    return f"they are called {shown}{more}" if known else None


MOST_NAMES = 6
"""How many names of things a help lists."""


def _named_thing(
    body: Body, node: nodes.New, type_: ThingType, text: nodes.Text
) -> model.Expression:
    known = body.world.thing_names.get(type_.kind)
    word = nodes.Word(span=text.span, text=text.raw)
    if known is not None and text.raw not in known:
        help = None
        if not known:
            # Where nothing has a name, that is said once.
            help = f"no table gives the things of {type_.kind} a name"
            if not body.silent:
                body.world.thing_names.pop(type_.kind)
        help = help or named_things(known)
        return body.unknown_name("RW211", word, known, help=help, kind=type_.kind)
    if known is not None and known[text.raw] > 1 and not body.example:
        help = f'all of them: `{node.kind.text} where its.name is "{text.raw}"`'
        body.complain("RW218", text.span, help=help, name=text.raw)
    return model.NamedThing(type=type_, span=node.span, kind=type_.kind, name=text.raw)


def method(body: Body, node: nodes.Method, wanted: Type | None) -> model.Expression:
    """`x.f(y)`"""
    instance = name_lookup.instance_of(body, node.target)
    if instance is not None:
        found = instance.defines.get(node.name.text)
        if found is not None:
            return calls.define_call(body, found, node.arguments, node.span, (), None)
        verbs = name_lookup.find_verbs(body, node.name.text, instance)
        if verbs:
            return calls.verb_with_arguments(body, node, verbs)
        names = [*instance.defines, *instance.verbs]
        label = f"not in `{instance.name}`"
        kind = f"instance `{instance.name}`"
        return body.unknown_name("RW206", node.name, names, label, kind=kind)
    target = body.expression(node.target)
    return field_or_define(body, target, node.name, node.arguments, node.span)


HANDLERS: Mapping[type, Handler] = {
    nodes.Attribute: attribute,
    nodes.Method: method,
    nodes.Index: index,
    nodes.New: new,
}
