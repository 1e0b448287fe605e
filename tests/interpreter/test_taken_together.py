"""Several players who act at once take things from a zone that they share."""

import pytest
from at_once import begun, value

from rulewright.interpreter.state.errors import PlayError

MEADOW = """
    each Sheep has
      side: Player
      number: number
    table Sheep for each side in players, number in 1..3
    the game has, seen by players
      meadow: cards of Sheep = Sheep
      path: row of Sheep
    each Player has, seen by players
      pen: cards of Sheep
    to play
      as players together
        choose number from 1..3
        move first(number, meadow where its.side is me) to my.pen
        move (my.pen where its.number is 2) to path
      as players[0]
        choose last from 1..2
"""


def test_each_takes_things_of_his_own() -> None:
    state = begun(MEADOW)

    state.apply_actions({0: "1", 1: "3", 2: "2"})

    meadow, path = value(state, "meadow"), value(state, "path")
    assert isinstance(meadow, tuple)
    assert isinstance(path, tuple)
    assert len(meadow) == 3
    assert len(path) == 2
    assert not set(meadow) & set(path)


def test_what_two_have_taken_cannot_be_joined() -> None:
    # Whose a sheep is that a field names, nobody can tell from the rules.
    wishing = MEADOW.replace(
        "pen: cards of Sheep", "pen: cards of Sheep\n      wish: Sheep = Sheep[0]"
    )
    taking = wishing.replace("first(number, meadow where its.side is me)", "my.wish")
    state = begun(taking.replace("(my.pen where its.number is 2)", "first(0, my.pen)"))
    state.apply_actions({0: "1", 1: "2"})

    with pytest.raises(PlayError) as caught:
        state.apply_action("3", 2)

    assert caught.value.code == "RW716"
