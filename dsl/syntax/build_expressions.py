"""Parse trees of expressions and types go in, nodes come out; part of `build_items`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_base import TreeBuilder
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


class ExpressionBuilder(TreeBuilder):
    """Builds types and expressions."""

    def formula(self, tree: Part, children: list[Any]) -> nodes.Expression:
        node: nodes.Expression = self.build(children[0])
        return node

    # Types

    def type_node(self, part: Part) -> nodes.TypeNode:
        """Return the node of a type."""
        if not isinstance(part, str):
            node: nodes.TypeNode = self.build(part)
            return node
        make = nodes.KindType if part.type == "KIND" else nodes.NamedType
        return make(span=self.span(part), name=str(part))

    def optional_type(self, part: Part | None) -> nodes.TypeNode | None:
        """Return the node of a type that may be missing."""
        return None if part is None else self.type_node(part)

    def grouped_type(self, tree: Part, children: list[Any]) -> nodes.TypeNode:
        return self.type_node(children[0])

    def optional(self, tree: Part, children: list[Any]) -> nodes.OptionalType:
        return nodes.OptionalType(span=self.span(tree), inner=self.type_node(children[0]))

    def of(self, tree: Part, children: list[Any]) -> nodes.OfType:
        return nodes.OfType(
            span=self.span(tree), word=str(children[0]), inner=self.type_node(children[1])
        )

    def one_of(self, tree: Part, children: list[Any]) -> nodes.OneOfType:
        return nodes.OneOfType(span=self.span(tree), values=self.words(children))

    def per(self, tree: Part, children: list[Any]) -> nodes.PerType:
        value, key = children
        return nodes.PerType(
            span=self.span(tree), value=self.type_node(value), key=self.type_node(key)
        )

    def function_type(self, tree: Part, children: list[Any]) -> nodes.FunctionType:
        parameter, result = children
        return nodes.FunctionType(
            span=self.span(tree), parameter=self.type_node(parameter), result=self.type_node(result)
        )

    def number_from(self, tree: Part, children: list[Any]) -> nodes.RangeType:
        base, low = children
        return nodes.RangeType(span=self.span(tree), base=str(base), low=self.build(low), high=None)

    def number_in(self, tree: Part, children: list[Any]) -> nodes.RangeType:
        base, low, high = children
        return nodes.RangeType(
            span=self.span(tree), base=str(base), low=self.build(low), high=self.build(high)
        )

    # Atoms

    def grouped(self, tree: Part, children: list[Any]) -> nodes.Expression:
        node: nodes.Expression = self.build(children[0])
        return node

    def me(self, tree: Part, children: list[Any]) -> nodes.Me:
        return nodes.Me(span=self.span(tree))

    def it(self, tree: Part, children: list[Any]) -> nodes.It:
        return nodes.It(span=self.span(tree))

    def yes(self, tree: Part, children: list[Any]) -> nodes.Flag:
        return nodes.Flag(span=self.span(tree), value=True)

    def no(self, tree: Part, children: list[Any]) -> nodes.Flag:
        return nodes.Flag(span=self.span(tree), value=False)

    def none(self, tree: Part, children: list[Any]) -> nodes.NoneValue:
        return nodes.NoneValue(span=self.span(tree))

    def original(self, tree: Part, children: list[Any]) -> nodes.Original:
        return nodes.Original(span=self.span(tree))

    def empty(self, tree: Part, children: list[Any]) -> nodes.Empty:
        # Whoever may hold an `empty` builds it without coming here.
        self.report(
            "RW101",
            self.span(tree),
            "only after `is` or `is not`",
            help="an empty list is written `[]`",
            found="`empty`",
        )
        return nodes.Empty(span=self.span(tree))

    def compared(self, part: Part) -> nodes.Expression:
        """Return what stands after `is`, where `empty` may stand."""
        if not isinstance(part, str) and part.data == "empty":
            return nodes.Empty(span=self.span(part))
        node: nodes.Expression = self.build(part)
        return node

    # Members, calls and lists

    def attribute(self, tree: Part, children: list[Any]) -> nodes.Attribute:
        target, name = children
        return nodes.Attribute(
            span=self.span(tree), target=self.build(target), name=self.word(name)
        )

    def my(self, tree: Part, children: list[Any]) -> nodes.Attribute:
        return nodes.Attribute(
            span=self.span(tree),
            target=nodes.Me(span=self._first(tree, 2)),
            name=self.word(*children),
        )

    def its(self, tree: Part, children: list[Any]) -> nodes.Attribute:
        return nodes.Attribute(
            span=self.span(tree),
            target=nodes.It(span=self._first(tree, 3)),
            name=self.word(*children),
        )

    def _first(self, tree: Part, length: int) -> Span:
        span = self.span(tree)
        return Span(span.source, span.start, span.start + length)

    def method(self, tree: Part, children: list[Any]) -> nodes.Method:
        return self._method(tree, self.build(children[0]), children[1:])

    def my_method(self, tree: Part, children: list[Any]) -> nodes.Method:
        return self._method(tree, nodes.Me(span=self._first(tree, 2)), children)

    def its_method(self, tree: Part, children: list[Any]) -> nodes.Method:
        return self._method(tree, nodes.It(span=self._first(tree, 3)), children)

    def _method(self, tree: Part, target: nodes.Expression, children: list[Any]) -> nodes.Method:
        name, *arguments = children
        return nodes.Method(
            span=self.span(tree),
            target=target,
            name=self.word(name),
            arguments=self.arguments(arguments),
        )

    def arguments(self, parts: list[Any]) -> tuple[nodes.Argument, ...]:
        """Return the arguments between brackets; empty brackets come as one missing part."""
        return () if parts == [None] else tuple(map(self.build, parts))

    def index(self, tree: Part, children: list[Any]) -> nodes.Index:
        target, index = children
        return nodes.Index(span=self.span(tree), target=self.build(target), index=self.build(index))

    def call(self, tree: Part, children: list[Any]) -> nodes.Call:
        name, *arguments = children
        return nodes.Call(
            span=self.span(tree), name=self.word(name), arguments=self.arguments(arguments)
        )

    def new(self, tree: Part, children: list[Any]) -> nodes.New:
        kind, *arguments = children
        return nodes.New(
            span=self.span(tree), kind=self.word(kind), arguments=self.arguments(arguments)
        )

    def list_value(self, tree: Part, children: list[Any]) -> nodes.ListValue:
        return nodes.ListValue(span=self.span(tree), items=self.arguments(children))

    def pair(self, tree: Part, children: list[Any]) -> nodes.Pair:
        key, value = children
        return nodes.Pair(span=self.span(tree), key=self.build(key), value=self.build(value))

    def pair_else(self, tree: Part, children: list[Any]) -> nodes.Pair:
        return nodes.Pair(span=self.span(tree), key=None, value=self.build(children[0]))

    # List words

    def _list_step(self, word: nodes.ListWord, tree: Part, children: list[Any]) -> nodes.ListStep:
        source, *name, argument = children
        return nodes.ListStep(
            span=self.span(tree),
            word=word,
            source=self.build(source),
            name=self.word(*name) if name else None,
            argument=self.build(argument),
        )

    def where(self, tree: Part, children: list[Any]) -> nodes.ListStep:
        return self._list_step("where", tree, children)

    def each(self, tree: Part, children: list[Any]) -> nodes.ListStep:
        return self._list_step("each", tree, children)

    def without(self, tree: Part, children: list[Any]) -> nodes.ListStep:
        return self._list_step("without", tree, children)

    def having(self, tree: Part, children: list[Any]) -> nodes.ListOrder:
        source, *keys = children
        return self._list_order("having", tree, source, None, keys)

    def sorted_by(self, tree: Part, children: list[Any]) -> nodes.ListOrder:
        source, *keys = children
        return self._list_order("sorted", tree, source, None, keys)

    def having_as(self, tree: Part, children: list[Any]) -> nodes.ListOrder:
        source, name, *keys = children
        return self._list_order("having", tree, source, name, keys)

    def sorted_as(self, tree: Part, children: list[Any]) -> nodes.ListOrder:
        source, name, *keys = children
        return self._list_order("sorted", tree, source, name, keys)

    def _list_order(
        self,
        word: nodes.OrderWord,
        tree: Part,
        source: Part,
        name: Token | None,
        keys: list[Any],
    ) -> nodes.ListOrder:
        return nodes.ListOrder(
            span=self.span(tree),
            word=word,
            source=self.build(source),
            name=self.optional_word(name),
            keys=self.build_all(keys),
        )

    where_as = where
    each_as = each

    def most(self, tree: Part, children: list[Any]) -> nodes.Key:
        return nodes.Key(span=self.span(tree), most=True, value=self.build(children[0]))

    def fewest(self, tree: Part, children: list[Any]) -> nodes.Key:
        return nodes.Key(span=self.span(tree), most=False, value=self.build(children[0]))

    # Quantifiers, conditions and operators

    def _quantifier(
        self, word: Literal["every", "some", "no"], tree: Part, children: list[Any]
    ) -> nodes.Quantifier:
        name, source, condition = children
        return nodes.Quantifier(
            span=self.span(tree),
            word=word,
            name=self.word(name),
            source=self.build(source),
            condition=self.build(condition),
        )

    def every(self, tree: Part, children: list[Any]) -> nodes.Quantifier:
        return self._quantifier("every", tree, children)

    def some(self, tree: Part, children: list[Any]) -> nodes.Quantifier:
        return self._quantifier("some", tree, children)

    def no_one(self, tree: Part, children: list[Any]) -> nodes.Quantifier:
        return self._quantifier("no", tree, children)

    def conditional(self, tree: Part, children: list[Any]) -> nodes.Conditional:
        condition, then, otherwise = children
        return nodes.Conditional(
            span=self.span(tree),
            condition=self.build(condition),
            then=self.build(then),
            otherwise=self.build(otherwise),
        )

    def _binary(self, tree: Part, children: list[Any]) -> nodes.Binary:
        assert not isinstance(tree, str)
        left, right = children
        return nodes.Binary(
            span=self.span(tree),
            word=_BINARY[tree.data],
            left=self.build(left),
            right=self.build(right),
        )

    or_op = and_op = plus = minus = times = div = mod = range_op = _binary

    def compare(self, tree: Part, children: list[Any]) -> nodes.Compare:
        left, comparison, right = children
        word = _COMPARE[" ".join(comparison.children)]
        build = self.compared if word in ("is", "is not") else self.build
        return nodes.Compare(
            span=self.span(tree), word=word, left=self.build(left), right=build(right)
        )

    def not_op(self, tree: Part, children: list[Any]) -> nodes.Unary:
        return nodes.Unary(span=self.span(tree), word="not", operand=self.build(children[0]))

    def negative(self, tree: Part, children: list[Any]) -> nodes.Unary:
        return nodes.Unary(span=self.span(tree), word="-", operand=self.build(children[0]))
