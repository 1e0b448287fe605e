"""Boards and rings as pictures: in the terminal, and in a file."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from rulewright.interpreter.agents.agent import RandomAgent, let_answer
from rulewright.interpreter.play.api import State, load_game
from rulewright.interpreter.terminal import console as terminal
from rulewright.interpreter.terminal.board import boards
from rulewright.interpreter.terminal.map_symbols import PlaceContents, SymbolTable
from rulewright.interpreter.terminal.svg import picture
from rulewright.interpreter.terminal.table import WIDTH, StyledLine

PICTURES = Path(__file__).parent / "pictures"
MINEFIELD = Path(__file__).parents[1] / "laws" / "games" / "minefield"
SVG = "{http://www.w3.org/2000/svg}"
HEAD = 'language 1\ngame "Test" for 2..4 players\nuse turns(turn)\n'
TAIL = """
to play
  play_in_turns
to turn
  choose space from Space
  set space.stone to me
ranking
  most count(Space where its.stone is me)
"""


def started(tmp_path: Path, rules: str, names: tuple[str, ...] = ("ann", "ben")) -> State:
    """Return the beginning of a game on spaces that are written here."""
    (tmp_path / "game.rules").write_text(HEAD + rules + TAIL, encoding="utf-8")
    return load_game(str(tmp_path), names=list(names)).new_initial_state(seed=1)


def drawn(state: State, kind: str = "Space", seat: int = 0) -> list[str]:
    """Return the lines of a map."""
    return boards(state.game.program, state.store, state.seat(seat))[kind]


def an_svg(state: State) -> ElementTree.Element:
    """Return the picture, read again."""
    text = picture(state.game.program, state.store, state.seat(0))
    assert text is not None
    return ElementTree.fromstring(text)


def minefield(board: str, answers: int) -> State:
    """Return a game some way on."""
    game = load_game(str(MINEFIELD), names=["ann", "ben", "cem"], options={"board": board})
    state, agent = game.new_initial_state(seed=5), RandomAgent("map")
    while len(state.history()) < answers:
        let_answer(agent, state, state.current_players()[0])
    return state


BOARD = "use grid(Space, 3, 2, {shape})\neach Space also has, seen by players\n  stone: Player?\n"


def test_squares_stand_below_each_other(tmp_path: Path) -> None:
    state = started(tmp_path, BOARD.format(shape="square"))

    state.apply_action("B2")

    assert drawn(state) == [
        "Space",
        "  2  .   ann   .",
        "  1  .    .    .",
        "     A    B    C",
    ]


def test_rows_of_hexagons_are_shifted(tmp_path: Path) -> None:
    state = started(tmp_path, BOARD.format(shape="hex"))

    assert drawn(state) == ["Space", "  2  .   .   .", "  1    .   .   .", "     A   B   C"]


def test_where_columns_slant_each_space_says_its_name(tmp_path: Path) -> None:
    state = started(tmp_path, BOARD.format(shape="axial").replace("3, 2", "2, 3"))

    lines = drawn(state)

    assert [line.split() for line in lines] == [["Space"], ["A3", "B3"], ["A2", "B2"], ["A1", "B1"]]
    assert lines[3].index("A1") < lines[2].index("A2") < lines[3].index("B1")
    assert lines[1].index("A3") == lines[3].index("B1")


def test_a_board_that_is_too_wide_comes_in_parts(tmp_path: Path) -> None:
    state = started(tmp_path, BOARD.format(shape="square").replace("3, 2", "60, 2"))

    lines = drawn(state)

    assert max(map(len, lines)) <= WIDTH
    assert len(lines) == 1 + 2 * 3
    assert (lines[3].split() + lines[6].split())[::59] == ["A", "BH"]


def test_spaces_without_names_have_numbers_at_the_edges(tmp_path: Path) -> None:
    rules = """
each Space has, seen by players
  x, y: number
  stone: Player?
table Space for each x in 3..4, y in 7..8
"""
    assert drawn(started(tmp_path, rules)) == ["Space", "  8 .  .", "  7 .  .", "    3  4"]


def test_what_is_in_a_space_is_counted_and_explained(tmp_path: Path) -> None:
    rules = """
use grid(Space, 2, 1)
each Space also has, seen by players
  stone: Player?
  men: cards of Man = first(3, Man)
  cards: cards of Card, seen by []
  height: number = 4
each Man has
  side: Player
  number: number
  hurt: number = 0, seen by players
table Man for each side in players, number in 1..2
each Card has
  number: number
table Card for each number in 1..3
each Player has
  home: Space? = first(Space), seen by players
to set_up
  nothing
