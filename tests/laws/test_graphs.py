"""The action graphs are whole: everything in them can be reached, and they can be drawn."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import networkx as nx
from playing import Rules, Size, loaded, player_counts

from rulewright.interpreter.ir import export
from rulewright.interpreter.ir.export import Graph

LEAVES = frozenset({"return", "end", "dead", "stop"})


def graphs_of(rules: Rules) -> dict[str, Graph]:
    """Return the graphs of a game."""
    return loaded(rules, player_counts(rules)[0]).graphs


def ways_in(graph: Graph) -> Iterator[int]:
    """Yield the nodes at which control comes into a graph: its entry, and where a `stop` from
    anywhere goes on."""
    yield 0
    yield graph.graph["plan"].finish
    yield from graph.graph["plan"].steps.values()


def test_every_node_can_be_reached(rules: Rules, size: Size) -> None:
    for unit, graph in graphs_of(rules).items():
        reached = {node for way in ways_in(graph) for node in (way, *nx.descendants(graph, way))}

        assert reached == set(graph), unit


def test_every_way_goes_on_or_ends(rules: Rules, size: Size) -> None:
    for unit, graph in graphs_of(rules).items():
        for node, data in graph.nodes(data="node"):
            outgoing = {label for _, _, label in graph.out_edges(node, keys=True)}
            where = f"{unit}#{node} {data.kind} {data.label}"
            match data.kind:
                case "decide":
                    assert outgoing, where
                    assert data.site, where
                case "need":
                    assert outgoing == {"next", "fail"}, where
                case "branch":
                    assert outgoing == {"yes", "no"}, where
                case "loop" | "as":
                    assert "body" in outgoing, where
                case kind if kind not in LEAVES:
                    assert outgoing, where
            assert all(loop in graph for loop in data.loops), where


def test_every_operation_leads_to_one_that_is_there(rules: Rules, size: Size) -> None:
    program = loaded(rules, player_counts(rules)[0])
    for unit in program.graphs:
        operations = program.code[unit]
        assert len(operations) == len(program.runs[unit])
        for op in operations:
            assert all(0 <= target < len(operations) for target in op.edges.values()), op
            assert all(called in program.graphs for called in op.calls), op


def test_the_sites_of_decisions_are_different_or_count(rules: Rules, size: Size) -> None:
    for graph in graphs_of(rules).values():
        sites = [data.site for _, data in graph.nodes(data="node") if data.kind == "decide"]

        assert len(set(sites)) == len(sites)


def test_graphml_is_read_back(rules: Rules, size: Size) -> None:
    graphs = graphs_of(rules)
    text = export.to_graphml(graphs)

    read = nx.read_graphml(io.BytesIO(text.encode()))

    assert len(read) == sum(len(graph) for graph in graphs.values())
    kinds = sorted(kind for _, kind in read.nodes(data="kind"))
    assert kinds == sorted(
        node.kind for graph in graphs.values() for _, node in graph.nodes(data="node")
    )
    assert read.number_of_edges() >= sum(graph.number_of_edges() for graph in graphs.values())


DOT_LINE = re.compile(
    r"""digraph\ rules\ \{|\s*\}|\s*(?:node|edge)\ \[fontname=sans\];
    |\s*subgraph\ cluster_\d+\ \{
    |\s*label="(?:[^"\\]|\\.)*";
    |\s*"(?:[^"\\]|\\.)*"\ (?:->\ "(?:[^"\\]|\\.)*"\ )?
      \[(?:\w+=(?:"(?:[^"\\]|\\.)*"|\w+)\ ?)*\];""",
    re.VERBOSE,
)
MERMAID_LINE = re.compile(
    r"""flowchart\ TD|\s*end|\s*subgraph\ u\d+\["[^"]*"\]
    |\s*n\d+_\d+[\[\](){}]{1,3}"[^"]*"[\[\](){}]{1,3}
    |\s*n\d+_\d+\ (?:-->|-\.->)\|"[^"]*"\|\ n\d+_\d+""",
    re.VERBOSE,
)


def test_every_line_of_a_drawing_is_one_of_its_language(rules: Rules, size: Size) -> None:
    graphs = graphs_of(rules)
    for line in export.to_dot(graphs).splitlines():
        assert DOT_LINE.fullmatch(line), line
    for line in export.to_mermaid(graphs).splitlines():
        assert MERMAID_LINE.fullmatch(line), line


def test_a_part_can_be_drawn_alone(rules: Rules, size: Size) -> None:
    graphs = graphs_of(rules)
    for unit, graph in graphs.items():
        read = nx.read_graphml(io.BytesIO(export.to_graphml(graphs, [unit]).encode()))

        assert len(read) == len(graph)
