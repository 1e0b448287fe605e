"""How a game ends: its ranking, who has won, the score sheet, and the reasons of its end.

The innermost file speaks: a variant before the game, the game before its modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.link.amendments import AmendmentLinker
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG
from rulewright.dsl.resolve import variants
from rulewright.dsl.resolve.example_speakers import innermost_first
from rulewright.dsl.resolve.symbols import DefineDeclaration, Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.suggest import nearest
from rulewright.dsl.typecheck.context import mismatch
from rulewright.dsl.typecheck.defines import reported_form
from rulewright.dsl.typecheck.lists import criteria

RESULTS: Mapping[str, types.Type] = {"won": types.FLAG, "payoff": types.NUMBER}
"""What a game may define for every player, instead of leaving it to the ranking."""


def form_of(linker: AmendmentLinker, name: str) -> str | None:
    """Return the id of the form of `won` or `payoff`, if the game defines it."""
    world = linker.world
    of_player = world.kinds["Player"].defines.get(name, [])
    defined = [one.defines[name] for one in innermost_first(world) if name in one.defines]
    found = next(iter((*defined, *of_player)), None)
    if found is None:
        return None
    parameters = found.node.parameters
    if parameters:
        world.report.complain(
            "RW302",
            parameters[0].span,
            help="it is asked about every player: `me` is who is meant",
            name=name,
            expected=counted(0, "argument"),
            found=str(len(parameters)),
        )
        return None
    form = reported_form(world, found, (), linker.readers)
    if form.body is not None and not types.fits(form.type, RESULTS[name]):
        world.report.add(mismatch(form.body.span, form.type, RESULTS[name]))
    return form.id


def ranking(linker: AmendmentLinker) -> tuple[model.Criterion, ...]:
    """Return the criteria by which players are ranked; none is a warning, if nothing defines `won`."""
    world = linker.world
    _check_variants(world)
    for instance in innermost_first(world):
        items = [item for item in instance.file.items if isinstance(item, nodes.Ranking)]
        for other in items[1:]:
            world.report.complain(
                "RW202",
                other.span,
                secondary=(Label(items[0].span, "first declared here"),),
                help="put all criteria into one, in their order",
                kind="block",
                name="ranking",
            )
        for item in items[:1]:
            body = linker.body(instance, "ranking")
            body.its = [model.Me(type=types.PLAYER, span=item.span)]
            keys = criteria(body, item.keys)
            return tuple(attrs.evolve(key, see=item.see) for key in keys)
    if form_of(linker, "won") is None and not world.may_declare("ranking", ()):
        help = "write a `ranking` block"
        world.report.complain("RW415", world.game.file.header.span, help=help)
    return ()


def _check_variants(world: World) -> None:
    own = {
        one.title: item
        for one in world.variants
        for item in one.file.items
        if isinstance(item, nodes.Ranking)
    }
    claims = [variants.Claim(title, item.span) for title, item in own.items()]
    world.report.extend(variants.between(world, "ranking", "a `ranking`", claims))


def score(keys: Iterable[model.Criterion], defines: Iterable[DefineDeclaration]) -> str | None:
    """Return the id of the tally that the ranking asks for, if it asks for one."""
    tallies = {form.id for define in defines for form in define.instances.values() if form.lines}
    for key in keys:
        if isinstance(key.value, model.DefineCall) and key.value.define in tallies:
            return key.value.define
    return None


def check_end_reasons(world: World) -> None:
    """Report comparisons of `ending` with a reason that no `end game` gives."""
    if world.open_reasons or world.incomplete:
        return
    known = ", ".join(f'"{one}"' for one in world.end_reasons)
    for reason, span in world.reads_ending:
        if reason in world.end_reasons:
            continue
        near = nearest(reason, world.end_reasons)
        help = f"known reasons: {known}" if known else "no `end game` gives a reason"
        if near:
            help = f'did you mean "{near[0]}"?'
        world.report.complain("RW410", span, help=help, name=reason)


# ------------------------------------------------------------------------------------------- checks


Item = TypeVar("Item", bound=nodes.Node)


def checks(linker: AmendmentLinker) -> tuple[model.Check, ...]:
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
    claims: dict[str, dict[str, variants.Claim]] = {}
    found: dict[str, Instance] = {}
    for variant in world.variants:
        for item in variant.file.items:
            if isinstance(item, nodes.Check) and item.label is not None:
                claim = variants.Claim(variant.title, item.label.span)
                claims.setdefault(item.label.raw, {})[variant.title] = claim
                found[item.label.raw] = variant
    for label, said in claims.items():
        own = f'a `check "{label}"`'
        world.report.extend(variants.between(world, label, own, tuple(said.values())))
    return found


def requirements(linker: AmendmentLinker) -> tuple[model.Requirement, ...]:
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
