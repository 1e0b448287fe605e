"""Steps become nodes: adds the nodes for the blocks of verbs and amendments to a graph.

Chance stands in nodes of its own: of `move random(2, xs) to z` the draws come first and leave what
was drawn in a local, `@chance1`, which the effect then reads.

After each effect that may make a watched condition true stands a `watch` node; not inside an atomic
unit, where conditions wait for its end, so that one stands after the call of such a unit instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, counting
from rulewright.dsl.ir import nodes
from rulewright.dsl.ir.builder import (
    BlockContext,
    End,
    GraphBuilder,
    StopLevel,
    one_line,
    shown,
)
from rulewright.dsl.ir.lower_powers import any_of, last_of, meaning, moments, still_lies
from rulewright.dsl.ir.nodes import Edge
from rulewright.dsl.text.source import Span


class StepLowering:
    """Draws the steps of one unit into its graph."""

    def __init__(
        self, game: model.Game, effects: GameEffects, builder: GraphBuilder, atomic: bool
    ) -> None:
        self.game = game
        self.effects = effects
        self.builder = builder
        self.atomic = atomic

    # ------------------------------------------------------------------------------- blocks and steps

    def block(self, block: model.Block, context: BlockContext) -> None:
        """Draw the steps of a block one after the other."""
        for statement in block:
            if statement.see:
                self.statement(statement, attrs.evolve(context, see=statement.see))
            else:
                self.statement(statement, context)

    def statement(self, statement: model.Statement, context: BlockContext) -> None:
        """Draw one step."""
        # A `pause` has no node of its own.
        if not isinstance(statement, model.Pause):
            self.builder.starts.append((statement, len(self.builder.nodes)))
        match statement:
            case model.Let():
                value = self.chance(statement.value, context)
                self._node(nodes.Let, attrs.evolve(statement, value=value), context)
            case model.Nothing():
                self._node(nodes.Skip, statement, context)
            case model.CallVerb():
                arguments = tuple(self.chance(part, context) for part in statement.arguments)
                lowered = attrs.evolve(statement, arguments=arguments)
                self._node(nodes.Call, lowered, context, verbs=(statement.verb,))
                self.watches(statement, context)
            case model.Do():
                verbs = tuple(sorted(self.effects.done_by(statement.value)))
                self._node(nodes.Do, statement, context, verbs=verbs)
                self.watches(statement, context)
            case model.Need():
                self._need(statement, context)
            case model.Choose() | model.Split():
                self._choose(statement, context)
            case model.May():
                self._may(statement, context)
            case model.Either():
                self._either(statement, context)
            case model.If():
                self._if(statement, context)
            case model.ForEach():
                label = shown(f"for each {statement.name} in", statement.source)
                self._loop(nodes.Loop, label, statement, context)
            case model.Repeat():
                label = shown(f"repeat {statement.word}", statement.value)
                self._loop(nodes.Loop, label, statement, context)
            case model.As(together=True):
                self._loop(nodes.Fork, shown("as", statement.players), statement, context)
                # Conditions sleep inside, also in the verbs that ask.
                self.watch(self.effects.statement(statement).writes, statement.span, context)
            case model.As():
                self._loop(nodes.Acting, shown("as", statement.players), statement, context)
            case model.NamedStep():
                self._named_step(statement, context)
            case model.Pause():
                self.block(statement.block, context)
            case model.Stop():
                self._stop(statement, context)
            case model.Until():
                self._node(nodes.Until, statement, context)
                self.watches(statement, context)
            case model.EndGame():
                self._node(nodes.End, statement, context, ends=())
            case _:
                self._effect(statement, context)

    def _effect(self, statement: model.Effect, context: BlockContext) -> None:
        drawn: model.Effect = statement
        match statement:
            case model.Set() | model.Add():
                drawn = attrs.evolve(statement, value=self.chance(statement.value, context))
            case model.Move(things=things) if things is not None:
                drawn = attrs.evolve(statement, things=self.chance(things, context))
        self._node(nodes.Effect, drawn, context)
        self.watches(statement, context)

    def _node(
        self, kind: type[nodes.Node], step: model.Statement, context: BlockContext, **more: Any
    ) -> int:
        return self.builder.emit(kind, one_line(step.span), step.span, context, step, **more)

    # ------------------------------------------------------------------------ chance and watched things

    def chance(self, value: Any, context: BlockContext) -> Any:
        """Draw the chance node of a value, if it is one; return what stands for the value then."""
        if isinstance(value, model.ListOf):
            # One thing where a list is wanted.
            items = tuple(self.chance(item, context) for item in value.items)
            return value if items == value.items else attrs.evolve(value, items=items)
        if not isinstance(value, model.Chance):
            return value
        name = self.builder.chance_name()
        self.builder.emit(nodes.Draw, one_line(value.span), value.span, context, value, name=name)
        return model.Local(name=name, type=value.type, span=value.span)

    def watches(self, statement: model.Statement, context: BlockContext) -> None:
        """Draw a look at the watched conditions that the step before may have made true."""
        if self.atomic:
            return
        match statement:
            case model.CallVerb(verb=verb):
                written = self._written_by({verb})
            case model.Do(value=value):
                written = self._written_by(self.effects.done_by(value))
            case _:
                written = self.effects.statement(statement).writes
        self.watch(written, statement.span, context)

    def _written_by(self, verbs: set[str] | frozenset[str]) -> frozenset[str]:
        # A verb that asks has looked at the conditions itself.
        found: frozenset[str] = frozenset()
        for verb in verbs:
            if not self.effects.asks(verb):
                found |= self.effects.unit(verb).writes
        return found

    def watch(self, written: frozenset[str], span: Any, context: BlockContext) -> None:
        """Draw a look at the conditions that read what was written."""
        affected = tuple(
            watch for watch in self.game.watches if self.effects.reads(watch.condition) & written
        )
        if affected and not self.atomic:
            label = " · ".join(shown("as soon as", watch.condition) for watch in affected)
            ids = tuple(watch.id for watch in affected)
            self.builder.emit(nodes.Watch, label, span, context, watches=ids)

    # ---------------------------------------------------------------------------------------- decisions

    def _need(self, statement: model.Need, context: BlockContext) -> None:
        node = self._node(nodes.Need, statement, context)
        self.builder.failing.append((node, Edge.FAIL))

    def _choose(self, statement: model.Choose | model.Split, context: BlockContext) -> None:
        builder = self.builder
        site = builder.site(context, statement.name)
        node = self._node(nodes.Decide, statement, context, site=site)
        if statement.or_stop:
            builder.ends = [(node, Edge.NONE)]
            self._leave(statement, context, context.own, "or stop")
            builder.ends = [(node, Edge.NEXT)]

    def _may(self, statement: model.May, context: BlockContext) -> None:
        builder = self.builder
        node = builder.emit(
            nodes.Decide,
            shown("may", statement.label),
            statement.span,
            context,
            statement,
            site=builder.site(context, "may"),
        )
        builder.ends = [(node, Edge.YES)]
        self.block(statement.block, context)
        builder.ends.append((node, Edge.NO))

    def _either(self, statement: model.Either, context: BlockContext) -> None:
        builder = self.builder
        label = "either " + " or ".join(one_line(arm.label.span) for arm in statement.arms)
        node = builder.emit(
            nodes.Decide,
            label,
            statement.span,
            context,
            statement,
            site=builder.site(context, "either"),
        )
        ends = []
        for number, arm in enumerate(statement.arms):
            builder.ends = [(node, nodes.arm(number))]
            self.block(arm.block, context)
            ends += builder.ends
        if statement.taken is not None:
            builder.ends = [(node, Edge.TAKEN)]
            self.block(statement.taken, context)
            ends += builder.ends
        builder.ends = ends

    # ------------------------------------------------------------------------------- branches and loops

    def _if(self, statement: model.If, context: BlockContext) -> None:
        builder = self.builder
        ends = []
        for branch in statement.branches:
            node = builder.emit(
                nodes.Branch,
                shown("if", branch.condition),
                branch.condition.span,
                context,
                branch.condition,
            )
            builder.ends = [(node, Edge.YES)]
            self.block(branch.block, context)
            ends += builder.ends
            builder.ends = [(node, Edge.NO)]
        self.block(statement.otherwise, context)
        builder.ends += ends

    def _loop(
        self,
        kind: type[nodes.Node],
        label: str,
        statement: model.ForEach | model.Repeat | model.As,
        context: BlockContext,
        draw: Callable[[BlockContext], None] | None = None,
    ) -> None:
        """Draw a loop over the block of a statement, or over what `draw` draws."""
        builder = self.builder
        head = builder.emit(kind, label, statement.span, context, statement)
        builder.ends = [(head, Edge.BODY)]
        inside = attrs.evolve(context, loops=(*context.loops, head))
        if draw is None:
            self.block(statement.block, inside)
        else:
            draw(inside)
        for end in builder.ends:
            builder.tie(end, head)
        endless = isinstance(statement, model.Repeat) and statement.word == "for ever"
        builder.ends = [] if endless else [(head, Edge.DONE)]

    # --------------------------------------------------------------------------------- named steps, stop

    def _named_step(self, statement: model.NamedStep, context: BlockContext) -> None:
        builder = self.builder
        span = statement.span.slice(0, len(_first_line(statement.span)))
        builder.emit(nodes.StepBegin, f"step {statement.name}", span, context, statement)
        inside = attrs.evolve(context, place=f"{context.unit}.{statement.name}")
        amendments = self.game.step_amendments.get(statement.id, ())
        levels = self.amended(statement.id, statement.block, amendments, inside, span, step=True)
        builder.finishing[statement.id] = levels[0]
        end = builder.emit(nodes.StepEnd, f"step {statement.name}", span, context, step=statement)
        for level in levels:
            level.end = end

    def amended(
        self,
        id: str,
        block: model.Block,
        amendments: tuple[model.Amendment, ...],
        context: BlockContext,
        span: Span,
        *,
        step: bool = False,
    ) -> list[StopLevel]:
        """Draw a verb or step: all `before`, the innermost `instead` that holds or the body, all
        `after`. Return its levels: the one of the body first, then one for each `after`."""
        builder = self.builder
        whole = StopLevel(id, context.loops)
        levels = [whole]
        # `stop` in a step leaves the whole verb.
        own = context.own if step else whole
        inside = attrs.evolve(context, levels=(*context.levels, whole), own=own)
        self._count(id, 1, span, inside)
        for moment in moments(amendments, "before"):
            self._moment(moment, inside)
        self._body(whole, block, amendments, inside)
        builder.close(whole)
        for moment in moments(amendments, "after"):
            rest = StopLevel(id, context.loops)
            levels.append(rest)
            self._moment(moment, attrs.evolve(context, levels=(*context.levels, rest)))
            builder.close(rest)
        self._count(id, -1, span, context)
        return levels

    def _count(self, id: str, by: int, span: Span, context: BlockContext) -> None:
        """Draw that a verb or step of which a `during` speaks begins or has ended."""
        for step in counting(self.game, id, by, span):
            label = f"{id} {'begins' if by > 0 else 'has ended'}"
            self.builder.emit(nodes.Effect, label, span, context, step)
            self.watches(step, context)

    def _body(
        self,
        whole: StopLevel,
        block: model.Block,
        amendments: tuple[model.Amendment, ...],
        context: BlockContext,
    ) -> None:
        builder = self.builder
        ends: list[End] = []
        for amendment in reversed(amendments):
            if amendment.timing != "instead":
                continue
            skip = self._spoken(amendment, context)
            self._content(amendment, attrs.evolve(context, own=whole))
            if not amendment.sometimes:
                # What it replaces can never run.
                builder.ends += ends
                return
            ends += builder.ends
            builder.ends = skip
        self.block(block, context)
        builder.ends += ends

    def _amendment(self, amendment: model.Amendment, context: BlockContext) -> None:
        """Draw a `before` or `after` block, which `stop` leaves by itself."""
        builder = self.builder
        skip = self._guard(amendment, context)
        own = StopLevel("", context.loops)
        self._content(amendment, attrs.evolve(context, levels=(*context.levels, own), own=own))
        builder.close(own)
        builder.ends += skip

    def _moment(self, moment: tuple[model.Amendment, ...], context: BlockContext) -> None:
        """Draw the amendments of one moment: one, or powers that are borne by the same things."""
        bearers = [one.bearers for one in moment if one.bearers is not None]
        if not bearers:
            self._amendment(moment[0], context)
            return
        name, those = any_of(bearers)
        span = moment[0].span.slice(0, len(_first_line(moment[0].span)))
        loop = model.ForEach(span=span, name=name, source=those, block=())
        label = "for each " + " and ".join(dict.fromkeys(of.label for of in bearers))
        title = moment[0].title if len(moment) == 1 else ""
        around = attrs.evolve(context, title=title, see=moment[0].see or context.see)

        def draw(inside: BlockContext) -> None:
            for amendment, of in zip(moment, bearers, strict=True):
                self._power(amendment, of, name, inside)
            # Somewhere to go on for what is stopped.
            self.builder.emit(nodes.Skip, "", span, inside)

        self._loop(nodes.Loop, label, loop, around, draw)

    def _power(
        self,
        amendment: model.Amendment,
        bearers: model.Bearers,
        name: str,
        context: BlockContext,
    ) -> None:
        """Draw what a power does for one of its bearers, if that lies there still."""
        builder, span = self.builder, bearers.those.span
        if bearers.name != name:
            builder.emit(nodes.Let, bearers.label, span, context, meaning(bearers, name))
        test = still_lies(bearers, bearers.name == name)
        node = builder.emit(nodes.Branch, bearers.label, span, context, test, ends=(Edge.YES,))
        self._amendment(amendment, context)
        builder.ends.append((node, Edge.NO))

    def _spoken(self, amendment: model.Amendment, context: BlockContext) -> list[End]:
        """Draw the question whether an `instead of` holds; of several bearers the last one speaks."""
        bearers, guard = amendment.bearers, amendment.guard
        if bearers is None:
            return self._guard(amendment, context)
        builder, span, see = self.builder, bearers.those.span, amendment.see
        named, found = last_of(bearers, guard)
        builder.emit(nodes.Let, bearers.label, span, context, named, see=see)
        label = bearers.label if guard is None else shown("when", guard)
        node = builder.emit(nodes.Branch, label, span, context, found, see=see, ends=(Edge.YES,))
        builder.nodes[node].more["title"] = amendment.title
        return [(node, Edge.NO)]

    def _guard(self, amendment: model.Amendment, context: BlockContext) -> list[End]:
        guard = amendment.guard
        if guard is None:
            return []
        node = self.builder.emit(
            nodes.Branch,
            shown("when", guard),
            guard.span,
            context,
            guard,
            see=amendment.see,
            ends=(Edge.YES,),
        )
        self.builder.nodes[node].more["title"] = amendment.title
        return [(node, Edge.NO)]

    def _content(self, amendment: model.Amendment, context: BlockContext) -> None:
        context = attrs.evolve(context, title=amendment.title, see=amendment.see or context.see)
        span = amendment.span.slice(0, len(_first_line(amendment.span)))
        self.builder.emit(nodes.Mark, one_line(span), span, context, amendment)
        self.block(amendment.block, context)

    def _stop(self, statement: model.Stop, context: BlockContext) -> None:
        if statement.target is None:
            self._leave(statement, context, context.own, one_line(statement.span))
            return
        for level in reversed(context.levels):
            if level.id in statement.target:
                self._leave(statement, context, level, one_line(statement.span))
                return
        # Some verb that has called this one; which one is known when it runs.
        self._node(nodes.Stop, statement, context, ends=(), targets=statement.target)

    def _leave(
        self, statement: model.Statement, context: BlockContext, target: StopLevel, label: str
    ) -> None:
        self.builder.stop(label, statement.span, context, statement, target)


def _first_line(span: Span) -> str:
    return span.text.splitlines()[0] if span.text else ""
