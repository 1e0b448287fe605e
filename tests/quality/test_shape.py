"""Modules stay small and documented, and no code knows a game by name."""

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("dsl", "interpreter")
MODULES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))

LONGEST_MODULE = 500
SHORTEST_WORD = 5

# Words of games that are words of the language as well. Every game has players, and `each Player
# has` declares what they have, so the code must know that one kind; and a window is the stretch of
# a game in which offers are open, though some game may have a planet of that name; and a drawing of a
# graph has circles for nodes. Add nothing here to silence a finding: a general rule of the engine has
# no need of a word from one game.
LANGUAGE_WORDS = {"player", "window", "circle"}


def name_of(path: Path) -> str:
    """Return a module as `dsl/source.py`."""
    return path.relative_to(ROOT).as_posix()


def as_words(text: str) -> str:
    """Return `JumpGate`, `jump_gate` and `Jump-Gate` alike, as `jump gate`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"[^\W_]+", apart.lower()))


def column(rows: list[list[str]], heading: str) -> Iterator[str]:
    """Yield the cells below a heading."""
    if rows and heading in rows[0]:
        index = rows[0].index(heading)
        yield from (row[index] for row in rows[1:] if len(row) > index)


def inline_tables(text: str) -> Iterator[list[list[str]]]:
    """Yield the rows of each table that is written in a rule file."""
    for block in re.findall(r"^table [^\n]*\n((?:[ \t]+\|[^\n]*\n?)+)", text, re.MULTILINE):
        yield [
            [cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in block.splitlines()
        ]


def long_enough(words: set[str]) -> set[str]:
    """Return the phrases that are long enough to be no accident."""
    phrases = {as_words(word) for word in words}
    # `JumpGate` turns up as `jump_gate` and as `jumpgate`.
    phrases |= {phrase.replace(" ", "") for phrase in phrases}
    return {
        phrase
        for phrase in phrases
        if len(phrase) >= SHORTEST_WORD and phrase not in LANGUAGE_WORDS
    }


def words_of_games(games: Path) -> tuple[set[str], set[str]]:
    """Return the proper names of the games on the shelf, and the plain words that they use.

    Proper names are the folders (also without the edition: `jump_gate_2010` is `jump_gate`), the
    `name` in a row of a table, and kinds and zones of several words. Plain words are the other
    kinds and zones, such as `hidden`.
    """
    names: set[str] = set()
    plain: set[str] = set()
    for file in games.rglob("*.rules"):
        text = file.read_text(encoding="utf-8")
        if file.name == "game.rules":
            names |= {file.parent.name, re.sub(r"_\d\w*$", "", file.parent.name)}
        for table in inline_tables(text):
            names.update(column(table, "name"))
        declared = re.findall(r"^(?:each|kind) ([A-Z]\w*)", text, re.MULTILINE)
        for group in re.findall(r"^\s*([\w, ]+):\s*(?:cards|pile|row|slot) of", text, re.MULTILINE):
            declared += group.split(",")
        for word in declared:
            (names if " " in as_words(word) else plain).add(word)
    for file in games.rglob("*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            names.update(column(list(csv.reader(lines)), "name"))
    return long_enough(names), long_enough(plain)


def identifiers_and_texts(path: Path) -> tuple[set[str], set[str]]:
    """Return the identifiers of a module and its texts; docstrings may show rules of any game."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    identifiers: set[str] = set()
    texts: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word):
                identifiers.add(word)
            case ast.FunctionDef(name=word) | ast.ClassDef(name=word):
                identifiers.add(word)
            case ast.alias(name=word) | ast.keyword(arg=str(word)):
                identifiers.add(word)
            case ast.Constant(value=str(word)) if id(node) not in documentation:
                texts.add(word)
    return {as_words(word) for word in identifiers}, {as_words(word) for word in texts}


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=name_of)
def test_no_module_is_too_long(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())

    assert lines <= LONGEST_MODULE, "split it by a topic of the language"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_does(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


NAMES, PLAIN = words_of_games(ROOT / "games")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_code_knows_a_game(path: Path) -> None:
    identifiers, texts = identifiers_and_texts(path)

    found = {
        name for name in NAMES for phrase in identifiers | texts if f" {name} " in f" {phrase} "
    }
    # A plain word may well name a variable; but as a whole text it would pick that zone or kind.
    found |= PLAIN & texts

    assert not found, f"{name_of(path)} speaks of {sorted(found)}"


def test_the_search_for_words_of_games_finds_them(tmp_path: Path) -> None:
    game = tmp_path / "star_port_1999"
    game.mkdir()
    (game / "cards.csv").write_text("copies,name\n2,Far Harbour\n", encoding="utf-8")
    (game / "game.rules").write_text(
        "language 1\n"
        "each CargoShip has\n"
        "  crates, barrels: cards of CargoShip\n"
        "each Player has\n"
        "  name: text\n"
        "table CargoShip                 see Ships\n"
        "  | size | name    |\n"
        "  | 1    | Gargant |\n",
        encoding="utf-8",
    )

    names, plain = words_of_games(tmp_path)

    assert names >= {"star port 1999", "star port", "far harbour", "gargant", "cargo ship"}
    assert names >= {"starport", "cargoship"}
    assert plain == {"crates", "barrels"}
