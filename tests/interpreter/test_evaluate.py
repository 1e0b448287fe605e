"""Every expression of the model has the value that the guide gives it."""

import handmade as h
import pytest
from handmade import compare, game, number, played

from rulewright.dsl import kinds, model
from rulewright.dsl.kinds import FLAG, NUMBER, TEXT
from rulewright.interpreter.compiling import names_in
from rulewright.interpreter.errors import Horizon, PlayError
from rulewright.interpreter.evaluate import HANDLERS
from rulewright.interpreter.layout import ENDING, SCALARS
from rulewright.interpreter.values import Closure, PlaceClosure, PlaceValue, VerbValue


def code_of(caught: pytest.ExceptionInfo[PlayError]) -> str:
    return caught.value.code


def test_every_expression_is_compiled() -> None:
    executed = {model.Chance}

    missing = set(model.Expression.__args__) - set(HANDLERS) - executed

    assert not missing


def test_chance_is_not_evaluated() -> None:
    roll = model.Chance(type=NUMBER, span=h.SPAN, word="pick", count=None, source=h.SEATS)

    with pytest.raises(TypeError, match="Chance"):
        played().code(roll)


# ------------------------------------------------------------------------------------ plain values


@pytest.mark.parametrize("value", [3, True, "a text", None])
def test_a_constant_is_itself(value: object) -> None:
    assert played().value(model.Constant(type=TEXT, span=h.SPAN, value=value)) == value


def test_names_are_found_when_the_game_is_loaded() -> None:
    one = played(game(options=(h.option("size", NUMBER, number(5)),)))

    assert one.value(h.suit("green")) is one.suit("green")
    assert one.value(h.spot("C")) is one.spot("C")
    assert one.value(h.SEATS) == (one.ann, one.ben)
    assert one.value(h.SUITS) == one.evaluator.layout.enums["Suit"]
    assert one.value(h.ALL_SPOTS) == one.evaluator.layout.things["Spot"]
    assert one.value(model.OptionValue(type=NUMBER, span=h.SPAN, name="size")) == 5
    assert one.value(h.ME, one.ben) is one.ben
    assert one.value(h.local("x"), x=4) == 4


def test_a_text_is_filled_in() -> None:
    one = played()
    written = h.text("pay ", number(2), " to ", h.ME, h.flag(True), ": ", h.listed())

    assert one.value(written, one.ann) == "pay 2 to annyes: nothing"


def test_a_text_has_an_end() -> None:
    long = "x" * 6000

    with pytest.raises(PlayError) as caught:
        played().value(h.text(h.local("a"), h.local("a")), a=long)

    assert code_of(caught) == "RW713"


def test_a_text_is_read_with_the_eyes_of_the_acting_player() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)
    written = h.text("you drew ", h.local("c", h.CARD))
    public = one.evaluator.compile(written, public=True)

    assert one.value(written, one.ann, c=one.card(0)) == "you drew Card (red, rank 1)"
    assert one.value(written, one.ben, c=one.card(0)) == "you drew a Card"
    assert public(one.store, one.ann, {"c": one.card(0)}) == "you drew a Card"


def test_conditions_choose() -> None:
    choice = model.Conditional(
        type=NUMBER,
        span=h.SPAN,
        condition=h.local("c", FLAG),
        then=number(1),
        otherwise=number(2),
    )

    assert played().value(choice, c=True) == 1
    assert played().value(choice, c=False) == 2


def test_a_let_names_a_value() -> None:
    value = model.LetIn(
        type=NUMBER,
        span=h.SPAN,
        name="x",
        value=h.arithmetic("+", h.local("x"), number(1)),
        body=h.arithmetic("*", h.local("x"), h.local("x")),
    )
    locals = {"x": 3}
    one = played()

    assert one.code(value)(one.store, None, locals) == 16
    assert locals == {"x": 3}


