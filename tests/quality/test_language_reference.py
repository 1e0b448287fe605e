"""The language reference `dsl/LANGUAGE.md` says what is so: its games check clean, its lists are whole.

A block marked `rules` is a whole file. It is laid out as a reader would: a game begins a folder named
after its title, what follows (variants, examples) belongs to it, and a module lies beside every game
after it. A `markdown` block is the rule book of the game that names it. Fragments are marked `text`.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.model import builtins, constructs, register
from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parser import parse
from rulewright.dsl.text.codes import BY_CODE, CODES, Severity
from rulewright.dsl.text.render import render
from rulewright.dsl.text.source import Source
from rulewright.interpreter.cli.check import examine

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "dsl" / "LANGUAGE.md").read_text(encoding="utf-8")
EXACT = (ROOT / "dsl" / "SEMANTICS.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BOOK = re.compile(r'^book "([^"]*)"', re.MULTILINE)


@attrs.frozen
class Block:
    """A fenced block of the page: its word and text, and the line where it begins."""

    word: str
    text: str
    line: int

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"line {self.line}"


def blocks() -> Iterator[Block]:
    """Yield all fenced blocks of the page."""
    for found in _BLOCK.finditer(PAGE):
        yield Block(found[1], found[2], PAGE.count("\n", 0, found.start()) + 1)


BLOCKS = tuple(blocks())
FILES = tuple(block for block in BLOCKS if block.word == "rules")


def header_of(block: Block) -> nodes.Header:
    """Return the header of a block that is a whole file."""
    file, problems = parse(Source(block.id, block.text))
    assert file is not None, problems
    return file.header


def folder_name(title: str) -> str:
    """Return the name of the folder of a game with this title."""
    return re.sub(r"\W+", "_", title.lower()).strip("_")


@attrs.frozen
class Case:
    """A game as the page has it: its files, and the variants that are switched on."""

    block: Block
    game: str
    files: tuple[tuple[str, str], ...]
    variants: tuple[str, ...] = ()


def cases() -> Iterator[Case]:
    """Yield each game alone, then with each file that belongs to it."""
    game = ""
    files: dict[str, str] = {}
    modules: dict[str, str] = {}
    for block in FILES:
        match header_of(block):
            case nodes.GameHeader(title=title):
                game, files = folder_name(title.raw), {**modules, "game.rules": block.text}
                book = _BOOK.search(block.text)
                if book is not None:
                    files[book[1]] = the_book(title.raw)
                yield Case(block, game, tuple(files.items()))
            case nodes.VariantHeader(title=title, game=word):
                own = {**files_of(word.text, modules), **variants_of(word.text, block)}
                yield Case(block, word.text, tuple(own.items()), (title.raw,))
            case nodes.ModuleHeader(name=word):
                modules[f"{word.text}.rules"] = block.text
            case nodes.ExamplesHeader(game=word):
                own = {**files_of(word.text, modules), "examples.rules": block.text}
                yield Case(block, word.text, tuple(own.items()))


def variants_of(game: str, last: Block | None = None) -> dict[str, str]:
    """Return the files of the variants of a game, up to one of them."""
    found: dict[str, str] = {}
    for block in FILES:
        match header_of(block):
            case nodes.VariantHeader(title=title, game=word) if word.text == game:
                found[f"variants/{folder_name(title.raw)}.rules"] = block.text
        if block is last:
            break
    return found


def files_of(game: str, modules: dict[str, str]) -> dict[str, str]:
    """Return the files of a game that stands on the page."""
    for block in FILES:
        match header_of(block):
            case nodes.GameHeader(title=title) if folder_name(title.raw) == game:
                book = _BOOK.search(block.text)
                files = {**modules, "game.rules": block.text}
                return files if book is None else {**files, book[1]: the_book(title.raw)}
    raise AssertionError(f"no game on the page is called {game}")


def the_book(title: str) -> str:
    """Return the rule book of that title."""
    for block in BLOCKS:
        if block.word == "markdown" and block.text.startswith(f"# {title}\n"):
            return block.text
    raise AssertionError(f"no rule book on the page is called {title}")


def lay_out(files: Mapping[str, str], folder: Path) -> None:
    """Write the files of a game."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def section(number: int) -> str:
    """Return the text of a section."""
    prose = _BLOCK.sub("", PAGE)
    found = re.search(rf"^## {number}\. .*?(?=^#|\Z)", prose, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def test_the_messages_are_shown_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {
        "each Code has\n": "each Code has\n  kept:   flag = no\n",
        '  or "Draw a card"\n': '  or "Draw a card" when top(codes.pile).number > 3\n',
    }
    files = files_of("little_jump", {})
    for right, text in wrong.items():
        files["game.rules"] = files["game.rules"].replace(right, text)
    toll = next(block for block in FILES if block.text.startswith('language 1\nvariant "Toll"'))
    files["variants/toll.rules"] = toll.text + "change claimz by 1\n"
    lay_out(files, tmp_path / "little_jump")
    monkeypatch.chdir(tmp_path)

    found = render(compile_game("little_jump", ("Toll",)).diagnostics, colour=False)

    assert found in [block.text for block in BLOCKS]


def test_every_block_says_what_it_is() -> None:
    for block in BLOCKS:
        whole = block.text.startswith("language 1\n")
        assert block.word in ("rules", "markdown", "text"), block.id
        assert whole == (block.word == "rules"), block.id


@pytest.mark.parametrize("case", tuple(cases()), ids=lambda case: case.block.id)
def test_a_whole_file_checks_clean(case: Case, tmp_path: Path) -> None:
    lay_out(dict(case.files), tmp_path / case.game)

    compilation = compile_game(str(tmp_path / case.game), case.variants)

    wrong = [item for item in compilation.diagnostics if item.severity is not Severity.NOTE]
    assert [item.one_line() for item in wrong] == []
    assert compilation.game is not None
    assert compilation.game.variants == case.variants


@pytest.mark.parametrize("game", ["little_jump", "harbour", "outposts"])
def test_the_examples_of_the_page_come_out_in_all_sets_of_variants(
    game: str, tmp_path: Path
) -> None:
    files = {**files_of(game, {}), **variants_of(game)}
    for block in FILES:
        match header_of(block):
            case nodes.ExamplesHeader(game=word) if word.text == game:
                files["examples.rules"] = block.text
    lay_out(files, tmp_path / game)

    finding = examine(str(tmp_path / game), ())

    wrong = [item for item in finding.diagnostics if item.severity is Severity.ERROR]
    assert [item.one_line() for item in wrong] == []
    assert finding.examples


def test_every_module_of_the_page_is_used() -> None:
    for block in FILES:
        header = header_of(block)
        if isinstance(header, nodes.ModuleHeader):
            use = re.compile(rf"^use {header.name.text}\b", re.MULTILINE)
            assert any(use.search(other.text) for other in FILES if other is not block)


@pytest.mark.parametrize("function", builtins.FUNCTIONS, ids=lambda function: function.name)
def test_every_core_function_is_documented_as_the_register_has_it(
    function: constructs.Function,
) -> None:
    assert row_of(function) in section(17)


def test_the_table_of_expressions_is_the_register() -> None:
    rows = [row_of(one) for one in register.EXPRESSIONS if one.forms]
    table = section(5).partition("| expression | gives | |\n| --- | --- | --- |\n")[2]

    assert table.partition("\n\n")[0].splitlines() == rows


def row_of(construct: constructs.Construct) -> str:
    """Return a row of the register as the page has it."""
    forms = ", ".join(f"`{form}`" for form in construct.forms)
    return f"| {forms} | {construct.gives} | {construct.doc} |"


@pytest.mark.parametrize("verb", builtins.VERBS, ids=lambda verb: verb.name)
def test_every_core_verb_is_documented(verb: builtins.CoreVerb) -> None:
    rows = [line for line in section(17).splitlines() if line.startswith(f"| `{verb.form}` |")]

    assert len(rows) == 1


def test_every_reserved_word_is_listed() -> None:
    listed = {
        word
        for line in section(18).splitlines()
        if line.startswith("| ")
        for words in re.findall(r"`([^`]*)`", line)
        for word in words.split()
    }

    assert listed == builtins.RESERVED
    assert f"Never a name: {len(builtins.RESERVED)} words." in section(18)


def test_every_code_of_the_pages_exists() -> None:
    assert set(re.findall(r"RW\d{3}", PAGE + EXACT)) <= set(BY_CODE)


def test_the_exact_meaning_has_the_sections_of_the_language() -> None:
    language, exact = (
        dict(re.findall(r"^## (\d+)\. (.+)$", _BLOCK.sub("", page), re.MULTILINE))
        for page in (PAGE, EXACT)
    )

    assert exact
    assert exact.items() <= language.items()


def test_the_warnings_and_notes_are_named() -> None:
    line = next(line for line in section(16).splitlines() if line.startswith("Warnings are "))

    quiet = {code.code for code in CODES if code.severity is not Severity.ERROR}
    assert set(re.findall(r"RW\d{3}", line)) == quiet


def test_each_code_is_in_one_row_of_the_codes() -> None:
    rows = [
        (first, last or first)
        for first, last in re.findall(
            r"^\| (RW\d{3})(?: to (RW\d{3}))? \|", section(16), re.MULTILINE
        )
    ]

    for code in BY_CODE:
        assert sum(first <= code <= last for first, last in rows) == 1, code
    assert {code for row in rows for code in row} <= BY_CODE.keys()


def test_every_module_of_the_library_is_listed(root: Path) -> None:
    rows = [line for line in section(12).splitlines() if line.startswith("| ")]
    words = {word for row in rows for word in re.findall(r"\w+", row)}

    assert {path.stem for path in (root / "stdlib").glob("*.rules")} <= words
