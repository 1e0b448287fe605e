"""The syntax tree, third part: items, examples and whole files (see `nodes`)."""

from __future__ import annotations

from typing import Literal

import attrs

from rulewright.dsl.syntax.expressions import (
    Argument,
    Cited,
    Expression,
    Key,
    New,
    Text,
    TypeNode,
    Word,
)
from rulewright.dsl.syntax.node import Node, Section
from rulewright.dsl.syntax.statements import Around, AsSoonAs, Block, Change, During, Let


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Use(Cited):
    """`use deck(NavComp) as navcomps`"""

    module: Word
    arguments: tuple[Argument, ...]
    alias: Word | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Book(Cited):
    """`book english "seeds/x.md"`"""

    word: Word | None
    path: Text


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NoRules(Node):
    """`no rules in Overview, Strategy`"""

    sections: tuple[Section, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Relation(Cited):
    """`includes ordered "A", "B"`, `excludes "A"`, `requires "A"`"""

    word: Literal["includes", "excludes", "requires"]
    ordered: bool
    titles: tuple[Text, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Requirement(Cited):
    """`requires count(players) >= 3 else "Teams need three players"`"""

    condition: Expression
    text: Text


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Option(Cited):
    """`option map: one of [square, hex] = square "Which grid?"`; `ruling …`"""

    ruling: bool
    name: Word
    type: TypeNode
    default: Expression
    question: Text | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class KindIs(Cited):
    """`kind Sort is one of [fame, sand]`"""

    name: Word
    type: TypeNode


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Unit(Cited):
    """`unit coins, water`"""

    names: tuple[Word, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class SeenBy(Node):
    """`seen by owner`; `count seen by []`"""

    count: bool
    viewers: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Fresh(Node):
    """`fresh each turn`, `fresh each own turn`"""

    verb: Word
    own: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Active(Node):
    """`active`"""


Mark = SeenBy | Fresh | Active


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Field(Cited):
    """`place: Planet?, seen by players`; `jump, scan: text`"""

    names: tuple[Word, ...]
    type: TypeNode
    default: Expression | None
    marks: tuple[Mark, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Parameter(Node):
    """`card: NavComp`, `code`; a default only in a module's head"""

    name: Word
    type: TypeNode | None
    default: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Define(Cited):
    """`define fits(card: NavComp, code: text) = …`"""

    name: Word
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    lets: tuple[Let, ...]
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class TallyLine(Cited):
    """`fame: 5 * count(…)` inside a tally"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Tally(Cited):
    """`tally score: points` and its lines"""

    name: Word
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    lines: tuple[TallyLine, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class VerbPlace(Node):
    """`from d: this` in the head of a verb"""

    preposition: str
    parameter: Parameter


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Verb(Cited):
    """`to draw n: number from d: this to z: cards of Card "Draw"` and its block"""

    name: Word
    object: Parameter | None
    places: tuple[VerbPlace, ...]
    label: Text | None
    block: Block


Member = Field | Define | Tally | Verb | Change | Around | AsSoonAs | During


@attrs.frozen(kw_only=True, eq=False, repr=False)
class KindHas(Cited):
    """`each Planet has …`, `each Card named "X" has …`, `each Card where c has …`"""

    kind: Word
    named: tuple[Text, ...]
    where: Expression | None
    also: bool
    marks: tuple[Mark, ...]
    members: tuple[Member, ...]

    @property
    def selects(self) -> bool:
        """Whether it is about some things of the kind only: it gives them powers."""
        return bool(self.named) or self.where is not None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GameHas(Cited):
    """`the game has, seen by players …`"""

    also: bool
    marks: tuple[Mark, ...]
    members: tuple[Member, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Neutral(Cited):
    """`neutral old_empire "Old Empire"`"""

    name: Word
    label: Text


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Row(Cited):
    """`| Anno | 1 |`: cells with the spans of their trimmed texts"""

    cells: tuple[Word, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Table(Cited):
    """`table Planet from "planets.csv"`, or inline rows of which the first names the columns"""

    kind: Word
    path: Text | None
    rows: tuple[Row, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Range(Node):
    """`rank in 1..13` in a product table"""

    name: Word
    values: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class TableProduct(Cited):
    """`table Card for each rank in 1..13, suit in Suit`"""

    kind: Word
    ranges: tuple[Range, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Check(Cited):
    """`check "12 planets": count(Planet) is 12`; `check always "…": …`"""

    always: bool
    label: Text | None
    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Ranking(Cited):
    """`ranking` and its criteria, each `(key, see)` in order"""

    keys: tuple[Key, ...]


# --------------------------------------------------------------------------------------- examples


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NamedAnswer(Node):
    """`card = first(ann.hand)`"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Decline(Node):
    """`no "Mark a resource"`"""

    label: Text


Answer = NamedAnswer | Decline | Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ExamplePlayers(Cited):
    """`players ann, ben`"""

    names: tuple[Word, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Given(Cited):
    """`given black_hole[ann] is 3`"""

    place: Expression
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class SomeOf(Node):
    """`3 Resource where its.style is red`, `3 Resource`"""

    number: int
    kind: Word
    condition: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class SomeNew(Node):
    """`2 Man(side: ann)`"""

    number: int
    thing: New


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GivenHolds(Cited):
    """`given circle holds Planet("Waldwelt"), 3 Resource where …`"""

    place: Expression
    holdings: tuple[SomeOf | SomeNew | Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ChanceLine(Cited):
    """`chance 6, 5, Card("Seven")`"""

    outcomes: tuple[Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Do(Cited):
    """`do ann: scan, card = …, "Mark a resource"`"""

    player: Word
    answers: tuple[Answer, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Expect(Cited):
    """`expect ann.score is 5`"""

    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ExpectSeen(Cited):
    """`expect ben sees ann.played, count(ann.hand)`; `expect ben does not see ann.hand`"""

    player: Word
    values: tuple[Expression, ...]
    seen: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ExpectTold(Cited):
    """`expect ben is told "ann draws"`; `expect ben is not told "Ace"`"""

    player: Word
    text: Text
    told: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Refuse(Cited):
    """`refuse ann: scan because "…"`; without a reason: it is not possible, whatever the reason"""

    player: Word
    answers: tuple[Answer, ...]
    reason: Text | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Allow(Cited):
    """`allow ann: fly`"""

    player: Word
    answers: tuple[Answer, ...]


ExampleLine = (
    ExamplePlayers
    | Given
    | GivenHolds
    | ChanceLine
    | Do
    | Expect
    | ExpectSeen
    | ExpectTold
    | Refuse
    | Allow
)


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Example(Cited):
    """`example "3 sand: 7"` and its lines; `example "3 sand: 8" with "Toll" without "Maze"` is about
    sets of variants"""

    title: Text
    present: tuple[Text, ...] = ()
    absent: tuple[Text, ...] = ()
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


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GameHeader(Cited):
    """`game "Title" for 2..5 players`"""

    title: Text
    players: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class VariantHeader(Cited):
    """`variant "Title" of jump_gate`, `variant "Alone" of tag for 1..1 players`"""

    title: Text
    game: Word
    players: Expression | None = None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ModuleHeader(Cited):
    """`module deck(Card: kind, …)`"""

    name: Word
    parameters: tuple[Parameter, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ExamplesHeader(Cited):
    """`examples of jump_gate`"""

    game: Word


Header = GameHeader | VariantHeader | ModuleHeader | ExamplesHeader


@attrs.frozen(kw_only=True, eq=False, repr=False)
class File(Node):
    """A whole rule file. `broken` holds every word of the lines that could not be read, so that
    later passes stay silent about names that only those lines would have declared."""

    header: Header
    items: tuple[Item, ...]
    broken: frozenset[str] = frozenset()
