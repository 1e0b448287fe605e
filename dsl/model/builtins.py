"""The core of the language, declared once: every core verb and function with its forms.

The checker, the interpreter, completion and the reference pages read this register; a test compares
it with what is implemented. What is not here is rule text: the game's own, or the library's.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.model.constructs import VALUE, Function, Use

TOLD = Use(order="free")
COUNTED = Use(order="free", counts=True)
FRONT = Use("one", once=True, lacking=True, end="front")
BACK = Use("one", once=True, lacking=True, end="back")
SINGLE = Use("one", order="free", once=True, lacking=True)
CERTAIN = Use("one", order="free", once=True)
DISTINCT = Use("all", order="kept", once=True, filled=True, length="most")
REVERSED = Use("all", order="kept", once=True, filled=True, apart=True, length="same")
MIXED = Use("all", order="free", once=True, filled=True, apart=True, length="same")
PRESENT = Use("some", order="kept", once=True, drops_none=True, apart=True, length="most")
JOINED = Use("inner", order="kept", apart=True)
PLACES = Use(order="free", once=True, filled=True, counts=True, length="same")


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
        "count(xs)",
        "number",
        "how many; of a hidden zone, too",
        "count(my.hand)",
        lists=COUNTED,
        sign="natural",
        result="number",
    ),
    Function(
        "sum",
        "sum(numbers)",
        "number",
        "all added up; 0 of nothing",
        "sum([1, round])",
        lists=TOLD,
        sign="kept",
    ),
    Function(
        "min",
        "min(numbers)",
        "number",
        "the least; 0 of nothing",
        "min([3, round])",
        lists=TOLD,
        sign="kept",
    ),
    Function(
        "max",
        "max(numbers)",
        "number",
        "the greatest; 0 of nothing",
        "max([0, round])",
        lists=TOLD,
        sign="kept",
    ),
    Function(
        "total",
        "total(family)",
        "number",
        "the sum over all entries of a family",
        "total(worth)",
        lists=TOLD,
        sign="kept",
    ),
    Function(
        "first",
        ("first(xs)", "first(n, xs)"),
        "T?; list",
        "the first; with n at most n of them; `first` of a pile is its bottom",
        "first(row)",
        lists=FRONT,
        result="x",
    ),
    Function(
        "last",
        ("last(xs)", "last(n, xs)"),
        "T?; list",
        "the last; with n at most n, in their order",
        "last(2, row)",
        lists=BACK,
        result="x",
    ),
    Function(
        "top",
        ("top(pile)", "top(n, pile)"),
        "T?; list",
        "the topmost of a pile; with n at most n, the topmost first",
        "top(2, row)",
        lists=BACK,
        result="x",
    ),
    Function(
        "only",
        "only(xs)",
        "T?",
        'the single element, none if there are more or fewer ("if players tie, no one")',
        "only(row)",
        lists=SINGLE,
        result="x",
    ),
    Function(
        "the",
        "the(xs)",
        "T",
        "the single element; more or fewer is a rules error",
        "the([round])",
        lists=CERTAIN,
        result="x",
    ),
    Function(
        "distinct",
        "distinct(xs)",
        "list",
        "without repetition",
        "distinct(row each its.suit)",
        lists=DISTINCT,
        result="xs",
    ),
    Function(
        "reversed",
        "reversed(xs)",
        "list",
        "backwards",
        "reversed(row)",
        lists=REVERSED,
        result="xs",
    ),
    Function(
        "present",
        "present(xs)",
        "list",
        "without `none`",
        "present(Card each its.holder)",
        lists=PRESENT,
        result="xs",
    ),
    Function(
        "join",
        "join(lists)",
        "list",
        "one list of all",
        "join(players each its.seen)",
        lists=JOINED,
    ),
    Function(
        "same_items",
        "same_items(xs, ys)",
        "flag",
        "the same things or values in any order",
        "same_items(row, Card)",
        lists=TOLD,
    ),
    Function(
        "position",
        "position(x, xs)",
        "number",
        "the place, from 0; x must be there",
        "position(me, players)",
        sign="natural",
    ),
    Function(
        "indices",
        "indices(xs)",
        "list",
        "`[0, 1, …]`; of a hidden zone, too",
        "indices(row)",
        lists=PLACES,
        result="numbers",
    ),
    Function(
        "lookup",
        ("lookup(v, a: x)", "lookup(v, a: x, else: z)"),
        "T",
        "the value beside v; must be complete (all values of an enumeration, `yes` and `no`) or have `else`",
        "lookup(round, 1: 5, 2: 7, else: 9)",
        uses={"pairs": VALUE, "otherwise": VALUE},
        most=99,
    ),
    Function(
        "walk",
        "walk(x, next, good)",
        "list",
        "x, next of it, … as long as there is one, it is new, and it is good",
        "walk(first(Spot), behind(it), its.number < 4)",
        steps=4,
        result="xs",
    ),
    Function(
        "reach",
        ("reach(x, neighbours)", "reach(x, n, neighbours)"),
        "list",
        "everything within n steps, or any number of steps, x included",
        "reach(first(Spot), beside(it))",
        steps=40,
        result="xs",
    ),
    Function(
        "components",
        "components(xs, neighbours)",
        "list",
        "the things of xs in lists of those that hang together by way of neighbours in xs: groups of stones, areas of a map",
        "components(Spot where its.taker is none, beside(it))",
        steps=40,
        result="lists",
    ),
    Function(
        "path_length",
        "path_length(a, b, neighbours)",
        "number",
        "the number of steps; 999 if there is no way",
        "path_length(first(Spot), last(Spot), beside(it))",
        sign="natural",
        steps=40,
        result="number",
    ),
    Function(
        "can",
        ("can(verb(args))", "can(v)"),
        "flag",
        "look-ahead, section 7; v is a verb that is a value",
        "can(pay(2))",
        depends="more",
    ),
    Function(
        "random",
        ("random(xs)", "random(n, xs)"),
        "T; list",
        "chance: one of xs; n of them",
        "random(1..6)",
        depends="more",
        lists=SINGLE,
        chance=True,
    ),
    Function(
        "shuffled",
        "shuffled(xs)",
        "list",
        "chance: all of xs in a random order",
        "shuffled(row)",
        depends="more",
        lists=MIXED,
        chance=True,
    ),
    Function(
        "roll",
        "roll(n, sides)",
        "list",
        "chance: n dice",
        "roll(2, 6)",
        depends="more",
        chance=True,
    ),
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


def list_use(name: str) -> Use:
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
