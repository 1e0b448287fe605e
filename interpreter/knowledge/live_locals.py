"""Which locals of a verb may still be read, wherever it stands; what no node reads says nothing any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.interpreter.ir.action_graph import Plan


def live_locals(plan: Plan) -> dict[int, frozenset[str]]:
    """Return which locals may still be read when a verb stands at a node."""
    reads: list[frozenset[str]] = []
    writes: list[frozenset[str]] = []
    for at, node in enumerate(plan.nodes):
        names = {
            part.name
            for part in visitor.walk(heads(node))
            if isinstance(part, model.Local | model.LocalPlace)
        }
        if isinstance(node["step"], model.Until):
            names |= set(node["step"].captured)
        own = frozenset(names_set(node, at))
        if node["kind"] == "decide":
            names = {*names, *[name for name in own if name.startswith("@")]} - {
                name for name in own if not name.startswith("@")
            }
        elif node["kind"] in ("loop", "as", "chance"):
            names |= {name for name in own if name.startswith("#")}
        reads.append(frozenset(names))
        writes.append(frozenset(name for name in own if name not in names))
    nothing: frozenset[str] = frozenset()
    live, again = [*reads], [nothing] * len(reads)
    changed = True
    while changed:
        changed = False
        for at in range(len(plan.nodes) - 1, -1, -1):
            node = plan.nodes[at]
            # What is called may end what has called it: then the ends of all that it is in come.
            ends = {plan.finish, *[finish for _, finish, _ in node["levels"]]} - {None}
            calls = node["kind"] in ("call", "do", "watch")
            behind = frozenset().union(
                *[
                    (again if one in node["loops"] else live)[one]
                    for one in plan.edges[at].values()
                ],
                *[live[one] for one in ends if calls],
            )
            # What a loop goes through was worked out when it began.
            counts = isinstance(node["step"], model.Repeat) and node["step"].word != "times"
            own = reads[at] if counts else reads[at] & frozenset((f"#{at}",))
            if isinstance(node["step"], model.ForEach):
                # It is taken away when the loop ends.
                own |= {node["step"].name}
            again[at] = own | (behind - writes[at])
            found = reads[at] | again[at]
            if found != live[at]:
                live[at], changed = found, True
    return dict(enumerate(live))


def names_set(node: dict[str, Any], at: int) -> Iterator[str]:
    """Yield the locals that a node writes."""
    step = node["step"]
    match node["kind"]:
        case "let":
            yield step.name
        case "chance":
            yield node["name"]
            yield f"#{at}"
        case "decide" if isinstance(step, model.Choose | model.Split):
            yield step.name
            yield f"@{step.name}"
        case "loop" if isinstance(step, model.ForEach):
            yield step.name
            yield f"#{at}"
        case "loop" | "as":
            yield f"#{at}"


def heads(node: dict[str, Any]) -> tuple[Any, ...]:
    """Return the expressions that a node asks, without the blocks behind it."""
    step = node["step"]
    match step:
        case model.NamedStep():
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
