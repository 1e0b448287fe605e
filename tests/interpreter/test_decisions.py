"""Choices are asked piece by piece, alike things are one option, and nothing needless is asked."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings, strategies as st
from written import DONE, Table, begun, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.lookahead.search import Stuck
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending

pytestmark = pytest.mark.quick

GAME = """
each Card has
  rank: number
  mark: flag = no, seen by []
table Card
  | copies | rank |
  | 2      | 1    |
  | 1      | 2    |
  | 2      | 3    |
each Player has
  hand: cards of Card, seen by owner
  row:  row of Card, seen by []
the game has, seen by players
  deck:  pile of Card = Card, seen by []
  lane:  row of Card
  heap:  cards of Card
  log:   list of number = []
  best:  Card?
"""


def play(rules: str, **more: object) -> Table:
    """Play the game with cards, the body of `play` in front."""
    return played(GAME, rules, **more)  # type: ignore[arg-type]


def asks(choice: str, deal: str = "move deck to players[0].hand", **more: object) -> Table:
    """Return a table at which ann is asked something."""
    return play(
        f"""
    to play
      {deal}
      as players[0]
        {choice}
        add 99 to log
    """,
        **more,
    )


def ranks(table: Table, values: tuple[object, ...]) -> list[int]:
    """Return the ranks of cards."""
    layout = table.program.layout
    printed = layout.printed[layout.slots["Card.rank"]]
    return [printed[card.number] for card in values]  # type: ignore[attr-defined]


def sets(table: Table, name: str) -> list[tuple[int, ...]]:
    """Return all selections that can be picked, as ranks, by walking through all answers."""
    program, start = table.program, table.store
    found: list[tuple[int, ...]] = []

    def walk(table: Table) -> None:
        waiting = pending(program, table.store)
        if waiting is None or waiting.op.step.name != name:
            chosen = table.store.columns[program.layout.slots["log"]][0]
            found.append(tuple(chosen[:-1]) if chosen[-1:] == (99,) else tuple(chosen))
            return
        for value in table.values:
            store = table.store.clone()
            executor.answer(program, store, value)
            walk(Table(program, store))

    walk(Table(program, start))
    return found


def chosen_sets(choice: str, **more: object) -> list[tuple[int, ...]]:
    """Return all selections that a `choose … xs …` of numbers or cards lets pick."""
    table = asks(f"{choice}\n        set log to xs each its.rank", **more)
    return sets(table, "xs")


# ------------------------------------------------------------------------------------ one thing


def test_things_that_look_alike_are_one_option() -> None:
    table = asks("choose card from my.hand")

    assert table.menu == ["Card (rank 1)", "Card (rank 2)", "Card (rank 3)"]
    assert [value.number for value in table.values] == [0, 2, 3]


def test_any_of_alike_things_may_be_named() -> None:
    table = asks("choose card from my.hand\n        set best to card")
    second = table.program.layout.things["Card"][1]
    executor.answer(table.program, table.store, second)

    assert table.store.columns[table.program.layout.slots["best"]][0].number == 0


def test_places_of_an_open_row_are_told_apart() -> None:
    assert len(asks("choose card from lane", "move deck to lane").menu) == 5


def test_a_reference_tells_things_apart() -> None:
    rules = """
    to play
      set best to Card[1]
      move deck to players[0].hand
      as players[0]
        choose card from my.hand
    """

    assert [value.number for value in play(rules).values] == [0, 1, 2, 3]


def test_equal_numbers_are_one_option() -> None:
    assert asks("choose n from [2, 1, 2]").menu == ["2", "1"]


def test_a_hidden_card_is_taken_by_chance() -> None:
    rules = """
    to play
      move deck to players[1].hand
      as players[0]
        choose card from players[1].hand
        move card to lane
    """
    table = play(rules)
    assert len(table.menu) == 1

    found = set()
    for seed in range(40):
        copy = play(rules, seed=seed)
        executor.answer(copy.program, copy.store, copy.values[0])
        found |= {card.number for card in copy.store.columns[copy.program.layout.slots["lane"]][0]}
    assert found == {0, 1, 2, 3, 4}


def test_a_driver_may_say_which_hidden_card_it_is() -> None:
    rules = """
    to play
      move deck to players[1].hand
      as players[0]
        choose card from players[1].hand
        move card to lane
    """
    table = play(rules, explicit=True)
    program, store = table.program, table.store
    executor.answer(program, store, table.values[0])

    assert table.asked == ""
    outcomes = executor.chance_outcomes(program, store)
    assert len(outcomes) == 5
    executor.answer_chance(program, store, outcomes[3])
    assert ranks(table, store.columns[program.layout.slots["lane"]][0]) == [3]


def test_to_take_a_hidden_card_is_a_horizon() -> None:
    rules = """
    to play
      move deck to players[1].hand
      as players[0]
        choose card from players[1].hand
        need no else "never"
    """

    assert len(play(rules).menu) == 1


def test_places_of_a_hidden_row_are_told_apart() -> None:
    rules = """
    to play
      move deck to players[1].row
      as players[0]
        choose card from players[1].row
    """

    assert len(play(rules).menu) == 5


def test_of_a_hidden_pile_only_the_top_is_told_apart() -> None:
    assert len(asks("choose card from deck", "nothing").menu) == 2


# ------------------------------------------------------------------------------------------ several


def test_a_set_is_picked_piece_by_piece_in_the_order_of_the_source() -> None:
    table = asks("choose 2 xs from [10, 20, 30]\n        set log to xs", "nothing")

    assert table.menu == ["10", "20"]
    assert table.say("20").menu == ["30"]
    assert table.say("30").at("log") == [20, 30, 99]


def test_done_is_an_answer_when_more_could_be_picked() -> None:
    table = asks("choose 1..2 xs from [10, 20, 30]\n        set log to xs", "nothing")

    assert table.menu == ["10", "20", "30"]
    assert table.say("10").menu == ["20", "30", "done"]
    assert table.values[-1] is DONE
    assert table.say("done").at("log") == [10, 99]


def test_alike_things_give_each_selection_once() -> None:
    found = chosen_sets("choose 2 xs from my.hand")

    assert sorted(found) == [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3)]
    assert len(found) == len(set(found))


def test_any_number_lets_pick_every_selection_once() -> None:
    found = chosen_sets("choose any xs from my.hand")

    assert len(found) == 3 * 2 * 3
    assert len(set(found)) == len(found)


def test_ordered_lets_pick_every_order() -> None:
    table = asks("choose ordered xs from [1, 2, 3]\n        set log to xs", "nothing")

    assert sets(table, "xs") == list(permutations((1, 2, 3)))


def test_each_piece_can_be_completed_to_a_legal_answer() -> None:
    table = asks(
        "choose 2 xs from [1, 2, 3, 4] such that sum(xs) is 6 or sum(xs) is 7\n"
        "        set log to xs",
        "nothing",
    )

    assert table.all == ["1", "2", "3"]
    assert table.menu == ["2", "3"]
    assert table.say("3").menu == ["4"]


def test_pieces_count_what_follows() -> None:
    table = asks(
        "choose 2 xs from my.hand\n"
        '        need count(my.hand where its.rank is 3 and not (it in xs)) is 0 else "threes"',
    )

    assert table.menu == ["Card (rank 3)"]
    table.say("Card (rank 3)")
    assert table.menu == ["Card (rank 3)"]


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ("choose 0 xs from [1, 2]", []),
        ("choose any xs from []", []),
        ("choose up to 2 xs from []", []),
        ("choose up to 0 xs from [1]", []),
        ("choose ordered xs from []", []),
        ("choose 0..0 xs from [1]", []),
    ],
)
def test_exactly_nothing_is_not_asked(choice: str, value: list[int]) -> None:
    table = asks(f"{choice}\n        for each x in xs\n          add 1 to log", "nothing")

    assert table.over
    assert table.at("log") == [*value, 99]


@pytest.mark.parametrize(
    "choice",
    [
        "choose 3 xs from [1, 2]",
        "choose count([1, 2])..1 xs from [1, 2]",
        "choose 0 - 1 xs from [1, 2]",
        "choose up to 0 - 1 xs from [1]",
        "choose x from 5..4",
        "choose x from []",
        "choose 0 xs from [1] such that count(xs) > 0",
    ],
)
def test_what_cannot_be_chosen_is_stuck(choice: str) -> None:
    with pytest.raises(Stuck):
        asks(choice, "nothing")


def test_one_of_a_list_by_number_is_a_list() -> None:
    table = asks("choose 1 xs from [5, 6]\n        set log to xs", "nothing")

    assert table.say("6").at("log") == [6, 99]


def test_hidden_cards_of_a_set_are_drawn_one_by_one() -> None:
    rules = """
    to play
      move deck to players[1].hand
      as players[0]
        choose 2 xs from players[1].hand
        move xs to heap
    """
    table = play(rules, explicit=True)
    program, store = table.program, table.store
    cards = program.layout.things["Card"]
    for number, left in ((4, 5), (2, 4)):
        executor.answer(program, store, table.values[0])
        assert len(executor.chance_outcomes(program, store)) == left
        executor.answer_chance(program, store, cards[number])

    assert store.columns[program.layout.slots["heap"]][0] == (cards[2], cards[4])


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(1, 3), max_size=5),
    st.integers(0, 3),
    st.integers(0, 5),
    st.integers(0, 8),
)
def test_sets_are_those_of_brute_force(items: list[int], low: int, high: int, least: int) -> None:
    shown = "[" + ", ".join(map(str, items)) + "]"
    # Written so that the range is not known before the game.
    choice = f"choose {low}..sum([{high}]) xs from {shown} such that sum(xs) >= {least}"
    expected = {
        selection
        for size in range(low, min(high, len(items)) + 1)
        for selection in combinations(items, size)
        if sum(selection) >= least
    }
    if low > high:
        expected = set()
    try:
        table = asks(f"{choice}\n        set log to xs", "nothing")
    except Stuck:
        assert expected == set()
        return
    found = sets(table, "xs")

    # Equal numbers are alike: which of them is meant makes no difference to what is chosen.
    assert {tuple(sorted(one)) for one in found} == {tuple(sorted(one)) for one in expected}
    assert len(found) == len({tuple(sorted(one)) for one in found}) or len(items) > len(set(items))


# ---------------------------------------------------------------------------------------- what is told


def test_a_decision_knows_its_player_and_its_place() -> None:
    rules = """
    to play
      as players[1]
        work
    to work
      step inner
        choose n from 1..1 ask "How many, {me}?"
        may "Go"
          nothing
        may "Go on"
          nothing
    """
    table = play(rules)
    assert table.asked == "ben: work.inner.n"
    assert decisions.prompt(table.program, table.store) == "How many, ben?"
    assert table.say("1").asked == "ben: work.inner.may"
    assert table.say("Go").asked == "ben: work.inner.may#2"


def test_labels_are_read_by_everybody_and_all_different() -> None:
    table = asks("choose card from lane", "move deck to lane")

    assert table.menu == [
        "Card (rank 1)",
        "Card (rank 1, number 2)",
        "Card (rank 2)",
        "Card (rank 3)",
        "Card (rank 3, number 2)",
    ]


def test_things_of_one_name_say_what_only_some_of_them_have() -> None:
    fields = """
    each Ship has, seen by players
      holes: number = 0
      plan: number = 0, seen by []
      mates: list of Player = []
      define name = "ship"
    the game has
      sea: cards of Ship, seen by players
    """
    rules = """
    to play
      repeat 4 times
        create Ship() into sea
      for each ship in Ship
        set ship.plan to 3
      set first(Ship).holes to 2
      add players[1] to last(Ship).mates
      as players[0]
        choose split shots of 2 over Ship
        choose ship from Ship
    """
    table = play(fields + rules)

    told = ("ship (holes 2)", "ship", "ship (number 2)", "ship (mates ben)")
    assert decisions.targets(table.program, table.store) == told
    for amount in ("0", "0", "0"):
        table.say(amount)
    assert table.menu == [told[0], told[1], told[3]]


def test_the_question_of_an_either_stands_above_it() -> None:
    rules = """
    to play
      as players[1]
        ask "What now, {me}?"
        either "Go"
        or "Stay"
        either "Go on"
        or "Stay there"
    """
    table = play(rules)

    assert decisions.prompt(table.program, table.store) == "What now, ben?"
    assert decisions.prompt(table.say("Go").program, table.store) is None


def test_a_single_option_is_asked_all_the_same() -> None:
    assert asks("choose n from [4]", "nothing").menu == ["4"]


def test_options_are_worked_out_once() -> None:
    table = asks("choose n from 1..3", "nothing")
    first = decisions.current(table.program, table.store)

    assert list(lookahead.living(table.program, table.store)) == [1, 2, 3]
    assert decisions.current(table.program, table.store) is first
    table.say("2")
    assert table.over


def test_a_game_that_has_not_begun_waits_for_nobody() -> None:
    table = begun(GAME, "to play\n  as players\n    choose n from 1..2\n")

    assert table.asked == ""


def test_what_follows_a_may_that_is_passed_over_is_asked_itself() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    to play
      as players[0]
        work
    to work
      choose first_one from 0..1
      may "Go on"
        choose second from 5..6
        add second to my.points
      need my.points > 4 else "you must"
      choose last from 7..8
      add last to my.points
    """
    table = play(rules).say("0")

    assert table.asked.endswith("work.second")
    assert table.menu == ["5", "6"]
    assert table.say("5").asked.endswith("work.last")
