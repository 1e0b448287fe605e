"""Type checking defines: the checked form of a define for the types of its arguments.

A define without types on its parameters is a pattern: it is checked anew, with the changes that
amend it, for every combination of argument types it is called with. Forms are kept, so each is
checked once; one that is asked for while it is being read goes round in a circle.
"""

from __future__ import annotations

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import (
    ChangeDeclaration,
    DefineDeclaration,
    DefineForm,
    Formulas,
    Power,
    Speaker,
    UntilDeclaration,
    World,
)
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Report
from rulewright.dsl.typecheck import formulas, powers, until
from rulewright.dsl.typecheck.context import Body, Readers
from rulewright.dsl.typecheck.during import guarded
from rulewright.dsl.typecheck.facts import tested

MOST_OPEN = 40
"""How many defines may ask for one another in a row."""
MOST_FORMS = 200
"""For how many kinds of arguments a define may be read."""


def read_form(
    world: World,
    found: DefineDeclaration,
    given_types: tuple[Type, ...],
    readers: Readers,
) -> DefineForm:
    """Return the form of a define for arguments of these types; `open` if it is in a circle."""
    own = _parameter_types(found, given_types)
    known = found.instances.get(own)
    if known is not None:
        return known
    identity = found.id
    if any(type_ is None for type_ in found.parameter_types):
        identity += "<" + ", ".join(types.shown(type_) for type_ in own) + ">"
    form = DefineForm(identity, own, found.type or types.UNKNOWN)
    if len(world.reading) >= MOST_OPEN or len(found.instances) >= MOST_FORMS:
        inside = len(world.reading) >= MOST_OPEN
        limit = MOST_OPEN if inside else MOST_FORMS
        what = "values inside one another" if inside else "kinds of arguments"
        world.too_deep(found.node.name.span, found.name, limit, what)
        form.open = False
        form.type = types.UNKNOWN
        return form
    found.instances[own] = form
    world.reading.append(found)
    try:
        _read(world, found, form, readers)
    except RecursionError:
        world.too_deep(found.node.name.span, found.name, MOST_OPEN, "values inside one another")
        form.type = types.UNKNOWN
    finally:
        world.reading.pop()
        form.open = False
    return form


def reported_form(
    world: World, found: DefineDeclaration, given_types: tuple[Type, ...], readers: Readers
) -> DefineForm:
    """Return the form of a define, with what is wrong in it reported."""
    form = read_form(world, found, given_types, readers)
    if not form.reported:
        form.reported = True
        world.report.extend(form.report.sorted())
    return form


def _read(world: World, found: DefineDeclaration, form: DefineForm, readers: Readers) -> None:
    body = Body(world, found.scope, form.report, readers, kind_of_place="define")
    _parameters(body, found, form)
    given = world.formulas.get(found.id)
    if given is not None and given.define is found:
        form.body, form.type = _chosen(body, given, form), given.field.type
    elif isinstance(found.node, nodes.Tally):
        _tally(body, found, found.node, form)
    else:
        form.body = _lets(body, found.node.lets, found.node.value, found.type)
        form.type = found.type or _settled(form.body.type)
    form.changes = tuple(
        changed(body, change, form.type, found) for change in in_order(found.changes)
    )
    form.needs_me = body.uses_me


def _chosen(body: Body, given: Formulas, form: DefineForm) -> model.Expression:
    """Return what a field says of a thing of which some have formulas there."""
    this, values = body.this, list[model.Expression]()
    assert this is not None, "only things have formulas"
    for cell in given.cells:
        inner = read_form(body.world, cell, (this.type,), body.readers)
        span = cell.node.name.span
        if not inner.reported:
            inner.reported = True
            body.report.extend(inner.report.sorted())
        me = formulas.owner(this, span) if inner.needs_me else None
        values.append(
            model.DefineCall(
                type=given.field.type, span=span, define=inner.id, arguments=(this,), me=me
            )
        )
    return formulas.chosen(given, this, values)


def _settled(type_: Type) -> Type:
    """A define gives the things of a zone, never the zone itself; a slot stays a slot."""
    if isinstance(type_, types.ZoneType) and type_.shape != "slot":
        return types.ListType(type_.kind)
    return type_


def _parameter_types(found: DefineDeclaration, given_types: tuple[Type, ...]) -> tuple[Type, ...]:
    declared = list(found.parameter_types)
    if found.about is not None:
        declared.insert(0, found.about)
    own: list[Type] = []
    for type_, given in zip(declared, given_types, strict=True):
        wanted = given if type_ is None else type_
        if isinstance(wanted, types.ZoneType):
            wanted = types.ListType(wanted.kind)
        if isinstance(wanted, types.FunctionType) and isinstance(given, types.FunctionType):
            # What a handed-on expression gives is known better than what is asked for.
            wanted = types.FunctionType(wanted.parameter, given.result)
        own.append(_sharper(wanted, given))
    return tuple(own)


def _sharper(wanted: Type, given: Type) -> Type:
    """Return the given type where `anything` is wanted, so that it is not forgotten."""
    if isinstance(wanted, types.AnythingType):
        return given
    if isinstance(wanted, types.ListType) and isinstance(wanted.inner, types.AnythingType):
        held = types.element(given)
        if held is not None:
            return types.ListType(held)
    return wanted


