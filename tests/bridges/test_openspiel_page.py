"""`interpreter/OPENSPIEL.md`: its programs run and print what stands behind them."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `openspiel`)")

PAGE = (Path(__file__).parents[2] / "interpreter" / "OPENSPIEL.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_programs_of_the_page_print_what_it_says() -> None:
    # What is registered stays so: they have a process of their own.
    programs = [text for word, text in BLOCKS if word == "python"]
    shown = [text for (word, _), (_, text) in pairwise(BLOCKS) if word == "python"]

    done = subprocess.run(
        [sys.executable, "-c", "print('---')\n".join(programs)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split("---\n") == shown


def test_every_program_of_the_page_is_followed_by_what_it_prints() -> None:
    words = [word for word, _ in BLOCKS if word != "sh"]

    assert words and words == ["python", "text"] * (len(words) // 2)
