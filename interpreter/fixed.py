"""Defines that never change: what depends on printed fields, options and arguments only.

What such a define says about the same arguments is always the same, so it is remembered, by the
walker as well as by generated code: the neighbours of a space are looked for once.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import model
from rulewright.interpreter.compiling import parts

CHANGING = (
    model.Me,
    model.Contents,
    model.OwnerOf,
    model.LiesAt,
    model.Ending,
    model.Lasting,
    model.Won,
    model.FinalOrder,
    model.Can,
    model.Apply,
    model.Lambda,
    model.TextOf,
    model.OriginalValue,
)
"""What depends on more than printed fields and arguments."""


class Fixed:
    """Tells which defines of a game never change."""

    def __init__(self, game: model.Game) -> None:
        self._game = game
        self._kept: dict[str, bool] = {}

    def define(self, define: str) -> bool:
        """Return whether a define depends on printed fields and its arguments only."""
        if define not in self._kept:
            # A define that calls itself is refused by the checker.
            self._kept[define] = False
            found = self._game.defines[define]
            self._kept[define] = not found.changes and self.expression((found.body, found.lines))
        return self._kept[define]

    def expression(self, written: Any) -> bool:
        """Return whether an expression depends on printed fields and its names only."""
        game = self._game
        for part in parts(written):
            match part:
                case model.Read(field=field) if not game.fields[field].printed:
                    return False
                case model.Read(field=field) if game.fields[field].holder in game.created:
                    return False
                case model.Everything(kind=kind) if kind in game.created | game.destroyed:
                    return False
                case model.DefineCall(me=me) if me is not None:
                    return False
                case model.DefineCall(define=inner) if not self.define(inner):
                    return False
            if isinstance(part, CHANGING):
                return False
        return True
