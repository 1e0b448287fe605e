"""At the table: games that end before anybody is asked, and rules that cannot go on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

HEAD = """language 1
game "Short" for 2..2 players
each Player has, seen by players
  n: number = 0
ranking
  most my.n
"""


def written(folder: Path, text: str) -> str:
    """Write a game, and return where it lies."""
    path = folder / "short.rules"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("seats", ["", " --seat 2=human", " --seat 1=random --seat 2=human"])
@pytest.mark.parametrize(
    "rules",
    [
        'to play\n  end game "now"\n',
        'to play\n  as players\n    set my.n to random(0..3)\n    end game "now"\n',
        'to play\n  as players\n    add 1 to my.n\n    may "Go"\n      nothing\n'
        'as soon as some p in players has p.n is 1\n  end game "now"\n',
    ],
)
def test_a_game_may_end_before_anybody_is_asked(
    rules: str, seats: str, tmp_path: Path, rulewright: Run
) -> None:
    found = rulewright(f"play {written(tmp_path, HEAD + rules)} --seed 1{seats}")

    assert (found.status, found.stderr) == (0, "")
    assert "The game is over: now" in found.stdout


def test_a_label_may_stand_in_quotes(rulewright: Run) -> None:
    bare = rulewright("play jump_gate_2e --seed 7", "why research\nrules research\n").stdout
    for begin, end in ('""', "''", "“”"):
        typed = f"why {begin}research{end}\nrules {begin}research{end}\n"
        quoted = rulewright("play jump_gate_2e --seed 7", typed).stdout
        assert quoted.replace(f"{begin}research{end}", "research") == bare
    assert "nothing that can be done" not in bare and "no verb" not in bare


def test_a_saved_game_may_begin_with_a_byte_order_mark(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "k.save"
    rulewright("play tic_tac_toe --seed 1", f"1\nsave {path}\n")
    path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")

    typed = f"load {path}\nsave {path}\n"
    for line, status in (
        (f"replay {path}", 0),
        (f"play --load {path} tic_tac_toe", 0),
        ("play tic_tac_toe --seed 1", 0),
    ):
        found = rulewright(line, "" if line.startswith("replay") else typed)
        assert (found.status, found.stderr) == (status, "")
        assert "cannot" not in found.stdout and "there already" not in found.stdout
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")
