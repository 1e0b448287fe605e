"""Heads, limits and the cache of the grammar; and whatever comes in, no traceback comes out."""

import os
import pickle
import random
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given, settings, strategies as st
from sharing import LEFT_OUT

from rulewright.dsl.syntax import nodes, parse_tree
from rulewright.dsl.syntax.build_base import DEEPEST, LARGEST
from rulewright.dsl.syntax.parse_tree import RESERVED
from rulewright.dsl.syntax.parser import parse, parse_formula
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Source

HEAD = 'language 1\ngame "T" for 2 players\n'
CORPUS = sorted((Path(__file__).parent / "corpus").rglob("*.rules"))


def read(text: str) -> tuple[nodes.File | None, tuple[Diagnostic, ...]]:
    """Parse a text."""
    return parse(Source("test.rules", text))


def codes(problems: tuple[Diagnostic, ...]) -> list[str]:
    """Return the codes of some messages."""
    return [problem.code.code for problem in problems]


# ------------------------------------------------------------------------------------------- heads


@pytest.mark.parametrize(
    "text",
    [
        'language 1\ngame "T" for 2 players',
        'language 1\r\ngame "T" for 2 players\r\n',
        '\ufefflanguage 1\ngame "T" for 2 players\n',
        '# A comment\n\n   # and another\nlanguage 1   # one\n\ngame "T" for 2 players # x\n\n\n',
    ],
)
def test_the_first_line_may_follow_comments(text: str) -> None:
    file, problems = read(text)

    assert problems == ()
    assert file is not None and file.items == ()


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# language 1\n", 'game "T" for 2 players\n', "Language 1"]
)
def test_a_file_says_its_language(text: str) -> None:
    file, (problem,) = read(text)

    assert file is None
    assert problem.code.code == "RW006"
    assert problem.help == 'write "language 1" as the first line'


def test_a_newer_language_is_not_guessed_at() -> None:
    file, (problem,) = read("language 2\nnobody knows what comes then\n")

    assert file is None
    assert problem.code.code == "RW007"
    assert problem.primary.span.text == "2"


# ------------------------------------------------------------------------------------------ limits


def test_numbers_have_a_limit() -> None:
    assert read(f"{HEAD}define a = {LARGEST}\n")[1] == ()

    for digits in (str(LARGEST + 1), "9" * 10_000):
        file, (problem,) = read(f"{HEAD}define a = {digits}\n")
        assert problem.code.code == "RW312"
        assert file is not None and len(file.items) == 1

    assert read(f"{HEAD}define a = {'0' * 10_000}7\n")[1] == ()


@pytest.mark.parametrize("depth", [DEEPEST - 10, DEEPEST + 10, 2_000])
@pytest.mark.parametrize(
    ("opens", "core", "closes"),
    [
        ("(", "a", ")"),
        ("[", "a", "]"),
        ("f(", "a", ")"),
        ("-", "a", ""),
        ("", "a", " + 1"),
        ("", "a", ".b"),
        ("if a then b else ", "c", ""),
    ],
)
def test_nesting_has_a_limit(depth: int, opens: str, core: str, closes: str) -> None:
    value = opens * depth + core + closes * depth

    file, problems = read(f"{HEAD}define a = {value}\ndefine b = 3\n")

    assert file is not None
    assert codes(problems) == (["RW101"] if depth > DEEPEST else [])
    assert len(file.items) == (1 if depth > DEEPEST else 2)
    assert (parse_formula(Source("x", value), 0, len(value))[0] is None) == (depth > DEEPEST)


def test_blocks_have_a_limit() -> None:
    blocks = "".join(f"{' ' * depth}if a is b\n" for depth in range(1, 1000))

    file, problems = read(f"{HEAD}to turn\n{blocks}{' ' * 1000}stop\ndefine b = 3\n")

    assert codes(problems) == ["RW101"]
    assert file is not None and len(file.items) == 2


def test_a_deep_value_inside_of_a_deep_stack_is_reported_as_well() -> None:
    def deep(levels: int) -> list[str]:
        if levels:
            return deep(levels - 1)
        return codes(read(f"{HEAD}define a = {'(' * 150}b{')' * 150}\n")[1])

    levels = sys.getrecursionlimit() - 250
    assert deep(levels) == ["RW101"]


def test_a_long_file_takes_its_time_but_not_the_square_of_it() -> None:
    def seconds(lines: int) -> float:
        text = HEAD + "define a = b + count(c where its.d is 3)   see A, B/C\n" * lines
        start = time.perf_counter()
        assert read(text)[1] == ()
        return time.perf_counter() - start

    seconds(10)
    assert seconds(1600) < 12 * seconds(400)


# ------------------------------------------------------------------------------------- reserved words


def test_the_grammar_and_the_list_of_reserved_words_agree() -> None:
    terminals = {
        terminal.name: terminal.pattern.value for terminal in parse_tree.grammar().terminals
    }

    for name in ("NAME", "CALL"):
        words = re.match(r"\(\?!\(\?:([a-z|]+)\)", terminals[name])
        assert words is not None
        assert frozenset(words.group(1).split("|")) == RESERVED


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_names_nothing(word: str) -> None:
    file, problems = read(f"{HEAD}each Card has\n  {word}: number\n  fine: number\n")

    assert len(problems) == 1
    assert problems[0].primary.span.line == 4
    assert file is not None and len(file.items) == 1
    assert word in file.broken


# ------------------------------------------------------------------------------------------- cache

