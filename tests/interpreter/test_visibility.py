"""What a player does not see ends his look-ahead, and what chance has not decided is asked for."""

import handmade as h
import pytest
from handmade import Played, compare, game, number, played

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG
from rulewright.interpreter.state.errors import Horizon, Undecided


def hidden(one: Played, expression: model.Expression, me: str = "ann", **locals: object) -> bool:
    """Return whether a player who looks ahead meets something hidden in an expression."""
    one.store.viewer, one.store.trail = getattr(one, me), []
    try:
        one.value(expression, one.store.viewer, **locals)
    except Horizon:
        return True
    finally:
        one.store.viewer, one.store.trail = None, None
    return False


def test_a_field_of_the_owner_is_hidden_from_others() -> None:
    one = played()
    purse = h.read("Player.purse", h.local("p", h.PLAYER))

    assert not hidden(one, purse, "ann", p=one.ann)
    assert hidden(one, purse, "ben", p=one.ann)


def test_a_field_of_a_thing_is_its_owners() -> None:
    one = played()
    one.lay("Player.tableau", one.card(0), holder=one.ann)
    note = h.its("Card.note")

    assert not hidden(one, note, "ann", it=one.card(0))
    assert hidden(one, note, "ben", it=one.card(0))
    assert hidden(one, note, "ben", it=one.card(1))


def test_a_zone_of_nobody_is_hidden_but_may_be_counted() -> None:
    one = played()
    one.lay("deck", one.card(0))
    deck = h.read("deck")
    empty = model.IsEmpty(type=FLAG, span=h.SPAN, source=deck, negated=False)

    assert hidden(one, h.builtin("last", deck, type=h.CARD))
    assert hidden(one, h.builtin("top", deck, type=h.CARD))
    assert hidden(one, h.where(deck, h.flag(True)))
    assert not hidden(one, h.builtin("count", deck))
    assert not hidden(one, empty)


def test_a_count_may_be_hidden_as_well() -> None:
    one = played()
    sealed = h.read("sealed")

    assert hidden(one, h.builtin("count", sealed))
    assert hidden(one, model.IsEmpty(type=FLAG, span=h.SPAN, source=sealed, negated=True))


def test_viewers_may_be_a_list() -> None:
    leader = model.ListOf(type=h.PLAYERS, span=h.SPAN, items=(h.read("leader"),))
    viewers = model.Viewers(who="some", expression=leader)
    one = played(game(fields=[h.field("shared", h.HAND, viewers=viewers)]))
    one.set("leader", one.ben)
    one.lay("shared", one.card(0))

    assert hidden(one, h.read("shared"), "ann")
    assert not hidden(one, h.read("shared"), "ben")


def test_viewers_may_depend_on_the_holder() -> None:
    others = model.Without(
        type=h.PLAYERS, span=h.SPAN, source=h.SEATS, other=h.listed(h.local("this", h.PLAYER))
    )
    viewers = model.Viewers(who="some", expression=others)
    one = played(game(fields=[h.field("Player.hand", h.HAND, viewers=viewers)]))
    hand = h.read("Player.hand", h.local("p", h.PLAYER))

    assert hidden(one, hand, "ann", p=one.ann)
    assert not hidden(one, hand, "ann", p=one.ben)


def test_a_list_of_viewers_may_read_what_is_hidden() -> None:
    rich = h.where(
        h.SEATS, compare(">", h.read("Player.purse", h.local("it", h.PLAYER)), number(5))
    )
    viewers = model.Viewers(who="some", expression=rich)
    one = played(game(fields=[h.field("shared", h.HAND, viewers=viewers)]))
    one.set("Player.purse", 9, one.ann)

    assert not hidden(one, h.read("shared"), "ann")
    assert hidden(one, h.read("shared"), "ben")


def test_where_a_hidden_thing_lies_is_hidden() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)
    lies_at = model.LiesAt(type=types.UNKNOWN, span=h.SPAN, thing=h.local("c", h.CARD))
    owner = model.OwnerOf(type=h.PLAYER, span=h.SPAN, thing=h.local("c", h.CARD))

    for written in (lies_at, owner):
        assert not hidden(one, written, "ann", c=one.card(0))
        assert hidden(one, written, "ben", c=one.card(0))
        assert not hidden(one, written, "ben", c=one.card(1))


def test_a_place_that_was_handed_on_is_guarded() -> None:
    one = played()
    place = model.LocalPlace(type=h.HAND, span=h.SPAN, name="z")
    zone = h.contents(place)

    for z, me in ((one.place("Player.hand", one.ann), "ben"), (one.place("sealed"), "ann")):
        assert hidden(one, zone, me, z=z)
        assert hidden(one, h.builtin("top", zone, type=h.CARD), me, z=z)
    assert not hidden(one, zone, "ann", z=one.place("Player.hand", one.ann))
    assert not hidden(one, h.builtin("count", zone), "ben", z=one.place("Player.hand", one.ann))
    assert hidden(one, h.builtin("count", zone), "ben", z=one.place("sealed"))


