"""Nobody is ever stuck: a dead end that was not foreseen leads back to the menu, without the option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from unittest.mock import ANY

import pytest
from written import linked

from rulewright.interpreter.agents.agent import RandomAgent
from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.play import playout, record
from rulewright.interpreter.play.api import State, game_of
from rulewright.interpreter.state.errors import IllegalActionError, PlayError
from rulewright.interpreter.terminal.console import Dialog, Leave
from rulewright.interpreter.terminal.repl import Repl
from rulewright.interpreter.testing.verify import verify

END = """
ranking
  most 1
"""
RULES = f"""
the game has, seen by players
  passed: number = 0
to play
  as players
    turn
to turn
  either "Deep"
    choose a from 1..9
    choose b from 1..30
    need (a + b) mod 100 > 99 else "never enough"
  or "Pass"
    add 1 to passed
{END}"""
TWO_QUESTIONS = f"""
the game has, seen by players
  taken: number = 0
to play
  as players
    may "Deep"
      choose a from 1..9
      choose b from 1..30
      need (a + b) mod 100 > 99 else "never enough"
    may "Take"
      add 1 to taken
{END}"""
SEVERAL = f"""
the game has, seen by players
  taken: number = 0
to play
  as players
    either "Some"
      choose 2 xs from [1, 2, 3, 4]
      for each n in 1..40
        add 1 to taken
      need 4 in xs else "never enough"
    or "Pass"
      add 1 to taken
{END}"""

MAY = f"""
the game has, seen by players
  passed: number = 0
to play
  as players
    may "Deep"
      choose a from 1..9
      choose b from 1..30
      need (a + b) mod 100 > 99 else "never enough"
{END}"""
NARROW = f"""
to play
  as players
    choose a from 1..5
    choose b from 1..5
    choose c from 1..5
    need a * 25 + b * 5 + c is 88 else "not this one"
{END}"""
THINGS = f"""
the game has, seen by players
  taken: number = 0
to play
  as players
    either "Some"
      choose 2 xs from [1, 2, 3, 4]
      for each n in 1..40
        add 1 to taken
      choose b from 1..2
      for each n in 1..40
        add 1 to taken
      need 4 in xs else "never enough"
    or "Pass"
      add 1 to taken
{END}"""
AT_ONCE = f"""
the game has, seen by players
  passed: number = 0
to play
  as players together
    either "Deep"
      choose a from 1..9
      choose b from 1..30
      need (a + b) mod 100 > 99 else "never enough"
    or "Pass"
      add 1 to passed
{END}"""
AT_ONCE_AND_NOBODY = f"""
neutral empire "The Empire"
the game has, seen by players
  passed: number = 0
to play
  as [empire, players[0], players[1]] together
    either "Deep"
      for each n in 1..40
        add 1 to passed
      choose a from 1..3
      for each n in 1..40
        add 1 to passed
      need a < -9 else "never enough"
    or "Pass"
      add 1 to passed
    choose c from 1..4
    for each n in 1..40
      add 1 to passed
    need c is 3 else "never enough"
{END}"""
FOR_NOBODY = """
neutral empire "The Empire"
the game has, seen by players
  n: number = 0
  m: number = 0
to wait
  for each k in 1..40
    add 1 to m
to play
  as empire{decided}
  as players[0]
    choose m from 1..2
ranking
  most m
"""

Begin = Callable[[str], State]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Begins a game in which look-ahead comes to its end in the shortest searches only."""
    monkeypatch.setattr(lookahead, "share", lambda asked, spent: 12)
    monkeypatch.setattr(search, "TRIAL_LIMIT", 12)
    return lambda rules: game_of(linked(rules), 2).new_initial_state(seed=1)


def labels(state: State) -> list[str]:
    return [one.label for one in state.legal_actions()]


def until_taken_back(state: State, menu: str = "Choose one") -> None:
    """Answer until the question is asked again."""
    for _ in range(100):
        if state.prompt() == menu:
            return
        state.apply_action(0)
    raise AssertionError("nothing was taken back")


@pytest.mark.parametrize("generated", [False, True], ids=["walked", "generated"])
def test_a_dead_end_leads_back_to_the_menu_without_the_option(
    begun: Begin, generated: bool
) -> None:
    state = begun(RULES)
    if generated:
        generate(state.game.program)
    assert [(one.label, one.unproved) for one in state.legal_actions()] == [
        ("Deep", True),
        ("Pass", False),
    ]

    state.apply_action("Deep")
    until_taken_back(state)

    assert labels(state) == ["Pass"]
    assert state.setback == ("never enough",)
    assert state.history() == ()
    assert not state.can_undo()
    with pytest.raises(IllegalActionError, match="never enough"):
        state.apply_action("Deep")
    state.apply_action("Pass")
    assert state.setback == ()
    assert [one.label for one in state.history()] == ["Pass"]


