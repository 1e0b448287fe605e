"""Every draft in `corpus/` can be read, and together they use the whole grammar."""

import csv
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parse_tree import make_parser
from rulewright.dsl.syntax.parser import parse, parse_formula
from rulewright.dsl.text.source import Source

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(CORPUS.rglob("*.rules"))
TABLES = sorted(CORPUS.rglob("*.csv"))
GRAMMAR = resources.files("rulewright.dsl.syntax").joinpath("grammar.lark").read_text("utf-8")


def name_of(path: Path) -> str:
    """Return a file as `stdlib/deck.rules`."""
    return path.relative_to(CORPUS).as_posix()


def source_of(path: Path) -> Source:
    """Return a file as the parser takes it."""
    return Source(name_of(path), path.read_text(encoding="utf-8"))


def cells_of(path: Path) -> Iterator[str]:
    """Yield the formulas in the cells of a table."""
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            for cell in row:
                if found := re.fullmatch(r"`([^`]*)`", cell.strip()):
                    yield found.group(1)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_file_can_be_read(path: Path) -> None:
    file, problems = parse(source_of(path))

    assert [problem.one_line() for problem in problems] == []
    assert isinstance(file, nodes.File)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_other_line_breaks_change_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    file, problems = parse(Source(name_of(path), text.replace("\n", "\r\n")))

    assert problems == ()
    assert file == parse(source_of(path))[0]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_formula_in_a_row_can_be_read(path: Path) -> None:
    source = source_of(path)
    file, _ = parse(source)
    assert file is not None

    cells = [
        cell
        for item in file.items
        if isinstance(item, nodes.Table)
        for row in item.rows
        for cell in row.cells
        if cell.text.startswith("`")
    ]

    for cell in cells:
        value, problems = parse_formula(source, cell.span.start + 1, cell.span.end - 1)
        assert problems == ()
        assert value is not None
        assert cell.span.start < value.span.start + 1 <= value.span.end < cell.span.end


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_every_formula_in_a_table_can_be_read(path: Path) -> None:
    for cell in cells_of(path):
        value, problems = parse_formula(Source(name_of(path), cell), 0, len(cell))

        assert problems == (), cell
        assert value is not None


def test_the_grammar_has_no_conflicts() -> None:
    pytest.importorskip("interegular", reason="Lark compares terminals with it")

    make_parser(GRAMMAR, strict=True)


def test_every_rule_of_the_grammar_occurs() -> None:
    parser = make_parser(GRAMMAR)
    callbacks = parser.parser.parser.parser.callbacks
    used = set()

    def watched(rule, callback):  # type: ignore[no-untyped-def]
        def call(children):  # type: ignore[no-untyped-def]
            used.add(rule)
            return callback(children)

        return call

    for rule, callback in list(callbacks.items()):
        callbacks[rule] = watched(rule, callback)
    for path in FILES:
        text = path.read_text(encoding="utf-8") + "\n"
        parser.parse(text, start="start")
        for formula in re.findall(r"\{([^{}]+)\}", text):
            parser.parse(formula, start="formula")

    unused = sorted(str(rule) for rule in callbacks if rule not in used)
    assert not unused, "\n".join(unused)
