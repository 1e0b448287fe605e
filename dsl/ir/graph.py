"""Action graphs as networkx graphs, and the questions that are asked of them.

Only who draws or examines rules comes here: playing takes plans as they are (`action_graph`), so that it need
not import networkx.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import networkx as nx

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import KEPT
from rulewright.dsl.ir.action_graph import PLAY, Plan, plans_of
from rulewright.dsl.ir.nodes import Return, Stop, Watch

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
    """Return one graph of all units, with nodes `(unit, number)`: of each call an edge to where the unit begins,
    and from where it returns to where its caller goes on; of each stop of what has called it an edge to where
    that ends. Offers can begin beside any decision inside what they are offered in, so no edges lead to them."""
    plans = plans_of(game)
    whole: Graph = nx.MultiDiGraph()
    returns = {
        unit: [at for at, node in enumerate(plan.nodes) if isinstance(node, Return)]
        for unit, plan in plans.items()
    }
    for unit, plan in plans.items():
        whole.add_nodes_from(((unit, at), {"node": node}) for at, node in enumerate(plan.nodes))
        for at, node in enumerate(plan.nodes):
            called = [one for one in node.begins if one in plans]
            for label, target in plan.edges[at].items():
                if not called or isinstance(node, Watch):
                    whole.add_edge((unit, at), (unit, target), label)
                for one in called:
                    for end in returns[one]:
                        whole.add_edge((one, end), (unit, target), RETURN)
            for one in called:
                whole.add_edge((unit, at), (one, 0), ENTER)
            for one in (node.targets or ()) if isinstance(node, Stop) else ():
                for other, end in _finishes(plans, one):
                    whole.add_edge((unit, at), (other, end), RETURN)
    return whole


def _finishes(plans: Mapping[str, Plan], target: str) -> Iterator[Place]:
    """Yield where it goes on when a verb or step is stopped."""
    for unit, plan in plans.items():
        end = plan.finish if unit == target else plan.steps.get(target)
        if end is not None:
            yield unit, end


def call_graph(game: model.Game) -> Graph:
    """Return a graph of the units: an edge leads from each to those that may begin while it runs on top. An
    offer may be taken inside what its `during` speaks of, wherever that has led to."""
    graph: Graph = nx.DiGraph()
    for unit, plan in plans_of(game).items():
        graph.add_node(unit)
        graph.add_edges_from((unit, one) for node in plan.nodes for one in node.begins)
    calls = graph.copy()
    for offer in game.offers:
        for verb in {unit_of(game, one) for one in offer.targets} & set(calls):
            graph.add_edges_from((one, offer.id) for one in reached_from(calls, verb))
    return graph


def unit_of(game: model.Game, target: str) -> str:
    """Return the verb that a target of an amendment or stop is, or in which that step stands."""
    return target if target in game.verbs else target.rpartition(".")[0]


def reached_from(graph: Graph, *starts: Hashable) -> frozenset[Any]:
    """Return some nodes, as far as they are there, and all that can be come to from them."""
    there = [one for one in starts if one in graph]
    descendants: Any = nx.descendants
    return frozenset(there).union(*[descendants(graph, one) for one in there])


def leading_to(graph: Graph, node: Hashable) -> frozenset[Any]:
    """Return a node and all from which it can be come to."""
    ancestors: Any = nx.ancestors
    return frozenset(ancestors(graph, node)) | {node}


def stopped_by_name(game: model.Game) -> Mapping[str, frozenset[str]]:
    """Return for each unit the verbs and steps that it may stop, or what it calls, though it has not begun them."""
    calls = call_graph(game)
    stopped = {
        unit: {one for node in plan.nodes if isinstance(node, Stop) for one in node.targets or ()}
        for unit, plan in plans_of(game).items()
    }
    return {
        unit: frozenset().union(*[stopped[one] for one in reached_from(calls, unit)])
        for unit in stopped
    }


def unreached(plan: Plan) -> frozenset[int]:
    """Return the nodes of a unit to which no way leads from its beginning."""
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(range(len(plan.nodes)))
    for source, targets in enumerate(plan.followers()):
        graph.add_edges_from((source, target) for target in targets.values())
    # Whoever ends the game, wherever that is, goes on behind `play`.
    behind = () if plan.unit != PLAY or plan.finish is None else (plan.finish,)
    return frozenset(graph) - reached_from(graph, 0, *behind)


def graphml(nodes: Mapping[str, Mapping[str, str]], edges: Iterable[tuple[str, str, str]]) -> str:
    """Return a graph as GraphML: nodes with their attributes by name, edges as from, to, label."""
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(nodes.items())
    for source, target, label in edges:
        graph.add_edge(source, target, label=str(label))
    write: Any = nx.generate_graphml
    return "\n".join([*write(graph), ""])
