"""Talking with the person at the keyboard: lines out, replies in.

`LineConsole` is for pipes, files and simple terminals: it prints lines and reads lines. What comes from a
pipe or a file is echoed after the prompt, so that the whole reads like a session at a terminal.
`TerminalConsole` does the same with editing, history, completion and colours.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Protocol

from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.shortcuts import clear
from rich.console import Console
from rich.text import Text

from rulewright.interpreter.terminal.table import StyledLine
from rulewright.interpreter.words.text import printable, shortened

LONGEST_REPLY = 10_000
HIDING_LINES = 60


class Leave(Exception):
    """The person has left: end of input, Ctrl-C or Ctrl-D."""


class Dialog(Protocol):
    """What a table needs to speak with a person."""

    is_live: bool
    """Whether somebody is there who can be asked something after Ctrl-C."""

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line; styles are `head`, `option`, `event`, `note` and `wrong`."""

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return what is typed after a prompt; `words` may be offered for completion."""

    def hide(self) -> None:
        """Take from sight what was printed so far: somebody else sits down."""


class LineConsole:
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


# ----------------------------------------------------------------------------------------- terminal


STYLES = {
    "head": "bold cyan",
    "option": "bold",
    "event": "default",
    "note": "dim",
    "wrong": "red",
    **{
        f"seat {number}": f"bold {colour}"
        for number, colour in enumerate(
            ("red", "blue", "green", "yellow", "magenta", "cyan", "bright_red", "bright_blue"), 1
        )
    },
}


def is_capable() -> bool:
    """Return whether the terminal can move its cursor."""
    return os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def _history() -> History:
    """Return what was typed in earlier games, or a fresh history if that cannot be kept."""
    try:
        folder = user_state_path("rulewright", ensure_exists=True)
        path = folder / "history"
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)


class TerminalConsole:
    """A `Dialog` on a terminal."""

    is_live = True

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._session: PromptSession[str] = PromptSession(history=_history())

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line in a style."""
        pieces = line.pieces if isinstance(line, StyledLine) else ((line, style),)
        self._console.print(Text.assemble(*((text, STYLES.get(one, "")) for text, one in pieces)))

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return what is typed after a prompt."""
        completer = WordCompleter(list(words), ignore_case=True, sentence=True)
        try:
            return self._session.prompt(prompt, completer=completer)
        except (KeyboardInterrupt, EOFError):
            raise Leave from None

    def hide(self) -> None:
        """Clear the screen, and forget what was typed: it may tell what somebody holds."""
        self._session = PromptSession(history=InMemoryHistory())
        clear()
        # The lines that have scrolled away as well, where the terminal knows how.
        self._console.file.write("\x1b[3J")
        self._console.file.flush()
