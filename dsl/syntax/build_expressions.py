"""From parse trees to nodes: expressions and types."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import (
    ARGUMENTS,
    KEYWORD,
    TYPE,
    VALUE,
    VALUES,
    WORD,
    WORDS,
    Rules,
    TreeBuilder,
)

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

_BINARY: dict[str, nodes.BinaryWord] = {
    "or_op": "or",
    "and_op": "and",
    "plus": "+",
    "minus": "-",
    "times": "*",
    "div": "/",
    "mod": "mod",
    "range_op": "..",
}

_ORDERS: dict[str, nodes.OrderWord] = {"having": "having", "sorted_by": "sorted"}
_QUANTIFIERS: dict[str, Literal["every", "some", "no"]] = {
    "every": "every",
    "some": "some",
    "no_one": "no",
}

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


@RULES.add
def formula(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Expression:
    node: nodes.Expression = builder.build(children[0])
    return node


RULES["grouped"] = formula


# --------------------------------------------------------------------------------------------- types


@RULES.add
def grouped_type(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.TypeNode:
    return builder.type_node(children[0])


RULES.node("optional", nodes.OptionalType, inner=TYPE)
RULES.node("of", nodes.OfType, word=KEYWORD, inner=TYPE)
RULES.node("one_of", nodes.OneOfType, values=WORDS)
RULES.node("per", nodes.PerType, value=TYPE, key=TYPE)
RULES.node("function_type", nodes.FunctionType, parameter=TYPE, result=TYPE)
RULES.node("number_from", partial(nodes.RangeType, high=None), base=KEYWORD, low=VALUE)
RULES.node("number_in", nodes.RangeType, base=KEYWORD, low=VALUE, high=VALUE)


# --------------------------------------------------------------------------------------------- atoms


RULES.node("me", nodes.Me)
RULES.node("it", nodes.It)
RULES.node("yes", partial(nodes.Flag, value=True))
RULES.node("no", partial(nodes.Flag, value=False))
RULES.node("none", nodes.NoneValue)
RULES.node("original", nodes.Original)


@RULES.add
def empty(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Empty:
    # Whoever may hold an `empty` builds it without coming here.
    builder.report(
        "RW101",
        builder.span(tree),
        "only after `is` or `is not`",
        help="an empty list is written `[]`",
        found="`empty`",
    )
    return nodes.Empty(span=builder.span(tree))


# -------------------------------------------------------------------------- members, calls and lists


RULES.node("attribute", nodes.Attribute, target=VALUE, name=WORD)
RULES.node("method", nodes.Method, target=VALUE, name=WORD, arguments=ARGUMENTS)


def _attribute(builder: TreeBuilder, tree: Tree[Token], children: list[Any]) -> nodes.Attribute:
    return nodes.Attribute(
        span=builder.span(tree), target=_holder(builder, tree), name=builder.word(*children)
    )


def _method(builder: TreeBuilder, tree: Tree[Token], children: list[Any]) -> nodes.Method:
    name, *arguments = children
    return nodes.Method(
        span=builder.span(tree),
        target=_holder(builder, tree),
        name=builder.word(name),
        arguments=builder.arguments(arguments),
    )


def _holder(builder: TreeBuilder, tree: Tree[Token]) -> nodes.Expression:
    """Return the `my` or `its` that a tree begins with and is named after."""
    word = tree.data.removesuffix("_method")
    make = nodes.Me if word == "my" else nodes.It
    return make(span=builder.span(tree).slice(0, len(word)))


RULES.update(my=_attribute, its=_attribute, my_method=_method, its_method=_method)

RULES.node("index", nodes.Index, target=VALUE, index=VALUE)
RULES.node("call", nodes.Call, name=WORD, arguments=ARGUMENTS)
RULES.node("new", nodes.New, kind=WORD, arguments=ARGUMENTS)
RULES.node("list_value", nodes.ListValue, items=ARGUMENTS)
RULES.node("pair", nodes.Pair, key=VALUE, value=VALUE)
RULES.node("pair_else", partial(nodes.Pair, key=None), value=VALUE)


# ---------------------------------------------------------------------------------------- list words


for word in ("where", "each", "without"):
    step = partial(nodes.ListStep, word=word)
    RULES.node(word, partial(step, name=None), source=VALUE, argument=VALUE)
    RULES.node(f"{word}_as", step, source=VALUE, name=WORD, argument=VALUE)

for rule, order in _ORDERS.items():
    make_order = partial(nodes.ListOrder, word=order)
    RULES.node(rule, partial(make_order, name=None), source=VALUE, keys=VALUES)
    RULES.node(f"{order}_as", make_order, source=VALUE, name=WORD, keys=VALUES)

RULES.node("most", partial(nodes.Key, most=True), value=VALUE)
RULES.node("fewest", partial(nodes.Key, most=False), value=VALUE)


# ------------------------------------------------------------- quantifiers, conditions and operators


for rule, quantifier_word in _QUANTIFIERS.items():
    quantifier = partial(nodes.Quantifier, word=quantifier_word)
    RULES.node(rule, quantifier, name=WORD, source=VALUE, condition=VALUE)

RULES.node("conditional", nodes.Conditional, condition=VALUE, then=VALUE, otherwise=VALUE)


for rule, operator in _BINARY.items():
    RULES.node(rule, partial(nodes.Binary, word=operator), left=VALUE, right=VALUE)


@RULES.add
def compare(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Compare:
    left, comparison, right = children
    word: Any = " ".join(comparison.children)
    read = builder.compared if word in ("is", "is not") else builder.build
    return nodes.Compare(
        span=builder.span(tree), word=word, left=builder.build(left), right=read(right)
    )


RULES.node("not_op", partial(nodes.Unary, word="not"), operand=VALUE)
RULES.node("negative", partial(nodes.Unary, word="-"), operand=VALUE)
