"""Things, printed values, options and the start come out of the declarations."""

import handmade as h
import pytest
from handmade import game, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.engine.setup import load_layout
from rulewright.interpreter.state.errors import PlayError


def test_a_row_makes_its_copies_in_table_order() -> None:
    layout = load_layout(game(), 2)
    cards = layout.things["Card"]

    assert [card.number for card in cards] == list(range(18))
    assert [(card.row, card.copy) for card in cards[:3]] == [(1, 1), (1, 2), (2, 1)]
    assert cards[2].key == "Card:2.1"
    assert layout.by_key["Card:2.1"] is cards[2]


def test_a_named_thing_is_known_by_its_name() -> None:
    layout = load_layout(game(), 2)

    assert [spot.key for spot in layout.things["Spot"]] == ["Spot:A", "Spot:B", "Spot:C", "Spot:D"]
    assert layout.by_name["Spot", "C"] is layout.things["Spot"][2]


def test_a_name_that_occurs_twice_is_no_key() -> None:
    twice = h.table("Spot", [h.row(2, name=h.words("A"))])

    layout = load_layout(game(tables=(twice,)), 2)

    assert [spot.key for spot in layout.things["Spot"]] == ["Spot:1.1", "Spot:1.2"]


def test_a_cell_may_name_a_thing_of_a_later_row() -> None:
    one = played()

    assert one.value(h.read("Spot.near", h.spot("A"))) == (one.spot("B"), one.spot("D"))


def test_several_tables_of_a_kind_follow_one_another() -> None:
    more = h.table("Card", [h.row(rank=h.number(9))])
    layout = load_layout(game(tables=(h.DECK, h.SPOTS, more)), 2)
    card = layout.things["Card"][-1]

    assert card.number == 18
    assert card.key == "Card:10.1"
    assert layout.printed[layout.slots["Card.rank"]][18] == 9
    # What no cell says is empty.
    assert layout.printed[layout.slots["Card.suit"]][18] is None
    assert layout.printed[layout.slots["Card.wild"]][18] is False


def test_a_product_may_read_earlier_ranges() -> None:
    ranges = (
        ("rank", "Card.rank", h.numbers(h.number(1), h.number(3))),
        ("suit", "Card.suit", h.where(h.SUITS, h.compare(">", h.local("rank"), h.number(1)))),
    )
    layout = load_layout(game(tables=(h.table("Card", ranges=ranges),)), 2)
    ranks = layout.printed[layout.slots["Card.rank"]]
    suits = layout.printed[layout.slots["Card.suit"]]

    assert ranks == (2, 2, 2, 3, 3, 3)
    assert [suit.value for suit in suits] == ["red", "green", "blue"] * 2
    assert layout.things["Card"][4].key == "Card:5.1"


def test_a_product_may_run_over_the_things_of_a_table() -> None:
    ranges = (("n", "Card.rank", h.each(h.ALL_SPOTS, h.builtin("count", h.its("Spot.near")))),)

    layout = load_layout(game(tables=(h.table("Card", ranges=ranges), h.SPOTS)), 2)

    # The neighbours are cells of a later stage; that there are four spots is known already.
    assert len(layout.things["Card"]) == 4


def test_players_have_the_names_of_the_driver() -> None:
    assert [seat.name for seat in load_layout(game(), 3, names=["ann"]).players] == [
        "ann",
        "P2",
        "P3",
    ]


def test_players_may_have_a_printed_name_and_a_table() -> None:
    fields = (
        h.field("Player.name", types.TEXT, printed=True),
        h.field("Player.colour", h.SUIT, printed=True),
    )
    rows = tuple(
        model.Row(copies=1, cells=(("Player.colour", h.suit(word)),), status="", note="")
        for word in ("blue", "red", "green")
    )
    one = played(game(fields=fields, tables=(h.table("Player", rows),)))

    assert one.evaluator.layout.things["Player"] == one.evaluator.layout.players
    name = model.Read(type=types.TEXT, span=h.SPAN, field="Player.name", target=h.ME)
    colour = model.Read(type=h.SUIT, span=h.SPAN, field="Player.colour", target=h.ME)
    assert one.value(name, one.ben) == "ben"
    assert one.value(colour, one.ben) is one.suit("red")


@pytest.mark.parametrize("players", [0, 5])
def test_the_number_of_players_is_limited(players: int) -> None:
    with pytest.raises(ValueError, match="1 to 4 players"):
        load_layout(game(), players)


# ------------------------------------------------------------------------------------------ options

MAP = h.option("map", types.EnumType("Suit"), h.suit("red"))
SIZE = h.option("size", types.NUMBER, h.number(5), low=h.number(3), high=h.number(9))
LONG = h.option("long", types.FLAG, h.flag(True))
DOUBLE = h.option(
    "double",
    types.NUMBER,
    h.arithmetic("*", h.number(2), model.OptionValue(type=types.NUMBER, span=h.SPAN, name="size")),
)


def test_options_have_defaults_that_may_read_other_options() -> None:
    layout = load_layout(game(options=(DOUBLE, MAP, SIZE, LONG)), 2)

    assert layout.options["map"].value == "red"
    assert layout.options["double"] == 10
    assert layout.options["long"] is True


def test_chosen_values_may_be_given_as_words() -> None:
    chosen = {"map": "blue", "size": "7", "long": "no"}

    layout = load_layout(game(options=(DOUBLE, MAP, SIZE, LONG)), 2, chosen)

    assert layout.options["map"].value == "blue"
    assert layout.options["size"] == 7
    assert layout.options["double"] == 14
    assert layout.options["long"] is False


