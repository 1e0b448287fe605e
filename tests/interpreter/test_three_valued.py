"""Requirements of which something is not known yet: what matters of it, and what does not."""

from __future__ import annotations

import pytest
from written import linked

from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.state.errors import IllegalActionError

RULES = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has, seen by players
  hand: cards of Card
the game has, seen by players
  deck: pile of Card = Card
  n: number = 3
define high(c: Card): flag = c.rank > 3
define low(a: number, c: Card): flag = a > 4 and c.rank < 9
to play
  move Card where its.rank in [2, 3] to players[0].hand
  shuffle deck
  as players[0]
    {arms}
ranking
  most 1
"""

BOTH = "[top(deck), first(my.hand)]"
"""A card that nobody knows yet, and one of rank 2."""

ALWAYS = (
    "top(deck).rank > 0 or n < 5",
    "n < 5 or top(deck).rank > 0",
    f"some c in {BOTH} has c.rank is 2",
    f"count({BOTH} where its.rank is 2) <= 2",
    f"count({BOTH} where its.rank is 2) + n > 3",
    "2 in ([top(deck)] + my.hand each its.rank)",
    f"({BOTH} where its.rank is 2) is not empty",
    "(if top(deck).rank is 1 then n > 2 else n < 4)",
    "not low(n, top(deck))",
)
NEVER = (
    "top(deck).rank > 0 and n > 5",
    "n > 5 and top(deck).rank > 0",
    "not (top(deck).rank > 0 or n < 5)",
    f"no c in {BOTH} has c.rank is 2",
    f"every c in {BOTH} has c.rank > 2",
    f"count({BOTH} where its.rank is 2) < 1",
    f"count({BOTH} where its.rank is 2) + n < 4",
    f"count({BOTH} where its.rank is 2) - n > 0",
    f"count({BOTH} where its.rank is 2) is 4",
    "2 not in ([top(deck)] + my.hand each its.rank)",
    f"({BOTH} where its.rank is 2) is empty",
    "(if top(deck).rank is 1 then n > 4 else n > 5)",
    "high(top(deck)) and n > 4",
    "low(n, top(deck))",
)
PERHAPS = (
    "top(deck).rank > 3",
    "top(deck).rank > 1 or n > 5",
    "top(deck).rank > 1 and n < 5",
    f"every c in {BOTH} has c.rank > 1",
    f"some c in {BOTH} has c.rank is 5",
    f"count({BOTH} where its.rank is 2) > 1",
    f"count({BOTH} where its.rank > 1) is not 1",
    "5 not in ([top(deck)] + my.hand each its.rank)",
    "(if top(deck).rank is 1 then n > 4 else n < 5)",
    "high(top(deck))",
)


def offered(conditions: tuple[str, ...], behind: str, generated: bool) -> tuple[State, set[str]]:
    """Return a state in which each condition is that of an arm, and those that are offered."""
    arms = [
        f'"{place}"\n      need {one} else "never"{behind}' for place, one in enumerate(conditions)
    ]
    text = "\n    or ".join((*arms, '"Pass"'))
    game = game_of(linked(RULES.format(arms=f"either {text}")), 2)
    if generated:
        generate(game.program)
    state = game.new_initial_state(seed=1)
    labels = [one.label for one in state.legal_actions()]
    return state, {conditions[int(label)] for label in labels if label != "Pass"}


LATER = '\n      need n > 9 else "later"'


@pytest.mark.parametrize("generated", [False, True], ids=["walked", "generated"])
def test_what_can_never_be_is_not_offered(generated: bool) -> None:
    state, found = offered(NEVER, "", generated)

    assert found == set()
    with pytest.raises(IllegalActionError, match="never"):
        state.apply_action("0")


@pytest.mark.parametrize("generated", [False, True], ids=["walked", "generated"])
def test_what_is_met_in_any_case_ends_no_look_ahead(generated: bool) -> None:
    assert offered(ALWAYS, "", generated)[1] == set(ALWAYS)
    assert offered(ALWAYS, LATER, generated)[1] == set()


@pytest.mark.parametrize("generated", [False, True], ids=["walked", "generated"])
def test_what_depends_on_it_ends_the_look_ahead(generated: bool) -> None:
    assert offered(PERHAPS, LATER, generated)[1] == set(PERHAPS)
