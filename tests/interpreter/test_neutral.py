"""Players without a seat: they own, act and are acted upon; chance decides for them."""

from collections import Counter

import pytest
from written import Table, linked, played

from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.play.loading import PlayersError, from_model
from rulewright.interpreter.state.errors import PlayError

EMPIRE = """
neutral empire "The Empire"
neutral rebels "The Rebels"
each Card has
  rank: number
table Card for each rank in 1..5
each Player has, seen by players
  hand:   cards of Card
  secret: cards of Card, seen by owner
  gold:   number = 0
  debt:   number per Player = 0
the game has, seen by players
  deck: pile of Card = Card
  word: text = ""
  n:    number = 0
"""


def table(rules: str, **more: object) -> Table:
    """Play a game with two players without a seat."""
    return played(EMPIRE, rules, **more)  # type: ignore[arg-type]


def state(rules: str, *, explicit: bool = False, seed: int = 1) -> State:
    """Begin a game with two players without a seat, as a program does."""
    game = game_of(linked(EMPIRE, rules), names=("ann", "ben"))
    return game.new_initial_state(seed, explicit_chance=explicit)


def outcomes(asked: State) -> list[str]:
    """Return what chance may bring, in words."""
    return [outcome.label for outcome in asked.chance_outcomes()]


ASKED = """
to play
  move Card where its.rank <= 3 to empire.hand
  as empire
    {step}
  as players[0]
    choose n from 1..2
"""


def test_it_is_a_player_but_has_no_seat() -> None:
    rules = """
    to play
      move first(Card) to empire.secret
      as Player
        add 1 to my.debt[empire]
      as players
        add 1 to my.gold
      add count(Player) to empire.gold
      as players[0]
        choose p from Player where it not in players
        set n to first(Card).rank
    """

    found = table(rules)

    assert found.menu == ["The Empire", "The Rebels"]
    store, layout = found.store, found.program.layout
    ann, ben, empire, rebels = layout.things["Player"]
    assert layout.players == (ann, ben)
    assert layout.neutrals == (empire, rebels)
    assert [store.columns[layout.slots["Player.gold"]][one.number] for one in (ann, empire)] == [
        1,
        4,
    ]
    card = layout.things["Card"][0]
    assert store.columns[layout.owner_slots["Card"]][card.number] is empire


def test_it_is_neither_ranked_nor_wins() -> None:
    rules = """
    to play
      add 9 to empire.gold
      as players[1]
        add 1 to my.gold
    tally score: points
      gold: my.gold * points_each
    define points_each: points = 1
    ranking
      most my.score
    """

    ended = state(rules)

    assert ended.is_terminal()
    assert ended.ranking() == (2, 1)
    assert ended.winners() == (1,)
    assert ended.returns() == (-1.0, 1.0)
    assert {line.values for line in ended.score_sheet()} == {(0, 1)}


def test_nobody_at_the_table_has_its_name() -> None:
    with pytest.raises(PlayersError, match="The Empire has no seat"):
        from_model(linked(EMPIRE, "to play\n  nothing\n"), names=("ann", "The Empire"))


@pytest.mark.parametrize(
    ("step", "offered"),
    [
        ("choose card from my.hand", ["Card (rank 1)", "Card (rank 2)", "Card (rank 3)"]),
        ("choose x from 2..4 such that x is not 3", ["2", "4"]),
        ('either "Up"\n      nothing\n    or "Down"\n      nothing', ["Up", "Down"]),
        ('either "Up"\n      need my.gold > 0 else "x"\n    or "Down"\n      nothing', ["Down"]),
        ("choose up to 2 cards from my.hand", ["0", "1", "2"]),
        ("choose 2 cards from my.hand", ["2"]),
        ("choose any cards from my.hand such that sum(cards each its.rank) is 3", ["1", "2"]),
        ("choose ordered cards from my.hand", ["3"]),
    ],
)
def test_a_driver_says_what_comes(step: str, offered: list[str]) -> None:
    asked = state(ASKED.replace("{step}", step), explicit=True)

    if len(offered) == 1:
        # Where there is only one outcome nothing is asked.
        assert outcomes(asked) != offered
    else:
        assert asked.is_chance_node()
        assert asked.current_players() == ()
        assert outcomes(asked) == offered


def test_several_things_are_drawn_one_by_one() -> None:
    step = "choose any cards from my.hand such that sum(cards each its.rank) is 3"
    asked = state(ASKED.replace("{step}", step + "\n    move cards to my.secret"), explicit=True)

    asked.apply_chance("2")
    assert outcomes(asked) == ["Card (rank 1)", "Card (rank 2)"]
    asked = record.load(record.save(asked), asked.game)
    asked = asked.game.unpack(asked.pack())
    asked.apply_chance("Card (rank 2)")

    assert not asked.is_chance_node()
    assert asked.current_players() == (0,)
    assert asked.observation(0)["players"]["The Empire"]["secret"] == {"count": 2}


def test_only_what_can_be_carried_out_is_drawn() -> None:
    step = """choose card from my.hand
    choose x from 1..3 such that x > card.rank
    set n to card.rank"""

    asked = state(ASKED.replace("{step}", step), explicit=True)

    assert outcomes(asked) == ["Card (rank 1)", "Card (rank 2)"]


def test_a_may_is_declined_unless_nothing_else_is_left() -> None:
    step = """may "Take"
      add 1 to my.gold
    may "Pay"
      add 2 to my.gold
    need my.gold is 2 else "pay" """

    found = table(ASKED.replace("{step}", step))

    assert found.asked == "ann: play.n"
    layout = found.program.layout
    assert found.store.columns[layout.slots["Player.gold"]][2] == 2


def test_where_nothing_is_possible_the_rules_are_stuck_or_stop() -> None:
    with pytest.raises(PlayError) as caught:
        table(ASKED.replace("{step}", "choose card from my.secret"))
    assert caught.value.code == "RW701"

    found = table(ASKED.replace("{step}", "take_it") + TAKE)
    assert found.asked == "ann: play.n"


TAKE = """
to take_it
  choose card from my.secret or stop
  set n to 7
"""


def test_its_decision_is_a_horizon_for_others() -> None:
    rules = """
    to play
      as players[0]
        choose x from 1..3
        as empire
          choose y from 1..3
        need x is 2 else "not looked at"
    """

    assert table(rules).menu == ["1", "2", "3"]


def test_an_amendment_decides_for_it() -> None:
    rules = """
    to play
      as empire
        pick
      as players[0]
        choose x from 1..2
    to pick
      choose y from 1..3
      set n to y
    instead of pick when me is empire
      set n to 9
    """

    assert table(rules).at("n") == 9


def test_every_answer_is_equally_likely() -> None:
    step = "choose up to 2 cards from my.hand\n    set n to sum(cards each its.rank)"
    drawn = Counter(table(ASKED.replace("{step}", step), seed=seed).at("n") for seed in range(900))

    # None, one and two things are equally likely, then each of the things.
    assert 250 < drawn[0] < 350
    assert all(60 < drawn[total] < 140 for total in (1, 2, 4, 5))
    assert 140 < drawn[3] < 260
