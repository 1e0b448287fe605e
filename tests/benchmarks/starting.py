"""How much CPU time commands need from start to end, cold and warm, in processes of their own.

The commands run on a copy of the sources. Cold means: the copy has no bytecode, and the folder for
caches is empty, as after an update; the libraries are compiled as always. Warm is the second run.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import Costs, Table, figure, ratios, spread, times

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = ("dsl", "interpreter", "games", "stdlib", "seeds")

LIBRARIES = "lark, attrs, cattrs, networkx, tomli_w, rich.console, prompt_toolkit, platformdirs"
MAIN = "import sys; from rulewright.interpreter.cli.main import main; sys.exit(main())"

BARE = "python -c pass"
IMPORTS = "import of the libraries"
COMMANDS: dict[str, tuple[str, ...]] = {
    "rulewright --version": ("--version",),
    "rulewright list": ("list",),
    "rulewright check jump_gate_2e": ("check", "jump_gate_2e"),
    "rulewright play tic_tac_toe": ("play", "tic_tac_toe", "--agents", "random"),
    "rulewright play jump_gate_2e": ("play", "jump_gate_2e", "--agents", "random", "--seed", "7"),
    "the same, first decision": ("play", "jump_gate_2e", "--agents", "random", "--limit", "1"),
}
"""By what is shown the arguments of a command; to play means a whole game between programs."""


class Workshop:
    """A copy of the sources, with a folder for caches beside it."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder / "sources"
        self.home = folder / "home"
        self.home.mkdir()
        for part in PARTS:
            shutil.copytree(
                ROOT / part,
                self.sources / "rulewright" / part,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        for file in (ROOT / "interpreter" / "public").glob("*.py*"):
            shutil.copy(file, self.sources / "rulewright")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONPYCACHEPREFIX")
            and not name.startswith("XDG_")
        }
        self.environment |= {"PYTHONPATH": str(self.sources), "HOME": str(self.home)}

    def forget(self) -> None:
        """Take all bytecode of the sources and all caches away."""
        for cache in list(self.sources.rglob("__pycache__")):
            shutil.rmtree(cache)
        shutil.rmtree(self.home)
        self.home.mkdir()

    def run(self, *arguments: str) -> float:
        """Run Python with these arguments and return the CPU time in microseconds."""
        silent = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, *arguments],
            self.environment,
            file_actions=silent,
        )
        _, status, usage = os.wait4(process, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            raise RuntimeError(f"python {' '.join(arguments)} failed")
        return (usage.ru_utime + usage.ru_stime) * 1e6


def measure(rounds: int, commands: Mapping[str, Sequence[str]] = COMMANDS) -> Costs:
    """Return the CPU time of each command in each round."""
    costs: Costs = {}
    with TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        workshop.run("-c", f"import {LIBRARIES}")
        for _ in range(rounds):
            costs.setdefault(BARE, []).append(workshop.run("-c", "pass"))
            costs.setdefault(IMPORTS, []).append(workshop.run("-c", f"import {LIBRARIES}"))
            for shown, arguments in commands.items():
                workshop.forget()
                for state in ("cold", "warm"):
                    spent = workshop.run("-c", MAIN, *arguments)
                    costs.setdefault(f"{shown}, {state}", []).append(spent)
    return costs


def table(costs: Costs) -> Table:
    """Return what has been measured as a table."""
    rows = tuple(
        (
            name,
            figure(spread(costs[name]).median / 1000),
            *(
                "1" if name == base else times(ratios(costs, name, base))
                for base in (BARE, IMPORTS)
            ),
        )
        for name in costs
    )
    return Table("Start", ("command", "CPU ms", f"times {BARE}", f"times {IMPORTS}"), rows)
