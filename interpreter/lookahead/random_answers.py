"""A random answer: an open decision and a generator in, one of its living options out."""

from __future__ import annotations

from rulewright.interpreter.lookahead.budgets import MANY
from rulewright.interpreter.lookahead.lookahead import alive
from rulewright.interpreter.program.decisions import current, offers
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import random_shares
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value


def pick_random(program: Program, store: Store, random: Generator) -> Value:
    """Return a living option, each with the same chance; they are tried in random order."""
    asked = current(program, store)
    found = asked.options
    beside = offers(program, store)
    if beside and isinstance(found, range) and len(found) > MANY:
        # As one option among as many as are tried without repetition.
        taken = random.below(MANY + len(beside)) - MANY
        if taken >= 0 and alive(program, store, beside[taken]):
            return beside[taken]
    for value in () if beside else random_shares(asked, random):
        if alive(program, store, value):
            return value
    if isinstance(found, range) and len(found) > MANY:
        for _ in range(MANY):
            value = found[random.below(len(found))]
            if alive(program, store, value):
                return value
        first = random.below(len(found))
        for number in range(len(found)):
            value = found[(first + number) % len(found)]
            if alive(program, store, value):
                return value
        raise ValueError("no option lives")
    left = [*found, *beside]
    while left:
        number = random.below(len(left))
        value = left[number]
        if alive(program, store, value):
            return value
        left[number] = left[-1]
        left.pop()
    raise ValueError("no option lives")
