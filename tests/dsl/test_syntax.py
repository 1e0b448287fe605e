"""Every mistake gets one message, at its line and column, and takes nothing else with it.

The files in `syntax/` hold chunks, parted by lines `---`. A line that must be reported ends in
`#!`, code, column and a piece of the message (its label, help, headline or a note); there may be
several. Chunks that do not say `language` get a head.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parser import parse, parse_formula
from rulewright.dsl.syntax.recovery import MOST
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Source

FOLDER = Path(__file__).parent / "syntax"
HEAD = 'language 1\ngame "T" for 2 players\n'

MARKS = re.compile(r"[ \t]*#!.*$", re.MULTILINE)
MARK = re.compile(r'(RW\d{3})(?::(\d+))?(?: "([^"]*)")?')


@attrs.frozen
class Chunk:
    """A rule file with mistakes, and the marks at its lines."""

    name: str
    text: str
    marks: tuple[tuple[int, str, int | None, str], ...]


def chunks() -> Iterator[Chunk]:
    """Yield the chunks of all files."""
    for path in sorted(FOLDER.glob("*.rules")):
        line = 1
        for text in path.read_text(encoding="utf-8").split("\n---\n"):
            yield chunk_of(f"{path.stem}:{line}", text)
            line += text.count("\n") + 2


def chunk_of(name: str, text: str) -> Chunk:
    """Return a chunk without its marks; they stand at the ends of lines, so columns stay."""
    head = "" if re.search(r"^language", text, re.MULTILINE) and "heads" in name else HEAD
    marks = [
        (number, code, int(column) if column else None, words)
        for number, line in enumerate((head + text).split("\n"), 1)
        for code, column, words in MARK.findall(line.partition("#!")[2])
    ]
    return Chunk(name, MARKS.sub("", head + text), tuple(marks))


def words_of(problem: Diagnostic) -> str:
    """Return all that a message says."""
    labels = [problem.primary.text, *(label.text for label in problem.secondary)]
    return "\n".join([problem.headline, *labels, problem.help or "", *problem.notes])


CHUNKS = list(chunks())


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_mistakes_are_reported_where_they_are(chunk: Chunk) -> None:
    _, problems = parse(Source(chunk.name, chunk.text))

    found = {
        (place.line, problem.code.code, place.column): words_of(problem)
        for problem in problems
        for place in [problem.primary.span.shown()]
    }
    missing = [
        f'{line}: {code}:{column} "{words}"'
        for line, code, column, words in chunk.marks
        if words not in found.pop((line, code, column or 0), "\0")
    ]
    unexpected = [
        f"{line}: {code}:{column}\n{words}" for (line, code, column), words in found.items()
    ]
    assert (missing, unexpected) == ([], [])


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_messages_are_short_and_end_without_a_dot(chunk: Chunk) -> None:
    _, problems = parse(Source(chunk.name, chunk.text))

    for problem in problems:
        assert len(problem.primary.text.split()) <= 12
        for words in (problem.primary.text, problem.help or ""):
            assert not words.endswith(".")
            assert "_NL" not in words and "KINDCALL" not in words


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_the_lines_without_mistakes_are_in_the_tree(chunk: Chunk) -> None:
    file, _ = parse(Source(chunk.name, chunk.text))

    if "define fine = 3\n" in chunk.text:
        assert file is not None
        assert "fine" in [item.name.text for item in file.items if isinstance(item, nodes.Define)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_other_line_breaks_change_nothing(chunk: Chunk) -> None:
    file, problems = parse(Source(chunk.name, chunk.text))

    other, others = parse(Source(chunk.name, chunk.text.replace("\n", "\r\n")))

    assert other == file
    assert [
        (other.code, other.primary.span.line, other.primary.span.column) for other in others
    ] == [(same.code, same.primary.span.line, same.primary.span.column) for same in problems]


def broken(text: str) -> tuple[nodes.File, tuple[Diagnostic, ...]]:
    """Return what can be read of a broken game."""
    file, problems = parse(Source("test.rules", HEAD + text))
    assert file is not None
    assert problems
    return file, problems


def test_the_rest_of_a_verb_is_read_and_the_words_of_the_wrong_line_are_kept() -> None:
    file, problems = broken(
        "to turn\n"
        "  chose 2 codes from my.hand\n"
        "  draw 1 from codes\n"
        "  need x\n"
        "  discard first(codes)\n"
    )

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb)
    verbs = [step.verb.text for step in verb.block if isinstance(step, nodes.Command)]
    assert verbs == ["draw", "discard"]
    assert [problem.code.code for problem in problems] == ["RW107", "RW101"]
    assert file.broken == {"chose", "codes", "from", "my", "hand", "need", "x"}


def test_a_block_that_would_be_empty_does_nothing() -> None:
    file, _ = broken("to turn\n  if a\n    draw 3 codes too\n  stop\n")

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb) and isinstance(verb.block[0], nodes.If)
    (step,) = verb.block[0].branches[0].block
    assert isinstance(step, nodes.Command) and step.verb.text == "nothing"
    assert step.span.line == 5


def test_a_block_that_cannot_be_empty_goes_with_its_head() -> None:
    file, problems = broken("ranking\n  more x\neach Card has\n  x y z\ndefine a = b\n")

    assert len(problems) == 2
    assert [type(item) for item in file.items] == [nodes.Define]
    assert {"ranking", "more", "Card", "z"} <= file.broken


def test_an_else_goes_with_its_if() -> None:
    file, problems = broken("to turn\n  if a b\n    stop\n  else\n    stop\n  draw\n")

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb)
    assert [type(step) for step in verb.block] == [nodes.Command]
    assert len(problems) == 1


def test_an_either_goes_with_its_last_other_arm() -> None:
    file, problems = broken('to turn\n  either "A"\n    stop\n  or B\n    stop\n  draw\n')

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb)
    assert [type(step) for step in verb.block] == [nodes.Command]
    assert len(problems) == 1


def test_an_either_stays_if_two_arms_are_left() -> None:
    file, _ = broken('to turn\n  either "A"\n  or B\n    stop\n  or "C"\n  draw\n')

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb)
    assert [type(step) for step in verb.block] == [nodes.Either, nodes.Command]


def test_a_choice_stays_without_its_clauses() -> None:
    file, _ = broken("to turn\n  choose a from b\n    such a\n  draw\n")

    (verb,) = file.items
    assert isinstance(verb, nodes.Verb)
    assert [type(step) for step in verb.block] == [nodes.Choose, nodes.Command]


def test_an_open_bracket_does_not_swallow_the_items_below() -> None:
    file, problems = broken("define a = (b\ndefine c = d\nto turn\n  stop\ndefine e = [f,\ng]\n")

    assert [type(item) for item in file.items] == [nodes.Define, nodes.Verb, nodes.Define]
    assert [problem.code.code for problem in problems] == ["RW104"]


def test_places_stay_what_they_are_after_a_mistake() -> None:
    file, _ = broken("to turn\n  draw 3 codes\n  let a = b # c\ndefine d = e\n")

    verb, define = file.items
    assert isinstance(verb, nodes.Verb) and isinstance(define, nodes.Define)
    assert verb.block[0].span.text == "let a = b"
    assert define.span.text == "define d = e"


@pytest.mark.parametrize(
    ("character", "name"),
    [("\u00a0", "U+00A0"), ("\r", "U+000D"), ("\0", "U+0000"), ("\u2028", "U+2028")],
)
def test_a_character_that_nobody_sees_is_named(character: str, name: str) -> None:
    _, (problem,) = broken(f"define a ={character}3\n")

    assert problem.code.code == "RW109"
    assert problem.headline == f"the character `{name}` cannot stand here"
    assert problem.primary.span.column == 11


def test_no_more_than_some_messages() -> None:
    file, problems = broken("define a b\n" * 50 + "define c = d\n")

    assert len(problems) == MOST
    assert len(file.items) == 1


def test_without_a_title_there_is_no_tree_but_there_are_messages() -> None:
    file, problems = parse(Source("test.rules", "language 1\ngame x\ndefine a b\n"))

    assert file is None
    assert [problem.primary.span.line for problem in problems] == [2, 3]


@pytest.mark.parametrize(
    ("written", "code", "column"),
    [
        ("a b", "RW101", 5),
        ("a +", "RW101", 6),
        ("", "RW101", 3),
        ("(a", "RW104", 3),
        ("a ;", "RW109", 5),
    ],
)
def test_mistakes_in_a_formula(written: str, code: str, column: int) -> None:
    value, problems = parse_formula(Source("table.csv", f"x,{written},y"), 2, 2 + len(written))

    assert value is None
    assert [problem.code.code for problem in problems] == [code]
    assert problems[0].primary.span.column == column
