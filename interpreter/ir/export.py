"""Action graphs as text for other programs: Graphviz (dot), Mermaid and GraphML. A picture makes `drawing`.

Rule text comes from anybody, so no character of it may end the string it stands in. Dot strings
know two special characters; Mermaid knows many, so there everything but letters, digits and a few
signs is written as its number; GraphML is written by an XML library. What cannot be seen (control
characters) is left out everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.graph import ENTER, Graph, graphml
from rulewright.dsl.ir.nodes import Decide, Node
from rulewright.dsl.ir.notes import AT_ONCE, CERTAIN, LOOPS, UNREACHED, Note
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
COLOURS = {UNREACHED: "#d9d9d9", AT_ONCE: "#cfe2f3", CERTAIN: "#d9ead3", LOOPS: "#fff2cc"}
"""What a node is filled with for its mark (`notes`)."""

Notes: TypeAlias = Mapping[str, Sequence[Note]]
"""The notes about the nodes of each unit; empty if nothing is told of them."""

NO_NOTES: Notes = {}

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
"""The categories of characters that are left out."""

SAFE_IN_MERMAID = frozenset(" _.,:'=+-")


def to_dot(
    graphs: Mapping[str, Graph], units: Iterable[str] | None = None, notes: Notes = NO_NOTES
) -> str:
    """Return graphs (all, or those of some units) for Graphviz."""
    chosen = chosen_of(graphs, units)
    lines = ["digraph rules {", "  node [fontname=sans];", "  edge [fontname=sans];"]
    if notes:
        lines.append('  node [style=filled fillcolor="#ffffff"];')
    for cluster, (unit, graph) in enumerate(chosen.items()):
        lines.append(f"  subgraph cluster_{cluster} {{")
        lines.append(f"    label={_quoted(headline(graph))};")
        for number, node in graph.nodes(data="node"):
            note = note_of(notes, unit, number)
            attributes = {
                "label": "\n".join(told(number, node, note)),
                "shape": SHAPES.get(node.kind, "box"),
                "tooltip": origin(node),
            }
            if note.mark:
                attributes["fillcolor"] = COLOURS[note.mark]
            shown = " ".join(f"{name}={_quoted(text)}" for name, text in attributes.items())
            lines.append(f"    {_quoted(name_of(unit, number))} [{shown}];")
        lines.append("  }")
    for source, target, label in edges_between(chosen):
        style = " style=dashed" if label == ENTER else ""
        lines.append(f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(label)}{style}];")
    return "\n".join([*lines, "}", ""])


def to_mermaid(
    graphs: Mapping[str, Graph], units: Iterable[str] | None = None, notes: Notes = NO_NOTES
) -> str:
    """Return graphs (all, or those of some units) as a Mermaid flow chart."""
    chosen = chosen_of(graphs, units)
    names = {
        name_of(unit, node): f"n{cluster}_{node}"
        for cluster, (unit, graph) in enumerate(chosen.items())
        for node in graph
    }
    lines = ["flowchart TD"]
    marked: dict[str, list[str]] = {}
    for cluster, (unit, graph) in enumerate(chosen.items()):
        lines.append(f'  subgraph u{cluster}["{_numbered(headline(graph))}"]')
        for number, node in graph.nodes(data="node"):
            before, after = MERMAID.get(node.kind, ("[", "]"))
            note = note_of(notes, unit, number)
            parts = (*told(number, node, note), origin(node))
            text = "<br>".join(_numbered(part) for part in parts)
            name = names[name_of(unit, number)]
            lines.append(f'    {name}{before}"{text}"{after}')
            if note.mark:
                marked.setdefault(note.mark, []).append(name)
        lines.append("  end")
    for source, target, label in edges_between(chosen):
        arrow = "-.->" if label == ENTER else "-->"
        lines.append(f'  {names[source]} {arrow}|"{_numbered(label)}"| {names[target]}')
    for mark, those in marked.items():
        lines.append(f"  classDef {mark} fill:{COLOURS[mark]}")
        lines.append(f"  class {','.join(those)} {mark}")
    return "\n".join([*lines, ""])


def to_graphml(
    graphs: Mapping[str, Graph], units: Iterable[str] | None = None, notes: Notes = NO_NOTES
) -> str:
    """Return graphs (all, or those of some units) as one GraphML graph."""
    chosen = chosen_of(graphs, units)
    found = {
        visible(name_of(unit, number)): {
            "unit": visible(unit),
            "kind": node.kind,
            "label": visible(node.label),
            "place": visible(_place(node)),
            "see": visible(_citations(node.see)),
            "title": visible(node.title),
            "site": visible(node.site if isinstance(node, Decide) else ""),
            **_graphml_note(notes, unit, number),
        }
        for unit, graph in chosen.items()
        for number, node in graph.nodes(data="node")
    }
    edges = [
        (visible(source), visible(target), label) for source, target, label in edges_between(chosen)
    ]
    return graphml(found, edges)


def _graphml_note(notes: Notes, unit: str, number: int) -> dict[str, str]:
    if unit not in notes:
        return {}
    note = notes[unit][number]
    return {"mark": note.mark, "note": ", ".join(note.words)}


def note_of(notes: Notes, unit: str, number: int) -> Note:
    """Return the note about a node; an empty one if nothing is told."""
    return notes[unit][number] if unit in notes else Note("", ())


def told(number: int, node: Node, note: Note) -> list[str]:
    """Return the lines that stand in a node."""
    lines = (f"{number} {node.kind}", node.label, ", ".join(note.words))
    return [line for line in lines if line]


def chosen_of(graphs: Mapping[str, Graph], units: Iterable[str] | None) -> dict[str, Graph]:
    """Return the graphs of some units; None: of all."""
    return dict(graphs) if units is None else {unit: graphs[unit] for unit in units}


def name_of(unit: str, node: int) -> str:
    """Return what a node is called among those of all units."""
    return f"{unit}#{node}"


def edges_between(graphs: Mapping[str, Graph]) -> Iterator[tuple[str, str, str]]:
    """Yield all edges, and one from each call into what it calls if that is drawn, too."""
    for unit, graph in graphs.items():
        for source, target, label in graph.edges(keys=True):
            yield name_of(unit, source), name_of(unit, target), label
        for number, node in graph.nodes(data="node"):
            for other in node.begins:
                if other in graphs:
                    yield name_of(unit, number), name_of(other, 0), ENTER


def headline(graph: Graph) -> str:
    """Return what stands above a unit."""
    plan: Plan = graph.graph["plan"]
    cited = _citations(plan.see)
    return f"{plan.unit} (see {cited})" if cited else plan.unit


def _place(node: Node) -> str:
    return f"{node.span.source.name}:{node.span.line}"


def origin(node: Node) -> str:
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


def visible(text: str) -> str:
    """Return a text without control characters, signs that turn the direction of writing, and
    halves of characters; line breaks stay."""
    return "".join(
        sign if sign == "\n" or unicodedata.category(sign) not in UNSEEN else " " for sign in text
    )


def _quoted(text: str) -> str:
    """Return a text as a string of the dot language."""
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _numbered(text: str) -> str:
    """Return a text with every sign that Mermaid may take for its own as `#number;`."""
    return "".join(
        sign if sign.isalnum() or sign in SAFE_IN_MERMAID else f"#{ord(sign)};"
        for sign in visible(text).replace("\n", " ")
    )
