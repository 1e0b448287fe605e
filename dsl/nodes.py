"""The syntax tree: what a rule file says, construct by construct, before any name is looked up.

One frozen class per construct of the language (`dsl/README.md`); its docstring shows the rule text
it stands for. Two trees are equal when they mean the same: spans do not count. Closed unions
(`Expression`, `Step`, `Item`, `ExampleLine`) let a type checker point at a pass that forgets one.
"""

from __future__ import annotations

from typing import Literal

import attrs

from rulewright.dsl.source import Span


@attrs.frozen(kw_only=True)
class Node:
    """Base of all nodes: where it stands."""

    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class Word(Node):
    """A name where it is written."""

    text: str


# ------------------------------------------------------------------------------------------ types


@attrs.frozen(kw_only=True)
class KindType(Node):
    """`Planet`"""

    name: str


@attrs.frozen(kw_only=True)
class NamedType(Node):
    """`number`, `flag`, `text`, `verb`, `kind`, `this`, `anything`, a unit"""

    name: str


@attrs.frozen(kw_only=True)
class OfType(Node):
    """`list of T`, `pile of Card`, `field of number`"""

    word: str
    inner: TypeNode


@attrs.frozen(kw_only=True)
class OneOfType(Node):
    """`one of [a, b]`"""

    values: tuple[Word, ...]


@attrs.frozen(kw_only=True)
class OptionalType(Node):
    """`T?`"""

    inner: TypeNode


@attrs.frozen(kw_only=True)
class PerType(Node):
    """`number per Player`"""

    value: TypeNode
    key: TypeNode


@attrs.frozen(kw_only=True)
class FunctionType(Node):
    """`Player => flag`"""

    parameter: TypeNode
    result: TypeNode


@attrs.frozen(kw_only=True)
class RangeType(Node):
    """`number from 0` (no `high`), `number in 0..5`"""

    base: str
    low: Expression
    high: Expression | None


TypeNode = (
    KindType | NamedType | OfType | OneOfType | OptionalType | PerType | FunctionType | RangeType
)

# ------------------------------------------------------------------------------------ expressions


@attrs.frozen(kw_only=True)
class Name(Node):
    """A bare word: local, value, field, define, option, instance."""

    text: str


@attrs.frozen(kw_only=True)
class KindName(Node):
    """`Planet`: the list of all planets, or the values of an enumeration."""

    text: str


@attrs.frozen(kw_only=True)
class Number(Node):
    """`5`"""

    value: int


@attrs.frozen(kw_only=True)
class Text(Node):
    """`"{here} has been claimed"`: literal parts and placeholders, in order."""

    parts: tuple[str | Expression, ...]
    raw: str


@attrs.frozen(kw_only=True)
class Flag(Node):
    """`yes`, `no`"""

    value: bool


@attrs.frozen(kw_only=True)
class NoneValue(Node):
    """`none`"""


@attrs.frozen(kw_only=True)
class Empty(Node):
    """`empty`, only after `is` or `is not`"""


@attrs.frozen(kw_only=True)
class Original(Node):
    """`original`: the value so far, in a `change`"""


@attrs.frozen(kw_only=True)
class Me(Node):
    """`me` (and `my` before a dot)"""


@attrs.frozen(kw_only=True)
class It(Node):
    """`it` (and `its` before a dot)"""


@attrs.frozen(kw_only=True)
class Attribute(Node):
    """`planet.claim`, `my.hand`, `its.sort`"""

    target: Expression
    name: Word


@attrs.frozen(kw_only=True)
class Method(Node):
    """`p.worlds_of(blue)`"""

    target: Expression
    name: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True)
class Index(Node):
    """`codes[0]`, `black_hole[me]`"""

    target: Expression
    index: Expression


@attrs.frozen(kw_only=True)
class Call(Node):
    """`count(my.hand)`"""

    name: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True)