def test_logic() -> None:
    one = played()
    a, b = h.local("a", FLAG), h.local("b", FLAG)
    both = h.both(a, b)
    either = model.Or(type=FLAG, span=h.SPAN, left=a, right=b)
    negation = model.Not(type=FLAG, span=h.SPAN, operand=a)

    for x in (True, False):
        for y in (True, False):
            assert one.value(both, a=x, b=y) is (x and y)
            assert one.value(either, a=x, b=y) is (x or y)
        assert one.value(negation, a=x) is not x


def test_what_does_not_matter_is_not_looked_at() -> None:
    one = played()
    wrong = compare(">", h.arithmetic("/", number(1), number(0)), number(0))

    assert one.value(h.both(h.flag(False), wrong)) is False
    assert one.value(model.Or(type=FLAG, span=h.SPAN, left=h.flag(True), right=wrong)) is True


# ------------------------------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("left", "word", "right", "result"),
    [
        (7, "+", 2, 9),
        (7, "-", 2, 5),
        (7, "*", 2, 14),
        (7, "/", 2, 3),
        (-7, "/", 2, -4),
        (7, "mod", 2, 1),
        (-7, "mod", 2, 1),
        (7, "mod", -2, -1),
    ],
)
def test_arithmetic_floors(left: int, word: str, right: int, result: int) -> None:
    one = played()

    assert one.value(h.arithmetic(word, number(left), number(right))) == result
    assert one.value(h.arithmetic(word, h.local("a"), h.local("b")), a=left, b=right) == result


def test_a_negative_number() -> None:
    assert played().value(model.Negative(type=NUMBER, span=h.SPAN, operand=h.local("n")), n=4) == -4
    assert played().value(model.Negative(type=NUMBER, span=h.SPAN, operand=number(4))) == -4


@pytest.mark.parametrize("word", ["/", "mod"])
def test_nothing_is_divided_by_zero(word: str) -> None:
    with pytest.raises(PlayError) as caught:
        played().value(h.arithmetic(word, number(1), number(0)))

    assert code_of(caught) == "RW704"


@pytest.mark.parametrize("word", ["+", "*"])
@pytest.mark.parametrize("constant", [True, False])
def test_numbers_have_an_end(word: str, constant: bool) -> None:
    right = number(10**15) if constant else h.local("n")

    with pytest.raises(PlayError) as caught:
        played().value(h.arithmetic(word, h.local("n"), right), n=10**15)

    assert code_of(caught) == "RW710"


def test_lists_are_joined_and_repeated() -> None:
    one = played()
    numbers = kinds.ListType(NUMBER)
    joined = h.arithmetic("+", h.listed(number(1)), h.listed(number(2), h.local("x")), numbers)
    repeated = h.arithmetic("*", number(3), h.listed(h.local("x")), numbers)

    assert one.value(joined, x=5) == (1, 2, 5)
    assert one.value(repeated, x=5) == (5, 5, 5)
    assert one.value(h.arithmetic("*", number(-1), h.listed(number(1)), numbers)) == ()


def test_lists_have_an_end() -> None:
    numbers = kinds.ListType(NUMBER)
    xs = h.local("xs", numbers)
    for written in (
        h.arithmetic("+", xs, xs, numbers),
        h.arithmetic("*", number(2), xs, numbers),
        h.numbers(number(1), number(100_001)),
    ):
        with pytest.raises(PlayError) as caught:
            played().value(written, xs=(0,) * 60_000)

        assert code_of(caught) == "RW709"


@pytest.mark.parametrize("word", ["+", "-", "*", "/", "mod"])
def test_none_is_no_number(word: str) -> None:
    for written in (
        h.arithmetic(word, h.local("n"), number(1)),
        h.arithmetic(word, number(1), h.local("n")),
        model.Negative(type=NUMBER, span=h.SPAN, operand=h.local("n")),
    ):
        with pytest.raises(PlayError) as caught:
            played().value(written, n=None)

        assert code_of(caught) == "RW715"


