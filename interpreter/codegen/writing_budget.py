"""How much time may be spent on writing code: some in advance, then a share of the time that the program runs.

Since generated code and the walker play the same game, time may decide which of them plays. Without such a
limit a game that is played once waits for code which would pay after a hundred games.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from time import process_time

ADVANCE = 0.5
"""So many seconds of CPU time may be spent in advance."""

SHARE = 0.3
"""And then this share of the CPU time of the process since the code of the game was asked for."""


class WritingBudget:
    """The time that writing the code of one game has taken, and may take."""

    def __init__(self, advance: float = ADVANCE, share: float = SHARE) -> None:
        self.advance, self.share = advance, share
        self.spent = 0.0
        self._begun = process_time()
        self._writing = False

    def has_room(self) -> bool:
        """Return whether more may be written now."""
        if self.spent <= self.advance:
            return True
        return self.spent <= self.advance + self.share * (process_time() - self._begun)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Count the time that passes; within each other it is counted once."""
        if self._writing:
            yield
            return
        begun, self._writing = process_time(), True
        try:
            yield
        finally:
            self._writing = False
            self.spent += process_time() - begun


def unlimited() -> WritingBudget:
    """Return a budget that is never spent."""
    return WritingBudget(math.inf)
