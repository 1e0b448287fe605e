"""Powers of things: for whom they speak, in which order, how often, and how that is told."""

import pytest
from duel import say, started
from written import Table, linked, loaded, played

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.testing.coverage import CoverageCounts, count_games

CARDS = """
each Card has
  name: text
  rank: number
table Card
  | copies | name | rank |
  | 2      | Oak  | 1    |
  | 1      | Elm  | 2    |
  | 1      | Yew  | 3    |
each Player has
  row:    row of Card, seen by players, active
  points: number = 0, seen by players
the game has, seen by players
  log:  list of number = []
  sky:  row of Card, active
  wood: row of Card = Card
define cost: number = 10
to act
  add cost to log
"""
OAK, ELM = 'Card where its.name is "Oak"', 'Card("Elm")'


def grown(
    *rules: str, ann: str = "[]", ben: str = "[]", sky: str = "[]", then: str = "act"
) -> Table:
    """Return a game in which ann acts while such cards lie in the rows."""
    play = f"""
to play
  as players[1]
    move {ben} to my.row
  as players[0]
    move {ann} to my.row
    move {sky} to sky
    {then}
"""
    return played(CARDS, play, *rules)


DEAR = 'each Card named "Oak" has\n  change cost by -this.rank\n'


@pytest.mark.parametrize(
    ("zones", "cost"),
    [
        ({}, 10),
        ({"ann": OAK}, 8),
        ({"ben": OAK}, 10),
        ({"sky": OAK}, 8),
        ({"ann": ELM}, 10),
        ({"ann": f"first(1, {OAK})", "sky": f"last(1, {OAK})"}, 8),
    ],
)
def test_a_power_speaks_for_each_thing_that_lies_in_an_active_zone_of_who_acts(
    zones: dict[str, str], cost: int
) -> None:
    assert grown(DEAR, **zones).at("log") == [cost]


def test_a_zone_of_a_thing_is_active_for_the_owner_of_the_thing() -> None:
    ships = """
each Ship has
  name: text
  deck: row of Card, seen by players, active
table Ship
  | name |
  | Argo |
each Player also has
  port: row of Ship, seen by players
"""
    load = "\n    ".join((f'move {OAK} to Ship("Argo").deck', "act"))
    sail = "\n    ".join(
        (f'move {OAK} to Ship("Argo").deck', 'move Ship("Argo") to my.port', "act")
    )

    assert grown(ships, DEAR, then=load).at("log") == [10]
    assert grown(ships, DEAR, then=sail).at("log") == [8]


def test_all_replacements_come_first_then_what_is_added_as_the_things_lie() -> None:
    rules = """
change cost to at most 50
each Card named "Elm" has
  change cost by 1
each Card named "Oak" has
  change cost to original * 2
each Card where its.rank is 3 has
  change cost to original + 1
  change cost to at least 100
"""
    assert grown(rules, ann=f"{ELM} + {OAK}" if False else f"[{ELM}]").at("log") == [11]
    assert grown(rules, ann=OAK).at("log") == [40]
    assert grown(rules, ann=f'[Card("Yew"), {ELM}]').at("log") == [100]


def test_blocks_run_thing_by_thing_and_the_rules_of_a_thing_in_file_order() -> None:
    rules = """
each Card where its.rank < 3 has
  before act
    add this.rank to log
each Card named "Elm", "Yew" has
  before act when my.points is 0
    add -this.rank to log
  after act
    add 7 to log
"""
    table = grown(rules, ann=f'[Card("Yew"), {ELM}] + ({OAK})')

    assert table.at("log") == [-3, 2, -2, 1, 1, 10, 7, 7]


def test_powers_of_one_kind_speak_together_whatever_is_said_in_between() -> None:
    ships = """
each Ship has
  name: text
table Ship
  | name |
  | Sloop |
each Player has
  fleet: row of Ship, seen by players, active
each Card named "Oak" has
  before act
    add 1 to log
each Ship named "Sloop" has
  before act
    add 2 to log
each Card named "Elm" has
  before act
    add 3 to log
"""
    table = grown(ships, ann=f"[{ELM}] + first(1, {OAK})", then="move Ship to my.fleet\n    act")

    assert table.at("log") == [3, 1, 2, 10]


