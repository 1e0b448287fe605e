"""Small games that the tests of several modules extend: one keeps a list, others have cards."""

from __future__ import annotations

from written import Table, played

LOG = """
the game has, seen by players
  log: list of number = []
each Player has, seen by players
  points: number = 0
"""


def log(*rules: str, **more: object) -> object:
    """Return what a game without decisions has written into its list."""
    return played(LOG, *rules, **more).at("log")  # type: ignore[arg-type]


def deck(count: int) -> str:
    """Return the rules of so many cards of different ranks, in a pile that nobody sees."""
    return f"""
use deck(Card) as cards
each Card has
  rank: number
table Card for each rank in 1..{count}
"""


GAME = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand:   cards of Card, seen by owner
  secret: cards of Card, seen by []
  points: number = 0, seen by players
the game has, seen by players
  deck:   pile of Card = Card, seen by []
  faces:  pile of Card
  lane:   row of Card
  n:      number = 0
  hidden: number = 3, seen by []
  log:    list of number = []
"""


def play(rules: str, **more: object) -> Table:
    """Play the game with cards, the body of `play` in front."""
    return played(GAME, rules, **more)  # type: ignore[arg-type]
