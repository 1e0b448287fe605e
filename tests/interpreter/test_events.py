"""Every event knows who may know it, at the moment it happens."""

import pytest
from written import Table, loaded, played

from rulewright.interpreter.state.log import Event

pytestmark = pytest.mark.quick

GAME = """
each Card has
  rank: number
table Card for each rank in 1..3
each Player has
  hand:   cards of Card, seen by owner
  sealed: cards of Card, seen by owner, count seen by owner
  points: number = 0, seen by players
  purse:  number = 0, seen by owner
  dice:   list of number = [], seen by owner
the game has
  deck: pile of Card = Card, seen by []
  away: pile of Card, seen by []
  open: row of Card, seen by players
  list: list of number = [], seen by players
"""

NOBODY: set[str] = set()
ALL = {"ann", "ben", "cat"}


def told(steps: str, kind: str, **more: object) -> list[tuple[set[str], set[str]]]:
    """Return who saw and who noticed the events of a kind that some steps of ben make."""
    indented = "\n".join(f"    {line}" for line in steps.splitlines())
    table = played(GAME, f"to play\n  as players[1]\n{indented}\n", players=3, **more)  # type: ignore[arg-type]
    return [(names(table, e.seers), names(table, e.counters)) for e in of_kind(table, kind)]


def of_kind(table: Table, kind: str) -> list[Event]:
    """Return the events of a kind."""
    return [event for event in table.told if event.kind == kind]


def names(table: Table, numbers: frozenset[int]) -> set[str]:
    """Return the names of players."""
    return {seat.name for seat in table.program.layout.players if seat.number in numbers}


def test_a_move_is_seen_by_who_sees_either_end() -> None:
    steps = "move top(deck) to my.hand\nmove my.hand to open\nmove open to players[0].hand"

    assert told(steps, "move") == [({"ben"}, ALL), (ALL, ALL), (ALL, ALL)]


def test_a_move_from_hidden_to_hidden_is_noticed_by_who_may_count_both() -> None:
    assert told("move deck to away", "move") == [(NOBODY, ALL)]
    assert told("move deck to my.sealed", "move") == [({"ben"}, {"ben"})]
    steps = "move deck to my.sealed\nmove my.sealed to players[2].hand"
    assert told(steps, "move")[1] == ({"ben", "cat"}, {"ben", "cat"})


def test_things_from_several_zones_are_one_event_each() -> None:
    steps = "move top(deck) to my.hand\nmove Card to open"
    table = played(
        GAME, "to play\n  as players[1]\n    move top(deck) to my.hand\n    move Card to open\n"
    )
    moves = of_kind(table, "move")

    assert told(steps, "move") == [({"ben"}, ALL), (ALL, ALL), (ALL, ALL)]
    assert [len(event.data[0]) for event in moves] == [1, 2, 1]
    assert [table.named(event.data[1]) for event in moves] == ["deck", "deck", "ben.hand"]
    assert {table.named(event.data[2]) for event in moves[1:]} == {"open"}


def test_a_field_is_told_to_who_sees_it() -> None:
    steps = "set my.purse to 3\nset my.points to 2"

    assert told(steps, "set") == [({"ben"}, {"ben"}), (ALL, ALL)]
    assert told("add 1 to players[0].purse", "add") == [({"ann"}, {"ann"})]
    assert told("add 1 to list\nremove 1 from list\nremove 1 from list", "remove") == [(ALL, ALL)]


def test_an_event_keeps_place_value_and_actor() -> None:
    table = played(GAME, "to play\n  as players[1]\n    add 4 to my.points\n")
    (event,) = of_kind(table, "add")
    place, value = event.data

    assert table.named(place) == "ben.points"
    assert value == 4
    assert event.actor is table.seat("ben")


def test_who_sees_a_swap() -> None:
    assert told("swap my.purse with players[0].purse", "swap") == [({"ann", "ben"}, {"ann", "ben"})]
    assert told("swap my.points with players[0].points", "swap") == [(ALL, ALL)]
    assert told("swap deck with away", "swap") == [(NOBODY, ALL)]


def test_what_is_shown_is_seen_by_whom_it_is_shown_to() -> None:
    steps = 'show top(deck) to players[0]\nshow "hello {me}" to players'

    assert told(steps, "show") == [({"ann"}, ALL), (ALL, ALL)]


def test_a_shuffle_is_noticed() -> None:
    assert told("shuffle deck", "shuffle") == [(ALL, ALL)]