# ------------------------------------------------------------------------------------- comparison


@pytest.mark.parametrize(
    ("word", "results"),
    [
        ("is", (False, True, False)),
        ("is not", (True, False, True)),
        ("<", (True, False, False)),
        (">", (False, False, True)),
        ("<=", (True, True, False)),
        (">=", (False, True, True)),
    ],
)
def test_numbers_and_enumerations_compare(word: str, results: tuple[bool, ...]) -> None:
    one = played()
    suit = h.local("s", h.SUIT)
    enum = one.evaluator.layout.enums["Suit"]

    for n, result in zip((1, 2, 3), results, strict=True):
        assert one.value(compare(word, h.local("n"), number(2)), n=n) is result
        assert one.value(compare(word, h.local("n"), h.local("m")), n=n, m=2) is result
        assert one.value(compare(word, number(n), h.local("m")), m=2) is result
        assert one.value(compare(word, suit, h.suit("green")), s=enum[n - 1]) is result
        assert one.value(compare(word, suit, h.local("t", h.SUIT)), s=enum[n - 1], t=enum[1]) is (
            result
        )


def test_flags_compare_with_no_before_yes() -> None:
    one = played()

    assert one.value(compare("<", h.local("a", FLAG), h.flag(True)), a=False) is True
    assert one.value(compare("is", h.local("a", FLAG), h.flag(True)), a=True) is True
    assert one.value(compare("is not", h.flag(False), h.local("a", FLAG)), a=False) is False


def test_things_and_none_compare() -> None:
    one = played()
    leader = h.read("leader")

    assert one.value(compare("is", leader, h.NONE)) is True
    assert one.value(compare("is not", h.NONE, leader)) is False
    one.set("leader", one.ben)
    assert one.value(compare("is", leader, h.ME), one.ben) is True
    assert one.value(compare("is not", leader, h.ME), one.ann) is True
    assert one.value(compare("is", leader, h.NONE)) is False


def test_lists_are_equal_in_order() -> None:
    one = played()
    xs, ys = h.local("xs", kinds.ListType(NUMBER)), h.local("ys", kinds.ListType(NUMBER))

    assert one.value(compare("is", xs, ys), xs=(1, 2), ys=(1, 2)) is True
    assert one.value(compare("is", xs, ys), xs=(1, 2), ys=(2, 1)) is False


def test_membership() -> None:
    one = played()

    assert one.value(compare("in", h.ME, h.SEATS), one.ben) is True
    assert one.value(compare("not in", h.ME, h.listed(h.local("p", h.PLAYER))), one.ben, p=one.ann)
    interval = h.numbers(number(2), h.local("n"))
    assert one.value(compare("in", number(3), interval), n=3) is True
    assert one.value(compare("in", number(4), interval), n=3) is False
    assert one.value(compare("in", h.NONE, interval), n=3) is False


def test_none_has_no_order() -> None:
    for type in (NUMBER, h.SUIT):
        for left, right in ((h.local("x", type), h.local("y", type)),):
            for x, y in ((None, 1), (1, None)):
                with pytest.raises(PlayError) as caught:
                    played().value(compare("<", left, right), x=x, y=y)
                assert code_of(caught) == "RW715"
    with pytest.raises(PlayError):
        played().value(compare("<", h.local("x"), number(1)), x=None)
    with pytest.raises(PlayError):
        played().value(compare("in", number(1), h.local("x", kinds.ListType(NUMBER))), x=None)


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
    thing = model.SlotThing(type=kinds.OptionalType(h.CARD), span=h.SPAN, slot=slot)

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
        family=h.local("f", kinds.FamilyType(NUMBER, FLAG)),
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
    lies_at = model.LiesAt(type=kinds.UNKNOWN, span=h.SPAN, thing=thing)
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
    ending = model.Ending(type=kinds.OptionalType(TEXT), span=h.SPAN)

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
        model.LocalPlace(type=kinds.PlaceType(NUMBER), span=h.SPAN, name="z"), NUMBER
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
        type=kinds.FunctionType(h.PLAYER, h.HAND),
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


