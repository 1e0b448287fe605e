"""What somebody has learned since an earlier state: what was shown, and what was made of hidden values."""

import pytest
from duel import say, started

from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.learning import learned

DECLARED = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand: cards of Card, seen by owner
  role: number = 0, seen by owner
  open: flag = no, seen by players
  trick: number = 0, seen by players where owner.open
the game has, seen by players
  pile: pile of Card = Card, seen by []
  row: row of Card
  told: number = 0
  turns: number = 0
to play
  shuffle pile
  for each p in players
    move top(pile) to p.hand
    set p.role to 2
    set p.trick to 3
  repeat
    as players
      turn
ranking
  most my.turns_taken
define turns_taken = 0
to turn
"""


CASES = (
    ("add 1 to turns", False, False),
    ("shuffle pile", False, False),
    ("move top(pile) to my.hand", True, False),
    ("move top(pile) to row", True, True),
    ("let card = first(my.hand)\n    move card to row", False, True),
    ("let n = random(1..6)\n    add n to turns", True, True),
    ("set told to my.role", False, True),
    ("set told to players[1].role", True, False),
    ("if my.role > 1\n      set told to 1", False, True),
    ("set my.role to 3", False, False),
    # Of a closed trick its owner knows nothing either.
    ("set my.open to yes", True, True),
    ("show first(my.hand) to players", False, True),
    ("show first(my.hand) to me", False, False),
    ("for each p in players where its.role > 9\n      add 1 to told", True, True),
)


def begun() -> State:
    """Return a game in which ann can do each of the cases, under its number."""
    arms = [f'"case {number}"\n    {steps}' for number, (steps, *_) in enumerate(CASES)]
    return started(f"{DECLARED}  either " + "\n  or ".join([*arms, '"Wait"']))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_who_has_learned_something_by_an_action_of_ann(number: int) -> None:
    _, ann, ben = CASES[number]
    before = begun()
    place = [action.label for action in before.legal_actions()].index(f"case {number}")

    after = say(before.clone(), place)

    answers = after.history()[len(before.history()) :]
    assert [learned(before, answers, [seat]) for seat in (0, 1)] == [ann, ben]
    assert learned(before, answers, [0, 1]) is (ann or ben)
    assert not learned(before, (), [0, 1])


def test_nothing_is_changed_by_looking() -> None:
    before = begun()
    after = say(before.clone(), "Case 3", "Wait", "Case 4")
    kept = before.store.clone(), after.store.clone()

    learned(before, after.history(), [0, 1])

    assert (before.store, after.store) == kept
