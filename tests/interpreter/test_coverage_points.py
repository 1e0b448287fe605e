"""Which points of the rules are counted."""

import pytest
from written import loaded

from rulewright.interpreter.testing.coverage_points import points_of

pytestmark = pytest.mark.quick

RULES = """
each Player has, seen by players
  rival: flag per Player = no
  bold:  flag = no
to play
  as players
    if my.rival[players[0]]
      set my.bold to yes
    else if my.bold
      nothing
    else
      add_nothing
to add_nothing
  nothing
"""


def test_every_branch_is_counted_also_one_whose_condition_may_lack_a_value() -> None:
    points = points_of(loaded(RULES, players=2))

    branches = [one for one in points if one.point.kind == "branch"]
    assert [one.point.text for one in branches] == [
        "if my.rival[players[0]]",
        "if my.bold",
        "else, after if my.bold",
    ]
    assert all(one.steps for one in branches)