def test_what_has_left_when_its_turn_comes_says_nothing_and_what_arrives_waits() -> None:
    rules = """
each Card named "Yew" has
  before act
    move my.row where it is not this to wood
    add 3 to log
each Card named "Oak", "Elm" has
  before act
    add this.rank to log
  after act
    add this.rank to log
    move Card where its.rank is 3 to my.row
each Card where its.rank is 3 has
  after act
    add 33 to log
"""
    assert grown(rules, ann=f'[Card("Yew"), {ELM}]').at("log") == [3, 10, 33]
    assert grown(rules, ann=f"[{ELM}]").at("log") == [2, 10, 2]


def test_of_several_that_say_what_happens_instead_the_last_one_speaks() -> None:
    rules = """
each Card where its.rank < 3 has
  instead of act when this.rank is 1 or my.points is 0
    add this.rank to log
    if this.rank is 2
      stop
    add 9 to log
"""
    assert grown(rules, ann=f"[{ELM}]").at("log") == [2]
    assert grown(rules, ann=f"[{ELM}] + ({OAK})").at("log") == [1, 9]
    assert grown(rules, ann='[Card("Yew")]').at("log") == [10]


def test_stop_leaves_what_one_thing_does() -> None:
    rules = """
each Card where its.rank < 3 has
  before act
    add this.rank to log
    if this.rank is 2
      stop
    add 5 to log
"""
    assert grown(rules, ann=f"[{ELM}] + ({OAK})").at("log") == [2, 1, 5, 1, 5, 10]


def test_a_power_is_one_more_requirement() -> None:
    rules = """
each Card named "Elm" has
  before pass_by when my.points < 1
    need my.points > 5 else "{this} is in the way"
to pass_by
  add 1 to log
to turn
  choose action from [act, pass_by]
  do action
"""
    free = grown(rules, then="turn")
    barred = grown(rules, ann=f"[{ELM}]", then="turn")

    assert free.menu == ["act", "pass by"]
    assert barred.menu == ["act"]
    assert barred.why("pass by") == ["Elm is in the way"]


def test_powers_need_somebody_who_acts() -> None:
    with pytest.raises(RulesError, match="RW305"):
        linked(CARDS, DEAR, 'to play\n  act\ncheck "cost": cost is 10\n')


def test_how_a_value_came_about_is_told_step_by_step() -> None:
    rules = """
to play
  as players
    move wood to my.row
    choose action from [act, buy]
    do action
to buy
  need cost > 20 else "too cheap"
change cost by 2
each Card named "Elm" has
  change cost to 6
  change cost to at most 3
"""
    state = started(CARDS, DEAR, rules)

    (why,) = state.why("buy").reasons

    assert str(why.values[0]).startswith("cost is 10 + 2 ")
    assert str(why.values[0]).endswith("(to 6: Elm) - 1 Oak - 1 Oak (at most 3: Elm) = 3")
    assert say(state, "act").is_terminal() is False


def test_the_powers_that_changed_nothing_are_counted_by_name() -> None:
    rules = """
to play
  as players
    move wood to my.row
    act
each Card named "Elm", "Yew" has
  change cost by 2 - this.rank
  after act when this.rank > 2
    add 1 to log
"""
    game = game_of(linked(CARDS, DEAR, rules), 2)
    counts = CoverageCounts()

    count_games(game, range(1), counts)

    never = [point.text for point in counts.never() if point.kind == "power"]
    assert never == [
        "Elm: change cost by 2 - this.rank",
        "Elm: after act when this.rank > 2, in act",
    ]
    assert loaded(CARDS, DEAR, rules).evaluator.heard is None


def test_the_need_of_what_a_card_wears_is_looked_ahead_while_others_lie_hidden() -> None:
    table = played("""
        each Card has
          name: text
          worn: row of Card, seen by players, active
        table Card
          | name   |
          | Other  |
          | Knight |
          | Chains |
        each Player has
          board: row of Card, seen by players
        the game has
          pile: pile of Card = Card, seen by []
        each Card named "Chains" has
          before attack
            need no else "it is in chains"
        to play
          move Card("Knight") to players[0].board
          move Card("Chains") to Card("Knight").worn
          as players[0]
            either "Attack"
              attack
            or "Pass"
        to attack
          end game "attacked"
        """)

    assert table.menu == ["Pass"]
    assert table.why("Attack") == ["it is in chains"]