""".replace(" = first(3, Man)", "")
    state = started(
        tmp_path,
        rules
        + "before play\n  fill\nto fill\n  move first(3, Man) to first(Space).men\n  move Card to first(Space).cards\n  add 1 to first(Man).hurt\n",
    )

    lines = drawn(state)
    legend = " ".join(" ".join(lines).split())

    assert lines[1].split() == ["1", "a*", "am", "b", "3?", "h4", "@a", "@b", "h4"]
    assert "  * A1: Man (side ann, number 1): hurt: 1" in lines
    assert "b Man (side ben, number 1);" in legend
    assert "@a home of ann;" in legend
    assert "h# height; ? unseen" in legend


def test_symbols_are_short_and_never_the_same() -> None:
    place = PlaceContents("A1")
    for words in ("cluster", "clear", "clean", "cl"):
        place.add("choice", "terrain", short=words)
    place.add("thing", "Fleet", 0)
    place.add("thing", "Base", 0)

    symbols = SymbolTable(["cem", "carl"], [place])
    shown = [mark.text for mark in symbols.of(place)]

    assert len(set(shown)) == len(shown)
    assert shown[4:] == ["ce", "ceb"]


def test_a_ring_that_fits_nowhere_is_a_list(tmp_path: Path) -> None:
    rules = """
use ring(circle)
each Space has, seen by players
  number: number
  stone: Player?
table Space for each number in 1..61
the game has, seen by players
  circle: row of Space = Space
"""
    lines = drawn(started(tmp_path, rules))

    assert max(map(len, lines)) <= WIDTH
    assert len([line for line in lines if line.startswith("  6")]) == 3
    assert "  -> 1" in lines


@pytest.mark.parametrize("board", ["squares", "hexagons"])
def test_a_picture_comes_out_as_it_is_kept(board: str, golden: Callable[[Path, str], None]) -> None:
    state = minefield(board, 9)

    text = picture(state.game.program, state.store, state.seat(1))

    assert text is not None
    golden(PICTURES / f"{board}.svg", text)


def test_names_from_rule_files_are_nothing_but_text(tmp_path: Path) -> None:
    evil = ["</title><script>alert(1)</script>", "]]>", "a&b;", "<!-- x", "'onload='x", "\x1b[2J"]
    rows = "\n".join(f"  | {name} | {number} | 1 |" for number, name in enumerate(evil[:-1], 1))
    rules = f"each Space has, seen by players\n  name: text\n  x, y: number\n  stone: Player?\ntable Space\n  | name | x | y |\n{rows}\n"
    state = started(tmp_path, rules, ("<b>ann</b>", "ben & co"))
    state.apply_action(evil[0])

    root = an_svg(state)

    texts = {text for element in root.iter() for text in (element.text or "",)}
    assert not list(root.iter(f"{SVG}script"))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
        *("svg", "title", "style", "rect", "g", "text", "tspan", "polygon")
    }
    assert set(evil[1:-1]) <= texts
    assert any("<b>ann</b>" in text for text in texts)
    assert not any("\x1b" in text for text in texts)


def test_a_picture_is_written_over_pictures_only(
    rulewright: Callable[..., Any], tmp_path: Path
) -> None:
    path, other = tmp_path / "map.svg", tmp_path / "other.svg"
    other.write_text("<svg>mine</svg>", encoding="utf-8")

    first = rulewright(["state", "tic_tac_toe", "--svg", str(path)])
    again = rulewright(["state", "connect_four", "--svg", str(path)])
    refused = rulewright(["state", "tic_tac_toe", "--svg", str(other)])

    assert (first.status, again.status) == (0, 0)
    assert "Connect four" in path.read_text(encoding="utf-8")
    assert refused.status == 2
    assert "no picture of a game" in refused.stderr
    assert other.read_text(encoding="utf-8") == "<svg>mine</svg>"
    assert sorted(tmp_path.iterdir()) == [path, other]


def test_a_terminal_paints_what_belongs_to_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", highlight=False)
    screen = terminal.TerminalConsole.__new__(terminal.TerminalConsole)
    monkeypatch.setattr(screen, "_console", console, raising=False)
    line = StyledLine([("  ", ""), ("3a", "seat 1"), (" b ", "seat 2"), ("  ", "")])

    screen.say(line)

    assert line == "  3a b"
    assert stream.getvalue() == "  \x1b[1;31m3a\x1b[0m\x1b[1;34m b\x1b[0m\n"


def test_the_picture_has_the_numbers_that_the_menu_asks_for(
    rulewright: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "board.svg"
    told = rulewright("play connect_four --seed 1", f"state --svg {path}\nquit\n").stdout
    plain = rulewright("state tic_tac_toe").stdout

    assert "    A  B  C  D  E  F  G\n    1  2  3  4  5  6  7\n" in told
    assert "\n  1, 2, 3, 4, 5, 6, 7\n" in told
    assert ">D 4<" in path.read_text(encoding="utf-8")
    # Where the spaces themselves are asked for their names are enough.
    assert plain.endswith("    A  B  C\n")
