"""The plans of a game: one action graph for each verb and watched condition.

Everything that amends a verb is spliced into its graph, so that what runs is always a plain graph:
the reset of its `fresh` fields, every `before` behind a branch on its guard, the `instead` blocks or
the body, every `after`, then `return`. A named step is amended in the same way between its
`step_begin` and `step_end`. The id of a graph is that of its verb, or `watch:` and that of the
`as soon as`.

A plan is such a graph as plain data, which is all that running it takes; `graph` makes networkx graphs of
plans, for whoever draws or examines them.

Nodes (`nodes`) are numbered in reading order, 0 is the entry. Each has its edges, `label -> node`: `next`,
`yes`, `no`, `fail`, `body`, `done`, `none`, `arm0` and so on, and `leave`, on which a stop goes on from the
end of a step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TypeAlias
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import KEPT, GameEffects, effects_of, lasting_of, watch_unit
from rulewright.dsl.ir import nodes
from rulewright.dsl.ir.builder import (
    BlockContext,
    GraphBuilder,
    StopLevel,
    shown,
)
from rulewright.dsl.ir.lower import StepLowering
from rulewright.dsl.ir.needs import NoneAnalysis, RequiredValues
from rulewright.dsl.ir.nodes import Edge, Node
from rulewright.dsl.model import Section

PLAY, SET_UP = "play", "set_up"
"""The verb that is the whole game, and the one that sets it up."""

NO_VALUES = (nodes.StepBegin, nodes.StepEnd, nodes.Mark, nodes.Draw, nodes.Stop)
"""The nodes in whose steps no value is stored or handed on."""


@attrs.frozen(eq=False, repr=False)
class Plan:
    """The action graph of a unit."""

    unit: str
    name: str
    title: str
    see: tuple[Section, ...]
    finish: int | None
    """The node to go to when the whole unit is stopped."""

    steps: dict[str, int | None]
    """The same of each named step."""

    atomic: bool
    """Whether nobody can decide anything in it."""

    nodes: tuple[Node, ...]
    """0 is the entry."""

    edges: tuple[Mapping[str, int], ...]
    """The nodes that follow each, by the labels of the edges."""

    starts: tuple[tuple[model.Statement, int], ...]
    """The statements with the first node of each, in reading order."""

    def ends_around(self, node: Node) -> frozenset[int]:
        """Return the ends of all that a node is in, if it begins something: that may end them."""
        if not node.begins:
            return frozenset()
        ends = {self.finish, *[finish for _, finish, _ in node.levels]}
        return frozenset([end for end in ends if end is not None])

    def followers(
        self, stopped: Mapping[str, Collection[str]] | None = None
    ) -> list[Mapping[str, int]]:
        """Return the nodes that may follow each; also where it goes on when what is called ends it. `stopped`: the
        verbs and steps that each unit may stop, if that is known."""
        found: list[Mapping[str, int]] = []
        for at, (node, edges) in enumerate(zip(self.nodes, self.edges, strict=True)):
            if self._is_passed(at):
                edges = {Edge.NEXT: edges[Edge.NEXT]}
            elif isinstance(node, nodes.Stop) and node.final is not None:
                following = edges[Edge.NEXT]
                if self._is_passed(following):
                    edges = {
                        label: target
                        for label, target in self.edges[following].items()
                        if label != Edge.NEXT
                    }
            ends = self.ends_around(node)
            if stopped is not None:
                goals = frozenset().union(*[stopped[one] for one in node.begins])
                ends = frozenset(end for id, end, _ in node.levels if id in goals)
            more = {f"{Edge.LEAVE} to {end}": end for end in sorted(ends)}
            found.append({**edges, **more} if more else edges)
        return found

    def _is_passed(self, at: int) -> bool:
        """Return whether a node is the end of a step after which nothing stands: a stop goes straight on from there."""
        node = self.nodes[at]
        return isinstance(node, nodes.StepEnd) and self.steps[node.step.id] == at


@lru_cache(maxsize=KEPT)
def needs_of(game: model.Game) -> NoneAnalysis:
    """Return what the values of a game may lack; worked out once."""
    return NoneAnalysis(game)


Plans: TypeAlias = Mapping[str, Plan]

_PLANS: WeakKeyDictionary[model.Game, Plans] = WeakKeyDictionary()
"""The plans of the games that are there. Checked games are kept with theirs (`frontend/checked_cache`)."""


def plans_of(game: model.Game) -> Plans:
    """Return the plan of each unit, verbs first, in the order of declaration; made once, and never
    changed."""
    found = _PLANS.get(game)
    if found is None:
        found = _PLANS[game] = _plans(game)
    return found


def keep_plans(game: model.Game, plans: Plans) -> None:
    """Take plans for those of a game that were made of it before."""
    _PLANS[game] = plans


def _plans(game: model.Game) -> Plans:
    effects = effects_of(game)
    plans = {verb.id: _verb(game, effects, verb) for verb in game.verbs.values()}
    for watch in game.watches:
        plans[watch_unit(watch)] = _watch(game, effects, watch)
    return plans


def _verb(game: model.Game, effects: GameEffects, verb: model.Verb) -> Plan:
    builder = GraphBuilder(verb.id)
    atomic = not effects.asks(verb.id)
    steps = StepLowering(game, effects, builder, atomic)
    outside = StopLevel("", ())
    offer = next((one for one in game.offers if one.id == verb.id), None)
    title = "" if offer is None else offer.title
    context = BlockContext(verb.id, verb.id, (), outside, title=title, see=verb.see)
    sleeps = verb.id == SET_UP and bool(game.watches)
    if sleeps:
        builder.emit(nodes.Sleep, "watched conditions sleep", verb.span, context)
    lasting = effects.lasting.get(verb.id, ())
    if lasting:
        builder.emit(nodes.Lasting, "", verb.span, context, starts=True, numbers=lasting)
    fresh = effects.fresh.get(verb.id, ())
    if fresh:
        label = "fresh " + ", ".join(field.name for field in fresh)
        ids = tuple(field.id for field in fresh)
        builder.emit(nodes.Reset, label, verb.span, context, fields=ids)
        steps.watch(frozenset(ids), verb.span, context)
    levels = steps.amended(verb.id, verb.block, verb.amendments, context, verb.span)
    if sleeps:
        builder.emit(nodes.Wake, "watched conditions wake", verb.span, context)
    if offer is not None and atomic:
        # No call stands behind it at which the conditions could be looked at.
        StepLowering(game, effects, builder, False).watch(
            effects.unit(verb.id).writes, verb.span, context
        )
    if lasting:
        builder.emit(nodes.Lasting, "", verb.span, context, starts=False, numbers=lasting)
        steps.watch(frozenset(map(lasting_of, lasting)), verb.span, context)
    builder.emit(nodes.Return, "", verb.span, context, ends=())
    _state(game, builder, verb.parameters)
    return _finished(builder, levels[0], verb.name, atomic, context)


def _watch(game: model.Game, effects: GameEffects, watch: model.Watch) -> Plan:
    unit = watch_unit(watch)
    builder = GraphBuilder(unit)
    atomic = not effects.asks(unit)
    context = BlockContext(unit, unit, (), StopLevel("", ()), title=watch.title, see=watch.see)
    builder.emit(
        nodes.Mark, shown("as soon as", watch.condition), watch.condition.span, context, watch
    )
    levels = StepLowering(game, effects, builder, atomic).amended(
        unit, watch.block, (), context, watch.span
    )
    builder.emit(nodes.Return, "", watch.span, context, ends=())
    _state(game, builder, ())
    return _finished(builder, levels[0], unit, atomic, context)


def _state(
    game: model.Game, builder: GraphBuilder, parameters: tuple[model.Parameter, ...]
) -> None:
    """Say of all values of a graph whether they must be there."""
    stated = RequiredValues(
        needs_of(game), parameters, [(node.step, node.more) for node in builder.nodes]
    )
    for node in builder.nodes:
        if node.kind is nodes.Branch:
            node.step = stated.condition(node.step)
        elif node.kind not in NO_VALUES:
            node.step = stated.step(node.step)


def _finished(
    builder: GraphBuilder, whole: StopLevel, name: str, atomic: bool, context: BlockContext
) -> Plan:
    """Return the plan of a unit whose graph is complete."""
    builder.finished()
    if builder.failing:
        ends, builder.ends = builder.ends, []
        span = builder.nodes[0].span
        dead = builder.emit(nodes.Dead, "", span, context, ends=())
        builder.ends = ends
        for end in builder.failing:
            builder.tie(end, dead)
    return Plan(
        unit=builder.unit,
        name=name,
        title=context.title,
        see=context.see,
        finish=whole.finish,
        steps={step: level.finish for step, level in builder.finishing.items()},
        atomic=atomic,
        nodes=tuple(node.finished() for node in builder.nodes),
        # Plain texts, since nothing but plain objects is read from the cache folder.
        edges=tuple({str(one): to for one, to in node.edges.items()} for node in builder.nodes),
        starts=tuple(builder.starts),
    )
