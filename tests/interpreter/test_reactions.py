"""Offers: what a player may do besides what is asked, at the beginning of a decision and at a pause."""

import pytest
from small_games import LOG
from written import Table, linked, loaded, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.actions import living_offers
from rulewright.interpreter.engine.executor import advance
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.program import decisions
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Value

SHOP = """
each Player has, seen by players
  coins: number = 3
  songs: number = 0
to play
  as players
    shop
to shop
  choose n from 1..2
  add n to log
  choose m from 3..4
  add m to log
during shop
  may "Sing" when my.songs < 1 and my.coins > 0
    add 1 to my.songs
    add 7 to log
"""


def beside(table: Table) -> list[str]:
    """Return the labels of the offers that can be taken."""
    return table.labels(list(living_offers(table.program, table.store)))


def take(table: Table, label: str) -> None:
    """Take an offer."""
    found = list(decisions.offers(table.program, table.store))
    values: dict[str, Value] = dict(zip(table.labels(found), found, strict=True))
    executor.answer(table.program, table.store, values[label])


def state(*rules: str, players: int = 2) -> State:
    """Return the first state of a game."""
    return game_of(linked(*rules), players=players, names=["ann", "ben"]).new_initial_state(1)


def test_an_offer_stands_beside_the_first_decision_of_a_transaction() -> None:
    table = played(LOG, SHOP)
    assert (table.menu, beside(table)) == (["1", "2"], ["Sing"])

    table.say("1")
    assert (table.menu, beside(table)) == (["3", "4"], [])
    table.say("3")
    assert (table.asked, beside(table)) == ("ben: shop.n", ["Sing"])


def test_a_taken_offer_is_carried_out_and_the_question_asked_anew() -> None:
    table = played(LOG, SHOP)

    take(table, "Sing")
    assert table.asked == "ann: shop.n"
    assert table.at("log") == [7]
    assert beside(table) == []
    table.say("1", "3")
    take(table, "Sing")
    assert table.at("log") == [7, 1, 3, 7]


def test_an_offer_is_open_only_while_what_the_during_names_is_running() -> None:
    rules = """
    to play
      as players
        choose k from 1..2
        add k to log
      as players
        shop
    """
    table = played(LOG, SHOP.replace("to play\n  as players\n    shop\n", ""), rules)

    assert (table.asked, beside(table)) == ("ann: play.k", [])
    table.say("1", "1")
    assert (table.asked, beside(table)) == ("ann: shop.n", ["Sing"])


def test_each_pass_of_a_repeat_opens_offers_anew() -> None:
    rules = """
    to play
      as first(players)
        shop
    to shop
      repeat 2 times
        choose n from 1..2
        choose m from 1..2
    during shop
      may "Sing" when count(log) < 3
        add 7 to log
    """
    table = played(LOG, rules)

    seen = []
    for _ in range(4):
        seen.append(beside(table))
        table.say("1")
    assert seen == [["Sing"], [], ["Sing"], []]


PRICES = """
each Player has, seen by players
  coins: number = 3
to play
  as players
    choose n from 1..3
    need n <= my.coins else "too dear"
    add -n to my.coins
    add n to log
"""


@pytest.mark.parametrize(
    ("offer", "lives"),
    [
        ('may "A" when my.coins > 1\n    add -2 to my.coins', True),
        ('may "B" when my.coins > 2\n    add -3 to my.coins', False),
        ('may "C" when my.coins > 9\n    add -1 to my.coins', False),
        (
            'may "D" when my.coins > 0\n    need my.coins > 9 else "no"\n    add -1 to my.coins',
            False,
        ),
        ('may "E" when my.coins > 2\n    choose k from 2..3\n    add -k to my.coins', True),
    ],
)
def test_an_offer_is_open_if_it_can_be_done_and_the_question_answered_then(
    offer: str, lives: bool
) -> None:
    table = played(LOG, PRICES, f"during play\n  {offer}\n")

    assert len(beside(table)) == lives
    found = list(decisions.offers(table.program, table.store))
    if found and not lives:
        with pytest.raises(IllegalActionError):
            executor.answer(table.program, table.store, found[0])
        assert lookahead.explain_dead(table.program, table.store, found[0])


def test_what_is_decided_in_an_offer_leaves_a_way_to_answer() -> None:
    offer = 'may "E" when my.coins > 2\n    choose k from 2..3\n    add -k to my.coins'
    table = played(LOG, PRICES, f"during play\n  {offer}\n")

    take(table, "E")
    assert (table.asked, table.menu) == ("ann: offer:e.k", ["2"])
    table.say("2")
    assert (table.asked, table.menu) == ("ann: play.n", ["1"])