# ------------------------------------------------------------------------------------------- defines


def test_a_define_gets_its_arguments() -> None:
    defines = [
        h.define("none", number(7)),
        h.define("one", h.arithmetic("+", h.local("x"), number(1)), {"x": NUMBER}),
        h.define("two", h.arithmetic("-", h.local("x"), h.local("y")), {"x": NUMBER, "y": NUMBER}),
        h.define("three", h.listed(*map(h.local, "xyz")), dict.fromkeys("xyz", NUMBER)),
    ]
    one = played(game(defines=defines))

    assert one.value(h.call("none")) == 7
    assert one.value(h.call("one", h.local("a")), a=4) == 5
    assert one.value(h.call("two", number(9), h.call("one", number(3)))) == 5
    assert one.value(h.call("three", number(1), number(2), number(3))) == (1, 2, 3)


def test_a_define_is_about_the_acting_player_or_another() -> None:
    coins = h.define(
        "wealth", h.arithmetic("+", h.read("Player.coins", h.ME), h.local("x")), {"x": NUMBER}
    )
    one = played(game(defines=[coins]))
    one.set("Player.coins", 8, one.ben)
    mine = h.read("Player.coins", h.ME)

    assert one.value(h.call("wealth", number(0)), one.ann) == 3
    assert one.value(h.call("wealth", number(0), me=h.ME), one.ben) == 8
    # The arguments are those of the one who asks.
    assert one.value(h.call("wealth", mine, me=h.local("p", h.PLAYER)), one.ann, p=one.ben) == 11
    with pytest.raises(PlayError) as caught:
        one.value(h.call("wealth", number(0), me=h.local("p", h.PLAYER)), one.ann, p=None)
    assert code_of(caught) == "RW715"


def test_one_thing_is_a_list_where_a_list_is_wanted() -> None:
    count = h.define("size", h.builtin("count", h.local("xs", h.CARDS)), {"xs": h.CARDS})
    one = played(game(defines=[count]))
    one.lay("discards", one.card(0), one.card(1))

    assert one.value(h.call("size", h.local("c", h.CARD)), c=one.card(0)) == 1
    assert one.value(h.call("size", h.read("discards"))) == 2


def test_a_define_may_take_a_place() -> None:
    place = model.LocalPlace(type=h.HAND, span=h.SPAN, name="z")
    size = h.define("size", h.builtin("count", h.contents(place)), {"z": h.HAND})
    one = played(game(defines=[size]))
    one.lay("Player.hand", one.card(3), holder=one.ben)

    assert one.value(h.call("size", h.field_place("Player.hand", h.ME)), one.ben) == 1


def test_a_define_that_calls_itself_is_stopped() -> None:
    one = played(game(defines=[h.define("circle", h.call("circle"))]))

    with pytest.raises(PlayError) as caught:
        one.value(h.call("circle"))
    assert code_of(caught) == "RW711"


def test_a_tally_is_the_sum_of_its_lines() -> None:
    def line(name: str, value: model.Expression, *changes: model.Changed) -> model.Line:
        return model.Line(name=name, value=value, changes=changes)

    score = h.define(
        "score",
        number(0),
        lines=[
            line("coins", h.read("Player.coins", h.ME)),
            line("cards", number(4), h.change("by", number(10))),
        ],
        changes=[h.change("at most", number(16))],
    )
    one = played(game(defines=[score]))

    assert one.value(h.call("score"), one.ann) == 16
    assert [
        (name, code(one.store, one.ann, {})) for name, code in one.evaluator.tally("score")
    ] == [("coins", 3), ("cards", 14)]


# ------------------------------------------------------------------------------- expressions, verbs


