"""Playing from the command line: whole games, saved games, and the keyboard of a terminal."""

import csv
import json
import os
import re
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sharing import LEFT_OUT, shelf_for

from rulewright.interpreter.play import playout
from rulewright.interpreter.play.api import Game

Run = Callable[..., Any]


@pytest.mark.parametrize("name", shelf_for("test_the_same_seed_prints_the_same_game"))
def test_the_same_seed_prints_the_same_game(name: str, rulewright: Run) -> None:
    line = f"play {name} --agents random --seed 11 --limit 400"

    first, second = rulewright(line), rulewright(line)

    assert first.status == 0, first.stderr
    assert first.output == second.output
    assert rulewright(line.replace("11", "12")).output != first.output


def test_an_answer_without_effect_has_a_line_of_its_own(rulewright: Run) -> None:
    lines = rulewright("play jump_gate_2e --players 3 --agents random --seed 7").stdout.splitlines()

    at = lines.index("  P3: Research: draw up to 5 cards, unwanted none")

    assert lines[at + 1].startswith("  P3: Jump to a far-away planet, card NavComp")


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
@pytest.mark.parametrize("seed", range(5))
def test_a_playout_plays_the_game_that_play_prints(name: str, seed: int, rulewright: Run) -> None:
    printed = rulewright(f"play {name} --agents random --seed {seed}").stdout
    counted = rulewright(f"playout {name} -n 1 --seed {seed}").stdout

    (reason,) = re.findall(r"^The game is over: (.*)$", printed, re.MULTILINE)
    winner = re.search(r"^(P\d) wins\.$", printed, re.MULTILINE)

    assert f"  {reason}  1" in counted
    for seat in ("P1", "P2"):
        won = int(winner is not None and winner[1] == seat)
        assert re.search(rf"^  {seat} +{won} ", counted, re.MULTILINE)


def test_playouts_print_the_same_but_for_the_time(rulewright: Run) -> None:
    first, second = (rulewright("playout tic_tac_toe -n 5 --seed 3") for _ in range(2))

    assert first.stdout == second.stdout
    assert first.stderr.endswith(" decisions a second\n")


def test_all_seats_may_be_random_one_by_one(rulewright: Run) -> None:
    by_seat = rulewright("play tic_tac_toe --seed 3 --seat 1=random --seat 2=random")

    assert by_seat.output == rulewright("play tic_tac_toe --seed 3 --agents random").output


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "evening.toml"
    start = "play jump_gate_2e --players 3 --names ann,ben,cleo --variant calm_hole"
    chosen = "--option who_begins=first_seat --option last_claimer_finishes_turn=no"
    typed = f"research\nnone\nsave {path}\nstate\n"

    saved = rulewright(f"{start} {chosen} --seed 7", typed)
    loaded = rulewright(f"play jump_gate_2e --load {path}", "state\n")
    asked = rulewright(f"why jump_gate_2e research --load {path}")

    state = saved.stdout.rpartition("ann> state\n")[2]
    assert f"Saved to {path}." in saved.stdout
    assert "with Calm Black Hole: ann, ben, cleo\n" in loaded.stdout
    assert loaded.stdout.rpartition("ann> state\n")[2] == state
    assert "you (ann)" in state
    assert asked.status == 0 and "this is possible" in asked.stdout


def test_a_saved_game_can_be_overwritten_and_nothing_else(tmp_path: Path, rulewright: Run) -> None:
    game, other = tmp_path / "game.toml", tmp_path / "letter.txt"
    other.write_text("Dear Ann,\n", encoding="utf-8")

    result = rulewright("play tic_tac_toe --seed 7", f"save {game}\n1\nsave {game}\nsave {other}\n")

    assert result.stdout.count(f"Saved to {game}.") == 2
    assert "is there already, and is no saved game" in result.stdout
    assert other.read_text(encoding="utf-8") == "Dear Ann,\n"


