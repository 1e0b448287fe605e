"""The order of options tells nothing of what lies hidden."""

from pathlib import Path

from rulewright.interpreter.play.api import load_game

RULES = """language 1
game "Pointing" for 2..2 players
use deck(Card) as cards
use winner
table Card for each rank in 1..9
each Card has
  rank: number
each Player has
  hand: cards of Card, seen by owner
to play
  shuffle cards.pile
  as players
    draw 3 from cards to my.hand
  as players[0]
    choose card from Card
  win players[0]
"""


def test_hidden_things_stand_behind_those_that_are_seen(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(RULES, "utf-8")
    game = load_game(str(tmp_path))

    menus = set()
    for seed in range(20):
        labels = [action.label for action in game.new_initial_state(seed).legal_actions()]
        hidden = ["rank" not in label for label in labels]
        menus.add(tuple(hidden))

    assert menus == {(False, False, False, True, True)}
