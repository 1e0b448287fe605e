"""Chance in the hands of a driver: what it may bring, with labels, and which of it a driver means."""

from __future__ import annotations

from rulewright.interpreter.engine.actions import Outcome, place_of_label
from rulewright.interpreter.engine.executor import chance_outcomes
from rulewright.interpreter.explain.viewpoint import openly
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.store import Store


def outcomes(program: Program, store: Store) -> tuple[Outcome, ...]:
    """Return what chance may bring to a store that waits for it."""
    values = chance_outcomes(program, store)
    words = labels.distinct(
        [openly(value, store, program.evaluator) for value in values], program.evaluator.words
    )
    return tuple(
        Outcome(index, value, label, 1 / len(values))
        for index, (value, label) in enumerate(zip(values, words, strict=True))
    )


def outcome_of(program: Program, store: Store, given: Outcome | int | str) -> Outcome:
    """Return the outcome that is meant by one that was listed, its number or its label."""
    listed = outcomes(program, store)
    return listed[place_of_label(given, [one.label for one in listed])]
