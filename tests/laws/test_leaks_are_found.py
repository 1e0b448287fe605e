"""The laws about secrets can fail: games and engines that tell a secret are caught."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from histories import CannotAnswer, Diverged, history, replayed
from playing import Rules, Start, linked, play
from worlds import Renaming, another_world, differences, exchanged, recollection, told, view

from rulewright.dsl.analysis.watched_questions import WatchedQuestions
from rulewright.dsl.checks import all_checks
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.play.playout import playout
from rulewright.interpreter.semantics.events import Witnesses
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.state.visibility import Visibility

TRIES = 20

GAME = """\
language 1
game "Secrets" for 2..2 players
use deck(Card) as cards
each Card has
  rank: number
table Card for each rank in 1..8
each Player has
  hand: cards of Card, seen by owner
  guesses: number = 0, seen by players
  sealed: number = 1, seen by owner
  die: number = 1, seen by [owner]
define foe = first(players without [me])
to play
  shuffle cards.pile
  as players
    draw 2 from cards to my.hand
  repeat 3 times
    as players
      turn
ranking
  most my.guesses
to turn
"""

FAIR = """
choose n from 1..3 ask "How many? You hold {my.hand}, your foe {count(foe.hand)}"
add n to my.guesses
"""

PROMPT = """
choose n from 1..3 ask "Your foe has {sum(foe.hand each its.rank)}"
add n to my.guesses
"""

SOURCE = """
choose n from 1..sum(foe.hand each its.rank)
add n to my.guesses
"""

SEALED = """
set my.sealed to random(1..9)
choose n from 1..foe.sealed
add n to my.guesses
"""

DICE = """
set my.die to random(1..6)
either "Guess" when foe.die > 3
  add 1 to my.guesses
or "Pass"
"""

ROLLED = """
set my.die to random(1..6)
choose n from 1..3 ask "Your foe has rolled {foe.die}"
add n to my.guesses
"""

ARMS = """
either "Guess" when sum(foe.hand each its.rank) > 8
  add 1 to my.guesses
or "Pass"
"""

REASON = """
choose deed from [guess, wait]
do deed
to wait
  nothing
to guess
  need my.guesses < 0 else "your foe holds {sum(foe.hand each its.rank)}"
  add 1 to my.guesses
"""

COUNTER = """
choose n from 1..3
set my.guesses to sum(foe.hand each its.rank)
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Rules]:
    """Return what makes a game of the steps of a turn; who may read what is not checked."""

    def make(steps: str) -> Rules:
        folder = tmp_path / "secrets"
        folder.mkdir()
        turn, _, more = textwrap.dedent(steps).strip().partition("\nto ")
        text = GAME + textwrap.indent(turn, "  ") + (f"\nto {more}" if more else "") + "\n"
        (folder / "game.rules").write_text(text, encoding="utf-8")
        with monkeypatch.context() as patched:
            patched.setattr(all_checks, "check_all", lambda context: None)
            rules = Rules(folder)
            linked(rules)
        return rules

    return make


def told_apart(rules: Rules) -> set[str]:
    """Return the parts of what players are told in which one of several worlds differs."""
    found: set[str] = set()
    for seed in range(TRIES):
        start = Start(rules, 2, seed, seed)
        generator = Generator(seed)
        for moment in play(start).moments:
            for player in start.program.layout.players:
                other = another_world(start.program, moment.store, player, generator)
                here = view(start.program, moment.store, player)
                found.update(differences(here, view(start.program, other, player)))
                found.update(_remembered_apart(start.program, moment.store, player, generator))
    return found


def _remembered_apart(
    program: Program, store: Store, player: Thing, generator: Generator
) -> set[str]:
    other = another_world(program, store, player, generator, told(program, store, player))
    here, there = (recollection(program, one, player) for one in (store, other))
    return {"recollection"} if here != there else set()


def told_apart_in_time(rules: Rules) -> bool:
    """Return whether a game that is played again with other cards is another one for a player."""
    for seed in range(TRIES):
        start = Start(rules, 2, seed, seed)
        player = start.program.layout.players[seed % 2]
        past = history(start, player, 8)
        exchange = exchanged(past.unseen, Generator(seed), swaps=2)
        try:
            other = replayed(start, past, Renaming(start.program, exchange), player)
        except Diverged:
            continue
        except CannotAnswer:
            return True
        stores = past.telling.store, other.store
        here, there = (recollection(start.program, store, player) for store in stores)
        if here != there:
            return True
    return False


def test_a_fair_game_tells_nothing(game: Callable[[str], Rules]) -> None:
    rules = game(FAIR)

    assert told_apart(rules) == set()
    assert not told_apart_in_time(rules)


@pytest.mark.parametrize("generated", [False, True], ids=["walker", "generated"])
@pytest.mark.parametrize(
    "steps", [PROMPT, SOURCE, ARMS, REASON], ids="prompt source arms reason".split()
)
def test_play_stops_where_a_question_tells_a_secret(
    game: Callable[[str], Rules], steps: str, generated: bool
) -> None:
    rules = game(steps)

    with pytest.raises(PlayError) as found:
        if generated and steps in (SOURCE, ARMS):
            playout(game_of(linked(rules), 2), 1)
        told_apart(rules)

    assert found.value.code == "RW735"


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let questions read what they like, so that only the laws can find it."""
    monkeypatch.setattr(WatchedQuestions, "may_peek", lambda self, node, offered=False: False)


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize(
    ("steps", "part"),
    [
        pytest.param(PROMPT, "decision", id="a prompt that tells"),
        pytest.param(SOURCE, "options", id="options that tell"),
        pytest.param(ARMS, "options", id="arms that tell"),
        pytest.param(SEALED, "options", id="options that tell a sealed number"),
        pytest.param(DICE, "options", id="arms that tell a die"),
        pytest.param(ROLLED, "decision", id="a prompt that tells a die"),
        pytest.param(REASON, "possible verbs", id="a reason that tells"),
        pytest.param(REASON, "explanations", id="an explanation that tells"),
    ],
)
def test_rules_that_tell_a_secret_are_caught(
    game: Callable[[str], Rules], steps: str, part: str
) -> None:
    assert part in told_apart(game(steps))


def test_what_a_rule_says_openly_is_no_leak(game: Callable[[str], Rules]) -> None:
    rules = game(COUNTER)

    assert told_apart(rules) == set()
    assert not told_apart_in_time(rules)


@pytest.mark.usefixtures("unwatched")
def test_a_question_that_depends_on_a_secret_is_caught(game: Callable[[str], Rules]) -> None:
    assert told_apart_in_time(game(ARMS))


def test_an_engine_that_shows_too_much_is_caught(
    game: Callable[[str], Rules], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = game(FAIR)
    monkeypatch.setattr(Visibility, "sees", lambda self, store, place, player: True)

    assert "observation" in told_apart(rules)


def test_an_engine_that_tells_everybody_what_happens_is_caught(
    game: Callable[[str], Rules], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = game(FAIR)
    monkeypatch.setattr(Witnesses, "seers", lambda self, store, place: self.everybody)

    assert "recollection" in told_apart(rules)
    assert told_apart_in_time(rules)
