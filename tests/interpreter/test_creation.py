"""Things come and go: `create`, `destroy`, and what is left of a thing that has gone."""

import pytest
from written import begun, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.play.history import EventNarrator
from rulewright.interpreter.play.snapshot import snapshots_of
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.state.errors import MOST_CREATED, PlayError

FLEETS = """
each Space has, seen by players
  name: text
  fleets: cards of Fleet
table Space
  | name |
  | home |
  | rim  |
each Fleet has, seen by players
  side: Player?
  size: number
  hits: number in 0..9 = this.size - 1
  cargo: cards of Gem
each Gem has
  hue: text
table Gem
  | hue |
  | red |
each Player has
  secret: row of Fleet, seen by owner
  built: number = 0, seen by players
the game has, seen by players
  log: list of number = []
  lost: list of Fleet = []
  gems: cards of Gem = Gem
"""


def numbers(rules: str) -> list[int]:
    """Return what a game with fleets leaves in its list `log`."""
    table = played(FLEETS, rules)
    assert not list(breaches(table.store))
    found: list[int] = table.at("log")
    return found


def code_of(rules: str) -> str:
    """Return the code of the rules error with which a game stops."""
    with pytest.raises(PlayError) as caught:
        played(FLEETS, rules)
    return caught.value.code


def test_a_new_thing_has_what_it_is_given_and_start_values() -> None:
    rules = """
    to play
      create Fleet(size: 3) into Space("home").fleets
      create Fleet(size: 5, hits: 0, side: players[1]) into Space("home").fleets
      set log to Fleet each its.size * 10 + its.hits
      add count(Fleet where its.side is players[1]) to log
    """

    assert numbers(rules) == [32, 50, 1]


def test_a_kind_lists_its_things_in_the_order_of_their_creation() -> None:
    rules = """
    to play
      for each n in [4, 2, 3]
        create Fleet(size: n) into Space("rim").fleets
        add last(Fleet).size to log
      destroy Fleet where its.size is 2
      create Fleet(size: 1) into Space("home").fleets
      for each fleet in Fleet
        add 10 * fleet.size to log
    """

    assert numbers(rules) == [4, 2, 3, 40, 30, 10]


def test_who_creates_a_thing_owns_it_or_who_gets_it() -> None:
    rules = """
    to play
      create Fleet(size: 1) into Space("rim").fleets
      as players[1]
        create Fleet(size: 2) into Space("rim").fleets
        create Fleet(size: 3) into players[0].secret
      for each fleet in Fleet
        add (if fleet.owner is none then 0 else position(fleet.owner, players) + 1) to log
    """

    assert numbers(rules) == [0, 2, 1]


def test_what_has_gone_keeps_its_values_and_lies_nowhere() -> None:
    rules = """
    to play
      repeat 2 times
        create Fleet(size: 4) into Space("rim").fleets
      set lost to Space("rim").fleets
      for each fleet in lost
        if fleet in Fleet
          destroy Fleet
        add fleet.size + fleet.hits to log
        if fleet.lies_at is none
          add 1 to log
      add count(Space("rim").fleets) to log
      add count(Fleet) to log
    """

    assert numbers(rules) == [7, 1, 7, 1, 0, 0]


@pytest.mark.parametrize(
    "step",
    [
        "set fleet.hits to 1",
        "add 1 to fleet.hits",
        'move fleet to Space("rim").fleets',
        "destroy fleet",
        "move gems to fleet.cargo",
        "move first(gems) to fleet.cargo",
        "shuffle fleet.cargo",
    ],
)
def test_nothing_can_be_done_with_what_has_gone(step: str) -> None:
    rules = f"""
    to play
      create Fleet(size: 2) into Space("home").fleets
      let fleet = last(Fleet)
      destroy fleet
      {step}
    """

    assert code_of(rules) == "RW721"


def test_what_holds_something_cannot_leave_without_it() -> None:
    rules = """
    to play
      create Fleet(size: 2) into Space("home").fleets
      move gems to last(Fleet).cargo
      destroy Fleet
    """

    assert code_of(rules) == "RW723"


