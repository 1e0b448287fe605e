"""Which locals of a verb may still be read, wherever it stands; what no node reads says nothing any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.ir import dataflow
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.nodes import Acting, Decide, Draw, Let, Loop, Node
from rulewright.dsl.model import visitor

Names: TypeAlias = frozenset[str]


def live_locals(plan: Plan) -> dict[int, frozenset[str]]:
    """Return which locals may still be read when a verb stands at a node.

    For each node there are two answers: for who comes to it, and for a loop that goes on to its next pass.
    """
    reads: list[frozenset[str]] = []
    writes: list[frozenset[str]] = []
    for at, node in enumerate(plan.nodes):
        names = {
            part.name
            for part in visitor.walk(heads(node))
            if isinstance(part, model.Local | model.LocalPlace)
        }
        if isinstance(node.step, model.Until):
            names |= set(node.step.captured)
        own = frozenset(names_set(node, at))
        if isinstance(node, Decide):
            names = {*names, *[name for name in own if name.startswith("@")]} - {
                name for name in own if not name.startswith("@")
            }
        elif isinstance(node, Loop | Acting | Draw):
            names |= {name for name in own if name.startswith("#")}
        reads.append(frozenset(names))
        writes.append(frozenset(name for name in own if name not in names))

    def at_node(at: int, found: Sequence[tuple[Names, Names]]) -> tuple[Names, Names]:
        node = plan.nodes[at]
        behind = frozenset().union(
            *[found[one][one in node.loops] for one in plan.edges[at].values()],
            *[found[one][0] for one in plan.ends_around(node)],
        )
        # What a loop goes through was worked out when it began.
        counts = isinstance(node.step, model.Repeat) and node.step.word != "times"
        own = reads[at] if counts else reads[at] & frozenset((f"#{at}",))
        if isinstance(node.step, model.ForEach):
            # It is taken away when the loop ends.
            own |= {node.step.name}
        again = own | (behind - writes[at])
        return reads[at] | again, again

    nothing: Names = frozenset()
    found = dataflow.backward(plan.edges, (nothing, nothing), at_node)
    return {at: live for at, (live, _) in enumerate(found)}


def names_set(node: Node, at: int) -> Iterator[str]:
    """Yield the locals that a node writes."""
    match node:
        case Let(step=model.Let(name=name)):
            yield name
        case Draw(name=name):
            yield name
            yield f"#{at}"
        case Decide(step=model.Choose(name=name) | model.Split(name=name)):
            yield name
            yield f"@{name}"
        case Loop(step=model.ForEach(name=name)):
            yield name
            yield f"#{at}"
        case Loop() | Acting():
            yield f"#{at}"


def heads(node: Node) -> tuple[Any, ...]:
    """Return the expressions that a node asks, without the blocks behind it."""
    step = node.step
    match step:
        case model.NamedStep() | model.Amendment() | model.Watch():
            return ()
        case model.ForEach(source=source):
            return (source,)
        case model.Repeat(value=value):
            return (value,)
        case model.As(players=players):
            return (players,)
        case model.Either(ask=ask, arms=arms):
            return (ask, *[(arm.label, arm.guard) for arm in arms])
        case model.May(label=label):
            return (label,)
        case model.Let(value=value):
            return (value,)
    return (step,)