class New(Node):
    """`Planet("Cinder")`, `Fleet(side: me)`"""

    kind: Word
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True)
class ListValue(Node):
    """`[a, b]`, and with pairs a family: `[wood: 2, ore: 1]`"""

    items: tuple[Argument, ...]


@attrs.frozen(kw_only=True)
class Pair(Node):
    """`wood: 2` inside brackets; without a key `else: 2`"""

    key: Expression | None
    value: Expression


@attrs.frozen(kw_only=True)
class Key(Node):
    """`most my.score`, `fewest it.rank`"""

    most: bool
    value: Expression


ListWord = Literal["where", "each", "without"]
OrderWord = Literal["having", "sorted"]


@attrs.frozen(kw_only=True)
class ListStep(Node):
    """`xs where c`, `xs as p each e`, `xs without ys`"""

    word: ListWord
    source: Expression
    name: Word | None
    argument: Expression


@attrs.frozen(kw_only=True)
class ListOrder(Node):
    """`xs having most a, then fewest b`, `xs sorted by most a`"""

    word: OrderWord
    source: Expression
    name: Word | None
    keys: tuple[Key, ...]


@attrs.frozen(kw_only=True)
class Quantifier(Node):
    """`every p in players has c`, `some …`, `no …`"""

    word: Literal["every", "some", "no"]
    name: Word
    source: Expression
    condition: Expression


@attrs.frozen(kw_only=True)
class Conditional(Node):
    """`if c then a else b`"""

    condition: Expression
    then: Expression
    otherwise: Expression


BinaryWord = Literal["or", "and", "+", "-", "*", "/", "mod", ".."]
CompareWord = Literal["is", "is not", "<", ">", "<=", ">=", "in", "not in"]


@attrs.frozen(kw_only=True)
class Binary(Node):
    """`a + b`, `a or b`, `a..b`"""

    word: BinaryWord
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
class Compare(Node):
    """`a is b`, `a not in xs`"""

    word: CompareWord
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
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


@attrs.frozen(kw_only=True)
class Section(Node):
    """One section of a citation: `C inside B` is `("B", "C")`."""

    book: str | None
    path: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Cited(Node):
    """Anything at whose line end a `see` may stand."""

    see: tuple[Section, ...] = attrs.field(default=(), eq=False)


# ------------------------------------------------------------------------------------------ steps

Block = tuple["Step", ...]


@attrs.frozen(kw_only=True)
class Let(Cited):
    """`let planet = here`"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True)
class Place(Node):
    """`to my.hand`: a preposition and what follows it"""

    preposition: str
    value: Expression


@attrs.frozen(kw_only=True)
class Command(Cited):
    """`draw 5 from navcomps to my.hand`, `red.discard card`"""

    instance: Word | None
    verb: Word
    object: Expression | None
    places: tuple[Place, ...]


@attrs.frozen(kw_only=True)
class Quantity(Node):
    """How many: `2` and `1..2` (`count`), `up to n` (`up_to`), `any`, `ordered`"""

    word: Literal["count", "up_to", "any", "ordered"]
    value: Expression | None


@attrs.frozen(kw_only=True)
class Choose(Cited):
    """`choose 2 codes from my.hand such that … ask "…" or stop`"""

    quantity: Quantity | None
    name: Word
    source: Expression
    such_that: Expression | None
    ask: Text | None
    or_stop: bool


@attrs.frozen(kw_only=True)
class ChooseSplit(Cited):
    """`choose split paid of 4 over Sort up to my.stock[it]`"""

    name: Word
    total: Expression
    over: Expression
    cap: Expression | None
    such_that: Expression | None
    ask: Text | None
    or_stop: bool


@attrs.frozen(kw_only=True)
class May(Cited):
    """`may "Mark a resource"` and its block"""

    label: Text
    block: Block


@attrs.frozen(kw_only=True)
class Arm(Cited):
    """One arm of an `either`; without a block it does nothing"""

    label: Text
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class Either(Cited):
    """`either "A" … or "B" …`"""

    arms: tuple[Arm, ...]


@attrs.frozen(kw_only=True)
class Branch(Cited):
    """One condition of an `if` with its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True)
