"""What is known to hold wherever a verb stands: lists that are not empty, and verbs that can be done, since every
way to that node has found it out, and nothing has changed it since.

Branches, requirements, the heads of loops and the guards of arms find it out; what writes what a fact reads makes
nobody know it any more.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import UNTOUCHED, GameEffects, Touch, lasting_of
from rulewright.dsl.analysis.sure_options import Tested, failing, holding, is_zone
from rulewright.dsl.ir import dataflow
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.live_locals import names_set
from rulewright.dsl.ir.nodes import (
    Acting,
    Branch,
    Decide,
    Edge,
    Effect,
    Fork,
    Lasting,
    Loop,
    Need,
    Node,
    Reset,
    Until,
    arm,
)
from rulewright.dsl.model import visitor

ANYBODY, WHOEVER = -1, -2
"""In place of the node of the `as` around it: a fact holds whoever acts, or for who has begun the verb."""

Facts: TypeAlias = frozenset[tuple[int, model.Expression]]
"""What holds, and for whom."""

NOTHING: Facts = frozenset()


@attrs.frozen
class _About:
    """What a fact reads, of which locals it speaks, and whether it depends on who acts."""

    reads: frozenset[str]
    names: frozenset[str]
    mine: bool


class KnownFacts:
    """What is known in the verbs of one game."""

    def __init__(self, game: model.Game, effects: GameEffects) -> None:
        self.game = game
        self.effects = effects
        self._abouts: dict[int, _About] = {}

    def at_nodes(self, plan: Plan, edges: dataflow.Edges) -> Sequence[Tested]:
        """Return what is known to hold at each node."""
        finding = [
            {label: new for label in ways if (new := found_out(node, label))}
            for node, ways in zip(plan.nodes, edges, strict=True)
        ]
        if not any(finding):
            return [frozenset()] * len(edges)
        actings = [_acting(plan, node) for node in plan.nodes]

        def behind(at: int, label: str, before: Facts) -> Facts:
            node = plan.nodes[at]
            names = names_set(node, at) if label != Edge.DONE else ()
            kept = before and self._kept(before, self.touched(node), frozenset(names))
            for one in finding[at].get(label, ()):
                kept |= {(actings[at] if self._about(one).mine else ANYBODY, one)}
            around = (ANYBODY, WHOEVER, *plan.nodes[edges[at][label]].loops)
            return frozenset(fact for fact in kept if fact[0] in around)

        found = dataflow.forward(edges, NOTHING, behind, operator.and_)
        return [
            frozenset(one for who, one in facts or NOTHING if who in (ANYBODY, acting))
            for facts, acting in zip(found, actings, strict=True)
        ]

    def _kept(self, facts: Facts, touched: Touch, names: frozenset[str]) -> Facts:
        """Return what is still known where some has been touched, and names given."""
        kept = []
        for fact in facts:
            about = self._about(fact[1])
            # What is moved to a zone does not empty it.
            spoils = touched.sets if is_zone(fact[1], self.game) else touched.writes
            if not (spoils & about.reads or names & about.names):
                kept.append(fact)
        return frozenset(kept)

    def touched(self, node: Node) -> Touch:
        """Return what is touched where a verb stands at a node, by all that may begin there."""
        touch, units = UNTOUCHED, node.begins
        match node:
            case Effect(step=step) | Until(step=step):
                touch = self.effects.statement(step)
            case Reset(fields=fields):
                touch = Touch(sets=frozenset(fields))
            case Lasting(numbers=numbers):
                touch = Touch(sets=frozenset(map(lasting_of, numbers)))
            case Decide():
                # Where somebody decides, offers may be taken.
                units = tuple(offer.id for offer in self.game.offers)
        for unit in units:
            touch |= self.effects.unit(unit)
        return touch

    def _about(self, fact: model.Expression) -> _About:
        if id(fact) not in self._abouts:
            names = {one.name for one in visitor.nodes_in(fact) if isinstance(one, model.Local)}
            parts = visitor.through_defines(self.game, fact)
            mine = any(isinstance(one, model.Me | model.Can) for one in parts)
            self._abouts[id(fact)] = _About(self.effects.reads(fact), frozenset(names), mine)
        return self._abouts[id(fact)]


def found_out(node: Node, label: str) -> Tested:
    """Return what is found out on a way out of a node."""
    match node:
        case Branch(step=condition):
            return holding(condition) if label == Edge.YES else failing(condition)
        case Need(step=model.Need(condition=condition)) if label == Edge.NEXT:
            return holding(condition)
        case Loop(step=model.Repeat(word="while" | "until" as word, value=value)) if value:
            return holding(value) if (word == "while") == (label == Edge.BODY) else failing(value)
        case Decide(step=model.Either(arms=arms)):
            for number, one in enumerate(arms):
                if one.guard is not None and label == arm(number):
                    return holding(one.guard)
    return frozenset()


def _acting(plan: Plan, node: Node) -> int:
    """Return the node of the innermost `as` around a node."""
    around = [one for one in node.loops if isinstance(plan.nodes[one], Acting | Fork)]
    return around[-1] if around else WHOEVER
