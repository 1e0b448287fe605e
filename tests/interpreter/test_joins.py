"""What a player has noticed of what others did at once with him."""

import pytest
from written import Table, played

from rulewright.interpreter.knowledge.information_state import noticed
from rulewright.interpreter.knowledge.joins import Joined, Others, joins_of
from rulewright.interpreter.program.branches import turn_to

pytestmark = pytest.mark.quick

RULES = """
each Player has
  secret: number = 0, seen by owner
  open: number = 0, seen by players
to play
  as players together
    choose n from 1..3
    add n to my.open
    choose m from 1..2
    set my.secret to m
  as players
    choose k from 1..2
"""


def others(table: Table) -> Others:
    """Return what the first player knows of a block in which the other said 2, then 1."""
    program, events = table.program, list(table.store.events())
    player = program.layout.players[0]
    told = noticed(program, table.store, player, events)
    return Others(program, player, told, joins_of(events, player))


def finished() -> Table:
    """Return a table at which the block is over."""
    table = played(RULES)
    for answer in ("3", "2", "2", "1"):
        table.say(answer)
    return table


def going_on(*answers: str) -> Table:
    """Return a table at which the second player has given some answers in the block, the first none."""
    table = played(RULES)
    for answer in answers:
        turn_to(table.store, table.program.layout.players[1])
        table.program.decision_cache = None
        table.say(answer)
    return table


def test_what_a_player_did_himself_is_counted_apart() -> None:
    table = finished()

    (found,) = joins_of(list(table.store.events()), table.program.layout.players[0])

    assert found == Joined(own=2, all=3)


def test_a_block_without_a_seat_in_it_has_nothing_of_ones_own() -> None:
    events = list(played(RULES).store.events())

    assert joins_of(events, played(RULES).program.layout.players[0]) == []


@pytest.mark.parametrize(("answer", "found"), [("2", 1), ("3", None)])
def test_another_answer_is_noticed_before_the_block_is_over(answer: str, found: int | None) -> None:
    known = others(finished())

    assert known.noticed(going_on(answer).store, 0, 0) == found


def test_nothing_is_noticed_of_who_has_done_nothing_yet() -> None:
    assert others(finished()).noticed(going_on().store, 0, 0) == 0
