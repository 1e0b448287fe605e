"""Generated code: its errors are those of the walker, and rule texts stay what they are.

That it plays the same games is a law (`tests/laws/test_lockstep.py`), and it passes the tests of the
executor (`test_generated_rules`).
"""

import ast

import pytest
import written

from rulewright.interpreter.codegen.generated import generate, source
from rulewright.interpreter.engine.executor import advance, begin
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.play.playout import playout
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator

GAME = """
each Player has
  points: number = 0, seen by players
  low:    number from 0 = 0, seen by players
  friend: Player?, seen by players
  many:   list of number = [], seen by players
each Card has
  rank: number
table Card for each rank in 1..5
the game has, seen by players
  deck: pile of Card = Card
  rows: row of Card
define none_of(n: number) = (1..n) where it > 5
define shared(p: Player) = 10 / p.points
"""

WRONG = {
    "in a block": "set players[0].points to 1 / players[0].points",
    "in a loop": "for each p in players\n    set p.points to 1 / p.points",
    "in a loop in a loop": "for each p in players\n    for each n in 1..3\n"
    "      set p.points to n / p.points",
    "in an action": "halve players[0]",
    "in an action in a loop": "for each p in players\n    halve p",
    "in a define": "set players[0].points to shared(players[0])",
    "in a condition": "if some p in players has 3 / p.points > 1\n    nothing",
    "behind what is found": "set players[0].points to 1\n"
    "  if (players where 3 / its.points > 0) is not empty\n    nothing",
    "behind so many": "set players[0].points to 1\n"
    "  if count(players where 3 / its.points > 0) > 0\n    nothing",
    "behind the first": "set players[0].points to 1\n"
    "  set players[1].friend to first(players where 3 / its.points > 0)",
    "behind the best": "set players[0].points to 1\n"
    "  set players[1].friend to first(players having most 3 / its.points)",
    "out of the range": "add -1 to players[0].low",
    "out of the range in a loop": "for each p in players\n    add -1 to p.low",
    "an item that is not there": "set players[0].points to players[0].many[2]",
    "a number without end": "set players[0].points to 1000000000000000\n"
    "  add players[0].points to players[0].points",
    "the first of nothing, added": "add first(none_of(3)) to players[0].points",
    "the first of nothing, set": "set players[0].points to first(none_of(3))",
    "the first of nothing in a name": "let n = first(none_of(3))\n  set players[0].points to n",
    "so often": "repeat first(none_of(3)) times\n    add 1 to players[0].points",
    "from nothing on": "as players[0]\n    choose n from first(none_of(3))..3",
    "so many": "as players[0]\n    choose first(none_of(3)) ns from 1..3",
    "so many dice": "let rolled = roll(first(none_of(3)), 6)\n  set players[0].many to rolled",
    "no card": "move the(Card where its.rank > 7) to rows",
    "as a player": "as players\n    set my.points to 7 mod my.points",
}

ACTIONS = """
to halve p: Player
  set p.points to 1 / p.points
to nothing_much
  set players[1].points to 1
"""


def error_of(program: Program) -> PlayError:
    """Return the rules error of a game."""
    store = begin(program)
    with pytest.raises(PlayError) as caught:
        advance(program, store)
    return caught.value


@pytest.mark.parametrize("steps", WRONG.values(), ids=WRONG)
def test_a_rules_error_is_that_of_the_walker(steps: str) -> None:
    rules = (GAME, ACTIONS, f'to play\n  {steps}\n  as players\n    may "Go on"\n      nothing')
    game = written.linked(*rules)
    walked, quick = load_program(game, 2), load_program(game, 2)
    generate(quick)

    expected, found = error_of(walked), error_of(quick)

    assert (found.code, found.span, found.arguments) == (
        expected.code,
        expected.span,
        expected.arguments,
    )
    assert found.stack[0] == expected.stack[0]


def test_a_loop_without_end_is_an_error() -> None:
    steps = "repeat while players[0].points is 0\n    nothing_much"
    game = written.linked(GAME, ACTIONS, f"to play\n  {steps}\n  end game")
    program = load_program(game, 2)
    generate(program)

    assert error_of(program).code == "RW702"


TEXT = "'); raise SystemExit #{me}\\\\"