def test_look_ahead_ignores_offers() -> None:
    rules = """
    each Player has, seen by players
      coins: number = 0
    to play
      as players
        choose n from 1..2
        either "Buy" when my.coins > 0
          add 1 to log
        or "Leave" when n is 1
          add 2 to log
    during play
      may "Earn" when my.coins < 1
        add 1 to my.coins
    """
    table = played(LOG, rules)
    assert table.menu == ["1"]

    take(table, "Earn")
    assert table.menu == ["1", "2"]


def test_a_may_that_would_be_passed_over_waits_for_offers() -> None:
    rules = """
    each Player has, seen by players
      coins: number = 0
    to play
      as first(players)
        may "Buy"
          need my.coins > 0 else "too dear"
          add 1 to log
    during play
      may "Earn" when my.coins < 1
        add 1 to my.coins
    """
    table = played(LOG, rules)

    assert (table.menu, beside(table)) == (['no "Buy"'], ["Earn"])
    take(table, "Earn")
    assert (table.menu, beside(table)) == (["Buy", 'no "Buy"'], [])


def test_while_an_offer_is_carried_out_no_other_is_open() -> None:
    rules = """
    to play
      as first(players)
        choose n from 1..2
    during play
      may "Long" when count(log) < 1
        add 1 to log
        choose k from 1..2
      may "Short" when count(log) < 2
        add 2 to log
    """
    table = played(LOG, rules)

    take(table, "Long")
    assert (table.asked, beside(table)) == ("ann: offer:long.k", [])
    table.say("1")
    assert (table.asked, beside(table)) == ("ann: play.n", ["Short"])


PAUSE = """
each Player has, seen by players
  coins: number = 1
to play
  as last(players)
    speak
  add 9 to log
to speak
  pause
  add 8 to log
during speak
  may "Object {my.coins}" when my.coins > 0
    add -1 to my.coins
    add 1 to log
"""


def test_a_pause_asks_all_in_seat_order_from_the_acting_player() -> None:
    table = played(LOG, PAUSE, players=3)

    asked = []
    while not table.over:
        asked.append(table.asked)
        assert table.menu == ["Pass"]
        table.say("Pass")
    assert asked == ["cat: speak.either", "ann: speak.either", "ben: speak.either"]
    assert table.at("log") == [8, 9]


def test_a_taken_offer_asks_all_again_and_who_has_none_is_not_asked() -> None:
    table = played(LOG, PAUSE, players=3)

    table.say("Pass")
    assert beside(table) == ["Object 1"]
    take(table, "Object 1")
    assert table.asked == "cat: speak.either"
    take(table, "Object 1")
    assert table.asked == "ben: speak.either"
    table.say("Pass")
    assert table.over
    assert table.at("log") == [1, 1, 8, 9]


def test_a_pause_without_offers_asks_nobody() -> None:
    rules = PAUSE.replace("coins: number = 1", "coins: number = 0")

    assert played(LOG, rules, players=3).at("log") == [8, 9]


def test_a_pause_where_nobody_acts_begins_with_the_first_player() -> None:
    rules = PAUSE.replace("as last(players)\n    speak", "speak")

    assert played(LOG, rules, players=3).asked == "ann: speak.either"


def test_offers_may_react_to_offers() -> None:
    rules = """
    the game has, seen by players
      denied: flag = no
    each Player has, seen by players
      coins: number = 1
    to play
      speak
    to speak
      pause
    during speak
      may "Say" when my.coins > 0 and count(log) is 0
        add -1 to my.coins
        add 1 to log
        answer
    to answer
      pause
      if not denied
        add 5 to log
    during answer
      may "Deny" when my.coins > 0 and not denied
        add -1 to my.coins
        set denied to yes
    """
    table = played(LOG, rules)

    take(table, "Say")
    assert (table.asked, beside(table)) == ("ben: answer.either", ["Deny"])
    take(table, "Deny")
    assert table.over
    assert table.at("log") == [1]


def test_a_stop_in_an_offer_leaves_what_was_asked() -> None:
    rules = """
    to play
      as players
        shop
        add 2 to log
    to shop
      choose n from 1..2
      add 1 to log
    during shop
      may "Leave"
        stop shop
    """
    table = played(LOG, rules)

    take(table, "Leave")
    assert table.at("log") == [2]
    table.say("1")
    assert table.at("log") == [2, 1, 2]


def test_conditions_are_looked_at_when_an_offer_has_ended() -> None:
    rules = """
    each Player has, seen by players
      coins: number = 0
    to play
      as first(players)
        choose n from 1..2
    during play
      may "Earn" when my.coins < 1
        add 1 to my.coins
        add 1 to log
    as soon as my.coins > 0
      add 2 to log
    """
    table = played(LOG, rules)

    take(table, "Earn")
    assert table.at("log") == [1, 2]


