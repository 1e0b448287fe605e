"""Plain values, arithmetic and comparisons have the value that the guide gives them."""

import handmade as h
import pytest
from handmade import code_of, compare, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER, TEXT
from rulewright.interpreter.semantics.evaluate import HANDLERS
from rulewright.interpreter.state.errors import PlayError


def test_every_expression_is_compiled() -> None:
    executed = {model.Chance}

    missing = set(model.Expression.__args__) - set(HANDLERS) - executed

    assert not missing


def test_chance_is_not_evaluated() -> None:
    roll = model.Chance(type=NUMBER, span=h.SPAN, word="pick", count=None, source=h.SEATS)

    with pytest.raises(TypeError, match="Chance"):
        played().code(roll)


# ------------------------------------------------------------------------------------- plain values


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


# --------------------------------------------------------------------------------------- arithmetic


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
    numbers = types.ListType(NUMBER)
    joined = h.arithmetic("+", h.listed(number(1)), h.listed(number(2), h.local("x")), numbers)
    repeated = h.arithmetic("*", number(3), h.listed(h.local("x")), numbers)

    assert one.value(joined, x=5) == (1, 2, 5)
    assert one.value(repeated, x=5) == (5, 5, 5)
    assert one.value(h.arithmetic("*", number(-1), h.listed(number(1)), numbers)) == ()


def test_lists_have_an_end() -> None:
    numbers = types.ListType(NUMBER)
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


# --------------------------------------------------------------------------------------- comparison


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
    xs, ys = h.local("xs", types.ListType(NUMBER)), h.local("ys", types.ListType(NUMBER))

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
        played().value(compare("in", number(1), h.local("x", types.ListType(NUMBER))), x=None)