def test_an_expression_is_handed_on_with_its_locals() -> None:
    one = played()
    adds = h.about(
        h.arithmetic("+", h.local("it"), h.arithmetic("+", h.local("x"), h.read("turn")))
    )
    closure = one.value(adds, x=10, unused=3)
    applied = model.Apply(type=NUMBER, span=h.SPAN, function=h.local("f"), argument=number(1))
    at_once = model.Apply(type=NUMBER, span=h.SPAN, function=adds, argument=number(1))

    assert closure == Closure(closure.lambda_id, (("x", 10),))
    assert one.value(applied, f=closure, x=99) == 12
    assert one.value(at_once, x=20) == 22
    # Fields are read when it is applied.
    one.set("turn", 5)
    assert one.value(applied, f=closure) == 16
    assert one.evaluator.apply(closure, 2, one.store, None) == 17


def test_me_is_the_one_in_force_where_it_is_applied() -> None:
    one = played()
    closure = one.value(h.about(compare("is", h.local("it", h.PLAYER), h.ME)), one.ann)
    applied = model.Apply(type=FLAG, span=h.SPAN, function=h.local("f"), argument=h.SEATS)

    assert one.evaluator.apply(closure, one.ben, one.store, one.ben) is True
    assert one.value(applied, one.ann, f=closure) is False


def test_the_id_of_an_expression_depends_on_nothing_but_the_rules() -> None:
    adds = h.about(h.arithmetic("+", h.local("it"), number(1)))
    other = h.about(h.arithmetic("+", h.local("it"), number(2)))

    first = played().value(adds)
    two = played()
    assert two.value(other) != first
    assert two.value(adds) == first


def test_names_in_an_expression() -> None:
    adds = h.about(h.arithmetic("+", h.local("it"), h.arithmetic("*", h.local("b"), h.ORIGINAL)))

    assert names_in(adds) == ("b", "it", "original")


def test_a_verb_is_a_value() -> None:
    one = played()
    plain = model.VerbOf(
        type=kinds.VERB, span=h.SPAN, name="fly", verbs=("fly", "fly/2"), arguments=()
    )
    hand = h.field_place("Player.hand", h.ME)
    full = model.VerbOf(
        type=kinds.VERB, span=h.SPAN, name="draw", verbs=("draw",), arguments=(h.local("n"), hand)
    )

    assert one.value(plain) == VerbValue("fly", ("fly", "fly/2"))
    assert one.value(full, one.ben, n=2) == VerbValue(
        "draw", ("draw",), (2, one.place("Player.hand", one.ben))
    )


def test_can_asks_the_look_ahead() -> None:
    one = played()
    verb = model.VerbOf(
        type=kinds.VERB, span=h.SPAN, name="pay", verbs=("pay",), arguments=(h.local("n"),)
    )
    can = model.Can(type=FLAG, span=h.SPAN, verb=verb)
    code = one.code(can)
    with pytest.raises(RuntimeError):
        code(one.store, one.ann, {"n": 3})

    one.evaluator.can = lambda store, verb, me: verb.arguments[0] < 3 and me is one.ann

    assert code(one.store, one.ann, {"n": 2}) is True
    assert code(one.store, one.ann, {"n": 3}) is False


# -------------------------------------------------------------------------------------------- lists


def test_where_filters() -> None:
    one = played()
    ranks = h.where(h.ALL_CARDS, compare(">", h.its("Card.rank"), number(2)))

    assert [card.number for card in one.value(ranks)] == [4, 5, 10, 11, 16, 17]
    assert one.value(h.where(h.local("xs", h.CARDS), h.flag(True)), xs=()) == ()


