"""`interpreter/API.md`: its programs run and print what stands behind them, and it names every public name.

The `python` blocks are one program, in a folder with the rule files of the `rules` blocks; the `text`
block behind one of them is what it prints.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import rulewright

PAGE = (Path(__file__).parents[2] / "interpreter" / "API.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)
PLACES = ("noughts/game.rules", "noughts/variants/misere.rules")


def test_the_programs_of_the_page_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = [text for word, text in BLOCKS if word == "rules"]
    for place, text in zip(PLACES, rules, strict=True):
        assert f"`{place}`" in PAGE
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}

    for (word, text), (_, shown) in pairwise(BLOCKS):
        if word == "python":
            exec(compile(text, "interpreter/API.md", "exec"), known)
            assert capsys.readouterr().out == shown, text


def test_every_program_of_the_page_is_followed_by_what_it_prints() -> None:
    words = [word for word, _ in BLOCKS if word != "rules"]

    assert words == ["python", "text"] * (len(words) // 2)


def test_the_page_names_what_is_public_and_nothing_else() -> None:
    _, _, listed = PAGE.partition("\n## All names\n")
    named = re.findall(r"`(?:rulewright\.)?(\w+)`", listed)

    assert sorted(named) == sorted(rulewright.__all__)


def taken_from_the_package(program: str) -> Iterator[str]:
    """Yield what a program takes from the package: names, and the modules in it that it imports."""
    nodes = list(ast.walk(ast.parse(program)))
    bound = {"rulewright"}
    for node in nodes:
        match node:
            case ast.Import(names=names):
                inside = [one.name for one in names if one.name.startswith("rulewright.")]
                yield from (name.removeprefix("rulewright.") for name in inside)
                bound |= {one.asname or "" for one in names if one.name == "rulewright"}
            case ast.ImportFrom(module="rulewright", names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module=str(module)) if module.startswith("rulewright."):
                yield module.removeprefix("rulewright.")
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in bound:
                yield attribute


def test_whatever_the_page_takes_from_the_package_is_public() -> None:
    programs = [text for word, text in BLOCKS if word == "python"]
    taken = {name for program in programs for name in taken_from_the_package(program)}
    named = set(re.findall(r"\brulewright\.(\w+)", PAGE))

    assert taken
    assert taken | named <= set(rulewright.__all__)


def test_every_way_to_take_something_from_the_package_is_found() -> None:
    program = """
import rulewright as rw, rulewright.dsl
from rulewright import load_game, State as Kept
from rulewright.interpreter.play import api
rw.compile_game("x")
rulewright.check("x")
"""

    assert set(taken_from_the_package(program)) == {
        *("dsl", "load_game", "State", "interpreter.play", "compile_game", "check")
    }


@pytest.mark.parametrize("name", rulewright.__all__)
def test_each_name_is_described_before_they_are_listed(name: str) -> None:
    described, heading, _ = PAGE.partition("\n## All names\n")
    said = "\n".join(re.findall(r"```python\n.*?```|`[^`\n]+`", described, re.DOTALL))

    assert heading
    assert re.search(rf"\b{name}\b", said)
