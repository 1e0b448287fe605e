"""The checked model: what a game, linked with its variants, means. The interpreter reads this only.

Names are gone here: a field, verb or define is referred to by its id, a local by its name within
its verb, an expression about `it` by a `Lambda`. Every expression knows its type and its span, so
that messages and explanations can speak of the author's text.

Ids: a field is `Planet.jump` or, of the game, `circle` and `navcomps.pile` (an instance's); a verb
is `scan`, `navcomps.draw`, with `/2` and so on for further overloads; a step is `scan.mark`; a
define is `here`, with its argument types behind it where it was written without types.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.kinds import Type
from rulewright.dsl.nodes import Section
from rulewright.dsl.source import Span

# ------------------------------------------------------------------------------------ expressions


@attrs.frozen(kw_only=True)
class Node:
    """Base: the type of the value and where it is written."""

    type: Type
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class Constant(Node):
    """A number, flag, text without placeholders, or none."""

    value: int | bool | str | None


@attrs.frozen(kw_only=True)
class EnumConstant(Node):
    """A value of the enumeration named by the type."""

    enum: str
    value: str


@attrs.frozen(kw_only=True)
class TextOf(Node):
    """A text with placeholders."""

    parts: tuple[str | Expression, ...]


@attrs.frozen(kw_only=True)
class Local(Node):
    """A name of the verb, define or example. A parameter that takes a zone or a field (`ZoneType`,
    `PlaceType`) holds a place; read with `Contents`."""

    name: str


@attrs.frozen(kw_only=True)
class Contents(Node):
    """What lies in, or stands at, the place that a local holds."""

    place: Place


@attrs.frozen(kw_only=True)
class Me(Node):
    """The acting player."""


@attrs.frozen(kw_only=True)
class Everything(Node):
    """`Planet`: all things of the kind (`Player`: neutral players too), living ones only."""

    kind: str


@attrs.frozen(kw_only=True)
class Seats(Node):
    """`players`, in seat order."""


@attrs.frozen(kw_only=True)
class EnumValues(Node):
    """`Sort`: all values of the enumeration."""

    enum: str


@attrs.frozen(kw_only=True)
class NamedThing(Node):
    """`Planet("Cinder")`."""

    kind: str
    name: str


@attrs.frozen(kw_only=True)
class OptionValue(Node):
    """The chosen value of an option or ruling."""

    name: str


@attrs.frozen(kw_only=True)
class Read(Node):
    """A field. `target` is the holder, or None for a field of the game. A zone gives the list of
    its things, a family the whole family."""

    field: str
    target: Expression | None


@attrs.frozen(kw_only=True)
class SlotThing(Node):
    """A slot read as its thing: the thing or none. `slot` gives the list."""

    slot: Expression


@attrs.frozen(kw_only=True)
class Entry(Node):
    """`black_hole[me]`: one entry of a family."""

    family: Expression
    key: Expression


@attrs.frozen(kw_only=True)
class Item(Node):
    """`codes[0]`: one item of a list; outside the list is a rules error."""

    items: Expression
    index: Expression


@attrs.frozen(kw_only=True)
class DefineCall(Node):
    """The value of a define. `me` is the player about whom it is asked (`p.score`), or None: the
    acting one. `this` of a define of a kind is its first argument."""

    define: str
    arguments: tuple[Expression, ...]
    me: Expression | None


@attrs.frozen(kw_only=True)
class Lambda(Node):
    """An expression handed on: `its.mark is me`. Locals are taken by value when it is made; `me`
    is the one in force where it is applied."""

    parameter: str
    body: Expression


@attrs.frozen(kw_only=True)
class Apply(Node):
    """A handed-on expression applied to a value."""

    function: Expression
    argument: Expression


@attrs.frozen(kw_only=True)
class Builtin(Node):
    """A core function (`registry.FUNCTIONS`), by name."""

    name: str
    arguments: tuple[Expression, ...]


@attrs.frozen(kw_only=True)
class Lookup(Node):
    """`lookup(v, a: x, b: y, else: z)`."""

    value: Expression
    pairs: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@attrs.frozen(kw_only=True)
class Where(Node):
    """`xs where c`; `name` stands for the thing looked at."""

    source: Expression
    name: str
    condition: Expression


@attrs.frozen(kw_only=True)
class Each(Node):
    """`xs each e`."""

    source: Expression
    name: str
    value: Expression


@attrs.frozen(kw_only=True)
class Without(Node):
    """`xs without ys`."""

    source: Expression
    other: Expression


@attrs.frozen(kw_only=True)
class Criterion:
    """`most e` or `fewest e`."""

    most: bool
    value: Expression
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Having(Node):
    """`xs having most a, then fewest b`: all that tie for the best, in source order."""

    source: Expression
    name: str
    keys: tuple[Criterion, ...]


@attrs.frozen(kw_only=True)
class Sorted(Node):
    """`xs sorted by most a, then fewest b`: stable."""

    source: Expression
    name: str
    keys: tuple[Criterion, ...]


@attrs.frozen(kw_only=True)
class Quantified(Node):
    """`every p in xs has c`, `some …`, `no …`."""

    word: str
    name: str
    source: Expression
    condition: Expression


@attrs.frozen(kw_only=True)
class Conditional(Node):
    """`if c then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@attrs.frozen(kw_only=True)
class And(Node):
    """`a and b`."""

    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
class Or(Node):
    """`a or b`."""

    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
class Not(Node):
    """`not a`."""

    operand: Expression


@attrs.frozen(kw_only=True)
class Arithmetic(Node):
    """`+ - * / mod` on numbers; `+` also joins lists, `*` repeats one (`3 * [x]`)."""

    word: str
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
class Negative(Node):
    """`-n`."""

    operand: Expression


@attrs.frozen(kw_only=True)
class Compare(Node):
    """`is`, `is not`, `<`, `>`, `<=`, `>=`, `in`, `not in`; enumerations compare by declaration."""

    word: str
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True)
class IsEmpty(Node):
    """`xs is empty`, `xs is not empty` (`negated`)."""

    source: Expression
    negated: bool


@attrs.frozen(kw_only=True)
class ListOf(Node):
    """`[a, b]`."""

    items: tuple[Expression, ...]


@attrs.frozen(kw_only=True)
class Numbers(Node):
    """`a..b`."""

    low: Expression
    high: Expression


@attrs.frozen(kw_only=True)
class FamilyOf(Node):
    """`[wood: 2, ore: 1]`; what is not named has the start value of the type."""

    pairs: tuple[tuple[Expression, Expression], ...]


@attrs.frozen(kw_only=True)
class VerbOf(Node):
    """A verb as a value: the overload set by ids, and arguments if it carries them."""

    name: str
    verbs: tuple[str, ...]
    arguments: tuple[Expression | Place, ...]


@attrs.frozen(kw_only=True)
class Can(Node):
    """`can(verb(args))`: look-ahead as a value."""

    verb: VerbOf


@attrs.frozen(kw_only=True)
class LetIn(Node):
    """A name for a value inside an expression."""

    name: str
    value: Expression
    body: Expression


@attrs.frozen(kw_only=True)
class OriginalValue(Node):
    """`original` in a `change`."""


@attrs.frozen(kw_only=True)
class OwnerOf(Node):
    """`x.owner`."""

    thing: Expression


@attrs.frozen(kw_only=True)
class LiesAt(Node):
    """`x.lies_at`: the thing or player whose zone holds it, or none."""

    thing: Expression


@attrs.frozen(kw_only=True)
class Ending(Node):
    """`ending`: the reason of the end, or none."""


@attrs.frozen(kw_only=True)
class Won(Node):
    """`won` of a player, when no define says otherwise."""

    player: Expression


@attrs.frozen(kw_only=True)
class FinalOrder(Node):
    """`ranking` as a value, in examples: the players from first to last place."""


@attrs.frozen(kw_only=True)
class Chance(Node):
    """`random(xs)` (`pick`), `random(n, xs)` (`some`), `shuffled(xs)`, `roll(n, sides)`: only the
    whole value of a `let`, `set`, `add`, `move` or an argument of a verb."""

    word: str
    count: Expression | None
    source: Expression


Expression = (
    Constant
    | EnumConstant
    | TextOf
    | Local
    | Contents
    | Me
    | Everything
    | Seats
    | EnumValues
    | NamedThing
    | OptionValue
    | Read
    | SlotThing
    | Entry
    | Item
    | DefineCall
    | Lambda
    | Apply
    | Builtin
    | Lookup
    | Where
    | Each
    | Without
    | Having
    | Sorted
    | Quantified
    | Conditional
    | And
    | Or
    | Not
    | Arithmetic
    | Negative
    | Compare
    | IsEmpty
    | ListOf
    | Numbers
    | FamilyOf
    | VerbOf
    | Can
    | LetIn
    | OriginalValue
    | OwnerOf
    | LiesAt
    | Ending
    | Won
    | FinalOrder
    | Chance
)

# ----------------------------------------------------------------------------------------- places


@attrs.frozen(kw_only=True)
class FieldPlace(Node):
    """A field or zone to write to; `type` is that of the field."""

    field: str
    target: Expression | None


@attrs.frozen(kw_only=True)
class EntryPlace(Node):
    """One entry of a family field; `type` is that of the entry."""

    field: str
    target: Expression | None
    key: Expression


@attrs.frozen(kw_only=True)
class LocalPlace(Node):
    """The place that a parameter holds."""

    name: str


@attrs.frozen(kw_only=True)
class AppliedPlace(Node):
    """A place about `it`, given as `A => cards of B` to a module or verb, applied to a value. The
    function is a `PlaceLambda` or a local that holds one."""

    function: Expression | PlaceLambda
    argument: Expression


@attrs.frozen(kw_only=True)
class PlaceLambda(Node):
    """`its.inside` handed on where a zone about `it` is wanted."""

    parameter: str
    place: Place


Place = FieldPlace | EntryPlace | LocalPlace | AppliedPlace
Argument = Expression | Place | PlaceLambda

# ------------------------------------------------------------------------------------------ steps


@attrs.frozen(kw_only=True)
class Step:
    """Base of steps: where it is written and what it cites."""

    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


Block = tuple["Statement", ...]


@attrs.frozen(kw_only=True)
class Let(Step):
    """`let x = e`"""

    name: str
    value: Expression


@attrs.frozen(kw_only=True)
class Set(Step):
    """`set f to e`; `whole_family`: a plain value for every entry"""

    place: Place
    value: Expression
    whole_family: bool = False


@attrs.frozen(kw_only=True)
class Add(Step):
    """`add e to f`: to a number, or (`append`) at the end of a list field"""

    place: Place
    value: Expression
    append: bool


@attrs.frozen(kw_only=True)
class Remove(Step):
    """`remove e from f`: the first e of a list field"""

    place: Place
    value: Expression


@attrs.frozen(kw_only=True)
class Swap(Step):
    """`swap f with g`"""

    first: Place
    second: Place


@attrs.frozen(kw_only=True)
class Move(Step):
    """`move xs to z`: things (a list), or a whole zone (`zone` is set, `things` is not)"""

    things: Expression | None
    zone: Place | None
    to: Place


@attrs.frozen(kw_only=True)
class Shuffle(Step):
    """`shuffle z`"""

    zone: Place


@attrs.frozen(kw_only=True)
class Show(Step):
    """`show x to ps`; a whole zone is its list"""

    value: Expression
    viewers: Expression


@attrs.frozen(kw_only=True)
class Nothing(Step):
    """`nothing`"""


@attrs.frozen(kw_only=True)
class CallVerb(Step):
    """A verb with its arguments, object first, then the places in the order of its head"""

    verb: str
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True)
class Do(Step):
    """`do v`"""

    value: Expression


@attrs.frozen(kw_only=True)
class Choose(Step):
    """`choose …`: `word` is one, count, up_to, any or ordered; `low`/`high` bound the number (None:
    no bound). With `word` one the local is the value itself, otherwise a list."""

    name: str
    word: str
    low: Expression | None
    high: Expression | None
    source: Expression
    such_that: Expression | None
    ask: Expression | None
    or_stop: bool


@attrs.frozen(kw_only=True)
class May(Step):
    """`may "…"` + block"""

    label: Expression
    block: Block


@attrs.frozen(kw_only=True)
class Arm(Step):
    """One arm of an `either`"""

    label: Expression
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class Either(Step):
    """`either … or …`"""

    arms: tuple[Arm, ...]


@attrs.frozen(kw_only=True)
class Branch(Step):
    """A condition of an `if` with its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True)
class If(Step):
    """`if … else if … else …`"""

    branches: tuple[Branch, ...]
    otherwise: Block


@attrs.frozen(kw_only=True)
class ForEach(Step):
    """`for each x in xs`"""

    name: str
    source: Expression
    block: Block


@attrs.frozen(kw_only=True)
class Repeat(Step):
    """`repeat …`: `word` is times, while, until or for ever"""

    word: str
    value: Expression | None
    block: Block


@attrs.frozen(kw_only=True)
class As(Step):
    """`as ps`: `players` is a list (a single player has been made one)"""

    players: Expression
    block: Block


@attrs.frozen(kw_only=True)
class Need(Step):
    """`need c else "why"`"""

    condition: Expression
    reason: Expression


@attrs.frozen(kw_only=True)
class NamedStep(Step):
    """`step mark` + block; amendments of it hang in `Game.amendments` under `id`"""

    id: str
    name: str
    block: Block


@attrs.frozen(kw_only=True)
class Stop(Step):
    """`stop` (`target` None: the verb or amendment it stands in), `stop V` (`target`: the verb ids
    and step ids of that name, the innermost running one is meant)"""

    target: tuple[str, ...] | None


@attrs.frozen(kw_only=True)
class EndGame(Step):
    """`end game "reason"`"""

    reason: Expression | None


Statement = (
    Let
    | Set
    | Add
    | Remove
    | Swap
    | Move
    | Shuffle
    | Show
    | Nothing
    | CallVerb
    | Do
    | Choose
    | May
    | Either
    | If
    | ForEach
    | Repeat
    | As
    | Need
    | NamedStep
    | Stop
    | EndGame
)

# ----------------------------------------------------------------------------------- declarations


@attrs.frozen(kw_only=True)
class Enumeration:
    """`kind Sort is one of [fame, sand]`"""

    name: str
    values: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Viewers:
    """Who sees: `everybody`, `owner`, `nobody`, or `some` (the list of players that `expression`
    gives; locals: `this`, the holder)."""

    who: str
    expression: Expression | None = None


EVERYBODY = Viewers(who="everybody")


@attrs.frozen(kw_only=True)
class Field:
    """A field or zone. `holder` is its kind, or None for the game. A printed field has no start
    value and is never written. `default` is read with `me` and `this` = the holder."""

    id: str
    name: str
    holder: str | None
    type: Type
    printed: bool
    default: Expression | None
    low: Expression | None
    high: Expression | None
    viewers: Viewers
    count_viewers: Viewers
    fresh: tuple[str, ...]
    """Ids of the verbs whose beginning resets it."""
    fresh_own: bool
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Kind:
    """A kind of thing; `fields` are ids in the order of declaration; `name_define` is the id of a
    define `name` of the kind, if it has one."""

    name: str
    fields: tuple[str, ...]
    name_define: str | None


@attrs.frozen(kw_only=True)
class Row:
    """A row of a table: so many copies of a thing with these printed fields."""

    copies: int
    cells: tuple[tuple[str, Expression], ...]
    """(field id, constant expression)."""
    status: str
    note: str


@attrs.frozen(kw_only=True)
class Table:
    """The things of a kind: rows, or the product of ranges (name, list expression; a later one may
    read earlier names as locals) whose names are the printed fields."""

    kind: str
    rows: tuple[Row, ...]
    ranges: tuple[tuple[str, str, Expression], ...]
    """(local name, field id, values)."""
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class OptionItem:
    """An option or a ruling: a choice fixed when the game starts."""

    name: str
    type: Type
    default: Expression
    low: Expression | None
    high: Expression | None
    question: str
    ruling: bool
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Changed:
    """A `change`: `how` is to, by, at most or at least; `scope` 0 game and modules, 1 variants;
    `order` sorts within a scope; `title` names the variant ("" for the game)."""

    how: str
    value: Expression
    guard: Expression | None
    scope: int
    order: int
    title: str
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Line:
    """A named line of a tally, amendable by itself."""

    name: str
    value: Expression
    changes: tuple[Changed, ...]
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Define:
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
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Amendment:
    """A `before`, `after` or `instead` block with its guard. Its locals start with those of the
    target that it may use; its own are renamed so that they cannot meet the target's."""

    timing: str
    guard: Expression | None
    block: Block
    scope: int
    order: int
    title: str
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Parameter:
    """A parameter of a verb."""

    name: str
    type: Type


@attrs.frozen(kw_only=True)
class Verb:
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
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Watch:
    """`as soon as c` + block; with `needs_me` watched for each player."""

    id: str
    condition: Expression
    block: Block
    needs_me: bool
    title: str
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True)
class Check:
    """`check "…": c`, or `check always`."""

    label: str
    always: bool
    condition: Expression
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


# --------------------------------------------------------------------------------------- examples


@attrs.frozen(kw_only=True)
class Answer:
    """One answer of a `do`: `value` (an expression; players' names are locals), or the label of an
    arm, `may` or offer as `text`; `name` of the choice if it was given; `declined`: `no "text"`."""

    name: str | None
    value: Expression | None
    text: Expression | None
    declined: bool
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class GivenField:
    """`given f is v` (a whole family where the value is a `FamilyOf`)."""

    place: Place
    value: Expression
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class GivenOption:
    """`given immediate_end is at_once`."""

    option: str
    value: Expression
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class Holding:
    """`3 Resource where c` (`number`, `kind`, `name` bound in `condition`), or a `value`: a thing
    or list of things."""

    number: int
    kind: str
    name: str
    condition: Expression | None
    value: Expression | None
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class GivenZone:
    """`given z holds …`."""

    place: Place
    holdings: tuple[Holding, ...]
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class ChanceLine:
    """`chance 6, 5`."""

    outcomes: tuple[Expression, ...]
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class DoLine:
    """`do ann: scan, …`; `word` is do, allow or refuse; `reason` of a refusal, if given. The first
    answer is a `VerbOf` when a verb is begun."""

    word: str
    player: Expression
    answers: tuple[Answer, ...]
    reason: Expression | None
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True)
class ExpectLine:
    """`expect c`."""

    condition: Expression
    span: Span = attrs.field(eq=False, repr=False)


ExampleLine = GivenField | GivenOption | GivenZone | ChanceLine | DoLine | ExpectLine


@attrs.frozen(kw_only=True)
class Example:
    """A worked example; `players` are the names of the seats (locals of all its expressions)."""

    title: str
    players: tuple[str, ...]
    lines: tuple[ExampleLine, ...]
    source: str
    """Title of the variant that says it, "" for the game."""
    span: Span = attrs.field(eq=False, repr=False)
    see: tuple[Section, ...] = ()


# ------------------------------------------------------------------------------------------- game


@attrs.frozen(kw_only=True)
class Game:
    """A game linked with a set of variants. Mappings keep the order of declaration."""

    name: str
    title: str
    least_players: int
    most_players: int
    variants: tuple[str, ...]
    """Titles of the variants that are on, in their order."""
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