PROGRAM = """
from rulewright.dsl.syntax.parser import parse
from rulewright.dsl.text.source import Source
print(parse(Source("x", 'language 1\\ngame "T" for 2 players\\ndefine a = 3\\n')))
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the cache folder of this test, and forget the grammar before and after."""
    folder = tmp_path / "below" / "rulewright"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))
    return folder


def fresh_grammar() -> None:
    """Make the parser as in a new process, and see that it works."""
    parser = parse_tree.grammar.__wrapped__()
    tree = parser.parse("a + b", start="formula")
    assert tree.children[0].data == "plus"


def test_the_tables_of_the_grammar_are_kept(cache: Path) -> None:
    fresh_grammar()

    (kept,) = cache.iterdir()
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700 or os.name == "nt"
    before = kept.stat().st_mtime_ns
    fresh_grammar()
    assert [path.stat().st_mtime_ns for path in cache.iterdir()] == [before]


@pytest.mark.parametrize(
    "content",
    [
        b"rubbish",
        *(
            pytest.param(content, marks=pytest.mark.slow)
            for content in (b"", b"\x80\x04.", pickle.dumps({"data": 3}))
        ),
    ],
)
@pytest.mark.parametrize(
    "damage",
    [
        lambda content, whole: whole.partition(b"\n")[0] + b"\n" + content,
        pytest.param(lambda content, whole: content, marks=LEFT_OUT),
        pytest.param(lambda content, whole: whole[:5000], marks=LEFT_OUT),
    ],
    ids=["behind the first line", "instead", "cut off"],
)
def test_a_damaged_cache_does_not_matter(
    cache: Path,
    content: bytes,
    damage: Callable[[bytes, bytes], bytes],
    capfd: pytest.CaptureFixture[str],
) -> None:
    fresh_grammar()
    (kept,) = cache.iterdir()

    kept.write_bytes(damage(content, kept.read_bytes()))
    fresh_grammar()

    assert capfd.readouterr() == ("", "")


def test_a_folder_that_cannot_be_made_does_not_matter(
    cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cache.parent.write_text("a file where the folder should be", encoding="utf-8")

    fresh_grammar()

    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="there are no such permissions")
def test_a_folder_that_others_can_write_to_is_not_trusted(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)

    fresh_grammar()

    assert list(cache.iterdir()) == []


def test_no_lark_before_there_is_something_to_parse() -> None:
    program = "import sys, rulewright.dsl.syntax.parser\nprint('lark' in sys.modules)"

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert run.stdout.strip() == "False"


# --------------------------------------------------------------------------------------------- fuzz

PIECE = re.compile(r"[ \t]+|\w+|\s|.", re.DOTALL)
STRANGE = [
    *"()[]{}\"'#|:;=.,-?`\t\n\r\0\ufeff\u201c\u2013\u00e9",
    "  ",
    "\n  ",
    "see ",
    "if ",
    "or ",
    "language 2",
]


def mangled(text: str, seed: int, changes: int) -> str:
    """Return a text with some pieces taken out, doubled, swapped or replaced."""
    chance = random.Random(seed)
    pieces = PIECE.findall(text)
    for _ in range(changes):
        at, other = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        match chance.randrange(5):
            case 0:
                pieces[at] = ""
            case 1:
                pieces[at] *= 2
            case 2:
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 3:
                pieces[at] = chance.choice(STRANGE)
            case 4:
                pieces[at] = pieces[at][:-1]
    return "".join(pieces)


def check_outcome(text: str) -> None:
    """See that a text is read, or is reported with places that exist, in bounded time."""
    source = Source("test.rules", text)
    start = time.perf_counter()

    file, problems = parse(source)

    assert time.perf_counter() - start < 20
    assert file is not None or problems
    for problem in problems:
        span = problem.primary.span
        assert span.source is source
        assert 0 <= span.start <= span.end <= len(text)
        assert problem.headline
        assert problem.one_line()


@settings(max_examples=60, deadline=None)
@given(
    path=st.sampled_from(CORPUS),
    seed=st.integers(0, 2**32),
    changes=st.integers(1, 12),
)
def test_mangled_files_are_read_or_reported(path: Path, seed: int, changes: int) -> None:
    check_outcome(mangled(path.read_text(encoding="utf-8"), seed, changes))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*"abcX10", *STRANGE, "to ", "define x = "]), max_size=60))
def test_rubbish_is_reported(pieces: list[str]) -> None:
    check_outcome(HEAD + "".join(pieces))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_formula_is_read_or_reported(text: str) -> None:
    value, problems = parse_formula(Source("test.csv", text), 0, len(text))

    assert value is not None or problems


@settings(max_examples=60, deadline=None)
@given(
    path=st.sampled_from([path for path in CORPUS if path.stat().st_size < 6000]),
    seed=st.integers(0, 2**32),
)
def test_one_wrong_word_is_one_message(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    chance = random.Random(seed)
    inner = [
        number
        for number, line in enumerate(lines)
        if line.startswith("  ") and re.fullmatch(r" +(move|add|set|expect) [^\"#(\[]*", line)
    ]
    if not inner:
        return
    number = chance.choice(inner)
    lines[number] += " +"

    _, problems = parse(Source(path.name, "\n".join(lines)))

    assert [problem.primary.span.shown().line for problem in problems] == [number + 1]


@pytest.mark.slow
def test_many_mangled_files_are_read_or_reported() -> None:
    for path in CORPUS:
        text = path.read_text(encoding="utf-8")
        for seed in range(40):
            check_outcome(mangled(text, seed, 1 + seed % 10))
