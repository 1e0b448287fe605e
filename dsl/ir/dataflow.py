"""Dataflow analyses: what is known before or behind each node of a graph, found by going round until nothing changes.

A value belongs to each node. Values must come from a lattice without endless chains (sets of names or of nodes of
one verb are one): then both come to an end. Nodes are numbers, 0 is the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Value = TypeVar("Value")

Edges = Sequence[Mapping[str, int]]
"""For each node the nodes that follow, by what is said of the edge."""


def forward(
    edges: Edges,
    entry: Value,
    transfer: Callable[[int, str, Value], Value],
    join: Callable[[Value, Value], Value],
) -> list[Value | None]:
    """Return what holds before each node; None where no way from the entry leads.

    `transfer` gets a node, the edge by which it is left and what held before it; `join` joins what comes
    along two ways: a union for what may hold, an intersection for what must.
    """
    found: list[Value | None] = [None] * len(edges)
    found[0] = entry
    waiting = [0]
    while waiting:
        at = waiting.pop()
        before = found[at]
        assert before is not None
        for label, following in edges[at].items():
            new, old = transfer(at, label, before), found[following]
            if old is not None:
                new = join(old, new)
            if new != old:
                found[following] = new
                waiting.append(following)
    return found


def backward(
    edges: Edges, start: Value, transfer: Callable[[int, Sequence[Value]], Value]
) -> list[Value]:
    """Return what holds at each node because of what comes behind it.

    `transfer` gets a node and what has been found so far for all nodes, `start` at first. It is asked in
    reverse order, which is quick for graphs that are numbered in reading order.
    """
    found = [start] * len(edges)
    changed = True
    while changed:
        changed = False
        for at in range(len(edges) - 1, -1, -1):
            new = transfer(at, found)
            if new != found[at]:
                found[at], changed = new, True
    return found
