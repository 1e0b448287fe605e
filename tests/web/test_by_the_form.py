"""A table that somebody makes by the form of the lobby, in German, with agents at the other seats: what he reads before
and during the game is in his language, and the moves of agents come one by one."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")

from page_views import SHELF
from web_clicks import Person, faults
from web_table import LINK, Server

from rulewright.dsl.files import disk

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.bounded]

Begin = Callable[..., Server]
GERMAN = "de-DE"
TURNS = 4
PAUSE = 0.3

WATCH_THE_LOG = """() => {
  window.logs = [];
  const note = () => {
    const lines = JSON.stringify([...document.querySelectorAll("#log li")].map(one => one.innerText));
    if (window.logs.at(-1) !== lines) window.logs.push(lines);
  };
  note();
  new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
}"""


def texts(game: str) -> dict[str, str]:
    """Return the texts of a game in German, by what they are in its rules."""
    path = Path(disk.packaged("games")) / game / "texts" / "de.csv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file) if len(row) > 1}


TRANSLATED = next(game for game in SHELF if texts(game))
IN_TURNS = "jump_gate_2e"
"""There an agent answers several times, one after the other."""


def opened(server: Server, sit: Any, game: str, *others: str) -> Person:
    """Return somebody who has come to the form of a new table by the lobby, and has said who sits there."""
    (ann,) = sit(1, "desktops", locale=GERMAN)
    ann.page.goto(server.address)
    assert ann.page.locator("html").get_attribute("lang") == "de"
    ann.page.locator(f'a[href="/new/{game}"]').click()
    ann.page.locator("input[name=name-1]").fill("Anna")
    for number, one in enumerate(ann.page.locator("select[name^=seat-]").all()[1:]):
        one.select_option(others[number] if number < len(others) else "none")
    return ann


def made(ann: Person) -> None:
    """Let somebody send the form; the table comes at once, where nobody else needs a link."""
    ann.page.get_by_role("button", name="Tisch öffnen").click()
    ann.page.wait_for_url(LINK)


def test_agents_move_one_by_one_with_their_words(begin: Begin, sit: Any) -> None:
    ann = opened(begin(pause=PAUSE), sit, IN_TURNS, "greedy")
    ann.page.locator("input[name=name-2]").fill("Robo")
    made(ann)
    ann.page.evaluate(WATCH_THE_LOG)

    for _ in range(TURNS):
        if ann.until(lambda seen: seen.yours or seen.over).over:
            break
        ann.answer()
    ann.until(lambda seen: seen.yours or seen.over)

    logs = [json.loads(one) for one in ann.page.evaluate("window.logs")]
    moves = [sum(line.startswith("Robo") for line in one) for one in logs]
    grown = [after - before for before, after in itertools.pairwise(moves)]
    # It has done several things, and they did not come all at once.
    assert sum(one > 0 for one in grown) >= 2
    assert any("von:" in line or "nach:" in line for line in logs[-1])
    assert not any(re.search(r"\b(moves|goes|is now)\b", line) for one in logs for line in one)
    assert faults([ann]) == []


def test_what_a_game_says_of_itself_is_in_german(server: Server, sit: Any) -> None:
    known = texts(TRANSLATED)
    ann = opened(server, sit, TRANSLATED, "random")
    ann.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")

    said = ann.page.locator("form.setup").inner_text()
    titles = ann.page.locator("input[name=variant]").evaluate_all(
        "all => all.map(one => one.value)"
    )
    assert [known[one] for one in titles if known[one] not in said] == []
    labels = ann.page.locator("form.setup .option label").all_inner_texts()
    assert labels and set(labels) <= set(known.values())

    made(ann)
    for _ in range(TURNS):
        if ann.until(lambda seen: seen.yours or seen.over).over:
            break
        ann.answer()
    sight = ann.until(lambda seen: seen.yours or seen.over)
    assert not re.search(r"\b(Choose|your|cards)\b", sight.prompt)
    assert faults([ann]) == []


def test_a_variant_for_fewer_can_be_played(server: Server, sit: Any) -> None:
    ann = opened(server, sit, TRANSLATED)
    for one in ann.page.locator("input[name=variant]").all():
        one.check()

    made(ann)

    assert ann.until(lambda seen: seen.yours).prompt
    assert faults([ann]) == []
