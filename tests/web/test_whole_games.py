"""Whole games in real browsers, at the real server, by nothing but clicks: each game of the shelf, on desktops and phones.

People who know no rules click what can be clicked (`web_clicks.py`); each has a browser of his own, and what others do
comes to him as news. At the end all of them see what the saved game says. `SEED=7 pytest -s --slow -k whole` plays
other games, and tells how long they were.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")

from page_views import SHELF, loaded
from sharing import large_games
from web_clicks import LOOKS, Person, come, faults, play
from web_table import Server

from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.record import load, save
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.terminal.table import words

pytestmark = pytest.mark.browser

LARGE = large_games()
SMALL = [game for game in SHELF if game not in LARGE]

SOME = 30
"""So many answers of a large game are enough at every change."""

MOST = 3_000
"""No game of the shelf takes so many answers."""

SEED = int(os.environ.get("SEED", "1"))


def begun(people: Sequence[Person], server: Server, game: str) -> None:
    """Let some people come to the table of a game that has just begun."""
    come(people, server.address, save(loaded(game).new_initial_state(seed=SEED)))


def saved(person: Person, folder: Path) -> State:
    """Return the game that somebody saves."""
    with person.page.expect_download() as file:
        person.press(person.page.get_by_role("link", name="Save the record"))
    file.value.save_as(folder / "game.save")
    return load((folder / "game.save").read_text(encoding="utf-8"))


def sees_the_end(person: Person, state: State) -> None:
    """Assert that somebody sees the end of a game as it was saved: who has won, everybody's place, the score sheet."""
    outcome = person.page.locator("section.outcome")
    names, winners = state.game.names, [state.game.names[seat] for seat in state.winners()]
    heading = outcome.get_by_role("heading", level=2).inner_text()
    podium = outcome.locator(".podium li").all_inner_texts()
    sheet = [
        [line.locator("th").inner_text(), *line.locator("td").all_inner_texts()]
        for line in outcome.locator(".sheet tbody tr").all()
    ]

    assert [name for name in names if name in heading] == winners
    assert winners or heading == "Nobody has won"
    for seat, name in enumerate(names):
        (line,) = [text for text in podium if name in text]
        assert line.split()[0] == str(state.ranking()[seat])
    assert sheet == [[words(line.name), *map(str, line.values)] for line in state.score_sheet()]


def whole(people: Sequence[Person], server: Server, game: str, folder: Path) -> str:
    """Play a game of the shelf to its end, and assert that all see it alike; return how long it was."""
    begun(people, server, game)
    start = time.monotonic()

    over = play(people, MOST, Generator(SEED))

    passed = time.monotonic() - start
    assert over
    for one in people:
        one.sees_no_more_when_it_is_loaded_again()
    state = saved(people[0], folder)
    assert state.is_terminal()
    for one in people:
        # That the record was saved is news: nobody takes anything back any more.
        one.page.reload()
        sees_the_end(one, state)
    assert faults(people) == []
    counts = [
        sum(found)
        for found in zip(*((one.answers, one.clicks, len(one.told)) for one in people), strict=True)
    ]
    return "{} answers, {} clicks, {} refused".format(*counts) + f", {passed:.0f} s"


def test_a_small_game_on_a_phone_and_a_desktop(server: Server, sit: Any, tmp_path: Path) -> None:
    whole(sit(loaded(SMALL[0]).num_players, "both"), server, SMALL[0], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(
    "game", [*(pytest.param(game, marks=pytest.mark.bounded) for game in SMALL), *LARGE]
)
def test_a_game_is_played_whole(
    server: Server, sit: Any, tmp_path: Path, game: str, look: str
) -> None:
    print(
        f"\n{game}, {look}:",
        whole(sit(loaded(game).num_players, look, SEED), server, game, tmp_path),
    )


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("game", LARGE)
def test_a_large_game_is_begun(server: Server, sit: Any, game: str) -> None:
    people = sit(loaded(game).num_players, "both")
    begun(people, server, game)

    play(people, SOME, Generator(SEED))
    people[0].page.wait_for_timeout(1_000)

    for one in people:
        one.sees_no_more_when_it_is_loaded_again()
    assert faults(people) == []
