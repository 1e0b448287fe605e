"""Agents and hints: they think in processes of their own, move one by one, and nobody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import attrs
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

from web_here import OPEN, Here
from web_table import Server, make, until

from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.pages import Hint
from rulewright.interpreter.web.storage import Setup, TableRow
from rulewright.interpreter.web.table import rules_of
from rulewright.interpreter.web.thinking import Task, Thinker

Begin = Callable[..., Server]

WAITS = "Agents are playing alone at too many tables"
GAMES = Path(__file__).parent.parent / "laws" / "games"


def test_a_table_of_agents_plays_to_its_end(server: Server) -> None:
    made = make(server, "connect_four", "random", "greedy")

    until(lambda: made.watcher.view()["end"] is not None)

    assert "won" in made.watcher.page().text or "Nobody" in made.watcher.page().text


@pytest.mark.slow
@pytest.mark.bounded
def test_where_agents_wait_for_room_it_is_said(begin: Begin) -> None:
    server = begin(agents_alone=1, moves_unwatched=1, pause=0.3)
    first = make(server, "jump_gate_2e", "random", "random").watcher

    def rests() -> bool:
        n = first.view()["n"]
        sleep(1.0)
        return bool(first.view()["n"] == n)

    until(rests)
    second = make(server, "jump_gate_2e", "random", "random").watcher
    with second.browser.stream("GET", f"{second.link}news") as watched:
        assert watched.status_code == 200
        assert WAITS not in second.page().text
        with first.browser.stream("GET", f"{first.link}news"):
            asked = server.browser()
            until(lambda: WAITS in asked.get(first.link).text)
            n = first.view()["n"]
            watched.close()
            # At the other table nobody looks on, so it makes room.
            until(lambda: first.view()["n"] != n)
            until(lambda: WAITS not in asked.get(first.link).text)


def test_an_agent_answers_whoever_looks(server: Server) -> None:
    made = make(server, "connect_four", "me", "search:20")
    ann = made.seats[0]
    ann.answer(3)

    until(lambda: ann.view()["question"] is not None)

    assert len(ann.view()["log"]) >= 2


def test_who_waits_for_an_agent_gets_no_hint(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here(folder, monkeypatch, limits=attrs.evolve(OPEN, pause=1e6))

    async def ask() -> None:
        table = await here.table("connect_four", "random", "me")
        (link,) = table.people.values()
        for _ in range(3):
            await here.post(f"{link}hint", n=0)
            await asyncio.sleep(0)
        assert (await here.get(link)).status == 200
        await here.web.dispatcher.stop()

    asyncio.run(ask())

    assert not here.web.hints and not here.workers.wrong


@pytest.mark.slow
@pytest.mark.bounded
def test_an_agent_that_thinks_keeps_nobody_waiting(server: Server) -> None:
    slow = make(server, "connect_four", "me", "search:5s")
    other = make(server, "connect_four", "me", "link")
    slow.seats[0].answer(3)

    begun = monotonic()
    for column in (0, 1):
        other.seats[0].answer(column)
        other.seats[1].answer(column)
    quick = monotonic() - begun

    # It was still thinking when the others had long answered.
    assert slow.seats[0].view()["question"] is None or quick > 5
    until(lambda: slow.seats[0].view()["question"] is not None)


def test_a_hint_comes_when_it_is_found(server: Server) -> None:
    made = make(server, "connect_four", "me", "link")
    ann = made.seats[0]

    reply = ann.post("hint", n=ann.view()["n"])

    assert reply.status_code == 200
    until(lambda: "meter" in ann.page().text)
    assert "meter" not in made.seats[1].page().text
    ann.answer(3)
    assert "meter" not in ann.page().text


AIMLESS = """\
language 1
game "Aimless" for 2..2 players
use turns(turn)
each Player has, seen by players
  coins: number = 0
to play
  play_in_turns
to turn
  may "Take a coin"
    add 1 to my.coins
ranking
  most my.coins
"""


@pytest.mark.parametrize(("language", "said"), [("en", "cut off"), ("de", "abgebrochen")])
def test_a_hint_says_so_where_no_playout_came_to_an_end(
    tmp_path: Path, language: str, said: str
) -> None:
    (tmp_path / "aimless").mkdir()
    (tmp_path / "aimless" / "game.rules").write_text(AIMLESS)
    games, setup = served(str(tmp_path / "aimless")), Setup((), {}, ("Ann", "Ben"))
    game = games.load("aimless", setup)
    row = TableRow("AAAAbbbb", "aimless", setup, 1, *rules_of(game), {})
    state = game.new_initial_state(1)

    hint = Thinker(games)(Task(row, 1, state.pack(log=True), 0, language=language))

    assert isinstance(hint, Hint) and hint.lines
    assert said in hint.noticed


def test_who_is_not_asked_gets_no_hint(server: Server) -> None:
    made = make(server, "connect_four", "me", "link")
    ben = made.seats[1]

    assert "too late" in ben.post("hint", n=ben.view()["n"]).text


@pytest.fixture
def together(begin: Begin) -> Server:
    """A server with a game in which all act at once."""
    return begin(str(GAMES / "goofspiel"), pause=0.05)


@pytest.mark.slow
@pytest.mark.bounded
def test_agents_among_people_who_act_at_once(together: Server) -> None:
    made = make(together, "goofspiel", "me", "random", **{"name-1": "Ann"})
    ann = made.seats[0]

    for _ in range(40):
        until(lambda: ann.view()["question"] is not None or ann.view()["end"] is not None)
        if ann.view()["end"] is not None:
            break
        ann.answer()

    assert ann.view()["end"] is not None
