"""Reaching definitions: which nodes of a verb may have written what a local holds, wherever the verb stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from rulewright.dsl.ir import dataflow
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.live_locals import names_set
from rulewright.dsl.ir.nodes import Edge, Loop

PARAMETER = -1
"""In place of a node: what the verb was handed."""

UNSET = -2
"""In place of a node: nothing has written it, on some way."""

Definitions: TypeAlias = Mapping[str, frozenset[int]]
"""For each local the nodes that may have written it last."""


def reaching_definitions(
    plan: Plan, parameters: Iterable[str], others: Iterable[str] = ()
) -> Sequence[Definitions]:
    """Return the definitions that reach each node of a verb; none where no way leads. `others` are names that
    perhaps no node writes."""
    written = [frozenset(names_set(node, at)) for at, node in enumerate(plan.nodes)]

    def there(at: int, before: Definitions) -> Definitions:
        # What has been picked so far is written while the verb stands there.
        picked = [name for name in written[at] if name.startswith("@")]
        return {**before, **{name: before[name] | {at} for name in picked}} if picked else before

    def behind(at: int, label: str, before: Definitions) -> Definitions:
        before = there(at, before)
        if not written[at] or (isinstance(plan.nodes[at], Loop) and label != Edge.BODY):
            return before
        return {**before, **dict.fromkeys(written[at], frozenset((at,)))}

    entry: Definitions = {
        **{name: frozenset((UNSET,)) for names in (*written, others) for name in names},
        **{name: frozenset((PARAMETER,)) for name in parameters},
    }
    found = dataflow.forward(plan.followers(), entry, behind, _union)
    return [there(at, before or {}) for at, before in enumerate(found)]


def _union(one: Definitions, other: Definitions) -> Definitions:
    nothing: frozenset[int] = frozenset()
    return {
        name: one.get(name, nothing) | other.get(name, nothing)
        for name in one.keys() | other.keys()
    }
