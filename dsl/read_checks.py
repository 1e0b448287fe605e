"""Reading what must hold: `check` and `requires` of all files that take part in, their models out.

    check "48 cards": count(Card) is 48
    requires count(players) is 4 else "teams are for four"

A check of a variant stands in place of the one with the same label, as an example does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rulewright.dsl import conflicts, model, nodes
from rulewright.dsl.amend import Linker
from rulewright.dsl.kinds import FLAG
from rulewright.dsl.scope import Instance, World

Item = TypeVar("Item", bound=nodes.Node)


def checks(linker: Linker) -> tuple[model.Check, ...]:
    """Return the checks that hold: of those with one label the innermost variant's."""
    restated = _restated(linker.world)
    found: list[model.Check] = []
    for instance, item in _items(linker.world, nodes.Check):
        label = item.label.raw if item.label else ""
        if label in restated and restated[label] is not instance:
            continue
        body = linker.body(instance, "check")
        body.me = False
        found.append(
            model.Check(
                label=label or item.condition.span.text,
                always=item.always,
                condition=body.typed(item.condition, FLAG),
                source=instance.title,
                span=item.span,
                see=item.see,
            )
        )
    return tuple(found)


def _restated(world: World) -> dict[str, Instance]:
    """Return for the label of each check that a variant says the variant that speaks last."""
    claims: dict[str, dict[str, conflicts.Claim]] = {}
    found: dict[str, Instance] = {}
    for variant in world.variants:
        for item in variant.file.items:
            if isinstance(item, nodes.Check) and item.label is not None:
                claim = conflicts.Claim(variant.title, item.label.span)
                claims.setdefault(item.label.raw, {})[variant.title] = claim
                found[item.label.raw] = variant
    for label, said in claims.items():
        own = f'a `check "{label}"`'
        world.report.extend(conflicts.between(world, label, own, tuple(said.values())))
    return found


def requirements(linker: Linker) -> tuple[model.Requirement, ...]:
    """Return what the number of players and the options must meet."""
    found: list[model.Requirement] = []
    for instance, item in _items(linker.world, nodes.Requirement):
        body = linker.body(instance, "requires")
        body.me = False
        found.append(
            model.Requirement(
                condition=body.typed(item.condition, FLAG),
                text=item.text.raw,
                span=item.span,
                see=item.see,
            )
        )
    return tuple(found)


def _items(world: World, kind: type[Item]) -> Iterator[tuple[Instance, Item]]:
    """Yield the items of a class in all files that take part, each with its file."""
    for instance in world.instances:
        for item in instance.file.items:
            if isinstance(item, kind):
                yield instance, item
