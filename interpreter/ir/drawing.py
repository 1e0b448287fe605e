"""Action graphs as a picture: the text of an SVG file, in layers from the beginning of each unit downwards.

The picture is built as a tree and written by the XML writer of Python, so that no rule text can be anything but
text. It refers to nothing outside of itself and holds no script.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

import attrs

from rulewright.dsl.ir.graph import Graph
from rulewright.interpreter.ir.export import (
    COLOURS,
    NO_NOTES,
    Notes,
    chosen_of,
    headline,
    note_of,
    origin,
    told,
    visible,
)

WIDTH, GAP = 250, 40
"""Of a node, and between two beside each other."""

LINE, ROW = 15, 46
"""The height of a line, and of the space between two layers."""

LETTERS = 38
"""So many letters stand in a line."""

MARGIN = 50

LOOK = (
    "<style>text{font-family:sans-serif;font-size:11px;fill:#222}rect{stroke:#555}.plain{fill:#fff}"
    ".head{font-size:15px;font-weight:bold}.kind{font-weight:bold}.edge{fill:none;stroke:#555}"
    ".back{stroke-dasharray:4 3}.label{fill:#7a3b00;font-size:10px}"
    + "".join(f".{mark}{{fill:{colour}}}" for mark, colour in COLOURS.items())
    + ".line{font-weight:normal}</style>"
)


@attrs.frozen
class Box:
    """Where a node stands: its left upper corner, its height and its layer."""

    x: float
    y: float
    height: float
    layer: int

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return self.y + self.height / 2


def to_svg(
    graphs: Mapping[str, Graph], units: Iterable[str] | None = None, notes: Notes = NO_NOTES
) -> str:
    """Return graphs (all, or those of some units) as a picture."""
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
    root.append(ElementTree.fromstring(LOOK))
    width, top = 0.0, float(MARGIN)
    for unit, graph in chosen_of(graphs, units).items():
        right, top = _unit(ElementTree.SubElement(root, "g"), unit, graph, notes, top)
        width = max(width, right)
    size = {"width": f"{width + MARGIN:.0f}", "height": f"{top:.0f}"}
    root.attrib |= {**size, "viewBox": f"0 0 {size['width']} {size['height']}"}
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def layers_of(graph: Graph) -> list[list[int]]:
    """Return the nodes in layers: each lies below all from which an edge leads forward to it.

    Nodes are numbered in reading order, so an edge to a smaller number leads back.
    """
    depth: dict[int, int] = {}
    for node in sorted(graph):
        before = [depth[one] for one in graph.predecessors(node) if one < node]
        depth[node] = max(before, default=-1) + 1
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node, layer in depth.items():
        layers[layer].append(node)
    return layers


def _unit(
    group: ElementTree.Element, unit: str, graph: Graph, notes: Notes, top: float
) -> tuple[float, float]:
    """Draw one unit; return how far it comes to the right and down."""
    _text(group, MARGIN, top, headline(graph), "head")
    lines = {
        number: [
            one
            for line in told(number, node, note_of(notes, unit, number))
            for one in _broken(visible(line).replace("\n", " "))
        ]
        for number, node in graph.nodes(data="node")
    }
    boxes: dict[int, Box] = {}
    right, y = 0.0, top + ROW / 2
    for depth, layer in enumerate(layers_of(graph)):
        for place, number in enumerate(layer):
            x = MARGIN + place * (WIDTH + GAP)
            boxes[number] = Box(x, y, len(lines[number]) * LINE + 8.0, depth)
            right = max(right, x + WIDTH + GAP)
        y += max(boxes[number].height for number in layer) + ROW
    for source, target, label in graph.edges(keys=True):
        _edge(group, boxes[source], boxes[target], str(label))
    for number, node in graph.nodes(data="node"):
        box = boxes[number]
        inner = ElementTree.SubElement(group, "g")
        ElementTree.SubElement(inner, "title").text = visible(
            f"{node.label}\n{origin(node)}"
        ).strip()
        size = {"x": f"{box.x:.0f}", "y": f"{box.y:.0f}", "height": f"{box.height:.0f}"}
        mark = note_of(notes, unit, number).mark or "plain"
        ElementTree.SubElement(
            inner, "rect", {**size, "width": f"{WIDTH}", "rx": "4", "class": mark}
        )
        for place, line in enumerate(lines[number]):
            _text(inner, box.x + 6, box.y + (place + 1) * LINE, line, "line" if place else "kind")
    return right, y


def _edge(group: ElementTree.Element, one: Box, other: Box, label: str) -> None:
    """Draw an edge: to the next layer straight down, over several on the right, and back on the left."""
    kind = "edge"
    if other.layer == one.layer + 1:
        x1, y1, x2, y2 = one.x + WIDTH / 2, one.y + one.height, other.x + WIDTH / 2, other.y
        bend = y1 + (y2 - y1) / 2
        bends = f"{x1:.0f} {bend:.0f} {x2:.0f} {bend:.0f}"
        tip = f"M{x2 - 4:.0f} {y2 - 7:.0f}L{x2:.0f} {y2:.0f}L{x2 + 4:.0f} {y2 - 7:.0f}"
        middle = (x1 + x2) / 2 + 4, bend
    else:
        forward = other.layer > one.layer
        y1, y2 = one.middle, other.middle
        x1, x2 = (one.x + WIDTH, other.x + WIDTH) if forward else (one.x, other.x)
        side = max(x1, x2) + GAP * 0.8 if forward else min(x1, x2) - GAP * 0.8
        bends = f"{side:.0f} {y1:.0f} {side:.0f} {y2:.0f}"
        back = 7 if forward else -7
        tip = f"M{x2 + back:.0f} {y2 - 4:.0f}L{x2:.0f} {y2:.0f}L{x2 + back:.0f} {y2 + 4:.0f}"
        middle = (x1 + 3 if forward else x1 - GAP * 0.8), y1 - 4
        kind = "edge" if forward else "edge back"
    way = f"M{x1:.0f} {y1:.0f}C{bends} {x2:.0f} {y2:.0f}"
    ElementTree.SubElement(group, "path", {"d": way, "class": kind})
    ElementTree.SubElement(group, "path", {"d": tip, "class": "edge"})
    _text(group, *middle, label, "label")


def _text(parent: ElementTree.Element, x: float, y: float, text: str, kind: str) -> None:
    found = ElementTree.SubElement(
        parent, "text", {"x": f"{x:.0f}", "y": f"{y:.0f}", "class": kind}
    )
    found.text = text


def _broken(line: str) -> list[str]:
    """Return a line in pieces that fit; of a long one the beginning."""
    return textwrap.wrap(line, LETTERS, max_lines=2, placeholder=" …") or [line]
