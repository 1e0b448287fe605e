"""Values are shown in the words of the author, and nothing hidden is ever named."""

import attrs
import handmade as h
import pytest
import written
from handmade import Played, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.values import Closure, PlaceClosure, Thing, Value, VerbValue


def shown(one: Played, value: Value, viewer: Thing | None = None) -> str:
    return labels.show(value, viewer, one.store, one.evaluator)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (True, "yes"),
        (False, "no"),
        ("some words", "some words"),
        (None, "none"),
        ((), "nothing"),
        ((1, 2), "1, 2"),
        (Closure("x"), "an expression"),
        (PlaceClosure("x"), "an expression"),
    ],
)
def test_plain_values(value: Value, text: str) -> None:
    assert shown(played(), value) == text


def test_only_values_are_shown() -> None:
    with pytest.raises(TypeError):
        shown(played(), [1])


def test_a_word_of_an_enumeration_has_blanks() -> None:
    sorts = {"Suit": model.Enumeration(name="Suit", values=("red", "green", "blue_green"))}
    one = played(game(enumerations=sorts, tables=()))

    assert shown(one, one.suit("blue_green")) == "blue green"


def test_a_player_and_a_named_thing_have_names() -> None:
    one = played()

    assert shown(one, (one.ann, one.spot("C"))) == "ann, C"


def test_a_thing_without_name_shows_what_is_printed_on_it() -> None:
    one = played()

    assert shown(one, one.card(0)) == "Card (red, rank 1)"
    assert shown(one, one.card(4)) == "Card (red, rank 3, wild)"


def test_what_is_not_printed_is_not_shown() -> None:
    plain = game(tables=(h.table("Card", [h.row()]),))
    bare = game(
        fields=[attrs.evolve(f, printed=False) for f in plain.fields.values()], tables=plain.tables
    )

    assert shown(played(plain), played(plain).card(0)) == "Card (rank 0)"
    assert shown(played(bare), played(bare).card(0)) == "Card"


def test_printed_families_and_lists_and_verbs() -> None:
    fields = (
        h.field("Card.cost", h.PER_SUIT, printed=True),
        h.field("Card.parts", types.ListType(types.NUMBER), printed=True),
        h.field("Card.effect", types.VERB, printed=True),
    )
    cost = model.FamilyOf(type=h.PER_SUIT, span=h.SPAN, pairs=((h.suit("green"), number(2)),))
    effect = model.VerbOf(
        type=types.VERB, span=h.SPAN, name="draw_two", verbs=("draw_two",), arguments=()
    )
    row = h.row(cost=cost, parts=h.listed(number(4), number(5)), effect=effect)
    other = h.row(suit=h.suit("red"))
    one = played(
        game(fields=fields, tables=(h.table("Card", [row, other]),), verbs=[h.verb("draw_two")])
    )

    assert shown(one, one.card(0)) == "Card (rank 0, cost green 2, parts 4 + 5, draw two)"
    assert shown(one, one.card(1)) == "Card (red, rank 0)"


def test_a_define_may_say_the_name() -> None:
    name = h.define(
        "Card.name",
        h.text("the ", h.read("Card.suit", h.local("this", h.CARD)), " one"),
        {"this": h.CARD},
    )
    built = game(defines=[name])
    kind = attrs.evolve(built.kinds["Card"], name_define="Card.name")
    one = played(attrs.evolve(built, kinds=built.kinds | {"Card": kind}))

    assert shown(one, one.card(6)) == "the green one"


def test_a_field_may_be_the_name() -> None:
    title = h.field("Card.name", types.TEXT, h.words("Jack"))
    one = played(game(fields=[title]))
    one.set("Card.name", "Joe", one.card(1))

    assert shown(one, (one.card(0), one.card(1))) == "Jack, Joe"


def test_a_hidden_thing_has_no_name() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)
    one.lay("Player.memory", one.card(1), holder=one.ann)
    one.lay("discards", one.card(2))

    assert shown(one, one.card(0), one.ann) == "Card (red, rank 1)"
    assert shown(one, one.card(0), one.ben) == "a Card"
    # Nothing tells whether it lies in a hand or at a place of its own.
    assert shown(one, one.card(1), one.ann) == "a Card"
    assert shown(one, one.card(2), one.ben) == "Card (red, rank 2)"


def test_what_always_lies_at_a_place_of_its_own_lies_face_down() -> None:
    rules = """
each Tile has
  rank: number
table Tile
  | rank |
  | 1    |
the game has
  bag: pile of Tile, seen by []
to play
  as players
    choose sign from 1..2
"""
    one = written.played(rules)
    (tile,) = one.program.layout.things["Tile"]
    bag = one.program.layout.slots["bag"]
    one.store.columns[bag][0] = (tile,)
    places = one.store.columns[one.program.layout.place_slots["Tile"]]
    places[tile.number] = one.program.layout.places[bag][0]

    assert labels.show(tile, None, one.store, one.program.evaluator) == "a face-down Tile"


def test_everybody_sees_what_every_seat_sees() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)

    assert shown(one, one.card(0)) == "a Card"
    assert shown(one, one.card(5)) == "Card (red, rank 3, wild)"


def test_a_verb_is_shown_by_its_label() -> None:
    verbs = [
        h.verb("take_action"),
        h.verb("fly", h.words("Fly away")),
        h.verb("pay", h.text("Pay ", h.local("n"), " coins"), {"n": types.NUMBER}),
        h.verb("give", h.words("Give"), {"n": types.NUMBER}),
        attrs.evolve(
            h.verb("old", h.words("Old")), label_changes=(h.change("to", h.words("New")),)
        ),
    ]
    one = played(game(verbs=verbs))

    def verb(name: str, *arguments: Value) -> str:
        return shown(one, VerbValue(name, (name,), arguments), one.ann)

    assert verb("take_action") == "take action"
    assert verb("fly") == "Fly away"
    assert verb("pay", 3) == "Pay 3 coins"
    assert verb("pay") == "pay"
    assert verb("give", 3) == "Give (3)"
    assert verb("give") == "Give"
    assert verb("old") == "New"


def test_a_label_with_arguments_names_nothing_hidden() -> None:
    label = h.text("Play ", h.local("c", h.CARD))
    one = played(game(verbs=[h.verb("play", label, {"c": h.CARD})]))
    one.lay("Player.hand", one.card(0), holder=one.ann)

    assert shown(one, VerbValue("play", ("play",), (one.card(0),)), one.ann) == "Play a Card"


def test_places_are_shown() -> None:
    one = played()

    assert shown(one, one.place("table_cards")) == "table cards"
    assert shown(one, one.place("Player.hand", one.ben)) == "hand of ben"


def test_labels_of_one_decision_differ() -> None:
    assert labels.distinct(["a", "b", "a", "a"]) == ("a", "b", "a (number 2)", "a (number 3)")
    assert labels.distinct(["a", "a", "a (number 2)"]) == ("a", "a (number 3)", "a (number 2)")
    assert labels.distinct([]) == ()
