"""From parse trees to nodes: defines, verbs, amendments and steps.

The children of a tree are positional: an optional part that is missing is `None`. Each line ends
with its citation or `None`, so most functions take that off first.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import (
    BLOCK,
    FLAG,
    INNER,
    KEYWORD,
    OPTIONAL_TEXT,
    OPTIONAL_TYPE,
    OPTIONAL_VALUE,
    OPTIONAL_WORD,
    SEE,
    TEXT,
    VALUE,
    VALUES,
    WORD,
    WORDS,
    Rules,
    Sections,
    TreeBuilder,
)
from rulewright.dsl.text.source import join

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


# --------------------------------------------------------------------------------------- definitions


@RULES.add
def define(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Define:
    name, *params, value_type, body = children
    # A body of one line has no line for its head to cite in.
    lines = body.children if body.data == "body_block" else [None, *body.children]
    head, *lets, value, last = lines
    return nodes.Define(
        span=builder.span(tree),
        name=builder.word(name),
        parameters=builder.parameters(params),
        type=builder.optional_type(value_type),
        lets=builder.build_all(lets),
        value=builder.build(value),
        see=builder.see(head, last),
    )


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


RULES.node("tally_line", nodes.TallyLine, name=WORD, value=VALUE, see=SEE)
RULES.node("param", nodes.Parameter, name=WORD, type=OPTIONAL_TYPE, default=OPTIONAL_VALUE)
RULES.node(
    "verb",
    nodes.Verb,
    name=WORD,
    object=OPTIONAL_VALUE,
    places=VALUES,
    label=OPTIONAL_TEXT,
    see=SEE,
    block=BLOCK,
)
RULES.node("verb_place", nodes.VerbPlace, preposition=KEYWORD, parameter=VALUE)


# ---------------------------------------------------------------------------------------- amendments


RULES.node("as_soon_as", nodes.AsSoonAs, condition=VALUE, see=SEE, block=BLOCK)
RULES.node("during", nodes.During, targets=INNER, guard=OPTIONAL_VALUE, see=SEE, items=VALUES)


def _how(builder: TreeBuilder, tree: Any) -> str:
    """Return how a value is changed: `to`, `by`, `at most` or `at least`."""
    return " ".join(tree.children).removeprefix("to ")


RULES.node(
    "change", nodes.Change, target=VALUE, how=_how, value=VALUE, guard=OPTIONAL_VALUE, see=SEE
)
RULES.node(
    "around",
    nodes.Around,
    timing=KEYWORD,
    targets=INNER,
    guard=OPTIONAL_VALUE,
    see=SEE,
    block=BLOCK,
)
RULES.node("offer", nodes.Offer, label=TEXT, guard=OPTIONAL_VALUE, see=SEE, block=BLOCK)
RULES.node("target", nodes.Target, words=WORDS)


# --------------------------------------------------------------------------------------------- steps


RULES.node("let", nodes.Let, name=WORD, value=VALUE, see=SEE)


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


RULES.node("place", nodes.Place, preposition=KEYWORD, value=VALUE)


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


RULES.node("exactly", partial(nodes.Quantity, word="count"), value=VALUE)
RULES.node("up_to", partial(nodes.Quantity, word="up_to"), value=VALUE)
RULES.node("any_number", partial(nodes.Quantity, word="any", value=None))
RULES.node("in_order", partial(nodes.Quantity, value=None), word=KEYWORD)
RULES.node("may", nodes.May, label=TEXT, see=SEE, block=BLOCK)


@RULES.add
def either(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Either:
    question, *arms = children
    ask, see = (None, ()) if question is None else builder.build(question)
    return nodes.Either(span=builder.span(tree), ask=ask, arms=builder.build_all(arms), see=see)


@RULES.add
def question(builder: TreeBuilder, tree: Part, children: list[Any]) -> tuple[nodes.Text, Sections]:
    text, see = children
    return builder.text(text), builder.see(see)


RULES.node("arm", nodes.Arm, label=TEXT, guard=OPTIONAL_VALUE, see=SEE, block=BLOCK)


@RULES.add
def if_(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.If:
    *branches, otherwise = children
    see, block = otherwise.children if otherwise is not None else (None, None)
    return nodes.If(
        span=builder.span(tree),
        branches=builder.build_all(branches),
        otherwise=builder.build_inner(block),
        see=builder.see(see),
    )


RULES.node("branch", nodes.Branch, condition=VALUE, see=SEE, block=BLOCK)
RULES.node("for_each", nodes.ForEach, name=WORD, source=VALUE, see=SEE, block=BLOCK)


@RULES.add
def repeat(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Repeat:
    loop, see, block = children
    return nodes.Repeat(
        span=builder.span(tree),
        word="for ever" if loop is None else loop.data.removeprefix("loop_"),
        value=None if loop is None else builder.build(loop.children[0]),
        block=builder.build_inner(block),
        see=builder.see(see),
    )


RULES.node("as_", nodes.As, players=VALUE, together=FLAG, see=SEE, block=BLOCK)
RULES.node("need", nodes.Need, condition=VALUE, reason=TEXT, see=SEE)
RULES.node("step_block", nodes.StepBlock, name=WORD, see=SEE, block=BLOCK)
RULES.node("until", nodes.Until, target=VALUE, change=VALUE)
RULES.node("do_value", nodes.DoValue, value=VALUE, see=SEE)
RULES.node("end_game", nodes.EndGame, reason=OPTIONAL_TEXT, see=SEE)
RULES.node("stop", nodes.Stop, target=OPTIONAL_WORD, see=SEE)


def _is_tree(part: Any, data: str) -> bool:
    return getattr(part, "data", None) == data
