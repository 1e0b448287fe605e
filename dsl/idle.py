"""Amendments that are there for nothing: a linked game in, those out that change nothing or never act.

    define limit = 5
    change limit to 5                  # it is 5 already
    change limit by 0
    change limit to 6 when no

A block that says `nothing` is taken at its word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.exclusive import exclude
from rulewright.dsl.meetings import line_of


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each amendment that changes nothing, or whose guard never holds."""
    for define in game.defines.values():
        yield from _changes(game, define.name, define.body, define.changes)
        for line in define.lines:
            yield from _changes(game, f"{define.name}.{line.name}", line.value, line.changes)
    for name, changes in game.option_changes.items():
        yield from _changes(game, name, game.options[name].default, changes)
    for verb in game.verbs.values():
        if verb.label is not None:
            yield from _changes(game, f"{verb.name}.label", verb.label, verb.label_changes)
        for amendment in verb.amendments:
            yield from _guard(game, verb.name, amendment)
    for target, amendments in game.step_amendments.items():
        for amendment in amendments:
            yield from _guard(game, target.rpartition(".")[2], amendment)


def _changes(
    game: model.Game, name: str, value: model.Expression, changes: Sequence[model.Changed]
) -> Iterator[Diagnostic]:
    for change in changes:
        why = None
        if change.how == "by" and _is_nothing(change.value):
            why = "this adds nothing"
        elif change.how == "to" and isinstance(change.value, model.OriginalValue):
            why = "`original` is what it is already"
        elif change.how == "to" and len(changes) == 1 and change.value == value:
            why = "it is this already"
        if why is None:
            yield from _guard(game, name, change)
            continue
        before = (Label(value.span, "here"),) if why == "it is this already" else ()
        yield diagnostic(
            "RW512",
            change.value.span,
            why,
            secondary=before,
            help="take it out, or say what it should be",
            name=name,
        )


def _is_nothing(added: model.Expression) -> bool:
    match added:
        case model.Constant(value=0):
            return added.value is not False
        case model.ListOf(items=()):
            return True
    return False


def _guard(
    game: model.Game, name: str, one: model.Changed | model.Amendment
) -> Iterator[Diagnostic]:
    guard = one.guard
    if guard is not None and exclude(game, guard, guard):
        yield diagnostic("RW501", line_of(guard.span), "this never holds", name=name)
