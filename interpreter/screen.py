"""How much room there is for what is printed."""

from __future__ import annotations

import os
import sys

WIDTH = 100
"""The columns of what is no terminal: a file, or a pipe. So what is written there is always the same."""

LEAST = 20
"""What is narrower than this is written as if it were as wide."""


def width() -> int:
    """Return how many columns the output has at this moment: a terminal may have changed its size."""
    try:
        if not sys.stdout.isatty():
            return WIDTH
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return WIDTH
    # A terminal that does not know its size says 0.
    return max(columns, LEAST) if columns else WIDTH
