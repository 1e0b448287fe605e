"""What is worth a line of what has happened."""

from small_games import deck
from written import played

from rulewright.interpreter.play.history import EventNarrator
from rulewright.interpreter.state.values import Thing

RULES = """
the game has
  lamp: number = 0, seen by players
each Player has
  purse: number = 0, seen by owner
to play
  set lamp to 1
  set lamp to 1
  add 1 to lamp
  set lamp to 1
  set lamp to random([5, 5])
  set players[0].purse to 3
  set players[0].purse to 3
"""


def lines(player: int | None) -> list[str]:
    """Return what is told to a player, or to everybody."""
    table = played(RULES)
    seat = None if player is None else table.program.layout.players[player]
    return list(EventNarrator(table.program, table.store, seat).lines(table.told))


def test_what_is_set_to_what_it_is_already_has_no_line() -> None:
    told = lines(0)

    # What has been added to may be anything.
    assert [one for one in told if one.startswith("lamp")][:3] == [
        "lamp is now 1",
        "lamp: +1",
        "lamp is now 1",
    ]


def test_what_chance_brings_is_told_without_the_text_of_the_rules() -> None:
    assert "chance: 5" in lines(None)


def test_who_does_not_see_a_field_is_told_nothing_by_silence() -> None:
    assert sum("purse" in one for one in lines(0)) == 1
    assert sum("purse" in one for one in lines(1)) == sum("purse" in one for one in lines(None))


BURIED = (
    deck(2)
    + """
each Player has
  hand: cards of Card, seen by owner
to play
  move cards.pile to players[0].hand
  as players[0]
    choose card from my.hand
    bury card
    choose sign from 1..2
to bury card: Card "Bury"
  move card to cards.pile
"""
)


def test_what_somebody_has_seen_is_told_by_its_name_wherever_it_lies_now() -> None:
    table = played(BURIED)
    table.say(table.menu[0])
    first, second = table.program.layout.players

    def told(seat: Thing | None) -> list[str]:
        found = EventNarrator(table.program, table.store, seat).lines(table.told)
        return [one for one in found if "Bury" in one]

    assert told(first) == ["ann: Bury (Card (rank 1))"]
    assert told(second) == told(None) == ["ann: Bury"]
