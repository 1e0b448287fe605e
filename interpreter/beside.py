"""Offers beside a question: which of them can be taken, and where any may be open at all."""

from __future__ import annotations

from collections.abc import Iterator, Set

from rulewright.dsl import model
from rulewright.interpreter.decisions import offers
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.lookahead import alive
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Taken


def living_offers(program: Program, store: Store) -> Iterator[Taken]:
    """Yield the offers beside the pending decision that live, in their order."""
    return (value for value in offers(program, store) if alive(program, store, value))


def has_offer(program: Program, store: Store) -> bool:
    """Return whether some offer beside the pending decision can be taken."""
    return any(True for _ in living_offers(program, store))


def offers_at(program: Program, stands: tuple[tuple[str, int], ...]) -> tuple[model.Offer, ...]:
    """Return the offers that may be open at a decision where frames stand, whatever the state is."""
    if not program.offers:
        return ()
    asked = program.code[stands[-1][0]][stands[-1][1]].question
    if asked.taken is None and any(unit in program.offers for unit, _ in stands):
        return ()
    running = {level for unit, node in stands for level, *_ in program.code[unit][node].levels}
    closed = {
        offer
        for unit, node in stands
        for loop in program.code[unit][node].loops
        if program.code[unit][loop].kind == "fork"
        for offer in program.closed_in(unit, loop)
    }
    return tuple(
        one.offer
        for id, one in program.offers.items()
        if id not in closed and _runs(one.offer.running, running)
    )


def _runs(condition: model.Expression, running: Set[str]) -> bool:
    """Return whether what a `during` speaks of is among what is running."""
    match condition:
        case model.And(left=left, right=right):
            return _runs(left, running) and _runs(right, running)
        case model.Or(left=left, right=right):
            return _runs(left, running) or _runs(right, running)
        case model.Compare(left=model.Read(field=field)):
            return field.removeprefix(model.RUNNING) in running
    return True
