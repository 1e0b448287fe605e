"""Action graphs as text for other programs: Graphviz (dot), Mermaid and GraphML.

Rule text comes from anybody, so no character of it may end the string it stands in. Dot strings
know two special characters; Mermaid knows many, so there everything but letters, digits and a few
signs is written as its number; GraphML is written by an XML library. What cannot be seen (control
characters) is left out everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.graph import ENTER, Graph, graphml
from rulewright.dsl.ir.nodes import Decide, Node
from rulewright.dsl.model import Section

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
    for cluster, (unit, graph) in enumerate(chosen.items()):
        lines.append(f"  subgraph cluster_{cluster} {{")
        lines.append(f"    label={_quoted(_headline(graph))};")
        for number, node in graph.nodes(data="node"):
            attributes = {
                "label": f"{number} {node.kind}\n{node.label}".strip(),
                "shape": SHAPES.get(node.kind, "box"),
                "tooltip": _origin(node),
            }
            shown = " ".join(f"{name}={_quoted(text)}" for name, text in attributes.items())
            lines.append(f"    {_quoted(_id(unit, number))} [{shown}];")
        lines.append("  }")
    for source, target, label in _edges(chosen):
        style = " style=dashed" if label == ENTER else ""
        lines.append(f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(label)}{style}];")
    return "\n".join([*lines, "}", ""])


def to_mermaid(graphs: Mapping[str, Graph], units: Iterable[str] | None = None) -> str:
    """Return graphs (all, or those of some units) as a Mermaid flow chart."""
    chosen = _chosen(graphs, units)
    names = {
        _id(unit, node): f"n{cluster}_{node}"
        for cluster, (unit, graph) in enumerate(chosen.items())
        for node in graph
    }
    lines = ["flowchart TD"]
    for cluster, (unit, graph) in enumerate(chosen.items()):
        lines.append(f'  subgraph u{cluster}["{_numbered(_headline(graph))}"]')
        for number, node in graph.nodes(data="node"):
            before, after = MERMAID.get(node.kind, ("[", "]"))
            parts = (f"{number} {node.kind}", node.label, _origin(node))
            text = "<br>".join(_numbered(part) for part in parts if part)
            lines.append(f'    {names[_id(unit, number)]}{before}"{text}"{after}')
        lines.append("  end")
    for source, target, label in _edges(chosen):
        arrow = "-.->" if label == ENTER else "-->"
        lines.append(f'  {names[source]} {arrow}|"{_numbered(label)}"| {names[target]}')
    return "\n".join([*lines, ""])


def to_graphml(graphs: Mapping[str, Graph], units: Iterable[str] | None = None) -> str:
    """Return graphs (all, or those of some units) as one GraphML graph."""
    chosen = _chosen(graphs, units)
    found = {
        _visible(_id(unit, number)): {
            "unit": _visible(unit),
            "kind": node.kind,
            "label": _visible(node.label),
            "place": _visible(_place(node)),
            "see": _visible(_citations(node.see)),
            "title": _visible(node.title),
            "site": _visible(node.site if isinstance(node, Decide) else ""),
        }
        for unit, graph in chosen.items()
        for number, node in graph.nodes(data="node")
    }
    edges = [
        (_visible(source), _visible(target), label) for source, target, label in _edges(chosen)
    ]
    return graphml(found, edges)


def _chosen(graphs: Mapping[str, Graph], units: Iterable[str] | None) -> dict[str, Graph]:
    return dict(graphs) if units is None else {unit: graphs[unit] for unit in units}


def _id(unit: str, node: int) -> str:
    return f"{unit}#{node}"


def _edges(graphs: Mapping[str, Graph]) -> Iterator[tuple[str, str, str]]:
    """Yield all edges, and one from each call into what it calls if that is drawn, too."""
    for unit, graph in graphs.items():
        for source, target, label in graph.edges(keys=True):
            yield _id(unit, source), _id(unit, target), label
        for number, node in graph.nodes(data="node"):
            for other in node.begins:
                if other in graphs:
                    yield _id(unit, number), _id(other, 0), ENTER


def _headline(graph: Graph) -> str:
    plan: Plan = graph.graph["plan"]
    cited = _citations(plan.see)
    return f"{plan.unit} (see {cited})" if cited else plan.unit


def _place(node: Node) -> str:
    return f"{node.span.source.name}:{node.span.line}"


def _origin(node: Node) -> str:
    """Return where a node is written, in which variant, and what it cites."""
    place = _place(node)
    if node.title:
        place += f" ({node.title})"
    cited = _citations(node.see)
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