@pytest.mark.parametrize("flipped", [True, False])
@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize(
    ("field", "value"),
    [("Card.suit", h.suit("green")), ("Card.claim", h.ME), ("Card.claim", h.NONE)],
)
def test_a_filter_over_a_column_is_like_any_other(
    field: str, value: model.Expression, positive: bool, flipped: bool
) -> None:
    one = played()
    one.set("Card.claim", one.ann, one.card(3))
    one.set("Card.claim", one.ben, one.card(7))
    word = "is" if positive else "is not"
    sides = (value, h.its(field)) if flipped else (h.its(field), value)
    fast = h.where(h.ALL_CARDS, compare(word, *sides))
    # A condition that reads the thing on both sides is no filter over a column.
    slow = h.where(
        h.ALL_CARDS,
        model.Or(type=FLAG, span=h.SPAN, left=compare(word, *sides), right=h.flag(False)),
    )

    assert one.value(fast, one.ann) == one.value(slow, one.ann)
    assert 0 < len(one.value(fast, one.ann)) < 18


@pytest.mark.parametrize("flipped", [True, False])
@pytest.mark.parametrize("word", ["<", ">", "<=", ">="])
@pytest.mark.parametrize(
    ("field", "limit"), [("Card.rank", number(2)), ("Card.suit", h.suit("green"))]
)
def test_a_filter_may_compare_by_order(
    field: str, limit: model.Expression, word: str, flipped: bool
) -> None:
    one = played()
    sides = (limit, h.its(field)) if flipped else (h.its(field), limit)
    condition = compare(word, *sides)

    found = one.value(h.where(h.ALL_CARDS, condition))

    assert found == tuple(card for card in one.value(h.ALL_CARDS) if one.value(condition, it=card))
    assert 0 < len(found) < 18


@pytest.mark.parametrize("word", ["in", "not in"])
def test_a_filter_may_ask_for_membership(word: str) -> None:
    one = played()
    suits = h.listed(h.suit("red"), h.local("s", h.SUIT), type=h.SUIT)

    found = one.value(
        h.where(h.ALL_CARDS, compare(word, h.its("Card.suit"), suits)), s=one.suit("blue")
    )

    assert len(found) == (12 if word == "in" else 6)


def test_a_filter_finds_that_something_is_none() -> None:
    one = played()
    limit = h.local("n")
    for condition in (
        compare(">", h.its("Card.rank"), limit),
        compare("in", h.its("Card.rank"), h.local("n", kinds.ListType(NUMBER))),
    ):
        with pytest.raises(PlayError) as caught:
            one.value(h.where(h.ALL_CARDS, condition), n=None)
        assert code_of(caught) == "RW715"
    with pytest.raises(PlayError):
        one.value(
            h.where(h.local("xs", h.CARDS), compare(">", h.its("Card.rank"), limit)),
            n=1,
            xs=(None,),
        )


def test_flags_filter_by_themselves() -> None:
    one = played()
    one.set("Card.open", True, one.card(2))
    negation = model.Not(type=FLAG, span=h.SPAN, operand=h.its("Card.open"))

    assert one.value(h.where(h.ALL_CARDS, h.its("Card.open"))) == (one.card(2),)
    assert len(one.value(h.where(h.ALL_CARDS, negation))) == 17
    assert len(one.value(h.where(h.ALL_CARDS, h.its("Card.wild")))) == 6


def test_an_and_filters_twice() -> None:
    one = played()
    condition = h.both(
        compare("is", h.its("Card.suit"), h.local("s", h.SUIT)),
        h.both(
            compare("is", h.its("Card.rank"), number(2)), compare("is", h.its("Card.claim"), h.NONE)
        ),
    )

    found = one.value(h.where(h.ALL_CARDS, condition), s=one.suit("blue"))

    assert found == (one.card(14), one.card(15))


def test_a_filter_over_what_is_not_everybodys_is_guarded() -> None:
    one = played()
    hidden = h.where(h.ALL_CARDS, compare("is", h.its("Card.hint"), number(0)))
    assert len(one.value(hidden)) == 18
    one.store.eyes, one.store.trail = one.ann, []

    with pytest.raises(Horizon):
        one.value(hidden)


