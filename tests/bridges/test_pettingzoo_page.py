"""`interpreter/PETTINGZOO.md`: its programs run and print what stands behind them."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra `pettingzoo`)")

PAGE = (Path(__file__).parents[2] / "interpreter" / "PETTINGZOO.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_programs_of_the_page_print_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    known: dict[str, object] = {}

    for (word, text), (_, shown) in pairwise(BLOCKS):
        if word == "python":
            exec(compile(text, "interpreter/PETTINGZOO.md", "exec"), known)
            assert capsys.readouterr().out == shown, text


def test_every_program_of_the_page_is_followed_by_what_it_prints() -> None:
    words = [word for word, _ in BLOCKS if word != "sh"]

    assert words and words == ["python", "text"] * (len(words) // 2)
