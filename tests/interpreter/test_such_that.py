"""What a `such that` is made of decides what is offered: never more, never less than trying out would."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from written import loaded

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.lookahead import later_requirements, lookahead, search
from rulewright.interpreter.lookahead.completions import completions
from rulewright.interpreter.program import decisions
from rulewright.interpreter.state.layout import DECISIONS, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

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
    program.decision_cache = None
    return list(lookahead.living(program, store))


BEHIND = '\n  let all = cs\n  need {condition} else "not so"'


@pytest.mark.parametrize("need", ["", '\n  need count(cs) is not 2 else "not two"', BEHIND])
@pytest.mark.parametrize("zone", ["row", "cards"])
def test_the_menu_is_what_trying_out_all_selections_gives(
    zone: str, need: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(f"{zone} {need}")
    choices = [
        f"{number} cs from row"
        + (need.format(condition=condition) if need == BEHIND else f" such that {condition}{need}")
        for condition in (CONDITIONS[::4] if need == BEHIND else CONDITIONS)
        for number in ("any", draw.choice(NUMBERS))
    ]
    program = _program(zone, choices, "")
    living = dead = 0
    for number, choice in enumerate(choices):
        store = executor.begin(program, 1)
        executor.begin_verb(program, store, f"v{number}", (), program.layout.players[0])
        store.strict = True
        program.run(store, 10)
        question = decisions.question_of(program.op(store.frames[-1]))
        assert later_requirements.later_requirement(program, question) or question.requirement, (
            choice
        )
        decisions.open_transaction(program, store, program.layout.players[0])
        store.write(SCALARS, DECISIONS, number)
        site = program.op(store.frames[-1])
        while store.frames and program.op(store.frames[-1]) is site:
            found = _menu(program, store)
            with monkeypatch.context() as patched:
                for module in (lookahead, search):
                    patched.setattr(module, "completions_of", lambda *given, **more: None)
                assert found == _menu(program, store), choice
            program.decision_cache = None
            living += len(found)
            dead += len(decisions.options(program, store)) - len(found)
            if not found:
                break
            executor.answer(program, store, draw.choice(found), trusted=True)
    assert living > (30 if need == BEHIND else 150)
    assert dead > (30 if need == BEHIND else 150)


AHEAD = """
each Card has
  rank: number, seen by owner
table Card for each rank in 1..6
each Player has
  hand: cards of Card, seen by owner
the game has, seen by players
  limit: number = 5
to play
  move Card where its.rank <= 3 to players[0].hand
  move Card where its.rank > 3 to players[1].hand
  as players[0]
    choose 2 ns from 1..30
    {behind}
    need sum(ns) is 59 else "not enough"
