"""Who sees each field and zone, as it is counted in random games."""

from written import linked

from rulewright.interpreter.testing.visibility_counts import visibility_counts


def test_each_field_says_who_sees_it_when() -> None:
    game = linked("""
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand: cards of Card, seen by owner
  bids: cards of Card, seen by owner, count seen by [owner]
  open: flag = no, seen by players
  plan: number = 0, seen by if owner.open then players else [owner]
the game has
  deck: pile of Card = Card, seen by []
to play
  as players
    move top(2, deck) to my.hand
  as players
    choose n from 1..2
    set my.open to yes
ranking
  most 1
""")

    assert list(visibility_counts(game)) == [
        "deck: nobody; how many: everybody, always",
        "Player.hand: its owner always, the others never; how many: everybody, always",
        "Player.bids: its owner always, the others never; how many: its owner always, the others never",
        "Player.open: everybody, always",
        "Player.plan: its owner always, the others sometimes",
    ]
