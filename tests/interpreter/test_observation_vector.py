"""What a player sees as floats: what stands where, and what stays 0."""

import math

import pytest
from written import Table, played

from rulewright.interpreter.knowledge.action_codes import MOST_SEEN
from rulewright.interpreter.knowledge.observation_vector import observation_vector

HELD = """
kind Suit is one of [hearts, spades]
each Card has
  rank: number
  dented: flag = no, seen by players
table Card
  | copies | rank |
  | 2      | 1    |
  | 1      | 2    |
each Player has
  hand: cards of Card, seen by owner
  secret: number in 0..9 = 0, seen by owner
  money: number = 3, seen by players
  best: Suit?, seen by players
  friend: Player?, seen by players
  purse: number per Suit = 1, seen by players
  debts: number per Player = 0, seen by players
the game has, seen by players
  box: cards of Card = Card, seen by []
  shop: row of Card
  tray: row of Card, seen by []
  heap: pile of Card
  marked: Card?
  said: list of number = []
  motto: text = ""
"""


def told(table: Table, name: str, who: str = "ann") -> list[float]:
    """Return the floats of a part, as a player sees them."""
    vectors = observation_vector(table.program)
    vector = vectors.vector(table.store, table.seat(who))
    part = next(one for one in vectors.layout if one.name == name)
    found = vector[part.offset : part.offset + math.prod(part.shape)]
    assert all(
        low <= number <= high
        for number, low, high in zip(vector, vectors.low, vectors.high, strict=True)
    )
    return found


def shown(*steps: str, players: int = 2) -> Table:
    """Return a table at which some steps have been done, and ann is asked."""
    lines = "\n".join(f"  {line}" for step in steps for line in step.splitlines())
    rest = "  as first(players)\n    choose n from 1..3"
    return played(HELD, f"to play\n{lines}\n{rest}", players=players)


def test_a_number_is_told_as_it_is_and_one_that_is_not_seen_is_0() -> None:
    table = shown("for each p in players", "  set p.secret to 7")

    assert told(table, "money of seat 0") == [1, 3]
    assert told(table, "secret of seat 0") == [1, 7]
    assert told(table, "secret of seat 1") == [0, 0]


def test_who_looks_is_seat_0() -> None:
    table = shown("set players[1].money to 8", "set players[0].friend to players[1]", players=3)

    assert [told(table, f"money of seat {seat}", "ann")[1] for seat in range(3)] == [3, 8, 3]
    assert [told(table, f"money of seat {seat}", "ben")[1] for seat in range(3)] == [8, 3, 3]
    assert [told(table, f"money of seat {seat}", "cat")[1] for seat in range(3)] == [3, 3, 8]
    assert told(table, "friend of seat 0", "ann") == [1, 1, 0, 1, 0]
    assert told(table, "friend of seat 1", "cat") == [1, 1, 0, 0, 1]
    assert told(table, "seat", "cat") == [0, 0, 1]


def test_a_family_by_players_begins_with_who_looks() -> None:
    table = shown("set players[0].debts[players[1]] to 4", players=3)

    assert told(table, "debts of seat 0", "ann") == [1, 0, 4, 0]
    assert told(table, "debts of seat 2", "ben") == [1, 4, 0, 0]
    assert told(table, "purse of seat 1", "ann") == [1, 1, 1]


def test_a_value_of_an_enumeration_stands_at_its_place_and_none_nowhere() -> None:
    table = shown("set players[0].best to spades")

    assert told(table, "best of seat 0") == [1, 1, 0, 1]
    assert told(table, "best of seat 1") == [1, 0, 0, 0]


def test_a_zone_is_told_by_row_or_only_counted() -> None:
    table = shown("for each p in players", "  move first(box) to p.hand")

    assert told(table, "hand of seat 0") == [1, 1, 1, 1, 0]
    assert told(table, "hand of seat 1") == [0, 1, 1, 0, 0]
    assert told(table, "box of the game") == [0, 1, 1]


def test_in_a_row_each_copy_has_its_place() -> None:
    table = shown("move last(Card) to shop", "move last(box) to shop")

    assert told(table, "shop of the game") == [1, 1, 2, 2, 0, 1]


def test_it_makes_no_difference_which_copy_lies_where() -> None:
    one = shown("move Card[0] to shop", "set Card[0].dented to yes")
    other = shown("move Card[1] to shop", "set Card[1].dented to yes")

    for who in ("ann", "ben"):
        for name in ("shop of the game", "Card", "Card, face down"):
            assert told(one, name, who) == told(other, name, who)


def test_a_mark_on_what_lies_face_down_is_told_by_its_place() -> None:
    table = shown("move Card[2] to tray", "move Card[0] to tray", "set Card[0].dented to yes")
    layout = table.program.layout
    tray = float(layout.slots["tray"])

    assert told(table, "Card, face down")[:6] == [1, tray, 0, 2, 1, 1]
    assert not any(told(table, "Card, face down")[6:])


def test_of_a_shuffled_pile_only_what_lies_there_is_told() -> None:
    table = shown("move Card to heap", "shuffle heap")

    assert told(table, "heap of the game") == [1, 1, 3, -1, -1, -1]


def test_a_thing_that_is_named_is_told_by_its_row_if_it_is_seen() -> None:
    hidden = shown("set marked to Card[2]")
    apart = shown("move Card[2] to tray", "set marked to Card[2]")
    seen = shown("move Card[2] to shop", "set marked to Card[2]")

    assert told(hidden, "marked of the game") == [1, 1, 1, 0, 0]
    # Nothing tells where it lies.
    assert told(apart, "marked of the game") == [1, 1, 1, 0, 0]
    assert told(seen, "marked of the game") == [1, 1, 0, 0, 1]


def test_a_list_is_counted_and_added_up_and_its_order_has_a_fingerprint() -> None:
    one = told(shown("add 3 to said", "add 5 to said"), "said of the game")
    other = told(shown("add 5 to said", "add 3 to said"), "said of the game")

    assert one[:3] == other[:3] == [1, 2, 8]
    assert 0 < one[3] <= 1 and one[3] != other[3]
    assert told(shown('set motto to "go"'), "motto of the game")[1] > 0
    assert told(shown("nothing"), "motto of the game") == [1, 0]


def test_only_who_is_asked_is_told_what() -> None:
    table = shown("nothing")

    assert told(table, "decision", "ann") == [1, 0, 0]
    assert told(table, "decision", "ben") == [0, 0, 0]
    assert told(table, "waiting for", "ann") == [1, 0]
    assert told(table, "waiting for", "ben") == [0, 1]


@pytest.mark.parametrize("extra", [0, 1])
def test_created_things_have_slots_and_the_last_are_left_out(extra: int) -> None:
    table = played(
        f"""
        each Fleet has, seen by players
          size: number
          hits: number = 0
        the game has, seen by players
          sea: row of Fleet
        to play
          for each n in 1..{MOST_SEEN + extra}
            create Fleet(size: n) into sea
          as first(players)
            choose n from 1..3
        """
    )
    found = told(table, "Fleet")
    row = len(found) // MOST_SEEN
    sea = float(table.program.layout.slots["sea"])

    assert found[:row] == [1, sea, 0, 1, 1, 1, 1, 0]
    assert found[-row:] == [1, sea, 0, MOST_SEEN, 1, MOST_SEEN, 1, 0]
    assert told(table, "sea of the game") == [1, 1, MOST_SEEN + extra]
