"""Worked examples of several who act at once: each line goes on in the branch of its player."""

import pytest
from at_once import linked

from rulewright.interpreter.testing.blame import run_examples

RULES = """
each Player has
  money:  number = 5, seen by players
  sealed: number = 0, seen by owner
  done:   flag = no, seen by owner
the game has, seen by players
  pot: number = 0
to play
  as players
    bidding
to bidding
  as players together
    bid
  add 1 to pot
to all_roll
  as players together
    set my.sealed to random(1..6)
    may "Say so"
      set my.done to yes
to bid
  choose amount from 0..my.money
  need amount is not 4 else "four is unlucky"
  set my.sealed to amount
  add -amount to my.money
  add amount to pot
  may "Say so"
    set my.done to yes
ranking
  most my.money
"""


def found(lines: str) -> list[str]:
    """Return what is said of an example with these lines."""
    body = "".join(f"  {line.strip()}\n" for line in lines.strip().splitlines())
    rules = f'{RULES}example "It"\n  players ann, ben, cem\n{body}'
    return [f"{item.one_line()} {item.notes}" for item in run_examples(linked(rules))]


@pytest.mark.parametrize(
    "lines",
    [
        # In any order, in one line or in several, and what can be declined is.
        """
        do ann: bidding, amount = 2, "Say so"
        do cem: amount = 3
        do ben: amount = 1
        expect pot is 7
        expect ann.money is 3 and ben.money is 4 and cem.money is 2
        expect ann.done and not ben.done
        """,
        """
        do ben: bidding
        do cem: amount = 3
        do ann: 2
        do cem: "Say so"
        do ben: amount = 1
        expect pot is 7 and cem.done
        """,
        # What chance brings while all act at once is drawn as well.
        """
        chance 3, 4, 6
        do ann: all_roll
        """,
        """
        chance 3, 4, 6
        do ann: all_roll, "Say so"
        do ben: no "Say so"
        do cem: "Say so"
        expect cem.done
        """,
        # Before all are done nobody in particular has done anything.
        """
        do ann: bidding, amount = 2
        expect pot is 0 and ann.money is 5
        """,
        """
        do ann: bidding
        refuse ben: amount = 4 because "four is unlucky"
        allow ben: amount = 3
        refuse cem: amount = 6
        do ben: amount = 5
        refuse ben: amount = 1
        """,
        # What can be told in one way only answers itself, of anybody.
        """
        given ann.money is 0
        given cem.money is 0
        do ben: bidding, amount = 2
        expect pot is 3
        """,
    ],
)
def test_examples_that_come_out(lines: str) -> None:
    assert found(lines) == []


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("do ann: bidding, amount = 4", "four is unlucky"),
        ("do ann: bidding\ngiven pot is 3", "`bid.amount` of ann has not been answered"),
        (
            "do ann: bidding, amount = 2\ndo ann: amount = 3",
            "`bid.amount` of ben comes first",
        ),
        ("do ann: bidding\ndo ben: bidding", "`bid.amount` of ben has not been answered"),
        ("do ann: bidding, amount = 2\nexpect pot is 2", "pot is 0"),
        # The state that is looked at in between has drawn nothing either.
        ("chance 5\ndo ann: bidding, amount = 2\nexpect pot is 0", "RW413"),
    ],
)
def test_examples_that_do_not(lines: str, said: str) -> None:
    (message,) = found(lines)

    assert said in message
