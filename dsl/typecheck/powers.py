"""The powers of things: `each Card named "Ace" has …`, and the zones in which they are in force.

    each Player has
      empire: row of Card, seen by players, active

    each Card named "Replicant Robots" has
      change price by -2 when card.is_world

A power is an amendment with *bearers*: while a thing of that name lies in an active zone of the
acting player, the amendment speaks, once for each such thing. The zones of the acting player come
first, then those of things that he owns, then those of the game, which speak for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, ListType, OptionalType, ThingType, ZoneType
from rulewright.dsl.resolve.symbols import FieldDeclaration, Instance, Power, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck.context import Body

Amending = nodes.Change | nodes.Around

_OTHERS = {
    nodes.Field: "a field",
    nodes.Define: "a value",
    nodes.Tally: "a tally",
    nodes.Verb: "a verb",
    nodes.AsSoonAs: "`as soon as`",
    nodes.During: "`during`",
}


def active_zones(world: World) -> Iterator[FieldDeclaration]:
    """Yield the zones that are marked `active`: of players, of things, and last of the game."""
    of_kinds = [field for kind in world.kinds.values() for field in kind.order]
    of_kinds.sort(key=lambda field: field.holder != "Player")
    of_game = [field for one in world.instances for field in one.fields.values()]
    for field in (*of_kinds, *of_game):
        if isinstance(field.type, ZoneType) and any(
            isinstance(mark, nodes.Active) for mark in field.marks
        ):
            yield field


def _as_guard(world: World, item: nodes.KindHas, node: nodes.During) -> str:
    """Return how to write a power that holds while a verb runs: a `during` outside, with a guard."""
    targets = ", ".join(".".join(word.text for word in one.words) for one in node.targets)
    things = item.kind.text
    for zone in active_zones(world):
        if isinstance(zone.type, ZoneType) and types.shown(zone.type.kind) == item.kind.text:
            things = f"my.{zone.name}" if zone.holder == "Player" else zone.name
            break
    names = " or ".join(f'one.name is "{text.raw}"' for text in item.named)
    condition = names or "…"
    return f"write it outside: `during {targets} when some one in {things} has {condition}`"


def check_active(
    field: FieldDeclaration, viewers: tuple[model.Viewers, ...]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the mark `active` of a field, if it has one."""
    for mark in field.marks:
        if not isinstance(mark, nodes.Active):
            continue
        if not isinstance(field.type, ZoneType):
            # In the head line of a block it stands for the zones of the block.
            if mark in field.node.marks:
                label, help = "no zone", "take it out: things with powers lie in zones"
                yield diagnostic("RW101", mark.span, label, help=help, found="`active`")
        elif any(one.who != "everybody" for one in viewers):
            help = "what lies there changes the rules: write `seen by players`"
            yield diagnostic(
                "RW421",
                mark.span,
                "its powers are in force",
                secondary=(Label(field.word.span, "not everybody sees what lies here"),),
                help=help,
                name=field.name,
            )


def amendments(
    world: World, scope: Instance, item: nodes.KindHas, body: Body, first: int
) -> Iterator[tuple[Power, Amending]]:
    """Yield the amendments of a block of powers, numbered from `first`; what is wrong with its head
    is reported."""
    for member in item.members:
        if not isinstance(member, Amending):
            found = _OTHERS[type(member)]
            label = "no `change`, `before`, `after` or `instead of`"
            help = f"what all have stands in `each {item.kind.text} has`"
            if isinstance(member, nodes.During):
                help = _as_guard(world, item, member)
            world.report.complain("RW101", _first_line(member.span), label, help=help, found=found)
    if item.marks:
        mark = item.marks[0].span
        label = "only fields have marks"
        world.report.complain("RW101", mark, label, found=f"`{mark.text}`")
    kind = _kind(world, scope, item, body)
    if kind is None:
        return
    for member in item.members:
        if isinstance(member, Amending):
            yield Power(item, scope, kind, first), member
            first += 1


def _kind(world: World, scope: Instance, item: nodes.KindHas, body: Body) -> str | None:
    """Return the kind of those who have the powers, or None after a report."""
    type_ = body.types.kind_type(item.kind, scope)
    if isinstance(type_, types.EnumType):
        found, wanted = "list of values", "kind of things"
        world.report.complain(
            "RW203", item.kind.span, name=item.kind.text, kind=wanted, found=found
        )
    if not isinstance(type_, ThingType):
        return None
    kind = type_.kind
    if item.named and not world.field_of(kind, "name", scope):
        help = f"say which: `each {item.kind.text} where … has`"
        world.report.complain("RW206", item.kind.span, help=help, name="name", kind=kind)
        return None
    names = world.thing_names.get(kind)
    for text in item.named:
        if names is not None and text.raw not in names:
            word = nodes.Word(span=text.span, text=text.raw)
            body.unknown_name("RW211", word, names, kind=kind)
    if not _active(world, kind):
        help = f"mark a zone of {kind} `active`"
        label = "they lie in no zone that is active"
        world.report.complain("RW501", item.kind.span, label, help=help, name=kind)
        return None
    return kind


