"""Action graphs as text for other programs: Graphviz (dot), Mermaid and GraphML.

Rule text comes from anybody, so no character of it may end the string it stands in. Dot strings
know two special characters; Mermaid knows many, so there everything but letters, digits and a few
signs is written as its number; GraphML is written by an XML library. What cannot be seen (control
characters) is left out everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import networkx as nx

from rulewright.dsl import model
from rulewright.dsl.model import Section
from rulewright.interpreter.ir.action_graph import KEPT, Plan, plans_of

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


# ------------------------------------------------------------------------------------------- export


SHAPES = {
    "decide": "diamond",
    "branch": "diamond",
    "need": "hexagon",
    "loop": "house",
    "as": "house",
    "fork": "house",
    "call": "box3d",
    "do": "box3d",
    "chance": "egg",
    "watch": "egg",
    "end": "doubleoctagon",
    "stop": "octagon",
    "return": "circle",
    "dead": "point",
}

MERMAID = {
    "decide": ("{", "}"),
    "branch": ("{", "}"),
    "need": ("{{", "}}"),
    "call": ("[[", "]]"),
    "do": ("[[", "]]"),
    "chance": ("([", "])"),
    "watch": ("([", "])"),
    "end": ("(((", ")))"),
    "return": ("((", "))"),
}
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
"""The categories of characters that are left out."""

SAFE_IN_MERMAID = frozenset(" _.,:'=+-")


def to_dot(graphs: Mapping[str, Graph], units: Iterable[str] | None = None) -> str:
    """Return graphs (all, or those of some units) for Graphviz."""
    chosen = _chosen(graphs, units)
    lines = ["digraph rules {", "  node [fontname=sans];", "  edge [fontname=sans];"]
    for number, (unit, graph) in enumerate(chosen.items()):
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_quoted(_headline(graph))};")
        for node, data in graph.nodes(data=True):
            attributes = {
                "label": f"{node} {data['kind']}\n{data['label']}".strip(),
                "shape": SHAPES.get(data["kind"], "box"),
                "tooltip": _origin(data),
            }
            shown = " ".join(f"{name}={_quoted(text)}" for name, text in attributes.items())
            lines.append(f"    {_quoted(_id(unit, node))} [{shown}];")
        lines.append("  }")
    for source, target, label in _edges(chosen):
        style = " style=dashed" if label == "enter" else ""
        lines.append(f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(label)}{style}];")
    return "\n".join([*lines, "}", ""])


def to_mermaid(graphs: Mapping[str, Graph], units: Iterable[str] | None = None) -> str:
    """Return graphs (all, or those of some units) as a Mermaid flow chart."""
    chosen = _chosen(graphs, units)
    names = {
        _id(unit, node): f"n{number}_{node}"
        for number, (unit, graph) in enumerate(chosen.items())
        for node in graph
    }
    lines = ["flowchart TD"]
    for number, (unit, graph) in enumerate(chosen.items()):
        lines.append(f'  subgraph u{number}["{_numbered(_headline(graph))}"]')
        for node, data in graph.nodes(data=True):
            before, after = MERMAID.get(data["kind"], ("[", "]"))
            parts = (f"{node} {data['kind']}", data["label"], _origin(data))
            text = "<br>".join(_numbered(part) for part in parts if part)
            lines.append(f'    {names[_id(unit, node)]}{before}"{text}"{after}')
        lines.append("  end")
    for source, target, label in _edges(chosen):
        arrow = "-.->" if label == "enter" else "-->"
        lines.append(f'  {names[source]} {arrow}|"{_numbered(label)}"| {names[target]}')
    return "\n".join([*lines, ""])


def to_graphml(graphs: Mapping[str, Graph], units: Iterable[str] | None = None) -> str:
    """Return graphs (all, or those of some units) as one GraphML graph."""
    chosen = _chosen(graphs, units)
    whole: Any = nx.DiGraph()
    for unit, graph in chosen.items():
        for node, data in graph.nodes(data=True):
            whole.add_node(
                _visible(_id(unit, node)),
                unit=_visible(unit),
                kind=data["kind"],
                label=_visible(data["label"]),
                place=_visible(_place(data)),
                see=_visible(_citations(data["see"])),
                title=_visible(data["title"]),
                site=_visible(data.get("site", "")),
            )
    for source, target, label in _edges(chosen):
        whole.add_edge(_visible(source), _visible(target), label=label)
    write: Any = nx.generate_graphml
    return "\n".join([*write(whole), ""])


def _chosen(graphs: Mapping[str, Graph], units: Iterable[str] | None) -> dict[str, Graph]:
    return dict(graphs) if units is None else {unit: graphs[unit] for unit in units}


def _id(unit: str, node: int) -> str:
    return f"{unit}#{node}"


def _edges(graphs: Mapping[str, Graph]) -> Iterator[tuple[str, str, str]]:
    """Yield all edges, and one from each call into what it calls if that is drawn, too."""
    for unit, graph in graphs.items():
        for source, target, label in graph.edges(data="label"):
            yield _id(unit, source), _id(unit, target), label
        for node, data in graph.nodes(data=True):
            called = (*data.get("verbs", ()), *(f"watch:{id}" for id in data.get("watches", ())))
            for other in called:
                if other in graphs:
                    yield _id(unit, node), _id(other, graphs[other].graph["entry"]), "enter"


def _headline(graph: Graph) -> str:
    cited = _citations(graph.graph["see"])
    return f"{graph.graph['unit']} (see {cited})" if cited else str(graph.graph["unit"])


def _place(data: Mapping[str, Any]) -> str:
    span = data["span"]
    return f"{span.source.name}:{span.line}"


def _origin(data: Mapping[str, Any]) -> str:
    """Return where a node is written, in which variant, and what it cites."""
    place = _place(data)
    if data["title"]:
        place += f" ({data['title']})"
    cited = _citations(data["see"])
    return f"{place} see {cited}" if cited else place


def _citations(sections: Iterable[Section]) -> str:
    return ", ".join(
        (f"{section.book}: " if section.book else "") + "/".join(section.path)
        for section in sections
    )


def _visible(text: str) -> str:
    """Return a text without control characters, signs that turn the direction of writing, and
    halves of characters; line breaks stay."""
    return "".join(
        sign if sign == "\n" or unicodedata.category(sign) not in UNSEEN else " " for sign in text
    )


def _quoted(text: str) -> str:
    """Return a text as a string of the dot language."""
    escaped = _visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _numbered(text: str) -> str:
    """Return a text with every sign that Mermaid may take for its own as `#number;`."""
    return "".join(
        sign if sign.isalnum() or sign in SAFE_IN_MERMAID else f"#{ord(sign)};"
        for sign in _visible(text).replace("\n", " ")
    )
