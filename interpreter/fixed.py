"""Defines that never change: what depends on printed fields, options and arguments only.

What such a define says about the same arguments is always the same, so it is remembered, by the
walker as well as by generated code: the neighbours of a space are looked for once.
"""

from __future__ import annotations

from typing import Any

from rulewright.dsl import kinds, model
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
        self._zones: dict[str, frozenset[str] | None] = {}

    def define(self, define: str) -> bool:
        """Return whether a define depends on printed fields and its arguments only."""
        return self.zones(define) == frozenset()

    def zones(self, define: str) -> frozenset[str] | None:
        """Return the zones of the game on which a define depends beside printed fields and its
        arguments; None if it depends on more."""
        if define not in self._zones:
            # A define that calls itself is refused by the checker.
            self._zones[define] = None
            found = self._game.defines[define]
            if not found.changes:
                self._zones[define] = self._zones_in((found.body, found.lines))
        return self._zones[define]

    def expression(self, written: Any) -> bool:
        """Return whether an expression depends on printed fields and its names only."""
        return self._zones_in(written) == frozenset()

    def _zones_in(self, written: Any) -> frozenset[str] | None:
        game = self._game
        zones = set[str]()
        for part in parts(written):
            match part:
                case model.Read(field=field, target=None, type=kinds.ZoneType()):
                    zones.add(field)
                case model.Read(field=field) if not game.fields[field].printed:
                    return None
                case model.Read(field=field) if game.fields[field].holder in game.created:
                    return None
                case model.Everything(kind=kind) if kind in game.created | game.destroyed:
                    return None
                case model.DefineCall(me=me) if me is not None:
                    return None
                case model.DefineCall(define=inner):
                    more = self.zones(inner)
                    if more is None:
                        return None
                    zones |= more
            if isinstance(part, CHANGING):
                return None
        return frozenset(zones)
