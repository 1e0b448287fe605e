"""Games and variants in a folder of the user's: every command takes them, wherever one stands."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PORCH = Path(__file__).parent / "files" / "porch"

SNOW = """\
language 1
variant "Snow" of {game}
option flakes: number in 1..9 = 3 "How many flakes?"
ruling melts: flag = no "Does it melt?"
the game {also}has, seen by players
  snow: number = 0
before turn
  if not melts
    add flakes to snow
"""

COMMANDS = (
    "check {game} {variant}",
    "rules {game} {variant} {option}",
    "coverage {game} {variant} {option} -n 1",
    "playout {game} {variant} {option} -n 2",
    "play {game} {variant} {option} --agents random --seed 1",
    "why {game} {variant} {option} --seed 1",
    "graph {game} turn {variant} --format mermaid",
)


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game and a variant beside it; one stands in another folder."""
    shutil.copytree(PORCH, tmp_path / "mine" / "porch")
    (tmp_path / "rules").mkdir()
    snow = SNOW.format(game="porch", also="")
    (tmp_path / "rules" / "snow.rules").write_text(snow, "utf-8")
    other = SNOW.format(game="tic_tac_toe", also="also ")
    (tmp_path / "rules" / "snow_of_the_shelf.rules").write_text(other, "utf-8")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda line: line.split()[0])
@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("../mine/porch", "../rules/snow.rules"),
        ("../mine/porch/game.rules", "../rules/snow.rules"),
        ("{away}/mine/porch", "{away}/rules/snow.rules"),
        ("tic_tac_toe", "../rules/snow_of_the_shelf.rules"),
    ],
    ids=["folder", "file", "absolute", "shelf"],
)
def test_every_command_takes_a_game_and_a_variant_of_ones_own(
    command: str, game: str, variant: str, away: Path, rulewright: Callable[..., Any]
) -> None:
    line = command.format(
        game=game.format(away=away),
        variant=f"--variant {variant.format(away=away)}",
        option="--option flakes=7 --option melts=yes",
    )

    done = rulewright(line)

    assert done.status == 0, done.stderr
    assert done.stdout


def test_options_of_a_variant_count(away: Path, rulewright: Callable[..., Any]) -> None:
    line = "rules ../mine/porch --variant ../rules/snow.rules"

    assert "option flakes = 3. How many flakes?" in rulewright(line).stdout
    chosen = rulewright(f"{line} --option flakes=7 --option melts=yes").stdout
    assert "option flakes = 7 (otherwise 3)" in chosen
    assert "ruling melts = yes (otherwise no)" in chosen


def test_slips_are_answered_with_what_was_meant(away: Path, rulewright: Callable[..., Any]) -> None:
    line = "playout ../mine/porch --variant ../rules/snow.rules -n 1"
    Path("near.rules").write_text('language 1\nvariant "Near" of tic_tac_toe\n', "utf-8")
    for wrong, message in (
        (f"{line} --option flake=7", "did you mean `flakes`?"),
        (f"{line} --option flakes=12", "`12` is no value of"),
        (f"{line} --option melts=yess", "`yess` is no value of"),
        (line.replace("snow.rules", "snwo.rules"), "did you mean `../rules/snow.rules`?"),
        ("rules ../mine/porch --variant Forst", "did you mean `Frost`?"),
        ("rules tic_tac_toe --variant near", "did you mean the file `./near.rules`?"),
        ("rules ../mine/prch", "did you mean `../mine/porch`?"),
        ("list ../mine", "the folder of a game holds a file `game.rules`"),
    ):
        done = rulewright(wrong)
        assert done.status == 2 and message in done.stderr, (wrong, done.stderr)
        assert done.stderr.count("\n") == 1


def test_list_shows_a_game_of_ones_own(away: Path, rulewright: Callable[..., Any]) -> None:
    done = rulewright("list ../mine/porch")

    assert done.status == 0, done.stderr
    assert done.stdout.startswith("../mine/porch: Porch, 1 to 3 players\n")
    assert 'variant "Frost" (frost)' in done.stdout


def test_a_saved_game_with_a_variant_of_ones_own_asks_for_its_file(
    away: Path, rulewright: Callable[..., Any]
) -> None:
    snow = f"--variant {away / 'rules' / 'snow_of_the_shelf.rules'}"
    rulewright(f"play tic_tac_toe {snow} --seed 1", "save mine.toml\nquit\n")

    alone = rulewright("why tic_tac_toe --load mine.toml")
    named = rulewright(f"why tic_tac_toe {snow} --load mine.toml")

    assert alone.status == 2
    assert "saved with the variant `Snow`: it does not belong to the game" in alone.stderr
    assert named.status == 0
