"""Whatever the name of a thing reads: to be told a name changes nothing and decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.checks import all_checks
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.playout import playout

GAME = """\
language 1
game "Boxes" for 2..2 players
use turns(turn)
use deck(Card) as cards
each Card has
  rank: number
table Card for each rank in 1..12
each Player has, seen by players
  points: number = 0
each Box has
  number: number
  inside: pile of Card, seen by VIEWERS
  define height = if this.inside is empty then 0 else top(this.inside).rank
  define name = "box {this.number} over {this.height}"
table Box for each number in 1..3
to play
  shuffle cards.pile
  for each b in Box
    draw 2 from cards to b.inside
    SHUFFLE
  play_in_turns
to turn
  choose box from Box where its.inside is not empty
  let told = "{box}"
  show told to players
  move top(box.inside) to cards.discards
  if every b in Box has b.inside is empty
    end game "over"
ranking
  most my.points
"""


@pytest.fixture(params=["hidden", "shuffled", "hidden and shuffled"])
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game whose names read what nobody sees, or what chance has not decided."""
    viewers = "[]" if "hidden" in request.param else "players"
    shuffle = "shuffle b.inside" if "shuffled" in request.param else "nothing"
    text = GAME.replace("VIEWERS", viewers).replace("SHUFFLE", shuffle)
    path = tmp_path / "boxes.rules"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(all_checks, "check_all", lambda context: None)
    return load_game(str(path))


def told(state: State) -> None:
    """Look at all in which names stand."""
    state.legal_actions()
    state.prompt()
    for player in range(2):
        state.observation(player)
        state.information_state(player)
        state.why("turn", player)


def test_to_be_told_names_changes_nothing(game: Game) -> None:
    state, silent = game.new_initial_state(seed=3), game.new_initial_state(seed=3)
    while not state.is_terminal():
        before = state.store.clone()
        told(state)

        assert state.store == before
        assert state.store.viewer is before.viewer
        assert state.current_players() == silent.current_players()

        number = len(state.history()) % len(state.legal_actions())
        state.apply_action(number)
        silent.apply_action(number)
    assert silent.is_terminal()
    assert state.store == silent.store
    assert state.store.random_state == silent.store.random_state


def test_a_random_game_comes_to_its_end(game: Game) -> None:
    assert playout(game, 1).ending == "over"
