"""Type checking steps.

A name may be used where every way to the place has set it: a branch or loop adds names that are
known but unset behind it. The core verbs have a module of their own (`core_verbs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER, TEXT, ListType, Type
from rulewright.dsl.model.visitor import leaves
from rulewright.dsl.resolve.symbols import MenuText, StepDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.visitor import blocks_in
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.typecheck import choices, core_verbs, lists, places, until
from rulewright.dsl.typecheck.choices import may_end_here, set_local
from rulewright.dsl.typecheck.constants import always_met
from rulewright.dsl.typecheck.context import Body, element_facts, slot_thing
from rulewright.dsl.typecheck.facts import refuted, tested
from rulewright.dsl.typecheck.name_lookup import find_verbs


def block(body: Body, steps: nodes.Block) -> model.Block:
    """Return the checked statements of a block; what is known at its end stays known."""
    read: list[model.Statement] = []
    for node in steps:
        if isinstance(node, nodes.May | nodes.Either):
            body.forget_offered()
        statement = step(body, node)
        if not blocks_in(node):
            # A step with blocks keeps track of what these write: see `_branches`.
            body.forget_written((node,))
        if statement is not None:
            read.append(statement)
            _learn(body, statement)
    return tuple(read)


def _learn(body: Body, statement: model.Statement) -> None:
    """Keep track of what is not none behind a statement."""
    match statement:
        case model.Need(condition=condition):
            body.known |= tested(condition)
        case model.Set(place=model.FieldPlace() as place, value=value) if not isinstance(
            value.type, types.OptionalType | types.NothingType
        ):
            body.known |= {
                model.Read(type=place.type, span=place.span, field=place.field, target=place.target)
            }
        case _:
            pass


# -------------------------------------------------------------------------------- ways of a verb


@attrs.frozen
class _FlowState:
    """What is so at a place: all names so far, those that not every way has set, and what has been
    tested for none."""

    names: dict[str, Type]
    unset: set[str]
    known: frozenset[model.Expression]
    facts: dict[str, frozenset[str]]

    @staticmethod
    def of(body: Body) -> _FlowState:
        return _FlowState(dict(body.locals), set(body.unset), body.known, dict(body.facts))

    def restore(self, body: Body) -> None:
        body.locals, body.unset = dict(self.names), set(self.unset)
        body.known, body.facts = self.known, dict(self.facts)


def _branches(body: Body, readers: Iterable[Callable[[], model.Block]], *, all_ways: bool) -> None:
    """Read alternatives from the same start; behind them holds what holds at the end of each.

    `all_ways`: one of the alternatives certainly happens; otherwise none may happen.
    """
    start = _FlowState.of(body)
    ends: list[_FlowState] = [] if all_ways else [start]
    names = dict(start.names)
    for read in readers:
        start.restore(body)
        left = leaves(read())
        for name, type_ in body.locals.items():
            names.setdefault(name, type_)
        if not left:
            ends.append(_FlowState.of(body))
    unset = {
        name for name in names if any(name not in end.names or name in end.unset for end in ends)
    }
    start.restore(body)
    body.locals, body.unset = names, unset
    if ends:
        body.known = frozenset.intersection(*(end.known for end in ends))
        body.facts = {
            local: frozenset.intersection(*(end.facts[local] for end in ends))
            for local in ends[0].facts
            if all(local in end.facts for end in ends)
        }


# ------------------------------------------------------------------------------------- statements


def step(body: Body, node: nodes.Step) -> model.Statement | None:
    """Return one checked statement, or None after a report."""
    match node:
        case nodes.Let():
            return _let(body, node)
        case nodes.Command():
            return core_verbs.command(body, node)
        case nodes.Choose():
            return choices.choose(body, node)
        case nodes.ChooseSplit():
            return choices.choose_split(body, node)
        case nodes.May():
            return _may(body, node)
        case nodes.Either():
            return _either(body, node)
        case nodes.If():
            return _if(body, node)
        case nodes.ForEach():
            return _for_each(body, node)
        case nodes.Repeat():
            return _repeat(body, node)
        case nodes.As():
            return _as(body, node)
        case nodes.Need():
            condition = body.typed(node.condition, FLAG)
            reason = body.typed(node.reason, TEXT)
            met = always_met(condition, node.span)
            if met is not None:
                body.report.add(met)
            return model.Need(span=node.span, see=node.see, condition=condition, reason=reason)
        case nodes.StepBlock():
            return _named_step(body, node)
        case nodes.Until():
            return until.until(body, node)
        case nodes.DoValue():
            return _do(body, node)
        case nodes.EndGame():
            return _end_game(body, node)
        case nodes.Stop():
            return _stop(body, node)


def _let(body: Body, node: nodes.Let) -> model.Statement:
    value = places.with_chance(body, node.value, None)
    type_ = types.UNKNOWN if lists.hides_instance(body, node.name) else value.type
    if isinstance(type_, types.ZoneType) and type_.shape != "slot":
        type_ = ListType(type_.kind)
    elif isinstance(type_, types.ZoneType):
        value = slot_thing(value)
        type_ = value.type
    name = set_local(body, node.name, type_)
    body.facts = {**body.facts, name: element_facts(body, value)}
    return model.Let(span=node.span, see=node.see, name=name, value=value)


def _may(body: Body, node: nodes.May) -> model.Statement:
    body.use_me(node.span, "may")
    label = body.typed(node.label, TEXT)
    body.world.labels.append(MenuText.of(node.label, optional=True))
    read: list[model.Block] = []
    _branches(body, [_reader(body, node.block, read)], all_ways=False)
    return model.May(span=node.span, see=node.see, label=label, block=read[0])


def _reader(body: Body, steps: nodes.Block, into: list[model.Block]) -> Callable[[], model.Block]:
    def read() -> model.Block:
        into.append(block(body, steps))
        return into[-1]

    return read


def _either(body: Body, node: nodes.Either) -> model.Statement:
    body.use_me(node.span, "either")
    ask = None if node.ask is None else body.typed(node.ask, TEXT)
    heads: list[tuple[model.Expression, model.Expression | None]] = []
    blocks: list[model.Block] = []

    def arm(one: nodes.Arm) -> Callable[[], model.Block]:
        def read() -> model.Block:
            guard = None if one.guard is None else body.typed(one.guard, FLAG)
            heads.append((body.typed(one.label, TEXT), guard))
            with body.knowing(frozenset() if guard is None else tested(guard)):
                blocks.append(block(body, one.block))
            return blocks[-1]

        return read

    _branches(body, [arm(one) for one in node.arms], all_ways=True)
    labels: dict[str, nodes.Text] = {}
    for one in node.arms:
        body.world.labels.append(MenuText.of(one.label, optional=False))
        first = labels.setdefault(one.label.raw, one.label)
        if first is not one.label:
            body.complain(
                "RW202",
                one.label.span,
                "nobody can tell them apart",
                secondary=(Label(first.span, "the first one"),),
                kind="arm",
                name=one.label.raw,
            )
    arms = tuple(
        model.Arm(span=one.span, see=one.see, label=label, guard=guard, block=inner)
        for one, (label, guard), inner in zip(node.arms, heads, blocks, strict=True)
    )
    return model.Either(span=node.span, see=node.see, ask=ask, arms=arms)


def _if(body: Body, node: nodes.If) -> model.Statement:
    conditions: list[model.Expression] = []
    blocks: list[model.Block] = []

    def branch(one: nodes.Branch) -> Callable[[], model.Block]:
        def read() -> model.Block:
            for earlier in conditions:
                body.known |= refuted(earlier)
            condition = body.typed(one.condition, FLAG)
            conditions.append(condition)
            body.known |= tested(condition)
            blocks.append(block(body, one.block))
            return blocks[-1]

        return read

    def otherwise() -> model.Block:
        for earlier in conditions:
            body.known |= refuted(earlier)
        blocks.append(block(body, node.otherwise))
        return blocks[-1]

    # Without an `else` there is still a way that leads past all branches.
    _branches(body, [*(branch(one) for one in node.branches), otherwise], all_ways=True)
    branches = tuple(
        model.Branch(span=one.span, see=one.see, condition=condition, block=inner)
        for one, condition, inner in zip(node.branches, conditions, blocks, strict=False)
    )
    return model.If(span=node.span, see=node.see, branches=branches, otherwise=blocks[-1])


def _for_each(body: Body, node: nodes.ForEach) -> model.Statement:
    source, held = lists.source_of(body, node.source, coming=node.name.text)
    lists.check_hiding(body, node.name)
    facts = element_facts(body, source)
    local = body.local_name(node.name.text)
    read: list[model.Block] = []

    def inner() -> model.Block:
        body.locals[node.name.text] = held
        body.unset.discard(node.name.text)
        body.facts = {**body.facts, local: facts}
        body.forget_written(node.block)
        read.append(block(body, node.block))
        del body.locals[node.name.text]
        return read[-1]

    _branches(body, [inner], all_ways=False)
    return model.ForEach(span=node.span, see=node.see, name=local, source=source, block=read[0])


def _repeat(body: Body, node: nodes.Repeat) -> model.Statement:
    value: model.Expression | None = None
    if node.word != "times":
        # The condition is looked at before each pass.
        body.forget_written(node.block)
    if node.value is not None:
        value = body.typed(node.value, NUMBER if node.word == "times" else FLAG)
    read: list[model.Block] = []

    def inner() -> model.Block:
        body.forget_written(node.block)
        if value is not None:
            body.known |= _test(node, value, passing=True)
        read.append(block(body, node.block))
        return read[-1]

    _branches(body, [inner], all_ways=False)
    if value is not None:
        body.known |= _test(node, value, passing=False)
    return model.Repeat(span=node.span, see=node.see, word=node.word, value=value, block=read[0])


def _test(
    node: nodes.Repeat, value: model.Expression, *, passing: bool
) -> frozenset[model.Expression]:
    """Return what the condition of a loop tells in a pass, or behind the last one."""
    if node.word not in ("while", "until"):
        return frozenset()
    return tested(value) if passing == (node.word == "while") else refuted(value)


def _as(body: Body, node: nodes.As) -> model.Statement | None:
    players = core_verbs.players(body, node.players)
    saved = (body.uses_me, body.me_span, body.me, body.known)
    body.me = True
    if body.verb is not None:
        calls = body.verb.calls
        body.verb.calls = []
    body.known = frozenset(one for one in body.known if not _about_me(one))
    body.forget_written(node.block)
    read: list[model.Block] = []
    _branches(body, [_reader(body, node.block, read)], all_ways=False)
    body.uses_me, body.me_span, body.me, body.known = saved
    body.forget_written(node.block)
    if body.verb is not None:
        body.verb.calls = calls
    return model.As(
        span=node.span, see=node.see, players=players, block=read[0], together=node.together
    )


def _about_me(one: model.Expression) -> bool:
    return not isinstance(one, model.Local) and not (
        isinstance(one, model.Read) and isinstance(one.target, model.Local | type(None))
    )


def _named_step(body: Body, node: nodes.StepBlock) -> model.Statement:
    verb = body.verb
    prefix = verb.id if verb is not None else ""
    identity = f"{prefix}.{node.name.text}"
    if verb is not None:
        known = body.world.steps.setdefault(node.name.text, [])
        if any(one.id == identity for one in known):
            body.complain("RW202", node.name.span, kind="step", name=node.name.text)
        before = {
            name: type_
            for name, type_ in body.locals.items()
            if name in body.chosen and name not in body.unset
        }
        known.append(StepDeclaration(identity, node.name.text, verb, node.name.span, before))
    read = block(body, node.block)
    # Its amendments may write more than its block.
    body.forget_written((attrs.evolve(node, block=()),))
    return model.NamedStep(
        span=node.span, see=node.see, id=identity, name=node.name.text, block=read
    )


def _do(body: Body, node: nodes.DoValue) -> model.Statement:
    value = body.typed(node.value, types.VERB)
    if isinstance(value, model.VerbOf):
        verbs = [verb for verb in body.world.all_verbs() if verb.id in value.verbs]
        if len(verbs) == 1 and not value.arguments:
            core_verbs.called(body, verbs[0], node.span)
            return model.CallVerb(span=node.span, see=node.see, verb=verbs[0].id, arguments=())
    return model.Do(span=node.span, see=node.see, value=value)


def _end_game(body: Body, node: nodes.EndGame) -> model.Statement:
    reason: model.Expression | None = None
    if node.reason is not None:
        reason = body.typed(node.reason, TEXT)
        if isinstance(reason, model.Constant) and isinstance(reason.value, str):
            body.world.end_reasons.setdefault(reason.value, node.reason.span)
        else:
            body.world.open_reasons = True
    return model.EndGame(span=node.span, see=node.see, reason=reason)


def _stop(body: Body, node: nodes.Stop) -> model.Statement:
    if node.target is None:
        may_end_here(body)
        return model.Stop(span=node.span, see=node.see, target=None)
    text = node.target.text
    targets = [verb.id for verb in find_verbs(body, text)] + body.world.step_ids.get(text, [])
    if not targets:
        names = [verb.name for verb in body.world.all_verbs()]
        body.unknown_name("RW219", node.target, [*names, *body.world.step_ids])
    return model.Stop(span=node.span, see=node.see, target=tuple(targets))