@pytest.mark.parametrize("chosen", [{"map": "pink"}, {"size": 10}, {"size": "x"}, {"long": 3}])
def test_a_value_that_is_none_of_the_option_is_an_error(chosen: dict[str, object]) -> None:
    with pytest.raises(PlayError) as caught:
        load_layout(game(options=(MAP, SIZE, LONG)), 2, chosen)

    assert caught.value.code == "RW507"


def test_an_unknown_option_is_an_error() -> None:
    with pytest.raises(ValueError, match="`mop`"):
        load_layout(game(options=(MAP,)), 2, {"mop": 1})


def test_variants_change_the_default_but_not_what_was_chosen() -> None:
    changes = {"size": (h.change("by", h.number(1)), h.change("at most", h.number(5)))}
    built = game(options=(SIZE,), option_changes=changes)

    assert load_layout(built, 2).options["size"] == 5
    assert load_layout(built, 2, {"size": 8}).options["size"] == 8


def test_an_optional_option_may_be_none() -> None:
    limit = h.option("limit", types.OptionalType(types.NUMBER), h.NONE)

    assert load_layout(game(options=(limit,)), 2).options["limit"] is None
    assert load_layout(game(options=(limit,)), 2, {"limit": "4"}).options["limit"] == 4
    assert load_layout(game(options=(limit,)), 2, {"limit": "none"}).options["limit"] is None


# ---------------------------------------------------------------------------------------- the start


def test_fields_start_as_declared() -> None:
    one = played(players=3)

    assert one.value(h.read("Player.coins", h.ME), one.ben) == 3
    assert one.value(h.read("turn")) == 1
    assert one.value(h.read("log")) == ()
    assert one.value(h.read("leader")) is None
    assert one.value(h.read("influence")) == (0, 0, 0)
    assert one.value(h.read("price")) == (2, 2, 2)
    assert one.value(h.read("Card.marks", h.local("c", h.CARD)), c=one.card(4)) == (0, 0, 0)
    assert one.value(h.read("deck")) == ()


def test_a_start_value_reads_its_holder() -> None:
    holder = h.local("this", h.PLAYER)
    position = h.builtin("position", holder, h.SEATS)
    one = played(game(fields=(h.field("Player.purse", types.NUMBER, position),)))

    assert one.value(h.read("Player.purse", h.ME), one.ann) == 0
    assert one.value(h.read("Player.purse", h.ME), one.ben) == 1


def test_a_family_may_start_with_a_family() -> None:
    uneven = model.FamilyOf(type=h.PER_SUIT, span=h.SPAN, pairs=((h.suit("green"), h.number(7)),))

    one = played(game(fields=(h.field("price", h.PER_SUIT, uneven),)))

    assert one.value(h.read("price")) == (0, 7, 0)


def test_a_zone_may_start_with_things() -> None:
    reds = h.where(h.ALL_CARDS, h.compare("is", h.its("Card.suit"), h.suit("red")))
    first = h.builtin("first", h.ALL_CARDS, type=h.CARD)
    others = model.Without(type=h.CARDS, span=h.SPAN, source=reds, other=h.listed(first))
    built = game(
        fields=(
            h.field("discards", h.PILE, others),
            h.field("Spot.rest", h.SLOT),
            h.field("Player.hand", h.HAND, None),
        )
    )

    one = played(built)

    assert len(one.value(h.read("discards"))) == 5
    card, idle = one.card(1), one.card(0)
    thing = h.local("c", h.CARD)
    assert one.value(model.LiesAt(type=h.PLAYER, span=h.SPAN, thing=thing), c=card) is None
    places = one.store.columns[one.evaluator.layout.place_slots["Card"]]
    assert places[card.number] is one.place("discards")
    assert places[idle.number] is None


def test_a_thing_that_starts_with_a_player_is_his() -> None:
    mine = h.where(
        h.ALL_CARDS,
        h.compare(
            "is",
            h.its("Card.rank"),
            h.arithmetic("+", h.number(1), h.builtin("position", h.ME, h.SEATS)),
        ),
    )
    one = played(game(fields=(h.field("Player.hand", h.HAND, mine),)))
    owner = model.OwnerOf(type=h.PLAYER, span=h.SPAN, thing=h.local("c", h.CARD))

    assert len(one.value(h.read("Player.hand", h.ME), one.ben)) == 6
    assert one.value(owner, c=one.card(2)) is one.ben
    assert one.value(owner, c=one.card(4)) is None


def test_no_thing_starts_in_two_zones() -> None:
    built = game(
        fields=(h.field("discards", h.PILE, h.ALL_CARDS), h.field("deck", h.PILE, h.ALL_CARDS))
    )

    with pytest.raises(PlayError) as caught:
        played(built)

    assert caught.value.code == "RW409"


def test_a_slot_starts_with_one_thing_at_most() -> None:
    with pytest.raises(PlayError) as caught:
        played(game(fields=(h.field("Spot.rest", h.SLOT, h.ALL_CARDS),)))

    assert caught.value.code == "RW708"


def test_a_start_value_must_be_in_the_range() -> None:
    wrong = h.field("Player.coins", types.NUMBER, h.number(11), low=h.number(0), high=h.number(10))

    with pytest.raises(PlayError) as caught:
        played(game(fields=(wrong,)))

    assert caught.value.diagnostic().headline == "`coins` becomes 11, outside of 0..10"


def test_watched_conditions_have_a_flag_for_each_player() -> None:
    watches = tuple(
        model.Watch(id=id, condition=h.flag(True), block=(), needs_me=me, title="", span=h.SPAN)
        for id, me in (("w1", True), ("w2", False))
    )
    one = played(game(watches=watches), players=3)
    columns, slots = one.store.columns, one.evaluator.layout.watch_slots

    assert columns[slots["w1"]] == [False, False, False]
    assert columns[slots["w2"]] == [False]
