"""Chance as it happens: single draws out of listed outcomes.

Every random event is made of single draws. Each is answered by the first of these that there is:
an outcome that a driver has dictated, a stop (`explicit_chance`) where a driver will dictate one,
the generator of the game. What has been drawn so far stands in a local of the frame, so that a stop
in the middle loses nothing.

In a trial chance is the horizon; in the real run it ends the transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter import events
from rulewright.interpreter.chance import below
from rulewright.interpreter.errors import IllegalActionError
from rulewright.interpreter.layout import RANDOM, SCALARS
from rulewright.interpreter.log import NOBODY
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.values import Thing, Value

BAG = "#bag"
"""The local that names the pile (column, holder) of which a driver must say the next card."""

ALIKE = "#alike"
"""The local with the things that an answer may have meant: chance takes one of them."""


class ChanceStop(Exception):
    """A driver must say what comes; the frame stays where it is."""


def meet_chance(store: Store) -> None:
    """Note that something random happens."""
    store.meet_hidden()


def draw_one(store: Store, outcomes: Sequence[Value]) -> Value:
    """Return one of the outcomes; where there is only one, nothing is asked."""
    if len(outcomes) == 1:
        if store.dictated and _same(store.dictated[0], outcomes[0]):
            store.dictated = store.dictated[1:]
        return outcomes[0]
    if store.dictated:
        wanted = store.dictated[0]
        for same in (_same, _like):
            for outcome in outcomes:
                if same(outcome, wanted):
                    store.dictated = store.dictated[1:]
                    return outcome
        raise IllegalActionError(f"chance cannot bring {wanted!r} here")
    if store.explicit_chance:
        raise ChanceStop
    state, number = below(store.random_state, len(outcomes))
    store.write(SCALARS, RANDOM, state)
    return outcomes[number]


def draw_many(
    store: Store, frame: Frame, key: str, items: Sequence[Value], count: int
) -> tuple[Value, ...]:
    """Return so many of the items, in the order in which they were drawn."""
    drawn = list(frame.locals.pop(key, ()))
    left = left_of(items, drawn)
    while len(drawn) < count and left:
        try:
            outcome = draw_one(store, left)
        except ChanceStop:
            frame.locals[key] = tuple(drawn)
            raise
        left.remove(outcome)
        drawn.append(outcome)
    return tuple(drawn)


def roll_many(
    store: Store, frame: Frame, key: str, sides: Sequence[Value], count: int
) -> tuple[Value, ...]:
    """Return so many of the sides; each may come again."""
    drawn = list(frame.locals.pop(key, ()))
    while len(drawn) < count:
        try:
            drawn.append(draw_one(store, sides))
        except ChanceStop:
            frame.locals[key] = tuple(drawn)
            raise
    return tuple(drawn)


def left_of(items: Sequence[Value], drawn: Sequence[Value]) -> list[Value]:
    """Return what is left of the items when some have been drawn."""
    left = list(items)
    for outcome in drawn:
        left.remove(outcome)
    return left


def decide_cards(store: Store, frame: Frame, slot: int, index: int, count: int) -> None:
    """Decide the topmost undecided cards of a pile, one after the other."""
    meet_chance(store)
    frame.locals.pop(BAG, None)
    for _ in range(count):
        cards = store.undecided(slot, index)
        if not cards:
            return
        try:
            card = draw_one(store, cards)
        except ChanceStop:
            frame.locals[BAG] = (slot, index)
            raise
        store.decide(slot, index, card)
        events.drawn(store, frame.me, "", card, NOBODY)


def _same(outcome: Value, wanted: Value) -> bool:
    return bool(outcome == wanted)


def _like(outcome: Value, wanted: Value) -> bool:
    """Return whether one thing is as good as the other: a copy of the same row."""
    return (
        isinstance(outcome, Thing)
        and isinstance(wanted, Thing)
        and outcome.kind == wanted.kind
        and outcome.row == wanted.row
    )
