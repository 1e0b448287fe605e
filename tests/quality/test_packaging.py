"""What is in the repository is also in the wheel."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIGURATION: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = CONFIGURATION["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETUPTOOLS["package-dir"]


def folder_of(package: str) -> str:
    """Return the folder of a package as setuptools finds it: as it is mapped, or inside its parent's."""
    if package in FOLDERS:
        return FOLDERS[package]
    parent, _, name = package.rpartition(".")
    return f"{folder_of(parent)}/{name}"


def test_every_package_folder_is_listed() -> None:
    found = {
        path.parent.relative_to(ROOT).as_posix()
        for folder in FOLDERS.values()
        for path in (ROOT / folder).rglob("__init__.py")
    }

    listed = [folder_of(name) for name in SETUPTOOLS["packages"]]

    assert sorted(found) == sorted(listed)


def home_of(path: Path) -> str:
    """Return the mapped package in whose folder a file lies; one mapped folder lies in another."""
    around = [name for name, folder in FOLDERS.items() if path.is_relative_to(ROOT / folder)]
    return max(around, key=lambda name: len(FOLDERS[name]))


@pytest.mark.parametrize("package", FOLDERS)
def test_every_data_file_is_shipped(package: str) -> None:
    folder = ROOT / FOLDERS[package]
    files = {
        path
        for path in folder.rglob("*")
        if path.is_file()
        and home_of(path) == package
        and path.suffix not in (".py", ".pyc")
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }

    shipped = {
        path
        for pattern in SETUPTOOLS["package-data"].get(package, ())
        for path in folder.glob(pattern)
    }

    left_behind = sorted(path.relative_to(ROOT).as_posix() for path in files - shipped)
    assert not left_behind, f"no package-data pattern of {package} ships {left_behind}"


def test_the_package_itself_lies_where_it_is_mapped_and_nowhere_else() -> None:
    assert not (ROOT / "rulewright").exists()
    assert not (ROOT / "__init__.py").exists()
    assert (ROOT / FOLDERS["rulewright"] / "__init__.py").is_file()
    # It is one package, not two that hand the same names on.
    assert "rulewright.interpreter.public" not in SETUPTOOLS["packages"]


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / FOLDERS["rulewright"] / "py.typed").is_file()


def test_the_readme_gives_the_commands_that_the_gate_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    commands = [line for line in readme.splitlines() if "-m pytest" in line]

    # `.ci/run` takes the first such line, as it stands.
    assert commands[0] == (
        "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && "
        ".venv/bin/python -m pytest -q -n auto"
    )
