"""No half row: the register of constructs, what the walker evaluates and what generated code prints are the same
classes; the example of each row holds the construct, and is worth the same for both."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import attrs
import pytest
import written

from rulewright.dsl import model
from rulewright.dsl.model import register, visitor
from rulewright.dsl.model.constructs import Construct, Function, parameters_of
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck import calls
from rulewright.interpreter.codegen import generated
from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.printing import emit
from rulewright.interpreter.printing.templates import variable
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import evaluate, places
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

RULES = """
kind Suit is one of [red, green, blue]
option length: number in 3..5 = 4 "How long?"

each Card has
  value: number
  suit:  Suit
each Card has, seen by players
  holder: Player?
table Card for each value in 1..4, suit in Suit

each Spot has
  name:   text
  number: number
each Spot has, seen by players
  taker: Player?
table Spot
  | name  | number |
  | North | 1      |
  | East  | 2      |
  | South | 3      |
  | West  | 4      |
define behind(s: Spot) = first(Spot where its.number is s.number + 1)
define beside(s: Spot) = Spot where its.number is s.number + 1 or its.number is s.number - 1

each Player has, seen by players
  hand:   cards of Card, seen by owner
  seen:   cards of Card
  chosen: slot of Card
  coins:  number = 2
the game has, seen by players
  deck:  pile of Card = Card, seen by []
  row:   row of Card
  round: number = 1
  worth: number per Suit = 1

to play
  shuffle deck
  as players
    move top(2, deck) to my.hand
  move top(2, deck) to row
  repeat 3 times
    as players
      turn
    add 1 to round
  end game "over"
to turn
  either "Take"
    choose spot from Spot where its.taker is none
    set spot.taker to me
    choose card from row
    set card.holder to me
    move card to my.seen
    move top(deck) to row
  or "Lay"
    choose card from my.hand
    move my.chosen to row
    move card to my.chosen
    add card.value to worth[card.suit]
  or "Pay"
    choose n from 1..3
    pay n
to pay n: number
  need my.coins >= n else "too dear"
  add -n to my.coins
