"""Fields are read of whoever has them, and places are found."""

import handmade as h
import pytest
from handmade import code_of, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER, TEXT
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.layout import ENDING, SCALARS
from rulewright.interpreter.state.values import PlaceClosure, PlaceValue

# ------------------------------------------------------------------------------------------- fields


@pytest.mark.parametrize(
    "target",
    [
        h.ME,
        h.local("p", h.PLAYER),
        model.Item(type=h.PLAYER, span=h.SPAN, items=h.SEATS, index=number(1)),
    ],
)
def test_a_field_is_read_of_its_holder(target: model.Expression) -> None:
    one = played()
    one.set("Player.coins", 8, one.ben)
    one.set("Player.purse", 9, one.ben)

    assert one.value(h.read("Player.coins", target), one.ben, p=one.ben) == 8
    assert one.value(h.read("Player.purse", target), one.ben, p=one.ben) == 9


def test_printed_fields_are_read() -> None:
    one = played()
    first = model.Item(type=h.CARD, span=h.SPAN, items=h.ALL_CARDS, index=number(4))

    assert one.value(h.read("Card.rank", first)) == 3
    assert one.value(h.its("Card.suit"), it=one.card(4)) is one.suit("red")


@pytest.mark.parametrize("field", ["Player.coins", "Player.purse", "Player.hand"])
@pytest.mark.parametrize("target", [h.ME, h.local("p", h.PLAYER), h.read("leader")])
def test_nobody_has_no_fields(field: str, target: model.Expression) -> None:
    with pytest.raises(PlayError) as caught:
        played().value(h.read(field, target), None, p=None)

    assert code_of(caught) == "RW715"


def test_the_first_of_nothing_has_no_fields() -> None:
    first = h.builtin("first", h.local("xs", h.CARDS), type=h.CARD)

    for field in ("Card.rank", "Card.open"):
        with pytest.raises(PlayError) as caught:
            played().value(h.read(field, first), xs=())
        assert code_of(caught) == "RW706"


def test_a_slot_reads_as_its_thing() -> None:
    one = played()
    slot = h.read("Spot.rest", h.local("s", h.SPOT))
    thing = model.SlotThing(type=types.OptionalType(h.CARD), span=h.SPAN, slot=slot)

    assert one.value(thing, s=one.spot("B")) is None
    one.lay("Spot.rest", one.card(3), holder=one.spot("B"))
    assert one.value(thing, s=one.spot("B")) is one.card(3)
    assert one.value(slot, s=one.spot("B")) == (one.card(3),)
    assert one.value(thing, s=one.spot("A")) is None


def test_an_entry_of_a_family() -> None:
    one = played()
    one.set("influence", (4, 5))
    one.set("price", (1, 2, 3))
    by_player = model.Entry(type=NUMBER, span=h.SPAN, family=h.read("influence"), key=h.ME)
    by_suit = model.Entry(type=NUMBER, span=h.SPAN, family=h.read("price"), key=h.suit("blue"))
    by_flag = model.Entry(
        type=NUMBER,
        span=h.SPAN,
        family=h.local("f", types.FamilyType(NUMBER, FLAG)),
        key=h.local("b", FLAG),
    )

    assert one.value(by_player, one.ben) == 5
    assert one.value(by_suit) == 3
    assert one.value(by_flag, f=(7, 8), b=True) == 8
    with pytest.raises(PlayError) as caught:
        one.value(by_player, None)
    assert code_of(caught) == "RW715"


@pytest.mark.parametrize("index", [-1, 2])
def test_an_item_must_be_in_the_list(index: int) -> None:
    item = model.Item(type=h.PLAYER, span=h.SPAN, items=h.SEATS, index=h.local("i"))
    one = played()

    assert one.value(item, i=1) is one.ben
    with pytest.raises(PlayError) as caught:
        one.value(item, i=index)
    assert caught.value.diagnostic().headline == f"there is no place {index} in a list of 2"


