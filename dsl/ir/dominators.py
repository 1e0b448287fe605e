"""Which nodes of a graph all ways from a root to another node pass, and where ways come together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Graph = Mapping[int, Sequence[int]]
"""For each node those that follow; every node is a key."""

END = -1
"""Where all ways through a graph end."""


def reached(graph: Graph, root: int) -> list[int]:
    """Return the nodes to which ways lead from a root, each behind all of its own successors but for
    circles; the root comes last."""
    found: list[int] = []
    seen = {root}
    ways = [(root, iter(graph[root]))]
    while ways:
        node, following = ways[-1]
        for one in following:
            if one not in seen:
                seen.add(one)
                ways.append((one, iter(graph[one])))
                break
        else:
            ways.pop()
            found.append(node)
    return found


def dominators(graph: Graph, root: int) -> dict[int, int]:
    """Return for each node that can be reached, but for the root, the last one before it that all ways
    pass (as Cooper, Harvey and Kennedy do it)."""
    order = reached(graph, root)
    rank = {node: number for number, node in enumerate(order)}
    before: dict[int, list[int]] = {node: [] for node in order}
    for node in order:
        for one in graph[node]:
            before[one].append(node)
    found = {root: root}
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            ways = [one for one in before[node] if one in found]
            last = ways[0]
            for other in ways[1:]:
                while last != other:
                    if rank[last] < rank[other]:
                        last = found[last]
                    else:
                        other = found[other]
            if found.get(node) != last:
                found[node], changed = last, True
    del found[root]
    return found


def meetings(graph: Graph) -> dict[int, int]:
    """Return for each node the first one behind it at which all ways come together; `END` if none is."""
    backwards: dict[int, list[int]] = {END: [], **{node: [] for node in graph}}
    for node, following in graph.items():
        for one in following:
            backwards[one].append(node)
        if not following:
            backwards[END].append(node)
    # Whoever goes round for ever gets no further.
    ends = set(reached(backwards, END))
    backwards[END] += [node for node in graph if node not in ends]
    return dominators(backwards, END)
