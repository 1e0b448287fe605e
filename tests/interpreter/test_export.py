"""Graphs are written for other programs, and no rule text can break out of its place."""

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import attrs
import networkx as nx
import pytest
from hypothesis import given, strategies as st
from written import linked

from rulewright.dsl.ir.graph import graphs_of
from rulewright.dsl.ir.notes import CERTAIN, Note, notes_of
from rulewright.interpreter.ir import drawing, export

RULES = """
each Player has
  points: number = 0, seen by players
to play
  as players
    either "One"
      work 1
    or "Two"
      work 2
to work n: number
  need n > 1 else "no"
  add n to my.points
"""

STRING = r'"(?:[^"\\\n]|\\.)*"'
DOT_LINES = (
    r"digraph rules \{",
    r"  (?:node|edge) \[fontname=sans\];",
    r"  subgraph cluster_\d+ \{",
    rf"    label={STRING};",
    rf"    {STRING} \[label={STRING} shape={STRING} tooltip={STRING}\];",
    rf"  {STRING} -> {STRING} \[label={STRING}(?: style=dashed)?\];",
    r"  \}",
    r"\}",
)
TEXT = r'"[^"\x00-\x1f`<>\[\]{}()|\\&%/]*(?:<br>[^"\x00-\x1f`<>\[\]{}()|\\&%/]*)*"'
MERMAID_LINES = (
    r"flowchart TD",
    rf"  subgraph u\d+\[{TEXT}\]",
    rf"    n\d+_\d+[\[({{]+{TEXT}[\])}}]+",
    r"  end",
    rf"  n\d+_\d+ (?:-->|-\.->)\|{TEXT}\| n\d+_\d+",
)

HOSTILE = [
    'quote " and \\',
    '\\"]; rm [label="',
    "two\nlines\r\nand\ttab",
    "]]></data><node/>",
    "<script>alert(1)</script>",
    '%%{init: {"theme": "dark"}}%%',
    'end"]; click n0_0 "javascript:alert(1)"',
    "`markdown` **bold** #quot; &quot;",
    "\x00\x07\x1b[31m\ufffe\ud800",
    "\N{RIGHT-TO-LEFT OVERRIDE}abc",
    "<!--",
    "|x|",
    "\\N\\G\\l",
    "ü 😀",
]


def drawn() -> dict[str, Any]:
    """Return the graphs of a small game."""
    return graphs_of(linked(RULES))


def with_text(text: str) -> dict[str, Any]:
    """Return graphs in which everything an author writes is this text."""
    graphs = drawn()
    for graph in graphs.values():
        for node in graph:
            found = graph.nodes[node]
            found["node"] = attrs.evolve(found["node"], label=text, title=text)
    return graphs


def all_match(text: str, patterns: tuple[str, ...]) -> bool:
    """Return whether every line of a text has one of the forms."""
    whole = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    wrong = [line for line in text.rstrip("\n").split("\n") if not whole.fullmatch(line)]
    assert not wrong, wrong
    return True


def test_dot_has_a_cluster_for_each_unit_and_an_edge_into_each_call() -> None:
    text = export.to_dot(drawn())

    assert all_match(text, DOT_LINES)
    assert text.count("subgraph") == 2
    assert '"play#1" -> "play#2" [label="arm0"];' in text
    assert '"play#2" -> "work#0" [label="enter" style=dashed];' in text
    assert 'label="0 need\\nneed n > 1 else \\"no\\""' in text


def test_one_unit_may_be_drawn_alone() -> None:
    text = export.to_dot(drawn(), ["work"])

    assert text.count("subgraph") == 1
    assert "play" not in text


def test_mermaid_has_every_node_and_edge() -> None:
    graphs = drawn()
    text = export.to_mermaid(graphs)
    nodes = sum(len(graph) for graph in graphs.values())

    assert all_match(text, MERMAID_LINES)
    assert len(re.findall(r"^    n\d+_\d+", text, re.MULTILINE)) == nodes
    assert "-.->" in text


def test_graphml_can_be_read_back() -> None:
    graphs = drawn()
    read = nx.parse_graphml(export.to_graphml(graphs))

    assert set(read) == {f"{unit}#{node}" for unit, graph in graphs.items() for node in graph}
    assert read.nodes["work#0"]["label"] == 'need n > 1 else "no"'
    assert read.nodes["work#0"]["place"].endswith("game.rules:13")
    assert read.edges["play#1", "play#2"]["label"] == "arm0"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_out(text: str) -> None:
    graphs = with_text(text)

    assert all_match(export.to_dot(graphs), DOT_LINES)
    assert all_match(export.to_mermaid(graphs), MERMAID_LINES)
    ElementTree.fromstring(export.to_graphml(graphs))
    assert rectangles(drawing.to_svg(graphs)) == sum(map(len, graphs.values()))


@given(st.text(alphabet=st.characters(), max_size=30))
def test_no_text_at_all_breaks_out(text: str) -> None:
    graphs = with_text(text)

    assert all_match(export.to_dot(graphs), DOT_LINES)
    assert all_match(export.to_mermaid(graphs), MERMAID_LINES)
    export.to_graphml(graphs).encode("utf-8")
    ElementTree.fromstring(export.to_graphml(graphs))
    assert rectangles(drawing.to_svg(graphs)) == sum(map(len, graphs.values()))


def rectangles(picture: str) -> int:
    """Return how many nodes a picture has; nothing else may be in it but shapes and texts."""
    found = [one.tag.rpartition("}")[2] for one in ElementTree.fromstring(picture).iter()]
    assert set(found) <= {"svg", "style", "g", "title", "rect", "text", "path"}
    return found.count("rect")


def test_a_picture_has_layers_from_the_beginning_downwards() -> None:
    graph = drawn()["play"]
    layers = drawing.layers_of(graph)

    assert layers[0] == [0]
    depth = {node: number for number, layer in enumerate(layers) for node in layer}
    assert sorted(depth) == sorted(graph)
    assert all(depth[one] < depth[other] for one, other in graph.edges() if one < other)


def test_an_analysis_is_told_in_every_form() -> None:
    game = linked(RULES)
    graphs, notes = graphs_of(game), notes_of(game)

    assert notes["work"][0].mark == ""
    assert notes["work"][1] == Note(CERTAIN, ("cannot fail from here", "behind 0"))
    assert 'fillcolor="#d9ead3"' in export.to_dot(graphs, notes=notes)
    assert "classDef certain fill:#d9ead3" in export.to_mermaid(graphs, notes=notes)
    read = nx.parse_graphml(export.to_graphml(graphs, notes=notes))
    assert read.nodes["work#1"]["mark"] == CERTAIN
    assert 'class="certain"' in drawing.to_svg(graphs, notes=notes)
    assert "certain" not in export.to_dot(graphs) + export.to_mermaid(graphs)


def test_citations_and_variants_are_told() -> None:
    variants = {"Other": "before work\n  add 1 to my.points\n"}
    graphs = graphs_of(linked(RULES, variants=variants))

    assert "variants/variant_0.rules:3 (Other)" in export.to_dot(graphs)
