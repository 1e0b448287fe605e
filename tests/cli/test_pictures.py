"""The pictures of the README are what the program shows: made anew, they are the same.

`pytest --update tests/cli/test_pictures.py` writes them.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from rulewright.interpreter.agents.agent import RandomAgent, let_answer
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.terminal.console import TerminalConsole
from rulewright.interpreter.terminal.repl import Repl
from rulewright.interpreter.terminal.svg import picture

PICTURES = Path(__file__).parent / "pictures"
README = Path(__file__).parents[2] / "README.md"
GAME = "jump_gate_2e"
NAMES = ("ann", "ben", "cem")
SEED = 5
COLUMNS = 92
DECISIONS = 110
"""How many answers have been given when the map is drawn."""

TYPED = ("why land",)
FIRST_LINE = "Planet"
"""Where the picture of the table begins: what stands above it has scrolled away."""

FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{font-family: monospace; font-size: {char_height}px;}}
.{unique_id}-title {{font-family: sans-serif; font-size: 18px;}}
svg > rect {{stroke: #999;}}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""The frame of Rich without the font that it would fetch from elsewhere."""

THEME = TerminalTheme(
    (255, 255, 255),
    (34, 34, 34),
    [
        (34, 34, 34),
        (198, 40, 40),
        (46, 125, 50),
        (184, 134, 11),
        (21, 101, 192),
        (142, 36, 170),
        (0, 131, 143),
        (97, 97, 97),
    ],
)
"""Dark letters on white, in the colours of the maps."""


class Finished(Exception):
    """Nothing more is typed."""


class Recorded(TerminalConsole):
    """A terminal that keeps what it shows, and at which something is typed."""

    def __init__(self, typed: Sequence[str]) -> None:
        self._console = recording()
        self._typed = list(typed)

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line in a style."""
        if line == FIRST_LINE:
            self._console = recording()
        super().say(line, style)

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Return what is typed next."""
        if not self._typed:
            raise Finished
        reply = self._typed.pop(0)
        self._console.print(f"{prompt}{reply}", markup=False)
        return reply

    def drawn(self, title: str) -> str:
        """Return what was shown, as SVG."""
        return self._console.export_svg(
            title=title, theme=THEME, code_format=FORMAT, unique_id="table"
        )


def recording() -> Console:
    """Return a console that keeps what is printed and shows it to nobody."""
    return Console(
        file=io.StringIO(),
        record=True,
        width=COLUMNS,
        highlight=False,
        soft_wrap=True,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
        _environ={},
    )


def loaded() -> Game:
    """Return the game that the pictures show."""
    return load_game(GAME, names=list(NAMES))


def table_picture() -> str:
    """Return a table at which somebody asks why something is not possible."""
    game, agent = loaded(), RandomAgent("table")
    terminal = Recorded(TYPED)
    others = dict.fromkeys(range(1, len(NAMES)), agent)
    with contextlib.suppress(Finished):
        Repl(game.new_initial_state(seed=SEED), others, terminal, limit=DECISIONS).run()
    return terminal.drawn(f"rulewright play {GAME}")


def map_picture() -> str:
    """Return the map of a game between programs, as the first seat sees it."""
    game, agent = loaded(), RandomAgent("map")
    state = game.new_initial_state(seed=SEED)
    while len(state.history()) < DECISIONS:
        let_answer(agent, state, state.current_players()[0])
    text = picture(game.program, state.store, state.seat(0))
    assert text is not None
    return text


MADE = {"table": table_picture, "ring": map_picture}


@pytest.mark.parametrize("name", MADE)
def test_a_picture_of_the_readme_is_what_the_program_shows(
    name: str, golden: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))

    golden(PICTURES / f"{name}.svg", MADE[name]())


@pytest.mark.parametrize("name", MADE)
def test_a_picture_stands_in_the_readme_and_fetches_nothing(name: str) -> None:
    text = (PICTURES / f"{name}.svg").read_text("utf-8")

    assert f"(tests/cli/pictures/{name}.svg)" in README.read_text("utf-8")
    assert ElementTree.fromstring(text).get("viewBox") is not None
    assert text.count("://") == 1, "the name of SVG alone"
    assert not any(word in text for word in ("@import", "url(h", "href", "<script", "<image"))
