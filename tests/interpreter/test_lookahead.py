"""The look-ahead has its limits, agrees with brute force, and leaves no trace on the shelf."""

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from small_games import GAME, play
from written import begun

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.lookahead.search import Stuck
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

pytestmark = pytest.mark.quick

GAMES = Path(__file__).resolve().parent.parent.parent / "games"


# ------------------------------------------------------------------------------------------ budgets


LARGE = """
    to play
      as players[0]
        choose a from 1..9
        choose b from 1..9
        choose c from 1..9
        choose d from 1..9
        choose e from 1..9
        choose f from 1..9
        need (a + b + c + d + e + f) mod 100 > 99 else "never"
    """


def test_a_search_that_grows_too_large_is_an_error_in_tests() -> None:
    with pytest.raises(PlayError) as caught:
        play(LARGE)

    assert caught.value.code == "RW703"


def test_in_play_what_is_unproved_is_offered() -> None:
    table = begun(GAME, LARGE)
    table.store.strict = False
    executor.advance(table.program, table.store)

    assert table.menu == [str(number) for number in range(1, 10)]


def test_a_mistake_of_the_rules_is_one_in_a_trial_too() -> None:
    rules = """
    to play
      as players[0]
        choose a from 0..2
        set n to 2 / a
        need n > 0 else "no"
    """
    with pytest.raises(PlayError) as caught:
        play(rules)

    assert caught.value.code == "RW704"
    assert [rule.text for rule in caught.value.stack][-1].startswith("play") or caught.value.stack


# ---------------------------------------------------------------- against brute force, on the shelf


Block = list["Step"]

Step = tuple[str, int, list[Block]]


def blocks(depth: int) -> st.SearchStrategy[Block]:
    """Generate blocks of steps that add to a number, ask, branch and require."""
    plain = st.tuples(st.sampled_from(["choose", "need", "mix"]), st.integers(1, 4), st.just([]))
    if depth == 0:
        return st.lists(plain, max_size=3)
    inner = blocks(depth - 1)
    nested = st.tuples(
        st.sampled_from(["either", "if"]),
        st.integers(1, 4),
        st.lists(inner, min_size=2, max_size=2),
    ) | st.tuples(st.just("may"), st.integers(1, 4), st.lists(inner, min_size=1, max_size=1))
    return st.lists(plain | nested, max_size=3)


def written(block: Block, indent: str) -> str:
    """Return a block as rule text."""
    text = ""
    for word, k, inner in block or [("mix", 1, [])]:
        match word:
            case "choose":
                text += f"{indent}choose x from 0..{k}\n{indent}set n to (3 * n + x) mod 13\n"
            case "need":
                text += f'{indent}need n mod {k + 1} is not {k} else "no"\n'
            case "mix":
                text += f"{indent}set n to (2 * n + {k}) mod 13\n"
            case "either":
                text += f'{indent}either "A"\n{written(inner[0], indent + "  ")}'
                text += f'{indent}or "B" when n > {k}\n{written(inner[1], indent + "  ")}'
            case "if":
                text += f"{indent}if n > {2 * k}\n{written(inner[0], indent + '  ')}"
                text += f"{indent}else\n{written(inner[1], indent + '  ')}"
            case "may":
                text += f'{indent}may "C"\n{written(inner[0], indent + "  ")}'
    return text


def lives(steps: Block, n: int) -> bool:
    """Return whether some answers lead through all steps."""
    if not steps:
        return True
    (word, k, inner), rest = steps[0], steps[1:]
    match word:
        case "choose":
            return any(lives(rest, (3 * n + x) % 13) for x in range(k + 1))
        case "need":
            return n % (k + 1) != k and lives(rest, n)
        case "mix":
            return lives(rest, (2 * n + k) % 13)
        case "either":
            return lives(body(inner[0]) + rest, n) or (n > k and lives(body(inner[1]) + rest, n))
        case "if":
            return lives(body(inner[0 if n > 2 * k else 1]) + rest, n)
    return lives(rest, n) or lives(body(inner[0]) + rest, n)


def body(block: Block) -> Block:
    """Return what an empty block is written as."""
    return block or [("mix", 1, [])]


@settings(max_examples=30, deadline=None)
@given(blocks(2), st.integers(0, 12))
def test_the_menu_is_that_of_brute_force(block: Block, start: int) -> None:
    text = written([("choose", 4, []), *block], "        ")
    rules = f"""
    to play
      set n to {start}
      as players[0]
{text}
    """
    expected = [x for x in range(5) if lives(block, (3 * start + x) % 13)]
    try:
        table = play(rules)
    except Stuck:
        assert expected == []
        return

    assert [int(label) for label in table.menu] == expected
    for x in set(range(5)) - set(expected):
        assert table.why(str(x))


def shelf_games() -> list[str]:
    """Return the names of the games of the shelf."""
    return sorted(path.parent.name for path in GAMES.glob("*/game.rules"))


def tried(program: Program, store: Store, value: Value) -> bool:
    """Return whether the trial of an option succeeds, even if no trial is necessary."""
    asked = decisions.current(program, store)
    return search.attempt(program, store, lambda search: search.answer(asked, value)) is None


@pytest.mark.parametrize("name", shelf_games())
def test_games_of_the_shelf_are_played_without_a_trace_of_trials(name: str) -> None:
    game = compile_game(name).model_or_raise()
    program = load_program(game, game.least_players)
    for seed in range(3):
        store = executor.begin(program, seed)
        store.strict = True
        executor.advance(program, store)
        random = Generator(seed)
        for number in range(150):
            if pending(program, store) is None:
                break
            before = store.clone()
            living = list(lookahead.living(program, store))
            assert all(tried(program, store, value) for value in living[:3])
            if number % 10 == 0:
                for value in list(decisions.options(program, store))[:20]:
                    dead = bool(lookahead.explain_dead(program, store, value))
                    assert dead is (value not in living)
            assert store == before
            value = lookahead.pick_random(program, store, random)
            assert value in living
            executor.answer(program, store, value, trusted=True)
