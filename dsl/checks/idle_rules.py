"""Rules without any effect: amendments that change nothing or never act, and steps that change nothing.

    define limit = 5
    change limit to 5                  # it is 5 already
    change limit by 0
    change limit to 6 when no
    instead of rest                    # and then what `rest` does anyway
    set my.coins to my.coins

A block that says `nothing` is taken at its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.analysis.exclusive_guards import exclude
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic

_NUMBERED = re.compile(r"(?<=')([\w.]+?)(?:~\d+)+(?=')")


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each amendment that changes nothing, or whose guard never holds, and for each
    step that changes nothing."""
    for define in game.defines.values():
        yield from _changes(game, define.name, define.body, define.changes)
        for line in define.lines:
            yield from _changes(game, f"{define.name}.{line.name}", line.value, line.changes)
    for name, changes in game.option_changes.items():
        yield from _changes(game, name, game.options[name].default, changes)
    for verb in game.verbs.values():
        if verb.label is not None:
            yield from _changes(game, f"{verb.name}.label", verb.label, verb.label_changes)
        yield from _amendments(game, verb.name, verb.block, verb.amendments)
    steps = visitor.named_steps(visitor.all_blocks(game))
    for target, amendments in game.step_amendments.items():
        block = steps[target].block if target in steps else ()
        yield from _amendments(game, target.rpartition(".")[2], block, amendments)
    for block in visitor.all_blocks(game):
        yield from _steps(block)


def _changes(
    game: model.Game, name: str, value: model.Expression, changes: Sequence[model.Changed]
) -> Iterator[Diagnostic]:
    for change in changes:
        why = None
        if change.how == "by" and _is_nothing(change.value):
            why = "this adds nothing"
        elif change.how == "to" and isinstance(change.value, model.OriginalValue):
            why = "`original` is what it is already"
        elif change.how == "to" and change.value == value and not _others(changes, change):
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


def _others(changes: Sequence[model.Changed], one: model.Changed) -> bool:
    """Return whether another `to` says something else, so that this one may take it back."""
    return any(change.how == "to" and change.value != one.value for change in changes)


def _amendments(
    game: model.Game, name: str, block: model.Block, amendments: Sequence[model.Amendment]
) -> Iterator[Diagnostic]:
    replacing = [one for one in amendments if one.timing == "instead"]
    for one in amendments:
        yield from _guard(game, name, one)
        if len(replacing) == 1 and one is replacing[0] and block and _alike(block, one.block):
            head = one.span.first_line()
            yield diagnostic(
                "RW607",
                head,
                "this is done anyway",
                secondary=(Label(block[0].span.first_line(), "here"),),
                help="take it out, or say what is done instead",
                name=head.text,
            )


def _alike(one: model.Block, other: model.Block) -> bool:
    """Return whether two blocks say the same; the names of locals are longer in amendments."""
    if all(isinstance(step, model.Nothing) for step in other):
        return False
    first, second = (_NUMBERED.sub(r"\1", repr(block)) for block in (one, other))
    return first == second


def _steps(block: model.Block) -> Iterator[Diagnostic]:
    """Yield a warning for each step that changes nothing, whatever is so."""
    for step in visitor.statements_in(block):
        match step:
            case model.Set(place=place, value=value):
                idle = _reads(value, place)
                label = "it is this already"
            case model.Add(value=value) | model.Remove(value=value):
                idle = _is_nothing(value) and _stands_in(value, step)
                label = "this is nothing"
            case _:
                continue
        if idle:
            help = "take the step out, or say what it should do"
            yield diagnostic(
                "RW607", value.span, label, help=help, name=step.span.first_line().text
            )


def _reads(value: model.Expression, place: model.Place) -> bool:
    """Return whether a value is that which stands in a place already."""
    match value, place:
        case model.Read(), model.FieldPlace():
            return (value.field, value.target) == (place.field, place.target)
        case model.Entry(family=model.Read() as family), model.EntryPlace():
            own = family.field, family.target, value.key
            return own == (place.field, place.target, place.key)
    return False


def _stands_in(value: model.Expression, step: model.Add | model.Remove) -> bool:
    return (
        value.span.source is step.span.source
        and step.span.start <= value.span.start < step.span.end
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
        yield diagnostic("RW501", guard.span.first_line(), "this never holds", name=name)
