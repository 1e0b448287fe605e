"""Every core function does what the register and the guide say, and fails where they say."""

import handmade as h
import pytest
from handmade import builtin, compare, number, played
from hypothesis import given, strategies as st

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import FUNCTIONS
from rulewright.dsl.model.constructs import READ, Function
from rulewright.dsl.model.types import FLAG, NUMBER
from rulewright.interpreter.semantics import builtins
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.values import Value

NUMBERS = types.ListType(NUMBER)
XS, YS = h.local("xs", NUMBERS), h.local("ys", NUMBERS)
N = h.local("n")

# These have expressions of their own in the model, or are chance.
ELSEWHERE = {"lookup", "can"}


def test_every_function_of_the_register_is_there() -> None:
    registered = {one.name for one in FUNCTIONS if not one.chance} - ELSEWHERE

    assert set(builtins.FUNCTIONS) == registered


@pytest.mark.parametrize(
    ("name", "xs", "result"),
    [
        ("count", (), 0),
        ("count", (4, 4), 2),
        ("sum", (), 0),
        ("sum", (4, -1), 3),
        ("min", (), 0),
        ("min", (4, -1), -1),
        ("max", (), 0),
        ("max", (4, -1), 4),
        ("total", (4, -1), 3),
        ("first", (), None),
        ("first", (4, 5, 6), 4),
        ("last", (), None),
        ("last", (4, 5, 6), 6),
        ("top", (), None),
        ("top", (4, 5, 6), 6),
        ("only", (), None),
        ("only", (4,), 4),
        ("only", (4, 4), None),
        ("the", (4,), 4),
        ("distinct", (4, 5, 4), (4, 5)),
        ("reversed", (4, 5), (5, 4)),
        ("present", (None, 4, None), (4,)),
        ("join", ((4,), (), (5, 6)), (4, 5, 6)),
        ("join", (), ()),
        ("indices", (4, 5), (0, 1)),
        ("indices", (), ()),
    ],
)
def test_functions_of_a_list(name: str, xs: tuple[Value, ...], result: Value) -> None:
    assert played().value(builtin(name, XS), xs=xs) == result


@pytest.mark.parametrize(
    ("name", "n", "result"),
    [
        ("first", 2, (4, 5)),
        ("first", 9, (4, 5, 6)),
        ("first", 0, ()),
        ("first", -1, ()),
        ("last", 2, (5, 6)),
        ("last", 9, (4, 5, 6)),
        ("last", 0, ()),
        ("last", -1, ()),
        ("top", 2, (6, 5)),
        ("top", 9, (6, 5, 4)),
        ("top", 0, ()),
    ],
)
def test_several_from_an_end(name: str, n: int, result: tuple[int, ...]) -> None:
    assert played().value(builtin(name, N, XS), n=n, xs=(4, 5, 6)) == result


OF_A_LIST = [
    one
    for one in FUNCTIONS
    if one.name in builtins.FUNCTIONS and one.lists != READ and one.name not in ("total", "join")
]
LISTS = ((), (4,), (4, 5, 6), (6, 4, 5), (4, 5, 4))


