"""From parse trees to nodes: examples and their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import Rules, TreeBuilder

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


@RULES.add
def example(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Example:
    title, present, absent, see, *lines = children
    return nodes.Example(
        span=builder.span(tree),
        title=builder.text(title),
        present=() if present is None else builder.texts(present.children),
        absent=() if absent is None else builder.texts(absent.children),
        lines=builder.build_all(lines),
        see=builder.see(see),
    )


@RULES.add
def example_players(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExamplePlayers:
    *names, see = children
    return nodes.ExamplePlayers(
        span=builder.span(tree), names=builder.words(names), see=builder.see(see)
    )


@RULES.add
def given(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Given:
    place, value, see = children
    return nodes.Given(
        span=builder.span(tree),
        place=builder.build(place),
        value=builder.compared(value),
        see=builder.see(see),
    )


@RULES.add
def given_holds(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.GivenHolds:
    place, *holdings, see = children
    return nodes.GivenHolds(
        span=builder.span(tree),
        place=builder.build(place),
        holdings=builder.build_all(holdings),
        see=builder.see(see),
    )


@RULES.add
def some_of(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.SomeOf:
    number, kind, condition = children
    return nodes.SomeOf(
        span=builder.span(tree),
        number=builder.number(number),
        kind=builder.word(kind),
        condition=builder.build_optional(condition),
    )


@RULES.add
def some_new(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.SomeNew:
    number, kind, *arguments = children
    span = builder.span(tree)
    thing = nodes.New(
        span=span.slice(span.text.index(kind.value), len(span.text)),
        kind=builder.word(kind),
        arguments=builder.arguments(arguments),
    )
    return nodes.SomeNew(span=span, number=builder.number(number), thing=thing)


@RULES.add
def chance(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ChanceLine:
    *outcomes, see = children
    return nodes.ChanceLine(
        span=builder.span(tree), outcomes=builder.build_all(outcomes), see=builder.see(see)
    )


@RULES.add
def do(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Do:
    return nodes.Do(**_answers(builder, tree, *children))


@RULES.add
def allow(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Allow:
    return nodes.Allow(**_answers(builder, tree, *children))


@RULES.add
def refuse(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Refuse:
    player, answers, reason, see = children
    return nodes.Refuse(
        **_answers(builder, tree, player, answers, see), reason=builder.optional_text(reason)
    )


def _answers(builder: TreeBuilder, tree: Part, player: Any, answers: Any, see: Any) -> Any:
    """Return what `do`, `allow` and `refuse` have in common, by the names of the fields."""
    return {
        "span": builder.span(tree),
        "player": builder.word(player),
        "answers": builder.build_all(answers.children),
        "see": builder.see(see),
    }


@RULES.add
def expect(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Expect:
    condition, see = children
    return nodes.Expect(
        span=builder.span(tree), condition=builder.build(condition), see=builder.see(see)
    )


@RULES.add
def expect_seen(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExpectSeen:
    return _expect_seen(builder, tree, children, seen=True)


@RULES.add
def expect_unseen(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExpectSeen:
    return _expect_seen(builder, tree, children, seen=False)


def _expect_seen(
    builder: TreeBuilder, tree: Part, children: list[Any], seen: bool
) -> nodes.ExpectSeen:
    player, *values, see = children
    return nodes.ExpectSeen(
        span=builder.span(tree),
        player=builder.word(player),
        values=builder.build_all(values),
        seen=seen,
        see=builder.see(see),
    )


@RULES.add
def expect_told(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExpectTold:
    return _expect_told(builder, tree, children, told=True)


@RULES.add
def expect_untold(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExpectTold:
    return _expect_told(builder, tree, children, told=False)


def _expect_told(
    builder: TreeBuilder, tree: Part, children: list[Any], told: bool
) -> nodes.ExpectTold:
    player, text, see = children
    return nodes.ExpectTold(
        span=builder.span(tree),
        player=builder.word(player),
        text=builder.text(text),
        told=told,
        see=builder.see(see),
    )


@RULES.add
def named_answer(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.NamedAnswer:
    name, value = children
    return nodes.NamedAnswer(
        span=builder.span(tree), name=builder.word(name), value=builder.build(value)
    )


@RULES.add
def decline(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Decline:
    return nodes.Decline(span=builder.span(tree), label=builder.text(children[0]))
