"""Saved games: a game goes on in the browser and back in the terminal, and tells no secrets on the way."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

from web_table import Made, Server, links_of, make, play

from rulewright.interpreter.agents.agent import RandomAgent, play as play_on
from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.record import load, save


def brought(server: Server, text: str, as_file: bool = False) -> Made:
    """Bring a saved game, and return its table."""
    browser = server.browser()
    given: dict[str, Any] = {"data": {"record": text}}
    if as_file:
        given = {"files": {"record": ("game.save", text.encode(), "application/toml")}}
    reply = browser.post("/import", **given)
    assert reply.status_code == 200, reply.text
    return links_of(server, browser, reply)


def record(made: Made) -> str:
    """Return what the first seat can save."""
    at = made.seats[min(made.seats)]
    return at.browser.get(f"{at.link}record").text


def test_an_open_game_goes_from_the_browser_to_the_terminal_and_back(server: Server) -> None:
    made = make(server, "connect_four", "me", "link", **{"name-1": "Ann", "name-2": "Ben"})
    for seat, column in ((0, 3), (1, 3), (0, 2)):
        made.seats[seat].answer(column)

    state = load(record(made))
    assert state.game.names == ("Ann", "Ben") and len(state.history()) == 3
    state.apply_action(state.legal_actions()[0])
    again = brought(server, save(state), as_file=True)

    assert again.id != made.id
    assert len(load(record(again)).history()) == 4
    assert again.seats[0].view()["question"] is not None
    assert play(again) > 0


def test_a_game_with_secrets_is_sealed_until_it_is_over(server: Server) -> None:
    made = make(server, "kuhn_poker", "me", "link")
    made.seats[0].answer()
    text = record(made)

    with pytest.raises(ValueError, match="no saved game"):
        load(text)
    again = brought(server, text)
    assert again.seats[0].view()["log"] and not again.seats[0].view()["end"]
    assert again.seats[0].view()["n"] >= made.seats[0].view()["n"]

    play(made)
    state = load(record(made))
    assert state.is_terminal()


def test_a_sealed_game_that_was_changed_is_refused(server: Server) -> None:
    made = make(server, "kuhn_poker", "me", "link")
    text = record(made)
    middle = len(text) // 2
    changed = text[:middle] + ("A" if text[middle] != "A" else "B") + text[middle + 1 :]

    reply = server.browser().post("/import", data={"record": changed})

    assert reply.status_code == 422 and "sealed" in reply.text


def test_agents_go_on_where_they_stood_in_the_terminal(server: Server) -> None:
    game = load_game("connect_four", names=["ann", "ben"])
    state = game.new_initial_state(11)
    agent = RandomAgent("agents 11")
    state.apply_action(state.legal_actions()[2])
    text = save(state, {1: agent.generator.state})

    made = brought(server, text)
    play(made)
    other = load(text)
    while not other.is_terminal():
        (player,) = other.current_players()
        if player == 1:
            play_on(other, [agent, agent], 1)
        else:
            other.apply_action(other.legal_actions()[0])

    found = load(record(made))
    assert [one.label for one in found.history()] == [one.label for one in other.history()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "seal = 1",
        "rulewright sealed 1\nAAAA",
        "rulewright sealed 1",
        "\x00" * 50,
        "[" * 9999,
    ],
)
def test_what_is_no_saved_game_is_refused(server: Server, text: str) -> None:
    before = server.rows("select count(*) from tables")

    assert server.browser().post("/import", data={"record": text}).status_code == 422
    assert server.rows("select count(*) from tables") == before


def test_a_game_that_is_not_served_is_not_looked_for(server: Server) -> None:
    text = save(load_game("connect_four").new_initial_state(1))
    elsewhere = text.replace('game = "connect_four"', 'game = "secrets"')

    assert server.browser().post("/import", data={"record": elsewhere}).status_code == 422


def test_an_ended_game_can_be_stepped_through(server: Server) -> None:
    made = make(server, "connect_four", "me", "link")
    assert made.seats[0].browser.get(f"{made.seats[0].link}replay").status_code == 403
    given = play(made)

    pages = [
        made.watcher.browser.get(f"{made.watcher.link}replay?step={step}")
        for step in (0, 1, given, 10**9, "x")
    ]

    assert [one.status_code for one in pages] == [200] * 5
    assert pages[0].text != pages[1].text and pages[2].text == pages[3].text


def test_one_more_game_has_the_same_seats(server: Server) -> None:
    made = make(server, "kuhn_poker", "me", "link", **{"name-1": "Ann", "name-2": "Ben"})
    play(made)
    ann = made.seats[0]

    reply = ann.post("again")

    other = links_of(server, ann.browser, reply)
    assert other.id != made.id and other.seats[0].view()["seats"][0]["name"] == "Ann"