class If(Cited):
    """`if c` … `else if d` … `else` …"""

    branches: tuple[Branch, ...]
    otherwise: Block


@attrs.frozen(kw_only=True)
class ForEach(Cited):
    """`for each card in my.hand`"""

    name: Word
    source: Expression
    block: Block


@attrs.frozen(kw_only=True)
class Repeat(Cited):
    """`repeat 2 times`, `repeat while c`, `repeat until c`, `repeat`"""

    word: Literal["times", "while", "until", "for ever"]
    value: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class As(Cited):
    """`as players`, `as players together`"""

    players: Expression
    together: bool
    block: Block


@attrs.frozen(kw_only=True)
class Need(Cited):
    """`need here is not none else "your ship is still on the Jump Gate"`"""

    condition: Expression
    reason: Text


@attrs.frozen(kw_only=True)
class StepBlock(Cited):
    """`step mark` and its block"""

    name: Word
    block: Block


@attrs.frozen(kw_only=True)
class Until(Cited):
    """`until turn ends change level by 1`"""

    target: Target
    change: Change | Around


@attrs.frozen(kw_only=True)
class DoValue(Cited):
    """`do action`"""

    value: Expression


@attrs.frozen(kw_only=True)
class EndGame(Cited):
    """`end game "Black Hole"`"""

    reason: Text | None


@attrs.frozen(kw_only=True)
class Stop(Cited):
    """`stop`, `stop turn`"""

    target: Word | None


Step = (
    Let
    | Command
    | Choose
    | ChooseSplit
    | May
    | Either
    | If
    | ForEach
    | Repeat
    | As
    | Need
    | StepBlock
    | Until
    | DoValue
    | EndGame
    | Stop
)

# ------------------------------------------------------------------------------------------ items


@attrs.frozen(kw_only=True)
class Use(Cited):
    """`use deck(NavComp) as navcomps`"""

    module: Word
    arguments: tuple[Argument, ...]
    alias: Word | None


@attrs.frozen(kw_only=True)
class Book(Cited):
    """`book english "seeds/x.md"`"""

    word: Word | None
    path: Text


@attrs.frozen(kw_only=True)
class NoRules(Node):
    """`no rules in Overview, Strategy`"""

    sections: tuple[Section, ...]


@attrs.frozen(kw_only=True)
class Relation(Cited):
    """`includes ordered "A", "B"`, `excludes "A"`, `requires "A"`"""

    word: Literal["includes", "excludes", "requires"]
    ordered: bool
    titles: tuple[Text, ...]


@attrs.frozen(kw_only=True)
class Option(Cited):
    """`option map: one of [square, hex] = square "Which grid?"`; `ruling …`"""

    ruling: bool
    name: Word
    type: TypeNode
    default: Expression
    question: Text | None


@attrs.frozen(kw_only=True)
class KindIs(Cited):
    """`kind Sort is one of [fame, sand]`"""

    name: Word
    type: TypeNode


@attrs.frozen(kw_only=True)
class Unit(Cited):
    """`unit coins, water`"""

    names: tuple[Word, ...]


@attrs.frozen(kw_only=True)
class SeenBy(Node):
    """`seen by owner`; `count seen by []`"""

    count: bool
    viewers: Expression


@attrs.frozen(kw_only=True)
class Fresh(Node):
    """`fresh each turn`, `fresh each own turn`"""

    verb: Word
    own: bool


@attrs.frozen(kw_only=True)
class Active(Node):
    """`active`"""


Mark = SeenBy | Fresh | Active


@attrs.frozen(kw_only=True)
class Field(Cited):
    """`place: Planet?, seen by players`; `jump, scan: text`"""

    names: tuple[Word, ...]
    type: TypeNode
    default: Expression | None
    marks: tuple[Mark, ...]


