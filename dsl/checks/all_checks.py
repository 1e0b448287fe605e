"""The checks of a linked game: every one a rule that must hold.

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
from rulewright.dsl.ir.action_graph import plans_of
from rulewright.dsl.link import loading_order
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


Check = Callable[[CheckContext], Iterator[Diagnostic]]
"""A rule that must hold: yields where it does not."""


def check_every_verb_is_used(context: CheckContext) -> Iterator[Diagnostic]:
    """A verb of the game is done, offered or amended somewhere; otherwise it is dead text."""
    done = {
        one
        for plan in plans_of(context.game).values()
        for node in plan.nodes
        for one in node.begins
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


def check_citations(context: CheckContext) -> Iterator[Diagnostic]:
    """Every citation names a section of the book, and every section is cited or excused."""
    return citations.problems(
        context.world, context.folder, context.read, _cited_files(context), context.others
    )


def _cited_files(context: CheckContext) -> Iterator[object]:
    world = context.world
    for instance in (world.game, *world.variants, *world.examples):
        yield instance.file


def _of_game(problems: Callable[[model.Game], Iterator[Diagnostic]]) -> Check:
    return lambda context: problems(context.game)


def _of_world(problems: Callable[[model.Game, World], Iterator[Diagnostic]]) -> Check:
    return lambda context: problems(context.game, context.world)


CHECKS: tuple[Check, ...] = (
    check_table_status,
    # Options, tables and start values read nothing that is worked out from them, and options nothing
    # that changes in the game.
    _of_game(loading_order.problems),
    # It makes no difference which of two variants is named first, or somebody says what counts.
    _of_world(variant_conflicts.problems),
    # Every amendment can act, and amendments and steps change something.
    _of_game(idle_rules.problems),
    # A rule about what a player may do reads only what that player can see.
    _of_game(visibility.seen_by_no_owner),
    _of_game(visibility.hidden_reads),
    # What players without a seat share in is not compared without them by mistake.
    _of_game(neutral_players.problems),
    check_citations,
)

CHECKS_OF_THE_WHOLE: tuple[Check, ...] = (
    # What a replaced block has set is used nowhere else.
    _of_world(unset_names.problems),
    check_every_verb_is_used,
    # Every step can be reached, and no loop runs for ever without a decision.
    _of_game(reachability.problems),
    # Whether a verb can be done does not depend on whether it can be done.
    _of_game(can_cycles.problems),
    # What several players do at once does not depend on what the others do.
    _of_game(simultaneous.problems),
    # Every offer can be taken, and not for ever.
    _of_game(offers.problems),
)
"""These need every step: one that could not be read may be the one that does the verb, or decides."""


def check_all(context: CheckContext) -> None:
    """Run every check that makes sense."""
    whole = not context.report.has_errors
    for check in (*CHECKS, *(CHECKS_OF_THE_WHOLE if whole else ())):
        context.report.extend(check(context))
