"""Action graphs as networkx graphs, and the questions that are asked of them.

Only who draws or examines rules comes here: playing takes plans as they are (`action_graph`), so that it need
not import networkx.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import networkx as nx

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import KEPT, Plan, plans_of

Graph: TypeAlias = Any
"""A `networkx.MultiDiGraph`; networkx has no types."""

Place: TypeAlias = tuple[str, int]
"""A node of the supergraph: the unit, and the number of the node in it."""

ENTER, RETURN = "enter", "return"
"""The edges of the supergraph that lead from one unit into another."""


@lru_cache(maxsize=KEPT)
def graphs_of(game: model.Game) -> Mapping[str, Graph]:
    """Return the graph of each unit, verbs first, in the order of declaration; built once, and never
    changed. A node has one attribute, `node`; the key of an edge is its label."""
    return {unit: graph_of(plan) for unit, plan in plans_of(game).items()}


def graph_of(plan: Plan) -> Graph:
    """Return the graph of one unit."""
    graph: Graph = nx.MultiDiGraph(plan=plan)
    for number, node in enumerate(plan.nodes):
        graph.add_node(number, node=node)
    graph.add_edges_from(edges_in(plan))
    return graph


def edges_in(plan: Plan) -> Iterator[tuple[int, int, str]]:
    """Yield the edges of a unit: from, to, label."""
    for number, edges in enumerate(plan.edges):
        for label, target in edges.items():
            yield number, target, label


def supergraph(game: model.Game) -> Graph:
    """Return one graph of all units: of each call an edge to where the unit begins, and from where it ends
    to where its caller goes on. Offers begin beside any decision inside what they are offered in, so their
    edges are not among these."""
    plans = plans_of(game)
    whole: Graph = nx.MultiDiGraph()
    for unit, plan in plans.items():
        whole.add_nodes_from(
            ((unit, number), {"node": node}) for number, node in enumerate(plan.nodes)
        )
        whole.add_edges_from(
            ((unit, source), (unit, target), label) for source, target, label in edges_in(plan)
        )
    for unit, plan in plans.items():
        for number, node in enumerate(plan.nodes):
            for called in node.begins:
                if called not in plans:
                    continue
                whole.add_edge((unit, number), (called, 0), ENTER)
                ends = [at for at, one in enumerate(plans[called].nodes) if one.kind == "return"]
                for end in ends:
                    whole.add_edge((called, end), (unit, number), RETURN)
    return whole


def reached_from(edges: Sequence[Iterable[int]], start: int = 0) -> frozenset[int]:
    """Return a node and all that can be come to from it; `edges` are the nodes that follow each."""
    graph = _plain(edges)
    descendants: Any = nx.descendants
    return frozenset(descendants(graph, start)) | {start}


def cycles(edges: Sequence[Iterable[int]]) -> list[frozenset[int]]:
    """Return the strongly connected components in which something can come again."""
    graph = _plain(edges)
    components: Any = nx.strongly_connected_components
    return [
        frozenset(one)
        for one in components(graph)
        if len(one) > 1 or any(graph.has_edge(node, node) for node in one)
    ]


def graphml(nodes: Mapping[str, Mapping[str, str]], edges: Iterable[tuple[str, str, str]]) -> str:
    """Return a graph as GraphML: nodes with their attributes by name, edges as from, to, label."""
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(nodes.items())
    for source, target, label in edges:
        graph.add_edge(source, target, label=str(label))
    write: Any = nx.generate_graphml
    return "\n".join([*write(graph), ""])


def _plain(edges: Sequence[Iterable[int]]) -> Graph:
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from(
        (source, target) for source, targets in enumerate(edges) for target in targets
    )
    return graph