def _active(world: World, kind: str) -> list[FieldDeclaration]:
    return [
        field
        for field in active_zones(world)
        if isinstance(field.type, ZoneType) and field.type.kind == ThingType(kind)
    ]


def label_of(item: nodes.KindHas) -> str:
    """Return in words whose powers they are."""
    if not item.named and item.where is not None:
        return f"{item.kind.text} where {' '.join(item.where.span.text.split())}"
    which = ", ".join(f'"{text.raw}"' for text in item.named)
    return f"{item.kind.text} named {which}"


# --------------------------------------------------------------------------------------- bearers


def bearers(body: Body, power: Power) -> model.Bearers:
    """Read what bears a power; from here on `this` is one of them, and `me` its owner."""
    item, span = power.item, power.item.kind.span
    this = model.Local(type=ThingType(power.kind), span=span, name=f"this~{power.number}")
    body.this = this
    body.use_me(span, "me")
    if item.where is not None:
        body.its.append(this)
        condition = body.typed(item.where, FLAG)
        body.its.pop()
    else:
        condition = _is_named(body, power, this)
    those = model.Where(
        type=ListType(this.type),
        span=condition.span,
        source=_lying(body.world, power.kind, span),
        name=this.name,
        condition=condition,
    )
    return model.Bearers(
        name=this.name,
        those=those,
        source=those.source,
        condition=condition,
        label=label_of(item),
        names=tuple(text.raw for text in item.named),
    )


def _is_named(body: Body, power: Power, this: model.Local) -> model.Expression:
    item, span = power.item, power.item.kind.span
    field = body.world.field_of(power.kind, "name", power.scope)
    assert field is not None, "looked for in the head"
    read = model.Read(type=field.type, span=span, field=field.id, target=this)
    texts = tuple(
        model.Constant(type=types.TEXT, span=text.span, value=text.raw) for text in item.named
    )
    given: model.Expression = texts[0]
    if len(texts) > 1:
        given = model.ListOf(type=ListType(types.TEXT), span=span, items=texts)
    word = "in" if len(texts) > 1 else "is"
    return model.Compare(type=FLAG, span=span, word=word, left=read, right=given)


def _lying(world: World, kind: str, span: Span) -> model.Expression:
    """Return the things of a kind that lie in the active zones of the acting player."""
    me = model.Me(type=types.PLAYER, span=span)
    found: model.Expression | None = None
    for field in _active(world, kind):
        if field.holder in (None, "Player"):
            target = None if field.holder is None else me
            one: model.Expression = model.Read(
                type=field.type, span=span, field=field.id, target=target
            )
        else:
            one = _in_mine(field, kind, me)
        if found is None:
            found = one
        else:
            type_ = ListType(ThingType(kind))
            found = model.Arithmetic(type=type_, span=span, word="+", left=found, right=one)
    assert found is not None, "looked for in the head"
    return found


def _in_mine(field: FieldDeclaration, kind: str, me: model.Me) -> model.Expression:
    """Return what lies in a zone of all the things that the acting player owns.

    Whose a thing is, is asked only where something lies there: everybody sees that, but not where
    every other thing of its kind lies.
    """
    assert field.holder is not None
    holder, span, name = ThingType(field.holder), me.span, "holder~"
    holders = ListType(holder)
    one = model.Local(type=holder, span=span, name=name)
    zone = model.Read(type=field.type, span=span, field=field.id, target=one)
    bears = model.IsEmpty(type=FLAG, span=span, source=zone, negated=True)
    owner = model.OwnerOf(type=OptionalType(types.PLAYER), span=span, thing=one)
    owned = model.Compare(type=FLAG, span=span, word="is", left=owner, right=me)
    mine = model.Where(
        type=holders,
        span=span,
        source=model.Everything(type=holders, span=span, kind=field.holder),
        name=name,
        condition=model.And(type=FLAG, span=span, left=bears, right=owned),
    )
    type_ = ListType(ThingType(kind))
    each = model.Each(type=ListType(type_), span=span, source=mine, name=name, value=zone)
    return model.Builtin(type=type_, span=span, name="join", arguments=(each,))


def _first_line(span: Span) -> Span:
    return span.slice(0, len(span.text.partition("\n")[0].partition("#")[0].rstrip()))
