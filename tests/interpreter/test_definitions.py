"""Which nodes of a verb may have written what a local holds."""

import pytest
from written import loaded

from rulewright.dsl.ir.definitions import PARAMETER, UNSET, reaching_definitions

pytestmark = pytest.mark.quick

RULES = """
the game has
  pot: number = 0, seen by players
to play
  as players[0]
    count_up 1
to count_up n: number
  let first = n
  for each m in [1, 2]
    add m to pot
    let n = m
  may "Once more"
    let first = 5
  add first + n to pot
  choose m from 1..3
  add m to pot
"""


def test_each_node_knows_who_may_have_written_what_it_reads() -> None:
    plan = loaded(RULES, players=2).plans["count_up"]
    kinds = [node.kind for node in plan.nodes]
    lets = [at for at, kind in enumerate(kinds) if kind == "let"]
    loop = kinds.index("loop")
    _, choice = [at for at, kind in enumerate(kinds) if kind == "decide"]
    within, after, behind = [at for at, kind in enumerate(kinds) if kind == "effect"]

    found = reaching_definitions(plan, ["n"])

    assert (found[0]["n"], found[0]["m"]) == ({PARAMETER}, {UNSET})
    assert (found[within]["m"], found[within]["n"]) == ({loop}, {PARAMETER, lets[1]})
    assert (found[after]["n"], found[after]["first"]) == ({PARAMETER, lets[1]}, {lets[0], lets[2]})
    assert found[behind]["m"] == {choice}


PICKS = """
to play
  as players[0]
    pick
to pick
  choose 2 picked from players
  choose 1..2 picked from players
"""


def test_what_is_picked_so_far_is_written_where_the_verb_stands() -> None:
    plan = loaded(PICKS, players=3).plans["pick"]
    first, second = [at for at, node in enumerate(plan.nodes) if node.kind == "decide"]

    found = reaching_definitions(plan, [])

    assert found[first]["@picked"] == {UNSET, first}
    # Also where an earlier choice, which all have heard, had the same name.
    assert found[second]["@picked"] == {first, second}
