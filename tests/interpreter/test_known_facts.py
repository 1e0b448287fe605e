"""What is known to hold at the nodes of a verb, and for how long."""

import pytest
from written import loaded

from rulewright.dsl.analysis.effects import effects_of
from rulewright.dsl.ir.known_facts import KnownFacts

pytestmark = pytest.mark.quick

RULES = """
each Coin has, seen by players
  worth: number
table Coin for each worth in 1..3
the game has, seen by players
  bank: cards of Coin
  log:  list of number = []
each Player has, seen by players
  purse: cards of Coin
to play
  as players[0]
    act 2
to act n: number
  need bank is not empty else "nothing there"
  for each p in players
    add n to log
  need my.purse is not empty else "no coins"
  as players
    show my.purse to players
  add n to log
  either "Give" when bank is empty or my.purse is not empty
    nothing
  or "Give all" when my.purse is not empty
    move my.purse to bank
  add n to log
"""


def test_facts_hold_on_every_way_until_they_are_spoiled() -> None:
    game = loaded(RULES, players=2).game
    plan = loaded(RULES, players=2).plans["act"]
    texts = [node.span.text for node in plan.nodes]
    first, second, third = [at for at, text in enumerate(texts) if text == "add n to log"]
    shown, given = texts.index("show my.purse to players"), texts.index("move my.purse to bank")

    known = KnownFacts(game, effects_of(game)).at_nodes(plan, plan.followers())

    told = [sorted(one.span.text for one in facts) for facts in known]
    assert (told[0], told[first]) == ([], ["bank"])
    # What is known of the purse of one player is not known of that of another.
    assert told[shown] == ["bank"]
    assert told[second] == told[given] == ["bank", "my.purse"]
    assert told[third] == ["bank"]
