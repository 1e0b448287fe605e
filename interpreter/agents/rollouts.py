"""How the playouts of a search came out, and what is said of it: whether they ended, or were cut off.

A playout of a long game is cut off and valued by the ranking so far. Where that says nothing either, a search cannot tell
the answers apart, and whoever reads what they are worth should know.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulewright.interpreter.words.translation import ENGLISH, Words


@attrs.frozen
class Rollouts:
    """How many playouts of a search ended, were cut off, and said nothing.

    >>> SearchAgent(iterations=50, seed=1).think(seat).rollouts
    Rollouts(ended=50, cut=0, silent=0, depth=0)
    """

    ended: int = 0
    """So many came to the end of the game, or to what is sure."""

    cut: int = 0
    """So many were cut off."""

    silent: int = 0
    """So many of those that were cut off are worth the same to everybody: no points are counted, and nobody is
    before anybody."""

    depth: int = 0
    """After how many decisions they were cut off; 0 if none was."""

    def __add__(self, other: Rollouts) -> Rollouts:
        return Rollouts(
            self.ended + other.ended,
            self.cut + other.cut,
            self.silent + other.silent,
            max(self.depth, other.depth),
        )

    def told(self, words: Words = ENGLISH) -> str:
        """Return what has to be known of them, in one line; "" if all ended."""
        if not self.cut:
            return ""
        number = self.cut + self.ended
        if self.silent < self.cut:
            return words(
                "{cut} of {number} playouts were cut off after {depth} decisions: they count the ranking so far.",
                cut=self.cut,
                number=number,
                depth=self.depth,
            )
        if self.ended:
            return words(
                "{cut} of {number} playouts were cut off after {depth} decisions, when the rules did not yet say who"
                " is ahead: they count as even.",
                cut=self.cut,
                number=number,
                depth=self.depth,
            )
        return words(
            "No playout ended within {depth} decisions, and the rules do not say who is ahead by then: the answers"
            " cannot be told apart.",
            depth=self.depth,
        )


def rollouts_of(agents: Iterable[object]) -> Rollouts:
    """Return how the playouts of agents came out that search, each taken once."""
    found = {id(one): getattr(one, "rollouts", None) for one in agents}
    return altogether(one for one in found.values() if isinstance(one, Rollouts))


def altogether(found: Iterable[Rollouts]) -> Rollouts:
    """Return all of them as one."""
    return sum(found, Rollouts())
