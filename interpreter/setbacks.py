"""Dead ends that no look-ahead has foreseen, taken back to the menu that led there.

Where a search has not come to its end an option is offered *unproved*. Who takes it and comes to a
decision without an option, or to a requirement that is not met, while his transaction still runs, stands
at that menu again, without the option. When that has happened often, he stands at the first of these menus
of his transaction: to try all that is behind it would be the search that was too large. Nobody has learned anything in between that was not his: chance,
and what he does not see, end a transaction, and what is behind such an end stays. While several act at
once nothing is taken back.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulewright.interpreter.decisions import remembered
from rulewright.interpreter.errors import IllegalActionError
from rulewright.interpreter.layout import DECISIONS, SCALARS
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import Op
from rulewright.interpreter.reasons import Reason
from rulewright.interpreter.recollection import Answer
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value

MOST_SETBACKS = 20
"""So often he goes back to the last menu at which an option was not proved, then to the first one."""


@attrs.frozen(eq=False)
class Given:
    """An answer of the running transaction, since one was given that was not proved."""

    value: Value
    before: Store | None
    """The state before it, if it was not proved."""

    transaction: tuple[Any, ...]
    outer: Given | None
    """The answer before."""


@attrs.frozen(eq=False)
class Setback:
    """What was taken back: the option that has turned out to be a dead end, why, and how many answers
    were taken back with it."""

    value: Value
    reasons: tuple[Reason, ...]
    answers: int
    op: Op
    """The menu at which it was taken."""

    @property
    def told(self) -> tuple[str, ...]:
        """The reasons in words; never nothing."""
        found = tuple([reason.text for reason in self.reasons])
        return found or ("no option was left later",)


def note_given(program: Program, store: Store, value: Value) -> None:
    """Note an answer that is about to be given."""
    given, transaction = store.given, store.transaction
    if given is not None and given.transaction is not transaction:
        given = None
    unproved = store.fork is None and value in remembered(program, store).unproved
    store.setback = None
    if given is None:
        store.setbacks = 0
    if transaction is None or (given is None and not unproved):
        store.given = None
    else:
        before = store.clone() if unproved else None
        store.given = Given(value, before, transaction, given)
    store.refuted = ()


def taken_back(program: Program, store: Store, reasons: tuple[Reason, ...], answers: int) -> int:
    """Take a dead end back to the last menu of the transaction at which an option was not proved (after
    many times, to the first one); return how many answers were taken back (`answers` have been before), 0 if there is no such menu."""
    setbacks = store.setbacks + 1
    given: Given | None = store.given
    found: tuple[Given, Store, int] | None = None
    while given is not None and given.transaction is store.transaction and store.fork is None:
        answers += 1
        if given.before is not None:
            found = given, given.before.clone(), answers
            if setbacks <= MOST_SETBACKS:
                break
        given = given.outer
    if found is None:
        return 0
    taken, before, answers = found
    for name in Store.__slots__:
        setattr(store, name, getattr(before, name))
    store.setbacks = setbacks
    store.refuted = (*store.refuted, (taken.value, reasons))
    store.setback = Setback(taken.value, reasons, answers, program.op(store.frames[-1]))
    return answers


def decided(store: Store) -> int:
    """Return how many elementary decisions have been made."""
    number: int = store.columns[SCALARS][DECISIONS]
    return number


def without_dead_end(
    answers: tuple[Answer, ...], before: Store, after: Store
) -> tuple[Answer, ...]:
    """Return the answers that are left when a dead end was taken back, if one was.

    Raises `IllegalActionError` if it lies in the middle of several things that were answered at once.
    """
    if after.setback is None:
        return answers
    now = decided(after)
    if now > decided(before):
        told = "; ".join(after.setback.told)
        raise IllegalActionError(f"this selection is not possible: {told}", after.setback.reasons)
    return tuple([one for one in answers if one.decisions < now])
