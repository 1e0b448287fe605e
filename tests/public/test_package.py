"""What `import rulewright` gives: the names that it promises, and nothing loaded before it is used."""

import ast
import json
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import rulewright

SOURCE = Path(rulewright.__file__)


def printed(program: str) -> str:
    """Return what a program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


def imported_for_types() -> dict[str, str]:
    """Return what type checkers are told: each name, and where it comes from."""
    tree = ast.parse(SOURCE.read_text("utf-8"))
    (guarded,) = [node for node in tree.body if isinstance(node, ast.If)]
    found = {}
    for node in guarded.body:
        if isinstance(node, ast.ImportFrom):
            module = str(node.module).removeprefix("rulewright.")
            for alias in node.names:
                renamed = alias.asname is not None
                found[alias.asname or alias.name] = f"{module}:{alias.name}" if renamed else module
    return found


def test_all_names_are_said_alike_wherever_they_are_listed() -> None:
    homes = rulewright._HOMES

    assert homes == imported_for_types()
    assert sorted(rulewright.__all__) == sorted([*homes, "__version__"])
    assert list(rulewright.__all__) == sorted(rulewright.__all__)


@pytest.mark.parametrize("name", rulewright.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    assert getattr(rulewright, name) is getattr(rulewright, name)
    assert name in dir(rulewright)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'rulewright' has no attribute 'lode_game'"):
        rulewright.lode_game  # noqa: B018

    with pytest.raises(ImportError, match="lode_game"):
        exec("from rulewright import lode_game")


def test_importing_the_package_loads_nothing_else() -> None:
    program = (
        "import json, sys; before = set(sys.modules); import rulewright;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )

    assert json.loads(printed(program)) == ["rulewright"]


def test_the_errors_can_be_imported_without_the_front_end() -> None:
    loaded = printed(
        "import sys; from rulewright import RulesError, PlayError, Diagnostic; print(*sys.modules)"
    )

    assert not {"lark", "networkx", "rulewright.dsl.frontend.frontend"} & set(loaded.split())


def test_the_version_is_that_of_the_project(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]

    assert rulewright.__version__ == version("rulewright") == project["version"]


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == f"rulewright {rulewright.__version__}\n"
