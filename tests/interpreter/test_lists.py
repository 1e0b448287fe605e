"""Lists are filtered, mapped, sorted and asked about; families and tables are looked up."""

import handmade as h
import pytest
from handmade import code_of, compare, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER
from rulewright.interpreter.state.errors import Horizon, PlayError


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
        compare("in", h.its("Card.rank"), h.local("n", types.ListType(NUMBER))),
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
    one.store.viewer, one.store.trail = one.ann, []

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
        h.local("xs", types.ListType(NUMBER)), h.arithmetic("*", h.local("it"), number(2))
    )

    assert one.value(doubled, xs=(1, 2, 3)) == (2, 4, 6)
    assert one.value(doubled, xs=()) == ()


@pytest.mark.parametrize("size", [1, 12])
def test_without_takes_out_all_equal_ones(size: int) -> None:
    one = played()
    numbers = types.ListType(NUMBER)
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
    one = played(game(fields=[h.field("Card.claim", types.OptionalType(NUMBER))]))
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
    numbers = types.ListType(NUMBER)
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
        type=types.FamilyType(h.PER_SUIT, FLAG),
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
    xs = h.local("xs", types.ListType(NUMBER))
    pairs = h.each(
        xs, h.builtin("count", h.where(xs, compare(">", h.local("y"), number(0)), "y")), "x"
    )

    with pytest.raises(PlayError) as caught:
        one.value(pairs, xs=tuple(range(2000)))
    assert code_of(caught) == "RW702"