def test_hidden_things_may_be_offered() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)
    one.lay("sealed", one.card(1))
    hand = h.read("Player.hand", h.local("p", h.PLAYER))
    place = h.contents(model.LocalPlace(type=h.HAND, span=h.SPAN, name="z"))
    both = h.arithmetic("+", hand, h.read("sealed"), h.CARDS)
    one.store.viewer, one.store.trail = one.ben, []
    locals = {"p": one.ann, "z": one.place("Player.hand", one.ann)}

    for written, cards in (
        (hand, (one.card(0),)),
        (both, (one.card(0), one.card(1))),
        (place, (one.card(0),)),
    ):
        code = one.evaluator.compile(written, blind=True)
        assert code(one.store, one.ben, locals) == cards
    filtered = one.evaluator.compile(h.where(hand, h.flag(True)), blind=True)
    with pytest.raises(Horizon):
        filtered(one.store, one.ben, locals)


def test_in_the_real_run_a_look_at_hidden_things_ends_the_transaction() -> None:
    one = played()
    one.lay("deck", one.card(0))
    one.store.viewer, one.store.transaction = one.ann, (0, 1, -1)

    assert one.value(h.builtin("top", h.read("deck"), type=h.CARD)) is one.card(0)
    assert one.store.viewer is None
    assert one.store.transaction is None


def test_questions_who_sees_what() -> None:
    one = played()
    one.lay("Player.hand", one.card(0), holder=one.ann)
    sees, hand = one.evaluator.sees, one.place("Player.hand", one.ann)

    assert sees(one.store, hand, one.ann)
    assert not sees(one.store, hand, one.ben)
    assert one.evaluator.sees_count(one.store, hand, one.ben)
    assert not one.evaluator.sees_count(one.store, one.place("sealed"), one.ben)
    assert sees(one.store, one.place("discards"), one.ben)
    assert one.evaluator.sees_thing(one.store, one.card(0), one.ann)
    assert not one.evaluator.sees_thing(one.store, one.card(0), one.ben)
    assert one.evaluator.sees_thing(one.store, one.card(1), one.ben)


# ---------------------------------------------------------------------------------- undecided piles


def undecided(one: Played, expression: model.Expression, **locals: object) -> int:
    """Return how many cards chance has to decide before an expression has a value."""
    try:
        one.value(expression, **locals)
    except Undecided as found:
        slot = one.place("deck").slot
        assert (found.slot, found.index) == (slot, 0)
        return found.how_many
    return 0


DECK = h.read("deck")
HANDED = h.contents(model.LocalPlace(type=h.PILE, span=h.SPAN, name="z"))


@pytest.mark.parametrize("pile", [DECK, HANDED])
def test_looking_into_a_shuffled_pile_lets_chance_decide(pile: model.Expression) -> None:
    one = played()
    one.lay("deck", *(one.card(i) for i in range(5)))
    one.shuffle("deck")
    one.lay("deck", one.card(9))
    z = one.place("deck")

    # The one on top is known already.
    assert undecided(one, h.builtin("top", pile, type=h.CARD), z=z) == 0
    assert undecided(one, h.builtin("last", pile, type=h.CARD), z=z) == 0
    assert undecided(one, h.builtin("top", number(3), pile, type=h.CARDS), z=z) == 2
    assert undecided(one, h.builtin("last", number(9), pile, type=h.CARDS), z=z) == 5
    assert undecided(one, h.builtin("first", pile, type=h.CARD), z=z) == 5
    assert undecided(one, h.builtin("reversed", pile, type=h.CARDS), z=z) == 5
    assert undecided(one, h.where(pile, h.flag(True)), z=z) == 5
    assert undecided(one, pile, z=z) == 5


@pytest.mark.parametrize("pile", [DECK, HANDED])
def test_what_lies_in_a_shuffled_pile_is_no_question_of_order(pile: model.Expression) -> None:
    one = played()
    one.lay("deck", *(one.card(i) for i in range(6)))
    one.shuffle("deck")
    z = one.place("deck")
    threes = h.where(pile, compare("is", h.its("Card.rank"), number(3)))
    some = model.Quantified(
        type=FLAG, span=h.SPAN, word="some", name="it", source=pile, condition=h.its("Card.wild")
    )
    member = compare("in", h.local("c", h.CARD), pile)

    assert one.value(h.builtin("count", pile), z=z) == 6
    assert one.value(h.builtin("count", threes), z=z) == 2
    assert one.value(h.builtin("sum", h.each(pile, h.its("Card.rank"))), z=z) == 12
    assert one.value(some, z=z) is True
    assert one.value(member, z=z, c=one.card(5)) is True
    assert (
        one.value(model.IsEmpty(type=FLAG, span=h.SPAN, source=threes, negated=False), z=z) is False
    )
    assert one.value(h.builtin("same_items", pile, h.ALL_CARDS, type=FLAG), z=z) is False


def test_a_decided_pile_is_read_at_once() -> None:
    one = played()
    one.lay("deck", one.card(0), one.card(1))
    one.shuffle("deck")
    slot = one.place("deck").slot
    one.store.decide(slot, 0, one.card(0))

    assert one.value(h.builtin("top", DECK, type=h.CARD)) is one.card(0)
    assert undecided(one, h.builtin("first", DECK, type=h.CARD)) == 1


def test_the_top_of_a_pile_without_cards_is_none() -> None:
    assert played().value(h.builtin("top", DECK, type=h.CARD)) is None
