"""Each construct becomes its node, and the nodes know where they stand.

Nodes are compared in short: `(Let x (Number 3))`, without the parts that are empty. A name with its
place is just the name.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.parser import parse, parse_formula
from rulewright.dsl.text.source import Source

SAMPLES = ("values", "types", "steps", "items")
HEAD = 'language 1\ngame "T" for 2 players\n'


def brief(value: object) -> str:
    """Return a node in short."""
    if isinstance(value, nodes.Word):
        return value.text
    if isinstance(value, nodes.Text):
        return f'"{value.raw}"'
    if isinstance(value, tuple):
        return f"[{' '.join(brief(item) for item in value)}]"
    if isinstance(value, nodes.Flag):
        return "yes" if value.value else "no"
    if not isinstance(value, nodes.Node):
        return str(value)
    parts = [type(value).__name__]
    for field in attrs.fields(type(value)):
        part = getattr(value, field.name)
        if field.name != "span" and part is not None and part != () and part is not False:
            parts.append(field.name if part is True else brief(part))
    return f"({' '.join(parts)})"


def file_of(text: str) -> nodes.File:
    """Return a file that has nothing wrong with it."""
    file, problems = parse(Source("test.rules", text))
    assert [problem.one_line() for problem in problems] == []
    assert file is not None
    return file


def item_of(text: str) -> nodes.Item:
    """Return the only item of a game."""
    (item,) = file_of(HEAD + text).items
    return item


def step_of(text: str) -> nodes.Step:
    """Return the only step of a verb."""
    lines = "".join(f"  {line}\n" for line in text.splitlines())
    verb = item_of(f"to act\n{lines}")
    assert isinstance(verb, nodes.Verb)
    (step,) = verb.block
    return step


def value_of(text: str) -> nodes.Expression:
    """Return an expression that has nothing wrong with it."""
    value, problems = parse_formula(Source("test.rules", text), 0, len(text))
    assert problems == ()
    assert value is not None
    return value


def type_of(text: str) -> nodes.TypeNode:
    """Return a type; ranges stand at fields only, functions at parameters only."""
    if "=>" in text:
        define = item_of(f"define f(x: {text}) = 3\n")
        assert isinstance(define, nodes.Define)
        assert define.parameters[0].type is not None
        return define.parameters[0].type
    kind = item_of(f"each Thing has\n  x: {text}\n")
    assert isinstance(kind, nodes.KindHas)
    (field,) = kind.members
    assert isinstance(field, nodes.Field)
    return field.type


def samples(name: str) -> list[tuple[str, str]]:
    """Return the samples of a file in `nodes/`: rule text, and below it the node in short."""
    text = (Path(__file__).parent / "nodes" / f"{name}.txt").read_text(encoding="utf-8")
    pairs = [sample.split("\n=> ") for sample in text.strip().split("\n\n")]
    return [(written, node) for written, node in pairs]


@pytest.mark.parametrize(("text", "node"), samples("values"))
def test_values(text: str, node: str) -> None:
    assert brief(value_of(text)) == node


@pytest.mark.parametrize(("text", "node"), samples("types"))
def test_types(text: str, node: str) -> None:
    assert brief(type_of(text)) == node


@pytest.mark.parametrize(("text", "node"), samples("steps"))
def test_steps(text: str, node: str) -> None:
    assert brief(step_of(text)) == node


@pytest.mark.parametrize(("text", "node"), samples("items"))
def test_items(text: str, node: str) -> None:
    assert brief(item_of(f"{text}\n")) == node


@pytest.mark.parametrize(
    ("line", "node"),
    [
        ('game "T" for 2..4 players', '(GameHeader "T" (Binary .. (Number 2) (Number 4)))'),
        ('variant "Sun Dial" of jump_gate', '(VariantHeader "Sun Dial" jump_gate)'),
        ("module turns", "(ModuleHeader turns)"),
        (
            "module deck(Card: kind, seen: list of Player = players)",
            "(ModuleHeader deck [(Parameter Card (NamedType kind))"
            " (Parameter seen (OfType list (KindType Player)) (Name players))])",
        ),
        ("examples of jump_gate", "(ExamplesHeader jump_gate)"),
    ],
)
def test_headers(line: str, node: str) -> None:
    assert brief(file_of(f"# A comment\n\nlanguage 1\n{line}\n").header) == node


def test_every_node_is_built_by_some_sample() -> None:
    everything = " ".join(node for name in SAMPLES for _, node in samples(name))
    built = set(re.findall(r"\((\w+)", everything))

    classes = {
        name
        for name, node in vars(nodes).items()
        if isinstance(node, type) and issubclass(node, nodes.Node)
    }
    elsewhere = {"Node", "Cited", "Word", "Text", "Flag", "File"}
    headers = {name for name in classes if name.endswith("Header")}
    assert classes - elsewhere - headers - built == set()


# ------------------------------------------------------------------------------------------ texts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('""', []),
        ('"plain"', ["plain"]),
        ('"{a}"', ["(Name a)"]),
        ('"{a} and {b.c}"', ["(Name a)", " and ", "(Attribute (Name b) c)"]),
        ('"{a}{b}"', ["(Name a)", "(Name b)"]),
        ('"{{a}} {b}"', ["{a} ", "(Name b)"]),
        ('"}}{{"', ["}{"]),
    ],
)
def test_placeholders(text: str, parts: list[str]) -> None:
    value = value_of(text)

    assert isinstance(value, nodes.Text)
    assert value.raw == text[1:-1]
    assert [brief(part) for part in value.parts] == parts


def test_a_placeholder_stands_at_its_place() -> None:
    file = file_of(HEAD + 'define a = "x {b.c} y"\n')

    (define,) = file.items
    assert isinstance(define, nodes.Define) and isinstance(define.value, nodes.Text)
    attribute = define.value.parts[1]
    assert isinstance(attribute, nodes.Attribute)
    assert attribute.span.text == "b.c"
    assert attribute.name.span.text == "c"
    assert attribute.span.column == 16


# ---------------------------------------------------------------------------------------- citations


@pytest.mark.parametrize(
    ("citation", "sections"),
    [
        ("see A", "[(Section [A])]"),
        ("see A, B/C", "[(Section [A]) (Section [B C])]"),
        ("see english: Setup, Turns, german: Zug/Ende", ""),
        ("see F.A.Q.s & more # not this", "[(Section [F.A.Q.s & more])]"),
        ("see Step 1: Place cards", "[(Section [Step 1: Place cards])]"),
        ("", "[]"),
    ],
)
def test_citations(citation: str, sections: str) -> None:
    expected = sections or (
        "[(Section english [Setup]) (Section english [Turns]) (Section german [Zug Ende])]"
    )

    define = item_of(f"define a = b   {citation}\n")

    assert isinstance(define, nodes.Define)
    assert brief(define.see) == expected
    assert define.span.text == "define a = b"


def test_sections_stand_at_their_place() -> None:
    define = item_of("define a = b  see A,  old: B / C   # no\n")

    assert isinstance(define, nodes.Define)
    assert [section.span.text for section in define.see] == ["A", "B / C"]


CITING = """\
language 1
game "T" for 2 players see game
use turns see use
book "x" see book
includes "A" see includes
option a: flag = yes see option
kind A is one of [a] see kind
unit a see unit
each A has see each
  a: number see field
