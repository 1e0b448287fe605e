"""The table as a seat sees it (`view_model`), made of a state."""

from __future__ import annotations

from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.view_model import CannotView, EntryView, Tableau

LOG_SHOWN = 60
"""So many lines of the log are part of a view."""


def tableau(
    state: State,
    seat: int | None,
    handles: Handles,
    spoken: Game | None = None,
    *,
    undo: bool | None = None,
    lines: int = LOG_SHOWN,
) -> Tableau:
    """Return what a seat is shown; None: what a watcher is, which is what every seat sees.

    `handles` is changed. `spoken` is the game in the language of the seat (`Game.spoken`). `undo`
    says whether it can take back its answer, if the table knows more about that than the state does.
    """
    raise NotImplementedError


def notice(state: State, seat: int | None, handles: Handles) -> int:
    """Return the seat's own count (`Tableau.n`), one more if it has noticed or answered anything since
    it was asked for last. A table asks for every seat after each answer and each undo: then the
    numbers are the same however often somebody looks, and when the game is played once more.
    """
    raise NotImplementedError


def why(state: State, seat: int, label: str, spoken: Game | None = None) -> CannotView:
    """Return why what is called so (an option of the question of the seat, or a verb) is not possible,
    with all reasons; none if it is possible.

    Raises `InvalidActionError` or `AmbiguousActionError`, if nothing or too much is called so.
    """
    raise NotImplementedError


def log_entries(
    state: State,
    seat: int | None,
    handles: Handles,
    spoken: Game | None = None,
    lines: int | None = None,
) -> tuple[EntryView, ...]:
    """Return the log as a seat is told it, or its last lines."""
    raise NotImplementedError
