"""From parse trees to nodes: defines, verbs, amendments and steps.

The children of a tree are positional: an optional part that is missing is `None`. Each line ends
with its citation or `None`, so most functions take that off first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import Rules, Sections, TreeBuilder
from rulewright.dsl.text.source import join

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

_HOW: dict[str, Literal["to", "by", "at most", "at least"]] = {
    "to": "to",
    "by": "by",
    "to at most": "at most",
    "to at least": "at least",
}
_TIMING: dict[str, Literal["before", "after", "instead"]] = {
    "before": "before",
    "after": "after",
    "instead": "instead",
}

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


# --------------------------------------------------------------------------------------- definitions


@RULES.add
def define(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Define:
    name, *params, value_type, body = children
    head, *lets, value, last = _body(builder, body)
    return nodes.Define(
        span=builder.span(tree),
        name=builder.word(name),
        parameters=builder.parameters(params),
        type=builder.optional_type(value_type),
        lets=builder.build_all(lets),
        value=builder.build(value),
        see=builder.see(head, last),
    )


def _body(builder: TreeBuilder, body: Tree[Token]) -> list[Any]:
    # A body of one line has no line for its head to cite in.
    return body.children if body.data == "body_block" else [None, *body.children]


@RULES.add
def tally(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Tally:
    first = next(i for i, child in enumerate(children) if _is_tree(child, "tally_line"))
    name, *params, value_type, see = children[:first]
    return nodes.Tally(
        span=builder.span(tree),
        name=builder.word(name),
        parameters=builder.parameters(params),
        type=builder.optional_type(value_type),
        lines=builder.build_all(children[first:]),
        see=builder.see(see),
    )


@RULES.add
def tally_line(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.TallyLine:
    name, value, see = children
    return nodes.TallyLine(
        span=builder.span(tree),
        name=builder.word(name),
        value=builder.build(value),
        see=builder.see(see),
    )


@RULES.add
def param(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Parameter:
    name, value_type, default = children
    return nodes.Parameter(
        span=builder.span(tree),
        name=builder.word(name),
        type=builder.optional_type(value_type),
        default=builder.build_optional(default),
    )


@RULES.add
def verb(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Verb:
    name, param, *places, label, see, block = children
    return nodes.Verb(
        span=builder.span(tree),
        name=builder.word(name),
        object=builder.build_optional(param),
        places=builder.build_all(places),
        label=builder.optional_text(label),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def verb_place(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.VerbPlace:
    preposition, parameter = children
    return nodes.VerbPlace(
        span=builder.span(tree),
        preposition=str(preposition.children[0]),
        parameter=builder.build(parameter),
    )


# ---------------------------------------------------------------------------------------- amendments


@RULES.add
def as_soon_as(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.AsSoonAs:
    condition, see, block = children
    return nodes.AsSoonAs(
        span=builder.span(tree),
        condition=builder.build(condition),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def during(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.During:
    targets, guard, see, *items = children
    return nodes.During(
        span=builder.span(tree),
        targets=builder.build_all(targets.children),
        guard=builder.build_optional(guard),
        items=builder.build_all(items),
        see=builder.see(see),
    )


@RULES.add
def change(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Change:
    target, how, value, guard, see = children
    return nodes.Change(
        span=builder.span(tree),
        target=builder.build(target),
        how=_HOW[" ".join(how.children)],
        value=builder.build(value),
        guard=builder.build_optional(guard),
        see=builder.see(see),
    )


@RULES.add
def around(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Around:
    timing, targets, guard, see, block = children
    return nodes.Around(
        span=builder.span(tree),
        timing=_TIMING[timing.children[0]],
        targets=builder.build_all(targets.children),
        guard=builder.build_optional(guard),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def offer(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Offer:
    label, guard, see, block = children
    return nodes.Offer(
        span=builder.span(tree),
        label=builder.text(label),
        guard=builder.build_optional(guard),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def target(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Target:
    return nodes.Target(span=builder.span(tree), words=builder.words(children))


# --------------------------------------------------------------------------------------------- steps


@RULES.add
def let(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Let:
    name, value, see = children
    return nodes.Let(
        span=builder.span(tree),
        name=builder.word(name),
        value=builder.build(value),
        see=builder.see(see),
    )


@RULES.add
def command(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Command:
    return _command(builder, tree, None, children)


@RULES.add
def command_of(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Command:
    return _command(builder, tree, builder.word(children[0]), children[1:])


def _command(
    builder: TreeBuilder, tree: Part, instance: nodes.Word | None, children: list[Any]
) -> nodes.Command:
    verb, thing, *places, see = children
    if _is_tree(thing, "grouped") and verb.end_pos == thing.meta.start_pos:
        builder.report(
            "RW101",
            builder.between(verb.end_pos, verb.end_pos + 1),
            "verbs have no brackets",
            help=f"write a blank: `{verb} …`",
            found="`(`",
        )
    return nodes.Command(
        span=builder.span(tree),
        instance=instance,
        verb=builder.word(verb),
        object=builder.build_optional(thing),
        places=builder.build_all(places),
        see=builder.see(see),
    )


@RULES.add
def place(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Place:
    preposition, value = children
    return nodes.Place(
        span=builder.span(tree),
        preposition=str(preposition.children[0]),
        value=builder.build(value),
    )


@RULES.add
def choose(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Choose:
    quantity, name, source, *clauses = children
    return nodes.Choose(
        span=builder.span(tree),
        quantity=builder.build_optional(quantity),
        name=builder.word(name),
        source=builder.build(source),
        **_clauses(builder, clauses),
    )


@RULES.add
def choose_split(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ChooseSplit:
    name, total, over, cap, *clauses = children
    return nodes.ChooseSplit(
        span=builder.span(tree),
        name=builder.word(name),
        total=builder.build(total),
        over=builder.build(over),
        cap=None if cap is None else builder.build(cap.children[0]),
        **_clauses(builder, clauses),
    )


def _clauses(builder: TreeBuilder, parts: list[Any]) -> dict[str, Any]:
    """Return the clauses of a `choose` and the citations of its lines, by field."""
    found: dict[str, Any] = {"such_that": None, "ask": None, "or_stop": False}
    for part in parts:
        if part is None or isinstance(part, str):
            continue
        if part.data == "such_that":
            found["such_that"] = _both(builder, found["such_that"], builder.build(part.children[0]))
            continue
        if found[part.data]:
            _said_twice(builder, part, part.data.replace("_", " "))
        found[part.data] = part.data == "or_stop" or builder.text(part.children[0])
    found["see"] = builder.see(*[part for part in parts if not hasattr(part, "data")])
    return found


def _both(
    builder: TreeBuilder, first: nodes.Expression | None, second: nodes.Expression
) -> nodes.Expression:
    # Every `such that` must hold; on lines of their own they read better than one long `and`.
    if first is None:
        return second
    span = join(first.span, second.span)
    return nodes.Binary(span=span, word="and", left=first, right=second)


def _said_twice(builder: TreeBuilder, part: Part, words: str) -> None:
    builder.report(
        "RW101",
        builder.span(part),
        "said twice",
        help=f"take one `{words}` out",
        found=f"a second `{words}`",
    )


@RULES.add
def exactly(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantity:
    value = builder.build(children[0])
    return nodes.Quantity(span=builder.span(tree), word="count", value=value)


@RULES.add
def up_to(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantity:
    value = builder.build(children[0])
    return nodes.Quantity(span=builder.span(tree), word="up_to", value=value)


@RULES.add
def any_number(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantity:
    return nodes.Quantity(span=builder.span(tree), word="any", value=None)


@RULES.add
def in_order(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantity:
    return nodes.Quantity(span=builder.span(tree), word="ordered", value=None)


@RULES.add
def may(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.May:
    label, see, block = children
    return nodes.May(
        span=builder.span(tree),
        label=builder.text(label),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def either(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Either:
    question, *arms = children
    ask, see = (None, ()) if question is None else builder.build(question)
    return nodes.Either(span=builder.span(tree), ask=ask, arms=builder.build_all(arms), see=see)


@RULES.add
def question(builder: TreeBuilder, tree: Part, children: list[Any]) -> tuple[nodes.Text, Sections]:
    text, see = children
    return builder.text(text), builder.see(see)


@RULES.add
def arm(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Arm:
    label, guard, see, block = children
    return nodes.Arm(
        span=builder.span(tree),
        label=builder.text(label),
        guard=builder.build_optional(guard),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def if_(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.If:
    *branches, otherwise = children
    see, block = otherwise.children if otherwise is not None else (None, None)
    return nodes.If(
        span=builder.span(tree),
        branches=builder.build_all(branches),
        otherwise=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def branch(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Branch:
    condition, see, block = children
    return nodes.Branch(
        span=builder.span(tree),
        condition=builder.build(condition),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def for_each(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ForEach:
    name, source, see, block = children
    return nodes.ForEach(
        span=builder.span(tree),
        name=builder.word(name),
        source=builder.build(source),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def repeat(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Repeat:
    loop, see, block = children
    return nodes.Repeat(
        span=builder.span(tree),
        word="for ever" if loop is None else loop.data.removeprefix("loop_"),
        value=None if loop is None else builder.build(loop.children[0]),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def as_(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.As:
    players, together, see, block = children
    return nodes.As(
        span=builder.span(tree),
        players=builder.build(players),
        together=together is not None,
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def need(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Need:
    condition, reason, see = children
    return nodes.Need(
        span=builder.span(tree),
        condition=builder.build(condition),
        reason=builder.text(reason),
        see=builder.see(see),
    )


@RULES.add
def step_block(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.StepBlock:
    name, see, block = children
    return nodes.StepBlock(
        span=builder.span(tree),
        name=builder.word(name),
        block=builder.block_of(block),
        see=builder.see(see),
    )


@RULES.add
def until(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Until:
    target, change = children
    return nodes.Until(
        span=builder.span(tree), target=builder.build(target), change=builder.build(change)
    )


@RULES.add
def do_value(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.DoValue:
    value, see = children
    return nodes.DoValue(span=builder.span(tree), value=builder.build(value), see=builder.see(see))


@RULES.add
def end_game(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.EndGame:
    reason, see = children
    return nodes.EndGame(
        span=builder.span(tree), reason=builder.optional_text(reason), see=builder.see(see)
    )


@RULES.add
def stop(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Stop:
    target, see = children
    return nodes.Stop(
        span=builder.span(tree), target=builder.optional_word(target), see=builder.see(see)
    )


def _is_tree(part: Any, data: str) -> bool:
    return getattr(part, "data", None) == data
