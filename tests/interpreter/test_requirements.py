"""`requires c else "why"`: which numbers of players and options go together."""

import textwrap

import pytest
import written

from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.play.loading import OptionError
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.testing.verify import verify

TEAMS = """
option teams: flag = no "Do you play in teams?"
requires not teams or count(players) is 4 else "teams are for four players"
each Player has
  points: number = 0, seen by players
to play
  as players
    may "Score"
      add 1 to my.points
"""


def test_what_is_required_is_said_when_it_is_not_met() -> None:
    game = written.linked(TEAMS)

    with pytest.raises(OptionError, match=r"^Test: teams are for four players$"):
        game_of(game, 2, {"teams": True})

    assert game_of(game, 4, {"teams": True}).num_players == 4
    assert game_of(game, 2).num_players == 2


def test_the_message_knows_its_place() -> None:
    game = written.linked(TEAMS)

    with pytest.raises(PlayError) as caught:
        load_program(game, 3, {"teams": True})

    assert (caught.value.code, caught.value.span.text.split()[0]) == ("RW509", "requires")


def test_numbers_of_players_that_do_not_go_are_not_tried() -> None:
    rules = TEAMS.replace("not teams or count(players) is 4", "count(players) >= 3")

    assert verify(written.linked(rules), playouts=1) == ()


def test_a_game_that_nobody_can_play_is_an_error() -> None:
    rules = TEAMS.replace("not teams or count(players) is 4", "count(players) > 9")

    found = verify(written.linked(rules))

    assert [item.code.code for item in found] == ["RW510"]
    assert found[0].primary.text == 'here: "teams are for four players"'


def test_examples_that_a_variant_rules_out_are_passed_over() -> None:
    example = """
    example "Two score"
      players ann, ben
      do ann: play, "Score"
      expect ann.points is 7
    """
    crowd = 'requires count(players) >= 3 else "a crowd has three heads"'

    wrong = verify(written.linked(TEAMS, example))
    passed_over = verify(written.linked(TEAMS, example, variants={"Crowd": crowd}))
    own = verify(written.linked(TEAMS, variants={"Crowd": crowd + textwrap.dedent(example)}))

    assert [item.code.code for item in wrong] == ["RW412"]
    assert passed_over == ()
    assert [item.code.code for item in own] == ["RW413"]


def test_a_variant_may_require_something() -> None:
    variant = {"Crowd": 'requires count(players) >= 3 else "a crowd has three heads"'}
    game = written.linked(TEAMS, variants=variant)

    assert verify(game) == ()
    with pytest.raises(OptionError, match="a crowd has three heads"):
        game_of(game, 2)
    assert game_of(game, 3).num_players == 3
