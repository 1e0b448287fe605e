"""Where the items of a list come from, and whether one may stand in it twice."""

from __future__ import annotations

import pytest
import written

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.interpreter.program.origins import origins

RULES = """
each Player has
  hand: cards of Card, seen by owner
  rival: Player = players[0], seen by players
each Card has
  rank: number
table Card for each rank in 1..6
the game has, seen by players
  deck: pile of Card = Card
  row: cards of Card
to play
  as players
    take_turn
to take_turn
  choose c from {source}
  nothing
"""

KNOWN = {
    "row": {"row"},
    "row where it.rank > 2": {"row"},
    "join(players each it.hand)": {"Player.hand"},
    "join(row each [it])": None,
    # The same zone comes once for each player.
    "join(players each row)": None,
    "join(players each it.rival.hand)": None,
    "row + join(players each it.hand)": {"row", "Player.hand"},
}


@pytest.mark.parametrize("source", KNOWN)
def test_what_may_stand_twice_comes_from_nowhere_in_particular(source: str) -> None:
    game = written.linked(RULES.replace("{source}", source))
    (step,) = [
        one for one in visitor.walk(game.verbs["take_turn"].block) if isinstance(one, model.Choose)
    ]

    assert origins(game, step.source) == KNOWN[source]
