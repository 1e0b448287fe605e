"""The core of the language, declared once: every core verb and function with its forms.

The checker, the interpreter, completion and the reference pages read this register; a test compares
it with what is implemented. What is not here is rule text: the game's own, or the library's.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

HandsOn: TypeAlias = Literal["nothing", "one", "all", "some", "inner"]
OrderOf: TypeAlias = Literal["read", "kept", "free"]
Sign: TypeAlias = Literal["any", "natural", "kept"]


@attrs.frozen
class ListUse:
    """What a function does with the list that is its last argument, for every pass that asks.

    `hands_on`: what comes out as it was: nothing (the result is worked out), one item (or several, with
    a number before the list), all items, some of them, or the items of the lists in it. Who may see an
    item, where it lies, whose it is and what is known of its fields is then true of the result.
    """

    hands_on: HandsOn = "nothing"
    order: OrderOf = "read"
    """The order of the list decides what comes out, or is handed on, or makes no difference."""

    once: bool = False
    """Nothing stands in the result twice if nothing stands in the list twice."""

    filled: bool = False
    """The result is a list, and empty only if the list is."""

    lacking: bool = False
    """It may find nothing: none, or a rules error where something is needed."""

    drops_none: bool = False
    """The result holds no none although the list may."""

    counts: bool = False
    """Only how many items there are decides the result, so that nobody has to see them."""

    apart: bool = False
    """Each item is treated without a look at the others: of two lists put together the result is both
    results put together, in some order."""

    end: Literal["front", "back"] | None = None
    """The end of the list from which it takes."""


READ = ListUse()
TOLD = ListUse(order="free")
COUNTED = ListUse(order="free", counts=True)
FRONT = ListUse("one", once=True, lacking=True, end="front")
BACK = ListUse("one", once=True, lacking=True, end="back")
SINGLE = ListUse("one", order="free", once=True, lacking=True)
CERTAIN = ListUse("one", order="free", once=True)
DISTINCT = ListUse("all", order="kept", once=True, filled=True)
REVERSED = ListUse("all", order="kept", once=True, filled=True, apart=True)
MIXED = ListUse("all", order="free", once=True, filled=True, apart=True)
PRESENT = ListUse("some", order="kept", once=True, drops_none=True, apart=True)
JOINED = ListUse("inner", order="kept", apart=True)
PLACES = ListUse(order="free", once=True, filled=True, counts=True)


@attrs.frozen
class Function:
    """A core function: its forms as an author writes them, what it gives, and an example; and what it
    does with a list."""

    name: str
    forms: tuple[str, ...]
    gives: str
    doc: str
    example: str
    least: int
    most: int
    lists: ListUse = READ
    chance: bool = False
    sign: Sign = "any"
    """Of a number: it may be negative; it never is; it is not if no number in the list is."""

    steps: int = 0
    """So often, roughly, it applies an expression handed to it, to go from item to item."""

    @property
    def takes(self) -> str:
        """How many arguments, in words."""
        numbers = f"{self.least}" if self.most > 9 else f"{self.least} or {self.most}"
        if self.least == self.most:
            return f"{self.least} argument{'' if self.least == 1 else 's'}"
        return f"{numbers} arguments{' or more' if self.most > 9 else ''}"


@attrs.frozen
class CoreVerb:
    """A core verb: what follows it."""

    name: str
    form: str
    doc: str
    prepositions: tuple[str, ...]
    has_object: bool = True


FUNCTIONS: tuple[Function, ...] = (
    Function(
        "count",
        ("count(xs)",),
        "number",
        "how many",
        "count(my.hand)",
        1,
        1,
        COUNTED,
        sign="natural",
    ),
    Function(
        "sum",
        ("sum(numbers)",),
        "number",
        "all added up; 0 of nothing",
        "sum([1, 2])",
        1,
        1,
        TOLD,
        sign="kept",
    ),
    Function(
        "min",
        ("min(numbers)",),
        "number",
        "the least; 0 of nothing",
        "min([a, b])",
        1,
        1,
        TOLD,
        sign="kept",
    ),
    Function(
        "max",
        ("max(numbers)",),
        "number",
        "the greatest; 0 of nothing",
        "max([0, n])",
        1,
        1,
        TOLD,
        sign="kept",
    ),
    Function(
        "total",
        ("total(family)",),
        "number",
        "the sum over all",
        "total(black_hole)",
        1,
        1,
        TOLD,
        sign="kept",
    ),
    Function(
        "first",
        ("first(xs)", "first(n, xs)"),
        "T? or list",
        "the first",
        "first(hand)",
        1,
        2,
        FRONT,
    ),
    Function(
        "last", ("last(xs)", "last(n, xs)"), "T? or list", "the last", "last(2, xs)", 1, 2, BACK
    ),
    Function(
        "top", ("top(pile)", "top(n, pile)"), "T? or list", "the topmost", "top(deck)", 1, 2, BACK
    ),
    Function(
        "only", ("only(xs)",), "T?", "the single one; else none", "only(leaders)", 1, 1, SINGLE
    ),
    Function(
        "the", ("the(xs)",), "T", "the single one; else a rules error", "the(xs)", 1, 1, CERTAIN
    ),
    Function(
        "distinct", ("distinct(xs)",), "list", "without repetition", "distinct(xs)", 1, 1, DISTINCT
    ),
    Function("reversed", ("reversed(xs)",), "list", "backwards", "reversed(xs)", 1, 1, REVERSED),
    Function("present", ("present(xs)",), "list", "without none", "present(xs)", 1, 1, PRESENT),
    Function(
        "join", ("join(lists)",), "list", "one list of all", "join(ps each its.hand)", 1, 1, JOINED
    ),
    Function("same_items", ("same_items(xs, ys)",), "flag", "equal in any order", "…", 2, 2, TOLD),
    Function(
        "position",
        ("position(x, xs)",),
        "number",
        "place from 0",
        "position(p, players)",
        2,
        2,
        sign="natural",
    ),
    Function("indices", ("indices(xs)",), "list", "[0, 1, …]", "indices(xs)", 1, 1, PLACES),
    Function("lookup", ("lookup(v, a: x, else: z)",), "T", "the value beside v", "…", 2, 99),
    Function(
        "walk", ("walk(x, next, good)",), "list", "x, next of it, … while good", "…", 3, 3, steps=4
    ),
    Function(
        "reach",
        ("reach(x, neighbours)", "reach(x, n, neighbours)"),
        "list",
        "…",
        "…",
        2,
        3,
        steps=40,
    ),
    Function(
        "components",
        ("components(xs, neighbours)",),
        "list",
        "what hangs together",
        "…",
        2,
        2,
        steps=40,
    ),
    Function(
        "path_length",
        ("path_length(a, b, neighbours)",),
        "number",
        "steps",
        "…",
        3,
        3,
        sign="natural",
        steps=40,
    ),
    Function(
        "can",
        ("can(verb(args))", "can(v)"),
        "flag",
        "whether it could be done",
        "can(pay(3))",
        1,
        1,
    ),
    Function(
        "random", ("random(xs)", "random(n, xs)"), "T", "chance", "random(1..6)", 1, 2, SINGLE, True
    ),
    Function("shuffled", ("shuffled(xs)",), "list", "chance", "shuffled(xs)", 1, 1, MIXED, True),
    Function("roll", ("roll(n, sides)",), "list", "chance", "roll(2, 6)", 2, 2, READ, True),
)

VERBS: tuple[CoreVerb, ...] = (
    CoreVerb("set", "set f to e", "gives a field or an entry of a family a value", ("to",)),
    CoreVerb("add", "add e to f", "adds to a number, or to the end of a list field", ("to",)),
    CoreVerb("remove", "remove e from f", "takes the first e out of a list field", ("from",)),
    CoreVerb("swap", "swap f with g", "exchanges two fields or two zones", ("with",)),
    CoreVerb("move", "move xs to z", "things go to a zone; the last lies on top", ("to",)),
    CoreVerb("shuffle", "shuffle z", "chance decides the order of a zone", ()),
    CoreVerb("create", "create K(…) into z", "a new thing", ("into",)),
    CoreVerb("destroy", "destroy xs", "things leave the game", ()),
    CoreVerb("show", "show x to ps", "players learn something, now and as it is now", ("to",)),
    CoreVerb("pause", "pause", "a stop where only offers are open", (), has_object=False),
    CoreVerb("nothing", "nothing", "does nothing", (), has_object=False),
)

FUNCTION_BY_NAME = {function.name: function for function in FUNCTIONS}
VERB_BY_NAME = {verb.name: verb for verb in VERBS}


def list_use(name: str) -> ListUse:
    """Return what a core function does with its list, by its name."""
    return FUNCTION_BY_NAME[name].lists


BUILT_IN_VALUES = ("players", "ending", "won", "this", "owner", "ranking")

RESERVED = frozenset(
    "if then else and or not is in mod where each as without having sorted every some no yes none"
    " empty original me my it its let choose may either for repeat need step until do end stop any"
    " such ask define tally change before after instead during when has see to from by at with"
    " into onto on over against".split()
)

CANNOT_BE_DECLARED = (
    frozenset({"players", "this", "ending"})
    | frozenset(FUNCTION_BY_NAME)
    | (frozenset(VERB_BY_NAME))
)
