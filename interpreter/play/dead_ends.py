"""What is left of the past when a dead end was taken back: answers given and what `undo` reaches in,
those that have happened out (see `setbacks`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs

from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.play.information_state import Answer
from rulewright.interpreter.play.undo import Retakes
from rulewright.interpreter.program.branches import settle, turn_to
from rulewright.interpreter.program.decisions import current, option_labels, targets
from rulewright.interpreter.program.distribution import shares
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Asked
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value


class Happened(NamedTuple):
    """What a state knows of its past."""

    answers: tuple[Answer, ...]
    states: tuple[Store, ...]
    """Those before the answers that `undo` takes back."""

    retakes: Retakes


def is_dead_end(store: Store) -> bool:
    """Return whether the last answer of a player, and perhaps some before it, were taken back."""
    return store.setback is not None and store.setback.answers > 0


def without(
    program: Program, past: Happened, before: Store, after: Store, player: Thing
) -> Happened | None:
    """Return what has happened if a dead end of a player was taken back; None if none was.

    Raises `IllegalActionError` if it lies in the middle of several things that were answered at once.
    """
    if not is_dead_end(after):
        return None
    gone = decided(before) - decided(after)
    if gone < 0:
        told = "; ".join(after.setback.told)
        raise IllegalActionError(f"this selection is not possible: {told}", after.setback.reasons)
    left, fewer, parted = list(past.answers), 0, False
    # What others have answered at the same time stays.
    for number in range(len(left) - 1, -1, -1):
        if gone <= 0:
            break
        answer = left[number]
        if answer.player == player.number:
            pieces = max(answer.made - gone, 0)
            gone -= answer.made
            fewer, parted = fewer + 1, pieces > 0
            turn_to(after, player)
            left[number : number + 1] = _first_pieces(program, after, answer, pieces)
    if after.transaction is not None and after.fork is not None:
        settle(after)
    own = past.retakes.get(player.number, ())
    own = () if parted else own[: max(len(own) - fewer, 0)]
    states = [one for one in past.states if not parted and decided(one) < decided(after)]
    return Happened(tuple(left), tuple(states), {**past.retakes, player.number: own})


def without_outcomes(answers: tuple[Answer, ...], store: Store) -> tuple[Answer, ...]:
    """Return what is left of answers, the last of which was the outcome of a draw, when chance has to
    decide once more for a player without a seat."""
    gone = 0 if store.setback is None else store.setback.outcomes
    return answers[: len(answers) - gone]


def _first_pieces(program: Program, store: Store, answer: Answer, count: int) -> list[Answer]:
    """Return the first pieces of several things that were answered at once, of which the later ones
    were taken back."""
    if not count:
        return []
    asked = current(program, store)
    values = asked.picked[:count]
    if asked.question.kind == "split":
        values, told = _first_shares(program, store, asked, answer.value, count)
    else:
        told = option_labels(program, store, values)
    return [
        attrs.evolve(answer, value=value, label=label, whole=False, made=1)
        for value, label in zip(values, told, strict=True)
    ]


def _first_shares(
    program: Program, store: Store, asked: Asked, amounts: Sequence[int], count: int
) -> tuple[tuple[Value, ...], tuple[str, ...]]:
    """Return what the first of those got who were asked about in a distribution, and in words."""
    names, total = targets(program, store), asked.left + sum(asked.picked)
    given: tuple[int, ...] = ()
    values, told = [], []
    for _ in range(count):
        given = shares(total, asked.caps, given).given
        place = len(given)
        values.append(amounts[place])
        told.append(f"{names[place]} {amounts[place]}")
        given = (*given, amounts[place])
    return tuple(values), tuple(told)
