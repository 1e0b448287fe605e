"""How a game ends: its ranking, who has won, the score sheet, and the reasons of its end.

The innermost file speaks: a variant before the game, the game before its modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from rulewright.dsl import conflicts, forms, kinds, model, nodes
from rulewright.dsl.amend import Linker
from rulewright.dsl.body import mismatch
from rulewright.dsl.codes import counted
from rulewright.dsl.diagnostics import Label, diagnostic
from rulewright.dsl.infer_lists import criteria
from rulewright.dsl.scope import DefineDeclaration, World
from rulewright.dsl.speaking import innermost_first
from rulewright.dsl.suggest import nearest

RESULTS: Mapping[str, kinds.Type] = {"won": kinds.FLAG, "payoff": kinds.NUMBER}
"""What a game may define for every player, instead of leaving it to the ranking."""


def form_of(linker: Linker, name: str) -> str | None:
    """Return the id of the form of `won` or `payoff`, if the game defines it."""
    world = linker.world
    of_player = world.kinds["Player"].defines.get(name, [])
    defined = [one.defines[name] for one in innermost_first(world) if name in one.defines]
    found = next(iter((*defined, *of_player)), None)
    if found is None:
        return None
    parameters = found.node.parameters
    if parameters:
        world.report.add(
            diagnostic(
                "RW302",
                parameters[0].span,
                help="it is asked about every player: `me` is who is meant",
                name=name,
                expected=counted(0, "argument"),
                found=str(len(parameters)),
            )
        )
        return None
    form = forms.reported_form(world, found, (), linker.readers)
    if form.body is not None and not kinds.fits(form.type, RESULTS[name]):
        world.report.add(mismatch(form.body.span, form.type, RESULTS[name]))
    return form.id


def ranking(linker: Linker) -> tuple[model.Criterion, ...]:
    """Return the criteria by which players are ranked; none is a warning, if nothing defines `won`."""
    world = linker.world
    _judge_variants(world)
    for instance in innermost_first(world):
        items = [item for item in instance.file.items if isinstance(item, nodes.Ranking)]
        for other in items[1:]:
            world.report.add(
                diagnostic(
                    "RW202",
                    other.span,
                    secondary=(Label(items[0].span, "first declared here"),),
                    help="put all criteria into one, in their order",
                    kind="block",
                    name="ranking",
                )
            )
        for item in items[:1]:
            body = linker.body(instance, "ranking")
            body.its = [model.Me(type=kinds.PLAYER, span=item.span)]
            keys = criteria(body, item.keys)
            return tuple(attrs.evolve(key, see=item.see) for key in keys)
    if form_of(linker, "won") is None and not world.may_declare("ranking", ()):
        help = "write a `ranking` block"
        world.report.add(diagnostic("RW415", world.game.file.header.span, help=help))
    return ()


def _judge_variants(world: World) -> None:
    own = {
        one.title: item
        for one in world.variants
        for item in one.file.items
        if isinstance(item, nodes.Ranking)
    }
    claims = [conflicts.Claim(title, item.span) for title, item in own.items()]
    world.report.extend(conflicts.between(world, "ranking", "a `ranking`", claims))


def score(keys: Iterable[model.Criterion], defines: Iterable[DefineDeclaration]) -> str | None:
    """Return the id of the tally that the ranking asks for, if it asks for one."""
    tallies = {form.id for define in defines for form in define.instances.values() if form.lines}
    for key in keys:
        if isinstance(key.value, model.DefineCall) and key.value.define in tallies:
            return key.value.define
    return None


def judge_end_reasons(world: World) -> None:
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
        world.report.add(diagnostic("RW410", span, help=help, name=reason))
