"""Rules from anybody that want to run, grow or search without end: they end in a rules error.

The checker refuses most of these games before they start; here it is not asked, so that what stops
them is the interpreter. No test measures time: the alarm is there so that a hang is a failure.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from alarm import _alarm  # noqa: F401

from rulewright.dsl import model
from rulewright.dsl.checks import all_checks
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.store import Store

HEAD = 'language 1\ngame "Test" for 1..4 players\n'

FIELDS = """
each Player has, seen by players
  n: number = 1
the game has, seen by players
  xs: list of number = [1]
  t: text = "ab"
  k: number = 3
"""


@pytest.fixture
def unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], model.Game]:
    """Return what makes a game of rules without asking whether it can be played at all."""

    def link(rules: str) -> model.Game:
        folder = tmp_path / "tested"
        folder.mkdir(exist_ok=True)
        (folder / "game.rules").write_text(HEAD + textwrap.dedent(rules), encoding="utf-8")
        with monkeypatch.context() as patched:
            patched.setattr(all_checks, "check_all", lambda context: None)
            return compile_game(str(folder)).model_or_raise()

    return link


@pytest.fixture
def played(unchecked: Callable[[str], model.Game]) -> Callable[..., tuple[Program, Store]]:
    """Return what plays a game to its first decision; searches that grow too large are errors."""

    def play(rules: str, *, strict: bool = True) -> tuple[Program, Store]:
        program = load_program(unchecked(rules), 2)
        store = executor.begin(program, 1)
        store.strict = strict
        executor.advance(program, store)
        return program, store

    return play


Played = Callable[..., tuple[Program, Store]]


def steps(text: str) -> str:
    """Return a game that consists of these steps."""
    return f"{FIELDS}to play\n{textwrap.indent(textwrap.dedent(text).strip(), '  ')}\n"


def asked(text: str) -> str:
    """Return a game in which the players take these steps one after the other."""
    return steps("as players\n" + textwrap.indent(textwrap.dedent(text).strip(), "  "))


def doubling(last: str) -> str:
    """Return defines, each of which uses the next one twice; the checker wants no more."""
    chain = "".join(f"define d{i} = d{i + 1} + d{i + 1}\n" for i in range(38))
    return f"{chain}define d38 = {last}\n"


# ------------------------------------------------------------------------------- what runs too long


STEPS = "RW702"

LONG = "RW709"

LARGE = "RW710"

DEEP = "RW711"

TEXT = "RW713"

TRIGGERS = "RW714"

SEARCH = "RW703"

ENDLESS = {
    "a loop": (steps("repeat\n  nothing"), STEPS),
    "a loop that does something": (steps("repeat while k > 0\n  add 1 to k"), STEPS),
    "a billion passes": (steps("repeat 1000000000 times\n  nothing"), STEPS),
    "loops in loops": (
        steps("for each a in 1..1000\n  for each b in 1..1000\n    set k to a + b"),
        STEPS,
    ),
    "a loop that draws": (
        steps("repeat\n  repeat 1000 times\n    nothing\n  set k to random([1, 2])"),
        STEPS,
    ),
    "a loop that asks nothing": (
        asked("repeat\n  may 'x'\n    need k is 0 else 'no'".replace("'", '"')),
        STEPS,
    ),
    "a loop that tries much": (
        asked(
            """
            repeat
              may "x"
                set k to sum(1..500 as a each sum(1..500 as b each a + b))
                need k is 0 else "no"
            """
        ),
        STEPS,
    ),
    "lists in lists": (
        steps(
            """
            set k to sum(1..1000 as a each sum(1..1000 as b each sum(1..1000 as c each a + b + c)))
            """
        ),
        STEPS,
    ),
    "a start value": (
        FIELDS + "each Player also has, seen by players\n"
        "  m: number = sum(1..2000 as a each sum(1..2000 as b each a + b))\nto play\n  nothing\n",
        STEPS,
    ),
    # What everybody sees is worked out once.
    "defines that double": (FIELDS + doubling("10000 * k") + "to play\n  set k to d0\n", LARGE),
    "defines of a secret that double": (
        FIELDS
        + "the game has, seen by []\n  secret: number = 3\n"
        + doubling("secret")
        + "to play\n  set k to d0\n",
        STEPS,
    ),
    "defines that double lists": (
        FIELDS + doubling("[k]") + "to play\n  set xs to d0\n",
        (STEPS, LONG),
    ),
    "a verb that calls itself": (FIELDS + "to play\n  again\nto again\n  again\n", DEEP),
    "verbs that call each other": (FIELDS + "to play\n  one\nto one\n  two\nto two\n  one\n", DEEP),
    "a verb that does itself": (FIELDS + "to play\n  one\nto one\n  do [one][0]\n", DEEP),
    "a verb before itself": (
        FIELDS + "to play\n  one\nto one\n  nothing\nbefore one\n  one\n",
        DEEP,
    ),
    "a verb that calls itself twice": (
        FIELDS + "to play\n  one 150\nto one n: number\n  if n > 0\n    one n - 1\n    one n - 1\n",
        STEPS,
    ),
    "a trigger that triggers another": (
        FIELDS + "as soon as k is 4\n  set k to 5\nas soon as k is 5\n  set k to 4\n"
        "to play\n  set k to 4\n",
        TRIGGERS,
    ),
    "triggers that never rest": (
        FIELDS + "as soon as k mod 2 is 0\n  add 1 to k\nas soon as k mod 2 is 1\n  add 1 to k\n"
        "to play\n  set k to 4\n",
        TRIGGERS,
    ),
    "a walk": (steps("set k to count(walk(1, it + 1, yes))"), LONG),
    "a reach": (steps("set k to count(reach(1, [it + 1, it * 2]))"), (STEPS, LONG)),
    "a path": (steps("set k to path_length(1, 0, [it + 1, it * 2])"), STEPS),
}


@pytest.mark.parametrize(("rules", "code"), ENDLESS.values(), ids=ENDLESS)
def test_what_runs_for_ever_ends(played: Played, rules: str, code: str) -> None:
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code in code


# ----------------------------------------------------------------------------- what grows too large


LONG_RUNS = ("lists turned",)

GROWING = {
    "a list that doubles": (steps("repeat 64 times\n  set xs to xs + xs"), LONG),
    "a list added to itself": (steps("repeat 64 times\n  add xs to xs"), LONG),
    "a list repeated": (steps("set xs to 1000000000 * [1]"), LONG),
    "a list repeated twice": (steps("set xs to 99999 * [1]\nset xs to 99999 * xs"), LONG),
    "a number that is squared": (steps("repeat 64 times\n  set k to k * k"), LARGE),
    "a number that is added up": (steps("repeat 64 times\n  add k to k"), LARGE),
    "a text that doubles": (steps('repeat 64 times\n  set t to "{t}{t}"'), TEXT),
    "a text of a list": (steps('let r = 1..90000\nset t to "{r}"'), TEXT),
    "a range": (steps("let r = 1..1000000000\nset k to count(r)"), LONG),
    "a loop over a range": (steps("for each n in 1..1000000000\n  add 1 to k"), LONG),
    "a list of a range": (steps("set k to sum(1..1000000000 each it)"), LONG),
    "rolls": (steps("let r = roll(1000000000, 6)\nset k to count(r)"), LONG),
    "sides": (steps("let r = roll(2, 1000000000)\nset k to count(r)"), LONG),
    "draws": (steps("let r = random(90000, 1..90000)\nset k to count(r)"), STEPS),
    "a shuffle": (steps("let r = shuffled(1..90000)\nset k to count(r)"), STEPS),
    "lists joined": (steps("let r = 1..90000\nset xs to join(r each r)"), (STEPS, LONG)),
    "lists copied": (steps("let r = 1..90000\nset k to count(r each count(r + r))"), STEPS),
    "lists turned": (steps("set xs to 1..90000\nrepeat\n  set xs to reversed(xs)"), STEPS),
    "lists compared": (
        steps("let r = 1..90000\nlet q = 1..90000\nset k to count(r where r is q)"),
        STEPS,
    ),
    "members searched": (steps("let r = 1..90000\nset k to count(r where it in r)"), STEPS),
    "places searched": (steps("let r = 1..90000\nset k to sum(r each position(it, r))"), STEPS),
    "cleared": (
        steps("let r = 1..90000\nset k to count(r as a where ([a] without r) is empty)"),
        STEPS,
    ),
    "a list that grows": (steps("repeat 190000 times\n  add 1 to xs"), (STEPS, LONG)),
    "a list that shrinks": (
        steps("set xs to 1..90000\nfor each n in reversed(xs)\n  remove n from xs"),
        STEPS,
    ),
}


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        pytest.param(*found, id=name, marks=pytest.mark.slow if name in LONG_RUNS else ())
        for name, found in GROWING.items()
    ],
)
def test_what_grows_without_bound_ends(played: Played, rules: str, code: str) -> None:
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code in code


def test_large_numbers_that_need_no_list_are_fine(played: Played) -> None:
    _, store = played(steps("if 5 in 1..1000000000\n  set k to 7"))

    assert 7 in [column[0] for column in store.columns if len(column) == 1]


# -------------------------------------------------------------------------------- what is tried out


VERB = FIELDS + 'to v n: number\n  need n < 0 else "no"\n'

DEEP_VERB = (
    FIELDS + "to v n: number\n  for each i in 1..30\n    choose y from [1, 2]\n"
    '  need n < 0 else "no"\n'
)

PLAYERS = "to play\n  as players\n"

SEARCHES = {
    "any of forty": asked("choose any ys from 1..40 such that sum(ys) * count(ys) is -1"),
    "forty in order": asked("choose ordered ys from 1..40 such that ys[39] * ys[38] is -1"),
    "twelve of forty": asked("choose 12 ys from 1..40 such that sum(ys) * count(ys) is -1"),
    "any of a field": asked(
        "set xs to 1..40\nchoose any ys from xs such that count(ys) is 20 and ys[1] * ys[2] is -1"
    ),
    "one decision after the other": asked(
        'for each i in 1..30\n  choose y from [1, 2]\nneed k is 0 else "no"'
    ),
    "a thousand decisions": asked(
        'for each i in 1..1000\n  choose y from [1, 2]\nneed k is 0 else "no"'
    ),
    "yes or no": asked('for each i in 1..300\n  may "x"\n    add 1 to k\nneed k > 1000 else "no"'),
    "arms": asked(
        'for each i in 1..100\n  either "a"\n    add 1 to k\n  or "b"\n    add 2 to k\n'
        'need k is 0 else "no"'
    ),
    "a billion numbers": asked('choose y from 1..1000000000\nneed y is 999999999 else "no"'),
    "much for each option": asked(
        "choose y from 1..90000\n"
        "set k to sum(1..1000 as a each sum(1..900 as b each a + b))\n"
        'need k is 0 else "no"'
    ),
    "searches for a menu": DEEP_VERB + PLAYERS + "    choose y from 1..90000 where can(v(it))\n",
}


@pytest.mark.parametrize("rules", SEARCHES.values(), ids=SEARCHES)
def test_a_search_without_end_is_given_up(played: Played, rules: str) -> None:
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code in (SEARCH, STEPS)


@pytest.mark.parametrize("rules", SEARCHES.values(), ids=SEARCHES)
def test_in_play_what_could_not_be_proved_is_offered(played: Played, rules: str) -> None:
    try:
        program, store = played(rules, strict=False)
    except PlayError as error:
        # Also without a search the menu alone can be too much.
        assert error.code == STEPS
    else:
        assert pending(program, store) is not None
        assert next(lookahead.living(program, store), None) is not None


NEVER = {
    "a choice out of a billion": (
        asked("choose y from 1..1000000000 such that y is 7"),
        STEPS,
    ),
    "a verb that asks whether it can be done": (
        FIELDS + 'to v\n  need can(v) else "no"\n' + PLAYERS + "    v\n",
        DEEP,
    ),
    "verbs that ask for each other": (
        FIELDS
        + 'to v\n  need can(w) else "no"\nto w\n  need can(v) else "no"\n'
        + PLAYERS
        + "    v\n",
        DEEP,
    ),
    "a define that asks for its verb": (
        FIELDS + 'define d: flag = can(v)\nto v\n  need d else "no"\n' + PLAYERS + "    v\n",
        DEEP,
    ),
}


@pytest.mark.parametrize(("rules", "code"), NEVER.values(), ids=NEVER)
def test_a_question_that_cannot_be_asked_is_an_error(played: Played, rules: str, code: str) -> None:
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code == code


def test_a_question_with_very_many_answers_is_no_list(played: Played) -> None:
    program, store = played(asked("choose y from 1..1000000000"))

    assert len(decisions.options(program, store)) == 1_000_000_000
    executor.answer(program, store, 999_999_999)


def test_a_trial_of_what_runs_for_ever_leaves_the_game_as_it_was(played: Played) -> None:
    program, store = played(
        asked(
            "choose y from [1, 2]\nadd y to k\nfor each i in 1..90000\n  add i to my.n"
            "\n  add -i to my.n\n  set k to k"
        ),
        strict=False,
    )
    before = repr(store.columns)

    lives = list(lookahead.living(program, store))

    assert lives == [1, 2]
    assert repr(store.columns) == before
    with pytest.raises(PlayError) as caught:
        executor.answer(program, store, 1)
    assert caught.value.code == STEPS


def test_results_can_be_asked_for_again_and_again(played: Played) -> None:
    # What is looked at when the game stands still is no part of the last step.
    program, store = played(
        asked("choose y from [1, 2]")
        + "ranking\n  most sum(1..500 as a each sum(1..500 as b each a + b)) + my.n\n"
    )

    for _ in range(12):
        assert program.scoring.standing(store).places == (1, 1)
        program.decision_cache = None
        assert list(lookahead.living(program, store)) == [1, 2]


def test_a_ranking_without_end_is_an_error(played: Played) -> None:
    program, store = played(
        asked("choose y from [1, 2]")
        + "ranking\n  most sum(1..5000 as a each sum(1..5000 as b each a + b))\n"
    )

    with pytest.raises(PlayError) as caught:
        _ = program.scoring.standing(store).places
    assert caught.value.code == STEPS