@attrs.frozen(kw_only=True)
class Parameter(Node):
    """`card: NavComp`, `code`; a default only in a module's head"""

    name: Word
    type: TypeNode | None
    default: Expression | None


@attrs.frozen(kw_only=True)
class Define(Cited):
    """`define fits(card: NavComp, code: text) = …`"""

    name: Word
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    lets: tuple[Let, ...]
    value: Expression


@attrs.frozen(kw_only=True)
class TallyLine(Cited):
    """`fame: 5 * count(…)` inside a tally"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True)
class Tally(Cited):
    """`tally score: points` and its lines"""

    name: Word
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    lines: tuple[TallyLine, ...]


@attrs.frozen(kw_only=True)
class VerbPlace(Node):
    """`from d: this` in the head of a verb"""

    preposition: str
    parameter: Parameter


@attrs.frozen(kw_only=True)
class Verb(Cited):
    """`to draw n: number from d: this to z: cards of Card "Draw"` and its block"""

    name: Word
    object: Parameter | None
    places: tuple[VerbPlace, ...]
    label: Text | None
    block: Block


@attrs.frozen(kw_only=True)
class Target(Node):
    """`turn`, `navcomps.renew`, `Player.level`, `fly.label`: words joined by dots"""

    words: tuple[Word, ...]


@attrs.frozen(kw_only=True)
class Change(Cited):
    """`change claim_points to original + 1 when …`"""

    target: Target
    how: Literal["to", "by", "at most", "at least"]
    value: Expression
    guard: Expression | None


@attrs.frozen(kw_only=True)
class Around(Cited):
    """`before turn`, `after collect when c`, `instead of navcomps.renew`, and the block"""

    timing: Literal["before", "after", "instead"]
    targets: tuple[Target, ...]
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class AsSoonAs(Cited):
    """`as soon as pile is empty` and its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True)
class Offer(Cited):
    """`may "Sell" when c` and its block, inside a `during`"""

    label: Text
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class During(Cited):
    """`during draw_phase` and its amendments and offers"""

    targets: tuple[Target, ...]
    guard: Expression | None
    items: tuple[Amendment | Offer, ...]


Amendment = Change | Around | AsSoonAs | During
Member = Field | Define | Tally | Verb | Change | Around | AsSoonAs | During


@attrs.frozen(kw_only=True)
class KindHas(Cited):
    """`each Planet has …`, `each Card named "X" has …`, `each Card where c has …`"""

    kind: Word
    named: tuple[Text, ...]
    where: Expression | None
    also: bool
    marks: tuple[Mark, ...]
    members: tuple[Member, ...]


@attrs.frozen(kw_only=True)
class GameHas(Cited):
    """`the game has, seen by players …`"""

    also: bool
    marks: tuple[Mark, ...]
    members: tuple[Member, ...]


@attrs.frozen(kw_only=True)
class Neutral(Cited):
    """`neutral old_empire "Old Empire"`"""

    name: Word
    label: Text


@attrs.frozen(kw_only=True)
class Row(Cited):
    """`| Anno | 1 |`: cells with the spans of their trimmed texts"""

    cells: tuple[Word, ...]


@attrs.frozen(kw_only=True)
class Table(Cited):
    """`table Planet from "planets.csv"`, or inline rows of which the first names the columns"""

    kind: Word
    path: Text | None
    rows: tuple[Row, ...]


@attrs.frozen(kw_only=True)
class Range(Node):
    """`rank in 1..13` in a product table"""

    name: Word
    values: Expression


@attrs.frozen(kw_only=True)
class TableProduct(Cited):
    """`table Card for each rank in 1..13, suit in Suit`"""

    kind: Word
    ranges: tuple[Range, ...]


