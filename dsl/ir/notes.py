"""What the analyses say about each node, in words and marks for a drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import Plan, plans_of
from rulewright.dsl.ir.certainty import certain_nodes
from rulewright.dsl.ir.dominators import dominators
from rulewright.dsl.ir.graph import call_graph, reached_from, unreached
from rulewright.dsl.ir.nodes import Acting, Fork, Loop

UNREACHED, AT_ONCE, CERTAIN, LOOPS = "unreached", "at-once", "certain", "loop"
"""The marks, the first one that fits: no way leads there; several players may act there at once; nothing can
fail from there on; the head of a loop."""


@attrs.frozen
class Note:
    """What is known about a node; `mark` is "" if nothing stands out."""

    mark: str
    words: tuple[str, ...]


def notes_of(game: model.Game) -> Mapping[str, tuple[Note, ...]]:
    """Return the notes about the nodes of each unit."""
    calls = call_graph(game)
    inside: set[str] = set()
    for plan in plans_of(game).values():
        for node in plan.nodes:
            if _is_at_once(plan, node.loops):
                inside |= reached_from(calls, *node.begins)
    certain = certain_nodes(game)
    return {
        unit: _notes(plan, unit in inside, certain[unit]) for unit, plan in plans_of(game).items()
    }


def _is_at_once(plan: Plan, loops: tuple[int, ...]) -> bool:
    return any(isinstance(plan.nodes[loop], Fork) for loop in loops)


def _notes(plan: Plan, inside: bool, certain: Sequence[bool]) -> tuple[Note, ...]:
    lost = unreached(plan)
    edges = {at: tuple(targets.values()) for at, targets in enumerate(plan.followers())}
    before = dominators(edges, 0)
    found = []
    for at, node in enumerate(plan.nodes):
        marks: list[tuple[str, str]] = []
        if at in lost:
            marks.append((UNREACHED, "never reached"))
        if inside or _is_at_once(plan, node.loops):
            marks.append((AT_ONCE, "several at once"))
        if certain[at]:
            marks.append((CERTAIN, "cannot fail from here"))
        if isinstance(node, Loop | Acting | Fork):
            marks.append((LOOPS, "loop"))
        words = [word for _, word in marks]
        if at in before and at not in lost:
            words.append(f"behind {before[at]}")
        if node.loops:
            words.append(f"in loop {node.loops[-1]}")
        found.append(Note(marks[0][0] if marks else "", tuple(words)))
    return tuple(found)
