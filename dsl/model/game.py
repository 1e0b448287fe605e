"""The checked model, third part: declarations, examples and the game (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.base import Cited, Written
from rulewright.dsl.model.examples import Example
from rulewright.dsl.model.expressions import Criterion, Expression
from rulewright.dsl.model.statements import Block
from rulewright.dsl.model.types import Type
from rulewright.dsl.syntax.node import Section
from rulewright.dsl.text.source import Compared, Described, Span


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Enumeration(Compared):
    """`kind Sort is one of [fame, sand]`"""

    name: str
    values: tuple[str, ...]
    shown: tuple[str, ...] = ()
    """What its values are called for readers, if a table says so."""
    words: tuple[tuple[str, str, str], ...] = ()
    """What its table says in other languages, as in a `Row`."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Viewers(Compared):
    """Who sees: `everybody`, `owner`, `nobody`, or `some` (the list of players that `expression`
    gives; locals: `this`, the holder)."""

    who: str
    expression: Expression | None = None


EVERYBODY = Viewers(who="everybody")

RUNNING = "@running:"
"""So begins the id of a field that counts how often a verb or step is running, for `during`: no field
of an author is called like that."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Formula(Compared):
    """A cell in backquotes: the define that gives its value, and its text."""

    define: str
    text: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Field(Cited):
    """A field or zone. `holder` is its kind, or None for the game. A printed field has no start
    value and is never written. `default` is read with `me` and `this` = the holder."""

    id: str
    name: str
    holder: str | None
    type: Type
    printed: bool
    default: Expression | None = None
    low: Expression | None = None
    high: Expression | None = None
    viewers: Viewers = EVERYBODY
    count_viewers: Viewers = EVERYBODY
    fresh: tuple[str, ...] = ()
    """Ids of the verbs whose beginning resets it."""
    fresh_own: bool = False
    formulas: tuple[Formula, ...] = ()
    """Of a printed field: the formulas in its cells. Which of them a thing has, from 1, or 0 for
    none, is printed in the field with the id of this one and a backquote; the rules read the define
    that is called like this field."""
    internal: bool = False
    """Whether the language itself keeps it, and nobody is told of it: see `Game.running`."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Kind(Compared):
    """A kind of thing; `fields` are ids in the order of declaration; `name_define` is the id of a
    define `name` of the kind, if it has one."""

    name: str
    fields: tuple[str, ...]
    name_define: str | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Neutral(Cited):
    """`neutral old_empire "Old Empire"`: a player without a seat; `id` is what rules call it."""

    id: str
    title: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Row(Compared):
    """A row of a table: so many copies of a thing with these printed fields."""

    copies: int
    cells: tuple[tuple[str, Expression], ...]
    """(field id, constant expression)."""
    status: str
    note: str
    words: tuple[tuple[str, str, str], ...] = ()
    """(language, text of a cell, what it is in that language)."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Table(Written):
    """The things of a kind: rows, or the product of ranges (name, list expression; a later one may
    read earlier names as locals) whose names are the printed fields."""

    kind: str
    rows: tuple[Row, ...]
    ranges: tuple[tuple[str, str, Expression], ...]
    """(local name, field id, values)."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OptionItem(Cited):
    """An option or a ruling: a choice fixed when the game starts."""

    name: str
    type: Type
    default: Expression
    low: Expression | None
    high: Expression | None
    question: str
    ruling: bool


POWERS = 1_000
"""The scope of the powers of things: further in than any variant."""

