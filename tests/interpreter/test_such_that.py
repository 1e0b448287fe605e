"""What a `such that` is made of decides what is offered: never more, never less than trying out would."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from written import loaded

from rulewright.interpreter import decisions, execute, lookahead
from rulewright.interpreter.layout import DECISIONS, SCALARS
from rulewright.interpreter.program import Program
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value

CARDS = """
kind Suit is one of [red, green, blue]
each Card has
  n: number
  suit: Suit
table Card
  | copies | n  | suit  |
  | 2      | 2  | red   |
  | 1      | 3  | green |
  | 1      | -4 | blue  |
  | 2      | 5  | green |
  | 1      | 5  | red   |
the game has, seen by players
  row: ROW of Card = Card
  gone: cards of Card
define worth(cs: list of Card): number = sum(cs each its.n)
define alike(cs: list of Card): flag = count(distinct(cs each its.suit)) is 1
"""

CONDITIONS = (
    "sum(cs each its.n) is 7",
    "sum(cs each its.n) is 1",
    "sum(cs each its.n) is 40",
    "worth(cs) >= 15 and count(cs) <= 3",
    "worth(cs) < 0 or worth(cs) in [9, 11]",
    "sum(cs each its.n) is count(cs) * 3",
    "sum(cs each its.n) is not sum(cs where its.suit is red each its.n)",
    "alike(cs) and count(cs) is 2",
    "alike(cs) and worth(cs) is 10",
    "not alike(cs) and worth(cs) is 4",
    "count(distinct(cs each its.n)) is count(cs) and worth(cs) is 6",
    "count(distinct(cs each its.n)) >= 3 and count(distinct(cs each its.suit)) is 2",
    "every c in cs has c.n > 2",
    "no c in cs has c.suit is green",
    "(some c in cs has c.suit is blue) and worth(cs) > 5",
    "every s in Suit has count(cs where its.suit is s) <= 1",
    "some s in Suit has count(cs where its.suit is s) is 3",
    "no s in Suit has count(cs where its.suit is s) is 1",
    "max(cs each its.n) - min(cs each its.n) is 3",
    "max(cs each its.n) is count(cs)",
    "count(cs) > 1 and first(cs).suit is last(cs).suit and worth(cs) is 9",
    "count(cs) is 3 and cs[0].n + cs[1].n is cs[2].n",
    "blue in (cs each its.suit) and cs is not empty",
    "cs is empty or worth(cs) mod 4 is 3",
    "(if count(cs) > 2 then worth(cs) is 12 else worth(cs) is 5)",
    "sum(cs each its.n * 1000003) > 12000000",
    "sum(cs each its.n * 1000003) > 12000000 and alike(cs)",
)

NUMBERS = ("any", "2", "1..3", "up to 2", "4..6")


def _program(zone: str, choices: Sequence[str], need: str) -> Program:
    """Return a game with a verb for each choice: `v0`, `v1` …"""
    verbs = "\n".join(
        f"to v{number}\n  choose {choice}{need}\n  move cs to gone"
        for number, choice in enumerate(choices)
    )
    rules = CARDS.replace("ROW", zone)
    return loaded(f"{rules}\n{verbs}\nto play\n  as players\n    v0\n")


def _menu(program: Program, store: Store) -> list[Value]:
    program.memory = None
    return list(lookahead.living(program, store))


@pytest.mark.parametrize("need", ["", '\n  need count(cs) is not 2 else "not two"'])
@pytest.mark.parametrize("zone", ["row", "cards"])
def test_the_menu_is_what_trying_out_all_selections_gives(
    zone: str, need: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(f"{zone} {need}")
    choices = [
        f"{number} cs from row such that {condition}"
        for condition in CONDITIONS
        for number in ("any", draw.choice(NUMBERS))
    ]
    program = _program(zone, choices, need)
    living = dead = 0
    for number, choice in enumerate(choices):
        store = execute.begin(program, 1)
        execute.begin_verb(program, store, f"v{number}", (), program.layout.players[0])
        store.strict = True
        program.run(store, 10)
        assert decisions.question_of(program.op(store.frames[-1])).requirement, choice
        decisions.open_transaction(program, store, program.layout.players[0])
        store.write(SCALARS, DECISIONS, number)
        site = program.op(store.frames[-1])
        while store.frames and program.op(store.frames[-1]) is site:
            found = _menu(program, store)
            with monkeypatch.context() as patched:
                patched.setattr(lookahead, "growth", lambda *given: None)
                assert found == _menu(program, store), choice
            program.memory = None
            living += len(found)
            dead += len(decisions.options(program, store)) - len(found)
            if not found:
                break
            execute.answer(program, store, draw.choice(found), trusted=True)
    assert living > 150
    assert dead > 150
