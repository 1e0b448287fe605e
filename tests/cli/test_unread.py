"""What has no effect in any set of variants, as `check` tells it."""

from pathlib import Path

from rulewright.interpreter.cli.check import examine

GAME = """language 1
game "Idle" for 2..2 players
unit wood, iron
kind Suit is one of [hearts, spades]
kind Way is one of [up, down]
option unread: number = 1
option for_a_variant: number = 1
each Player has, seen by players
  coins: number = 0
  load: iron = 0
  moves: number per Way = 0
  dead: number = 0
  told: number = 0
the game has
  written: number = 0, seen by []
define nobody = 3
define checked = 4
to play
  add 1 to written
  for each player in players
    set player.told to player.load + player.moves[up]
  end game "over"
tally score: number
  coins: my.coins
  bonus: 0
ranking
  most my.score
check "it is four": checked is 4
"""
VARIANT = """language 1
variant "A" of idle
after play
  set written to for_a_variant
"""


def found_in(folder: Path, game: str) -> list[tuple[str, str]]:
    home = folder / "idle"
    (home / "variants").mkdir(parents=True)
    (home / "game.rules").write_text(game)
    (home / "variants" / "a.rules").write_text(VARIANT)
    found = examine(str(home), ()).diagnostics
    wanted = ("RW640", "RW641", "RW642")
    return [(one.code.code, one.primary.span.text) for one in found if one.code.code in wanted]


def test_what_nothing_reads_is_told(tmp_path: Path) -> None:
    assert found_in(tmp_path, GAME) == [
        ("RW640", "wood"),
        ("RW640", "Suit"),
        ("RW640", "option unread: number = 1"),
        ("RW640", "dead"),
        ("RW640", "written"),
        ("RW640", "define nobody = 3"),
        ("RW642", "to play"),
        ("RW641", "0"),
    ]


def test_what_is_read_somewhere_is_not(tmp_path: Path) -> None:
    more = "player.told to player.load[hearts] + unread + nobody + player.dead +"
    game = GAME.replace("player.told to player.load +", more)
    game = game.replace("  add 1 to written", "  as players\n    choose n from 1..2 + written")
    game = game.replace("  bonus: 0\n", "").replace("load: iron", "load: wood per Suit")
    game = game.replace("unit wood, iron", "unit wood")

    assert found_in(tmp_path, game) == []
