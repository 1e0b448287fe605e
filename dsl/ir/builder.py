"""The builder of an action graph: nodes come in reading order, edges grow by themselves.

A lowering pass says `emit(Class, …)` for one node after the other; loose *ends* (of the node before, of
arms, of a loop that is done) are tied to the next node that comes. `action_graph` says what becomes of the
graph.

**Levels.** A place in a unit lies inside the unit, perhaps inside an amendment block and inside
named steps. Each of them is a level: `stop` leaves one or more of them from the inside out, and what
stands `after` each is still done. A level knows its *finish*, the node where that begins.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.nodes import Edge, Level, Node, Skip, Stop
from rulewright.dsl.model import Section
from rulewright.dsl.text.source import Span

End: TypeAlias = tuple[int, str]
"""A node and the label of the edge that leaves it."""

LONGEST_LABEL = 120


@attrs.define(eq=False)
class StopLevel:
    """A unit, amendment block or named step that is open: what `stop` can leave."""

    id: str
    """The verb, step or watch; "" for an amendment block."""

    loops: tuple[int, ...]
    """The loops around it."""

    finish: int | None = None
    """The node to go to when it is stopped."""

    end: int | None = None
    """Of a step: its last node."""

    stopped: list[End] = attrs.field(factory=list)
    """Ends that wait for that node."""

    def finished(self) -> Level:
        """Return the level of a graph that is complete."""
        assert self.finish is not None, "a node stands behind it"
        return self.id, self.finish, self.loops


@attrs.frozen
class BlockContext:
    """Where a block stands: what is around it."""

    unit: str
    place: str
    """`verb.step`: the beginning of the names of its decisions."""

    levels: tuple[StopLevel, ...]
    own: StopLevel
    """What a `stop` without a name leaves."""

    loops: tuple[int, ...] = ()
    title: str = ""
    """The variant whose text it is."""

    see: tuple[Section, ...] = ()


@attrs.define(eq=False)
class DraftNode:
    """A node while it is drawn, with its edges, `label -> node`."""

    kind: type[Node]
    label: str
    span: Span
    see: tuple[Section, ...]
    context: BlockContext
    step: Any
    more: dict[str, Any]
    """What only nodes of its class have, and a `title` that differs from that of its context."""

    leaves: StopLevel | None = None
    """Of a stop: the level that it leaves in the end."""

    edges: dict[str, int] = attrs.field(factory=dict)

    def finished(self) -> Node:
        """Return the node."""
        context, more = self.context, self.more
        if self.leaves is not None:
            way = passed(context.levels, self.leaves)
            more = {
                "final": self.leaves.finish if len(way) > 1 else None,
                "unwind": context.loops[len(way[0].loops) :],
            }
        return self.kind(
            label=self.label,
            span=self.span,
            see=self.see,
            step=self.step,
            loops=context.loops,
            levels=tuple(level.finished() for level in context.levels),
            **{"title": context.title, **more},
        )


class GraphBuilder:
    """The graph of one unit while it is drawn."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.nodes: list[DraftNode] = []
        self.starts: list[tuple[model.Statement, int]] = []
        """The statements with the first node of each, in reading order."""

        self.ends: list[End] = []
        self.chances = 0
        self.sites: dict[str, int] = {}
        self.finishing: dict[str, StopLevel] = {}
        """The level of the body of each step."""

        self.failing: list[End] = []
        self.opening: list[StopLevel] = []
        self.leaving: list[tuple[StopLevel, StopLevel]] = []
        """Pairs of a step and the level to which a stop goes on from its end."""

    def emit(
        self,
        kind: type[Node],
        label: str,
        span: Span,
        context: BlockContext,
        step: Any = None,
        *,
        see: tuple[Section, ...] = (),
        ends: tuple[str, ...] = (Edge.NEXT,),
        **more: Any,
    ) -> int:
        """Add a node, tie all loose ends to it and leave its own ones loose."""
        number = len(self.nodes)
        self.nodes.append(DraftNode(kind, label, span, see or context.see, context, step, more))
        for level in self.opening:
            level.finish = number
            self.ends += level.stopped
            level.stopped = []
        self.opening = []
        for end in self.ends:
            self.tie(end, number)
        self.ends = [(number, name) for name in ends]
        return number

    def tie(self, end: End, target: int) -> None:
        """Draw an edge; two edges between the same nodes are kept apart by a node of its own."""
        source, name = end
        node = self.nodes[source]
        if target in node.edges.values():
            self.nodes.append(DraftNode(Skip, "", node.span, node.see, node.context, None, {}))
            between = len(self.nodes) - 1
            node.edges[name] = between
            self.nodes[between].edges[Edge.NEXT] = target
        else:
            node.edges[name] = target

    def close(self, level: StopLevel) -> None:
        """Say that a level is finished where the next node will be."""
        self.opening.append(level)

    def stop(
        self, label: str, span: Span, context: BlockContext, step: Any, target: StopLevel
    ) -> None:
        """Add a node that leaves all levels down to the target, through what stands after each.

        The way out of a step goes through its `after` amendments to its end, and from there on to
        the next level: `leave` edges, which are taken while a stop is under way.
        """
        node = self.emit(Stop, label, span, context, step, ends=())
        self.nodes[node].leaves = target
        way = passed(context.levels, target)
        way[0].stopped.append((node, Edge.NEXT))
        self.leaving += pairwise(way)

    def finished(self) -> None:
        """Draw the edges on which a stop goes on from the end of a step."""
        for step, outer in dict.fromkeys(self.leaving):
            if step.end is not None and outer.finish is not None:
                known = [name for name in self.nodes[step.end].edges if name.startswith(Edge.LEAVE)]
                name = f"{Edge.LEAVE} {len(known) + 1}" if known else Edge.LEAVE
                self.tie((step.end, name), outer.finish)

    def chance_name(self) -> str:
        """Return a new name for the outcome of a chance node."""
        self.chances += 1
        return f"@chance{self.chances}"

    def site(self, context: BlockContext, name: str) -> str:
        """Return the place name of a decision: `verb.step.name`, and `#2` for the second one."""
        place = f"{context.place}.{name}"
        self.sites[place] = count = self.sites.get(place, 0) + 1
        return place if count == 1 else f"{place}#{count}"


def passed(levels: tuple[StopLevel, ...], target: StopLevel) -> tuple[StopLevel, ...]:
    """Return what a stop goes through, innermost first: the steps on the way, then the target."""
    inner = levels[levels.index(target) + 1 :]
    return (*(level for level in reversed(inner) if level.id), target)


def one_line(span: Span) -> str:
    """Return the rule text of a span in one line."""
    text = " ".join(span.text.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def shown(word: str, *expressions: model.Expression | None) -> str:
    """Return a word and the rule text of expressions."""
    return " ".join((word, *(one_line(part.span) for part in expressions if part is not None)))
