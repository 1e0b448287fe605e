"""A `may`, an arm and `or stop` are offered only where there is a choice."""

import pytest
from small_games import play
from written import linked

from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.play.api import game_of


def test_a_may_that_cannot_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Pay"
          need my.points > 0 else "poor"
        choose a from 1..1
    """

    assert play(rules).asked == "ann: play.a"


def test_a_may_that_must_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn"
          set n to 1
        need n is 1 else "poor"
        choose a from 1..1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 1


def test_a_may_with_both_is_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn {1 + 1}"
          set n to 2
    """
    table = play(rules)

    assert table.menu == ["Earn 2", 'no "Earn 2"']
    assert table.say("Earn 2").at("n") == 2


def test_arms_that_cannot_be_carried_out_are_hidden() -> None:
    rules = """
    to play
      as players[0]
        either "Pay"
          need my.points > 0 else "poor"
        or "Wait"
        or "Guarded" when n > 0
          nothing
    """
    table = play(rules)

    assert table.menu == ["Wait"]
    assert table.all == ["Pay", "Wait"]
    assert table.why("Pay") == ["poor"]


def test_or_stop_is_taken_when_nothing_lives() -> None:
    rules = """
    to play
      as players[0]
        work
        choose a from 1..1
    to work
      choose b from 1..3 or stop
      need b > 7 else "too little"
      set n to 1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 0


def test_or_stop_is_not_taken_by_wish() -> None:
    rules = """
    to play
      as players[0]
        work
    to work
      choose b from 1..3 or stop
      need b > 2 else "too little"
    """

    assert play(rules).menu == ["3"]


def test_or_stop_counts_in_a_trial() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..2
        work a
    to work a: number
      choose b from 1..3 where it > 2 * a or stop
      need b is 3 else "three"
    after work
      need a is 2 else "two"
    """

    assert play(rules).menu == ["2"]


HIDDEN = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand: cards of Card, seen by owner
  men: cards of Card, seen by players
the game has
  deck: pile of Card = Card, seen by []
to play
  move Card where its.rank < 3 to players[1].hand
  move Card where its.rank in [3, 4] to players[0].men
  move Card where its.rank > 4 to players[0].hand
  as players[0]
    let foe = players[1]
    choose card from {source}
    move card to my.men
ranking
  most 1
"""


@pytest.mark.parametrize("generated", [False, True], ids=["walked", "generated"])
@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("[first(foe.hand)]", ["a Card"]),
        ("[first(foe.hand)] + (my.men where its.rank > 3)", ["a Card", "Card (rank 4)"]),
        ("foe.hand + [last(foe.hand)]", ["a Card"]),
        ("distinct(foe.hand) + (my.men where its.rank > 3)", ["a Card", "Card (rank 4)"]),
        ("distinct(foe.hand) + (my.hand each it)", ["a Card", "Card (rank 5)", "Card (rank 6)"]),
        ("reversed(distinct(foe.hand))", ["a Card"]),
    ],
)
def test_hidden_things_may_be_offered_whatever_hands_them_on(
    source: str, labels: list[str], generated: bool
) -> None:
    game = game_of(linked(HIDDEN.format(source=source)), 2)
    if generated:
        generate(game.program)
    state = game.new_initial_state(seed=1)

    assert sorted(one.label for one in state.legal_actions()) == sorted(labels)
    assert state.can_undo() is False
    state.apply_action(0)
    assert state.is_terminal()
