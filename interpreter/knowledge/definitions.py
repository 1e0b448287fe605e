"""Reaching definitions: which nodes of a verb may have written what a local holds, wherever the verb stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulewright.interpreter.ir.action_graph import Plan
from rulewright.interpreter.knowledge.live_locals import names_set

PARAMETER = -1
"""In place of a node: what the verb was handed."""

Definitions = Mapping[str, frozenset[int]]
"""For each local the nodes that may have written it last."""


def reaching_definitions(plan: Plan, parameters: Iterable[str]) -> Sequence[Definitions]:
    """Return the definitions that reach each node of a verb."""
    found: list[dict[str, frozenset[int]]] = [{} for _ in plan.nodes]
    found[0] = {name: frozenset((PARAMETER,)) for name in parameters}
    written = [frozenset(names_set(node, at)) for at, node in enumerate(plan.nodes)]
    for at, names in enumerate(written):
        # What has been picked so far is written while the verb stands there.
        found[at] |= {name: frozenset((at,)) for name in names if name.startswith("@")}
    waiting = [0]
    visited: set[int] = set()
    while waiting:
        at = waiting.pop()
        visited.add(at)
        node = plan.nodes[at]
        for label, following in _following(plan, at, node):
            changed = following not in visited
            behind = found[following]
            for name in found[at].keys() | written[at]:
                defined = found[at].get(name, frozenset())
                if name in written[at] and _writes(node, label):
                    defined = frozenset((at,))
                if not defined <= behind.get(name, frozenset()):
                    behind[name] = defined | behind.get(name, frozenset())
                    changed = True
            if changed:
                waiting.append(following)
    return found


def _following(plan: Plan, at: int, node: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the nodes that may follow; what is called may end what has called it."""
    found = list(plan.edges[at].items())
    if node["kind"] in ("call", "do", "watch"):
        ends = {plan.finish, *[finish for _, finish, _ in node["levels"]]}
        found += [("next", end) for end in sorted(ends - {None})]
    return found


def _writes(node: dict[str, Any], label: str) -> bool:
    """Return whether a node has written its locals where it is left by an edge."""
    return node["kind"] != "loop" or label == "body"