def test_a_question_that_is_settled_by_it_is_passed_over(begun: Begin) -> None:
    state = begun(TWO_QUESTIONS)

    state.apply_action(0)
    until_taken_back(state, "Take?")

    assert labels(state) == ["Take", 'no "Take"']


def test_what_was_answered_before_can_still_be_taken_back(begun: Begin) -> None:
    rules = RULES.replace(
        "    turn\n", "    choose first from 1..2\n    add first to passed\n    turn\n"
    )
    state = begun(rules)
    state.apply_action("2")
    state.apply_action("Deep")
    until_taken_back(state)

    assert [one.label for one in state.history()] == ["2"]
    state.undo()
    assert (state.history(), state.setback, state.prompt()) == ((), (), "Choose first")


def test_several_things_at_once_are_given_or_not(begun: Begin) -> None:
    state = begun(SEVERAL)
    state.apply_action("Some")
    before = state.clone()

    with pytest.raises(IllegalActionError, match="this selection is not possible: never enough"):
        state.answer_whole([0, 1])

    assert state.store == before.store
    assert state.history() == before.history()
    state.answer_whole([0, 3])
    assert [one.label for one in state.history()] == ["Some", "1, 4"]


def test_a_save_after_it_goes_the_same_way(begun: Begin) -> None:
    state = begun(RULES)
    state.apply_action("Deep")
    until_taken_back(state)

    for _ in range(2):
        loaded = record.load(record.save(state), state.game)
        assert loaded.history() == state.history()
        assert loaded.store == state.store
        state.apply_action("Pass")
    assert state.is_terminal()


def test_a_game_that_was_saved_on_the_way_is_taken_back_as_well(begun: Begin) -> None:
    state = begun(RULES)
    state.apply_action("Deep")
    state.apply_action("4")

    loaded = record.load(record.save(state), state.game)
    until_taken_back(loaded)

    assert loaded.history() == ()
    assert labels(loaded) == ["Pass"]


def test_random_games_come_to_their_end(begun: Begin) -> None:
    game = begun(RULES).game

    found = playout.playout(game, seed=3)

    assert found.finished
    assert found.decisions == 2


def test_what_would_take_for_ever_is_given_up(begun: Begin) -> None:
    questions = "\n".join(f"    choose {name} from 1..9" for name in "cdefgh")
    game = begun(RULES.replace("    need", f"{questions}\n    need")).game

    found = playout.playout(game, seed=3)

    assert found.finished
    assert found.decisions == 2


def test_check_reports_it_with_the_reason(begun: Begin) -> None:
    begun(RULES)

    found = verify(linked(RULES), [2], playouts=4)

    assert {one.code.code for one in found} == {"RW703"}
    assert {one.notes[0] for one in found} == {"never enough"}


def test_what_was_come_back_to_is_asked_though_one_answer_is_left(begun: Begin) -> None:
    state = begun(MAY)
    state.apply_action(0)
    until_taken_back(state, "Deep?")

    assert labels(state) == ['no "Deep"']
    state.apply_action(0)
    assert record.load(record.save(state), state.game).store == state.store


def test_a_way_out_is_found_however_late(begun: Begin) -> None:
    """After many times whole options of the first menu are given up, also the one that leads out."""
    game = begun(NARROW).game

    for seed in range(5):
        assert playout.playout(game, seed=seed).finished


def test_of_several_things_that_were_given_at_once_the_first_stay(begun: Begin) -> None:
    state = begun(THINGS)
    state.apply_action("Some")
    state.answer_whole([0, 1])
    while len(state.history()) != 2 or state.history()[-1].whole:
        state.apply_action(0)

    assert [(one.label, one.whole) for one in state.history()] == [("Some", False), ("1", False)]
    assert not state.can_undo()
    loaded = record.load(record.save(state), state.game)
    assert (loaded.store, loaded.history()) == (state.store, state.history())


# ------------------------------------------------------------------------------ several at once


def test_who_acts_while_others_do_goes_back_alone(begun: Begin) -> None:
    state = begun(AT_ONCE)
    state.apply_action("Deep", 1)
    state.apply_action("Deep", 0)

    state.apply_action(0, 1)
    assert state.setback == ("never enough",)
    while len(state.history()) > 1:
        state.apply_action(0, 1)
    assert [(one.player, one.label) for one in state.history()] == [(0, "Deep")]
    assert [one.label for one in state.legal_actions(1)] == ["Pass"]
    assert [one.label for one in state.legal_actions(0)] == [str(number) for number in range(1, 10)]
    assert not state.can_undo(1)
    state.undo(0)
    assert (state.history(), state.current_players()) == ((), (0, 1))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("explicit", [False, True], ids=["drawn", "told"])
