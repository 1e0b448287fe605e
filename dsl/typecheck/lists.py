"""Type checking lists: the list words, quantifiers, lists and families in brackets."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import Criterion, types
from rulewright.dsl.model.types import FLAG, Type
from rulewright.dsl.syntax import nodes
from rulewright.dsl.typecheck.context import Body, Handler, element_facts


def source_of(
    body: Body, node: nodes.Expression, wanted: Type | None = None, coming: str = ""
) -> tuple[model.Expression, Type]:
    """Return a list and the type of what it holds; a list is expected. `coming` is the name that its
    things get afterwards."""
    saved, body.coming = body.coming, coming
    source = body.expression(node, wanted)
    body.coming = saved
    return source, body.listed(source)


def list_step(body: Body, node: nodes.ListStep, wanted: Type | None) -> model.Expression:
    """`where`, `each`, `without`"""
    keep = wanted if node.word != "each" else None
    source, held = source_of(body, node.source, keep)
    listed = types.ListType(held)
    if node.word == "without":
        other, _ = source_of(body, node.argument, listed)
        if not types.comparable(listed, other.type):
            body.mismatch(other, listed)
        return model.Without(type=listed, span=node.span, source=source, other=other)
    name = named_level(body, node)
    with body.binding(name, held, element_facts(body, source)) as local:
        if node.word == "where":
            condition = body.typed(node.argument, FLAG)
            return model.Where(
                type=listed, span=node.span, source=source, name=local, condition=condition
            )
        hint = types.element(wanted) if wanted is not None else None
        value = body.expression(node.argument, hint)
    if isinstance(value.type, types.ZoneType):
        value = model.Each(
            type=types.ListType(types.ListType(value.type.kind)),
            span=node.span,
            source=source,
            name=local,
            value=value,
        )
        return value
    return model.Each(
        type=types.ListType(value.type), span=node.span, source=source, name=local, value=value
    )


def list_order(body: Body, node: nodes.ListOrder, wanted: Type | None) -> model.Expression:
    """`having most …`, `sorted by …`"""
    source, held = source_of(body, node.source, wanted)
    name = named_level(body, node)
    with body.binding(name, held, element_facts(body, source)) as local:
        keys = criteria(body, node.keys)
    type_ = types.ListType(held)
    if node.word == "having":
        return model.Having(type=type_, span=node.span, source=source, name=local, keys=keys)
    return model.Sorted(type=type_, span=node.span, source=source, name=local, keys=keys)


def criteria(body: Body, keys: tuple[nodes.Key, ...]) -> tuple[Criterion, ...]:
    """Return the criteria of an order; each must be something with an order."""
    read: list[Criterion] = []
    for key in keys:
        value = body.expression(key.value)
        body.ordered(value)
        read.append(Criterion(most=key.most, value=value))
    return tuple(read)


def named_level(body: Body, node: nodes.ListStep | nodes.ListOrder) -> str | None:
    """Return the name of what is looked at, if it has one.

    A name holds from where it is given up to and including the next `each`: in
    `players as p where p.in_game each p.name` the second word takes it over from the first.
    """
    if node.name is not None:
        check_hiding(body, node.name)
        return node.name.text
    source = node.source
    bracketed = source.span.source.text[source.span.end : node.span.end].lstrip().startswith(")")
    if (
        not isinstance(source, nodes.ListStep | nodes.ListOrder)
        or source.word == "each"
        or bracketed
    ):
        return None
    return taken_over(source)


def taken_over(source: nodes.ListStep | nodes.ListOrder) -> str | None:
    """Return the name that the list word on the left hands on."""
    while source.name is None:
        inner = source.source
        if not isinstance(inner, nodes.ListStep | nodes.ListOrder) or inner.word == "each":
            return None
        source = inner
    return source.name.text


def check_hiding(body: Body, word: nodes.Word | None) -> None:
    """Report a name of an expression that would hide another local."""
    if word is not None and (word.text in body.locals or word.text in body.seen_names):
        body.complain(
            "RW202",
            word.span,
            "hides another one",
            kind="name",
            name=word.text,
            help="give it a name of its own",
        )


def quantifier(body: Body, node: nodes.Quantifier, wanted: Type | None) -> model.Expression:
    """`every p in xs has c`"""
    source, held = source_of(body, node.source, coming=node.name.text)
    check_hiding(body, node.name)
    with body.binding(node.name.text, held, element_facts(body, source)) as local:
        condition = body.typed(node.condition, FLAG)
    return model.Quantified(
        type=FLAG, span=node.span, word=node.word, name=local, source=source, condition=condition
    )


def list_value(body: Body, node: nodes.ListValue, wanted: Type | None) -> model.Expression:
    """`[a, b]`, `[wood: 2, ore: 1]`"""
    if any(isinstance(item, nodes.Pair) for item in node.items):
        return family_value(body, node, wanted)
    held = types.element(wanted) if wanted is not None else None
    items: list[model.Expression] = []
    type_: Type | None = held if held is not None and not node.items else None
    for item in node.items:
        assert not isinstance(item, nodes.Pair)
        value = body.expression(item, held or type_)
        if isinstance(value.type, types.ZoneType):
            value = _contents_as_list(value, held)
        both = value.type if type_ is None else types.common(type_, value.type)
        if both is None:
            body.mismatch(value, type_ or types.ANYTHING)
            both = types.UNKNOWN
        type_ = both
        items.append(value)
    result = types.ListType(type_ if type_ is not None else types.ANYTHING)
    return model.ListOf(type=result, span=node.span, items=tuple(items))


def _contents_as_list(value: model.Expression, held: Type | None) -> model.Expression:
    """A slot inside brackets is its thing, unless lists are wanted."""
    assert isinstance(value.type, types.ZoneType)
    if value.type.shape == "slot" and not isinstance(held, types.ListType):
        return model.SlotThing(
            type=types.OptionalType(value.type.kind), span=value.span, slot=value
        )
    return value


def family_value(body: Body, node: nodes.ListValue, wanted: Type | None) -> model.Expression:
    """`[wood: 2, ore: 1]`"""
    family = wanted if isinstance(wanted, types.FamilyType) else None
    pairs: list[tuple[model.Expression, model.Expression]] = []
    key_type: Type = family.key if family else types.UNKNOWN
    value_type: Type = family.value if family else types.UNKNOWN
    for item in node.items:
        if not isinstance(item, nodes.Pair) or item.key is None:
            body.complain("RW101", item.span, found="this", help="write `name: value`")
            continue
        known = bool(family or pairs)
        key = body.expression(item.key, key_type if known else None)
        value = body.expression(item.value, value_type if known else None)
        if not pairs and not family:
            key_type, value_type = key.type, value.type
        pairs.append((body.adapt(key, key_type), body.adapt(value, value_type)))
    return model.FamilyOf(
        type=types.FamilyType(value_type, key_type), span=node.span, pairs=tuple(pairs)
    )


def hides_instance(body: Body, word: nodes.Word) -> bool:
    """Return whether a local hides an instance of a module; that is reported."""
    if body.scope.instance_named(word.text) is None or word.text in body.locals:
        return False
    help = "give it a name of its own"
    body.complain(
        "RW202", word.span, "hides an instance", help=help, kind="instance", name=word.text
    )
    return True


HANDLERS: Mapping[type, Handler] = {
    nodes.ListStep: list_step,
    nodes.ListOrder: list_order,
    nodes.Quantifier: quantifier,
    nodes.ListValue: list_value,
}
