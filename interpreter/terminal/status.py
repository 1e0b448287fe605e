"""How a command ends: exit statuses, and what ends it when everything has been said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.text.diagnostics import Diagnostic
    from rulewright.interpreter.state.errors import PlayError

FINE = 0
RULES_WRONG = 1
WRONG_USAGE = 2
INTERRUPTED = 130


class Refused(Exception):
    """The command ends with a status, and everything has been said."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"status {status}")


def rules_error(error: PlayError, *notes: str) -> Diagnostic:
    """Return the message of an error that ended a game, with the reasons that are known."""
    import attrs

    found = error.diagnostic()
    reasons = (reason.text for reason in getattr(error, "reasons", ()))
    return attrs.evolve(found, notes=tuple(dict.fromkeys((*found.notes, *reasons, *notes))))
