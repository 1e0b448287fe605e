"""A number is distributed: `choose split d of n over xs up to c`."""

from collections import Counter

import pytest
from written import begun, loaded, played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.whole_selections import answer_split
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program.distribution import random_share, shares, ways
from rulewright.interpreter.state.errors import IllegalActionError, PlayError
from rulewright.interpreter.state.random import Generator

WARES = """
kind Ware is one of [wood, ore, wine]
each Player has, seen by players
  stock: number per Ware = 2
  money: number = 0
the game has, seen by players
  log: list of number = []
"""


def paying(choose: str, rest: str = "") -> str:
    """Return a game in which ann distributes something among wares."""
    return f"""
    to play
      as first(players)
        {choose}
        {rest or "nothing"}
        for each ware in Ware
          add paid[ware] to log
    """


def test_each_target_gets_a_number_in_turn() -> None:
    table = played(WARES, paying("choose split paid of 4 over Ware"))

    assert table.menu == ["0", "1", "2", "3", "4"]
    table.say("1")
    assert table.menu == ["0", "1", "2", "3"]
    table.say("3")

    assert table.at("log") == [1, 3, 0]
    assert table.over


def test_what_is_forced_is_not_asked() -> None:
    table = played(WARES, paying("choose split paid of 5 over Ware up to my.stock[it]"))

    assert table.menu == ["1", "2"]
    table.say("1")

    assert table.at("log") == [1, 2, 2]


def test_nothing_is_distributed_without_asking() -> None:
    table = played(WARES, paying("choose split paid of 0 over Ware"))

    assert table.at("log") == [0, 0, 0]
    assert table.over


def test_what_nobody_can_get_is_dead() -> None:
    rules = paying("choose split paid of 7 over Ware up to my.stock[it]")

    with pytest.raises(PlayError) as caught:
        played(WARES, rules)

    assert caught.value.code == "RW701"


def test_without_anybody_there_is_or_stop() -> None:
    rules = """
    to play
      as first(players)
        pay
      add 9 to log
    to pay
      choose split paid of 3 over (players where its.money > 0) or stop
      add 1 to log
    """

    assert played(WARES, rules).at("log") == [9]


def test_less_than_nothing_cannot_be_distributed() -> None:
    with pytest.raises(PlayError) as caught:
        played(WARES, paying("choose split paid of my.money - 1 over Ware"))

    assert caught.value.code == "RW724"


def test_every_piece_that_is_offered_can_be_completed() -> None:
    rest = 'need paid[wine] is 1 else "one of wine"'
    table = played(WARES, paying("choose split paid of 2 over Ware such that paid[ore] < 1", rest))

    assert table.all == ["0", "1", "2"]
    assert table.menu == ["1"]
    table.say("1")
    assert table.menu == ["0"]
    assert table.why("1") == ["no selection for paid"]


def test_a_whole_distribution_is_one_answer() -> None:
    table = played(WARES, paying("choose split paid of 4 over Ware up to 3"))

    answer_split(table.program, table.store, [0, 3, 1])

    assert table.at("log") == [0, 3, 1]


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        ([4, 0, 0], "wood can get 0 to 3, not 4"),
        ([1, 1, 1], "4 are distributed, not 3"),
        ([2, 2], "3 amounts are wanted"),
        ([2, 3, -1], "wine can get 0 to 3, not -1"),
        ([3, 1, 0], "paid must be such that `paid[wood] < 3`"),
    ],
)
def test_a_whole_that_is_not_possible_says_why(amounts: list[int], told: str) -> None:
    choose = "choose split paid of 4 over Ware up to 3 such that paid[wood] < 3"
    table = played(WARES, paying(choose))

    with pytest.raises(IllegalActionError, match="paid") as caught:
        answer_split(table.program, table.store, amounts)

    assert told in str(caught.value)


def test_very_many_distributions_cost_nothing() -> None:
    table = begun(WARES, paying("choose split paid of 1000000000000 over Ware"))
    executor.advance(table.program, table.store)
    random = Generator("many")

    while table.asked:
        value = lookahead.pick_random(table.program, table.store, random)
        executor.answer(table.program, table.store, value)

    assert sum(table.at("log")) == 10**12


def test_random_distributions_are_equally_likely() -> None:
    random = Generator("even")
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        given: tuple[int, ...] = ()
        while len(given) < 3:
            state = shares(2, (2, 2, 2), given)
            given = state.given
            if len(given) < 3:
                share = random_share(state.options, state.left, 3 - len(given), random)
                given = (*given, share)
        found[given] += 1

    assert len(found) == len(list(ways(2, (2, 2, 2)))) == 6
    assert all(400 < number < 600 for number in found.values())


def test_chance_distributes_for_a_player_without_a_seat() -> None:
    rules = """
    neutral bank "The bank"
    to play
      as bank
        choose split paid of 3 over Ware up to 2
        for each ware in Ware
          add paid[ware] to log
    """
    program = loaded(WARES, rules)
    wood, ore, wine = program.layout.enums["Ware"]
    table = begun(WARES, rules, explicit=True)
    executor.advance(table.program, table.store)

    for outcome, possible in ((ore, 3), (ore, 3), (wine, 2)):
        assert len(executor.chance_outcomes(table.program, table.store)) == possible
        executor.answer_chance(table.program, table.store, outcome)

    assert table.at("log") == [0, 2, 1]
    assert wood not in (ore, wine)
