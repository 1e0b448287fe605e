"""Defines are called; expressions and verbs are handed on as values."""

import handmade as h
import pytest
from handmade import code_of, compare, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER
from rulewright.interpreter.semantics.closures import names_in
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.values import Closure, VerbValue

# ------------------------------------------------------------------------------------------ defines


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
        type=types.VERB, span=h.SPAN, name="fly", verbs=("fly", "fly/2"), arguments=()
    )
    hand = h.field_place("Player.hand", h.ME)
    full = model.VerbOf(
        type=types.VERB, span=h.SPAN, name="draw", verbs=("draw",), arguments=(h.local("n"), hand)
    )

    assert one.value(plain) == VerbValue("fly", ("fly", "fly/2"))
    assert one.value(full, one.ben, n=2) == VerbValue(
        "draw", ("draw",), (2, one.place("Player.hand", one.ben))
    )


def test_can_asks_the_look_ahead() -> None:
    one = played()
    verb = model.VerbOf(
        type=types.VERB, span=h.SPAN, name="pay", verbs=("pay",), arguments=(h.local("n"),)
    )
    can = model.Can(type=FLAG, span=h.SPAN, verb=verb)
    code = one.code(can)
    with pytest.raises(RuntimeError):
        code(one.store, one.ann, {"n": 3})

    one.evaluator.can = lambda store, verb, me: verb.arguments[0] < 3 and me is one.ann

    assert code(one.store, one.ann, {"n": 2}) is True
    assert code(one.store, one.ann, {"n": 3}) is False
