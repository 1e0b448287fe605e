"""Values of the position are worked out once while what they read stays as it is."""

import pytest
from written import Table, linked, played

from rulewright.interpreter.codegen import ending_values
from rulewright.interpreter.codegen.ending_values import EndingValues
from rulewright.interpreter.codegen.generated import HANDLERS
from rulewright.interpreter.codegen.writing_budget import unlimited
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.program.scoring import EndingCode
from rulewright.interpreter.semantics import memo
from rulewright.interpreter.state.errors import TICKS_PER_STEP
from rulewright.interpreter.state.values import Value

AREAS = """
use grid(Point, 19, 19)
use groups(Point, neighbours4(it), its.stone)
each Point also has, seen by players
  stone: Player?
to play
  as players[0]
    choose place from Point
    set place.stone to me
define surrounds(p: Point) = p.stone is none and border(p) is not empty and (every b in border(p) has b.stone is me)
define area = count(Point where surrounds(it))
ranking
  most my.area
"""


def test_the_areas_of_a_large_board_are_counted() -> None:
    table = played(AREAS, players=2)
    area = table.program.evaluator.define(
        next(id for id in table.program.game.defines if id.endswith("area"))
    )
    one, other = table.program.layout.players

    assert area(table.store, one, {}) == 0

    table.say(table.menu[20])

    assert area(table.store, one, {}) == 360
    assert area(table.store, other, {}) == 0


def test_generated_code_pays_once_for_what_it_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending_values, "WORTH", 0)
    table = played(AREAS, players=2)
    program, store = table.program, table.store
    one, other = program.layout.players
    ((criterion, walked),) = EndingCode(program.evaluator).criteria

    def unasked(*_: object) -> Value:
        raise AssertionError("the walker was asked")

    code = EndingValues(program.evaluator, HANDLERS, unlimited()).code(criterion.value, unasked)
    table.say(table.menu[20])
    store.allowance = TICKS_PER_STEP, None
    spent = []
    for seat in (one, one, other):
        before = store.budget
        value = code(store, seat, {"it": seat})
        spent.append(before - store.budget)
        assert value == walked(store, seat, {"it": seat})

    assert spent[0] > 361 * 10
    assert spent[1] < 10
    # The borders are those of everybody.
    assert spent[2] < spent[0]


NESTED = """
each Spot has
  n: number
table Spot for each n in 1..60
each Spot also has, seen by players
  mark: number = 0
define marked = count(Spot where its.mark > 0)
define above(k: number) = count(Spot where its.n > k and its.mark <= marked)
define both = sum((1..9) as k each above(k)) + sum((5..12) as k each above(k))
to play
  as players
    choose spot from Spot
    set spot.mark to 1
ranking
  most both
"""


@pytest.fixture
def table() -> Table:
    return played(NESTED, players=2)


def asked(table: Table, *names: str) -> list[tuple[Value, int]]:
    """Return what defines say, asked in one step, and what each costs."""
    store, defines = table.store, table.program.game.defines
    store.allowance, found = (TICKS_PER_STEP, None), []
    for name in names:
        id = next(id for id, define in defines.items() if define.name == name)
        before = store.budget
        value = table.program.evaluator.define(id)(store, None, {})
        found.append((value, before - store.budget))
    return found


def test_a_value_costs_the_same_whatever_was_asked_before(table: Table) -> None:
    first = asked(table, "both")

    assert asked(table, "both") == first
    assert asked(table, "marked")[0][1] < first[0][1]
    assert asked(table, "both") == first
    assert asked(played(NESTED, players=2), "marked", "both") == asked(table, "marked", "both")


def test_in_one_step_a_value_is_paid_once(table: Table) -> None:
    (_, price), (_, again) = asked(table, "both", "both")

    assert price > 60 * 12
    assert again == 1


def test_a_write_is_noticed_and_so_is_that_it_is_taken_back(table: Table) -> None:
    before, unchanged = asked(table, "marked", "both"), table.store.clone()

    table.say(table.menu[3])

    assert asked(table, "marked")[0][0] == 1
    table.store = unchanged
    assert asked(table, "marked", "both") == before


def test_without_memory_it_is_the_same_value(table: Table) -> None:
    (value, price), _ = asked(table, "both", "marked")

    table.program.evaluator.memo.on = False
    try:
        (other, dear), _ = asked(table, "both", "marked")
    finally:
        table.program.evaluator.memo.on = True

    assert other == value
    assert dear > price


def test_an_unpacked_state_has_the_same_options() -> None:
    rules = """
    use grid(Point, 19, 19)
    use groups(Point, neighbours4(it), its.stone)
    each Point also has, seen by players
      stone: Player?
    to play
      as players[0]
        if count(all_groups) > 0
          choose place from Point
          need place.x is 19 or count(all_groups) + sum(1..80 each count(Point where its.x > 0)) is 0 else "no"
          set place.stone to me
    """
    model = linked(rules, "ranking\n  most 1\n")
    state = game_of(model, 2).new_initial_state(seed=1)

    elsewhere = game_of(model, 2).unpack(state.pack(log=True))

    assert len(state.legal_actions()) == len(elsewhere.legal_actions())


def test_the_price_is_the_same_under_every_budget(table: Table) -> None:
    (_, price), *_ = asked(table, "both")
    id = next(id for id, one in table.program.game.defines.items() if one.name == "both")
    code, found = table.program.evaluator.define(id), []

    for budget in (TICKS_PER_STEP, 40_000, 30_000, TICKS_PER_STEP, 40_000):
        table.store.allowance = budget, None
        code(table.store, None, {})
        found.append(budget - table.store.budget)

    assert found == [price] * 5


def test_what_is_forgotten_makes_no_difference(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asked(table, "both", "marked", "both")

    monkeypatch.setattr(memo, "MOST_VALUES", 5)
    monkeypatch.setattr(memo, "MOST_CONTENTS", 1)
    fresh = played(NESTED, players=2)

    assert asked(fresh, "both")[0][0] == before[0][0]
    assert asked(fresh, "both") == asked(fresh, "both")
