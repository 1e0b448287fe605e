"""The checked model, first part: expressions and places (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.base import Constant, EnumConstant, Node
from rulewright.dsl.syntax.node import Section
from rulewright.dsl.text.source import Compared


@attrs.frozen(kw_only=True, eq=False, repr=False)
class TextOf(Node):
    """A text with placeholders."""

    parts: tuple[str | Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Local(Node):
    """A name of the verb, define or example. A parameter that takes a zone or a field (`ZoneType`,
    `PlaceType`) holds a place; read with `Contents`."""

    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Contents(Node):
    """What lies in, or stands at, the place that a local holds."""

    place: Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Me(Node):
    """The acting player."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Everything(Node):
    """`Planet`: all things of the kind (`Player`: neutral players too), living ones only."""

    kind: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Seats(Node):
    """`players`, in seat order."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EnumValues(Node):
    """`Sort`: all values of the enumeration."""

    enum: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NamedThing(Node):
    """`Planet("Cinder")`; of the kind `Player` the id of a neutral: `old_empire`."""

    kind: str
    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OptionValue(Node):
    """The chosen value of an option or ruling."""

    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Read(Node):
    """A field. `target` is the holder, or None for a field of the game. A zone gives the list of
    its things, a family the whole family."""

    field: str
    target: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class SlotThing(Node):
    """A slot read as its thing: the thing or none. `slot` gives the list."""

    slot: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Entry(Node):
    """`black_hole[me]`: one entry of a family."""

    family: Expression
    key: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Item(Node):
    """`codes[0]`: one item of a list; outside the list is a rules error."""

    items: Expression
    index: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class DefineCall(Node):
    """The value of a define. `me` is the player about whom it is asked (`p.score`), or None: the
    acting one. `this` of a define of a kind is its first argument."""

    define: str
    arguments: tuple[Expression, ...]
    me: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Lambda(Node):
    """An expression handed on: `its.mark is me`. Locals are taken by value when it is made; `me`
    is the one in force where it is applied."""

    parameter: str
    body: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Apply(Node):
    """A handed-on expression applied to a value."""

    function: Expression
    argument: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Builtin(Node):
    """A core function (`builtins.FUNCTIONS`), by name."""

    name: str
    arguments: tuple[Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Lookup(Node):
    """`lookup(v, a: x, b: y, else: z)`."""

    value: Expression
    pairs: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Where(Node):
    """`xs where c`; `name` stands for the thing looked at."""

    source: Expression
    name: str
    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Each(Node):
    """`xs each e`."""

    source: Expression
    name: str
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Without(Node):
    """`xs without ys`."""

    source: Expression
    other: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Criterion(Compared):
    """`most e` or `fewest e`."""

    most: bool
    value: Expression
    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Having(Node):
    """`xs having most a, then fewest b`: all that tie for the best, in source order."""

    source: Expression
    name: str
    keys: tuple[Criterion, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Sorted(Node):
    """`xs sorted by most a, then fewest b`: stable."""

    source: Expression
    name: str
    keys: tuple[Criterion, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Quantified(Node):
    """`every p in xs has c`, `some …`, `no …`."""

    word: str
    name: str
    source: Expression
    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Conditional(Node):
    """`if c then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class And(Node):
    """`a and b`."""

    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Or(Node):
    """`a or b`."""

    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Not(Node):
    """`not a`."""

    operand: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Arithmetic(Node):
    """`+ - * / mod` on numbers; `+` also joins lists, `*` repeats one (`3 * [x]`)."""

    word: str
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Negative(Node):
    """`-n`."""

    operand: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Compare(Node):
    """`is`, `is not`, `<`, `>`, `<=`, `>=`, `in`, `not in`; enumerations compare by declaration."""

    word: str
    left: Expression
    right: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class IsEmpty(Node):
    """`xs is empty`, `xs is not empty` (`negated`)."""

    source: Expression
    negated: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ListOf(Node):
    """`[a, b]`."""

    items: tuple[Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Numbers(Node):
    """`a..b`."""

    low: Expression
    high: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class FamilyOf(Node):
    """`[wood: 2, ore: 1]`; what is not named has the start value of the type."""

    pairs: tuple[tuple[Expression, Expression], ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class VerbOf(Node):
    """A verb as a value: the overload set by ids, and arguments if it carries them."""

    name: str
    verbs: tuple[str, ...]
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Can(Node):
    """`can(verb(args))`, `can(it)`: look-ahead as a value."""

    verb: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class LetIn(Node):
    """A name for a value inside an expression."""

    name: str
    value: Expression
    body: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OriginalValue(Node):
    """`original` in a `change`."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class OwnerOf(Node):
    """`x.owner`; `needed`: for a formula about him, so that none is a rules error."""

    thing: Expression
    needed: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Lasting(Node):
    """The records of the `until` of that number which hold for who reads: those of the acting
    player, or (`anybody`) all. Each is a list that ends with the captured values, from 3 on."""

    number: int
    anybody: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
class LiesAt(Node):
    """`x.lies_at`: the thing or player whose zone holds it, or none."""

    thing: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Ending(Node):
    """`ending`: the reason of the end, or none."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Won(Node):
    """`won` of a player, when no define says otherwise."""

    player: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class FinalOrder(Node):
    """`ranking` as a value, in examples: the players from first to last place."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Needed(Node):
    """A value that must be there where it is stored or handed on, and with `items` each of its items:
    none is a rules error. Made when the game is loaded, never by the checker."""

    value: Expression
    items: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
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
    | Lasting
    | LiesAt
    | Ending
    | Won
    | FinalOrder
    | Needed
    | Chance
)

# ----------------------------------------------------------------------------------------- places


@attrs.frozen(kw_only=True, eq=False, repr=False)
class FieldPlace(Node):
    """A field or zone to write to; `type` is that of the field."""

    field: str
    target: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EntryPlace(Node):
    """One entry of a family field; `type` is that of the entry."""

    field: str
    target: Expression | None
    key: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class LocalPlace(Node):
    """The place that a parameter holds."""

    name: str


@attrs.frozen(kw_only=True, eq=False, repr=False)
class AppliedPlace(Node):
    """A place about `it`, given as `A => cards of B` to a module or verb, applied to a value. The
    function is a `PlaceLambda` or a local that holds one."""

    function: Expression | PlaceLambda
    argument: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class PlaceLambda(Node):
    """`its.inside` handed on where a zone about `it` is wanted."""

    parameter: str
    place: Place


Place = FieldPlace | EntryPlace | LocalPlace | AppliedPlace
Argument = Expression | Place | PlaceLambda
