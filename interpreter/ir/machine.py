"""What runs: units as plain lists of operations, and the loop that walks them.

The plans of `action_graph` are the source; `engine/load` turns each of their nodes into an `Op` with a bound
handler. A handler gets the store and the top frame and returns the number of the next node in the
same frame, or one of the signals below. Between two decisions nothing is alive but the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rulewright.dsl.ir.nodes import Decide, Node
from rulewright.interpreter.state.errors import Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

SWITCH = -1
"""Signal: another frame is on top now."""

DECIDE = -2
"""Signal: the top frame stands at a decision."""

CHANCE = -3
"""Signal: a driver must say what chance brings."""

DEAD = -4
"""Signal: a requirement is not met."""

OVER = -5
"""Signal: no frame is left."""

LIMIT = -6
"""Signal: too many operations without a decision."""

RESTS = -7
"""Signal: the top frame stands at a decision that has been found to need an answer."""

STEP_LIMIT = 200_000
"""How many operations may run between two decisions."""

DEEPEST = 200
"""How many verbs may run inside each other."""

STOPPING = "#stop"
"""The local that says where a stop goes in the end, while it passes the ends of steps."""

BEGUN = "#begun"
"""The local of a verb whose beginning was told, and whose end will be told."""

Run: TypeAlias = Callable[[Store, Frame], int]

Outcomes: TypeAlias = Callable[[Store, Frame], tuple[Value, ...]]


class Op:
    """A node that can be run."""

    __slots__ = (
        "calls",
        "cut",
        "edges",
        "kind",
        "label",
        "levels",
        "loops",
        "node",
        "outcomes",
        "question",
        "resume",
        "run",
        "see",
        "site",
        "source",
        "span",
        "step",
        "title",
        "unit",
    )

    def __init__(self, unit: str, number: int, node: Node, edges: Mapping[str, int]) -> None:
        self.unit = unit
        self.node = number
        self.source = node
        """The node of the action graph."""

        self.kind = node.kind
        self.label = node.label
        self.span = node.span
        self.see = node.see
        self.title = node.title
        self.step: Any = node.step
        self.site = node.site if isinstance(node, Decide) else ""
        self.loops = node.loops
        self.levels = node.levels
        self.edges = edges
        """The next nodes by the labels of the edges; nodes that do nothing are skipped."""

        self.calls = node.begins
        """The units that may run inside this node."""

        self.cut = -1
        """The innermost `as` or `repeat` around it."""

        self.resume = number
        """Where the frame goes on when a verb that was called here has returned."""

        self.run: Run
        self.question: Any = None
        """Of a decision: what is asked (`questions.Question`)."""

        self.outcomes: Outcomes | None = None
        """Of a chance node: what may come."""

    def __repr__(self) -> str:
        return f"{self.unit}#{self.node} {self.kind} {self.label}"


def run(units: dict[str, list[Run]], store: Store, limit: int) -> tuple[int, int]:
    """Walk the handlers until something other than the next node comes up; return the signal and
    how many were run. Everything that is raised leaves the top frame at its operation."""
    frame = store.frames[-1]
    used = 0
    try:
        for used in range(1, limit + 1):
            following = units[frame.unit][frame.node](store, frame)
            if following >= 0:
                frame.node = following
            elif following == SWITCH:
                frame = store.frames[-1]
            else:
                return following, used
    except Undecided as met:
        met.used = used
        raise
    return LIMIT, used


def unwind(store: Store, frame: Frame, loops: tuple[int, ...]) -> None:
    """Leave loops, outermost first: `me` is again who it was before."""
    restored = False
    for loop in loops:
        state = frame.locals.pop(f"#{loop}", None)
        if not restored and isinstance(state, tuple) and len(state) == 3:
            frame.me = state[2]
            restored = True


def me_of(frame: Frame) -> Thing:
    """Return the acting player of a frame in which somebody acts."""
    assert frame.me is not None, f"nobody acts in {frame.unit}"
    return frame.me
