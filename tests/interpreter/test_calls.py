"""Verbs call themselves and each other, and are chosen as values."""

from typing import Any

import pytest
from small_games import LOG, log
from written import begun, loaded

from rulewright.interpreter.engine import executor
from rulewright.interpreter.program.encoding import ValueCodec
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.values import Thing, VerbValue


def test_a_verb_may_call_itself_with_locals_of_its_own() -> None:
    rules = """
    to play
      down 3
    to down n: number
      let here = n
      if n > 0
        down n - 1
      add here to log
    """

    assert log(rules) == [0, 1, 2, 3]


def test_a_verb_that_calls_itself_without_end_is_a_rules_error() -> None:
    rules = """
    to play
      again 1
    to again n: number
      if n > 0
        again n + 1
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW711"
    assert "again" in caught.value.stack[0].text


def test_a_verb_as_a_value_means_the_overload_that_fits() -> None:
    rules = """
    each Coin has
      value: number
    table Coin for each value in 1..2
    to take x: Coin
      add x.value to log
    to take x: Player
      add 100 to log
    to take x: Coin from p: Player
      nothing
    to play
      take first(Coin)
      take players[0]
      take first(Coin) from players[1]
    """
    program = loaded(LOG, rules)
    verbs = tuple(verb.id for verb in program.game.verbs.values() if verb.name == "take")
    store = begun(LOG, rules).store
    things = program.layout.things

    def meant(*arguments: Thing) -> str:
        return program.calls.resolve(store, VerbValue("take", verbs, arguments))[0]

    assert len(verbs) == 3
    assert meant(things["Coin"][0]) == verbs[0]
    assert meant(program.layout.players[0]) == verbs[1]
    assert meant(things["Coin"][0], program.layout.players[0]) == verbs[2]


def test_a_menu_of_verbs_does_what_is_chosen() -> None:
    rules = """
    to one "One"
      add 1 to log
    to two n: number
      add n to log
    define menu = [one, two(5)]
    to play
      for each way in menu
        do way
    """

    assert log(rules) == [1, 5]


def test_an_error_tells_which_rules_were_running() -> None:
    rules = """
    to play
      as players
        outer
    to outer
      add 1 / count(log) to log
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW704"
    assert [rule.text for rule in caught.value.stack] == ["add 1 / count(log) to log", "outer"]


FORMS = """
each Card has
  rank: number
table Card for each rank in 1..3
the game has, seen by players
  paid: number = 0
to pay n: number
  add n to paid
to pay n: number for m: number
  add m to paid
to play
  as players
    do pay(1)
"""


@pytest.mark.parametrize(
    "given", [("pay", ("pay",), ()), ("pay", ("pay", "pay/2"), (None, 1, 2))], ids=["none", "three"]
)
def test_a_verb_with_objects_that_fit_no_form_is_a_rules_error(given: tuple[Any, ...]) -> None:
    program = loaded(FORMS)

    with pytest.raises(PlayError) as caught:
        program.calls.resolve(executor.begin(program), VerbValue(*given))

    assert caught.value.code == "RW307"
    codec = ValueCodec(program.layout)
    with pytest.raises(ValueError, match="takes"):
        codec.decode(codec.encode(VerbValue(*given)))
