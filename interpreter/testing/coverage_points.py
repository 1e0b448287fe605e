"""What of a game can be seen to run: finds the points of its action graphs that are counted.

A point is a verb, a watched condition, an offer, an amendment, a way that a branch or loop may take, an
answer to `may` or `either`, or an end of the game. How often each was passed is read from counts of
operations and of the steps from one to the next (`coverage`), so that nothing must be noted in the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import watch_unit
from rulewright.dsl.files import library
from rulewright.dsl.ir import graph
from rulewright.dsl.ir.action_graph import PLAY, Plan
from rulewright.dsl.ir.builder import one_line
from rulewright.dsl.ir.nodes import Edge
from rulewright.dsl.text.source import Span
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.program.program import Program

KINDS = {
    "verb": "verbs",
    "watch": "watched conditions",
    "offer": "offers",
    "amendment": "amendments",
    "power": "powers of things",
    "branch": "branches of `if`",
    "answer": "answers to `may` and `either`",
    "loop": "loops",
    "end": "ends of the game",
}
"""The kinds of points, and how several of them are called."""

Node = tuple[str, int]
"""A node of an action graph: unit and number."""


@attrs.frozen
class CoveragePoint:
    """One point; the same in every linked set of variants if the rules there are the same."""

    kind: str
    text: str
    span: Span = attrs.field(repr=False)
    unit: str
    see: tuple[model.Section, ...] = ()

    @property
    def place(self) -> str:
        """Where it is written, as `file:line`."""
        return f"{self.span.source.name}:{self.span.line}"

    def key(self) -> tuple[str, int, str, str, str]:
        """What tells it from other points, also of the same game linked anew; they sort as they
        are written."""
        return (self.span.source.name, self.span.start, self.kind, self.unit, self.text)


@attrs.frozen
class CountedPoint:
    """A point of a loaded game with what it is counted by."""

    point: CoveragePoint
    begins: str = ""
    """It was passed whenever this unit began, …"""

    entries: tuple[Node, ...] = ()
    """… whenever one of these nodes ran, …"""

    steps: tuple[tuple[str, int, int], ...] = ()
    """… or whenever one of these edges was taken."""

    speaks: tuple[str, int, str] | None = None
    """… or whenever this power spoke for a thing of this name."""

    region: tuple[Span, ...] = ()
    """What stands inside it: it need not be told if the point itself is."""

    @property
    def is_known(self) -> bool:
        """Whether it can be told whether it was passed."""
        return bool(self.begins or self.entries or self.steps or self.speaks)

    def passed(
        self,
        begun: Mapping[str, int],
        ran: Mapping[Node, int],
        went: Mapping[tuple[str, int, int], int],
        spoken: Mapping[tuple[str, int, str], int],
    ) -> int:
        """Return how often it was passed."""
        return (
            begun.get(self.begins, 0)
            + sum(ran.get(one, 0) for one in self.entries)
            + sum(went.get(one, 0) for one in self.steps)
            + (0 if self.speaks is None else spoken.get(self.speaks, 0))
        )


def points_of(program: Program) -> tuple[CountedPoint, ...]:
    """Return all points of a loaded game, in the order of its units.

    What the library offers and the game has no use for is left out.
    """
    game = program.game
    begun = (PLAY, *map(watch_unit, game.watches), *program.offers)
    used = graph.reached_from(graph.call_graph(game), *begun)
    found: list[CountedPoint] = []
    for unit, plan in program.plans.items():
        ops = program.code[unit]
        if unit not in used and library.is_standard(plan.nodes[0].span.source.name):
            continue
        blocks = dict(_blocks(plan))
        found.append(_unit(game, unit))
        for op in ops:
            found += _at(op, unit, blocks)
        found += _amendments(unit, plan, ops)
    for define in game.defines.values():
        for change in (*define.changes, *(one for line in define.lines for one in line.changes)):
            found += _powers(change, define.id, define.name)
    return tuple(found)


def _unit(game: model.Game, unit: str) -> CountedPoint:
    verb = game.verbs.get(unit)
    offer = next((one for one in game.offers if one.id == unit), None)
    if offer is not None:
        point = CoveragePoint("offer", _shown(offer.span), _head(offer.span), unit, offer.see)
        return CountedPoint(point, unit, region=(offer.span,))
    if verb is not None:
        point = CoveragePoint("verb", _shown(verb.span), _head(verb.span), unit, verb.see)
        return CountedPoint(point, unit, region=(verb.span,))
    watch = next(one for one in game.watches if watch_unit(one) == unit)
    point = CoveragePoint("watch", _shown(watch.span), _head(watch.span), unit, watch.see)
    return CountedPoint(point, unit, region=(watch.span,))


def _at(op: Op, unit: str, blocks: Mapping[int, _BranchExtents]) -> Iterator[CountedPoint]:
    """Yield the points at one node."""

    def way(kind: str, label: str, text: str, span: Span, region: tuple[Span, ...]) -> CountedPoint:
        target = op.edges[label]
        others = [other for name, other in op.edges.items() if name != label]
        # Ways that lead to the same node cannot be told apart: such a point is left out.
        steps = () if target in others else ((unit, op.node, target),)
        point = CoveragePoint(kind, text, span, unit, op.see)
        return CountedPoint(point, steps=steps, region=region)

    match op.kind:
        case "branch" if op.node in blocks:
            block = blocks[op.node]
            yield way("branch", "yes", f"if {one_line(op.span)}", op.span, block.inside)
            if block.otherwise:
                text = f"else, after if {one_line(op.span)}"
                yield way("branch", "no", text, op.span, block.otherwise)
        case "decide" if isinstance(op.step, model.May):
            text = f"may {one_line(op.step.label.span)}"
            yield way("answer", "yes", text, _head(op.span), _extent(op.step.block))
        case "decide" if isinstance(op.step, model.Either) and op.step.taken is None:
            for number, arm in enumerate(op.step.arms):
                text = f"{'or' if number else 'either'} {one_line(arm.label.span)}"
                yield way("answer", f"arm{number}", text, arm.label.span, _extent(arm.block))
        case "loop" | "as" if isinstance(op.step, model.ForEach | model.Repeat | model.As):
            if not op.step.block:
                return  # over the things that bear a power: that is a point of its own
            yield way("loop", "body", op.label, _head(op.span), _extent(op.step.block))
        case "fork":
            # Each player has frames of his own, so no way leads there.
            point = CoveragePoint("loop", op.label, _head(op.span), unit, op.see)
            entries = ((unit, op.edges["body"]),)
            yield CountedPoint(point, entries=entries, region=_extent(op.step.block))
        case "end":
            point = CoveragePoint("end", one_line(op.span), op.span, unit, op.see)
            yield CountedPoint(point, entries=((unit, op.node),))


def _amendments(unit: str, plan: Plan, ops: list[Op]) -> Iterator[CountedPoint]:
    """Yield the `before`, `after` and `instead of` blocks in a graph."""
    for op, data in zip(ops, plan.nodes, strict=True):
        step = data.step
        if isinstance(step, model.Amendment):
            first = ops[op.edges["next"]]
            # A block that does nothing has no node of its own.
            entries = ((unit, first.node),) if _lies_in(first.span, step) else ()
            text = f"{_shown(step.span)}, in {plan.name}"
            point = CoveragePoint("amendment", text, _head(step.span), unit, step.see)
            yield CountedPoint(point, entries=entries, region=(step.span,))
            if step.bearers is not None and len(step.bearers.names) > 1:
                yield from _powers(step, unit, plan.name)


def _powers(
    amendment: model.Changed | model.Amendment, unit: str, name: str
) -> Iterator[CountedPoint]:
    """Yield a point for each name of the things that have a power."""
    if amendment.bearers is None or amendment.scope != model.POWERS:
        return
    for whose in amendment.bearers.names or ("",):
        text = f"{whose or amendment.bearers.label}: {_shown(amendment.span)}"
        if isinstance(amendment, model.Amendment):
            text += f", in {name}"
        point = CoveragePoint("power", text, _head(amendment.span), unit, amendment.see)
        yield CountedPoint(point, speaks=spoken_as(amendment, whose))


def spoken_as(amendment: model.Changed | model.Amendment, name: str) -> tuple[str, int, str]:
    """Return under what it is counted that a power speaks for a thing; without names for all."""
    given = name if amendment.bearers is not None and amendment.bearers.names else ""
    return amendment.span.source.name, amendment.span.start, given


def bearing(plan: Plan, ops: list[Op]) -> Iterator[tuple[int, model.Amendment]]:
    """Yield the nodes at which powers of things begin to speak."""
    for op, data in zip(ops, plan.nodes, strict=True):
        step = data.step
        if isinstance(step, model.Amendment):
            first = ops[op.edges["next"]]
            if step.bearers is not None and step.bearers.names and _lies_in(first.span, step):
                yield first.node, step


def _lies_in(span: Span, amendment: model.Amendment) -> bool:
    outer = amendment.span
    return span.source is outer.source and outer.start <= span.start < outer.end


def _head(span: Span) -> Span:
    """Return the first line of a rule."""
    return span.slice(0, len(span.text.partition("\n")[0].rstrip()))


def _shown(span: Span) -> str:
    """Return a head without its citation and comment, in one line."""
    text = span.text.partition("\n")[0]
    for end in ("  see ", "  #"):
        text = text.partition(end)[0]
    return " ".join(text.split())


def _extent(block: model.Block) -> tuple[Span, ...]:
    if not block:
        return ()
    first, last = block[0].span, block[-1].span
    return (Span(first.source, first.start, max(last.end, first.end)),)


@attrs.frozen
class _BranchExtents:
    """Where the block of a branch stands, and that of an `else` behind the last one."""

    inside: tuple[Span, ...]
    otherwise: tuple[Span, ...] = ()


def _blocks(plan: Plan) -> Iterator[tuple[int, _BranchExtents]]:
    """Yield what stands behind each branch of an `if`, by its node."""
    for statement, at in plan.starts:
        if isinstance(statement, model.If):
            last = statement.branches[-1]
            for branch in statement.branches:
                otherwise = _extent(statement.otherwise) if branch is last else ()
                yield at, _BranchExtents(_extent(branch.block), otherwise)
                at = plan.edges[at][Edge.NO]
