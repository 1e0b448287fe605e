"""The random numbers of the language: a generator that is specified here, to the last bit.

Records and tests have to come out alike on every machine and in every later version, so nothing of
Python's `random` is used. The generator is **splitmix64**: the state is a number of 64 bits; a step
adds 0x9E3779B97F4A7C15 to it, modulo 2**64, and mixes the sum z into the output:

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB
    z ^ (z >> 31)

*Seeding.* A seed that is a number is the first state (modulo 2**64). A text is hashed with BLAKE2b
to 8 bytes, read with the lowest first.

*Ranges.* `below(n)` takes outputs until one is smaller than the greatest multiple of n up to 2**64,
and returns its remainder: every number has exactly the same chance. `below(1)` takes no output.

*Lists.* To draw k of n, k times: take `below(number of those left)`, which counts them in their
present order; the taken one is removed and the others keep their order. To shuffle is to draw all.
Everything is a function from a state to the next one, because the state is part of the game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

MASK = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9
SECOND_FACTOR = 0x94D0_49BB_1331_11EB


FRESH = 10**12
"""So many fresh seeds there are: too many to be tried out, few enough to be typed."""


def fresh_seed() -> int:
    """Return a seed that nobody knows beforehand; from there on all is as always."""
    import secrets

    return secrets.randbelow(FRESH)


def seeded(seed: int | str) -> int:
    """Return the state that belongs to a seed."""
    if isinstance(seed, int):
        return seed & MASK
    return int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=8).digest(), "little")


def step(state: int) -> tuple[int, int]:
    """Return the next state and 64 random bits."""
    state = (state + GOLDEN) & MASK
    mixed = ((state ^ (state >> 30)) * FIRST_FACTOR) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * SECOND_FACTOR) & MASK
    return state, mixed ^ (mixed >> 31)


def below(state: int, bound: int) -> tuple[int, int]:
    """Return the next state and a number from 0 up to, but not including, the bound."""
    if bound <= 1:
        if bound == 1:
            return state, 0
        raise ValueError(f"there is no number below {bound}")
    # A step written out, without its call: somebody draws all the time.
    while True:
        state = (state + GOLDEN) & MASK
        mixed = ((state ^ (state >> 30)) * FIRST_FACTOR) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * SECOND_FACTOR) & MASK
        output = mixed ^ (mixed >> 31)
        # The greatest multiple is never further from the end than the bound.
        if output <= MASK - bound or output < MASK + 1 - (MASK + 1) % bound:
            return state, output % bound


def draw(state: int, items: Sequence[Item], count: int) -> tuple[int, tuple[Item, ...]]:
    """Return the next state and `count` of the items (all, if there are fewer), as drawn."""
    left = list(items)
    drawn: list[Item] = []
    for _ in range(min(count, len(left))):
        state, index = below(state, len(left))
        drawn.append(left.pop(index))
    return state, tuple(drawn)


def shuffled(state: int, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
    """Return the next state and the items in random order."""
    return draw(state, items, len(items))


def roll(state: int, count: int, sides: int) -> tuple[int, tuple[int, ...]]:
    """Return the next state and so many numbers from 1 to `sides`."""
    rolled = []
    for _ in range(count):
        state, face = below(state, sides)
        rolled.append(face + 1)
    return state, tuple(rolled)


class Generator:
    """A generator that remembers its state, for players and tests; games keep theirs in the store.

    >>> generator = Generator(7)
    >>> [generator.below(6) for _ in range(5)]
    [3, 0, 0, 3, 4]
    """

    __slots__ = ("state",)

    def __init__(self, seed: int | str) -> None:
        self.state = seeded(seed)

    def below(self, bound: int) -> int:
        """Return a number from 0 up to, but not including, the bound."""
        self.state, number = below(self.state, bound)
        return number

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def draw(self, items: Sequence[Item], count: int) -> tuple[Item, ...]:
        """Return so many of the items, in the order in which they were drawn."""
        self.state, drawn = draw(self.state, items, count)
        return drawn

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items in random order."""
        self.state, order = shuffled(self.state, items)
        return order
