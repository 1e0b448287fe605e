"""Who sees what: finds rules about what a player may do that read what he cannot see."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.diagnostics import Diagnostic


def hidden_reads(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a problem for each hidden read."""
    yield from ()