@attrs.frozen(kw_only=True)
class Check(Cited):
    """`check "12 planets": count(Planet) is 12`; `check always "…": …`"""

    always: bool
    label: Text | None
    condition: Expression


@attrs.frozen(kw_only=True)
class Ranking(Cited):
    """`ranking` and its criteria, each `(key, see)` in order"""

    keys: tuple[Key, ...]


# --------------------------------------------------------------------------------------- examples


@attrs.frozen(kw_only=True)
class NamedAnswer(Node):
    """`card = first(ann.hand)`"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True)
class Decline(Node):
    """`no "Mark a resource"`"""

    label: Text


Answer = NamedAnswer | Decline | Expression


@attrs.frozen(kw_only=True)
class ExamplePlayers(Cited):
    """`players ann, ben`"""

    names: tuple[Word, ...]


@attrs.frozen(kw_only=True)
class Given(Cited):
    """`given black_hole[ann] is 3`"""

    place: Expression
    value: Expression


@attrs.frozen(kw_only=True)
class SomeOf(Node):
    """`3 Resource where its.style is red`"""

    number: int
    kind: Word
    condition: Expression


@attrs.frozen(kw_only=True)
class GivenHolds(Cited):
    """`given circle holds Planet("Waldwelt"), 3 Resource where …`"""

    place: Expression
    holdings: tuple[SomeOf | Expression, ...]


@attrs.frozen(kw_only=True)
class ChanceLine(Cited):
    """`chance 6, 5, Card("Seven")`"""

    outcomes: tuple[Expression, ...]


@attrs.frozen(kw_only=True)
class Do(Cited):
    """`do ann: scan, card = …, "Mark a resource"`"""

    player: Word
    answers: tuple[Answer, ...]


@attrs.frozen(kw_only=True)
class Expect(Cited):
    """`expect ann.score is 5`"""

    condition: Expression


@attrs.frozen(kw_only=True)
class Refuse(Cited):
    """`refuse ann: scan because "…"`; without a reason: it is not possible, whatever the reason"""

    player: Word
    answers: tuple[Answer, ...]
    reason: Text | None


@attrs.frozen(kw_only=True)
class Allow(Cited):
    """`allow ann: fly`"""

    player: Word
    answers: tuple[Answer, ...]


ExampleLine = ExamplePlayers | Given | GivenHolds | ChanceLine | Do | Expect | Refuse | Allow


@attrs.frozen(kw_only=True)
class Example(Cited):
    """`example "3 sand: 7"` and its lines"""

    title: Text
    lines: tuple[ExampleLine, ...]


Item = (
    Use
    | Book
    | NoRules
    | Relation
    | Option
    | KindIs
    | Unit
    | KindHas
    | GameHas
    | Neutral
    | Table
    | TableProduct
    | Define
    | Tally
    | Verb
    | Change
    | Around
    | AsSoonAs
    | During
    | Check
    | Ranking
    | Example
)

# ------------------------------------------------------------------------------------------ files


@attrs.frozen(kw_only=True)
class GameHeader(Cited):
    """`game "Title" for 2..5 players`"""

    title: Text
    players: Expression


@attrs.frozen(kw_only=True)
class VariantHeader(Cited):
    """`variant "Title" of jump_gate`"""

    title: Text
    game: Word


@attrs.frozen(kw_only=True)
class ModuleHeader(Cited):
    """`module deck(Card: kind, …)`"""

    name: Word
    parameters: tuple[Parameter, ...]


@attrs.frozen(kw_only=True)
class ExamplesHeader(Cited):
    """`examples of jump_gate`"""

    game: Word


Header = GameHeader | VariantHeader | ModuleHeader | ExamplesHeader


@attrs.frozen(kw_only=True)
class File(Node):
    """A whole rule file. `broken` holds every word of the lines that could not be read, so that
    later passes stay silent about names that only those lines would have declared."""

    header: Header
    items: tuple[Item, ...]
    broken: frozenset[str] = frozenset()
