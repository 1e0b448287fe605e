"""Whether the rules can go on with what was guessed of running verbs."""

import pytest
from written import played

from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.running import can_run
from rulewright.interpreter.state.random import Generator

pytestmark = pytest.mark.quick

RULES = """
each Player has
  coins: number from 0 = 2, seen by players
  note:  number = 0, seen by owner
to play
  repeat 3 times
    as players[0]
      choose given from 0..my.coins
      set my.note to given
      as players[1]
        may "Take it"
          add given to my.coins
          add -given to players[0].coins
"""


def test_a_number_that_nobody_could_choose_is_found_out() -> None:
    table = played(RULES, players=2)
    table.say("2")
    program, other = table.program, table.store.clone()
    other.frames[-1].locals["given"] = 3

    assert can_run(program, table.store, 0, Generator(1))
    assert not can_run(program, other, 0, Generator(1))


def test_what_is_tried_changes_nothing() -> None:
    table = played(RULES, players=2)
    table.say("2")
    before = table.store.clone()

    can_run(table.program, table.store, 0, Generator(1))

    assert table.store == before and table.store.random_state == before.random_state


def test_what_is_drawn_is_what_could_be_chosen_now() -> None:
    table = played(RULES, players=2)
    for answer in ("1", "Take it", "1"):
        table.say(answer)
    knowledge = Knowledge(table.program, table.store, table.program.layout.players[1])

    drawn = {knowledge.sample(Generator(seed)).frames[-1].locals["given"] for seed in range(20)}

    assert drawn == {0, 1}
