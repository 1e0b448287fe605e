"""Amendments of a value apply in the order that the guide gives, whatever order they are written in."""

import handmade as h
import pytest
from handmade import compare, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model.types import NUMBER
from rulewright.interpreter.state.errors import PlayError


def amended(body: int, *changes: model.Changed) -> int:
    one = played(game(defines=[h.define("v", number(body), changes=changes)]))
    value: int = one.value(h.call("v"), one.ann)
    return value


PLUS = h.arithmetic("+", h.ORIGINAL, number(1))
TWICE = h.arithmetic("*", h.ORIGINAL, number(2))


def test_all_to_come_before_all_by() -> None:
    assert amended(5, h.change("by", number(1), order=0), h.change("to", number(10), order=1)) == 11


def test_each_to_sees_the_one_before() -> None:
    assert amended(5, h.change("to", PLUS, order=0), h.change("to", TWICE, order=1)) == 12
    assert amended(5, h.change("to", PLUS, order=1), h.change("to", TWICE, order=0)) == 11


def test_the_inner_scope_speaks_last() -> None:
    assert amended(5, h.change("by", number(1), scope=0), h.change("to", number(9), scope=1)) == 9
    assert amended(5, h.change("to", number(9), scope=0), h.change("by", number(1), scope=1)) == 10


def test_the_order_of_additions_does_not_matter() -> None:
    doubling, one = h.change("by", h.ORIGINAL, order=0), h.change("by", number(1), order=1)
    later = h.change("by", h.ORIGINAL, order=2)

    assert amended(5, doubling, one) == amended(5, one, later) == 11


def test_limits_come_after_all_scopes_and_the_lower_one_last() -> None:
    assert amended(5, h.change("at least", number(0)), h.change("by", number(-9), scope=1)) == 0
    assert amended(5, h.change("at most", number(3)), h.change("at least", number(4))) == 4
    assert amended(5, h.change("at most", number(8)), h.change("at least", number(2))) == 5


def test_guards_see_the_value_they_change() -> None:
    over_five = compare(">", h.ORIGINAL, number(5))

    assert amended(5, h.change("to", number(9), over_five)) == 5
    assert amended(6, h.change("to", number(9), over_five)) == 9
    assert amended(5, h.change("to", number(6), order=0), h.change("by", number(1), over_five)) == 7
    # A guard of a limit sees the value before all limits.
    limits = [h.change("at most", number(4), order=0), h.change("at least", number(9), over_five)]
    assert amended(6, *limits) == 9


def test_a_change_reads_the_parameters_and_me() -> None:
    changes = [h.change("by", h.arithmetic("+", h.local("x"), h.read("Player.coins", h.ME)))]
    one = played(game(defines=[h.define("v", number(1), {"x": NUMBER}, changes=changes)]))

    assert one.value(h.call("v", number(10)), one.ann) == 14


def test_a_change_of_a_list_appends() -> None:
    body = h.listed(h.suit("red"), type=h.SUIT)
    more = h.change("by", h.listed(h.suit("blue"), type=h.SUIT))
    one = played(game(defines=[h.define("v", body, changes=[more])]))

    assert one.value(h.call("v", type=body.type)) == (one.suit("red"), one.suit("blue"))


def test_a_change_of_a_word_of_an_enumeration_may_be_limited() -> None:
    changes = [h.change("at most", h.suit("green"))]
    one = played(game(defines=[h.define("v", h.suit("blue"), changes=changes)]))

    assert one.value(h.call("v", type=h.SUIT)) is one.suit("green")


def test_an_amended_number_has_an_end() -> None:
    with pytest.raises(PlayError) as caught:
        amended(10**15, h.change("by", number(1)))
    assert caught.value.code == "RW710"