def test_other_players_and_chance_come_up_in_an_offer() -> None:
    rules = """
    to play
      as first(players)
        choose n from 1..2
    during play
      may "Ask" when count(log) < 1
        add roll(1, 1) to log
        as last(players)
          choose k from 5..6
          add k to log
        choose j from 7..8
        add j to log
    """
    table = played(LOG, rules)

    take(table, "Ask")
    assert table.asked == "ben: offer:ask.k"
    table.say("5")
    assert table.asked == "ann: offer:ask.j"
    table.say("7")
    assert (table.asked, table.at("log")) == ("ann: play.n", [1, 5, 7])


def test_actions_end_with_the_offers() -> None:
    one = state(LOG, SHOP)
    assert [(action.label, action.kind) for action in one.legal_actions()] == [
        ("1", "number"),
        ("2", "number"),
        ("Sing", "offer"),
    ]
    assert [action.label for action in one.offers()] == ["Sing"]

    one.apply_action("Sing")
    assert one.history()[-1].label == "Sing"
    assert one.history()[-1].site == "shop.n"
    assert one.can_undo()
    one.undo()
    one.apply_action(2)
    assert [action.kind for action in one.legal_actions()] == ["number", "number"]


def test_a_big_range_of_numbers_has_offers_beside_it() -> None:
    rules = SHOP.replace("choose n from 1..2", "choose n from 1..1000000")
    one = state(LOG, rules)

    one.apply_action("si")
    one.apply_action("999999")
    table = played(LOG, rules)
    random = Generator(3)
    drawn = (lookahead.pick_random(table.program, table.store, random) for _ in range(9000))
    assert any("offer" in repr(one) for one in drawn)


def test_an_offer_is_saved_and_goes_on_in_the_middle() -> None:
    rules = SHOP.replace(
        "    add 1 to my.songs\n", "    choose k from 5..6\n    add k to my.songs\n"
    )
    one = state(LOG, rules)
    one.apply_action("Sing")

    for other in (record.load(record.save(one), one.game), one.game.unpack(one.pack(log=True))):
        assert [action.label for action in other.legal_actions()] == ["5", "6"]
        other.apply_action("5")
        assert [action.label for action in other.legal_actions()] == ["1", "2"]
        assert [answer.label for answer in other.history()] == ["Sing", "5"]
        again = record.load(record.save(other), one.game)
        assert again.history() == other.history()


def test_who_is_not_asked_sees_nothing_of_an_offer() -> None:
    one = state(LOG, SHOP)

    assert one.legal_actions(1) == ()
    assert "Sing" not in str(one.observation(1))
    before = one.information_state(1)
    assert before == one.information_state(1)


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("Sing", None),
        ("Shout", "the condition does not hold"),
        ("Jump", "too low"),
        ("Mumble", "only during hum"),
    ],
)
def test_why_explains_offers(label: str, reason: str | None) -> None:
    rules = """
    during shop
      may "Shout" when my.coins > 5
        add -1 to my.coins
      may "Jump" when my.coins > 2
        need my.coins > 4 else "too low"
        add -1 to my.coins
    to hum
      choose n from 1..2
    during hum
      may "Mumble" when my.coins > 1
        add -1 to my.coins
    after shop
      hum
    """
    found = state(LOG, SHOP, rules).why(label)

    assert found.possible == (reason is None)
    assert reason is None or [one.text for one in found.reasons] == [reason]


def test_why_says_when_offers_are_open() -> None:
    one = state(LOG, SHOP)
    one.apply_action("1")

    (reason,) = one.why("Sing").reasons
    assert "only before you have decided anything" in reason.text


def test_what_could_not_be_joined_is_closed_while_several_act_at_once() -> None:
    rules = """
    after shop
      secretly
    to secretly
      as players together
        let sung = count(log)
        choose m from 5..6
    """
    one = state(LOG, SHOP, rules)
    assert "Sing" in [action.label for action in one.legal_actions()]
    while len(one.current_players()) < 2:
        one.apply_action(one.legal_actions()[0])

    assert [action.label for action in one.legal_actions(0)] == ["5", "6"]
    (reason,) = one.why("Sing", player=0).reasons
    assert reason.text == "closed while several act at once: `log` is read while others change it"


def test_random_players_take_offers_like_any_option() -> None:
    program = loaded(LOG, SHOP)
    store = executor.begin(program, 1)
    advance(program, store)
    random = Generator(5)

    drawn = [lookahead.pick_random(program, store, random) for _ in range(300)]
    assert {repr(value) for value in drawn} == {"1", "2", "Taken(offer='offer:sing')"}
    assert 70 < sum(value == 1 for value in drawn) < 130
