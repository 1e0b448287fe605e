"""Talking with the person at the keyboard: lines out, replies in.

`Plain` is for pipes, files and simple terminals: it prints lines and reads lines. What comes from a
pipe or a file is echoed after the prompt, so that the whole reads like a session at a terminal.
`terminal` does the same with editing, history, completion and colours.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from rulewright.interpreter.arguments import printable, shortened

LONGEST_REPLY = 10_000
HIDING_LINES = 60


class Leave(Exception):
    """The person has left: end of input, Ctrl-C or Ctrl-D."""


class Talk(Protocol):
    """What a session needs of its surroundings."""

    is_live: bool
    """Whether somebody is there who can be asked something after Ctrl-C."""

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line; styles are `head`, `option`, `event`, `note` and `wrong`."""

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return what is typed after a prompt; `words` may be offered for completion."""

    def hide(self) -> None:
        """Take from sight what was printed so far: somebody else sits down."""


class Plain:
    """Prints lines and reads lines."""

    is_live = False

    def __init__(self) -> None:
        self._echoes = not sys.stdin.isatty()

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line."""
        sys.stdout.write(f"{line.rstrip()}\n")

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return what is typed after a prompt."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        try:
            line = sys.stdin.readline(LONGEST_REPLY)
            rest = line
            while rest and not rest.endswith("\n"):
                rest = sys.stdin.readline(LONGEST_REPLY)
        except KeyboardInterrupt:
            line = ""
        if not line:
            sys.stdout.write("\n")
            raise Leave
        line = line.rstrip("\n")
        if self._echoes:
            sys.stdout.write(f"{shortened(printable(line))}\n")
        return line

    def hide(self) -> None:
        """Push what was printed out of sight, if there is somebody to see it."""
        if not self._echoes and sys.stdout.isatty():
            sys.stdout.write("\n" * HIDING_LINES)