"""


@pytest.mark.parametrize(
    ("behind", "only"),
    [
        ("", ["29"]),
        ('need sum(ns) > limit else "too little"', ["29"]),
        ("let double = sum(ns) * 2", ["29"]),
        # What is hidden ends the look-ahead before the requirement.
        ("let foe = sum(players[1].hand each its.rank)", None),
        ("set limit to 3", None),
    ],
)
def test_a_requirement_right_behind_is_decided_with_the_question(
    behind: str, only: list[str] | None
) -> None:
    program = loaded(AHEAD.format(behind=behind))
    store = executor.begin(program, 1)
    executor.advance(program, store)

    question = decisions.question_of(program.op(store.frames[-1]))
    found = later_requirements.later_requirement(program, question)
    alike, asked = program.alike, decisions.current(program, store)
    assert (completions(alike, store, asked, found) is not None) is (only is not None)
    if only is not None:
        assert [str(one) for one in _menu(program, store)] == only
        assert program.decision_cache is not None
        assert program.decision_cache.spent < 200


ORDERS = (
    "cs is (cs sorted by fewest its.n)",
    "cs is (cs sorted by most its.suit)",
    "(cs each its.n) is [2, 3, 5, 5]",
    "cs is not (cs sorted by fewest its.n, then most its.suit)",
    "first(cs).suit is green",
    "first(cs).suit is last(cs).suit",
    "last(cs).n is 5 or cs[1].n is 3",
    "top(cs).n is 5 or cs[1].n is 3",
    "sum(reversed(cs) each its.n) is 14",
    "sum(join(cs each [its.n, 1])) is 19 and first(cs).suit is green",
    "cs[0].n < cs[1].n and cs[1].n < cs[2].n",
    "every i in 1..2 has cs[i].n >= cs[i - 1].n",
    "no c in cs has c is cs[1] and c.suit is green",
    "sum(cs each its.n) is 15 and cs[2].n is 3",
    "sum(cs each its.n) is 14",
    "count(cs) is 4 and max(cs each its.n) is last(cs).n",
    "count(distinct(cs each its.suit)) is 2 and cs[3].n is 5",
    "cs[0].n + cs[1].n is cs[2].n",
    "worth(cs where its.suit is red) is 2 + 5 - 5 and first(cs).n is 3",
    "alike(cs) or cs[3].suit is red",
    "first(2, cs) is not last(2, cs)",
    "reversed(cs) is (cs sorted by fewest its.n)",
    "first(cs) in last(3, cs)",
)


def test_an_order_is_decided_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = [f"ordered cs from pair such that {condition}" for condition in ORDERS]
    rules = CARDS.replace("| 2      | 2  | red   |", "| 1      | 2  | red   |")
    rules = rules.replace("| 1      | 5  | red   |", "| 0      | 5  | red   |")
    verbs = "\n".join(
        f"to v{number}\n  let pair = row where its.n > 0\n  choose {choice}\n  move cs to gone"
        for number, choice in enumerate(choices)
    )
    program = loaded(f"{rules.replace('ROW', 'row')}\n{verbs}\nto play\n  as players\n    v0\n")
    draw, dead, pruned = random.Random(1), 0, 0
    for number, choice in enumerate(choices):
        store = executor.begin(program, 1)
        executor.begin_verb(program, store, f"v{number}", (), program.layout.players[0])
        program.run(store, 10)
        decisions.open_transaction(program, store, program.layout.players[0])
        store.write(SCALARS, DECISIONS, number)
        site = program.op(store.frames[-1])
        while store.frames and program.op(store.frames[-1]) is site:
            found = _menu(program, store)
            with monkeypatch.context() as patched:
                spent = program.decision_cache.spent if program.decision_cache else 0
                patched.setattr(search.Search, "_fails_later", lambda *given: False)
                assert found == _menu(program, store), choice
                pruned += (
                    program.decision_cache is not None and program.decision_cache.spent > spent
                )
            program.decision_cache = None
            dead += len(decisions.options(program, store)) - len(found)
            if not found:
                break
            executor.answer(program, store, draw.choice(found), trusted=True)
    assert dead > 20
    assert pruned > 10


NUMBERED = (
    "a + b + c is 11",
    "a * b - c > 14",
    "a - b >= limit and c < 3",
    "a is 2 or b + c > 8",
    "double is c * 2",
    "a in [1, 4] and double > 7",
    "not (a + c < 7)",
    "every n in [a, b] has n > c",
    "(if a > 2 then b + c is 3 else c is 4)",
    "low(a, c) and b is 5",
    "a mod 2 is 1 and a * 3 > b + 2 * c",
    "limit > a and top(pile).n > -9",
)


def test_numbers_are_decided_by_where_the_later_ones_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = CARDS.replace("ROW", "row").replace(
        "  gone: cards of Card\n",
        "  gone: cards of Card\n  pile: pile of Card = Card\n  limit: number = 2\n",
    )
    rules = rules.replace("row: row of Card = Card", "row: row of Card")
    rules += "define low(x: number, y: number): flag = x + y < 4\n"
    verbs = "\n".join(
        f"to v{number}\n  choose a from 1..4\n  choose b from a..5\n  let double = a + b\n"
        f'  choose c from 0..b\n  need {condition} else "no"'
        for number, condition in enumerate(NUMBERED)
    )
    program = loaded(f"{rules}\n{verbs}\nto play\n  as players\n    v0\n")
    dead = 0
    for number, condition in enumerate(NUMBERED):
        store = executor.begin(program, 1)
        executor.begin_verb(program, store, f"v{number}", (), program.layout.players[0])
        program.run(store, 10)
        decisions.open_transaction(program, store, program.layout.players[0])
        store.write(SCALARS, DECISIONS, number * 10)
        while store.frames and program.op(store.frames[-1]).kind == "decide":
            found = _menu(program, store)
            with monkeypatch.context() as patched:
                patched.setattr(search.Search, "_fails_later", lambda *given: False)
                assert found == _menu(program, store), condition
            dead += len(decisions.options(program, store)) - len(found)
            if not found or len(store.frames) > 1:
                break
            program.decision_cache = None
            executor.answer(program, store, found[-1], trusted=True)
    assert dead > 15
