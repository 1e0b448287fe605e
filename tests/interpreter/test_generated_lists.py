"""Lists of which nobody knows beforehand how long they are, in generated code: what is in reach, joined lists,
the first ones, ranges."""

from __future__ import annotations

import math

import pytest
import written
from test_generated_reach import CARDS, Walked, quick, walked

from rulewright.interpreter.codegen.generated import generate, source
from rulewright.interpreter.codegen.writing_budget import WritingBudget
from rulewright.interpreter.engine.executor import advance, answer, begin
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

__all__ = ["walked"]

SPOTS = """
each Spot has
  number: number
each Spot has, seen by players
  mark: Player?
table Spot for each number in 1..14

define near(s: Spot) = Spot where (its.number is s.number + 1 or its.number is s.number - 1) and its.mark is s.mark
define closer(s: Spot) = near(s) as n where n.number < 9
define one_piece(s: Spot) = reach(s, near(it))
define within(s: Spot, n: number) = reach(s, n, near(it))
define beside(s: Spot) = reach(s, 99, closer(it))
define mine = Spot where its.mark is me
define free = Spot where its.mark is none

to round
  repeat 3 times
    as players
      turn
to turn
"""

REACH = """
  choose spot from free
  set spot.mark to me
  need count(one_piece(spot)) < 4 else "too many"
  add 10 * count(within(spot, 2)) to my.paid
  add count(within(spot, my.paid mod 3)) to my.paid
  add count(beside(first(free))) to my.paid
"""
JOINED = """
  choose spot from distinct(join(free each near(it)))
  set spot.mark to me
  add count(join(mine each (near(it) + free))) to my.paid
  add count(join([free, near(spot)]) without near(spot)) to my.paid
"""
FIRST = """
  choose spot from first(1 + my.paid mod 3, free)
  set spot.mark to me
  add sum(first(my.paid - 2, free) each its.number) to my.paid
"""
RANGE = """
  choose n from (count(free) - 3)..count(free) where it mod 2 is 0
  let spot = first(free)
  set spot.mark to me
  add sum(my.paid..n) to my.paid
"""
ALIKE = """
  choose run from [[1, 2], [1, 2], [my.paid, 2]]
  let spot = first(free)
  set spot.mark to me
  add sum(run) to my.paid
"""
RULES = {"reach": REACH, "joined": JOINED, "first": FIRST, "range": RANGE, "alike": ALIKE}


def on_the_walker(program: Program, seed: int) -> Store:
    """Return how a random game of the walker ends."""
    store, agents = begin(program, seed), Generator(f"agents {seed}")
    advance(program, store)
    while store.frames:
        answer(program, store, pick_random(program, store, agents), trusted=True)
    return store


@pytest.mark.parametrize("name", RULES)
def test_lists_of_any_length_are_written(walked: Walked, name: str) -> None:
    program = quick(SPOTS + RULES[name])
    stores = []
    for seed in range(6):
        store = begin(program, seed)
        program.lane.play(store, Generator(f"agents {seed}"), 1000)
        stores.append(store)
    assert walked == Walked()
    assert program.lane.given_up == 0

    plain = load_program(program.game, 2)
    for seed, store in enumerate(stores):
        expected = on_the_walker(plain, seed)
        assert str(store.columns) == str(expected.columns)
        assert str(list(store.events())) == str(list(expected.events()))


HUGE = """
define many = 1..60000
to round
  as players
    choose n from 1..my.paid + 2
    need count(%s) > n else "too few"
    add n to my.paid
"""


@pytest.mark.parametrize("many", ["join([many, many])", "join(1..30 each many)", "0..2000000000"])
def test_a_list_that_is_too_long_is_no_more_than_an_error(many: str) -> None:
    program = quick(HUGE % many)

    with pytest.raises(PlayError) as caught:
        program.lane.play(begin(program, 1), Generator("agents"), 100)

    with pytest.raises(PlayError) as expected:
        on_the_walker(load_program(program.game, 2), 1)
    assert str(caught.value) == str(expected.value)


LONG = """
to round
  as players
    choose n from 1..2
    add count((n..900) without (%s)) to my.paid
"""


@pytest.mark.parametrize("unwanted", ["n + 1..900", "n..n + 1"])
def test_what_is_taken_away_is_looked_up_where_it_is_long(unwanted: str) -> None:
    program = quick(LONG % unwanted)
    store = begin(program, 1)
    program.lane.play(store, Generator("agents 1"), 100)

    plain = load_program(program.game, 2)
    assert str(store.columns) == str(on_the_walker(plain, 1).columns)
    assert "frozenset" in source(plain, ("round",))


def test_what_is_not_written_yet_the_walker_plays(walked: Walked) -> None:
    program = load_program(written.linked(CARDS, SPOTS + REACH), 2)
    generate(program, WritingBudget(advance=-1.0, share=0.0))
    store = begin(program, 1)
    decisions = program.lane.play(store, Generator("agents 1"), 1000)

    assert walked.answers == decisions > 5
    assert not any(isinstance(one, int) for one in program.lane.tracks.history)
    assert str(store.columns) == str(on_the_walker(load_program(program.game, 2), 1).columns)


def test_a_budget_grows_with_the_time_that_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("rulewright.interpreter.codegen.writing_budget.process_time", lambda: now)
    budget = WritingBudget(advance=1.0, share=0.5)
    with budget.writing():
        now += 1.0
        with budget.writing():
            now += 2.0
    assert budget.spent == 3.0
    assert not budget.has_room()

    now += 1.0

    assert budget.has_room()
    assert WritingBudget(advance=math.inf).has_room()
