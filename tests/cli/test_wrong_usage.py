"""Whatever is wrong with a command is one clear line on stderr, and never a traceback."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sharing import LEFT_OUT

from rulewright.interpreter.cli import main
from rulewright.interpreter.native import building

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lsit", "no command is called `lsit`; did you mean `list`?"),
        ("frobnicate", "commands: list"),
        ("--verison", "did you mean `--version`?"),
        ("list --verson", "`rulewright list` has no option `--verson`"),
        ("list tic_tac_teo", "did you mean `tic_tac_toe`?"),
        ("list nowhere_near", "`rulewright list` shows all"),
        ("check", "the following arguments are required: FILE-or-GAME"),
        ("check tic_tac_teo", "no game is called `tic_tac_teo`; did you mean `tic_tac_toe`?"),
        ("check jumpgate", "did you mean `jump_gate_2010` or `jump_gate_2e`?"),
        ("check jump_gat", "did you mean `jump_gate_2010` or `jump_gate_2e`?"),
        ("play jump_gat", "did you mean `jump_gate_2010` or `jump_gate_2e`?"),
        ("playout jmup_gat", "did you mean `jump_gate_2010` or `jump_gate_2e`?"),
        ("graph connect_", "no game is called `connect_`; did you mean `connect_four`?"),
        ("graph conect", "did you mean `connect_four`?"),
        ("why kuhn", "did you mean `kuhn_poker`?"),
        ("list jump_gat", "did you mean `jump_gate_2010` or `jump_gate_2e`?"),
        ("play t", "no game is called `t`; `rulewright list` shows the shelf"),
        ("check ''", "no game is named"),
        ("check /dev/zero", "error[RW001]: `/dev/zero` is a device; rules are read from files"),
        ("check jump_gate_2e --variant /dev/zero", "`/dev/zero` is a device"),
        ("play tic_tac_toe --load /dev/zero", "cannot be loaded: it is a device, not a file"),
        ("check jump_gate_2e --variant ./missing.rules", "error[RW001]: there is no file"),
        ("play jump_gate_2e --variant ./missing.rules", "error[RW001]: there is no file"),
        ("check tic_tac_toe --varaint x", "did you mean `--variant`?"),
        ("check tic_tac_toe --variant misree", "did you mean `misere`?"),
        ("check tic_tac_toe --format jsn", "no format is called `jsn`; did you mean `json`?"),
        ("check tic_tac_toe --format", "expected one argument"),
        ("check tic_tac_toe --playouts x", "`x` is no whole number"),
        (
            "check tic_tac_toe --playouts -1",
            "`-1` is out of range: it is a number from 0 to 1000000000",
        ),
        ("explain", "the following arguments are required: CODE"),
        ("explain RW2O1", "did you mean `RW201`?"),
        ("explain unkown-name", "did you mean `unknown-name`?"),
        ("explain RW201 RW202", "`RW202` is one argument too many"),
        ("graph tic_tac_toe trun", "no verb is called `trun`; did you mean `turn`?"),
        ("graph tic_tac_toe --format png", "known: dot, mermaid, graphml, svg"),
        ("graph missing.rules", "there is no file `missing.rules`"),
        ("graph tests", "the folder of a game holds a file `game.rules`"),
        ("graph stdlib/deck.rules", "`stdlib/deck.rules` is a module"),
        ("play", "the following arguments are required: GAME"),
        ("play tic_tac_teo", "did you mean `tic_tac_toe`?"),
        ("play stdlib/deck.rules", "`stdlib/deck.rules` is a module"),
        ("play tic_tac_toe --players 0", "it is a number from 1 to"),
        ("play tic_tac_toe --players -1", "`-1` is out of range: it is a number from 1 to"),
        ("list tic_tac_toe --option n=1", "`rulewright list` has no option `--option`"),
        (
            "play jump_drive --variant seven_rounds --players 3",
            "Jump Drive with `Seven rounds alone` is for 1 player, not for 3",
        ),
        ("play tic_tac_toe --players 3", "Tic-tac-toe is for 2 players, not for 3"),
        ("play jump_gate_2e --players 9", "is for 2 to 5 players, not for 9"),
        ("play tic_tac_toe --players two", "`two` is no whole number"),
        ("play tic_tac_toe --seed seven", "`seven` is no seed"),
        ("play tic_tac_toe --seed -7", "`-7` is no seed"),
        ("play tic_tac_toe --seed -7", "a whole number from 0 to 18446744073709551615"),
        ("play tic_tac_toe --seed 99999999999999999999", "is no seed"),
        ("play tic_tac_toe --seed 1.5", "is no seed"),
        ("play tic_tac_toe --limit 0", "it is a number from 1 to"),
        ("play tic_tac_toe --names ann", "is for 2 players, not for 1"),
        ("play tic_tac_toe --names ann,ann", "two players are called ann"),
        ("play tic_tac_toe --names ,ben", "cannot be the name of a player"),
        ("play tic_tac_toe --players 2 --names a,b,c", "3 names are too many or too few"),
        ("play tic_tac_toe --option fast", "write --option name=value"),
        ("play tic_tac_toe --option fast=yes", "has no option or ruling `fast`"),
        ("play jump_gate_2e --option who_begin=by_lot", "did you mean `who_begins`?"),
        ("play jump_gate_2e --option who_begins=by_lott", "did you mean `by_lot`?"),
        ("play jump_gate_2e --option landing_wildcards=3", "`3` is no value of"),
        ("play jump_gate_2e --option landing_wildcards=x", "`x` is no value of"),
        ("play jump_gate_2e --option landing_wildcards=-1", "it is one of 1, 2"),
        ("play tic_tac_toe --seat 3=human", "there is no seat 3: the seats are 1 to 2"),
        ("play tic_tac_toe --seat 0=human", "there is no seat 0"),
        ("play tic_tac_toe --seat -1=human", "`-1=human` is no seat: write --seat 2=random"),
        ("play tic_tac_toe --seat human", "write --seat 2=random"),
        ("play tic_tac_toe --seat 1=humna", "did you mean `human`?"),
        ("play tic_tac_toe --agents rnadom", "did you mean `random`?"),
        ("play tic_tac_toe --agents random --seat 1=human", "give one of the two"),
        ("play tic_tac_toe --seat 1=serach", "did you mean `search`?"),
        ("play tic_tac_toe --seat 3=search:20", "there is no seat 3: the seats are 1 to 2"),
        ("play tic_tac_toe --agents hmuan", "did you mean `human`?"),
        ("play tic_tac_toe --agents search:0", "`0` is no budget of a search"),
        ("play tic_tac_toe --agents search:-1,random", "`-1` is no budget of a search"),
        ("play tic_tac_toe --agents random,random,greedy", "3 agents are named, and there are 2"),
        ("playout tic_tac_toe --agents serach", "did you mean `search`?"),
        ("playout tic_tac_toe --agents search:0s", "`0s` is no budget of a search"),
        ("playout tic_tac_toe --agents random,random,random", "3 agents are named, and there are"),
        ("arena tic_tac_toe", "the following arguments are required: --agents"),
        ("arena tic_tac_toe --agents random,gredy", "did you mean `greedy`?"),
        ("arena tic_tac_toe --agents search:", "nothing behind the colon is no budget of a search"),
        ("arena tic_tac_toe --agents search:1e9", "`1e9` is no budget of a search"),
        ("playout tic_tac_toe --agents search:0.0001s", "`0.0001s` is no budget of a search"),
        ("playout tic_tac_toe --agents random,,", "the name of an agent is missing; known: random"),
        ("playout tic_tac_toe --seat 3=greedy", "has no option `--seat`"),
        (
            f"arena jump_gate_2e --players 5 --agents {','.join(['random'] * 60)}",
            "60 agents at 5 seats play 27,307,560 games with one seed, and there can be 10,000",
        ),
        ("arena tic_tac_toe --agents search:x", "`x` is no budget of a search"),
        ("arena tic_tac_toe --agents human", "no agent is called `human`; known: random"),
        ("arena tic_tac_toe --agents random --save README.md", "`README.md` cannot be a folder"),
        ("arena tic_tac_toe --agents random --jobs 0", "it is a number from 1 to"),
        (
            "arena jump_drive --players 1 --variant seven_rounds --agents random",
            "an arena needs a game of two players or more",
        ),
        ("play tic_tac_toe --load missing.toml", "No such file"),
        ("play tic_tac_toe --load README.md", "this is no saved game"),
        ("play tic_tac_toe --load tests", "`tests` cannot be loaded"),
        ("why tic_tac_toe trun", "did you mean 'turn'?"),
        ("why tic_tac_toe turn now", "`now` is one argument too many"),
        ("playout tic_tac_toe -n 0", "it is a number from 1 to"),
        ("playout tic_tac_toe -n many", "`many` is no whole number"),
        ("playout tic_tac_toe --sed 3", "did you mean `--seed`?"),
    ],
)
def test_a_wrong_command_is_answered_in_one_line(
    line: str, words: str, rulewright: Run, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.chdir(root)

    result = rulewright(line)

    assert result.status == 2
    assert result.stdout == ""
    assert result.stderr.startswith("rulewright: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


@pytest.fixture
def broken_files(tmp_path: Path) -> Path:
    """A folder with files that are no rule files."""
    (tmp_path / "binary.rules").write_bytes(b"language 1\n\0\1\2")
    (tmp_path / "latin.rules").write_bytes('language 1\ngame "Misère"'.encode("latin-1"))
    with (tmp_path / "large.rules").open("wb") as file:
        file.truncate(50_000_000)
    (tmp_path / "folder.rules").mkdir()
    os.mkfifo(tmp_path / "pipe.rules")
    (tmp_path / "dangling.rules").symlink_to(tmp_path / "nowhere.rules")
    return tmp_path


@pytest.mark.parametrize("command", ["check", "graph", "play", "why", "playout"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("binary.rules", "does not hold text"),
        ("latin.rules", "UTF-8"),
        ("large.rules", "too large"),
        ("folder.rules", "is a folder"),
        ("dangling.rules", "nothing is there"),
        ("missing.rules", "there is no file"),
        ("pipe.rules", "is a pipe; rules are read from files"),
        (f"{'x' * 5000}.rules", "there is no file"),
    ],
)
def test_a_file_that_cannot_be_read_is_answered_in_one_line(
    command: str, name: str, words: str, broken_files: Path, rulewright: Run
) -> None:
    result = rulewright([command, str(broken_files / name)])

    assert result.status == 2
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


@pytest.mark.parametrize("form", ["json", "short"])
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("binary.rules", "RW005"),
        ("latin.rules", "RW002"),
        ("large.rules", "RW004"),
        ("folder.rules", "RW003"),
        ("missing.rules", "RW001"),
        ("pipe.rules", "RW001"),
    ],
)
def test_a_program_is_told_in_its_form_what_cannot_be_read(
    form: str, name: str, code: str, broken_files: Path, rulewright: Run
) -> None:
    result = rulewright(["check", str(broken_files / name), "tic_tac_toe", "--format", form])

    assert (result.status, result.stderr) == (2, "")
    if form == "json":
        found = json.loads(result.stdout)
        assert found["errors"] == 1
        assert code in [item["code"] for item in found["diagnostics"]]
    else:
        assert f"error[{code}]: " in result.stdout


def test_a_game_that_is_no_text_is_shown_with_its_code(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "game.rules"
    path.write_bytes('language 1\ngame "Misère"'.encode("latin-1"))

    result = rulewright(["check", str(tmp_path)])

    assert result.status == 2
    assert "error[RW002]: " in result.stderr and "is not written in UTF-8" in result.stderr
    assert "line 2, column 10 cannot be read" in result.stderr


def test_nobody_waits_for_a_pipe(broken_files: Path, rulewright: Run) -> None:
    pipe = broken_files / "pipe.rules"

    loaded = rulewright(["play", "tic_tac_toe", "--load", str(pipe)])
    saved = rulewright("play tic_tac_toe --seed 1", f"save {pipe}\nload {pipe}\n")

    assert (loaded.status, loaded.stderr.count("\n")) == (2, 1)
    assert "it is a pipe, not a file" in loaded.stderr
    assert "is there already, and is no saved game" in saved.stdout
    assert "it is a pipe, not a file" in saved.stdout


def test_wrong_rules_of_a_variant_are_shown_without_notes(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "house.rules"
    path.write_text('language 1\nvariant "House" of jump_gate_2e\nafter trun\n  pass\n')

    result = rulewright(["play", "jump_gate_2e", "--variant", str(path)])

    assert result.status == 1
    assert "error[" in result.stderr
    assert "note[" not in result.stderr


@pytest.mark.parametrize("command", ["check", "play", "list", "explain", "frobnicate"])
def test_a_word_without_an_end_is_cut(command: str, rulewright: Run) -> None:
    result = rulewright([command, "x" * 100_000] if command != "frobnicate" else ["x" * 100_000])

    assert (result.status, result.stderr.count("\n")) == (2, 1)
    assert "xxx…" in result.stderr
    assert len(result.stderr) < 300


def test_control_characters_of_a_command_do_not_reach_the_terminal(rulewright: Run) -> None:
    result = rulewright(["check", "red\x1b[31m\nand more"])

    assert result.status == 2
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr


def test_wrong_rules_are_shown_where_they_stand(tmp_path: Path, rulewright: Run) -> None:
    path = tmp_path / "game.rules"
    path.write_text('language 1\ngame "G" for 2..2 players\nto play\n  do nothng\n')

    result = rulewright(["graph", str(path)])

    assert result.status == 1
    assert result.stdout == ""
    assert f"{path}:4:6" in result.stderr


@pytest.mark.parametrize("command", main.COMMANDS, ids=lambda command: command.name)
def test_every_command_has_a_help_that_ends_in_an_example(
    command: main.Command, rulewright: Run
) -> None:
    result = rulewright(f"{command.name} --help")

    assert result.status == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[-1] == f"example: {main.example(command.example)}"


@pytest.mark.parametrize(
    "command",
    [
        # Building takes long, and a server never ends: both have tests of their own.
        pytest.param(one, marks=LEFT_OUT if one.name == "build" else (), id=one.name)
        for one in main.COMMANDS
        if one.name != "serve"
    ],
)
def test_the_example_of_every_help_works(
    command: main.Command, rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where files may be written
    if command.name == "build":
        try:
            building.require_tools()
        except building.CannotBuild as error:
            pytest.skip(str(error))

    if command.name == "replay":
        game = main.example("{game}").removeprefix("rulewright ")
        rulewright(f"play {game}", "save game.save\nquit\n")

    result = rulewright(main.example(command.example).removeprefix("rulewright"))

    assert result.status == 0
    assert result.stdout
    assert result.stderr.count("\n") <= 1


def test_a_mistake_of_ours_is_one_line(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(main.COMMANDS[0], "run", fail)

    result = rulewright(main.COMMANDS[0].name)

    assert result.status == 70
    assert result.stderr.startswith("rulewright: a mistake of ours: ZeroDivisionError: by nothing")
    assert result.stderr.count("\n") == 1


def test_an_interrupt_is_quiet(rulewright: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(main.COMMANDS[0], "run", interrupt)

    result = rulewright(main.COMMANDS[0].name)

    assert (result.status, result.output) == (130, "")


LONG = "a" * 5000


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"new game {LONG}", "the name is too long: at most 100 letters"),
        (f"new variant {LONG} of tic_tac_toe", "the name is too long"),
        (f"new game Long --folder {LONG}", "File name too long"),
        (f"check {LONG}", "File name too long"),
        (f"check tic_tac_toe --variant {LONG}", "File name too long"),
        ("check dead", "`dead` is a link to `nowhere`, and nothing is there"),
        ("play dead", "`dead` is a link to `nowhere`, and nothing is there"),
        ("check round", "symbolic links"),
        ("check round/game.rules", "symbolic links"),
        ("check folder", "`folder/game.rules` is a link to `nowhere`, and nothing is there"),
        ("check tic_tac_toe --variant round", "symbolic links"),
        ("play tic_tac_toe --load round", "symbolic links"),
        ("check pipe", "`pipe` is a pipe"),
    ],
)
def test_a_name_that_leads_to_no_file_says_why(
    rulewright: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    os.symlink("nowhere", "dead")
    os.symlink("nowhere", "folder/game.rules")
    os.symlink("round", "round")
    os.mkfifo("pipe")

    result = rulewright(line.split())

    assert result.status == 2
    assert words in result.stderr and result.stderr.count("\n") == 1
