"""Reading the step `until V ends …`: what it waits for, and the locals that it takes along.

What it says is read later, where it acts: a block when all verbs have been read, a `change` when all
values have been.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import blocks, kinds, model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import Type
from rulewright.dsl.lookup import find_verbs
from rulewright.dsl.scope import UntilDeclaration, VerbDeclaration


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
            captured[word] = kinds.without_none(type_) if body.is_known(local) else type_
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
        body.complain(
            diagnostic("RW203", word.span, help=help, name=word.text, kind="verb", found="step")
        )
        return ()
    names = [verb.name for verb in body.world.all_verbs()]
    body.unknown_name("RW207", word, names)
    return ()


def _words(node: nodes.Node) -> Iterator[str]:
    """Yield the words that stand in an amendment and may be names of locals."""
    if isinstance(node, nodes.Name):
        yield node.text
    elif isinstance(node, nodes.Call):
        yield node.name.text
    for inner in blocks.children(node):
        yield from _words(inner)
