"""What never changes is worked out once, and what is printed is looked up."""

import pytest
from written import linked, played

from rulewright.interpreter.semantics.evaluate import ConstantDefines

RULES = """
kind Colour is one of [red, blue]
each Stone has
  x, y: number
  colour: Colour?
  weight: number = 1, seen by players
table Stone
  | x | y | colour |
  | 1 | 1 | red    |
  | 1 | 2 | blue   |
  | 2 | 1 |        |
  | 2 | 2 | red    |
define beside(s: Stone) = Stone where its.x is s.x and its.y is not s.y
define other(s: Stone) = first(beside(s))
define bare(s: Stone) = count(Stone where its.colour is none and its.x > s.x)
define heavy(s: Stone) = sum(beside(s) each its.weight)
define mine(s: Stone) = count(beside(s)) + (if me is players[0] then 1 else 0)
define amended(s: Stone): number = count(beside(s))
change amended by first(Stone).weight
to play
  as players[0]
    choose early from 0..heavy(Stone[0])
    add 1 to Stone[1].weight
    choose late from 0..heavy(Stone[0])
    choose lacking from 0..bare(Stone[0]) + bare(Stone[2])
    choose found from Stone where its.colour is Colour.red and its.y in 1..2
    choose more from 0..mine(Stone[0]) + amended(Stone[0]) + count(present([other(Stone[0])]))
"""


@pytest.mark.parametrize(
    ("name", "is_fixed"),
    [
        *(("beside", True), ("other", True), ("bare", True)),
        *(("heavy", False), ("mine", False), ("amended", False)),
    ],
)
def test_a_define_is_fixed_if_it_reads_only_what_is_printed(name: str, is_fixed: bool) -> None:
    game = linked(RULES)
    define = next(one.id for one in game.defines.values() if one.name == name)

    assert ConstantDefines(game).define(define) is is_fixed


def test_what_changes_is_asked_anew_and_what_is_printed_is_found() -> None:
    table = played(RULES)

    assert table.menu == ["0", "1"]
    table.say("0")
    assert table.menu == ["0", "1", "2"]
    table.say("0")
    assert table.menu == ["0", "1"]
    table.say("0")
    assert len(table.menu) == 2
    table.say(table.menu[0])
    assert table.menu == ["0", "1", "2", "3", "4", "5"]
