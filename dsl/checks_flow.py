"""Flow."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.diagnostics import Diagnostic


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield problems."""
    yield from ()