def _parameters(body: Body, found: DefineDeclaration, form: DefineForm) -> None:
    names = [parameter.name.text for parameter in found.node.parameters]
    given_types = list(form.types)
    if found.holder == "Player":
        # A define about a player has him as `me`; the word for the thing means the same.
        body.this = model.Me(type=types.PLAYER, span=found.node.span)
    elif found.holder is not None:
        kind = given_types.pop(0)
        body.this = model.Local(type=kind, span=found.node.span, name="this")
    for name, type_ in zip(names, given_types, strict=True):
        body.locals[name] = type_
    form.parameters = tuple(
        (["this"] if isinstance(body.this, model.Local) else [])
        + [body.local_name(name) for name in names]
    )


def _lets(
    body: Body, lets: tuple[nodes.Let, ...], value: nodes.Expression, wanted: Type | None
) -> model.Expression:
    if not lets:
        found = body.expression(value, wanted)
        if wanted is not None and types.element(wanted) is not None:
            if types.element(found.type) is None and types.fits(
                found.type, types.element(wanted) or types.UNKNOWN
            ):
                return found
        return found if wanted is None else body.adapt(found, wanted)
    first, rest = lets[0], lets[1:]
    bound = body.expression(first.value)
    if isinstance(bound.type, types.ZoneType):
        bound_type: Type = types.ListType(bound.type.kind)
    else:
        bound_type = bound.type
    body.locals[first.name.text] = bound_type
    inner = _lets(body, rest, value, wanted)
    return model.LetIn(
        type=inner.type,
        span=first.span,
        name=body.local_name(first.name.text),
        value=bound,
        body=inner,
    )


def _tally(body: Body, found: DefineDeclaration, node: nodes.Tally, form: DefineForm) -> None:
    type_ = found.type or types.NUMBER
    form.type = type_
    lines: list[model.Line] = []
    for line in node.lines:
        value = body.typed(line.value, type_)
        changes = tuple(
            changed(body, change, type_, found)
            for change in in_order(found.line_changes.get(line.name.text, []))
        )
        lines.append(model.Line(name=line.name.text, value=value, changes=changes, see=line.see))
    form.lines = tuple(lines)
    form.body = model.Constant(type=type_, span=node.span, value=0)


def in_order(changes: list[ChangeDeclaration]) -> list[ChangeDeclaration]:
    """Return changes by scope, then in file order."""
    return sorted(changes, key=lambda change: (change.level, change.order))


_WAYS = {
    "by": types.NumberType | types.ListType | types.ZoneType,
    "at most": types.NumberType,
    "at least": types.NumberType,
}
"""What can be changed in which way; `to` fits everything."""


def _check_way(body: Body, node: nodes.Change, value: model.Expression) -> None:
    """Report a `by` or a limit for a value that is no number."""
    fitting = _WAYS.get(node.how)
    plain = types.without_none(value.type)
    if fitting is None or isinstance(plain, fitting | types.UnknownType | types.AnythingType):
        return
    way = "by" if node.how == "by" else f"to {node.how}"
    body.complain(
        "RW301",
        value.span,
        f"`{way}` is for numbers{' and lists' if node.how == 'by' else ''}",
        help="write `to …`",
        expected="number or list" if node.how == "by" else "number",
        found=types.words(plain),
    )


def bearers_of(body: Body, speaker: Speaker | None) -> model.Bearers | None:
    """Read for what an amendment speaks that is not always in force."""
    match speaker:
        case Power():
            return powers.bearers(body, speaker)
        case UntilDeclaration():
            return until.bearers(body, speaker)
    return None


def add_lasting(
    world: World, found: DefineDeclaration, change: ChangeDeclaration, readers: Readers
) -> None:
    """Hang what an `until` says of a value on all its forms, which have been read before."""
    target = change.node.target.words[-1].text
    for number, form in enumerate(found.instances.values()):
        if form.body is None:
            continue
        report = world.report if number == 0 else Report()
        body = Body(world, change.scope, report, readers, kind_of_place="define")
        _parameters(body, found, form)
        one = changed(body, change, form.type, found)
        if not (form.needs_me or body.uses_me):
            one = attrs.evolve(one, bearers=until.of_anybody(one.bearers))
        if isinstance(found.node, nodes.Tally) and target != found.name:
            form.lines = tuple(
                attrs.evolve(line, changes=(*line.changes, one)) if line.name == target else line
                for line in form.lines
            )
        else:
            form.changes = (*form.changes, one)


def changed(
    body: Body, change: ChangeDeclaration, type_: Type, found: DefineDeclaration | None
) -> model.Changed:
    """Read a `change` where the value it amends is known, in the words of its own file."""
    node = change.node
    saved = (body.scope, body.original, body.this)
    body.scope, body.original = change.scope, type_
    taken = frozenset(body.locals)
    bearers = bearers_of(body, change.speaker)
    guard = guarded(body, change.speaker, node.guard)
    with body.knowing(tested(guard) if guard is not None else frozenset()):
        value = body.typed(node.value, type_)
    _check_way(body, node, value)
    if isinstance(change.speaker, UntilDeclaration):
        given = until.captured(body, change.speaker, taken)
        value = until.with_captured(value, given)
        guard = None if guard is None else until.with_captured(guard, given)
    body.scope, body.original, body.this = saved
    return model.Changed(
        how=node.how,
        value=value,
        guard=guard,
        scope=change.level,
        order=change.order,
        title=change.scope.title,
        span=node.span,
        see=node.see,
        bearers=bearers,
    )
