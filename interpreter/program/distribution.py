"""Distributing a number: how much each target gets, one after the other in the order of the source.

`choose split d of 7 over fleets` is never listed: what the first target gets is a number in a range,
then what the second gets, and so on. Each range holds what can still be completed, as far as numbers
and caps go; where it holds one number only, that needs no answer. So a distribution has as many
answers as it has targets, at most, however many distributions there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Value

TRIES = 20
"""So often a share is drawn anew that does not fit into its range."""


@attrs.frozen
class Shares:
    """How far a distribution has come."""

    given: tuple[int, ...]
    """What the first targets get, with what follows from that."""

    left: int
    """What is still to be given to the others."""

    options: range
    """What the next one may get."""


def shares(total: int, caps: Sequence[int], given: Sequence[int]) -> Shares:
    """Return how far a distribution has come; `caps` is what each target can get at most."""
    room = [0] * (len(caps) + 1)
    for place in range(len(caps) - 1, -1, -1):
        room[place] = room[place + 1] + max(caps[place], 0)
    found = list(given)
    left = total - sum(given)
    while len(found) < len(caps):
        place = len(found)
        options = range(max(0, left - room[place + 1]), min(max(caps[place], 0), left) + 1)
        if len(options) != 1:
            return Shares(tuple(found), left, options)
        found.append(options[0])
        left -= options[0]
    return Shares(tuple(found), left, range(0))


def random_share(options: range, left: int, targets: int, random: Generator) -> int:
    """Return what the next of so many targets gets in a random distribution: all of those without
    caps come equally often; in a range that caps have made smaller, nearly so."""
    for _ in range(TRIES):
        # Between the units of what is left stand bars, one less than there are targets; the units
        # before the first bar are the first share.
        share = first_bar(left + targets - 1, targets - 1, random)
        if share in options:
            return share
    return options[random.below(len(options))]


def first_bar(places: int, bars: int, random: Generator) -> int:
    """Return the first of so many different random places."""
    taken: set[int] = set()
    for most in range(places - bars, places):
        # Each set of places is equally likely (Floyd).
        place = random.below(most + 1)
        taken.add(most if place in taken else place)
    return min(taken, default=places)


def ways(total: int, caps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to distribute a number, one after the other; there may be very many."""
    started = shares(total, caps, ())
    waiting = [started]
    while waiting:
        found = waiting.pop()
        if found.options:
            waiting += [shares(total, caps, (*found.given, share)) for share in found.options[:1]]
            if len(found.options) > 1:
                waiting.insert(-1, Shares(found.given, found.left, found.options[1:]))
        elif not found.left and len(found.given) == len(caps):
            yield found.given


def family(size: int, targets: Iterable[Value], amounts: Iterable[int]) -> tuple[int, ...]:
    """Return a distribution as a family: an amount for each key, 0 for what is no target."""
    entries = [0] * size
    for target, amount in zip(targets, amounts, strict=True):
        entries[target.number] = amount
    return tuple(entries)


def largest_first(total: int, caps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the same in another order: as much as possible for the first ones comes first."""
    waiting = [shares(total, caps, ())]
    while waiting:
        found = waiting.pop()
        if found.options:
            # Only as many of them as are wanted are ever made.
            waiting.append(attrs.evolve(found, options=found.options[:-1]))
            waiting.append(shares(total, caps, (*found.given, found.options[-1])))
        elif not found.left and len(found.given) == len(caps):
            yield found.given
