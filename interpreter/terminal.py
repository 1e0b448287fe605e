"""The keyboard and the screen of a terminal: editing, history, completion and a few colours.

prompt-toolkit reads, rich paints. Nothing that is said here differs from what `talk.Plain` would
say; it is only easier on the eye and on the fingers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.shortcuts import clear
from rich.console import Console
from rich.text import Text

from rulewright.interpreter.table import Painted
from rulewright.interpreter.talk import Leave

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


class Terminal:
    """A `Talk` on a terminal."""

    is_live = True

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._session: PromptSession[str] = PromptSession(history=_history())

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line in a style."""
        pieces = line.pieces if isinstance(line, Painted) else ((line, style),)
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
