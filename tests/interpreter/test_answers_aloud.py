"""Which answers everybody hears, and that nobody hears the others."""

import pytest
from duel import say, started

from rulewright.interpreter.play.api import State
from rulewright.interpreter.terminal.session import TableSession

DECLARED = """
each Card has
  rank: number
table Card for each rank in 1..4
each Player has
  hand: cards of Card, seen by owner
  plan: number = 0, seen by owner
  open: number = 0, seen by players
to play
  for each p in players
    move first(2, Card where its.lies_at is none) to p.hand
  {play}
to turn
  {steps}
ranking
  most my.open
"""

TURNS = "repeat\n    as players\n      turn"


def table(steps: str, play: str = TURNS) -> State:
    return started(DECLARED.format(play=play, steps=steps))


def heard(state: State, seat: int = 1) -> list[str]:
    """Return what a seat is told at the table of what has been answered."""
    lines = TableSession(state, {}).story(seat)
    events = [one for one in state.information_state(seat) if one.get("by") and "answer" in one]
    told = [line.strip() for line in lines if line.strip().startswith("ann: ")]
    assert {f"ann: {one['answer']}" for one in events} >= {*told}
    return told


@pytest.mark.parametrize(
    ("steps", "answer", "told"),
    [
        ('either "Check"\n    nothing\n  or "Bet"\n    add 1 to my.open', "Check", ["Check"]),
        ('either "Check"\n    nothing\n  or "Bet"\n    add 1 to my.open', "Bet", ["Bet"]),
        ('may "Wave"\n    nothing', 1, ['no "Wave"']),
        ("choose n from 1..3\n  choose m from 1..3", "2", ["2"]),
        # That it has been chosen is seen by what it does.
        ("choose n from 1..3\n  set my.open to n", "2", []),
        # What hangs on it is hidden, also if only one of the arms does something.
        ("choose n from 1..3\n  set my.plan to n", "2", []),
        ('either "War"\n    set my.plan to 1\n  or "Peace"\n    nothing', "Peace", []),
        ('either "War"\n    stop\n  or "Peace"\n    nothing\n  set my.plan to 1', "War", []),
        ("choose card from my.hand\n  let n = 1", 0, []),
        ('choose card from my.hand\n  may "Show {card}"\n    nothing', 0, []),
        ('choose n from 1..3\n  set my.plan to n\n  may "Say {n}"\n    nothing', "2", []),
    ],
)
def test_what_the_other_hears_of_an_answer_of_ann(
    steps: str, answer: int | str, told: list[str]
) -> None:
    state = say(table(steps), answer)

    assert heard(state) == [f"ann: {one}" for one in told]
    assert heard(state, 0) == []


def test_what_follows_a_secret_answer_is_secret_as_well() -> None:
    state = table('choose card from my.hand\n  may "Show {card}"\n    nothing')

    assert heard(say(state, 0, 1)) == []


def test_nobody_hears_what_several_decide_at_once() -> None:
    play = "as players together\n      turn\n  as players[1]\n    choose n from 1..2"
    state = table('either "Left"\n    nothing\n  or "Right"\n    nothing', play)

    state.apply_actions({0: "Left", 1: "Right"})

    assert heard(state) == []
