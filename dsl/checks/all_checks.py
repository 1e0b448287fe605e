"""The checks of a linked game: one function each, every one a rule that must hold.

A check gets the whole context and yields what is wrong; none of them stops another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.checks import (
    can_cycles,
    citations,
    idle_rules,
    neutral_players,
    offers,
    reachability,
    simultaneous,
    unset_names,
    variant_conflicts,
    visibility,
)
from rulewright.dsl.link import loading_order
from rulewright.dsl.model import visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic, Report, diagnostic
from rulewright.dsl.text.source import Source


@attrs.frozen
class CheckContext:
    """What a check looks at, and where it reports."""

    game: model.Game
    world: World
    report: Report
    folder: Path
    read: Callable[[Path], Source | None]
    others: tuple[nodes.File, ...] = ()
    """The variants of the game that take no part."""


def check_every_verb_is_used(context: CheckContext) -> Iterator[Diagnostic]:
    """A verb of the game is done, offered or amended somewhere; otherwise it is dead text."""
    done = {
        one
        for block in visitor.all_blocks(context.game)
        for one in reachability.calls_in(context.game, block)
    }
    for verb in context.world.game.verbs.get("set_up", ()):
        if verb.id not in done:
            # Examples do it, too, but there is no game without it.
            help = "write `set_up` where the game begins, as in `to play`"
            yield diagnostic("RW204", verb.node.name.span, help=help, name=verb.name)
    if context.world.open_verbs:
        return
    for verb in context.world.all_verbs():
        if verb.scope.is_module or verb.used or verb.name in ("play", "set_up"):
            continue
        help = f"write `{verb.name}` where it happens, or take the verb out"
        yield diagnostic("RW204", verb.node.name.span, help=help, name=verb.name)


def check_table_status(context: CheckContext) -> Iterator[Diagnostic]:
    """Component data that is not known for certain is named as reconstructed."""
    for table in context.game.tables:
        count = sum(row.status == "reconstructed" for row in table.rows)
        if count:
            found = f"{count} of {len(table.rows)} rows"
            yield diagnostic("RW414", table.span, name=table.kind, found=found)


def check_loading_order(context: CheckContext) -> Iterator[Diagnostic]:
    """Options, tables and start values read nothing that is worked out from them, and options nothing
    that changes in the game."""
    return loading_order.problems(context.game)


def check_variants(context: CheckContext) -> Iterator[Diagnostic]:
    """It makes no difference which of two variants is named first, or somebody says what counts."""
    return variant_conflicts.problems(context.game, context.world)


def check_idle_rules(context: CheckContext) -> Iterator[Diagnostic]:
    """Every amendment can act, and amendments and steps change something."""
    return idle_rules.problems(context.game)


def check_unset_names(context: CheckContext) -> Iterator[Diagnostic]:
    """What a replaced block has set is used nowhere else."""
    return unset_names.problems(context.game, context.world)


def check_visibility(context: CheckContext) -> Iterator[Diagnostic]:
    """A rule about what a player may do reads only what that player can see."""
    yield from visibility.seen_by_no_owner(context.game)
    yield from visibility.hidden_reads(context.game)


def check_reachability(context: CheckContext) -> Iterator[Diagnostic]:
    """Every step can be reached, and no loop runs for ever without a decision."""
    return reachability.problems(context.game)


def check_can_cycles(context: CheckContext) -> Iterator[Diagnostic]:
    """Whether a verb can be done does not depend on whether it can be done."""
    return can_cycles.problems(context.game)


def check_neutrals(context: CheckContext) -> Iterator[Diagnostic]:
    """What players without a seat share in is not compared without them by mistake."""
    return neutral_players.problems(context.game)


def check_together(context: CheckContext) -> Iterator[Diagnostic]:
    """What several players do at once does not depend on what the others do."""
    return simultaneous.problems(context.game)


def check_offers(context: CheckContext) -> Iterator[Diagnostic]:
    """Every offer can be taken, and not for ever."""
    return offers.problems(context.game)


def check_citations(context: CheckContext) -> Iterator[Diagnostic]:
    """Every citation names a section of the book, and every section is cited or excused."""
    return citations.problems(
        context.world, context.folder, context.read, _cited_files(context), context.others
    )


def _cited_files(context: CheckContext) -> Iterator[object]:
    for instance in (
        context.world.game,
        *context.world.variants,
        *context.world.examples,
    ):
        yield instance.file


CHECKS: tuple[Callable[[CheckContext], Iterator[Diagnostic]], ...] = (
    check_table_status,
    check_loading_order,
    check_variants,
    check_idle_rules,
    check_visibility,
    check_neutrals,
    check_citations,
)

CHECKS_OF_THE_WHOLE: tuple[Callable[[CheckContext], Iterator[Diagnostic]], ...] = (
    check_unset_names,
    check_every_verb_is_used,
    check_reachability,
    check_can_cycles,
    check_together,
    check_offers,
)
"""These need every step: one that could not be read may be the one that does the verb, or decides."""


def check_all(context: CheckContext) -> None:
    """Run every check that makes sense."""
    whole = not context.report.has_errors
    for check in (*CHECKS, *(CHECKS_OF_THE_WHOLE if whole else ())):
        context.report.extend(check(context))
