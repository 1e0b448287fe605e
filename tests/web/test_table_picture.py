"""The picture of the README is what a browser shows of a table.

`pytest --slow --update tests/web/test_table_picture.py` makes it anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PICTURE = Path(__file__).parent / "pictures" / "table.png"
README = Path(__file__).parents[2] / "README.md"
GAME = "jump_gate_2e"
NAMES = ("Ann", "Ben", "Cem")
SEED = 5
DECISIONS = 60
"""At least so many answers have been given."""

SIZE = {"width": 1060, "height": 720}
MOST_BYTES = 150_000


def is_png(data: bytes) -> bool:
    """Return whether this is a picture of the right size."""
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    return data.startswith(b"\x89PNG\r\n") and {"width": width, "height": height} == SIZE


def test_the_picture_stands_in_the_readme() -> None:
    text = README.read_text("utf-8")

    assert f"({PICTURE.relative_to(README.parent).as_posix()})" in text
    assert f"rulewright serve {GAME}" in text
    assert is_png(PICTURE.read_bytes())
    assert PICTURE.stat().st_size <= MOST_BYTES


def record() -> str:
    """Return a saved game in which the first seat has several answers, and where something lies on its table."""
    from rulewright.interpreter.agents.agent import RandomAgent, let_answer
    from rulewright.interpreter.play.api import load_game
    from rulewright.interpreter.play.record import save

    state = load_game(GAME, names=list(NAMES)).new_initial_state(seed=SEED)
    agent = RandomAgent("table")
    while (
        len(state.history()) < DECISIONS
        or state.current_players() != (0,)
        or len(state.legal_actions()) < 4
    ):
        let_answer(agent, state, state.current_players()[0])
    return save(state)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.browser
def test_the_picture_can_be_made(
    request: pytest.FixtureRequest, begin: Callable[..., Any], tmp_path: Path
) -> None:
    for name in ("starlette", "uvicorn", "httpx", "playwright"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    sit = request.getfixturevalue("sit")
    server = begin()
    from web_clicks import come, faults

    people = sit(len(NAMES), "desktops", viewport=SIZE)
    come(people, server.address, record())
    people[0].page.reload()
    people[0].until(lambda seen: seen.yours)
    made = tmp_path / PICTURE.name
    people[0].page.screenshot(path=made, animations="disabled")

    assert is_png(made.read_bytes())
    assert made.stat().st_size <= MOST_BYTES
    assert faults(people) == []
    if request.config.getoption("--update"):
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_bytes(made.read_bytes())
