"""Every module of the library compiles in a small game that uses what it gives.

The games are `stdlib/<module>.rules` beside this file. What must be reported in one stands in it: one
line `#! RW303 "name"` for each message that must come.
"""

import re
from pathlib import Path

import pytest

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import Compilation, compile_game
from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parser import parse
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.source import Source

pytestmark = pytest.mark.quick

USES = Path(__file__).resolve().parent / "stdlib"
MODULES = library.standard_modules()
LONGEST_MODULE = 45
"""Lines; a longer module holds two ideas."""

_MARK = re.compile(r'^#! (RW\d{3}) "([^"]*)"$', re.MULTILINE)


def game_of(module: str) -> str:
    """Return the text of the small game."""
    return (USES / f"{module}.rules").read_text(encoding="utf-8")


def expected_of(module: str) -> list[tuple[str, str]]:
    """Return the codes and constructs that the game says must be reported."""
    return sorted((found[1], found[2]) for found in _MARK.finditer(game_of(module)))


def compiled(module: str, folder: Path) -> Compilation:
    """Lay the small game out below a folder and compile it."""
    folder = folder / "small_game"
    folder.mkdir()
    (folder / "game.rules").write_text(game_of(module), encoding="utf-8", newline="\n")
    return compile_game(str(folder))


def rows_of(readme: str) -> dict[str, list[str]]:
    """Return the cells of the table of modules by the name of the module."""
    rows = re.findall(r"^\| \[`(\w+)`\]\(\1\.rules\) \|(.*)\|$", readme, re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split(" | ")] for name, rest in rows}


@pytest.fixture(scope="module")
def rows(root: Path) -> dict[str, list[str]]:
    """The table of modules in the page of the library."""
    return rows_of((root / "stdlib" / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_compiles_in_a_game_that_uses_it(module: str, tmp_path: Path) -> None:
    compilation = compiled(module, tmp_path)

    found = [item for item in compilation.diagnostics if item.severity is not Severity.NOTE]
    told = sorted((item.code.code, item.arguments.get("construct", "")) for item in found)
    assert told == expected_of(module), [item.one_line() for item in found]
    assert (compilation.game is None) == bool(found)


@pytest.mark.parametrize("module", MODULES)
def test_the_game_uses_the_module(module: str) -> None:
    file, _ = parse(Source(module, game_of(module)))
    assert file is not None

    uses = {item.module.text for item in file.items if isinstance(item, nodes.Use)}

    assert module in uses


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_how_it_is_used_and_stays_short(module: str, root: Path) -> None:
    text = (root / "stdlib" / f"{module}.rules").read_text(encoding="utf-8")

    lines = text.splitlines()
    assert lines[0] == "language 1"
    assert re.search(rf"^module {module}\b", text, re.MULTILINE)
    assert (
        re.search(rf"^#.*\buse {module}\b", text, re.MULTILINE) or f"module {module}(" not in text
    )
    assert len(lines) <= LONGEST_MODULE


def test_every_game_belongs_to_a_module() -> None:
    assert {path.stem for path in USES.iterdir()} == set(MODULES)


def test_the_page_of_the_library_has_a_row_for_every_module(rows: dict[str, list[str]]) -> None:
    assert set(rows) == set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_the_page_of_the_library_says_what_a_module_waits_for(
    module: str, rows: dict[str, list[str]]
) -> None:
    state = rows[module][-1]

    constructs = {construct for _, construct in expected_of(module)}
    assert set(re.findall(r"`([^`]*)`", state)) == constructs
    assert (state == "complete") == (not constructs)


@pytest.mark.parametrize("module", MODULES)
def test_the_page_of_the_library_names_only_games_that_use_a_module(
    module: str, root: Path, rows: dict[str, list[str]]
) -> None:
    named = re.findall(r"\[(\w+)\]\(\.\./games/\1/README\.md\)", rows[module][-2])

    use = re.compile(rf"^use {module}\b", re.MULTILINE)
    for game in named:
        files = (root / "games" / game).rglob("*.rules")
        assert any(use.search(path.read_text(encoding="utf-8")) for path in files), game
