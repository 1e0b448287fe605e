"""The action graphs for drawings and checks: the plans of a game in, networkx graphs out.

What runs are the plans themselves (`plans`), whose nodes and edges stand here one to one: nodes have
the attributes that are listed there, edges have a `label`. Importing networkx takes longer than a
short game, so only what needs a graph imports this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import networkx as nx

from rulewright.dsl import model
from rulewright.interpreter.plans import KEPT, Plan, plans_of

Graph = Any
"""A `networkx.DiGraph`; networkx has no types."""


@lru_cache(maxsize=KEPT)
def graphs_of(game: model.Game) -> dict[str, Graph]:
    """Return the graphs of a game; built once, and never changed."""
    return build_graphs(game)


def build_graphs(game: model.Game) -> dict[str, Graph]:
    """Return the graph of each unit, verbs first, in the order of declaration."""
    return {unit: _graph(plan) for unit, plan in plans_of(game).items()}


def _graph(plan: Plan) -> Graph:
    graph: Graph = nx.DiGraph(
        unit=plan.unit,
        name=plan.name,
        title=plan.title,
        see=plan.see,
        entry=0,
        finish=plan.finish,
        steps=plan.steps,
        atomic=plan.atomic,
    )
    for number, attributes in enumerate(plan.nodes):
        graph.add_node(number, **attributes)
    for number, edges in enumerate(plan.edges):
        for label, target in edges.items():
            graph.add_edge(number, target, label=label)
    return graph


def meetings(edges: Sequence[Iterable[int]]) -> dict[int, int]:
    """Return for each node the first other one through which every way from it leads, if there is
    one; `edges` are the nodes that follow each."""
    end = -1
    backwards: Graph = nx.DiGraph()
    backwards.add_node(end)
    for node, targets in enumerate(edges):
        found = tuple(targets)
        for target in found or (end,):
            backwards.add_edge(target, node)
    dominators_of: Any = nx.immediate_dominators
    dominators: dict[int, int] = dominators_of(backwards, end)
    return {node: meet for node, meet in dominators.items() if meet not in (end, node)}
