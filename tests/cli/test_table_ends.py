"""At the table: games that end before anybody is asked, and rules that cannot go on."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulewright.interpreter.play import save_format
from rulewright.interpreter.play.save_format import text_of

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


SECRETS = """language 1
game "Oracle" for 2..2 players
use turns(turn)
use seats
each Player has
  secret: number from 0 = 2, seen by owner
  shown: number from 0 = 2, seen by players
  list_of: list of number = [7, 8], seen by owner
the game has, seen by players
  t: number = 0
to play
  play_in_turns
to turn
  add 1 to t
  STEPS
  if t > 6
    end game "x"
ranking
  most my.secret
"""


@pytest.mark.parametrize(
    ("steps", "told", "hidden"),
    [
        ("add -k to left_of(me).secret", "`secret` becomes …, outside of …", "-2"),
        ("add -k to my.secret", "`secret` becomes -2, outside of 0 and more", ""),
        ("add -k to left_of(me).shown", "`shown` becomes -2, outside of 0 and more", ""),
        ("set t to left_of(me).list_of[k]", "no place … in a list of …", "of 2"),
        ("split s of my.secret - k over players", "… cannot be distributed", "-2"),
    ],
)
def test_a_rules_error_tells_a_person_only_what_he_sees_and_the_table_goes_on(
    steps: str, told: str, hidden: str, tmp_path: Path, rulewright: Run
) -> None:
    steps = steps.replace("split", "choose split")
    game = written(tmp_path, SECRETS.replace("STEPS", f"choose k from 0..4\n  {steps}"))
    save = tmp_path / "k.save"

    typed = f"4\nsave {save}\n1\nquit\n"
    found = rulewright(f"play {game} --seed 1", typed)

    assert (found.status, found.stderr) == (0, "")
    error, after = found.stdout.split("P1> 4\n")[1].split("P1> save")
    error = error.replace(str(game), "")
    assert told in error and "the game is as it was before" in error and "answer of P1: 4" in error
    assert not hidden or hidden not in error
    assert "Saved to" in after and "mistake" not in after
    again = rulewright(f"play --load {save} {game}", "quit\n")
    assert again.status == 0 and "Choose k" in again.stdout


def test_a_rules_error_after_the_answer_of_a_program_tells_no_secret(
    tmp_path: Path, rulewright: Run
) -> None:
    steps = "choose k from [3, 4]\n  add -k to my.secret"
    game = written(tmp_path, SECRETS.replace("STEPS", steps))

    found = rulewright(f"play {game} --seed 1 --seat 1=random --seat 2=human")

    assert (found.status, found.stderr) == (1, "")
    assert "`secret` becomes …, outside of …" in found.stdout
    assert "answer of" not in found.stdout


def test_a_forced_answer_that_the_rules_cannot_carry_out_leaves_a_way_out(
    tmp_path: Path, rulewright: Run
) -> None:
    steps = "choose k from [3]\n  add -k to left_of(me).secret"
    game = written(tmp_path, SECRETS.replace("STEPS", steps))
    save = tmp_path / "k.save"

    found = rulewright(f"play {game} --seed 1", f"save {save}\n3\nquit\n")

    assert found.status == 0 and save.is_file()
    assert found.stdout.count("`secret` becomes …") == 2


SHARED = """language 1
game "Shares" for 3..3 players
each Player has, seen by players
  n: number = 0
to play
  as first(players)
    CHOOSE
    for each p in players
      add d[p] to p.n
  end game "now"
ranking
  most my.n
"""


@pytest.mark.parametrize(
    ("choose", "whole"),
    [
        ("3 over players", "3 0 0"),
        ("3 over players up to 2", "2 1 0"),
        ("3 over players such that d[players[1]] > 0", "2 1 0"),
        ("9 over players such that d[players[2]] > 8", ""),
    ],
)
def test_the_distribution_that_is_suggested_fits(
    choose: str, whole: str, tmp_path: Path, rulewright: Run
) -> None:
    game = written(tmp_path, SHARED.replace("CHOOSE", f"choose split d of {choose}"))

    asked = rulewright(f"play {game}", "quit\n").stdout
    assert ("all of them at once" in asked) == bool(whole)
    if whole:
        assert f"at once: {whole})" in asked
        assert "The game is over" in rulewright(f"play {game}", f"{whole}\n").stdout


MEMORY = """language 1
game "Memory" for 2..2 players
use turns(turn)
each Tile has
  pic: number
table Tile
  | copies | pic |
  | 2      | 1   |
  | 2      | 2   |
  | 2      | 3   |
the game has
  board: row of Tile = Tile, seen by []
to play
  shuffle board
  play_in_turns
to turn
  choose a from board
  show a to players
  choose b from board without [a]
  show [a, b] to players
  if a.pic is b.pic
    end game "pair"
ranking
  most count(board)
"""


def test_what_lies_face_down_in_a_row_is_called_by_its_place(
    tmp_path: Path, rulewright: Run
) -> None:
    asked = rulewright(f"play {written(tmp_path, MEMORY)} --seed 1", "4\nquit\n").stdout
    first, second = asked.split("P1> 4\n")

    for number in range(1, 7):
        label = f"a face-down Tile (number {number})"
        assert f"  {number}  {label}\n" in first
        assert (label in second) == (number != 4)
    assert "  5  a face-down Tile (number 6)\n" in second


def test_the_log_tells_from_where_in_a_row_something_is_shown(
    tmp_path: Path, rulewright: Run
) -> None:
    game = written(tmp_path, MEMORY)

    found = rulewright(f"play {game} --seed 1", "4\n5\nlog all\nquit\n").stdout
    log = found.split("log all\n")[1]

    assert re.search(r"^P1 shows Tile \(pic \d\) to all: number 4 of board$", log, re.MULTILINE)
    assert re.search(r"^P1 shows .* to all: numbers 4, 6 of board$", log, re.MULTILINE)


def test_of_what_is_shown_to_others_only_it_is_not_told_from_where(
    tmp_path: Path, rulewright: Run
) -> None:
    game = written(tmp_path, MEMORY.replace("show a to players", "show a to me"))
    typed = "4\n5\n\nlog\n"

    found = rulewright(f"play {game} --seed 1 --seat 2=human", typed).stdout

    assert "P1 shows something to P1\n" in found.split("Nobody else should look")[1]


def test_a_game_saved_before_that_was_noted_is_still_the_same(
    tmp_path: Path, rulewright: Run
) -> None:
    game, save = written(tmp_path, MEMORY), tmp_path / "k.save"
    rulewright(f"play {game} --seed 1", f"4\n5\nsave {save}\n")
    found = save_format.read(save.read_text(encoding="utf-8"))
    assert any(one.kind == "show" and len(one.data) == 4 for one in found.events)
    events = [
        attrs.evolve(one, data=one.data[:2] if one.kind == "show" else one.data)
        for one in found.events
    ]
    earlier = tmp_path / "earlier.save"
    earlier.write_text(text_of(attrs.evolve(found, events=events)), encoding="utf-8")

    for path in (save, earlier):
        again = rulewright(f"play {game} --load {path}", "quit\n")
        assert (again.status, again.stderr) == (0, "") and "difference" not in again.stdout