LASTING = 2_000
"""The scope of what `until V ends` says."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Bearers(Compared):
    """For what an amendment speaks, once for each: things with a power, or the records of an
    `until`."""

    name: str
    """The local that stands for one of them, in the amendment and in the condition."""

    those: Expression
    """The list of them: of a power the items of `source` for which the condition holds."""

    source: Expression
    condition: Expression | None
    label: str
    """Who they are, in words: `Card named "Ace"`."""

    names: tuple[str, ...] = ()
    """The names of things with a power, if they are given by name."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Changed(Cited):
    """A `change`: `how` is to, by, at most or at least; `scope` 0 game and modules, 1 and more variants,
    `POWERS` powers of things, `LASTING` what `until` says; `order` sorts within a scope; `title` names the
    variant ("" for the game)."""

    how: str
    value: Expression
    guard: Expression | None
    scope: int
    order: int
    title: str
    bearers: Bearers | None = None

    @property
    def sometimes(self) -> bool:
        """Whether it does not always hold: it has a guard, or speaks for things that may not lie
        there."""
        return self.guard is not None or self.bearers is not None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Line(Compared):
    """A named line of a tally, amendable by itself."""

    name: str
    value: Expression
    changes: tuple[Changed, ...]
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Define(Cited):
    """A value. `parameters` are local names; a define of a kind has `this` as its first. A tally
    has `lines` and its `body` is their sum (a `Constant` 0 when `lines` is not empty)."""

    id: str
    name: str
    holder: str | None
    parameters: tuple[str, ...]
    parameter_types: tuple[Type, ...]
    type: Type
    body: Expression
    lines: tuple[Line, ...]
    needs_me: bool
    changes: tuple[Changed, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Amendment(Cited):
    """A `before`, `after` or `instead` block with its guard. Its locals start with those of the
    target that it may use; its own are renamed so that they cannot meet the target's."""

    timing: str
    guard: Expression | None
    block: Block
    scope: int
    order: int
    title: str
    bearers: Bearers | None = None

    @property
    def sometimes(self) -> bool:
        """Whether it does not always hold: it has a guard, or speaks for things that may not lie
        there."""
        return self.guard is not None or self.bearers is not None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Parameter(Compared):
    """A parameter of a verb."""

    name: str
    type: Type


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Verb(Cited):
    """A verb. `head` lists (preposition, parameter name) after the object. `amendments` are sorted
    as they run: all `before`, the chain of `instead` (innermost last), all `after`."""

    id: str
    name: str
    instance: str
    parameters: tuple[Parameter, ...]
    label: Expression | None
    label_changes: tuple[Changed, ...]
    block: Block
    needs_me: bool
    amendments: tuple[Amendment, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Watch(Cited):
    """`as soon as c` + block; with `needs_me` watched for each player."""

    id: str
    condition: Expression
    block: Block
    needs_me: bool
    title: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Offer(Cited):
    """`may "…" when c` in a `during`. Its block is that of the verb with the same id, which begins
    when a player takes the offer; `guard` is the author's, that of the `during` included."""

    id: str
    label: Expression
    running: Expression
    """Whether what the `during` speaks of is running."""
    targets: tuple[str, ...]
    """The ids of those verbs and steps."""
    guard: Expression | None
    title: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Check(Cited):
    """`check "…": c`, or `check always`."""

    label: str
    always: bool
    condition: Expression
    source: str
    """Title of the variant that says it, "" for the game."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Requirement(Cited):
    """`requires c else "why"`: what the number of players and the options must meet."""

    condition: Expression
    text: str


# ------------------------------------------------------------------------------------------- game


@attrs.frozen(kw_only=True, eq=False, repr=False)
class VariantTitle(Written):
    """A variant that is on: its title, and where it says it; `guest`: whether its file lies elsewhere
    than in the folder of the game."""

    title: str
    guest: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Game(Described):
    """A game linked with a set of variants. Mappings keep the order of declaration. Two games are
    the same only if they are the same object; `digest` tells whether they have the same rules."""

    name: str
    title: str
    least_players: int
    most_players: int
    variants: tuple[str, ...]
    """Titles of the variants that are on, in their order."""
    titled: tuple[VariantTitle, ...] = ()
    """The same, with their places."""
    enumerations: dict[str, Enumeration]
    kinds: dict[str, Kind]
    fields: dict[str, Field]
    tables: tuple[Table, ...]
    options: dict[str, OptionItem]
    option_changes: dict[str, tuple[Changed, ...]]
    defines: dict[str, Define]
    verbs: dict[str, Verb]
    step_amendments: dict[str, tuple[Amendment, ...]]
    watches: tuple[Watch, ...]
    ranking: tuple[Criterion, ...]
    won: str | None
    """Id of a define `won` that replaces the usual meaning."""
    payoff: str | None
    checks: tuple[Check, ...]
    examples: tuple[Example, ...]
    end_reasons: tuple[str, ...]
    books: tuple[tuple[str, str], ...]
    """(word, path) of the digests; the word of the first may be empty."""
    score: str | None
    """Id of the tally that the ranking looks at first, for the score sheet."""
    digest: str
    """Hash of all sources that were read: two games with the same digest are the same rules."""
    requirements: tuple[Requirement, ...] = ()
    neutrals: tuple[Neutral, ...] = ()
    """The players without a seat."""
    languages: dict[str, dict[str, str]] = attrs.field(factory=dict)
    """For each language the texts that are translated, and what they are there."""
    offers: tuple[Offer, ...] = ()
    running: dict[str, str] = attrs.Factory(dict)
    """For each verb and step of which a `during` speaks the internal field that counts how often it
    is running."""
    created: frozenset[str] = frozenset()
    """The kinds of which rules or examples make new things."""
    destroyed: frozenset[str] = frozenset()
    """The kinds of which things leave the game."""
    type_words: dict[str, Span] = attrs.Factory(dict)
    """Where each unit and each enumeration with a name is declared."""
