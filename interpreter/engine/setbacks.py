"""Dead ends that no look-ahead has foreseen, taken back to the menu that led there.

Where a search has not come to its end an option is offered *unproved*. Who takes it and comes to a
decision without an option, or to a requirement that is not met, while his transaction still runs,
stands at that menu again, without the option. When that has happened often, he stands at the first
of these menus of his transaction: to try all that is behind it would be the search that was too
large. If all that it offers has been given up in this way, it is offered once more, and he goes on
for twice as long: so who has a way out finds it. Nobody has learned anything in between that was
not his: chance, and what he does not see, end a transaction, and what is behind such an end stays.
Who acts while others do goes back in his own branch.

For a player without a seat chance decides. What it has drawn is taken back in the same way, up to
the last chance that was not such a draw, and it draws once more.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulewright.interpreter.ir.machine import Op, me_of
from rulewright.interpreter.lookahead.reasons import Reason
from rulewright.interpreter.program.branches import enter, own_branch, put_back
from rulewright.interpreter.program.decisions import decision_cache
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import FIRST_SETBACKS, Branch
from rulewright.interpreter.state.layout import DECISIONS, RANDOM, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_REDRAWN = 1000
"""So often chance decides once more on the way to one decision."""

Before = Store | Branch
"""What is put back: a state, or the branch of one who acts while others do."""


@attrs.frozen(eq=False)
class GivenAnswer:
    """An answer of the running transaction, since one was given that was not proved."""

    value: Value
    before: Before | None
    """What was before it, if it was not proved."""

    transaction: tuple[Any, ...]
    """The running transaction; of what was drawn, its player."""

    outer: GivenAnswer | None
    """The answer before."""

    drawn_at: tuple[int, int] | None = None
    """How far chance and the decisions were, if it was drawn."""

    outcomes: int = 0
    """How many of the draws for it a driver has told."""


@attrs.frozen(eq=False)
class Refuted:
    """An option that is not offered any more."""

    value: Value
    reasons: tuple[Reason, ...]
    given_up: bool
    """Whether there may be a way behind it all the same."""


@attrs.frozen(eq=False)
class Setback:
    """What was taken back: the option that has turned out to be a dead end, why, and how many answers
    were taken back with it."""

    value: Value
    reasons: tuple[Reason, ...]
    answers: int
    op: Op
    """The menu at which it was taken."""

    player: Thing
    """Who stands there again."""

    outcomes: int = 0
    """How many outcomes that a driver has told were taken back with it."""

    @property
    def told(self) -> tuple[str, ...]:
        """The reasons in words; never nothing."""
        found = tuple([reason.text for reason in self.reasons])
        return found or ("no option was left later",)


def remember_answer(program: Program, store: Store, value: Value) -> None:
    """Note an answer that is about to be given."""
    given, transaction = store.given, store.transaction
    if given is not None and given.transaction is not transaction:
        given = None
    unproved = value in decision_cache(program, store).unproved
    if given is None:
        _reset_counts(store)
    store.setback = None
    if transaction is None or (given is None and not unproved):
        store.given = None
    else:
        before = as_it_is(store) if unproved else None
        store.given = GivenAnswer(value, before, transaction, given)
    store.refuted = ()


def _reset_counts(store: Store) -> None:
    """Reset the counts: no answer before the next one can be taken back."""
    store.setbacks = 0
    if store.setback is None and not store.refuted:
        store.most_setbacks = FIRST_SETBACKS


def as_it_is(store: Store) -> Before:
    """Return what is put back if what is answered now is a dead end."""
    player = None if store.fork is None else store.fork.player
    branch = None if player is None else own_branch(store, player)
    return store.clone() if branch is None else branch


def note_draw(
    store: Store, player: Thing, given: GivenAnswer | None, before: Before | None, told: int
) -> None:
    """Note that something was drawn for a player without a seat; `given` is what had been drawn for
    him just before, `before` what is put back, `told` how many outcomes a driver has told."""
    if given is None:
        _reset_counts(store)
    if given is not None or before is not None:
        store.given = GivenAnswer(None, before, (player,), given, _point(store), told)


def remember_next_draw(store: Store, given: GivenAnswer | None, told: int) -> None:
    """Note that more was drawn for the same answer."""
    if given is not None:
        outcomes = given.outcomes + told
        store.given = attrs.evolve(given, drawn_at=_point(store), outcomes=outcomes)


def note_drawn(store: Store, player: Thing, value: Value, unproved: bool) -> None:
    """Note which answer has been drawn."""
    given = last_drawn(store, player)
    if given is not None:
        before = given.before if unproved else None
        store.given = attrs.evolve(given, value=value, before=before)


def last_drawn(store: Store, player: Thing) -> GivenAnswer | None:
    """Return what was drawn last for a player without a seat, if nothing has come since."""
    given: GivenAnswer | None = store.given
    if given is None or given.transaction != (player,) or given.drawn_at != _point(store):
        return None
    return given


def _point(store: Store) -> tuple[int, int]:
    return store.random_state, decided(store)


def _last(store: Store) -> GivenAnswer | None:
    """Return the last answer that can still be taken back."""
    given: GivenAnswer | None = store.given
    transaction = store.transaction
    if given is None or given.drawn_at is None:
        return given if given is not None and given.transaction is transaction else None
    (player,) = given.transaction
    if transaction is not None and transaction[0] is not player:
        return None
    return last_drawn(store, player)


def redrawn(program: Program, store: Store, reasons: tuple[Reason, ...]) -> bool:
    """Take a dead end of a player without a seat back, if that is possible; chance goes on where it
    is, so that what was drawn once is as likely as anything else."""
    given: GivenAnswer | None = _last(store)
    if given is None:
        return _tried_again(store)
    if given.drawn_at is None:
        return False
    random, (player,) = store.random_state, given.transaction
    told = 0 if store.setback is None else store.setback.outcomes
    if not taken_back(program, store, reasons, 0):
        return False
    earlier = last_drawn(store, player)
    store.columns[SCALARS][RANDOM] = random
    store.given = earlier and attrs.evolve(earlier, drawn_at=_point(store))
    told += store.setback.outcomes
    store.setback = attrs.evolve(store.setback, answers=0, outcomes=told)
    return True


def taken_back(program: Program, store: Store, reasons: tuple[Reason, ...], answers: int) -> int:
    """Take a dead end back to the last menu of the transaction at which an option was not proved (after
    many times, to the first one).

    Returns how many answers were taken back, with the `answers` before; 0 if there is no such menu.
    """
    setbacks, most = store.setbacks + 1, store.most_setbacks
    found: tuple[GivenAnswer, Before, int, int] | None = None
    number = outcomes = menus = 0
    given = _last(store)
    while given is not None:
        number += 1
        outcomes += given.outcomes
        if given.before is not None:
            found = given, given.before, number, outcomes
            menus += 1
            if setbacks <= most:
                break
        given = given.outer
    if found is None:
        return answers if _tried_again(store) else 0
    taken, before, number, outcomes = found
    if isinstance(before, Branch):
        assert store.fork is not None
        # What is drawn is no decision.
        put_back(store, before, number if taken.drawn_at is None else 0)
        enter(store, store.fork.branch_of(before.player))
    else:
        before = before.clone()
        for name in Store.__slots__:
            setattr(store, name, getattr(before, name))
    store.setbacks, store.most_setbacks = setbacks, most
    given_up = menus > 1
    store.refuted = (*store.refuted, Refuted(taken.value, reasons, given_up))
    answers += number
    frame = store.frames[-1]
    op, player = program.op(frame), me_of(frame)
    store.setback = Setback(taken.value, reasons, answers, op, player, outcomes)
    return answers


def _tried_again(store: Store) -> bool:
    """Return whether a menu of which nothing is left offers once more what was only given up, for
    longer than before."""
    left = tuple([one for one in store.refuted if not one.given_up])
    if len(left) == len(store.refuted):
        return False
    store.refuted = left
    store.most_setbacks *= 2
    return True


def decided(store: Store) -> int:
    """Return how many elementary decisions have been made."""
    number: int = store.columns[SCALARS][DECISIONS]
    return number
