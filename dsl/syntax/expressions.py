"""The syntax tree, first part: words, types, expressions and citations (see `nodes`)."""

from __future__ import annotations

from typing import Literal

import attrs

from rulewright.dsl.syntax.node import Node, Section


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Word(Node):
    """A name where it is written."""

    text: str


# ------------------------------------------------------------------------------------------ types


@attrs.frozen(kw_only=True, eq=False, repr=False)
class KindType(Node):
    """`Planet`"""

    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NamedType(Node):
    """`number`, `flag`, `text`, `verb`, `kind`, `this`, `anything`, a unit"""

    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OfType(Node):
    """`list of T`, `pile of Card`, `field of number`"""

    word: str
    inner: TypeNode


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OneOfType(Node):
    """`one of [a, b]`"""

    values: tuple[Word, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OptionalType(Node):
    """`T?`"""

    inner: TypeNode


@attrs.frozen(kw_only=True, eq=False, repr=False)
class PerType(Node):
    """`number per Player`"""

    value: TypeNode
    key: TypeNode


@attrs.frozen(kw_only=True, eq=False, repr=False)
class FunctionType(Node):
    """`Player => flag`"""

    parameter: TypeNode
    result: TypeNode


@attrs.frozen(kw_only=True, eq=False, repr=False)
class RangeType(Node):
    """`number from 0` (no `high`), `number in 0..5`"""

    base: str
    low: Expression
    high: Expression | None


TypeNode = (
    KindType | NamedType | OfType | OneOfType | OptionalType | PerType | FunctionType | RangeType
)

# ------------------------------------------------------------------------------------ expressions


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Name(Node):
    """A bare word: local, value, field, define, option, instance."""

    text: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class KindName(Node):
    """`Planet`: the list of all planets, or the values of an enumeration."""

    text: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Number(Node):
    """`5`"""

    value: int


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Text(Node):
    """`"{here} has been claimed"`: literal parts and placeholders, in order."""

    parts: tuple[str | Expression, ...]
    raw: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Flag(Node):
    """`yes`, `no`"""

    value: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NoneValue(Node):
    """`none`"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Empty(Node):
    """`empty`, only after `is` or `is not`"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Original(Node):
    """`original`: the value so far, in a `change`"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Me(Node):
    """`me` (and `my` before a dot)"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class It(Node):
    """`it` (and `its` before a dot)"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Attribute(Node):
    """`planet.claim`, `my.hand`, `its.sort`"""

    target: Expression
    name: Word


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Method(Node):
    """`p.worlds_of(blue)`"""

    target: Expression
    name: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Index(Node):
    """`codes[0]`, `black_hole[me]`"""

    target: Expression
    index: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Call(Node):
    """`count(my.hand)`"""

    name: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class New(Node):
    """`Planet("Cinder")`, `Fleet(side: me)`"""

    kind: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ListValue(Node):
    """`[a, b]`, and with pairs a family: `[wood: 2, ore: 1]`"""

    items: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Pair(Node):
    """`wood: 2` inside brackets; without a key `else: 2`"""

    key: Expression | None
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Key(Node):
    """`most my.score`, `fewest it.rank`"""

    most: bool
    value: Expression


ListWord = Literal["where", "each", "without"]
OrderWord = Literal["having", "sorted"]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ListStep(Node):
    """`xs where c`, `xs as p each e`, `xs without ys`"""

    word: ListWord
    source: Expression
    name: Word | None
    argument: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ListOrder(Node):
    """`xs having most a, then fewest b`, `xs sorted by most a`"""

    word: OrderWord
    source: Expression
    name: Word | None
    keys: tuple[Key, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Quantifier(Node):
    """`every p in players has c`, `some …`, `no …`"""

    word: Literal["every", "some", "no"]
    name: Word
    source: Expression
    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Conditional(Node):
    """`if c then a else b`"""

    condition: Expression
    then: Expression
    otherwise: Expression


BinaryWord = Literal["or", "and", "+", "-", "*", "/", "mod", ".."]
CompareWord = Literal["is", "is not", "<", ">", "<=", ">=", "in", "not in"]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Binary(Node):
    """`a + b`, `a or b`, `a..b`"""

    word: BinaryWord
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Compare(Node):
    """`a is b`, `a not in xs`"""

    word: CompareWord
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Unary(Node):
    """`not c`, `-n`"""

    word: Literal["not", "-"]
    operand: Expression


Expression = (
    Name
    | KindName
    | Number
    | Text
    | Flag
    | NoneValue
    | Empty
    | Original
    | Me
    | It
    | Attribute
    | Method
    | Index
    | Call
    | New
    | ListValue
    | ListStep
    | ListOrder
    | Quantifier
    | Conditional
    | Binary
    | Compare
    | Unary
)
Argument = Expression | Pair

# -------------------------------------------------------------------------------------- citations


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Cited(Node):
    """Anything at whose line end a `see` may stand."""

    see: tuple[Section, ...] = attrs.field(default=(), eq=False)
