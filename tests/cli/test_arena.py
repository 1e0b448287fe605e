"""`rulewright arena`, and agents in `play` and `playout`: who plays, what is said, and that it comes again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulewright.interpreter.agents.arena import ArenaGame, Match

Run = Callable[..., Any]

ENDLESS = """
language 1
game "Endless" for 2..2 players
use turns(turn)
each Player has, seen by players
  coins: number = 0
tally score: points
  coins: my.coins
ranking
  most my.score
to play
  play_in_turns
to turn
  may "Take a coin"
    add 1 to my.coins
"""

WRONG = """
language 1
game "Wrong" for 2..2 players
use turns(turn)
the game has, seen by players
  pot: number = 0
to play
  play_in_turns
to turn
  choose coins from 1..3
  add coins to pot
  if pot >= 9
    set pot to 5 / (pot - pot)
"""


def written(folder: Path, rules: str) -> Path:
    """Return a file with rules."""
    path = folder / "made.rules"
    path.write_text(rules, "utf-8")
    return path


def test_the_same_seed_gives_the_same_table_to_the_byte(rulewright: Run) -> None:
    line = "arena tic_tac_toe --agents search:10,greedy,random -n 3 --seed 7"

    one, other = rulewright(line), rulewright(line)

    assert one.status == 0
    assert one.stdout == other.stdout
    assert "18 games, seeds 7 to 9" in one.stdout


def test_processes_change_nothing_but_the_time(rulewright: Run) -> None:
    line = "arena kuhn_poker --agents search:10,random -n 3 --format json"

    assert rulewright(f"{line} --jobs 2").stdout == rulewright(line).stdout


def test_programs_read_all_that_was_counted(rulewright: Run) -> None:
    found = json.loads(
        rulewright("arena kuhn_poker --agents search:10,random -n 3 --format json").stdout
    )

    assert (found["games"], found["seeds"], found["stopped"]) == (6, 3, 0)
    first, second = found["agents"]
    assert (first["agent"], second["agent"]) == ("search:10", "random")
    assert first["wins"]["low"] <= first["wins"]["value"] <= first["wins"]["high"]
    assert first["mean result"]["value"] == -second["mean result"]["value"]
    assert first["points ahead"] is None
    assert [game["seats"] for game in found["played"][:2]] == [
        ["search:10", "random"],
        ["random", "search:10"],
    ]


def test_one_seed_has_no_interval_of_a_mean(rulewright: Run) -> None:
    line = "arena kuhn_poker --agents random,random -n 1 --seed 2"

    assert "[?, ?]" in rulewright(line).stdout
    found = json.loads(rulewright(f"{line} --format json").stdout)
    assert found["agents"][0]["mean result"]["low"] is None


def test_how_long_agents_thought_is_told_beside_the_table(rulewright: Run) -> None:
    found = rulewright("arena kuhn_poker --agents search:10,random -n 1")

    assert "CPU" not in found.stdout
    assert "; search:10 " in found.stderr and "ms of CPU a decision" in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_game_without_an_end_is_cut_off_and_said_so(rulewright: Run, tmp_path: Path) -> None:
    path = written(tmp_path, ENDLESS)

    found = rulewright(f"arena {path} --agents greedy,random -n 2 --limit 40").stdout

    # Who takes every coin is ahead.
    assert "Stopped after 40 decisions: 4 games, counted by the places so far" in found
    assert "greedy" in found and "100.0 % [" in found


def test_so_is_one_of_a_playout_between_agents(rulewright: Run, tmp_path: Path) -> None:
    line = f"playout {written(tmp_path, ENDLESS)} --agents greedy,random -n 2 --limit 40"

    found = rulewright(line).stdout
    rows = rulewright(f"{line} --format csv").stdout.splitlines()

    assert "2 games did not end" in found
    assert found.endswith("  they count by the places so far, and have no result\n")
    assert "P1 (greedy)     2  100.0 %" in found
    assert [row.split(",")[7] for row in rows[1:]] == ["yes", "no"] * 2


@pytest.mark.parametrize("command", ["arena", "playout"])
def test_playouts_of_searches_that_were_cut_off_are_told_once(
    rulewright: Run, tmp_path: Path, command: str
) -> None:
    line = f"{command} {written(tmp_path, ENDLESS)} --agents search:4,random -n 1 --limit 8"

    found = rulewright(line).stdout
    silent = rulewright(f"{command} kuhn_poker --agents search:4,random -n 1").stdout

    (said,) = [one for one in found.splitlines() if one.startswith("Searches: ")]
    assert said.endswith("were cut off after 30 decisions: they count the ranking so far.")
    assert "Searches" not in silent


def test_what_was_counted_is_told_when_somebody_interrupts(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, played = Match.played, []

    def interrupted(match: Match, task: tuple[int, tuple[int, ...]]) -> ArenaGame:
        if len(played) == 5:
            raise KeyboardInterrupt
        played.append(task)
        return play(match, task)

    monkeypatch.setattr(Match, "played", interrupted)
    found = rulewright("arena kuhn_poker --agents random,random -n 20")

    # The third seed was played in one of the two rotations only.
    assert found.status == 130
    assert "4 games, seeds 0 to 1" in found.stdout
    assert "interrupted after 5 of 40 games; 1 game of a seed that was not" in found.stderr


@pytest.mark.parametrize("line", ["arena kuhn_poker --agents random", "playout kuhn_poker"])
def test_who_interrupts_the_first_game_is_told_so(
    line: str, rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("rulewright.interpreter.cli.arena._games", interrupted)
    monkeypatch.setattr("rulewright.interpreter.cli.playout._games", interrupted)
    found = rulewright(line)

    assert (found.status, found.stdout) == (130, "")
    assert found.stderr == "interrupted before a game was over\n"


def test_no_seed_that_was_played_to_its_end_is_no_table(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, played = Match.played, []

    def interrupted(match: Match, task: tuple[int, tuple[int, ...]]) -> ArenaGame:
        if played:
            raise KeyboardInterrupt
        played.append(task)
        return play(match, task)

    monkeypatch.setattr(Match, "played", interrupted)
    found = rulewright("arena kuhn_poker --agents random -n 20")

    assert (found.status, found.stdout) == (130, "")
    assert found.stderr == (
        "interrupted after 1 of 40 games; 1 game of a seed that was not played to its end does not count\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a matter of Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_all_processes_in_the_middle_of_a_game(jobs: str) -> None:
    words = ["arena", "jump_gate_2e", "--agents", "search:1000000,random", "--jobs", jobs]
    running = subprocess.Popen(
        [sys.executable, "-m", "rulewright.interpreter", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A shell lets what runs in its background ignore Ctrl-C, and all that this starts, too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(5)
    assert running.poll() is None

    os.killpg(running.pid, signal.SIGINT)
    try:
        # What they write to ends with the last process.
        out, err = running.communicate(timeout=30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)

    assert running.returncode == 130
    assert (out, err) == (b"", b"interrupted before a game was over\n")


@pytest.mark.parametrize("name", ["", " "])
def test_a_folder_has_a_name(rulewright: Run, name: str) -> None:
    found = rulewright(["arena", "kuhn_poker", "--agents", "random", "--save", name])

    assert (found.status, found.stderr.count("\n")) == (2, 1)
    assert "--save needs the name of a folder" in found.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_saved_game_is_replaced(rulewright: Run, tmp_path: Path, jobs: int) -> None:
    line = f"arena kuhn_poker --agents random -n 2 --save {tmp_path} --jobs {jobs}"
    assert rulewright(line).status == 0

    found = rulewright(line)

    assert (found.status, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert f"`{tmp_path}/0-random-random_2.save` is there already" in found.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_cannot_be_written_is_named(rulewright: Run, tmp_path: Path, jobs: int) -> None:
    # What leads nowhere is not listed as a game that was saved.
    (tmp_path / "1-random-random_2.save").symlink_to(tmp_path / "no" / "where")

    found = rulewright(f"arena kuhn_poker --agents random --save {tmp_path} --jobs {jobs}")

    assert (found.status, found.stderr.count("\n")) == (2, 1)
    assert "1-random-random_2.save" in found.stderr


def test_one_decision_is_one(rulewright: Run, tmp_path: Path) -> None:
    path = written(tmp_path, ENDLESS)

    assert (
        "Stopped after 1 decision: " in rulewright(f"arena {path} --agents random --limit 1").stdout
    )
    assert (
        "stopped after 1 decision." in rulewright(f"play {path} --agents random --limit 1").stdout
    )


def test_a_seat_is_given_once(rulewright: Run) -> None:
    found = rulewright("play tic_tac_toe --seat 1=greedy --seat 1=random")

    assert (found.status, found.stderr.count("\n")) == (2, 1)
    assert "--seat 1 is given twice: greedy and random" in found.stderr


def test_games_are_saved_and_replayed(rulewright: Run, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    rulewright(f"arena kuhn_poker --agents search:10,random -n 2 --save {folder}")

    saved = sorted(folder.iterdir())
    assert len(saved) == 4
    for path in saved:
        replayed = rulewright(f"replay {path}")
        assert replayed.status == 0
        assert "the same to the end" in replayed.stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_rules_that_go_wrong_are_told_with_the_seed(
    rulewright: Run, tmp_path: Path, jobs: int
) -> None:
    path = written(tmp_path, WRONG)

    found = rulewright(f"arena {path} --agents random -n 2 --seed 5 --jobs {jobs}")

    assert found.status == 1
    assert "RW704" in found.stderr
    assert "in the game with seed 5" in found.stderr


# ---------------------------------------------------------------------------------- at the table


def test_agents_play_whole_games_and_the_same_seed_plays_the_same(rulewright: Run) -> None:
    line = "play tic_tac_toe --agents search:20,greedy --seed 4"

    one, other = rulewright(line), rulewright(line)

    assert one.stdout == other.stdout
    assert "The game is over" in one.stdout


def test_a_person_sits_where_agents_say_human(rulewright: Run) -> None:
    named = rulewright("play tic_tac_toe --seed 4 --agents greedy,human", "1\nquit\n")
    by_seat = rulewright("play tic_tac_toe --seed 4 --seat 1=greedy --seat 2=human", "1\nquit\n")

    assert "P2> 1" in named.stdout and "P1>" not in named.stdout
    assert named.stdout == by_seat.stdout


@pytest.mark.parametrize("agent", ["random", "greedy", "search:20"])
def test_a_game_that_was_saved_goes_on_as_if_it_had_not_been(
    agent: str, rulewright: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.save"
    line = f"play connect_four --agents human,{agent}"

    whole = rulewright(f"{line} --seed 3", "1\n2\n3\nlog all\nquit\n").stdout
    rulewright(f"{line} --seed 3", f"1\nsave {path}\nquit\n")
    loaded = rulewright(f"{line} --load {path}", "2\n3\nlog all\nquit\n").stdout

    _, _, story = whole.partition("P1> log all\n")
    assert story and loaded.endswith(story)


def test_random_agents_by_name_play_the_games_of_playouts(rulewright: Run) -> None:
    line = "playout tic_tac_toe -n 5"

    assert rulewright(f"{line} --agents random").stdout == rulewright(line).stdout


def test_playouts_are_games_between_agents_too(rulewright: Run) -> None:
    line = "playout tic_tac_toe -n 4 --agents search:20,random"

    found = rulewright(line).stdout
    counted = json.loads(rulewright(f"{line} --format json").stdout)

    assert found == rulewright(line).stdout
    assert "P1 (search:20)" in found and "P2 (random)" in found
    assert [seat["agent"] for seat in counted["seats"]] == ["search:20", "random"]
    assert counted["seats"][0]["wins"] > counted["seats"][1]["wins"]
