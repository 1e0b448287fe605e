"""What can fail: which nodes can refuse to go on, and after which nothing can.

Who looks ahead needs to try nothing where nothing behind an answer can fail. Of a decision that comes later one
way is enough, since its player looks ahead there, too: of a `may` the one without it, of an `either` an arm
without a guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import KEPT
from rulewright.dsl.ir import dataflow
from rulewright.dsl.ir.action_graph import Plan, plans_of
from rulewright.dsl.ir.nodes import (
    Dead,
    Decide,
    Draw,
    Edge,
    End,
    Fork,
    Need,
    Node,
    Return,
    Stop,
    arm,
)

HORIZON = (Draw, End, Return, Fork)
"""Behind these nobody looks ahead: what comes next is chance, another player, the end, or the caller."""


def can_fail(node: Node) -> bool:
    """Return whether a node can refuse to go on, whatever the state is."""
    match node:
        case Need() | Dead():
            return True
        case Stop(targets=targets):
            # By name it goes on somewhere in a caller.
            return targets is not None
        case Decide(step=step):
            return not has_option(step)
    return False


def ways(node: Node, edges: Mapping[str, int]) -> Iterable[int]:
    """Return where a node that cannot fail itself must be able to lead to."""
    match node:
        case Decide(step=model.May()):
            return (edges[Edge.NO],)
        case Decide(step=model.Either(arms=arms)):
            free = next((number for number, one in enumerate(arms) if one.guard is None), None)
            return edges.values() if free is None else (edges[arm(free)],)
    return edges.values()


def has_option(step: model.Statement) -> bool:
    """Return whether a decision has an option whatever the state is."""
    match step:
        case model.May():
            return True
        case model.Either(arms=arms):
            return any(one.guard is None for one in arms)
        case model.Choose(or_stop=True) | model.Split(or_stop=True):
            return True
        case model.Split(limit=None, such_that=None, source=source):
            return isinstance(source, model.EnumValues | model.Seats)
        case model.Choose(word="any" | "up_to" | "ordered", such_that=None, low=None, high=high):
            return high is None or _at_least_none(high)
        case model.Choose(word="one", such_that=None, source=source):
            return isinstance(source, model.EnumValues | model.Seats)
    return False


def _at_least_none(high: model.Expression) -> bool:
    return isinstance(high, model.Constant) and isinstance(high.value, int) and high.value >= 0


@lru_cache(maxsize=KEPT)
def certain_nodes(game: model.Game) -> Mapping[str, Sequence[bool]]:
    """Return for each node of each unit whether nothing can fail from there to where nobody looks ahead any
    more, or to the end of the unit."""
    plans = plans_of(game)
    entries = dict.fromkeys(plans, True)
    found: dict[str, Sequence[bool]] = {}
    changed = True
    while changed:
        changed = False
        for unit, plan in plans.items():
            found[unit] = _certain(plan, entries)
            if found[unit][0] != entries[unit]:
                entries[unit], changed = found[unit][0], True
    return found


def _certain(plan: Plan, entries: Mapping[str, bool]) -> Sequence[bool]:
    def at_node(at: int, behind: Sequence[bool]) -> bool:
        node = plan.nodes[at]
        if can_fail(node) or not all(entries.get(one, True) for one in node.begins):
            return False
        return isinstance(node, HORIZON) or all(behind[one] for one in ways(node, plan.edges[at]))

    return dataflow.backward(plan.edges, True, at_node)