"""

NOT_PRINTED = {
    model.TextOf: "it depends on who reads it; texts are no part of what a track does",
    model.FamilyOf: "families that are written out are start values",
    model.Contents: "printed where it is counted or moved; its value is the walker's, which knows who sees it",
    model.Lambda: "printed where it is applied",
}
"""The classes that are left to the closures of the walker, with the reason."""

WALKED = {
    register.REPEATED_LIST: "nobody has written it: it is rare",
    register.FUNCTION_BY_NAME["components"]: "nobody has written it: a search through things",
    register.FUNCTION_BY_NAME["path_length"]: "the same",
}
"""The rows of printed classes that are left to them."""

NOT_EVALUATED = {model.Chance: "executed by a step, which draws"}


def named(row: Construct) -> str:
    return row.key if isinstance(row.key, str) else f"{row.key.__name__} {row.example[:12]}"


def declared(number: int, row: Construct) -> str:
    """Return the example as lines of a rule file."""
    if row.example.startswith(("define ", "to ", "change ", "example ")):
        return row.example
    if isinstance(row, Function) and row.chance:
        return f"to sample_{number}\n  let drawn = {row.example}\n  show drawn to players"
    return f"define sample_{number} = {row.example}"


@cache
def sampled() -> Program:
    """Return the game with the examples of all rows."""
    found = (declared(number, row) for number, row in enumerate(register.ROWS))
    return written.loaded(RULES, *dict.fromkeys(found))


@cache
def rows_found() -> dict[Construct, list[Span]]:
    """Return where the constructs of all rows stand in the game, and in its steps as they run."""
    program = sampled()
    game = program.game
    steps = [op.step for verb in game.verbs for op in program.code[verb] if op.step is not None]
    found: dict[Construct, list[Span]] = {}
    for body in (game.defines.values(), game.verbs.values(), game.examples, steps):
        for one in visitor.walk(tuple(body)):
            if isinstance(one, model.Node):
                found.setdefault(row_of(one), []).append(one.span)
    return found


def row_of(node: model.Node) -> Construct:
    """Return the row of a node as the register lists it."""
    row = register.construct(node)
    return row if row in register.ROWS else register.FUNCTION_BY_NAME[str(row.key)]


def classes(union: object) -> set[type]:
    return set(get_args(union))


def test_every_expression_and_place_has_a_row() -> None:
    rows = {row.key for row in register.ROWS if isinstance(row.key, type)}
    functions = {model.Builtin, model.Lookup, model.Can, model.Chance}

    assert rows | functions == classes(model.Argument)
    assert not rows & functions


def test_every_row_is_evaluated() -> None:
    assert set(evaluate.HANDLERS) | NOT_EVALUATED.keys() == classes(model.Expression)
    assert set(places.PLACES) == classes(model.Place)


def test_every_function_is_typed_by_its_row_or_by_a_rule_of_its_own() -> None:
    regular = [one for one in register.FUNCTIONS if one.result is not None]
    names = {name for one in regular for form in one.forms for name in parameters_of(form)}
    ruled = {one.name for one in register.FUNCTIONS if one.result is None and not one.chance}

    assert names == {"xs", "pile", "n", "x", "a", "b", "next", "good", "neighbours"}
    assert ruled - {"lookup"} == set(calls._TYPINGS)


def test_every_row_is_printed_or_there_is_a_reason() -> None:
    assert set(generated.HANDLERS.parts) | NOT_PRINTED.keys() == set(evaluate.HANDLERS)
    assert not set(generated.HANDLERS.parts) & NOT_PRINTED.keys()


@pytest.mark.parametrize("row", register.ROWS, ids=named)
def test_columns_name_fields_of_the_class(row: Construct) -> None:
    if not isinstance(row.key, type):
        return
    fields = set(visitor.part_names(row.key))

    assert set(row.uses) <= fields
    if row.binds is not None:
        assert {row.binds.name, row.binds.over, row.binds.source or row.binds.name} <= fields


@pytest.mark.parametrize("row", register.ROWS, ids=named)
def test_an_example_holds_the_construct(row: Construct) -> None:
    text = declared(register.ROWS.index(row), row)
    spans = rows_found()[row]
    start = spans[0].source.text.index(text)

    assert any(start <= span.start < start + len(text) for span in spans)


# --------------------------------------------------------------------------------- worth the same


@attrs.frozen
class Printed:
    """What generated code says a define is worth, and what it has left to the walker for it."""

    code: Any
    walked: frozenset[type]


def printed(program: Program, body: model.Expression) -> Printed:
    """Return an expression as a function of its own."""
    names = generated.generate(program).names
    left: set[type] = set()

    class Noting(emit.Function):
        def walked(self, node: model.Expression, scope: emit.Scope) -> emit.Part:
            left.add(type(node))
            return super().walked(node, scope)

    function = Noting(names, generated.HANDLERS)
    part = function.part(body, emit.Scope(emit.Made(variable("me"))))
    name = names.fresh("sample_")
    names.functions.append(function.finished(name, ["S", "me"], function.tree(part)))
    names.compile()
    return Printed(names.space[name], frozenset(left))


@cache
def stores() -> tuple[Store, ...]:
    """Return the states of some random games at their decisions."""
    program = sampled()
    found = []
    for seed in range(8):
        store, random = executor.begin(program, seed), Generator(f"register {seed}")
        executor.advance(program, store)
        while pending(program, store) is not None:
            found.append(store.clone())
            value = lookahead.pick_random(program, store, random)
            executor.answer(program, store, value)
    return tuple(found[::3])


def said(code: Any, *given: Any) -> Value | str:
    try:
        return code(*given)
    except PlayError as error:
        return error.code


DEFINED = [
    row
    for row in register.ROWS
    if declared(register.ROWS.index(row), row).startswith("define samp")
]


@pytest.mark.parametrize("row", DEFINED, ids=named)
def test_an_example_is_worth_the_same_walked_and_printed(row: Construct) -> None:
    program = sampled()
    define = program.game.defines[f"sample_{register.ROWS.index(row)}"]
    walked = program.evaluator.define(define.id)
    made = printed(program, define.body)

    compared = 0
    for store in stores():
        for me in program.layout.players:
            one = said(walked, store.clone(), me, {})
            try:
                other = said(made.code, store.clone(), me)
            except emit.SLOW:
                continue
            assert one == other, me
            compared += 1
    assert compared
    assert bool(made.walked - NOT_PRINTED.keys()) == (row in WALKED)
