"""Who sees something may depend on that itself: viewers are worked out from the state, without asking
who may see what they depend on."""

from written import Table, played

from rulewright.interpreter.play.api import Game, State


def seen(table: Table, field: str, holder: str) -> list[str]:
    """Return the names of those who see a field."""
    layout, evaluator = table.program.layout, table.program.evaluator
    slot = layout.slots[field]
    place = layout.places[slot][table.seat(holder).number]
    return [one.name for one in layout.players if evaluator.sees(table.store, place, one)]


def observed(table: Table) -> None:
    """Let everybody look at the whole table, and at the menu."""
    game = Game(
        table.program.game,
        table.program,
        tuple(seat.name for seat in table.program.layout.players),
    )
    state = State(game, table.store, 0)
    for player in range(len(game.names)):
        state.observation(player)
        state.information_state(player)
    state.legal_actions()


def test_who_sees_a_field_may_depend_on_the_field() -> None:
    table = played("""
each Player has
  howls: flag = no, seen by players where owner.howls
to play
  as players
    choose n from 1..2
    set my.howls to yes
    if first(players).howls
      choose m from 3..4
ranking
  most 1
""")
    observed(table)
    assert seen(table, "Player.howls", "ann") == []

    table.say("1")

    observed(table)
    assert seen(table, "Player.howls", "ann") == ["ann", "ben"]
    assert table.menu == ["3", "4"]


def test_who_sees_may_go_in_a_circle_through_fields_zones_and_counts() -> None:
    table = played("""
use deck(Card) as cards
each Card has
  rank:    number
  flipped: flag = no, seen by players where this.flipped or owner is it
table Card for each rank in 1..9
each Player has
  howls: number = 0, seen by players where its.barks > 0 or it is owner
  barks: number = 0, seen by players where its.howls > 0 and count(owner.hand) > 1
  trust: list of Player = [], seen by owner.trust
  hand:  row of Card, seen by players where it is owner or shows(owner), count seen by players where shows(it)
  den:   pile of Card, seen by players where count(its.den) >= count(owner.hand)
define shows(p: Player) = (some c in p.hand has c.flipped)
to play
  as players
    draw 2 from cards to my.hand
    add 1 to my.howls
  as players
    choose card from my.hand
    set card.flipped to yes
    add players[1] to my.trust
    move card to my.den
    choose other from my.hand
    set other.flipped to yes
    choose n from 1..count(other.owner.den)
ranking
  most my.howls
""")
    observed(table)
    assert seen(table, "Player.hand", "ann") == ["ann"]
    assert seen(table, "Player.barks", "ann") == ["ann", "ben"]
    assert seen(table, "Player.trust", "ann") == []

    table.say(table.menu[0])
    observed(table)
    assert seen(table, "Player.den", "ann") == ["ann"]
    assert seen(table, "Player.trust", "ann") == ["ben"]

    table.say(table.menu[0])
    observed(table)
    assert seen(table, "Player.hand", "ann") == ["ann", "ben"]


def test_what_chance_has_not_decided_shows_nothing() -> None:
    rules = """
each Card has
  rank: number
table Card for each rank in 1..4
the game has
  heap: pile of Card = Card, seen by players where top(heap).rank > 0
to play
  shuffle heap
  as players
    choose n from 1..2
    if top(heap).rank > 0
      choose m from 1..2
ranking
  most 1
"""
    table = played(rules)
    place = table.program.layout.places[table.program.layout.slots["heap"]][0]
    observed(table)
    assert not table.program.evaluator.sees(table.store, place, table.seat("ann"))

    table.say("1")

    observed(table)
    assert table.program.evaluator.sees(table.store, place, table.seat("ben"))