def test_where_a_thing_lies_and_whose_it_is() -> None:
    one = played()
    thing = h.local("c", h.CARD)
    lies_at = model.LiesAt(type=types.UNKNOWN, span=h.SPAN, thing=thing)
    owner = model.OwnerOf(type=h.PLAYER, span=h.SPAN, thing=thing)
    one.lay("Player.hand", one.card(0), holder=one.ben)
    one.lay("Spot.rest", one.card(1), holder=one.spot("C"))

    assert one.value(lies_at, c=one.card(0)) is one.ben
    assert one.value(owner, c=one.card(0)) is one.ben
    assert one.value(lies_at, c=one.card(1)) is one.spot("C")
    assert one.value(lies_at, c=one.card(2)) is None
    assert one.value(owner, c=one.card(2)) is None
    for written in (lies_at, owner):
        with pytest.raises(PlayError):
            one.value(written, c=None)


def test_the_reason_of_the_end() -> None:
    one = played()
    ending = model.Ending(type=types.OptionalType(TEXT), span=h.SPAN)

    assert one.value(ending) is None
    one.store.columns[SCALARS][ENDING] = "all claimed"
    assert one.value(ending) == "all claimed"


# ------------------------------------------------------------------------------------------- places


def test_places_are_found() -> None:
    one = played()
    entry = model.EntryPlace(
        type=NUMBER, span=h.SPAN, field="Card.marks", target=h.local("c", h.CARD), key=h.ME
    )
    of_game = model.EntryPlace(
        type=NUMBER, span=h.SPAN, field="price", target=None, key=h.suit("blue")
    )
    slots = one.evaluator.layout.slots

    coins = one.evaluator.place(h.field_place("Player.coins", h.ME))(one.store, one.ben, {})
    assert coins is one.place("Player.coins", one.ben)
    turn = one.evaluator.place(h.field_place("turn"))(one.store, None, {})
    assert (turn.holder, turn.index) == (None, 0)
    found = one.evaluator.place(entry)(one.store, one.ben, {"c": one.card(2)})
    assert found == PlaceValue(slots["Card.marks"], one.card(2), 1)
    assert one.evaluator.place(of_game)(one.store, None, {}) == PlaceValue(slots["price"], None, 2)
    for place in (h.field_place("Player.coins", h.ME), entry):
        with pytest.raises(PlayError) as caught:
            one.evaluator.place(place)(one.store, None, {"c": one.card(2)})
        assert code_of(caught) == "RW715"
    with pytest.raises(PlayError):
        one.evaluator.place(entry)(one.store, one.ann, {"c": None})


def test_what_lies_at_a_place_that_was_handed_on() -> None:
    one = played()
    one.lay("discards", one.card(0), one.card(1))
    one.set("price", (1, 2, 3))
    zone = h.contents(model.LocalPlace(type=h.PILE, span=h.SPAN, name="z"))
    entry = h.contents(
        model.LocalPlace(type=types.PlaceType(NUMBER), span=h.SPAN, name="z"), NUMBER
    )

    assert one.value(zone, z=one.place("discards")) == (one.card(0), one.card(1))
    price = PlaceValue(one.evaluator.layout.slots["price"], None, 1)
    assert one.value(entry, z=price) == 2
    assert one.evaluator.contents(one.store, price) == 2
    assert one.value(h.builtin("count", zone), z=one.place("discards")) == 2
    assert one.value(h.builtin("top", zone, type=h.CARD), z=one.place("discards")) is one.card(1)


def test_a_place_about_it_is_applied() -> None:
    one = played()
    its_hand = model.PlaceLambda(
        type=types.FunctionType(h.PLAYER, h.HAND),
        span=h.SPAN,
        parameter="it",
        place=h.field_place("Player.hand", h.local("it", h.PLAYER)),
    )
    at_once = model.AppliedPlace(type=h.HAND, span=h.SPAN, function=its_hand, argument=h.ME)
    handed_on = model.AppliedPlace(type=h.HAND, span=h.SPAN, function=h.local("f"), argument=h.ME)
    closure = one.evaluator.argument(its_hand)(one.store, one.ann, {})
    hand = one.place("Player.hand", one.ben)

    assert isinstance(closure, PlaceClosure)
    assert one.evaluator.place(at_once)(one.store, one.ben, {}) is hand
    assert one.evaluator.place(handed_on)(one.store, one.ben, {"f": closure}) is hand
