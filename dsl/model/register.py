"""The register of constructs: a row for each class of expressions and places (see `constructs`).

    construct(node)    the row of an expression: of a call of a core function that of the function, of
                       `xs + ys` that of joining lists

A test compares the rows with the classes, with what the interpreter evaluates and with the reference; it
compiles each example and finds the construct in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME, FUNCTIONS, TOLD
from rulewright.dsl.model.constructs import VALUE, Binds, Construct, Depends, Use

PICKED = Use("some", order="kept", once=True, apart=True, length="most")
BEST = Use("some", order="kept", once=True, filled=True, length="most")
ORDERED = Use("all", order="kept", once=True, filled=True, apart=True, length="same")
MAPPED = Use(order="kept", apart=True, length="same")
ALONE = Use("one", order="free", once=True, lacking=True)
PLACED = Use("one", once=True)
THERE = Use("value", order="kept", once=True, filled=True, length="same")
LISTED = Use("item", order="kept")
ADDED = Use("all", order="kept")
REPEATED = Use("some", order="kept")

OF_ITEMS = Binds("name", "source", "condition")

JOINED_LISTS = Construct(
    model.Arithmetic,
    "xs + ys",
    "list",
    "all of xs, then all of ys",
    "my.hand + row",
    {"left": ADDED, "right": ADDED},
)
REPEATED_LIST = Construct(
    model.Arithmetic,
    "n * xs",
    "list",
    "xs n times, one behind the other",
    "3 * [round]",
    {"right": REPEATED},
)
IN_LIST = Construct(
    model.Compare,
    ("x in xs", "x not in xs"),
    "flag",
    "whether a list holds it",
    "me in (players where its.coins > 0)",
    {"right": TOLD},
)

EXPRESSIONS: tuple[Construct, ...] = (
    Construct(
        model.Constant,
        ("12", "yes", '"…"', "none"),
        "its type",
        "a value that is written out",
        "12",
    ),
    Construct(
        model.EnumConstant,
        "Suit.red",
        "Suit",
        "one of its values; `red` where nothing else is meant",
        "Suit.red",
    ),
    Construct(
        model.TextOf,
        '"… {e} …"',
        "text",
        "a text with values in it",
        '"round {round} of {length}"',
        depends="more",
    ),
    Construct(
        model.Local,
        "x",
        "T",
        "a parameter, what a step has named, `it`",
        "row where it is first(Card)",
    ),
    Construct(
        model.Contents,
        (),
        "T",
        "what lies in a zone or stands in a field that is a parameter",
        "to clear z: cards of Card\n  add count(z) to round",
        depends="more",
        full=True,
    ),
    Construct(model.Me, "me", "Player", "who acts", "me", depends="me"),
    Construct(
        model.Everything,
        "Card",
        "list",
        "all things of a kind, in table order",
        "Card",
        depends="fields",
        full=True,
    ),
    Construct(model.Seats, "players", "list", "in seat order", "players", full=True),
    Construct(model.EnumValues, "Suit", "list", "all values of an enumeration", "Suit", full=True),
    Construct(model.NamedThing, 'Card("Ace")', "Card", "the thing of that name", 'Spot("North")'),
    Construct(model.OptionValue, "length", "T", "what an option or ruling is set to", "length"),
    Construct(
        model.Read,
        ("x.f", "f"),
        "T",
        "a field of a thing or player, or of the game",
        "my.coins",
        depends="fields",
        full=True,
    ),
    Construct(model.SlotThing, (), "T?", "the thing in a slot", "my.chosen.value", {"slot": ALONE}),
    Construct(
        model.Entry, "f[k]", "T", "an entry of a family", "worth[Suit.red]", lacks=True, full=True
    ),
    Construct(
        model.Item, "xs[i]", "T", "the item at a place, from 0", "players[0]", {"items": PLACED}
    ),
    Construct(
        model.DefineCall,
        ("f", "f(x)", "x.f(y)"),
        "T",
        "what a define says",
        "beside(first(Spot))",
        depends="fields",
    ),
    Construct(
        model.Lambda,
        (),
        "T",
        "about `it`, handed on",
        "reach(first(Spot), beside(it))",
        binds=Binds("parameter", None, "body"),
        depends="given",
    ),
    Construct(
        model.Apply,
        (),
        "T",
        "what was handed on, about a value",
        "define told(of: Card => number) = of(first(Card))",
        depends="given",
        lacks=True,
    ),
    Construct(
        model.Where,
        "xs where c",
        "list",
        "the items for which c holds",
        "row where its.value > 1",
        {"source": PICKED},
        OF_ITEMS,
    ),
    Construct(
        model.Each,
        "xs each e",
        "list",
        "e of each item",
        "row each its.value",
        {"source": MAPPED},
        Binds("name", "source", "value"),
    ),
    Construct(
        model.Without,
        "xs without ys",
        "list",
        "the items that ys does not hold; of equal ones none is left",
        "Card without row",
        {"source": PICKED, "other": TOLD},
    ),
    Construct(
        model.Having,
        "xs having most a, then fewest b",
        "list",
        "all that tie for the best, in their order",
        "row having most its.value",
        {"source": BEST},
        Binds("name", "source", "keys"),
    ),
    Construct(
        model.Sorted,
        "xs sorted by most a, then fewest b",
        "list",
        "the best first; what ties stays in its order",
        "row sorted by fewest its.value",
        {"source": ORDERED},
        Binds("name", "source", "keys"),
    ),
    Construct(
        model.Quantified,
        ("every x in xs has c", "some x in xs has c", "no x in xs has c"),
        "flag",
        "whether c holds for all, one, or none",
        "some card in row has card.value > 2",
        {"source": TOLD},
        OF_ITEMS,
        sometimes=("condition",),
    ),
    Construct(
        model.Conditional,
        "if c then a else b",
        "T",
        "one of two values",
        "if round > 1 then row else Card",
        {"then": VALUE, "otherwise": VALUE},
        sometimes=("then", "otherwise"),
    ),
    Construct(
        model.And,
        "a and b",
        "flag",
        "both hold",
        "round > 0 and my.coins > 1",
        sometimes=("right",),
    ),
    Construct(
        model.Or,
        "a or b",
        "flag",
        "one of them holds, or both",
        "round > 1 or my.coins > 1",
        sometimes=("right",),
    ),
    Construct(model.Not, "not a", "flag", "a does not hold", "not (round > 1)"),
    Construct(
        model.Arithmetic,
        ("a + b", "a - b", "a * b", "a / b", "a mod b"),
        "number",
        "whole numbers; `/` rounds down",
        "round + 2 * my.coins",
    ),
    JOINED_LISTS,
    REPEATED_LIST,
    Construct(model.Negative, "-n", "number", "the number with the other sign", "-round"),
    Construct(
        model.Compare,
        ("a is b", "a is not b", "a < b", "a > b", "a <= b", "a >= b"),
        "flag",
        "enumerations by the order of their declaration, lists item by item",
        "round < 3",
    ),
    IN_LIST,
    Construct(
        model.IsEmpty,
        ("xs is empty", "xs is not empty"),
        "flag",
        "of a hidden zone, too",
        "my.hand is empty",
        {"source": Use(order="free", counts=True)},
    ),
    Construct(model.ListOf, "[a, b]", "list", "these", "[1, round]", {"items": LISTED}),
    Construct(
        model.Numbers, "a..b", "list", "the whole numbers from a to b", "1..length", full=True
    ),
    Construct(
        model.FamilyOf,
        "[k: v, l: w]",
        "family",
        "the others have the start value of the type",
        "define prices: number per Suit = [red: 2, blue: round]",
    ),
    Construct(model.VerbOf, ("v", "v(x)"), "verb", "a verb, to be done later", "pay(2)"),
    Construct(
        model.LetIn,
        (),
        "T",
        "a `let` in the block of a define",
        "define twice =\n  let n = round\n  n + n",
        {"body": VALUE},
        Binds("name", "value", "body", each=False),
    ),
    Construct(
        model.OriginalValue,
        "original",
        "T",
        "in a `change`: what it would be without",
        "define price: number = 3\nchange price to original + 1",
        depends="given",
        lacks=True,
    ),
    Construct(
        model.OwnerOf,
        "x.owner",
        "Player?",
        "the last player in whose zone it lay",
        "first(Card).owner",
        depends="places",
    ),
    Construct(
        model.Lasting,
        (),
        "list",
        "the records of an `until`",
        "define fee: number = 3\nto haggle\n  until turn ends change fee by -1",
        depends="more",
    ),
    Construct(
        model.LiesAt,
        "x.lies_at",
        "T?",
        "the thing or player whose zone holds it",
        "first(Card).lies_at",
        depends="places",
    ),
    Construct(model.Ending, "ending", "text?", "the reason of the end", "ending", depends="more"),
    Construct(model.Won, "p.won", "flag", "whether a player has won", "my.won", depends="more"),
    Construct(
        model.FinalOrder,
        "ranking",
        "list",
        "in examples: players from first to last",
        'example "No one leads"\n  players ann, ben\n  expect count(ranking) is 2',
        depends="more",
        full=True,
    ),
    Construct(
        model.Needed,
        (),
        "T",
        "a value that must be there where it is stored or handed on",
        "to earn\n  add last(row each its.value) to my.coins",
        {"value": THERE},
    ),
)
"""The rows of expressions that are no calls of core functions."""

PLACES: tuple[Construct, ...] = (
    Construct(model.FieldPlace, ("x.f", "f"), "place", "a field", "to save\n  add 1 to my.coins"),
    Construct(
        model.EntryPlace, "f[k]", "place", "an entry", "to raise\n  set worth[Suit.red] to 2"
    ),
    Construct(
        model.LocalPlace,
        (),
        "place",
        "a parameter",
        "to lift f: field of number\n  add 1 to f",
        depends="more",
    ),
    Construct(
        model.AppliedPlace,
        (),
        "place",
        "a parameter, about a value",
        "to lay c: Card on z: Player => cards of Card\n  move c to z(me)",
        depends="given",
    ),
    Construct(
        model.PlaceLambda,
        (),
        "place",
        "a place about `it`, handed on",
        "to put c: Card at z: Player => cards of Card\n  move c to z(me)\n"
        "to lose\n  put first(row) at its.hand",
        binds=Binds("parameter", None, "place"),
        depends="more",
    ),
)

ROWS = (*EXPRESSIONS, *FUNCTIONS, *PLACES)

_DRAWN = {"pick": "random", "some": "random", "shuffled": "shuffled", "roll": "roll"}


def _of_call(node: model.Builtin) -> Construct:
    function = FUNCTION_BY_NAME[node.name]
    return function if len(node.arguments) == 1 else function.of_several


def _of_chance(node: model.Chance) -> Construct:
    function = FUNCTION_BY_NAME[_DRAWN[node.word]]
    return function if node.count is None else function.of_several


def _of_sum(node: model.Arithmetic) -> Construct:
    if node.word not in ("+", "*") or not listed(node):
        return _BY_CLASS[model.Arithmetic]
    return JOINED_LISTS if node.word == "+" else REPEATED_LIST


def _of_comparison(node: model.Compare) -> Construct:
    return IN_LIST if node.word in ("in", "not in") else _BY_CLASS[model.Compare]


def listed(node: model.Node) -> bool:
    """Return whether the value of an expression may be a list."""
    type_ = types.without_none(node.type)
    return isinstance(type_, types.UnknownType) or types.element(type_) is not None


_BY_CLASS: dict[type, Construct] = {
    row.key: row for row in (*reversed(EXPRESSIONS), *PLACES) if isinstance(row.key, type)
}
_BY_CLASS[model.Lookup] = FUNCTION_BY_NAME["lookup"]
_BY_CLASS[model.Can] = FUNCTION_BY_NAME["can"]
_BY_CLASS[model.Chance] = FUNCTION_BY_NAME["random"]

BINDING: Mapping[type, Binds] = {
    kind: row.binds for kind, row in _BY_CLASS.items() if row.binds is not None
}
"""The classes that bind a name."""

SOMETIMES: Mapping[type, tuple[str, ...]] = {
    kind: row.sometimes for kind, row in _BY_CLASS.items() if row.sometimes
}
"""The classes of which some parts are worked out only sometimes."""

_CHOSEN: Mapping[type, Callable[[Any], Construct]] = {
    model.Builtin: _of_call,
    model.Chance: _of_chance,
    model.Arithmetic: _of_sum,
    model.Compare: _of_comparison,
}
"""Where the class does not tell which row it is."""


def depending(*on: Depends) -> tuple[type, ...]:
    """Return the classes whose value is decided by one of these beside their parts."""
    return tuple(kind for kind, row in _BY_CLASS.items() if row.depends in on)


def construct(node: model.Node) -> Construct:
    """Return the row of an expression or place."""
    kind = type(node)
    choose = _CHOSEN.get(kind)
    return _BY_CLASS[kind] if choose is None else choose(node)
