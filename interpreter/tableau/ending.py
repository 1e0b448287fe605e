"""How a game came out: the reason of its end, ranking, score sheet."""

from __future__ import annotations

from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.scoring import SheetLine
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.values import Value
from rulewright.interpreter.tableau.view_model import EndView, LineView
from rulewright.interpreter.terminal.ending import needed_criteria
from rulewright.interpreter.terminal.table import words
from rulewright.interpreter.words.text import printable


def end_of(state: State) -> EndView | None:
    """Return how a game came out, in the words of the game of the state; None while it goes on. At the
    end nothing that counts is hidden, so it is the same for everybody."""
    if not state.is_terminal():
        return None
    program, store = state.game.program, state.store
    say, scoring = program.evaluator.words, program.scoring

    def line(name: str, found: SheetLine, most: bool = True) -> LineView:
        shown = tuple(printable(said(value)) for value in found.values)
        numbers = tuple(one if type(one) is int else None for one in found.values)
        return LineView(printable(name), shown, numbers, most)

    def said(value: Value) -> str:
        return labels.show(value, None, store, program.evaluator)

    criteria = scoring.criteria(store)
    needed = criteria[: needed_criteria(criteria)]
    if scoring.is_flag and len(needed) == 1:
        # Who has won is said anyway.
        needed = ()
    return EndView(
        reason=None if state.ending is None else printable(say.filled(state.ending)),
        places=state.ranking(),
        winners=state.winners(),
        tells_winners=scoring.tells_winners,
        returns=state.returns(),
        sheet=tuple(line(say.name(words(one.name)), one) for one in scoring.sheet(store)),
        criteria=tuple(
            line(" ".join(one.name.split()), one, criterion.most)
            for one, criterion in zip(needed, program.game.ranking, strict=False)
        ),
    )
