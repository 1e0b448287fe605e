"""Where the items of a list come from: finds the zones in which the items of an expression lie.

What is picked out of one zone stands in the list once, and is seen by whoever sees the zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor

ELSEWHERE = ""
"""Stands for a list of things that may lie anywhere, or of no things at all."""

Zones: TypeAlias = frozenset[str]

DEEPEST = 5
"""So many defines inside each other are looked into."""


def origins(
    game: model.Game,
    source: model.Expression,
    names: Mapping[str, Zones | None] | None = None,
    depth: int = DEEPEST,
) -> Zones | None:
    """Return the zones out of which a list is taken; None if something may stand in it twice, as
    far as that is seen. `names` are the lists that the expression calls by a name of its own."""
    known = names or {}

    def inside(part: model.Expression) -> Zones | None:
        return origins(game, part, known, depth)

    match source:
        case model.LetIn(name=name, value=value, body=body):
            return origins(game, body, {**known, name: inside(value)}, depth)
        case model.Local(name=name):
            return known.get(name)
        case model.Arithmetic(word="+", left=left, right=right):
            return _beside(inside(left), inside(right))
        case model.DefineCall(define=id) if depth:
            return _of_define(game, game.defines[id], depth - 1)
        case model.ListOf(items=()):
            return frozenset()
        case model.ListOf(items=items):
            values = {part.value for part in items if isinstance(part, model.Constant)}
            return frozenset({ELSEWHERE}) if len(values) == len(items) else None
        case model.Read(field=field):
            return frozenset({field}) if isinstance(source.type, types.ZoneType) else None
        case model.Builtin(name="distinct", arguments=(model.ListOf(items=items),)):
            return _of_items(game, items, depth)
        case model.Builtin(name="join", arguments=(model.Each() as each,)):
            match each.value:
                case model.Read(target=model.Local(name=name)) if name == each.name:
                    # Each has a zone of its own, and a thing lies in one zone only.
                    return None if inside(each.source) is None else inside(each.value)
        case model.Everything() | model.Seats() | model.EnumValues() | model.Numbers():
            return frozenset({ELSEWHERE})
    found: Zones | None = None
    for part, use in visitor.handed(source):
        more = inside(part) if use.once and use.end is None else None
        if more is None or use.hands_on not in ("value", "all", "some"):
            return None
        found = more | (found or frozenset())
    return found


def _of_items(game: model.Game, items: tuple[model.Expression, ...], depth: int) -> Zones | None:
    """Return the zones out of which things are taken one by one, perhaps the same thing again."""
    found: Zones = frozenset()
    for item in items:
        one = item
        while isinstance(one, model.DefineCall) and depth:
            define = game.defines[one.define]
            if define.changes or define.lines:
                return None
            one, depth = define.body, depth - 1
        more = origins(game, one.items, None, depth) if isinstance(one, model.Item) else None
        if more is None:
            return None
        found |= more
    return found


def _of_define(game: model.Game, define: model.Define, depth: int) -> Zones | None:
    """Return where the items of a define come from, whichever of its amendments hold."""
    if define.lines:
        return None
    found = origins(game, define.body, None, depth)
    for change in define.changes:
        more = None if change.bearers is not None else origins(game, change.value, None, depth)
        found = _beside(found, more)
    return found


def _beside(one: Zones | None, other: Zones | None) -> Zones | None:
    """Return the zones of two lists put together; things of other zones are other things."""
    if not one or not other or one & other or ELSEWHERE in one | other:
        return None
    return one | other
