"""The typed program of a user runs; that its types are right is looked at in `tests/quality/test_types.py`."""

import subprocess
import sys
from pathlib import Path


def test_the_program_does_what_it_says() -> None:
    program = Path(__file__).with_name("typed_program.py")

    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False
    )

    assert done.stdout.splitlines() == [
        "won (-1.0, 1.0) ['ben']",
        "no action is called 'raise'",
        "10 [] ['1: no game is called `nowhere`']",
        "Kuhn poker is for 2 players, not for 9",
    ], done.stderr
