"""Things that come and go: `create K(…) into z`, `destroy xs`, and `K(…)` in examples.

What a new thing must be given is known only when all steps have been read: a field without a start
value is printed if no step writes it. So `check_creations` looks at all new things once more at the end.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import ListType, ThingType
from rulewright.dsl.resolve.symbols import Creation, FieldDeclaration, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.typecheck import constants, places
from rulewright.dsl.typecheck.context import Body, mismatch
from rulewright.dsl.typecheck.names import as_list

Cells = tuple[tuple[str, model.Expression], ...]
PLAYER = "Player"


def create(body: Body, node: nodes.Command) -> model.Statement | None:
    """`create K(field: value, …) into z`"""
    to = places.zone(body, node.places[0].value)
    thing = node.object
    if isinstance(thing, nodes.KindName):
        word = nodes.Word(span=thing.span, text=thing.text)
        thing = nodes.New(span=thing.span, kind=word, arguments=())
    if not isinstance(thing, nodes.New):
        assert thing is not None
        found = body.expression(thing)
        if not isinstance(found.type, types.UnknownType):
            help = "write its kind and what is printed on it: `create K(field: value) into …`"
            words = types.words(found.type)
            body.complain("RW301", thing.span, help=help, expected="new thing", found=words)
        return None
    made = new_thing(body, thing)
    if made is None or to is None or isinstance(to.type, types.UnknownType):
        return None
    kind, cells = made
    held = types.element(to.type) or types.UNKNOWN
    if not types.fits(ThingType(kind), held):
        body.report.add(mismatch(thing.span, ThingType(kind), held))
        return None
    return model.Create(span=node.span, see=node.see, kind=kind, cells=cells, to=to)


def destroy(body: Body, node: nodes.Command) -> model.Statement | None:
    """`destroy xs`: a thing, a list or a zone"""
    assert node.object is not None
    things = body.expression(node.object)
    if isinstance(things.type, types.UnknownType):
        return None
    if types.element(things.type) is None:
        things = as_list(body.adapt(things, types.without_none(things.type)))
    held = types.without_none(types.element(things.type) or types.UNKNOWN)
    if isinstance(held, types.UnknownType):
        return None
    if not isinstance(held, ThingType):
        words = types.words(held)
        body.complain("RW301", node.object.span, expected="thing", found=words)
        return None
    if not _may_go(body, held.kind, node.object.span):
        return None
    if not body.silent:
        body.world.destroyed.setdefault(held.kind, node.object.span)
    return model.Destroy(span=node.span, see=node.see, things=things)


def _may_go(body: Body, kind: str, span: nodes.Span) -> bool:
    if kind != PLAYER:
        return True
    label = "who plays is settled when the game begins"
    help = "a player who is out keeps the seat: write a field for it, or use the module elimination"
    body.complain("RW323", span, label, help=help, name=PLAYER)
    return False


def new_thing(body: Body, node: nodes.New) -> tuple[str, Cells] | None:
    """Return the kind of `K(field: value)` and what is given, or None after a report."""
    type_ = body.types.kind_type(node.kind, body.scope)
    if type_ is None or isinstance(type_, types.UnknownType):
        for argument in node.arguments:
            body.expression(argument.value if isinstance(argument, nodes.Pair) else argument)
        return None
    if not isinstance(type_, ThingType):
        help = f"a value of it is written `{node.kind.text}.…`"
        found = "list of values"
        body.complain(
            "RW203",
            node.kind.span,
            help=help,
            name=node.kind.text,
            kind="kind of things",
            found=found,
        )
        return None
    if not _may_go(body, type_.kind, node.span):
        return None
    given: dict[str, nodes.Span] = {}
    cells: list[tuple[str, model.Expression]] = []
    for argument in node.arguments:
        cell = _cell(body, type_.kind, argument, given)
        if cell is not None:
            cells.append(cell)
    if not body.silent:
        body.world.creations.append(Creation(type_.kind, frozenset(given), node.span))
    return type_.kind, tuple(cells)


def _cell(
    body: Body, kind: str, argument: nodes.Argument, given: dict[str, nodes.Span]
) -> tuple[str, model.Expression] | None:
    if not isinstance(argument, nodes.Pair):
        body.expression(argument)
        help = f"write the field before its value: `{kind}(field: value)`"
        label = "which field is this?"
        body.complain("RW321", argument.span, label, help=help, kind=kind, name="name of a field")
        return None
    key = argument.key
    if not isinstance(key, nodes.Name):
        span = argument.span if key is None else key.span
        label = "expected the name of a field"
        body.complain("RW206", span, label, kind=kind, name=span.text)
        return None
    field = body.world.field_of(kind, key.text, body.scope)
    if field is None:
        body.expression(argument.value)
        names = [
            name
            for name, found in body.world.kinds[kind].fields.items()
            if not isinstance(found[0].type, types.ZoneType)
        ]
        word = nodes.Word(span=key.span, text=key.text)
        label = f"no field of {kind}"
        known = f"it has {', '.join(f'`{name}`' for name in names)}" if names else None
        body.unknown_name("RW206", word, names, label, known, kind=kind)
        for near in body.world.nearest(key.text, names)[:1]:
            # It was meant: that it is missing is not said as well.
            given |= {meant.id: key.span for meant in body.world.kinds[kind].fields[near]}
        return None
    if field.id in given:
        first = Label(given[field.id], "the first time")
        body.complain("RW202", key.span, secondary=(first,), kind="value", name=key.text)
        return None
    given[field.id] = key.span
    if isinstance(field.type, types.ZoneType):
        help = "its zones begin as their declaration says; things come into them by `move … to …`"
        body.complain("RW203", key.span, help=help, name=key.text, kind="field", found="zone")
        return None
    value = body.expression(argument.value, field.type)
    if isinstance(field.type, types.FamilyType) and not isinstance(value.type, types.FamilyType):
        value = body.adapt(value, field.type.value)
    else:
        value = body.adapt(value, field.type)
    constants.check(body, value, field.low, field.high)
    return field.id, value


# ---------------------------------------------------------------------------------- after all steps


def must_be_given(field: FieldDeclaration, printed: bool, world: World) -> bool:
    """Return whether a new thing must be given a field: it has no start value that makes sense."""
    if isinstance(field.type, types.ZoneType | types.UnknownType) or field.node.default is not None:
        return False
    plain = field.type.value if isinstance(field.type, types.FamilyType) else field.type
    if isinstance(plain, types.OptionalType | ListType):
        return False
    return printed or not isinstance(plain, types.NumberType | types.FlagType)


def check_creations(world: World, fields: Mapping[str, model.Field]) -> None:
    """Report what new things lack, and what depends on a kind whose things come and go."""
    for made in world.creations:
        for field in world.kinds[made.kind].order:
            printed = field.id in fields and fields[field.id].printed
            if field.id in made.given or not must_be_given(field, printed, world):
                continue
            world.report.complain(
                "RW321",
                made.span,
                f"`{field.word.text}` is missing",
                secondary=(Label(field.word.span, "declared here"),),
                help=f"give it: `{made.kind}({field.word.text}: …)`",
                kind=made.kind,
                name=field.word.text,
            )
    going = {made.kind: made.span for made in reversed(world.creations)} | world.destroyed
    for found in world.field_ids.values():
        key = found.type.key if isinstance(found.type, types.FamilyType) else None
        if isinstance(key, ThingType) and key.kind in going:
            world.report.complain(
                "RW323",
                going[key.kind],
                secondary=(Label(found.word.span, f"it has a value for each {key.kind}"),),
                help=f"give each {key.kind} a field instead",
                name=key.kind,
            )
