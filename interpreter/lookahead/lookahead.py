"""Which options of the pending decision live, why the others do not, and a random one of those that do.

alive(program, store, value)          # can it be carried on to the horizon?
explain_dead(program, store, value)   # if not, why not
pick_random(program, store, random)   # one of the living options
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter.lookahead.later_requirements import completions_of
from rulewright.interpreter.lookahead.reasons import Reason, in_source_order
from rulewright.interpreter.lookahead.safe_decisions import certain_key, is_certain, leads_safely
from rulewright.interpreter.lookahead.search import SEARCH_COST, Search, attempt, share, try_out
from rulewright.interpreter.program.decisions import current, decision_cache, offers
from rulewright.interpreter.program.program import UNASKED, Program
from rulewright.interpreter.program.questions import DONE, likely_first, random_shares
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value


def alive(program: Program, store: Store, value: Value) -> bool:
    """Return whether an option of the pending decision can be carried on to the horizon."""
    cache = decision_cache(program, store)
    if cache.certain is None:
        cache.certain = is_certain(program, store, cache.asked.question)
    if cache.certain and type(value) is not Taken:
        return True
    if value not in cache.alive:
        found = program.lives(store, cache.asked, value)
        cache.alive[value] = trial(program, store, value) if found is None else found
    return cache.alive[value]


def trial(program: Program, store: Store, value: Value) -> bool:
    """Return the same as the walker finds it out, whoever has generated code."""
    cache, search = decision_cache(program, store), Search(program, store)
    asked = cache.asked
    search.left = share(asked, cache.spent)
    if cache.completions is UNASKED:
        cache.completions = completions_of(program, store, asked)
    completions = None if type(value) is Taken else cache.completions
    if completions is None:
        found = try_out(search, lambda search: search.answer(asked, value))
    else:
        completable = completions.can_complete(value)
        if completable is False:
            return False
        key = certain_key(store)
        if completable and value is not DONE and leads_safely(program, key, asked.question):
            return True
        found = try_out(search, lambda search: search.try_selections(asked, completions, value))
    cache.spent += search.spent + SEARCH_COST
    if search.unproved:
        cache.unproved.add(value)
    return found


def living(program: Program, store: Store) -> Iterator[Value]:
    """Yield the options of the pending decision that live, in their order."""
    return (value for value in current(program, store).options if alive(program, store, value))


def first_living(program: Program, store: Store) -> tuple[Value, ...]:
    """Return one option that lives (the one that is quickest to prove), or nothing."""
    for value in likely_first(current(program, store)):
        if alive(program, store, value):
            return (value,)
    return ()


def explain_dead(program: Program, store: Store, value: Value) -> tuple[Reason, ...]:
    """Return why an option does not live: the reasons of the trials that came furthest."""
    for refuted in store.refuted:
        if refuted.value == value:
            return tuple(refuted.reasons)
    asked = current(program, store)
    failed = attempt(program, store, lambda search: search.answer(asked, value), collects=True)
    return () if failed is None else in_source_order(failed.reasons)


def explain_stuck(program: Program, store: Store) -> tuple[Reason, ...]:
    """Return why the pending decision has no living option."""

    def begin(search: Search) -> bool:
        store.frames = [frame.copy() for frame in store.frames]
        return search.decision()

    failed = attempt(program, store, begin, collects=True)
    return () if failed is None else in_source_order(failed.reasons)


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


MANY = 1000
"""A range of numbers up to this length is drawn from without repetition."""
