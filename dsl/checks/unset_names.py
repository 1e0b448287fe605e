"""Names that are not set any more, since the block that sets them is replaced.

    to turn
      step pick
        choose card from my.hand
      discard card                     # no card, where `instead of pick` holds

Which names are set is settled when a verb is type-checked, where nobody knows yet what variants replace.
So the graphs of verbs of which something is replaced are asked which definitions reach each use of a name
(`reaching_definitions`); if none may, that is reported where it is replaced, for that is where it must be
mended.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import Plan, plans_of
from rulewright.dsl.ir.definitions import UNSET, reaching_definitions
from rulewright.dsl.ir.live_locals import heads, names_set
from rulewright.dsl.model import visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.resolve.variants import Claim, conflict
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span


def problems(game: model.Game, world: World) -> Iterator[Diagnostic]:
    """Yield a message for each name that a replaced block does not set any more."""
    for verb in game.verbs.values():
        steps = visitor.named_steps((verb.block,))
        blocks = [(verb.amendments, verb.block)]
        blocks += [(game.step_amendments.get(id, ()), step.block) for id, step in steps.items()]
        replaced: list[tuple[model.Amendment, frozenset[str]]] = []
        for amendments, block in blocks:
            replacing = [one for one in amendments if one.timing == "instead"]
            if replacing:
                replaced.append((replacing[-1], _set_in(block)))
        if replaced:
            names = frozenset().union(*[names for _, names in replaced])
            uses = list(_unset_uses(plans_of(game)[verb.id], verb, names))
            for amendment, own in replaced:
                yield from _messages(world, verb, amendment, own, uses)


def _set_in(block: model.Block) -> frozenset[str]:
    naming = model.Let | model.Choose | model.Split
    return frozenset(one.name for one in visitor.statements_in(block) if isinstance(one, naming))


@attrs.frozen
class _UseOfName:
    """A place where a name is used that may not be set; `title`: the variant that says so."""

    name: str
    span: Span
    title: str


def _unset_uses(plan: Plan, verb: model.Verb, names: frozenset[str]) -> Iterator[_UseOfName]:
    """Yield the uses of some names where they are not set on every way, in reading order."""
    reached = reaching_definitions(plan, [one.name for one in verb.parameters], names)
    for at, node in enumerate(plan.nodes):
        parts = list(visitor.walk(heads(node)))
        bound = {found[0] for found in map(visitor.binding, parts) if found is not None}
        # In the conditions of a `choose` the selection has its name.
        bound |= set(names_set(node, at))
        for one in parts:
            if isinstance(one, model.Local) and one.name in names - bound:
                if UNSET in reached[at].get(one.name, ()):
                    yield _UseOfName(one.name, one.span, node.title)


def _messages(
    world: World,
    verb: model.Verb,
    replacing: model.Amendment,
    names: frozenset[str],
    uses: list[_UseOfName],
) -> Iterator[Diagnostic]:
    first = {use.name: use for use in reversed(uses) if use.name in names}
    for use in first.values():
        place = replacing.span.first_line()
        if use.title and replacing.title and use.title != replacing.title:
            replaces = Claim(replacing.title, place, f"`{replacing.title}` replaces what sets it")
            uses_it = Claim(use.title, use.span, f"`{use.title}` uses `{use.name}`")
            yield conflict(world, verb.name, None, replaces, uses_it, ordered=False)
            continue
        yield diagnostic(
            "RW217",
            place,
            f"this replaces what sets `{use.name}`",
            secondary=(Label(use.span, f"`{use.name}` is used here"),),
            help="what an amendment chooses stays inside it: replace what uses the name as well",
            name=use.name,
        )
