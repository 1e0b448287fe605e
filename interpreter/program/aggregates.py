"""What a condition on a whole selection is made of: splits a `such that` into sums and other aggregates.

Most conditions read a selection only by a few aggregates of it: how many there are, a sum over them, how
many different values, whether some or every one of them has a property, the first or last one. Of each it
is known what one more thing does to it. So whether a partial selection can be completed to one that meets
the condition is decided over the values of the aggregates (`lookahead/completions`), of which there are
few, and not over the selections, of which there may be 2^40.

A *list of the selection* is the selection, or what `where`, `each`, `present`, `join` and the like make
of it thing by thing. What cannot be read in this way has no structure (None): it is tried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.builtins import list_use
from rulewright.interpreter.semantics.closures import Code, Compiler, names_in

DEEPEST = 20
"""So many defines inside each other are looked into."""

COMPARED = ("is", "is not", "<", ">", "<=", ">=")

LONGEST_HEAD = 3
"""So many things at the beginning of a selection may be asked for by their places."""


class UnknownStructure(Exception):
    """A condition reads a selection in a way of which nothing is known."""


@attrs.frozen(eq=False)
class Aggregate:
    """A value that depends on a selection, and how: its `expression` of a selection of one thing says
    what this thing adds.

    `sum`: a number to which each thing adds something; `any`, `all`: whether one, or each, does;
    `least`, `greatest`; `head`: the first `size` things; `tail`: the last one.
    """

    kind: str
    expression: model.Expression
    different: tuple[tuple[model.Expression, int], ...] = ()
    """Of a sum: lists of the selection whose different values are counted in it, and how often."""

    size: int = 1


@attrs.frozen(eq=False)
class SelectionFormula:
    """A condition, or a part of it.

    `known`: it does not depend on the selection; `and`, `or`, `not`: made of parts; `over`: `word`
    (`every`, `some`, `no`) of the values of a list that does not depend on it, each called `name`;
    `test`: one aggregate, a `sum` compared with 0 by the `word` or looked for in the list `other`;
    `whole`: an expression of some aggregates.
    """

    kind: str
    expression: model.Expression | None = None
    parts: tuple[SelectionFormula, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    word: str = ""
    name: str = ""
    other: model.Expression | None = None


def requirement(
    compiler: Compiler, name: str, condition: model.Expression
) -> SelectionRequirement | None:
    """Return the condition on the selection of that name by what it is made of, or None."""
    try:
        return SelectionRequirement(
            compiler, name, _FormulaReader(compiler.game, name).formula(condition, 0)
        )
    except UnknownStructure:
        return None


class SelectionRequirement:
    """The condition of a question about several things, by its structure."""

    def __init__(
        self,
        compiler: Compiler,
        name: str,
        formula: SelectionFormula,
        values: tuple[model.Expression, ...] = (),
    ) -> None:
        self.name = name
        self.formula = formula
        self.values = values
        """What is worked out before it, whether it is needed or not."""

        self._compiler = compiler
        self._codes: dict[int, Code] = {}

    def code(self, expression: model.Expression) -> Code:
        """Return the code of a part of it."""
        found = self._codes.get(id(expression))
        if found is None:
            found = self._codes[id(expression)] = self._compiler.expression(expression)
        return found


class _FormulaReader:
    def __init__(self, game: model.Game, name: str) -> None:
        self.game = game
        self.name = name

    def depends(self, expression: model.Node) -> bool:
        return self.name in names_in(expression)

    # ---------------------------------------------------------------------------------- conditions

    def formula(self, expression: model.Expression, depth: int) -> SelectionFormula:
        if not self.depends(expression):
            return SelectionFormula("known", expression)
        match expression:
            case model.And(left=left, right=right):
                return SelectionFormula(
                    "and", parts=(self.formula(left, depth), self.formula(right, depth))
                )
            case model.Or(left=left, right=right):
                return SelectionFormula(
                    "or", parts=(self.formula(left, depth), self.formula(right, depth))
                )
            case model.Not(operand=operand):
                return SelectionFormula("not", parts=(self.formula(operand, depth),))
            case model.DefineCall() | model.LetIn():
                return self.formula(self.opened(expression, depth), depth + 1)
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                first, second = self.formula(condition, depth), self.formula(then, depth)
                third = self.formula(otherwise, depth)
                if_so = SelectionFormula("and", parts=(first, second))
                if_not = SelectionFormula(
                    "and", parts=(SelectionFormula("not", parts=(first,)), third)
                )
                return SelectionFormula("or", parts=(if_so, if_not))
            case model.Quantified(source=source, condition=condition) if not self.depends(source):
                inner = self.formula(condition, depth)
                return SelectionFormula(
                    "over", source, (inner,), word=expression.word, name=expression.name
                )
        found = self.compared(expression, depth) or self.about_each(expression)
        if found is not None:
            return found
        aggregates: list[Aggregate] = []
        self.collect(expression, aggregates, (), depth)
        return SelectionFormula("whole", expression, aggregates=tuple(aggregates))

    def compared(self, expression: model.Expression, depth: int) -> SelectionFormula | None:
        """`sum(xs each its.n) >= 5`: a sum compared with one, or looked for in a list"""
        if not isinstance(expression, model.Compare):
            return None
        left, right, word = expression.left, expression.right, expression.word
        if not isinstance(types.without_none(left.type), types.NumberType):
            return None
        counted: dict[model.Expression, int] = {}
        if word in ("in", "not in"):
            if self.depends(right) or not self.adds_up(left, 1, counted, depth):
                return None
            sum = Aggregate("sum", left, tuple(counted.items()))
            return SelectionFormula("test", aggregates=(sum,), word=word, other=right)
        if word not in COMPARED:
            return None
        if not (self.adds_up(left, 1, counted, depth) and self.adds_up(right, -1, counted, depth)):
            return None
        difference = model.Arithmetic(
            type=types.NUMBER, span=expression.span, word="-", left=left, right=right
        )
        sum = Aggregate("sum", difference, tuple(counted.items()))
        return SelectionFormula("test", aggregates=(sum,), word=word)

    def about_each(self, expression: model.Expression) -> SelectionFormula | None:
        """`every x in xs has …`, `xs is empty`, `a in (xs each …)`: each thing says yes or no"""
        kind = ""
        match expression:
            case model.Quantified(source=source, condition=condition, word=word):
                if self.is_list(source) and not self.depends(condition):
                    kind = "any" if word == "some" else "all"
            case model.IsEmpty(source=source, negated=negated):
                if self.is_list(source):
                    kind = "any" if negated else "all"
            case model.Compare(word="in" | "not in" as word, left=left, right=right):
                if self.is_list(right) and not self.depends(left):
                    kind = "any" if word == "in" else "all"
        if not kind:
            return None
        return SelectionFormula("test", aggregates=(Aggregate(kind, expression),))

    # ---------------------------------------------------------------------------------- aggregates

    def collect(
        self,
        expression: model.Expression,
        found: list[Aggregate],
        bound: tuple[str, ...],
        depth: int,
    ) -> None:
        """Find the aggregates of which the value of an expression is made."""
        if not self.depends(expression):
            return
        aggregate = self.aggregate(expression, depth)
        if aggregate is not None:
            if set(bound) & set(names_in(expression)):
                raise UnknownStructure
            found.append(aggregate)
            return
        if isinstance(expression, model.DefineCall | model.LetIn):
            self.collect(self.opened(expression, depth), found, bound, depth + 1)
            return
        if isinstance(expression, model.Local | model.Lambda | model.Can | model.Chance):
            raise UnknownStructure
        binding = visitor.binding(expression)
        if binding is not None:
            bound = (*bound, binding[0])
        for part in visitor.parts(expression):
            self.collect(cast(model.Expression, part), found, bound, depth)

    def aggregate(self, expression: model.Expression, depth: int) -> Aggregate | None:
        if isinstance(expression.type, types.NumberType):
            counted: dict[model.Expression, int] = {}
            if self.adds_up(expression, 1, counted, depth):
                return Aggregate("sum", expression, tuple(counted.items()))
        about = self.about_each(expression)
        if about is not None:
            return about.aggregates[0]
        match expression:
            case model.Builtin(name="min" | "max" as name, arguments=(items,)):
                if self.is_list(items):
                    return Aggregate("least" if name == "min" else "greatest", expression)
            case model.Builtin(name=name, arguments=(model.Local(name=whose),)):
                end = list_use(name).end
                if whose == self.name and end is not None:
                    return Aggregate("head" if end == "front" else "tail", expression)
            case model.Item(items=model.Local(name=whose), index=model.Constant(value=int(place))):
                if whose == self.name and 0 <= place < LONGEST_HEAD:
                    return Aggregate("head", expression, size=place + 1)
        return None

    def adds_up(
        self,
        expression: model.Expression,
        sign: int,
        counted: dict[model.Expression, int],
        depth: int,
    ) -> bool:
        """Return whether a number is a sum over the things of the selection, and something that does
        not depend on it; `counted` gets the lists whose different values are counted in it."""
        if not self.depends(expression):
            return True
        match expression:
            case model.Arithmetic(word="+" | "-" as word, left=left, right=right):
                other = sign if word == "+" else -sign
                return self.adds_up(left, sign, counted, depth) and self.adds_up(
                    right, other, counted, depth
                )
            case model.Negative(operand=operand):
                return self.adds_up(operand, -sign, counted, depth)
            case model.Arithmetic(word="*", left=left, right=right):
                one, factor = (left, right) if self.depends(left) else (right, left)
                if self.depends(factor):
                    return False
                inner: dict[model.Expression, int] = {}
                return self.adds_up(one, sign, inner, depth) and not inner
            case model.Builtin(name="count", arguments=(model.Builtin(name="distinct") as values,)):
                (items,) = values.arguments
                if not self.is_list(items):
                    return False
                counted[items] = counted.get(items, 0) + sign
                return True
            case model.Builtin(name="count" | "sum", arguments=(items,)):
                return self.is_list(items)
            case model.DefineCall() | model.LetIn():
                try:
                    opened = self.opened(expression, depth)
                except UnknownStructure:
                    return False
                return self.adds_up(opened, sign, counted, depth + 1)
        return False

    def is_list(self, expression: model.Expression) -> bool:
        """Return whether a list is made of the selection thing by thing."""
        if isinstance(expression, model.Local):
            return expression.name == self.name
        return any(use.apart for _, use in visitor.used(expression)) and all(
            self.is_list(part) if use.apart else not self.depends(part)
            for part, use in visitor.used(expression)
        )

    # ------------------------------------------------------------------------------------- defines

    def opened(self, expression: model.DefineCall | model.LetIn, depth: int) -> model.Expression:
        return opened(self.game, expression, depth)


def opened(
    game: model.Game, expression: model.DefineCall | model.LetIn, depth: int
) -> model.Expression:
    """Return what a define, or a name for a value, stands for, with its arguments put in."""
    if depth >= DEEPEST:
        raise UnknownStructure
    if isinstance(expression, model.LetIn):
        return replaced(expression.body, {expression.name: expression.value})
    define = game.defines[expression.define]
    if define.changes or define.lines or not isinstance(expression.me, model.Me | None):
        raise UnknownStructure
    given: dict[str, model.Expression] = {}
    for name, argument, wanted in zip(
        define.parameters, expression.arguments, define.parameter_types, strict=True
    ):
        listed = isinstance(types.without_none(argument.type), types.ListType | types.ZoneType)
        if isinstance(wanted, types.ListType) and not listed:
            raise UnknownStructure
        given[name] = argument
    return replaced(define.body, given)


def replaced(
    expression: model.Expression, given: Mapping[str, model.Expression]
) -> model.Expression:
    """Return an expression with something else in the place of some locals."""
    inside = {name for one in given.values() for name in names_in(one)}
    for node in visitor.nodes_in(expression):
        bound = visitor.binding(node)
        if bound is not None and (bound[0] in inside or bound[0] in given):
            # The name would mean something else in there.
            raise UnknownStructure
        if isinstance(node, model.LocalPlace) and node.name in given:
            raise UnknownStructure
    return visitor.substituted(expression, given)