the game has see the
  a: number
neutral a "A" see neutral
table A see table
  | a | see row, more # | no | comment
table A for each a in b see product
define a = see define
  let b = c see let
  d see value
tally a see tally
  b: 1 see line
to a see verb
  choose a from b see choose
    ask "c" see ask
  draw see command
  may "a" see may
    stop see stop
  either "a" see arm
  or "b" see other arm
    need a else "b" see need
  if a see if
    do a see do
  else if b see else if
    end game see end
  else see else
    step a see step
      stop
  for each a in b see for
    repeat see repeat
      as a see as
        until a ends change b to c see until
change a to b see change
before a see before
  stop
as soon as a see soon
  stop
during a see during
  may "b" see offer
    stop
check a see check
ranking see ranking
  most a see most
  fewest b see fewest
example "a" see example
  players a see players
  given a is b see given
  given a holds b see holds
  chance 1 see chance
  do a: b see answers
  expect a see expect
  refuse a: b see refuse
  allow a: b see allow
"""


def walk(value: object) -> Iterator[nodes.Node]:
    """Yield a node and all inside it."""
    if isinstance(value, tuple):
        for item in value:
            yield from walk(item)
    elif isinstance(value, nodes.Node):
        yield value
        for field in attrs.fields(type(value)):
            if field.name != "span":
                yield from walk(getattr(value, field.name))


def test_every_citation_of_a_line_comes_through() -> None:
    written = [words.strip() for words in re.findall(r"see ([^#\n]*)", CITING)]

    found = [node for node in walk(file_of(CITING)) if isinstance(node, nodes.Section)]

    found.sort(key=lambda section: section.span.start)
    assert ", ".join(section.span.text for section in found) == ", ".join(written)


def test_the_citation_of_a_branch_is_its_own() -> None:
    step = step_of("if a see A\n  stop\nelse if b see B\n  stop\nelse see C\n  stop")

    assert isinstance(step, nodes.If)
    assert [branch.see[0].path for branch in step.branches] == [("A",), ("B",)]
    assert step.see[0].path == ("C",)


# -------------------------------------------------------------------------------------------- places


def test_spans_leave_out_citations_and_comments() -> None:
    text = HEAD + "to act see A # x\n  stop turn see B # y\n\n# z\ndefine a = b\n"
    verb, define = file_of(text).items

    assert isinstance(verb, nodes.Verb)
    assert verb.span.text == "to act see A # x\n  stop turn"
    assert verb.block[0].span.text == "stop turn"
    assert define.span.text == "define a = b"


@pytest.mark.parametrize(
    "text",
    ["(a + b) * c", "(a) + (b)", "my.hand", "its.f(3)", "[a, b]", "-a", "xs where (a)", "f( a )"],
)
def test_the_span_of_a_value_is_all_of_it(text: str) -> None:
    source = Source("test.rules", f"..{text}..")

    value, _ = parse_formula(source, 2, 2 + len(text))

    assert value is not None
    assert value.span.text == text


def test_brackets_are_no_part_of_the_value_inside() -> None:
    value = value_of("(a + b) * c")

    assert isinstance(value, nodes.Binary)
    assert value.left.span.text == "a + b"


def test_me_and_it_stand_where_my_and_its_are_written() -> None:
    value = value_of("my.a + its.b")

    assert isinstance(value, nodes.Binary)
    assert isinstance(value.left, nodes.Attribute) and isinstance(value.right, nodes.Attribute)
    assert value.left.target.span.text == "my"
    assert value.right.target.span.text == "its"


def test_nodes_stand_inside_of_the_nodes_that_hold_them() -> None:
    def check(node: nodes.Node) -> None:
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            for part in value if isinstance(value, tuple) else (value,):
                # Citations are no part of the span.
                if isinstance(part, nodes.Node) and not isinstance(part, nodes.Section):
                    assert node.span.start <= part.span.start <= part.span.end <= node.span.end
                    check(part)

    for path in sorted((Path(__file__).parent / "corpus").rglob("*.rules")):
        file = file_of(path.read_text(encoding="utf-8"))
        check(file)


def test_cells_are_trimmed_and_stand_at_their_place() -> None:
    table = item_of("table A\n  |  a b | `c | d` ||   |  # e |\n")

    assert isinstance(table, nodes.Table)
    (row,) = table.rows
    assert [cell.text for cell in row.cells] == ["a b", "`c | d`", "", ""]
    assert [cell.span.text for cell in row.cells] == ["a b", "`c | d`", "", ""]
    assert row.span.text == "|  a b | `c | d` ||   |"


def test_what_looks_like_a_keyword_is_a_name_elsewhere() -> None:
    file = file_of(
        HEAD
        + "each Card has\n  table, check, most, given, example: number = 0\n"
        + "to act\n  let chance = most\n  expect chance\n  choose 2 players from times\n"
    )

    kind, verb = file.items
    assert brief(kind).startswith("(KindHas Card [(Field [table check most given example]")
    assert brief(verb) == (
        "(Verb act [(Let chance (Name most)) (Command expect (Name chance))"
        " (Choose (Quantity count (Number 2)) players (Name times))])"
    )


def test_a_long_line_breaks_in_brackets_and_after_a_comma_with_then() -> None:
    file = file_of(
        HEAD + "define a = count(\nb,\n    c)\nranking\n  most d\n"
        "define e = xs having most f,\n  then fewest g\n"
    )

    assert [brief(item) for item in file.items] == [
        "(Define a (Call count [(Name b) (Name c)]))",
        "(Ranking [(Key most (Name d))])",
        "(Define e (ListOrder having (Name xs) [(Key most (Name f)) (Key (Name g))]))",
    ]