def _given(function: Function, xs: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """Return what comes out, as a list; None if nothing is found."""
    arguments = (XS, YS) if function.arguments == (2, 2) else (XS,)
    try:
        found = played().value(builtin(function.name, *arguments), xs=xs, ys=(4, 5, 6))
    except PlayError:
        return None
    return found if isinstance(found, tuple) else None if found is None else (found,)


@pytest.mark.parametrize("function", OF_A_LIST, ids=lambda one: one.name)
def test_the_register_says_what_becomes_of_a_list(function: Function) -> None:
    use = function.lists
    given = {xs: _given(function, xs) for xs in LISTS}

    handed = all(set(found or ()) <= set(xs) for xs, found in given.items())
    assert handed or use.hands_on == "nothing"
    assert not use.lacking or given[()] is None
    if use.hands_on == "all":
        assert all(set(found or ()) == set(xs) for xs, found in given.items())
    if use.order == "free":
        assert given[(4, 5, 6)] == given[(6, 4, 5)]
    if use.order == "kept":
        assert given[(4, 5, 6)] != given[(6, 4, 5)]
    if use.once:
        assert all(len(set(found or ())) == len(found or ()) for found in (given[(4, 5, 6)],))
    if use.filled:
        assert all((found == ()) == (xs == ()) for xs, found in given.items())
    if use.drops_none:
        assert _given(function, (None, 4)) == (4,)
    if use.counts:
        assert given[(4, 5, 6)] == given[(6, 4, 5)] == given[(4, 5, 4)]
    if use.end is not None:
        assert given[(4, 5, 6)] == ((4,) if use.end == "front" else (6,))
    both = _given(function, (4, 5, 4, 6, 4, 5)) or ()
    parts = (*(given[(4, 5, 4)] or ()), *(given[(6, 4, 5)] or ()))
    if use.apart:
        assert sorted(both) == sorted(parts)
    elif use.hands_on == "all":
        assert sorted(both) != sorted(parts)


@pytest.mark.parametrize(
    "function", [one for one in OF_A_LIST if one.gives == "number"], ids=lambda one: one.name
)
def test_the_register_says_which_numbers_are_never_negative(function: Function) -> None:
    below, above = _given(function, (-4, -5)), _given(function, (4, 0, 5))

    assert below is not None and above is not None
    assert function.sign == ("natural" if below[0] >= 0 else "kept")
    assert above[0] >= 0


def test_the_number_must_be_known() -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("first", N, XS), n=None, xs=(1,))
    assert caught.value.code == "RW715"


@pytest.mark.parametrize("xs", [(), (1, 2), (1, 1)])
def test_the_single_one_must_be_single(xs: tuple[int, ...]) -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("the", XS), xs=xs)
    assert caught.value.diagnostic().headline == "`the` finds nothing there"


@pytest.mark.parametrize("name", ["sum", "min", "max"])
def test_none_is_no_number(name: str) -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin(name, XS), xs=(1, None))
    assert caught.value.code == "RW715"


def test_a_sum_has_an_end() -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("sum", XS), xs=(10**15, 1))
    assert caught.value.code == "RW710"


def test_a_joined_list_has_an_end() -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("join", XS), xs=((0,) * 60_000,) * 2)
    assert caught.value.code == "RW709"


def test_nothing_is_counted_where_there_is_no_list() -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("count", XS), xs=None)
    assert caught.value.code == "RW715"


def test_counts() -> None:
    one = played()
    one.lay("discards", one.card(0), one.card(4))
    one.lay("table_cards", one.card(5))
    threes = h.where(h.read("discards"), compare("is", h.its("Card.rank"), number(3)))
    both = h.arithmetic("+", h.read("discards"), h.read("table_cards"), h.CARDS)
    empty = model.IsEmpty(type=FLAG, span=h.SPAN, source=threes, negated=False)
    full = model.IsEmpty(type=FLAG, span=h.SPAN, source=h.read("discards"), negated=True)

    assert one.value(builtin("count", h.ALL_CARDS)) == 18
    assert one.value(builtin("count", h.SEATS)) == 2
    assert one.value(builtin("count", h.read("discards"))) == 2
    assert one.value(builtin("count", threes)) == 1
    assert one.value(builtin("count", both)) == 3
    assert one.value(builtin("count", h.read("Player.hand", h.ME)), one.ann) == 0
    assert one.value(empty) is False
    assert one.value(full) is True


def test_the_total_of_a_family() -> None:
    one = played()
    one.set("influence", (3, 4))

    assert one.value(builtin("total", h.read("influence"))) == 7


@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)))
def test_same_items_ignores_the_order(xs: list[int], ys: list[int]) -> None:
    code = GAME.code(builtin("same_items", XS, YS, type=FLAG))

    found = code(GAME.store, None, {"xs": tuple(xs), "ys": tuple(ys)})

    assert found is (sorted(xs) == sorted(ys))


GAME = played()


def test_a_position_counts_from_zero() -> None:
    one = played()
    position = builtin("position", N, XS)

    assert one.value(position, n=5, xs=(4, 5, 5)) == 1
    with pytest.raises(PlayError) as caught:
        one.value(position, n=7, xs=(4, 5, 5))
    assert caught.value.code == "RW706"


# --------------------------------------------------------------------------------------- following

HALF = h.about(h.arithmetic("/", h.local("it"), number(2)))
POSITIVE = h.about(compare(">", h.local("it"), number(0)))


