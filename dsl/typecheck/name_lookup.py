"""Finding names: what a word stands for in a file, nearest first.

Nothing is read here: a field, value, option, instance or verb is found, or what a message says of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import BUILT_IN_VALUES
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    FieldDeclaration,
    Instance,
    NeutralDeclaration,
    OptionDeclaration,
    VerbDeclaration,
)
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.typecheck.context import Body

Found = FieldDeclaration | DefineDeclaration | OptionDeclaration | NeutralDeclaration


def find_named(body: Body, node: nodes.Name | nodes.Word) -> Found | None:
    """Return what a file calls by this name, nearest first; two as near are reported."""
    found: Found | None = None
    at = -1
    for distance, instance in body.scope.near():
        if found is not None and distance > at:
            break
        tables = (instance.fields, instance.defines, instance.options, instance.neutrals)
        for table in tables:
            other = table.get(node.text)
            if other is None:
                continue
            if found is not None and found is not other:
                _ambiguous(body, node, found, other)
                return found
            found, at = other, distance
    return found


def _ambiguous(body: Body, node: nodes.Name | nodes.Word, first: Found, second: Found) -> None:
    spans = [
        one.word.span if isinstance(one, FieldDeclaration) else one.node.name.span
        for one in (first, second)
    ]
    places = tuple(Label(span, "one of them") for span in spans)
    known = [one.scope.name for one in (first, second) if one.scope.name]
    ways = " or ".join(f"`{name}.{node.text}`" for name in known)
    help = f"say which: {ways}" if ways else None
    body.complain("RW218", node.span, secondary=places, help=help, name=node.text)


def find_verbs(
    body: Body, text: str, instance: Instance | None = None
) -> tuple[VerbDeclaration, ...]:
    """Return the verbs of a name as seen from the file, its own before those of its modules."""
    if instance is not None:
        return tuple(verb for _, one in instance.near() for verb in one.verbs.get(text, ()))
    seen: dict[str, VerbDeclaration] = {}
    for _, one in body.scope.verb_scopes():
        for verb in one.verbs.get(text, ()):
            seen.setdefault(verb.id, verb)
    return tuple(seen.values())


def instance_of(body: Body, target: nodes.Expression) -> Instance | None:
    """Return the instance that an expression names, statically, or None."""
    if not isinstance(target, nodes.Name):
        return None
    type_ = body.locals.get(target.text) or body.seen_names.get(target.text)
    if isinstance(type_, types.InstanceType):
        return next(
            (one for one in body.world.instances if one.name == type_.name and one.is_module), None
        )
    if type_ is not None or find_quietly(body, target) is not None:
        return None
    if target.text == "this" and body.this is None and body.scope.is_module:
        return body.scope
    return body.scope.instance_named(target.text)


def find_quietly(body: Body, node: nodes.Name | nodes.Word) -> Found | None:
    """Return what a name means among fields, defines and options, without reporting."""
    with body.quietly():
        return find_named(body, node)


def what_is(body: Body, word: nodes.Name | nodes.Word) -> str | None:
    """Return what a name stands for here (`field`, `verb`, ...), or None if it is not known."""
    if word.text in body.locals or word.text in body.seen_names:
        return "local name"
    found = find_quietly(body, word)
    match found:
        case FieldDeclaration(type=types.ZoneType()):
            return "zone"
        case FieldDeclaration():
            return "field"
        case DefineDeclaration():
            return "value"
        case OptionDeclaration():
            return "option"
        case NeutralDeclaration():
            return "neutral player"
    if body.scope.instance_named(word.text) is not None:
        return "instance of a module"
    if find_verbs(body, word.text):
        return "verb"
    if any(word.text in values for values in body.world.enumerations.values()):
        return "value of a kind"
    return None


def visible_names(body: Body) -> Iterable[str]:
    """Yield what a bare word could mean here, for did-you-mean."""
    if body.owner is not None:
        yield "owner"
    yield from body.locals
    yield from body.seen_names
    for _, instance in body.scope.near():
        yield from instance.fields
        yield from instance.defines
        yield from instance.options
        yield from instance.neutrals
        yield from instance.aliases
    for _, instance in body.scope.verb_scopes():
        yield from instance.verbs
    for enum, values in body.world.enumerations.items():
        if not types.declared_in_place(enum):
            yield from values
    yield from BUILT_IN_VALUES[:2]
