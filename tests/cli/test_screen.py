"""Lines are as long as the terminal is wide at that moment, and the same in every file."""

import io
import os
import sys
from collections.abc import Callable

import pytest

from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.terminal.board import boards
from rulewright.interpreter.terminal.commands import show_help
from rulewright.interpreter.terminal.console import LineConsole
from rulewright.interpreter.terminal.repl import Repl
from rulewright.interpreter.terminal.screen import LEAST, WIDTH, width
from rulewright.interpreter.terminal.table import in_columns, state_lines, wrapped


class Console(io.StringIO):
    """A stream to a terminal that can change its size."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.fixture
def resize(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Print to a terminal of so many columns."""

    def sized(columns: int) -> None:
        # Not before the test runs: pytest captures the output of each of its phases anew.
        monkeypatch.setattr(sys, "stdout", Console())
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, 24)))

    return sized


def test_a_terminal_may_change_its_size(resize: Callable[[int], None]) -> None:
    words = "word " * 60
    for columns in (80, 44, 132):
        resize(columns)

        assert width() == columns
        assert columns - 5 < max(map(len, wrapped("", words))) <= columns
        assert max(map(len, in_columns(["12345678"] * 40))) <= columns - 2


def test_what_is_no_terminal_has_lines_of_one_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((44, 24)))
    monkeypatch.delenv("COLUMNS", raising=False)

    assert width() == WIDTH


@pytest.mark.parametrize(
    ("columns", "found"), [("60", 60), ("1", LEAST), ("0", WIDTH), ("-5", WIDTH), ("wide", WIDTH)]
)
def test_what_is_no_terminal_may_be_given_a_width(
    columns: str, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setenv("COLUMNS", columns)

    assert width() == found


def test_a_terminal_without_a_size_is_as_wide_as_a_file(resize: Callable[[int], None]) -> None:
    resize(0)

    assert width() == WIDTH


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", ["jump_gate_2010", "jump_gate_2e", "jump_wars"])
def test_tables_and_maps_fit(name: str, columns: int, resize: Callable[[int], None]) -> None:
    resize(columns)
    state = load_game(name).new_initial_state(3)
    seat = state.seat(0)

    drawn = boards(state.game.program, state.seen_by(0), seat)
    lines = state_lines(state.observation(0), drawn)

    assert max(map(len, lines)) <= columns


def test_complaints_and_help_keep_to_the_width_of_a_simple_terminal(
    resize: Callable[[int], None],
) -> None:
    game = load_game("tic_tac_toe")
    resize(50)
    context = Repl(game.new_initial_state(seed=1), {}, LineConsole(), limit=1)

    context.complain("wrong " * 30)
    show_help(context, "")

    lines = sys.stdout.getvalue().splitlines()  # type: ignore[attr-defined]
    assert len(lines) > 17
    assert max(map(len, lines)) <= 50