def test_a_list_may_hold_none_only_where_nothing_is_asked_of_it() -> None:
    xs = h.local("xs", h.CARDS)
    for condition in (h.its("Card.open"), compare("is", h.its("Card.claim"), h.NONE)):
        with pytest.raises(PlayError) as caught:
            played().value(h.where(xs, condition), xs=(None,))
        assert code_of(caught) == "RW715"


def test_inner_names_do_not_leak() -> None:
    one = played()
    inner = h.where(h.SUITS, compare("is not", h.local("x", h.SUIT), h.its("Card.suit")), "x")
    outer = h.where(h.ALL_CARDS, compare(">", h.builtin("count", inner), h.its("Card.rank")))
    locals = {"it": "mine", "x": "mine"}

    found = one.code(outer)(one.store, None, locals)

    assert {one.value(h.its("Card.rank"), it=card) for card in found} == {1}
    assert locals == {"it": "mine", "x": "mine"}


def test_each_maps() -> None:
    one = played()
    doubled = h.each(
        h.local("xs", kinds.ListType(NUMBER)), h.arithmetic("*", h.local("it"), number(2))
    )

    assert one.value(doubled, xs=(1, 2, 3)) == (2, 4, 6)
    assert one.value(doubled, xs=()) == ()


@pytest.mark.parametrize("size", [1, 12])
def test_without_takes_out_all_equal_ones(size: int) -> None:
    one = played()
    numbers = kinds.ListType(NUMBER)
    less = model.Without(
        type=numbers, span=h.SPAN, source=h.local("xs", numbers), other=h.local("ys", numbers)
    )

    assert one.value(less, xs=(1, 2, 1, 99), ys=tuple(range(1, 1 + size))) == (
        (2, 99) if size == 1 else (99,)
    )
    assert one.value(less, xs=(1, 1), ys=()) == (1, 1)


def test_without_one_thing() -> None:
    one = played()
    others = model.Without(type=h.PLAYERS, span=h.SPAN, source=h.SEATS, other=h.ME)

    assert one.value(others, one.ann) == (one.ben,)


def having(*keys: model.Criterion) -> model.Having:
    return model.Having(
        type=h.CARDS, span=h.SPAN, source=h.local("xs", h.CARDS), name="it", keys=keys
    )


def in_order(*keys: model.Criterion) -> model.Sorted:
    return model.Sorted(
        type=h.CARDS, span=h.SPAN, source=h.local("xs", h.CARDS), name="it", keys=keys
    )


def test_having_keeps_all_that_tie() -> None:
    one = played()
    cards = tuple(one.card(i) for i in (0, 4, 10, 16, 17))

    assert one.value(having(h.most(h.its("Card.rank"))), xs=cards) == cards[1:]
    assert one.value(having(h.fewest(h.its("Card.rank"))), xs=cards) == cards[:1]
    both = having(h.most(h.its("Card.rank")), h.most(h.its("Card.suit")))
    assert one.value(both, xs=cards) == cards[3:]
    assert one.value(both, xs=()) == ()


def test_none_is_below_all() -> None:
    one = played(game(fields=[h.field("Card.claim", kinds.OptionalType(NUMBER))]))
    one.set("Card.claim", 0, one.card(1))
    cards = (one.card(0), one.card(1))

    assert one.value(having(h.most(h.its("Card.claim"))), xs=cards) == (one.card(1),)
    assert one.value(having(h.fewest(h.its("Card.claim"))), xs=cards) == (one.card(0),)
    assert one.value(in_order(h.fewest(h.its("Card.claim"))), xs=cards[::-1]) == cards


