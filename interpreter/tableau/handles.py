"""What a table keeps for a seat from one view to the next: names of things, and how far it has come.

Plain data: it can be pickled, and `attrs.asdict` gives what can be written as JSON.
"""

from __future__ import annotations

import attrs


@attrs.define
class Handles:
    """The memory of one seat, or of all watchers, of a table."""

    n: int = 0
    """The seat's own count of what it has noticed and answered."""

    known: str = ""
    """What it had noticed when that was counted last, in short."""

    next: int = 1
    """The number of the next handle."""

    numbers: dict[str, int] = attrs.field(factory=dict)
    """The handles of the things that are in sight, by keys of things that nobody is told."""

    groups: dict[str, int] = attrs.field(factory=dict)
    """Which of them could not be told apart when they were seen last, by the same keys."""
