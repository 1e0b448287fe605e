"""What runs: the frames of running verbs, and the branches of players who act at once.

A *frame* stands for one running verb or watch. Where several players act at once, `Fork` says in which
state they began and how far each of them is; `program/branches` says how a store goes from one branch to
another.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulewright.interpreter.state.log import Event, Log, latest_first
from rulewright.interpreter.state.position_key import Cell
from rulewright.interpreter.state.values import Locals, Thing, Value

bare = object.__new__
"""Makes an object without the call of its `__init__`, for copies: games begin with one."""


class Frame:
    """A running verb or watch: which node of which graph, its locals and its `me`."""

    __slots__ = ("locals", "me", "node", "unit")

    def __init__(self, unit: str, node: int, locals: Locals, me: Thing | None) -> None:
        self.unit = unit
        self.node = node
        self.locals = locals
        self.me = me

    def copy(self) -> Frame:
        """Return a frame of its own with the same content."""
        copy: Frame = bare(Frame)
        copy.unit = self.unit
        copy.node = self.node
        copy.locals = self.locals.copy()
        copy.me = self.me
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[Any, ...]:
        return self.unit, self.node, self.me, self.locals

    def key(self) -> tuple[Any, ...]:
        """Return the content as something hashable."""
        return self.unit, self.node, self.me, frozenset(self.locals.items())


FIRST_SETBACKS = 20
"""So many dead ends go back to the last menu with an unproved option, later ones to the first."""

NO_DEAD_ENDS: tuple[Any, ...] = (None, (), 0, FIRST_SETBACKS)
"""What `Store.dead_ends` is where nothing has been taken back."""

NEW, HERE, WAITS, DONE = "new", "here", "waits", "done"
"""How far a branch is: not begun; the store stands in it; at a decision; at its end."""


@attrs.frozen
class Branch:
    """What one of several players does at once, as long as the others have not done the same."""

    player: Thing
    phase: str = HERE
    frames: tuple[Frame, ...] = ()
    """Its own running verbs; they stand on those that all share."""

    cells: tuple[Cell, ...] = ()
    """Everything that it has made different from the start."""

    random: int = 0
    events: int = 0
    transaction: tuple[Any, ...] | None = None
    viewer: Thing | None = None
    opened: bool | None = None
    """Whether nothing has been answered yet in its running transaction (`layout.OPENED`)."""

    ending: tuple[Value] | None = None
    """The reason with which it has ended the game."""

    learned: int = attrs.field(default=0, eq=False)
    """How often its player has learned something."""

    log: Log | None = attrs.field(default=None, eq=False, repr=False)
    """The events up to the start, and its own."""

    dead_ends: tuple[Any, ...] = attrs.field(default=NO_DEAD_ENDS, eq=False, repr=False)
    """What `Store.dead_ends` is there."""


@attrs.frozen
class Fork:
    """Several players at once: the state in which they began, and how far each of them is.

    Nothing in it is ever changed, so copies of a store share it. `program/branches` says how a store goes from
    one branch to another.
    """

    columns: tuple[list[Value], ...] = attrs.field(repr=False)
    """What the state was when they began."""

    frames: tuple[Frame, ...]
    """The running verbs that all share; the last one stands at the fork."""

    branches: tuple[Branch, ...]
    """In the order in which they are joined."""

    at: int = -1
    """In which of them the store stands; there is nothing but its player in it then."""

    begun: bool = False
    """Whether all have come to their first decision, or to their end."""

    learned: int = attrs.field(default=0, eq=False)
    """How often the player in whose branch the store stands has learned something there."""

    log: Log | None = attrs.field(default=None, eq=False, repr=False)

    def having(
        self,
        *,
        branches: tuple[Branch, ...] | None = None,
        at: int | None = None,
        begun: bool = False,
        learned: int | None = None,
    ) -> Fork:
        """Return the same with something else."""
        return Fork(
            self.columns,
            self.frames,
            self.branches if branches is None else branches,
            self.at if at is None else at,
            begun or self.begun,
            self.learned if learned is None else learned,
            self.log,
        )

    @property
    def player(self) -> Thing | None:
        """The player in whose branch the store stands."""
        return None if self.at < 0 else self.branches[self.at].player

    def branch_of(self, player: Thing) -> int:
        """Return the number of the branch of a player, -1 if he has none."""
        for number, branch in enumerate(self.branches):
            if branch.player is player:
                return number
        return -1

    def own_events(self, branch: Branch) -> list[Event]:
        """Return the events of a branch, in their order."""
        return [*latest_first(branch.log, self.log)][::-1]