def test_a_saved_game_of_other_rules_is_refused(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "game.toml"
    rulewright("play tic_tac_toe --seed 7", f"save {path}\n")

    result = rulewright(f"play connect_four --load {path}")

    assert result.status == 2
    assert result.stderr.count("\n") == 1
    assert "this is a saved game of Tic-tac-toe, not of Connect four" in result.stderr


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("jump_gate_2e --players 3", ["take no"] * 6),
        (
            "jump_gate_2e --players 3 --option who_begins=first_seat --seat 2=human",
            ["take no\n", "take no", "", "take no", "", "take no", "", "take no"],
        ),
        ("connect_four", ["4", "5", "hint", "hint", "3", "2"]),
        ("kuhn_poker", ["hint", "check", "fold"]),
        ("tic_tac_toe --seat 1=random --seat 2=human --variant misere", ["1", "2", "1", "log"]),
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=LEFT_OUT) for seed in (1, 2))])
def test_a_loaded_game_goes_on_as_if_it_had_not_been_interrupted(
    line: str, typed: list[str], seed: int, tmp_path: Path, rulewright: Run
) -> None:
    path, game = tmp_path / "game.toml", line.partition(" ")[0]
    seats = " ".join(re.findall(r"--seat \S+", line))
    before, after = f"{typed[0]}\n", "".join(f"{word}\n" for word in ["state", *typed[1:]])

    whole = rulewright(f"play {line} --seed {seed}", before + after)
    rulewright(f"play {line} --seed {seed}", f"{before}save {path}\n")
    from_file = rulewright(f"play {game} --load {path} --show-seed {seats}", after)
    # Where two people share the keyboard, the other one sits down first.
    enter = "\n" if "\n" in typed[0] else ""
    at_table = rulewright(f"play {line} --seed {seed}", f"load {path}\n{enter}{after}")

    rest = whole.stdout.partition("> state\n")[2]
    assert rest
    assert from_file.stdout.partition("> state\n")[2] == rest
    assert at_table.stdout.partition("> state\n")[2] == rest


def test_what_a_saved_game_says_need_not_be_said_again(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "game.toml"
    given = "--players 2 --seed 7 --names ann,ben --variant misere"
    rulewright(f"play tic_tac_toe {given}", f"save {path}\n")

    again = rulewright(f"play tic_tac_toe {given} --load {path}")
    fewer = rulewright(f"play tic_tac_toe --load {path} --show-seed")

    assert again.status == 0
    assert again.stdout == fewer.stdout


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("jump_gate_2e --seed 8", "it was saved with seed 7, not 8"),
        ("jump_gate_2e --players 2", "it was saved with 3 players"),
        ("jump_gate_2e --names a,b,c", "it was saved with the players P1, P2, P3"),
        ("jump_gate_2e --option who_begins=by_lot", "it was saved with who_begins=first_seat"),
        ("tic_tac_toe", "this is a saved game of Jump Gate, second rule set, not of Tic-tac-toe"),
        ("kuhn_poker", "this is a saved game of Jump Gate, second rule set, not of Kuhn poker"),
    ],
)
@pytest.mark.parametrize("command", ["play", "why"])
def test_what_contradicts_a_saved_game_is_refused(
    command: str, given: str, words: str, tmp_path: Path, rulewright: Run
) -> None:
    path = tmp_path / "game.toml"
    start = "play jump_gate_2e --players 3 --seed 7 --variant calm_hole"
    rulewright(f"{start} --option who_begins=first_seat", f"save {path}\n")

    result = rulewright(f"{command} {given} --load {path}")

    assert (result.status, result.stdout) == (2, "")
    assert result.stderr == f"rulewright: `{path}` cannot be loaded: {words}\n"


def test_a_saved_game_with_other_variants_is_refused(tmp_path: Path, rulewright: Run) -> None:
    path, plain = tmp_path / "misere.toml", tmp_path / "plain.toml"
    rulewright("play tic_tac_toe --variant misere --seed 1", f"save {path}\n")
    rulewright("play tic_tac_toe --seed 1", f"save {plain}\n")

    at_table = rulewright("play tic_tac_toe --seed 1", f"load {path}\n")
    result = rulewright(f"play tic_tac_toe --variant misere --load {plain}")

    assert "cannot be loaded: it was saved with Misère" in at_table.stdout
    assert "cannot be loaded: it was saved without variants" in result.stderr


def test_the_heading_names_what_was_decided_otherwise_than_usual(
    tmp_path: Path, rulewright: Run
) -> None:
    path = tmp_path / "game.toml"
    start = "play jump_gate_2e --seed 7"
    chosen = "--option who_begins=first_seat --option landing_wildcards=1"

    usual = rulewright(f"{start} --option who_begins=by_lot")
    decided = rulewright(f"{start} {chosen}", f"save {path}\n")
    loaded = rulewright(f"play jump_gate_2e --load {path}")
    counted = rulewright(f"playout jump_gate_2e -n 1 {chosen}")

    line = decided.stdout.splitlines()[1]
    assert "options:" not in usual.stdout
    assert line.startswith("options: ")
    assert set(line.removeprefix("options: ").split(", ")) == {
        "who_begins=first_seat",
        "landing_wildcards=1",
    }
    assert loaded.stdout.splitlines()[1] == counted.stdout.splitlines()[1] == line


