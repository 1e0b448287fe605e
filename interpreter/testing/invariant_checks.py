"""The checks of a game: finds the conditions that do not hold in a state.

A `check` is about the tables, and looked at once they are loaded; a `check always` is about every
state that a game comes to, in random games and in worked examples.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.interpreter.explain.findings import findings
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.program.program import Program, cited
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import TICKS_PER_STEP, PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value


@attrs.frozen
class CompiledCheck:
    """A check and its condition, ready to be asked."""

    check: model.Check
    code: Code


def compiled_checks(program: Program, always: bool) -> tuple[CompiledCheck, ...]:
    """Return the checks of one sort."""
    return tuple(
        CompiledCheck(check, program.evaluator.expression(check.condition))
        for check in program.game.checks
        if check.always is always
    )


def broken(
    program: Program, store: Store, checked: CompiledCheck, when: str
) -> Iterator[Diagnostic]:
    """Yield the message about a check if it does not hold, or cannot be asked; `when` says where."""
    check = checked.check
    try:
        if holds(store, checked):
            return
    except PlayError as error:
        yield error.diagnostic()
        return
    yield diagnostic(
        "RW403",
        check.condition.span,
        "this does not hold",
        notes=(when, *why(program.evaluator, store, check)),
        help=_restating(program.game, check),
        rule=tuple(f'{program.game.title}, "{section}"' for section in cited(check.see)),
        name=check.label,
    )


def _restating(game: model.Game, check: model.Check) -> str | None:
    """Return how a variant says that it rightly changes a check of the game."""
    others = [one for one in game.variants if one != check.source]
    if not others or check.label == check.condition.span.text:
        return None
    meant = " or ".join(f"`{title}`" for title in others)
    return f'if {meant} means to change this, its file says so: `check "{check.label}": …`'


def why(evaluator: Evaluator, store: Store, check: model.Check) -> tuple[str, ...]:
    """Return what the parts of the condition of a check are now."""
    viewpoint = Viewpoint(evaluator, store, None, {})
    return tuple(str(finding) for finding in findings(check.condition, viewpoint))


def holds(store: Store, checked: CompiledCheck) -> Value:
    """Return whether a check holds in a state, as far as anybody can know."""
    store.allowance = TICKS_PER_STEP, None
    viewer, store.viewer = store.viewer, None
    try:
        return checked.code(store, None, {})
    except Undecided:
        # It looks at cards whose places nobody knows yet: there is nothing to be wrong.
        return True
    finally:
        store.viewer = viewer
