"""Compiling what is generated for a game: a loaded game in, a library in the user's cache folder out.

mypyc makes C from the module that `emit_native` writes, and the compiler of the machine makes a
library of it (`native` says how that is used). Both work in a process and a folder of their own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import attrs

from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine.executor import begin
from rulewright.interpreter.native import native
from rulewright.interpreter.native.emit_native import chosen, module
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator

QUIET_GAMES = 30
"""When so many games in a row have asked for nothing new, the next ones are taken to do the same."""

MOST_GAMES = 600
MOST_SECONDS = 30.0
MOST_DECISIONS = 5000
"""Bounds of what is played to find out what games ask for."""

MOST_REFUSALS = 5
"""So often mypyc may find functions that it does not take; they stay Python."""

OPTIMISED = "3"
"""How far the compiler is to go."""

HEADER = "quick.h"
AFTER = '#include "__native_internal.h"'
"""Behind this line of what mypyc writes, the header takes effect."""

SCRIPT = """
import sys
from mypyc.build import mypycify
from setuptools import setup
name, header, after, level = sys.argv[1:]
options = ["--config-file=", "--follow-imports=skip", "--ignore-missing-imports"]
extensions = mypycify([*options, f"{name}.py"], opt_level=level, debug_level="0")
for extension in extensions:
    for source in extension.sources:
        with open(source, encoding="utf-8") as file:
            text = file.read()
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace(after, f'{after}\\n#include "{header}"', 1))
setup(name=name, ext_modules=extensions, script_args=["-q", "build_ext", "--inplace"])
"""


class CannotBuild(Exception):
    """No library can be made here; the text is a line for the user."""


@attrs.frozen
class Built:
    """What was built."""

    functions: int
    games: int
    """How many games were played to find out what is needed."""

    size: int


def require_tools() -> None:
    """Raise `CannotBuild` if something is missing that must be installed first."""
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        raise CannotBuild("mypyc is not installed; `pip install 'rulewright[native]'` installs it")
    if sys.platform == "win32":
        # Where it lies there, only setuptools can find out.
        return
    command = shlex.split(os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc"))
    if not command or shutil.which(command[0]) is None:
        raise CannotBuild(
            f"there is no C compiler (`{command[0] if command else 'cc'}`); install one, such as"
            " gcc or clang, or let the variable CC name it"
        )


def build(fresh: Callable[[], Program]) -> Built:
    """Build the library of a game; `fresh` loads it anew. Raises `CannotBuild`."""
    require_tools()
    place = native.place_of(fresh())
    if place is None:
        raise CannotBuild("there is no cache folder that is yours alone, so nothing can be kept")
    recipe, games = asked(fresh())
    program = fresh()
    units = native.rewritten(program, recipe, source=True)
    functions = units.names.kept_source
    codes = units.names.kept_code
    assert functions is not None and codes is not None
    refused: frozenset[str] = frozenset()
    for _ in range(MOST_REFUSALS):
        taken = chosen(functions, units.names.space, refused)
        if not taken:
            raise CannotBuild("random games of it do nothing that could be compiled")
        pieces, names = module(taken, units.names.space, refused)
        made = compiled(place.name, pieces)
        if isinstance(made, bytes):
            try:
                native.keep(place, recipe, native.digest(codes), [one.name for one in taken], made)
            except OSError as error:
                raise CannotBuild(
                    f"the library cannot be kept: {error.strerror or error}"
                ) from None
            return Built(len(names), games, len(made))
        refused |= {names[number - 1] for number in made if 0 < number <= len(names)}
    raise CannotBuild("mypyc takes too little of what is generated for this game")


def asked(program: Program) -> tuple[native.Recipe, int]:
    """Return what random games ask for, and how many were played to find out."""
    generate(program)
    history = program.lane.tracks.history
    games = quiet = 0
    end = time.monotonic() + MOST_SECONDS
    while games < MOST_GAMES and quiet < QUIET_GAMES and time.monotonic() < end:
        before = len(history)
        store = begin(program, games)
        # What is wrong with the rules, those who play will be told.
        with suppress(PlayError):
            program.lane.play(store, Generator(f"agents {games}"), MOST_DECISIONS)
        games += 1
        quiet = 0 if len(history) > before else quiet + 1
    return native.written(program), games


def compiled(name: str, pieces: list[str]) -> bytes | set[int]:
    """Return the library that a module becomes, or the numbers of the pieces that mypyc does not
    take."""
    header = Path(__file__).with_name(HEADER)
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        (Path(folder) / f"{name}.py").write_text("\n".join(pieces), encoding="utf-8")
        environment = {**os.environ, "MYPY_CACHE_DIR": str(Path(folder) / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, name, header.as_posix(), AFTER, OPTIMISED],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
        library = Path(folder) / f"{name}{suffix}"
        if done.returncode == 0 and library.is_file():
            return library.read_bytes()
    refused = _refused(name, pieces, done.stdout + done.stderr)
    if refused:
        return refused
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    telling = [line for line in said if "error" in line.lower()] or said or ["it says nothing"]
    raise CannotBuild(f"the compiler has failed: {telling[0]}")


def _refused(name: str, pieces: list[str], said: str) -> set[int]:
    """Return the numbers of the pieces about which mypyc complains; not of the first, which is
    about no function."""
    starts = []
    line = 1
    for piece in pieces:
        starts.append(line)
        line += piece.count("\n") + 1
    found = set()
    for match in re.finditer(rf"^{re.escape(name)}\.py:(\d+): error:", said, re.MULTILINE):
        number = max(at for at, start in enumerate(starts) if start <= int(match[1]))
        if 0 < number < len(pieces) - 1:
            found.add(number)
    return found
