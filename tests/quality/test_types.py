"""Everything passes mypy in strict mode."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest


def linked(link: Path, target: Path) -> None:
    """Make a link, unless it is there."""
    if not link.is_symlink():
        link.symlink_to(target, target_is_directory=target.is_dir())


@pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None, reason="mypy is not installed (extra `dev`)"
)
def test_all_modules_and_a_program_that_uses_them_pass_the_type_checker(root: Path) -> None:
    # Type checkers do not follow the editable install, so they get a folder of links. It stays
    # where it is: with a new folder each time, mypy would start from nothing each time.
    view = root / ".view" / "rulewright"
    view.mkdir(parents=True, exist_ok=True)
    parts = [root / name for name in ("dsl", "interpreter", "games", "stdlib", "seeds")]
    for part in (*parts, *(root / "interpreter" / "public").glob("*.py*")):
        linked(view / part.name, part)
    program = root / "tests" / "public" / "typed_program.py"
    linked(view.parent / program.name, program)

    result = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", "pyproject.toml"),
            # A cache of its own: one shared with other views would mix up the paths.
            *("--cache-dir", str(view.parent / ".mypy_cache"), "-p", "rulewright"),
            *("-m", program.stem),
        ],
        cwd=root,
        env={**os.environ, "MYPYPATH": str(view.parent)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stdout + result.stderr