def test_sorting_is_stable() -> None:
    one = played()
    cards = tuple(one.card(i) for i in (17, 0, 16, 4, 1, 10))
    numbers = lambda found: [card.number for card in found]  # noqa: E731

    assert numbers(one.value(in_order(h.most(h.its("Card.rank"))), xs=cards)) == [
        17,
        16,
        4,
        10,
        0,
        1,
    ]
    assert numbers(one.value(in_order(h.fewest(h.its("Card.rank"))), xs=cards)) == [
        0,
        1,
        17,
        16,
        4,
        10,
    ]
    both = in_order(h.fewest(h.its("Card.rank")), h.most(h.its("Card.suit")))
    assert numbers(one.value(both, xs=cards)) == [0, 1, 17, 16, 10, 4]
    assert one.value(both, xs=()) == ()


@pytest.mark.parametrize(
    ("word", "results"),
    [("every", (True, False, True)), ("some", (False, True, True)), ("no", (True, False, False))],
)
def test_quantifiers(word: str, results: tuple[bool, ...]) -> None:
    one = played()
    numbers = kinds.ListType(NUMBER)
    asked = model.Quantified(
        type=FLAG,
        span=h.SPAN,
        word=word,
        name="x",
        source=h.local("xs", numbers),
        condition=compare(">", h.local("x"), number(0)),
    )

    found = tuple(one.value(asked, xs=xs) for xs in ((), (0, 1), (1, 2)))

    assert found == results


def test_lists_and_ranges() -> None:
    one = played()

    assert one.value(h.listed()) == ()
    assert one.value(h.listed(number(1), number(2))) == (1, 2)
    assert one.value(h.listed(h.local("x"), number(2)), x=1) == (1, 2)
    assert one.value(h.listed(h.local("x")), x=1) == (1,)
    assert one.value(h.numbers(number(2), h.local("n")), n=4) == (2, 3, 4)
    assert one.value(h.numbers(number(2), h.local("n")), n=1) == ()
    with pytest.raises(PlayError):
        one.value(h.numbers(number(2), h.local("n")), n=None)


def test_what_a_family_does_not_name_has_the_start_value() -> None:
    one = played()
    family = model.FamilyOf(
        type=h.PER_PLAYER, span=h.SPAN, pairs=((h.local("p", h.PLAYER), number(4)),)
    )
    nested = model.FamilyOf(
        type=kinds.FamilyType(h.PER_SUIT, FLAG),
        span=h.SPAN,
        pairs=((h.flag(True), h.local("f", h.PER_SUIT)),),
    )

    assert one.value(family, p=one.ben) == (0, 4)
    assert one.value(nested, f=(1, 2, 3)) == ((0, 0, 0), (1, 2, 3))
    with pytest.raises(PlayError):
        one.value(family, p=None)


@pytest.mark.parametrize("known", [True, False])
def test_lookup(known: bool) -> None:
    one = played()
    key = h.suit("red") if known else h.local("k", h.SUIT)

    def table(otherwise: model.Expression | None) -> model.Lookup:
        return model.Lookup(
            type=NUMBER,
            span=h.SPAN,
            value=h.local("s", h.SUIT),
            pairs=((key, number(5)), (h.suit("blue"), number(6))),
            otherwise=otherwise,
        )

    red = one.suit("red")
    assert one.value(table(None), s=red, k=red) == 5
    assert one.value(table(None), s=one.suit("blue"), k=red) == 6
    assert one.value(table(number(7)), s=one.suit("green"), k=red) == 7
    with pytest.raises(PlayError) as caught:
        one.value(table(None), s=one.suit("green"), k=red)
    assert code_of(caught) == "RW706"


def test_work_without_end_is_a_rules_error() -> None:
    one = played()
    xs = h.local("xs", kinds.ListType(NUMBER))
    pairs = h.each(
        xs, h.builtin("count", h.where(xs, compare(">", h.local("y"), number(0)), "y")), "x"
    )

    with pytest.raises(PlayError) as caught:
        one.value(pairs, xs=tuple(range(2000)))
    assert code_of(caught) == "RW702"