def test_texts_of_rules_are_no_code() -> None:
    rules = f"""
    each Player has
      said: text = "", seen by players
    to play
      as players
        say
    to say "{TEXT}"
      may "{TEXT}"
        set my.said to "'); raise SystemExit #"
      if my.said is "'); raise SystemExit #"
        add_up
    to add_up
      nothing
    """
    game = written.linked(rules)
    program = load_program(game, 2)

    ast.parse(source(program, tuple(game.verbs)))
    for seed in range(4):
        assert playout(written_game(program), seed).finished


def written_game(program: Program) -> object:
    """Return a program as a game for playouts."""
    from rulewright.interpreter.play.api import Game

    return Game(program.game, program, tuple(seat.name for seat in program.layout.players))


def nested(depth: int) -> str:
    """Return so many loops in each other."""
    lines = [f"{'  ' * level}for each n{level} in 1..1" for level in range(1, depth + 1)]
    return "\n".join([*lines, "  " * (depth + 1) + "add 1 to players[0].points"])


def doubling(depth: int) -> str:
    """Return defines of which each uses the next one twice."""
    lines = [
        f"define d{level}(n: number) = d{level + 1}(n) - d{level + 1}(n) + n"
        for level in range(depth)
    ]
    return "\n".join([*lines, f"define d{depth}(n: number) = n + players[0].points"])


LARGE = {
    "loops in loops": ("", nested(15)),
    "more loops than Python takes": ("", nested(24)),
    "defines that use each other": (doubling(12), "  set players[0].points to d0(3)"),
    "a deep value": ("", "  set players[0].points to " + "(1 + " * 60 + "2" + ")" * 60),
    "a long way": ("", "\n".join("  add 1 to players[0].points" for _ in range(400))),
}


COINS = """
each Coin has
  size: number
table Coin for each size in 1..3
the game has, seen by players
  row: cards of Coin = Coin
  sizes: number = 0
"""
NEVER = """
to play
  if count(row) > 3
    set sizes to d0(first(row))
  end game
"""


def test_defines_about_a_thing_that_use_each_other_twice_are_looked_through_once() -> None:
    lines = [
        f"define d{level}(c: Coin): number = d{level + 1}(c) - d{level + 1}(c) + c.size"
        for level in range(36)
    ]
    lines += ["define d36(c: Coin): number = c.size + count(row)"]
    program = load_program(written.linked(COINS, "\n".join(lines), NEVER), 2)
    generate(program)

    program.lane.play(begin(program), Generator("agents"), 10)

    assert program.lane.given_up == 0


@pytest.mark.parametrize("rules", LARGE.values(), ids=LARGE)
def test_what_is_large_is_played_all_the_same(rules: tuple[str, str]) -> None:
    declared, steps = rules
    game = written.linked(GAME, declared, f"to play\n{steps}\n  end game")
    found = []
    for generated in (False, True):
        program = load_program(game, 2)
        if generated:
            generate(program)
        store = begin(program)
        advance(program, store)
        found.append(store.columns[program.layout.slots["Player.points"]])

    assert found[0] == found[1]
    assert found[0][0] != 0


def test_what_python_does_not_take_leaves_the_rest_alone() -> None:
    more = """
    to go_on
      as players
        may "Score"
          add 1 to my.points
    """
    game = written.linked(GAME, more, f"to play\n{nested(24)}\n  go_on\n  end game")
    program = load_program(game, 2)
    generate(program)

    assert all(playout(written_game(program), seed).finished for seed in range(5))

    tracks = program.lane.tracks
    assert tracks.names.refused == 1
    # The decision after the loops is on a track all the same.
    assert any(step.__code__.co_filename == "<rules>" for step in tracks.decisions)
    assert program.lane.given_up == 0


def test_rule_texts_stand_beside_the_source() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    to play
      add 3 to players[0].points
      for each p in players
        add 1 to p.points
    """
    game = written.linked(rules)

    text = source(load_program(game, 2), ("play",))

    assert "# play: from add 3 to players[0].points\n" in text
    assert "    # add 3 to players[0].points" in text
    assert "for " in text.replace("# for", "")
    ast.parse(text)


def test_a_driver_that_says_what_comes_is_served_by_the_walker() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    to play
      as players
        let rolled = roll(1, 6)
        set my.points to sum(rolled)
    """
    game = written.linked(rules)
    program = load_program(game, 2)
    generate(program)
    store = begin(program)
    store.explicit_chance = True

    advance(program, store)

    assert store.frames != []
