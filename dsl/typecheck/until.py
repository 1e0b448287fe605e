"""What `until V ends` says while it holds: its records, as bearers of its amendment.

    let world = …
    until place ends change price by -2 when card is world

The step makes a record: who says it, and the locals that the amendment speaks of, by value. The
amendment hangs where any other hangs; it speaks once for each record that holds for who reads, and
finds the locals in the record.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import ListType, Type
from rulewright.dsl.resolve.symbols import Speaker, UntilDeclaration, VerbDeclaration
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.name_lookup import find_verbs

CAPTURED = 3
"""Where the captured values begin in a record: behind number, maker and run."""

RECORD = ListType(types.ANYTHING)


def bearers(body: Body, until: UntilDeclaration) -> model.Bearers:
    """Return what bears the amendment of an `until`; from here on its locals can be read, unless the
    target has parameters of the same names."""
    for word, type_ in until.captured.items():
        if word == "this":
            name = body.local_name(f"this~u{until.number}")
            body.this = model.Local(type=type_, span=until.node.span, name=name)
        elif word not in body.seen_names:
            body.locals.setdefault(word, type_)
    span = until.node.span.first_line()
    records = model.Lasting(type=ListType(RECORD), span=span, number=until.number)
    return model.Bearers(
        name=f"record~{until.number}",
        those=records,
        source=records,
        condition=None,
        label=f"until {'.'.join(word.text for word in until.node.target.words)} ends",
    )


def captured(
    body: Body, until: UntilDeclaration, taken: frozenset[str]
) -> list[tuple[str, model.Expression]]:
    """Return the locals of an `until` by their names in its amendment, each with its place in the
    record; not those of the names `taken`, which mean something of the target."""
    span = until.node.span.first_line()
    record = model.Local(type=RECORD, span=span, name=f"record~{until.number}")
    found: list[tuple[str, model.Expression]] = []
    for place, (word, type_) in enumerate(until.captured.items(), CAPTURED):
        index = model.Constant(type=types.NUMBER, span=span, value=place)
        value = model.Item(type=type_, span=span, items=record, index=index)
        if word == "this" and isinstance(body.this, model.Local):
            found.append((body.this.name, value))
        elif word not in taken:
            found.append((body.local_name(word), value))
    return found


def with_captured(
    value: model.Expression, given: list[tuple[str, model.Expression]]
) -> model.Expression:
    """Return an expression in which the captured locals can be read."""
    for name, item in reversed(given):
        value = model.LetIn(type=value.type, span=value.span, name=name, value=item, body=value)
    return value


def of_anybody(bearers: model.Bearers | None) -> model.Bearers | None:
    """Return the same where the records of all players hold: what they amend needs no `me`."""
    if bearers is None or not isinstance(bearers.those, model.Lasting):
        return bearers
    records = attrs.evolve(bearers.those, anybody=True)
    return attrs.evolve(bearers, those=records, source=records)


def lasts(speaker: Speaker | None) -> bool:
    """Return whether an amendment stands behind `until`."""
    return isinstance(speaker, UntilDeclaration)


# --------------------------------------------------------------------------------------- until step


def until(body: Body, node: nodes.Until) -> model.Statement | None:
    """Return the checked step, and note what it says."""
    verbs = _verbs(body, node.target)
    if not verbs:
        return None
    spoken_of = set(_words(node.change))
    captured: dict[str, Type] = {}
    names: list[str] = []
    for word, type_ in (*body.locals.items(), *body.seen_names.items()):
        if word in spoken_of and word not in body.unset and word not in captured:
            name = body.local_name(word)
            local = model.Local(type=type_, span=node.span, name=name)
            captured[word] = types.without_none(type_) if body.is_known(local) else type_
            names.append(name)
    if "this" in spoken_of and isinstance(body.this, model.Local):
        captured["this"] = body.this.type
        names.append(body.this.name)
    number = len(body.world.untils) + 1
    body.world.untils.append(UntilDeclaration(node, body.scope, number, captured))
    return model.Until(
        span=node.span,
        see=node.see,
        number=number,
        verbs=tuple(verb.id for verb in verbs),
        captured=tuple(names),
    )


def _verbs(body: Body, target: nodes.Target) -> tuple[VerbDeclaration, ...]:
    """Return the verbs of a name, or nothing after a report."""
    *instances, word = target.words
    if len(instances) == 1:
        instance = body.scope.instance_named(instances[0].text)
        found = () if instance is None else tuple(instance.verbs.get(word.text, ()))
    else:
        found = () if instances else find_verbs(body, word.text)
    if found:
        return found
    if word.text in body.world.step_ids:
        help = "only verbs can be waited for: make the step a verb"
        body.complain("RW203", word.span, help=help, name=word.text, kind="verb", found="step")
        return ()
    names = [verb.name for verb in body.world.all_verbs()]
    body.unknown_name("RW207", word, names)
    return ()


def _words(node: nodes.Node) -> Iterator[str]:
    """Yield the words that stand in an amendment and may be names of locals."""
    for inner in visitor.nodes_in(node):
        if isinstance(inner, nodes.Name):
            yield inner.text
        elif isinstance(inner, nodes.Call):
            yield inner.name.text
