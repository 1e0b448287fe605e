"""What a person would say of things that have the same name."""

import pytest
from duel import labels, started

from rulewright.interpreter.play.api import State

DECLARED = """
each Cell has
  name: text
  man:  slot of Man, seen by players
table Cell for each name in ["A1", "B2", "C3"]
each Man has
  side: Player
  worth: number
table Man for each side in players, worth in [2]
each Stone has
  name:   text
  weight: number
table Stone
  | copies | name | weight |
  | 2      | Gem  | 3      |
  | 1      | Gem  | 5      |
each Plan has
  cost: points
  hint: points
table Plan
  | copies | cost          | hint |
  | 1      | `count(row)`  | 1    |
  | 1      | `my.debt`     | 1    |
each Player has
  hand:  cards of Stone, seen by owner
  debt:  number = 7, seen by owner
the game has, seen by players
  row:   row of Man
  plans: row of Plan = Plan
  bag:   cards of Stone = Stone, seen by []
to play
  create Man(side: players[0], worth: 2) into Cell("A1").man
  create Man(side: players[0], worth: 2) into Cell("C3").man
  create Man(side: players[0], worth: 3) into row
  move bag to players[0].hand
  as players[0]
    {steps}
ranking
  most my.debt
"""


def asked(steps: str) -> State:
    return started(DECLARED.replace("{steps}", steps))


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (
            "choose man from Man where its.lies_at is not none",
            ["Man (side ann, worth 2, A1)", "Man (side ann, worth 2, C3)"],
        ),
        (
            "choose stone from my.hand",
            ["Gem (weight 3)", "Gem (weight 5)"],
        ),
    ],
)
def test_things_of_one_name_say_where_they_lie_or_what_they_have(
    steps: str, told: list[str]
) -> None:
    assert labels(asked(steps)) == told


def test_no_formula_is_a_name() -> None:
    # Nobody has the plans, so nobody knows what the second one costs.
    assert labels(asked("choose plan from plans")) == [
        "Plan (hint 1, cost 1)",
        "Plan (hint 1)",
    ]