def test_the_end_of_the_input_leaves_quietly(rulewright: Run) -> None:
    result = rulewright("play tic_tac_toe --seed 7", "1\n")

    assert (result.status, result.stderr) == (0, "")
    assert result.stdout.endswith("P1> \n")


def test_an_endless_reply_is_one_line(rulewright: Run) -> None:
    result = rulewright("play tic_tac_toe --seed 7", f"{'x' * 2_000_000}\nquit\n")

    assert result.status == 0
    assert "is no option" in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 500


def test_control_characters_that_are_typed_are_not_printed(rulewright: Run) -> None:
    result = rulewright("play tic_tac_toe --seed 7", "\x1b[31mred\nwhy \x07\nrules \x1b\nquit\n")

    assert result.status == 0
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", result.stdout)


# ------------------------------------------------------------------------------------- a terminal


class Screen:
    """A terminal with `rulewright play` on it."""

    def __init__(self, folder: Path, *words: str) -> None:
        import pty

        # prompt-toolkit would wait for an answer that no terminal gives here.
        more = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": str(folder)}
        self.rest = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            command = [sys.executable, "-m", "rulewright.interpreter", "play", *words]
            os.execvpe(sys.executable, command, {**os.environ, **more})

    def until(self, text: str, seconds: float = 60) -> str:
        """Return what is printed up to a text."""
        found = self.rest
        end = time.monotonic() + seconds
        while text not in found:
            assert time.monotonic() < end, f"{text!r} did not come:\n{found}"
            if select.select([self.file], [], [], 0.1)[0]:
                found += os.read(self.file, 65_536).decode("utf-8", "replace")
        before, _, self.rest = found.partition(text)
        return before + text

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.file, keys.encode())

    def status(self) -> int:
        """Return the exit status."""
        _, status = os.waitpid(self.process, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")


@needs_terminal
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_who_leaves_a_terminal_may_save(key: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    screen = Screen(tmp_path, "tic_tac_toe", "--seed", "1")

    screen.until("P1>")
    screen.type("1\r")
    # A prompt is drawn more than once while it is typed at; this one comes after the answer.
    shown = screen.until("current is now P1") + screen.until("P1>")
    screen.type(key)
    screen.until("Save the game?")
    screen.type("back\r")
    screen.until("P1>")
    screen.type(key)
    screen.until("Save the game?")
    screen.type(f"{path}\r")
    screen.until("Saved to")

    assert "\x1b[" in shown
    assert screen.status() == 0
    assert path.read_text(encoding="utf-8").startswith("seal =")


@needs_terminal
def test_a_terminal_is_cleared_before_somebody_else_looks(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "kuhn_poker", "--seed", "1", "--seat", "2=human")

    before = screen.until("P1>")
    screen.type("bet\r")
    screen.until("Press Enter.")
    # Who comes back has not sat down yet.
    screen.type("\x03")
    screen.until("Save the game?")
    screen.type("back\r")
    screen.until("Press Enter.")
    screen.type("\r")
    after = screen.until("P2>")
    # The arrow brings back what was typed, but not what the other one typed.
    screen.type("\x1b[A\r")
    again = screen.until("P2>")
    screen.type("quit\r")
    screen.until("Save the game?")
    screen.type("/nowhere/at/all\r")
    screen.until("Save the game?")
    screen.type("\r")

    assert screen.status() == 0
    assert "\x1b[2J" in after and "\x1b[3J" in after
    assert "Card (rank" in before and "Card (rank" in after
    assert "bet" not in again


def test_the_seed_is_told_when_the_game_is_over(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "game.toml"
    chosen = rulewright("play tic_tac_toe --seed 7", f"save {path}\nhint\n")
    moves = "1\n" * 9

    played = rulewright(f"play tic_tac_toe --load {path}", moves)
    shown = rulewright(f"play tic_tac_toe --load {path} --show-seed", moves)
    left = rulewright("play tic_tac_toe", "quit\n")

    assert "(seed 7)" in chosen.stdout.splitlines()[0]
    assert played.stdout.startswith("Tic-tac-toe: P1, P2\n")
    assert played.stdout.endswith("(the seed was 7)\n")
    assert "(seed 7)" in shown.stdout.splitlines()[0] and "the seed was" not in shown.stdout
    assert "seed" not in left.stdout


@pytest.mark.parametrize(
    ("name", "curtains"), [("tic_tac_toe", False), ("connect_four", False), ("kuhn_poker", True)]
)
def test_nobody_looks_away_where_nothing_is_hidden(
    name: str, curtains: bool, rulewright: Run
) -> None:
    result = rulewright(f"play {name} --seed 1 --seat 2=human", "1\n\n1\n\n1\n")

    assert "It is up to P2." in result.stdout
    assert ("Nobody else should look" in result.stdout) is curtains


SHARED = """language 1
game "Shared" for 3..3 players
each Player has, seen by players
  points: number = 0
to play
  as players
    choose n from 1..2
    set my.points to n
  end game "counted"
ranking
  most my.points
"""


def test_the_shares_of_all_seats_make_up_the_whole(tmp_path: Path, rulewright: Run) -> None:
    (tmp_path / "game.rules").write_text(SHARED, encoding="utf-8")

    text = rulewright(f"playout {tmp_path} -n 41")
    told = json.loads(rulewright(f"playout {tmp_path} -n 41 --format json").stdout)
    rows = list(
        csv.DictReader(rulewright(f"playout {tmp_path} -n 41 --format csv").stdout.splitlines())
    )

    seats = text.stdout.partition("Seats:\n")[2].splitlines()[1:4]
    percents = [float(re.search(r"([\d.]+) %", line)[1]) for line in seats]
    without = 100 * told["without winner"] / 41
    assert sum(percents) + without == pytest.approx(100, abs=0.06)
    assert "a win that is shared counts as a half for each of two" in text.stdout
    assert sum(seat["share"] for seat in told["seats"]) * 100 + without == pytest.approx(100)
    assert {seat["points"]["most"] for seat in told["seats"]} == {2}
    assert len(rows) == 3 * 41 and {row["points"] for row in rows} == {"1", "2"}
    wins = sum(row["won"] == "yes" for row in rows)
    assert wins == sum(seat["wins"] for seat in told["seats"])
    assert [row["seed"] for row in rows[:4]] == ["0", "0", "0", "1"]


def test_what_was_counted_is_told_when_somebody_interrupts(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = playout.playout

    def interrupted(game: Game, seed: int, limit: int) -> playout.Playout:
        if seed == 3:
            raise KeyboardInterrupt
        return played(game, seed, limit)

    monkeypatch.setattr(playout, "playout", interrupted)
    result = rulewright("playout tic_tac_toe -n 40")
    monkeypatch.undo()

    assert result.status == 130
    assert "interrupted after 3 of 40 games" in result.stderr
    assert result.stdout == rulewright("playout tic_tac_toe -n 3").stdout


def test_a_game_without_words_in_a_language_says_so(rulewright: Run) -> None:
    silent = rulewright("play tic_tac_toe --language de --seed 1", "quit\n")
    speaking = rulewright("play jump_drive --language de --seed 1", "quit\n")

    assert silent.stderr == "note: `Tic-tac-toe` says nothing in `de`, so that stays as it is\n"
    assert speaking.stderr == ""


@needs_terminal
def test_who_has_nothing_to_lose_is_not_asked(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "tic_tac_toe", "--seed", "1")

    screen.until("P1>")
    screen.type("quit\r")

    assert screen.status() == 0


@pytest.mark.parametrize(
    ("line", "typed", "told"),
    [
        ("connect_four", "4\nundo\nstate\n", "Taken back."),
        ("connect_four --seat 2=human", "4\n3\nundo\nyes\n4\n", "P2, may P1 take that back"),
        ("connect_four --seat 2=human", "4\n3\nundo\nno\n", "Nothing is taken back."),
        ("tic_tac_toe", "1\n1\nundo\nundo\nundo\n", "there is no answer of yours"),
        # A card is drawn: who has seen it cannot choose once more.
        ("jump_gate_2e", "research\n3\nundo\n", "somebody has learned something since"),
    ],
)
def test_what_has_shown_nothing_hidden_is_taken_back(
    line: str, typed: str, told: str, rulewright: Run
) -> None:
    result = rulewright(f"play {line} --seed 1", typed)

    assert told in result.stdout


def test_programs_answer_the_same_when_their_answers_are_taken_back(rulewright: Run) -> None:
    once = rulewright("play tic_tac_toe --seed 3", "1\nlog\n").stdout
    again = rulewright("play tic_tac_toe --seed 3", "1\nundo\n2\nundo\n1\nlog\n").stdout

    assert once.partition("> log\n")[2] == again.partition("> log\n")[2]
    assert again.count("Taken back.") == 2
