"""A small model made by hand, without a rule file, and short names for the parts of expressions.

The game: cards of three suits and ranks 1 to 3 (two of each), spots of a board named A, B, C, D in
a circle, and players with coins, a purse that only they see, and a hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import pytest

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NOTHING, NUMBER, TEXT, Type
from rulewright.dsl.text.source import Source
from rulewright.interpreter.engine.setup import load_layout, start_store
from rulewright.interpreter.program.scoring import Scoring
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

SPAN = Source("hand.rules", "what the author wrote\n").span(0, 21)
CARD = types.ThingType("Card")
SPOT = types.ThingType("Spot")
PLAYER = types.PLAYER
SUIT = types.EnumType("Suit")
CARDS = types.ListType(CARD)
PLAYERS = types.ListType(PLAYER)
PILE = types.ZoneType("pile", CARD)
HAND = types.ZoneType("cards", CARD)
ROW = types.ZoneType("row", CARD)
SLOT = types.ZoneType("slot", CARD)
PER_PLAYER = types.FamilyType(NUMBER, PLAYER)
PER_SUIT = types.FamilyType(NUMBER, SUIT)

EVERYBODY = model.EVERYBODY
OWNER = model.Viewers(who="owner")
NOBODY = model.Viewers(who="nobody")


# ------------------------------------------------------------------------------------ expressions


def number(value: int) -> model.Constant:
    return model.Constant(type=NUMBER, span=SPAN, value=value)


def flag(value: bool) -> model.Constant:
    return model.Constant(type=FLAG, span=SPAN, value=value)


def words(value: str) -> model.Constant:
    return model.Constant(type=TEXT, span=SPAN, value=value)


def text(*parts: Any) -> model.TextOf:
    return model.TextOf(type=TEXT, span=SPAN, parts=parts)


NONE = model.Constant(type=NOTHING, span=SPAN, value=None)
ME = model.Me(type=PLAYER, span=SPAN)
ALL_CARDS = model.Everything(type=CARDS, span=SPAN, kind="Card")
ALL_SPOTS = model.Everything(type=types.ListType(SPOT), span=SPAN, kind="Spot")
SEATS = model.Seats(type=PLAYERS, span=SPAN)
SUITS = model.EnumValues(type=types.ListType(SUIT), span=SPAN, enum="Suit")
ORIGINAL = model.OriginalValue(type=NUMBER, span=SPAN)


def suit(word: str) -> model.EnumConstant:
    return model.EnumConstant(type=SUIT, span=SPAN, enum="Suit", value=word)


def spot(name: str) -> model.NamedThing:
    return model.NamedThing(type=SPOT, span=SPAN, kind="Spot", name=name)


def local(name: str, type: Type = NUMBER) -> model.Local:
    return model.Local(type=type, span=SPAN, name=name)


IT = local("it", CARD)


def read(field: str, target: Any = None) -> model.Read:
    return model.Read(type=FIELDS[field].type, span=SPAN, field=field, target=target)


def its(field: str) -> model.Read:
    holder = FIELDS[field].holder
    assert holder is not None
    return read(field, local("it", types.ThingType(holder)))


def builtin(name: str, *arguments: Any, type: Type = NUMBER) -> model.Builtin:
    return model.Builtin(type=type, span=SPAN, name=name, arguments=arguments)


def compare(word: str, left: Any, right: Any) -> model.Compare:
    return model.Compare(type=FLAG, span=SPAN, word=word, left=left, right=right)


def arithmetic(word: str, left: Any, right: Any, type: Type = NUMBER) -> model.Arithmetic:
    return model.Arithmetic(type=type, span=SPAN, word=word, left=left, right=right)


def where(source: Any, condition: Any, name: str = "it") -> model.Where:
    return model.Where(
        type=source.type if isinstance(source.type, types.ListType) else CARDS,
        span=SPAN,
        source=source,
        name=name,
        condition=condition,
    )


def each(source: Any, value: Any, name: str = "it") -> model.Each:
    return model.Each(
        type=types.ListType(value.type), span=SPAN, source=source, name=name, value=value
    )


def both(left: Any, right: Any) -> model.And:
    return model.And(type=FLAG, span=SPAN, left=left, right=right)


def listed(*items: Any, type: Type = NUMBER) -> model.ListOf:
    return model.ListOf(type=types.ListType(type), span=SPAN, items=items)


def numbers(low: Any, high: Any) -> model.Numbers:
    return model.Numbers(type=types.ListType(NUMBER), span=SPAN, low=low, high=high)


def about(body: Any, parameter: str = "it", of: Type = NUMBER) -> model.Lambda:
    return model.Lambda(
        type=types.FunctionType(of, body.type), span=SPAN, parameter=parameter, body=body
    )


def most(value: Any) -> model.Criterion:
    return model.Criterion(most=True, value=value)


def fewest(value: Any) -> model.Criterion:
    return model.Criterion(most=False, value=value)


def field_place(field: str, target: Any = None) -> model.FieldPlace:
    return model.FieldPlace(type=FIELDS[field].type, span=SPAN, field=field, target=target)


def contents(place: Any, type: Type | None = None) -> model.Contents:
    return model.Contents(type=type or place.type, span=SPAN, place=place)


def change(
    how: str, value: Any, guard: Any = None, scope: int = 0, order: int = 0
) -> model.Changed:
    return model.Changed(
        how=how, value=value, guard=guard, scope=scope, order=order, title="", span=SPAN
    )


def call(define: str, *arguments: Any, me: Any = None, type: Type = NUMBER) -> model.DefineCall:
    return model.DefineCall(type=type, span=SPAN, define=define, arguments=arguments, me=me)


# ----------------------------------------------------------------------------------- declarations


def field(
    id: str,
    type: Type,
    default: Any = None,
    *,
    printed: bool = False,
    viewers: model.Viewers = EVERYBODY,
    count_viewers: model.Viewers = EVERYBODY,
    low: Any = None,
    high: Any = None,
) -> model.Field:
    holder, _, name = id.rpartition(".")
    return model.Field(
        id=id,
        name=name,
        holder=holder or None,
        type=type,
        printed=printed,
        default=default,
        low=low,
        high=high,
        viewers=viewers,
        count_viewers=count_viewers,
        fresh=(),
        fresh_own=False,
        span=SPAN,
    )


FIELDS: dict[str, model.Field] = {
    one.id: one
    for one in (
        field("Card.suit", SUIT, printed=True),
        field("Card.rank", NUMBER, printed=True),
        field("Card.wild", FLAG, printed=True),
        field("Card.claim", types.OptionalType(PLAYER)),
        field("Card.open", FLAG, flag(False)),
        field("Card.marks", PER_PLAYER, number(0)),
        field("Card.note", NUMBER, number(0), viewers=OWNER),
        field("Card.hint", NUMBER, number(0), viewers=NOBODY),
        field("Spot.name", TEXT, printed=True),
        field("Spot.near", types.ListType(SPOT), printed=True),
        field("Spot.rest", SLOT),
        field("Player.coins", NUMBER, number(3), low=number(0), high=number(10)),
        field("Player.purse", NUMBER, number(0), viewers=OWNER),
        field("Player.hand", HAND, viewers=OWNER),
        field("Player.tableau", ROW),
        field("Player.memory", ROW, viewers=NOBODY),
        field("turn", NUMBER, number(1)),
        field("log", types.ListType(NUMBER)),
        field("leader", types.OptionalType(PLAYER)),
        field("influence", PER_PLAYER, number(0)),
        field("price", PER_SUIT, number(2)),
        field("deck", PILE, viewers=NOBODY),
        field("discards", PILE),
        field("table_cards", HAND),
        field("sealed", HAND, viewers=NOBODY, count_viewers=NOBODY),
        field(
            "shared",
            HAND,
            viewers=model.Viewers(
                who="some", expression=model.ListOf(type=PLAYERS, span=SPAN, items=())
            ),
        ),
    )
}


def row(copies: int = 1, **cells: Any) -> model.Row:
    kind = "Spot" if "name" in cells else "Card"
    return model.Row(
        copies=copies,
        cells=tuple((f"{kind}.{name}", cell) for name, cell in cells.items()),
        status="",
        note="",
    )


def table(
    kind: str,
    rows: Sequence[model.Row] = (),
    ranges: Sequence[tuple[str, str, Any]] = (),
) -> model.Table:
    return model.Table(kind=kind, rows=tuple(rows), ranges=tuple(ranges), span=SPAN)


def near(*names: str) -> model.ListOf:
    return listed(*(spot(name) for name in names), type=SPOT)


# A circle of four; a cell may name a thing of a later row.
SPOTS = table(
    "Spot",
    [
        row(name=words("A"), near=near("B", "D")),
        row(name=words("B"), near=near("A", "C")),
        row(name=words("C"), near=near("B", "D")),
        row(name=words("D"), near=near("A", "C")),
    ],
)
DECK = table(
    "Card",
    [
        row(2, suit=suit(word), rank=number(rank), wild=flag(rank == 3))
        for word in ("red", "green", "blue")
        for rank in (1, 2, 3)
    ],
)


def define(
    id: str,
    body: Any,
    parameters: Mapping[str, Type] | None = None,
    *,
    changes: Sequence[model.Changed] = (),
    lines: Sequence[model.Line] = (),
    holder: str | None = None,
) -> model.Define:
    given = parameters or {}
    return model.Define(
        id=id,
        name=id,
        holder=holder,
        parameters=tuple(given),
        parameter_types=tuple(given.values()),
        type=body.type,
        body=body,
        lines=tuple(lines),
        needs_me=True,
        changes=tuple(changes),
        span=SPAN,
    )


def verb(id: str, label: Any = None, parameters: Mapping[str, Type] | None = None) -> model.Verb:
    return model.Verb(
        id=id,
        name=id,
        instance="",
        parameters=tuple(
            model.Parameter(name=name, type=type) for name, type in (parameters or {}).items()
        ),
        label=label,
        label_changes=(),
        block=(),
        needs_me=False,
        amendments=(),
        span=SPAN,
    )


def option(name: str, type: Type, default: Any, **bounds: Any) -> model.OptionItem:
    return model.OptionItem(
        name=name,
        type=type,
        default=default,
        low=bounds.get("low"),
        high=bounds.get("high"),
        question="",
        ruling=False,
        span=SPAN,
    )


def game(
    *,
    fields: Sequence[model.Field] = (),
    defines: Sequence[model.Define] = (),
    verbs: Sequence[model.Verb] = (),
    options: Sequence[model.OptionItem] = (),
    **others: Any,
) -> model.Game:
    """Return the game; a field, define, verb or option given here replaces or is added."""
    all_fields = FIELDS | {one.id: one for one in fields}
    plain: dict[str, Any] = {
        "name": "hand",
        "title": "Hand",
        "least_players": 1,
        "most_players": 4,
        "variants": (),
        "enumerations": {"Suit": model.Enumeration(name="Suit", values=("red", "green", "blue"))},
        "kinds": {
            kind: model.Kind(
                name=kind,
                fields=tuple(id for id, one in all_fields.items() if one.holder == kind),
                name_define=None,
            )
            for kind in ("Card", "Spot", "Player")
        },
        "fields": all_fields,
        "tables": (SPOTS, DECK),
        "options": {one.name: one for one in options},
        "option_changes": {},
        "defines": {one.id: one for one in defines},
        "verbs": {one.id: one for one in verbs},
        "step_amendments": {},
        "watches": (),
        "ranking": (most(read("Player.coins", ME)),),
        "won": None,
        "payoff": None,
        "checks": (),
        "examples": (),
        "end_reasons": (),
        "books": (),
        "score": None,
        "digest": "",
    }
    return model.Game(**(plain | others))


# ------------------------------------------------------------------------------------ a loaded game


@attrs.define(eq=False)
class Played:
    """A loaded game with its evaluator and a store."""

    evaluator: Evaluator
    store: Store
    scoring: Scoring

    @property
    def ann(self) -> Thing:
        return self.evaluator.layout.players[0]

    @property
    def ben(self) -> Thing:
        return self.evaluator.layout.players[1]

    def card(self, number: int) -> Thing:
        return self.evaluator.layout.things["Card"][number]

    def spot(self, name: str) -> Thing:
        return self.evaluator.layout.by_name["Spot", name]

    def suit(self, word: str) -> Value:
        return next(v for v in self.evaluator.layout.enums["Suit"] if v.value == word)

    def code(self, expression: Any) -> Code:
        return self.evaluator.compile(expression)

    def value(self, expression: Any, me: Thing | None = None, /, **locals: Value) -> Value:
        return self.code(expression)(self.store, me, dict(locals))

    def place(self, id: str, holder: Thing | None = None) -> PlaceValue:
        layout = self.evaluator.layout
        return layout.places[layout.slots[id]][0 if holder is None else holder.number]

    def set(self, id: str, value: Value, holder: Thing | None = None) -> None:
        place = self.place(id, holder)
        self.store.write(place.slot, place.index, value)

    def lay(self, id: str, *things: Thing, holder: Thing | None = None) -> None:
        """Put things into a zone, on top of what lies there."""
        layout, place = self.evaluator.layout, self.place(id, holder)
        here = self.store.columns[place.slot][place.index]
        self.store.write(place.slot, place.index, here + things)
        for thing in things:
            self.store.write(layout.place_slots[thing.kind], thing.number, place)
            if holder is not None and holder.kind == "Player":
                self.store.write(layout.owner_slots[thing.kind], thing.number, holder)

    def shuffle(self, id: str) -> None:
        place = self.place(id)
        self.store.to_bag(place.slot, place.index)


def played(
    built: model.Game | None = None,
    players: int = 2,
    options: Mapping[str, Value] | None = None,
) -> Played:
    """Return a game that has just begun."""
    layout = load_layout(built or game(), players, options, ["ann", "ben", "cid", "dan"])
    evaluator = Evaluator(layout.game, layout)
    scoring = Scoring(evaluator)
    return Played(evaluator, start_store(evaluator, seed=1), scoring)


def code_of(caught: pytest.ExceptionInfo[PlayError]) -> str:
    """Return the code of the error of rules that a test has caught."""
    return caught.value.code
