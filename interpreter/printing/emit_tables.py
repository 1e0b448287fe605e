"""Tables instead of calls: what depends on a thing and its printed fields only.

The things of a game are few and their printed fields never change. So what a define says about each
of them, and where a walk from each of them leads, is worked out when the code is written.
"""

from __future__ import annotations

import ast
from typing import Any

from rulewright.interpreter.printing.emit import SLOW, Function, NotGenerated
from rulewright.interpreter.printing.templates import variable
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.values import Thing, Value

MOST_THINGS = 1000
MOST_STEPS = 200_000
"""So many steps all walks through the things of a kind may have, and one value that is worked out."""

MOST_AT_ONCE = 5_000_000
"""The same for what a function says about all things of a kind."""


class _Nowhere:
    """Stands for the store where nothing of it is read."""

    def __init__(self, budget: int) -> None:
        self.columns = ()
        self.viewer = self.trail = self.transaction = None
        self.budget = budget


class Remembered(dict[Any, Any]):
    """What a function says that depends on its arguments only: as soon as somebody asks."""

    def __init__(self, space: dict[str, Any], name: str, *, several: bool) -> None:
        self.space = space
        self.name = name
        self.several = several
        """Whether a key is several arguments."""

    def __missing__(self, key: Any) -> Value:
        arguments = key if self.several else (key,)
        value = self.space[self.name](_Nowhere(MOST_STEPS), None, *arguments)
        room = self.space["room"]
        if room[0]:
            room[0] -= 1
            self[key] = value
        return value


def tabulated(function: Function, name: str, kind: str) -> tuple[Value, ...] | None:
    """Return what a function, which has been written, says about each thing of a kind."""
    things = things_of(function.layout, kind)
    if things is None:
        return None
    try:
        function.names.compile()
        compute = function.names.space[name]
        nowhere: Any = _Nowhere(MOST_AT_ONCE)
        return tuple([compute(nowhere, None, thing) for thing in things])
    except (NotGenerated, RecursionError, *SLOW):
        return None


def walks(steps: tuple[Value, ...], things: tuple[Thing, ...]) -> tuple[tuple[Thing, ...], ...]:
    """Return for each thing where one comes through from it, itself first, if `steps` says what
    follows each; raise if that is too much."""
    found = []
    left = MOST_STEPS
    for thing in things:
        way: dict[Thing, None] = {}
        at: Any = thing
        while at is not None and at not in way:
            way[at] = None
            at = steps[at.number]
            left -= 1
            if left < 0:
                raise NotGenerated("long walks")
        found.append(tuple(way))
    return tuple(found)


def things_of(layout: Layout, kind: str) -> tuple[Thing, ...] | None:
    """Return the things of a kind in the order of their numbers, if they are not too many."""
    if kind in layout.living_slots:
        return None
    things = layout.things.get(kind, ())
    if len(things) > MOST_THINGS or any(
        thing.number != place for place, thing in enumerate(things)
    ):
        return None
    return tuple(things)


def looked_up(table: str, thing: ast.expr) -> ast.expr:
    """Return the tree of an entry of a table."""
    number = ast.Attribute(thing, "number", ast.Load())
    return ast.Subscript(variable(table), number, ast.Load())
