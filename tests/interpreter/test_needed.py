"""None is a rules error, at its line, wherever a value is stored, handed on or acts and must be there."""

import pytest
from written import played

from rulewright.interpreter.engine.executor import advance, answer
from rulewright.interpreter.state.errors import PlayError

WORLD = """
use seats
kind Hue is one of [red, green]
each Card has
  rank: number
  hues: list of Hue
  way:  verb
table Card
  | rank | hues | way  |
  | 1    |      | wait |
each Note has
  text: number
  for_whom: Player = players[0], seen by players
table Note
  | text |
each Player has, seen by players
  points: number = 0
  rival:  Player = players[0]
  friend: Player?
  open:   flag = no
the game has, seen by players
  notes:  cards of Note
  shelf:  cards of Card = Card
  boss:   Player = players[0]
  guest:  Player?
  hue:    Hue = red
  amount: number = 0
  log:    list of number = []
  gang:   list of Player = []
  heads:  Player per Hue = players[0]
  way:    verb = wait
define chief: Player = first(players where its.open)
to wait
  nothing
to hail p: Player
  add 1 to p.points
to hail_all ps: list of Player
  for each one in ps
    add 1 to one.points
to greet p: Player?
  add 1 to amount
ranking
  most my.points
to play
  as players[0]
    choose start from 1..2
"""

WRONG = (
    "set boss to chief",
    "set my.rival to first(players where its.open)",
    "set heads to chief",
    "set heads[red] to only(others(me) where its.open)",
    "set heads[first(Card[0].hues)] to me",
    "set hue to first(Card[0].hues)",
    "set amount to last(log)",
    "set way to only(Card where its.rank > 1 as card each card.way)",
    "set gang to [me, chief]",
    "set gang to (players each chief)",
    "set boss to random(gang)",
    "set boss to the(gang)",
    "set boss to the([chief])",
    "set gang to last(1, [me, chief])",
    "set hue to random(Card[0].hues)",
    "set boss to first(shelf).owner",
    "add chief to gang",
    "add first(log) to amount",
    "add first(log) to log",
    "hail chief",
    "hail_all chief",
    "hail_all [me, chief]",
    "do hail(chief)",
    "set way to hail(chief)",
    "do first(Card where its.rank > 1).way",
    "create Note(text: first(log)) into notes",
    "create Note(text: 1, for_whom: chief) into notes",
    "as chief",
    "as [me, chief]",
    "for each one in [me, chief]",
    "choose one from [me, chief]",
    "choose up to 2 ones from [me, chief]",
    "repeat first(log) times",
    "if first(players where its.open each its.open)",
    "show boss to chief",
    "move first(shelf where its.rank > 1) to shelf",
    "let one = chief\n    set boss to one",
    "let one = me\n    repeat 2 times\n      set boss to one\n      let one = chief",
    "set chief.points to 1",
    "set boss to if amount is 0 then chief else me",
    "set boss to lookup(amount, 0: chief, else: me)",
    "set boss to [me, chief][1]",
    "set boss to the(players where it is me as p each p.friend)",
    "set boss to (players each its.friend)[0]",
    "set gang to 2 * [chief]",
    "set gang to join([gang, [chief]])",
)

RIGHT = (
    "set guest to chief",
    "set my.friend to first(gang)",
    "greet chief",
    "do greet(chief)",
    "let one = chief\n    if one is not none\n      set boss to one",
    "set gang to present([me, chief])",
    "set boss to the([me])",
    "set boss to [me, chief][0]",
    "set boss to lookup(amount, 0: me, else: players[0])",
    "as present([chief])\n      add 1 to my.points",
    "hail_all present([chief])",
)


def lines(step: str) -> str:
    """Return the rules in which a step is done after the first answer."""
    block = step.startswith(("as ", "for ", "repeat ", "if ")) and "\n" not in step
    return f"{WORLD}    {step}\n" + ("      add 1 to amount\n" if block else "")


@pytest.mark.parametrize("step", WRONG)
def test_none_is_a_rules_error_where_something_must_be(step: str) -> None:
    # Where somebody is asked it is met while the first answer is tried out.
    with pytest.raises(PlayError) as caught:
        table = played(lines(step))
        answer(table.program, table.store, table.values[0])

    assert caught.value.code in ("RW706", "RW715")
    assert caught.value.span.text in step
    assert caught.value.stack


@pytest.mark.parametrize("step", RIGHT)
def test_none_is_a_value_where_it_may_be(step: str) -> None:
    table = played(lines(step))

    answer(table.program, table.store, table.values[0])
    advance(table.program, table.store)

    assert table.over


def test_nobody_takes_a_turn_and_the_game_is_over() -> None:
    table = played("""
use turns(turn)
each Player has, seen by players
  cubes: number from 0 = 1
change takes_turns to p.cubes > 0
to play
  play_in_turns
to turn
  choose n from 1..1
  add -1 to my.cubes
ranking
  most my.cubes
""")

    table.say("1", "1")

    assert table.ending == "nobody takes another turn"