def test_games_at_once_are_saved_at_every_point(begun: Begin, seed: int, explicit: bool) -> None:
    game, random = begun(AT_ONCE_AND_NOBODY).game, Random(seed)
    state = game.new_initial_state(seed=seed, explicit_chance=explicit)
    taken_back = 0

    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_chance(random.choice(state.chance_outcomes()))
        else:
            player = random.choice(state.current_players())
            if state.can_undo(player) and random.random() < 0.1:
                state.undo(player)
            else:
                state.apply_action(random.choice(state.legal_actions(player)), player)
        taken_back += state.store.setback is not None
        loaded = record.load(record.save(state), game)
        assert (loaded.store, loaded.history()) == (state.store, state.history())
    assert taken_back


@pytest.mark.parametrize("seed", range(3))
def test_random_games_at_once_are_the_same_in_both_executors(begun: Begin, seed: int) -> None:
    *_, walked = playout.states(begun(AT_ONCE_AND_NOBODY).game.program, seed)
    found = playout.playout(begun(AT_ONCE_AND_NOBODY).game, seed)

    assert found.finished
    assert found.decisions == decided(walked)


# ------------------------------------------------------------------------- players without a seat


NOBODY = {
    "one": """
    choose a from 1..5
    wait
    choose b from 1..5
    wait
    need a + b > 9 else "never enough"
    set n to a""",
    "either": """
    either "Deep"
      wait
      need n > 9 else "never enough"
    or "Pass"
      set n to 5""",
    "may": """
    may "Deep"
      set n to 5
    wait
    need n is 5 else "never enough"
    wait""",
    "several": """
    choose 2 xs from [1, 2, 3, 4]
    wait
    need 4 in xs and 3 in xs else "never enough"
    set n to 5""",
    "split": """
    choose split d of 3 over players
    wait
    need d[players[0]] is 2 else "never enough"
    set n to 5""",
    "two": """
    choose a from 1..5
    wait
    choose 2 xs from [1, 2, 3, 4]
    wait
    need 4 in xs and a > 4 else "never enough"
    set n to a""",
}
"""What is decided for nobody; all come out with an n of 5."""


@pytest.mark.parametrize("explicit", [False, True], ids=["drawn", "told"])
@pytest.mark.parametrize("decided", NOBODY.values(), ids=NOBODY)
def test_chance_decides_once_more_for_nobody(begun: Begin, decided: str, explicit: bool) -> None:
    game = begun(FOR_NOBODY.format(decided=decided)).game
    random, taken_back = Random(1), 0
    for seed in range(3):
        state = game.new_initial_state(seed=seed, explicit_chance=explicit)
        taken_back += state.store.setback is not None
        while state.is_chance_node():
            state.apply_chance(random.choice(state.chance_outcomes()))
            taken_back += state.store.setback is not None
            assert state.setback == ()
            loaded = record.load(record.save(state), game)
            assert (loaded.store, loaded.history()) == (state.store, state.history())
        assert state.prompt() == "Choose m"
        assert state.observation(0)["game"] == {"n": 5, "m": ANY}
    assert taken_back


def test_rules_that_leave_nobody_a_way_out_are_stuck(begun: Begin) -> None:
    hopeless = FOR_NOBODY.format(
        decided='\n    choose a from 1..5\n    wait\n    need a > 9 else "never"'
    )

    with pytest.raises(PlayError) as caught:
        begun(hopeless)

    assert caught.value.code == "RW701"


# --------------------------------------------------------------------------------------- the table


class Lines(Dialog):
    """Types what it is given, and keeps what is said."""

    is_live = False

    def __init__(self, typed: list[str]) -> None:
        self.typed = typed
        self.said: list[str] = []

    def say(self, line: str = "", style: str = "") -> None:
        self.said.append(line)

    def ask(self, prompt: str, words: object) -> str:
        if not self.typed:
            raise Leave
        return self.typed.pop(0)


def _table(state: State, typed: list[str], agents: Mapping[int, RandomAgent]) -> list[str]:
    dialog = Lines(typed)
    Repl(state, agents, dialog, 1000).run()
    return dialog.said


def test_who_sits_at_the_table_is_told_why_he_chooses_again(begun: Begin) -> None:
    deep = RULES.replace("a + b", "n + a + b").replace(
        "choose b", "choose n from 1..9\n    choose b"
    )

    said = _table(begun(deep), ["1"] + ["2"] * 20, {1: RandomAgent(0)})

    assert "  1  Deep (may lead nowhere)" in said
    assert any(line.startswith("  (may lead nowhere: 1") for line in said)
    again = said.index("That could not be carried out: choose again.")
    assert said[again + 1] == "  never enough"


def test_nobody_is_told_why_somebody_else_chooses_again(begun: Begin) -> None:
    class Deep(RandomAgent):
        def choose(self, seat: Seat) -> Action:
            return seat.actions[0]

    state = begun(RULES)

    said = _table(state, [], {0: Deep(0)})

    assert "never enough" not in "\n".join(said)