def test_an_outcome_of_chance_is_seen_by_who_sees_where_it_goes() -> None:
    assert told("set my.dice to roll(2, 6)", "chance") == [({"ben"}, {"ben"})]
    assert told("set my.points to random(1..6)", "chance") == [(ALL, ALL)]
    assert told("let die = random(1..6)\nadd die to my.points", "chance") == [(ALL, ALL)]
    assert told("let die = random(1..6)\nset my.purse to die", "chance") == [(NOBODY, NOBODY)]
    assert told("move random(1, deck) to my.hand", "chance")[-1] == ({"ben"}, {"ben"})


def test_whose_hand_it_is_does_not_learn_which_cards_were_drawn() -> None:
    deal = "move top(3, deck) to players[0].hand\n"

    for draw in ("random(2, players[0].hand)", "shuffled(players[0].hand)"):
        assert told(f"{deal}let seen = {draw}\nshow seen to me", "chance") == [(NOBODY, NOBODY)]
    ranks = "players[0].hand each its.rank"
    assert told(f"{deal}let seen = random({ranks})", "chance") == [(NOBODY, NOBODY)]
    assert told(f"{deal}let pool = {ranks}\nlet seen = random(pool)", "chance") == [
        (NOBODY, NOBODY)
    ]
    assert told(f"{deal}let n = random(1..count(players[0].hand))", "chance") == [(ALL, ALL)]


def test_who_sees_cards_go_does_not_learn_in_which_order_they_lie() -> None:
    steps = "move top(3, deck) to my.hand\n    move shuffled(my.hand) to deck"
    tables = [
        played(GAME, f"to play\n  as players[1]\n    {steps}\n", players=3, seed=seed)
        for seed in range(5)
    ]
    laid = [of_kind(table, "move")[-1].data[0] for table in tables]
    lie = {table.store.columns[table.program.layout.slots["deck"]][0] for table in tables}

    assert len({str(one) for one in lie}) > 1
    assert all(list(one) == sorted(one, key=lambda card: card.number) for one in laid)


def test_whose_thing_it_is_does_not_learn_that_a_verb_is_about_it() -> None:
    rules = """
    to play
      move top(3, deck) to players[0].hand
      as players[1]
        peek random(players[0].hand)
    to peek card: Card "Peek"
      show card to me
    """
    begun = of_kind(played(GAME, rules, players=3), "begin")

    assert [event.seers for event in begun] == [frozenset()]


def test_what_a_bag_brings_is_told_by_the_move_only() -> None:
    steps = "shuffle deck\nmove top(deck) to my.hand"

    assert told(steps, "chance") == [(NOBODY, NOBODY)]
    assert told(steps, "move") == [({"ben"}, ALL)]


def test_verbs_with_a_label_and_those_that_are_done_tell_of_themselves() -> None:
    rules = """
    to quiet
      nothing
    to loud n: number "Loud!"
      nothing
    to play
      as players[0]
        quiet
        loud 3
        for each action in [quiet]
          do action
    """
    table = played(GAME, rules)
    told = [(e.kind, e.data[0], e.data[1]) for e in table.told if e.kind in ("begin", "finish")]

    assert told == [
        ("begin", "loud", (3,)),
        ("finish", "loud", (3,)),
        ("begin", "quiet", ()),
        ("finish", "quiet", ()),
    ]


def test_arguments_are_seen_by_who_sees_them_all() -> None:
    rules = """
    to take card: Card "Take"
      move card to open
    to play
      move deck to players[1].hand
      as players[1]
        take first(my.hand)
    """
    table = played(GAME, rules, players=3)
    begin, finish = (e for e in table.told if e.kind in ("begin", "finish"))

    assert (names(table, begin.seers), names(table, begin.counters)) == ({"ben"}, ALL)
    assert names(table, finish.seers) == ALL


def test_the_end_is_told_with_its_reason() -> None:
    table = played(GAME, 'to play\n  end game "over"\n')
    (event,) = of_kind(table, "end")

    assert event.data == ("over",)
    assert event.seers == table.program.witnesses.everybody


def test_fresh_fields_and_given_ones_are_no_events() -> None:
    rules = """
    the game has, seen by players
      moves: number = 2, fresh each turn
    to play
      set moves to 1
      turn
    to turn
      nothing
    """

    assert len(of_kind(played(GAME, rules), "set")) == 1


def test_trials_tell_nothing() -> None:
    rules = """
    to play
      as players[0]
        choose n from 1..3
        set my.points to n
        need n > 1 else "one"
    """
    table = played(GAME, rules)
    before = len(table.told)

    assert table.menu == ["2", "3"]
    assert len(table.told) == before


def test_the_programs_of_two_tables_share_nothing() -> None:
    rules = "to play\n  add 1 to players[0].points\n"
    first, second = played(GAME, rules), played(GAME, rules)

    assert loaded(GAME, rules) is first.program is second.program
    assert first.told == second.told
    assert first.store is not second.store
