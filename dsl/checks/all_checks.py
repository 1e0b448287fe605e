"""The checks of a linked game: one function each, every one a rule that must hold.

A check gets the whole context and reports into it; none of them stops another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.checks import (
    amendments,
    can_cycles,
    citations,
    neutral_players,
    offers,
    reachability,
    simultaneous,
    variant_conflicts,
    visibility,
)
from rulewright.dsl.link import loading_order
from rulewright.dsl.model import visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Report, diagnostic
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


def check_every_verb_is_used(context: CheckContext) -> None:
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
            context.report.add(diagnostic("RW204", verb.node.name.span, help=help, name=verb.name))
    if context.world.open_verbs:
        return
    for verb in context.world.all_verbs():
        if verb.scope.is_module or verb.used or verb.name in ("play", "set_up"):
            continue
        help = f"write `{verb.name}` where it happens, or take the verb out"
        context.report.add(diagnostic("RW204", verb.node.name.span, help=help, name=verb.name))


def check_table_status(context: CheckContext) -> None:
    """Component data that is not known for certain is named as reconstructed."""
    for table in context.game.tables:
        count = sum(row.status == "reconstructed" for row in table.rows)
        if count:
            found = f"{count} of {len(table.rows)} rows"
            context.report.add(diagnostic("RW414", table.span, name=table.kind, found=found))


def check_options(context: CheckContext) -> None:
    """What an option depends on is known before the game begins, and does not go in a circle."""
    for problem in loading_order.option_problems(context.game):
        context.report.add(problem)


def check_loading_order(context: CheckContext) -> None:
    """Tables and start values read nothing that is worked out from them."""
    for problem in loading_order.problems(context.game):
        context.report.add(problem)


def check_variants(context: CheckContext) -> None:
    """It makes no difference which of two variants is named first, or somebody says what counts."""
    for problem in variant_conflicts.problems(context.game, context.world):
        context.report.add(problem)


def check_idle(context: CheckContext) -> None:
    """Every amendment can act, and changes something."""
    for problem in amendments.idle_amendments(context.game):
        context.report.add(problem)


def check_replaced(context: CheckContext) -> None:
    """What a replaced block has set is used nowhere else."""
    for problem in amendments.replaced_names(context.game, context.world):
        context.report.add(problem)


def check_visibility(context: CheckContext) -> None:
    """A rule about what a player may do reads only what that player can see."""
    for problem in visibility.seen_by_no_owner(context.game):
        context.report.add(problem)
    for problem in visibility.hidden_reads(context.game):
        context.report.add(problem)


def check_flow(context: CheckContext) -> None:
    """Every step can be reached, and no loop runs for ever without a decision."""
    for problem in reachability.problems(context.game):
        context.report.add(problem)


def check_questions(context: CheckContext) -> None:
    """Whether a verb can be done does not depend on whether it can be done."""
    for problem in can_cycles.problems(context.game):
        context.report.add(problem)


def check_neutrals(context: CheckContext) -> None:
    """What players without a seat share in is not compared without them by mistake."""
    for problem in neutral_players.problems(context.game):
        context.report.add(problem)


def check_together(context: CheckContext) -> None:
    """What several players do at once does not depend on what the others do."""
    for problem in simultaneous.problems(context.game):
        context.report.add(problem)


def check_offers(context: CheckContext) -> None:
    """Every offer can be taken, and not for ever."""
    for problem in offers.problems(context.game):
        context.report.add(problem)


def check_citations(context: CheckContext) -> None:
    """Every citation names a section of the book, and every section is cited or excused."""
    for problem in citations.problems(
        context.world, context.folder, context.read, _cited_files(context), context.others
    ):
        context.report.add(problem)


def _cited_files(context: CheckContext) -> Iterator[object]:
    for instance in (
        context.world.game,
        *context.world.variants,
        *context.world.examples,
    ):
        yield instance.file


CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_table_status,
    check_options,
    check_loading_order,
    check_variants,
    check_idle,
    check_visibility,
    check_neutrals,
    check_citations,
)

CHECKS_OF_THE_WHOLE: tuple[Callable[[CheckContext], None], ...] = (
    check_replaced,
    check_every_verb_is_used,
    check_flow,
    check_questions,
    check_together,
    check_offers,
)
"""These need every step: one that could not be read may be the one that does the verb, or decides."""


def check_all(context: CheckContext) -> None:
    """Run every check that makes sense."""
    whole = not context.report.has_errors
    for check in (*CHECKS, *(CHECKS_OF_THE_WHOLE if whole else ())):
        check(context)
