"""From parse trees to nodes: expressions and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import Rules, TreeBuilder
from rulewright.dsl.text.source import Span

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

_COMPARE: dict[str, nodes.CompareWord] = {
    "is": "is",
    "is not": "is not",
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "in": "in",
    "not in": "not in",
}

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


@RULES.add
def formula(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Expression:
    node: nodes.Expression = builder.build(children[0])
    return node


# --------------------------------------------------------------------------------------------- types


@RULES.add
def grouped_type(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.TypeNode:
    return builder.type_node(children[0])


@RULES.add
def optional(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.OptionalType:
    return nodes.OptionalType(span=builder.span(tree), inner=builder.type_node(children[0]))


@RULES.add
def of(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.OfType:
    return nodes.OfType(
        span=builder.span(tree), word=str(children[0]), inner=builder.type_node(children[1])
    )


@RULES.add
def one_of(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.OneOfType:
    return nodes.OneOfType(span=builder.span(tree), values=builder.words(children))


@RULES.add
def per(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.PerType:
    value, key = children
    return nodes.PerType(
        span=builder.span(tree), value=builder.type_node(value), key=builder.type_node(key)
    )


@RULES.add
def function_type(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.FunctionType:
    parameter, result = children
    return nodes.FunctionType(
        span=builder.span(tree),
        parameter=builder.type_node(parameter),
        result=builder.type_node(result),
    )


@RULES.add
def number_from(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.RangeType:
    base, low = children
    return nodes.RangeType(
        span=builder.span(tree), base=str(base), low=builder.build(low), high=None
    )


@RULES.add
def number_in(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.RangeType:
    base, low, high = children
    return nodes.RangeType(
        span=builder.span(tree), base=str(base), low=builder.build(low), high=builder.build(high)
    )


# --------------------------------------------------------------------------------------------- atoms


@RULES.add
def grouped(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Expression:
    node: nodes.Expression = builder.build(children[0])
    return node


@RULES.add
def me(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Me:
    return nodes.Me(span=builder.span(tree))


@RULES.add
def it(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.It:
    return nodes.It(span=builder.span(tree))


@RULES.add
def yes(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Flag:
    return nodes.Flag(span=builder.span(tree), value=True)


@RULES.add
def no(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Flag:
    return nodes.Flag(span=builder.span(tree), value=False)


@RULES.add
def none(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.NoneValue:
    return nodes.NoneValue(span=builder.span(tree))


@RULES.add
def original(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Original:
    return nodes.Original(span=builder.span(tree))


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


@RULES.add
def attribute(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Attribute:
    target, name = children
    return nodes.Attribute(
        span=builder.span(tree), target=builder.build(target), name=builder.word(name)
    )


@RULES.add
def my(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Attribute:
    return nodes.Attribute(
        span=builder.span(tree),
        target=nodes.Me(span=_first(builder, tree, 2)),
        name=builder.word(*children),
    )


@RULES.add
def its(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Attribute:
    return nodes.Attribute(
        span=builder.span(tree),
        target=nodes.It(span=_first(builder, tree, 3)),
        name=builder.word(*children),
    )


def _first(builder: TreeBuilder, tree: Part, length: int) -> Span:
    span = builder.span(tree)
    return Span(span.source, span.start, span.start + length)


@RULES.add
def method(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Method:
    return _method(builder, tree, builder.build(children[0]), children[1:])


@RULES.add
def my_method(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Method:
    return _method(builder, tree, nodes.Me(span=_first(builder, tree, 2)), children)


@RULES.add
def its_method(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Method:
    return _method(builder, tree, nodes.It(span=_first(builder, tree, 3)), children)


def _method(
    builder: TreeBuilder, tree: Part, target: nodes.Expression, children: list[Any]
) -> nodes.Method:
    name, *arguments = children
    return nodes.Method(
        span=builder.span(tree),
        target=target,
        name=builder.word(name),
        arguments=builder.arguments(arguments),
    )


@RULES.add
def index(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Index:
    target, index = children
    return nodes.Index(
        span=builder.span(tree), target=builder.build(target), index=builder.build(index)
    )


@RULES.add
def call(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Call:
    name, *arguments = children
    return nodes.Call(
        span=builder.span(tree), name=builder.word(name), arguments=builder.arguments(arguments)
    )


@RULES.add
def new(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.New:
    kind, *arguments = children
    return nodes.New(
        span=builder.span(tree), kind=builder.word(kind), arguments=builder.arguments(arguments)
    )


@RULES.add
def list_value(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListValue:
    return nodes.ListValue(span=builder.span(tree), items=builder.arguments(children))


@RULES.add
def pair(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Pair:
    key, value = children
    return nodes.Pair(span=builder.span(tree), key=builder.build(key), value=builder.build(value))


@RULES.add
def pair_else(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Pair:
    return nodes.Pair(span=builder.span(tree), key=None, value=builder.build(children[0]))


# ---------------------------------------------------------------------------------------- list words


def _list_step(
    builder: TreeBuilder, word: nodes.ListWord, tree: Part, children: list[Any]
) -> nodes.ListStep:
    source, *name, argument = children
    return nodes.ListStep(
        span=builder.span(tree),
        word=word,
        source=builder.build(source),
        name=builder.word(*name) if name else None,
        argument=builder.build(argument),
    )


@RULES.add
def where(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListStep:
    return _list_step(builder, "where", tree, children)


@RULES.add
def each(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListStep:
    return _list_step(builder, "each", tree, children)


@RULES.add
def without(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListStep:
    return _list_step(builder, "without", tree, children)


@RULES.add
def having(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListOrder:
    source, *keys = children
    return _list_order(builder, "having", tree, source, None, keys)


@RULES.add
def sorted_by(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListOrder:
    source, *keys = children
    return _list_order(builder, "sorted", tree, source, None, keys)


@RULES.add
def having_as(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListOrder:
    source, name, *keys = children
    return _list_order(builder, "having", tree, source, name, keys)


@RULES.add
def sorted_as(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ListOrder:
    source, name, *keys = children
    return _list_order(builder, "sorted", tree, source, name, keys)


def _list_order(
    builder: TreeBuilder,
    word: nodes.OrderWord,
    tree: Part,
    source: Part,
    name: Token | None,
    keys: list[Any],
) -> nodes.ListOrder:
    return nodes.ListOrder(
        span=builder.span(tree),
        word=word,
        source=builder.build(source),
        name=builder.optional_word(name),
        keys=builder.build_all(keys),
    )


RULES["where_as"] = where


RULES["each_as"] = each


@RULES.add
def most(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Key:
    return nodes.Key(span=builder.span(tree), most=True, value=builder.build(children[0]))


@RULES.add
def fewest(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Key:
    return nodes.Key(span=builder.span(tree), most=False, value=builder.build(children[0]))


# ------------------------------------------------------------- quantifiers, conditions and operators


def _quantifier(
    builder: TreeBuilder, word: Literal["every", "some", "no"], tree: Part, children: list[Any]
) -> nodes.Quantifier:
    name, source, condition = children
    return nodes.Quantifier(
        span=builder.span(tree),
        word=word,
        name=builder.word(name),
        source=builder.build(source),
        condition=builder.build(condition),
    )


@RULES.add
def every(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantifier:
    return _quantifier(builder, "every", tree, children)


@RULES.add
def some(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantifier:
    return _quantifier(builder, "some", tree, children)


@RULES.add
def no_one(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Quantifier:
    return _quantifier(builder, "no", tree, children)


@RULES.add
def conditional(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Conditional:
    condition, then, otherwise = children
    return nodes.Conditional(
        span=builder.span(tree),
        condition=builder.build(condition),
        then=builder.build(then),
        otherwise=builder.build(otherwise),
    )


def _binary(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Binary:
    assert not isinstance(tree, str)
    left, right = children
    return nodes.Binary(
        span=builder.span(tree),
        word=_BINARY[tree.data],
        left=builder.build(left),
        right=builder.build(right),
    )


RULES.update(dict.fromkeys(_BINARY, _binary))


@RULES.add
def compare(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Compare:
    left, comparison, right = children
    word = _COMPARE[" ".join(comparison.children)]
    right_side = builder.compared(right) if word in ("is", "is not") else builder.build(right)
    return nodes.Compare(
        span=builder.span(tree), word=word, left=builder.build(left), right=right_side
    )


@RULES.add
def not_op(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Unary:
    return nodes.Unary(span=builder.span(tree), word="not", operand=builder.build(children[0]))


@RULES.add
def negative(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Unary:
    return nodes.Unary(span=builder.span(tree), word="-", operand=builder.build(children[0]))
