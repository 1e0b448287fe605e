"""Taking back: what a player may still take back while others act, and what is left after a dead end.

Until all are done nobody has noticed anything of what a player has answered. So he may take it back,
also when he is done already, unless chance or something that he did not see before has answered him:
then he would decide once more with what he knows now.

A dead end that was not foreseen is taken back by the engine (see `engine/setbacks`): then the answers and
the states for `undo` that led there are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.program.branches import own_branch, settle, taken_back, turn_to
from rulewright.interpreter.program.decisions import current, option_labels, targets
from rulewright.interpreter.program.distribution import shares
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.frames import Branch
from rulewright.interpreter.state.layout import DECISIONS, SCALARS
from rulewright.interpreter.state.log import latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value


@attrs.frozen
class BranchAnswer:
    """An answer in a branch: what the branch was before, and how many decisions it has taken."""

    before: Branch
    decisions: int


Retakes = Mapping[int, tuple[BranchAnswer, ...]]
"""What each player can take back, oldest first."""


def retakes(past: Retakes, before: Store, after: Store, player: Thing) -> Retakes:
    """Return what can be taken back after an answer of a player; nothing where nobody acts while
    others do."""
    old, new = before.fork, after.fork
    if new is None:
        return {}
    if old is None or old.columns is not new.columns:
        past = {}
    was, now = own_branch(before, player), own_branch(after, player)
    if old is None or was is None or now is None or old.columns is not new.columns:
        return past
    number = player.number
    if now.learned != was.learned or _shown(was, now, player):
        return {**past, number: ()}
    made = after.columns[SCALARS][DECISIONS] - before.columns[SCALARS][DECISIONS]
    return {**past, number: (*past.get(number, ()), BranchAnswer(was, made))}


def _shown(was: Branch, now: Branch, player: Thing) -> bool:
    """Return whether a player was shown something on the way from one to the other."""
    for event in latest_first(now.log, was.log):
        if event.kind == "show" and player.number in event.seers:
            return True
    return False


def reveals(program: Program, before: Store, after: Store) -> bool:
    """Return whether somebody may have learned something between two states of a game."""
    if after.transaction is None or after.transaction is not before.transaction:
        return True
    witnesses = program.witnesses
    for event in latest_first(after.log, before.log):
        if event.kind in ("chance", "show"):
            return True
        if event.kind == "move":
            _, source, target = event.data
            if witnesses.seers(after, target) - witnesses.seers(before, source):
                return True
    return False


def take_back(past: Retakes, store: Store, player: int) -> Retakes:
    """Take back the last answer of a player; return what can be taken back then."""
    *earlier, last = past[player]
    taken_back(store, last.before, last.decisions)
    return {**past, player: tuple(earlier)}


class KnownPast(NamedTuple):
    """What a state knows of its past."""

    answers: tuple[Answer, ...]
    states: tuple[Store, ...]
    """Those before the answers that `undo` takes back."""

    retakes: Retakes


def is_dead_end(store: Store) -> bool:
    """Return whether the last answer of a player, and perhaps some before it, were taken back."""
    return store.setback is not None and store.setback.answers > 0


def drop_dead_end(
    program: Program, past: KnownPast, before: Store, after: Store, player: Thing
) -> KnownPast | None:
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
    return KnownPast(tuple(left), tuple(states), {**past.retakes, player.number: own})


def drop_redrawn_outcomes(answers: tuple[Answer, ...], store: Store) -> tuple[Answer, ...]:
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
    program: Program, store: Store, asked: OpenQuestion, amounts: Sequence[int], count: int
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