def test_a_walk_goes_on_while_it_is_good() -> None:
    one = played()

    assert one.value(builtin("walk", N, HALF, POSITIVE), n=9) == (9, 4, 2, 1)
    # The first one must be good, too.
    assert one.value(builtin("walk", N, HALF, POSITIVE), n=0) == ()
    assert one.value(builtin("walk", N, HALF, POSITIVE), n=None) == ()


def test_a_walk_ends_where_it_has_been() -> None:
    rest = h.about(h.arithmetic("mod", h.arithmetic("+", h.local("it"), number(2)), number(5)))

    assert played().value(builtin("walk", N, rest, h.about(h.flag(True))), n=1) == (1, 3, 0, 2, 4)


def test_a_walk_ends_with_none() -> None:
    following = h.about(
        model.Conditional(
            type=NUMBER,
            span=h.SPAN,
            condition=compare("<", h.local("it"), N),
            then=h.arithmetic("+", h.local("it"), number(1)),
            otherwise=h.NONE,
        )
    )

    assert played().value(builtin("walk", number(1), following, POSITIVE), n=3) == (1, 2, 3)


def test_a_walk_without_end_is_a_rules_error() -> None:
    more = h.about(h.arithmetic("+", h.local("it"), number(1)))

    with pytest.raises(PlayError) as caught:
        played().value(builtin("walk", number(1), more, POSITIVE))
    assert caught.value.code == "RW709"


S = h.local("s", h.SPOT)
NEAR = h.about(h.its("Spot.near"), of=h.SPOT)


def test_reach_is_breadth_first() -> None:
    one = played()
    a, b, c, d = (one.spot(name) for name in "ABCD")

    assert one.value(builtin("reach", S, NEAR), s=a) == (a, b, d, c)
    assert one.value(builtin("reach", S, N, NEAR), s=a, n=1) == (a, b, d)
    assert one.value(builtin("reach", S, N, NEAR), s=b, n=0) == (b,)


def test_reach_needs_a_start() -> None:
    with pytest.raises(PlayError) as caught:
        played().value(builtin("reach", S, NEAR), s=None)
    assert caught.value.code == "RW715"


def test_a_reach_without_end_is_a_rules_error() -> None:
    more = h.about(h.listed(h.arithmetic("+", h.local("it"), number(1))))

    with pytest.raises(PlayError) as caught:
        played().value(builtin("reach", number(1), more))
    assert caught.value.code in ("RW709", "RW702")


def test_components_hang_together_by_way_of_what_is_in_the_list() -> None:
    one = played()
    a, b, c, d = (one.spot(name) for name in "ABCD")
    listed = h.listed(h.local("s", h.SPOT), h.local("t", h.SPOT), h.local("u", h.SPOT))
    found = builtin("components", listed, NEAR)

    assert one.value(found, s=b, t=a, u=d) == ((b, a, d),)
    assert one.value(found, s=c, t=a, u=a) == ((c,), (a,))
    assert one.value(builtin("components", h.listed(), NEAR)) == ()


def test_the_length_of_a_path() -> None:
    one = played()
    length = builtin("path_length", S, h.local("t", h.SPOT), NEAR)
    nowhere = builtin("path_length", S, h.local("t", h.SPOT), h.about(h.listed(), of=h.SPOT))
    a, b, c = (one.spot(name) for name in "ABC")

    assert one.value(length, s=a, t=a) == 0
    assert one.value(length, s=a, t=b) == 1
    assert one.value(length, s=a, t=c) == 2
    assert one.value(nowhere, s=a, t=c) == 999
    for missing in ({"s": None, "t": a}, {"s": a, "t": None}):
        with pytest.raises(PlayError):
            one.value(length, **missing)


def test_what_is_followed_may_be_handed_on() -> None:
    one = played()
    handed = builtin("reach", S, h.local("f"))
    closure = one.value(
        h.about(
            h.where(h.its("Spot.near"), compare("is not", h.local("x", h.SPOT), S), "x"), of=h.SPOT
        ),
        s=one.spot("B"),
    )

    # `s` is captured by value: B is never entered.
    found = one.value(handed, f=closure, s=one.spot("A"))

    assert [spot.name for spot in found] == ["A", "D", "C"]


def test_locals_are_left_alone() -> None:
    one = played()
    locals = {"it": "mine", "n": 9}

    one.code(builtin("walk", N, HALF, POSITIVE))(one.store, None, locals)

    assert locals == {"it": "mine", "n": 9}