def test_the_things_of_a_table_can_leave_too() -> None:
    rules = """
    to play
      add count(Gem) to log
      destroy gems
      add count(Gem) to log
      add count(gems) to log
    """

    assert numbers(rules) == [1, 0, 0]


def test_values_are_in_range_when_a_thing_is_created() -> None:
    given = 'to play\n  create Fleet(size: 2, hits: 9 + count(players)) into Space("home").fleets\n'
    start = 'to play\n  create Fleet(size: 20) into Space("home").fleets\n'

    assert code_of(given) == code_of(start) == "RW707"


def test_there_is_an_end_to_creating() -> None:
    rules = f"""
    to play
      repeat {MOST_CREATED + 1} times
        create Fleet(size: 1) into Space("home").fleets
        destroy last(Fleet)
    """

    assert code_of(rules) == "RW722"


CHOOSING = """
to play
  as players
    repeat 3 times
      either "Build"
        build
      or "Scrap" when my.secret is not empty
        scrap
      or "Pass"

to scrap
  choose fleet from my.secret
  destroy fleet
  set my.built to count(my.secret)

to build
  choose size from 1..3
  create Fleet(size: size, side: me) into my.secret
  set my.built to count(my.secret)
  need sum(my.secret each its.size) <= 3 else "too much"
"""


def test_a_trial_creates_and_takes_it_back() -> None:
    table = begun(FLEETS, CHOOSING)
    executor.advance(table.program, table.store)
    table.say("Build", "3")
    before = table.store.clone()

    assert table.menu == ["Scrap", "Pass"]
    assert table.why("Build") == ["too much"]
    assert table.store == before
    assert table.store.key() == before.key()


def test_a_position_is_the_same_whatever_was_there_before() -> None:
    once = begun(FLEETS, CHOOSING)
    executor.advance(once.program, once.store)
    once.say("Build", "1", "Pass", "Pass")
    again = begun(FLEETS, CHOOSING)
    executor.advance(again.program, again.store)
    again.say("Build", "3", "Scrap", "Fleet (side ann, size 3)", "Build", "1")

    assert once.store != again.store
    assert once.store.key() == again.store.key()


def test_a_snapshot_knows_what_has_gone() -> None:
    table = begun(FLEETS, CHOOSING)
    executor.advance(table.program, table.store)
    table.say("Build", "2", "Scrap", "Fleet (side ann, size 2)", "Build", "1")
    codec = snapshots_of(table.program)

    back = codec.unpack(codec.pack(table.store, log=True))

    assert back == table.store
    assert list(back.events()) == table.told
    lookahead.alive(table.program, back, table.values[0])


def test_who_does_not_see_it_learns_that_there_is_one() -> None:
    table = begun(FLEETS, CHOOSING)
    executor.advance(table.program, table.store)
    table.say("Build", "2", "Scrap", "Fleet (side ann, size 2)")
    ann, ben = table.program.layout.players

    told = {
        seat.name: list(EventNarrator(table.program, table.store, seat).lines(table.told))
        for seat in (ann, ben)
    }

    assert told["ann"][0] == "ann creates Fleet (side ann, size 2): secret"
    assert told["ben"][0] == "ann creates a Fleet: secret"
    assert "ann destroys Fleet (side ann, size 2): secret" in told["ann"]
    assert "ann destroys a Fleet: secret" in told["ben"]
    seen = observation(table.program, table.store, ben)
    assert seen["players"]["ann"]["secret"] == {"count": 0}
    assert "things" in seen and not seen["things"].get("Fleet")


def test_watched_conditions_see_what_comes_and_goes() -> None:
    rules = """
    as soon as count(Fleet) > 1
      add 7 to log
    to play
      repeat 2 times
        create Fleet(size: 1) into Space("home").fleets
        as players
          may "wait"
            nothing
      destroy Fleet
    """

    table = played(FLEETS, rules)
    assert table.at("log") == []
    while table.asked:
        table.say(table.menu[-1])

    assert table.at("log") == [7]
