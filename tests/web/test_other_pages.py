"""The other pages of the web table, the end of games, and what pages say in each language."""

from __future__ import annotations

import copy
import re
import string
from pathlib import Path
from typing import Any

import attrs
import pytest
from page_views import LAWS, SHELF, Table, View, ended, played
from parsed_page import Page
from sharing import shelf_for

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.tableau.tableau import log_entries, why
from rulewright.interpreter.tableau.view_model import as_json
from rulewright.interpreter.web import own_words, pages, rendering
from rulewright.interpreter.web.pages import (
    GameEntry,
    PageContext,
    Question,
    Replay,
    SeatChoice,
    SeatLink,
    Variant,
)
from rulewright.interpreter.web.rulebook import anchor, book_data
from rulewright.interpreter.words import translation
from rulewright.interpreter.words.translation import ENGLISH

BASE = "/t/table/token/"
CONTEXT = PageContext(BASE)


def shown(view: View, context: PageContext = CONTEXT) -> Page:
    """Return the page of a view."""
    page = Page(pages.table_page(view, context))
    page.check()
    return page


def asks(text: str, variant: str | None = None) -> Question:
    """Return a question that is decided before a game."""
    return Question(f"q{len(text)}{variant or ''}", "ruling", text, "flag", "no", variant=variant)


def check_end(table: Table) -> None:
    """Assert that the page says who has won, with the whole score sheet."""
    view = table.view(0)
    page = shown(view)
    told = page.id("prompt").text
    assert all(view["seats"][seat]["name"] in told for seat in view["end"]["winners"])
    ranked = [one["name"] for one in view["seats"] if not one["neutral"]]
    for line in view["end"]["sheet"]:
        assert line["name"] in page.id("sheet").text
        columns = [one.text for one in page.all("th") if page.id("sheet") in one.around]
        assert columns[1 : columns.index(view["end"]["sheet"][0]["name"])] == ranked
    podium = [one for one in page.all("li") if "podium" in one.around[-1].classes]
    assert len(podium) == (len(ranked) if len(ranked) > 1 else 0)
    forms = [one.get("action") for one in page.all("form")]
    assert forms == [f"{BASE}again", *([f"{BASE}answer"] if view["undo"] else [])]


def test_the_end_of_a_short_game_says_who_has_won() -> None:
    found = [table for game in SHELF if (table := ended(game, 43)) is not None]

    assert len(found) > 1, "no game is so short"
    for table in found:
        check_end(table)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("game", SHELF)
def test_the_end_of_a_long_game_says_who_has_won(game: str) -> None:
    table = ended(game, 3000)

    assert table is not None, "the game has not come to its end"
    check_end(table)


@pytest.mark.parametrize(
    ("address", "only_here"),
    [
        ("http://127.0.0.1:8765", True),
        ("http://localhost:8765", True),
        ("http://[::1]:8765", True),
        ("http://0.0.0.0:8765", True),
        ("http://192.168.0.5:8765", False),
        ("https://games.example", False),
    ],
)
def test_links_that_lead_others_nowhere_are_told_as_such(address: str, only_here: bool) -> None:
    text = pages.links_page("A", [SeatLink(f"{address}/t/a/b/", "Ann", 0)], CONTEXT)

    assert ("on this machine only" in text) == only_here


def test_who_plays_alone_is_told_what_he_has_reached() -> None:
    view = copy.deepcopy(dict(Table.of("connect_four").view(0)))
    view["seats"] = view["seats"][:1]
    view["question"] = None
    line = {"name": "score", "values": ["69"], "numbers": [69], "most": True}
    view["end"] = {
        "reason": None, "places": [1], "winners": [], "tells_winners": False, "returns": [0.0],
        "sheet": [line], "criteria": [line],
    }  # fmt: skip

    page = shown(view)

    assert page.id("prompt").text.strip() == "score: 69"
    assert not [one for one in page.all("ol") if "podium" in one.classes]


def test_neutral_players_are_not_ranked() -> None:
    rules = LAWS.glob("*/game.rules")
    found = [str(one.parent) for one in rules if "\nneutral " in one.read_text()]

    tables = [ended(game, 200) for game in found]

    assert any(tables), "no game with neutral players is so short"
    for table in filter(None, tables):
        check_end(table)


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ({"winners": []}, "Nobody has won"),
        ({"winners": [0, 1]}, "Ann, Ben have won"),
        ({"winners": [], "tells_winners": False}, "The game is over."),
    ],
)
def test_draws_and_games_that_nobody_can_win(end: dict[str, Any], told: str) -> None:
    view = copy.deepcopy(dict(Table.of("connect_four").view(0)))
    view["question"] = None
    view["end"] = {
        "reason": None, "places": [1, 1], "tells_winners": True, "returns": [0.0, 0.0],
        "sheet": [], "criteria": [], **end,
    }  # fmt: skip

    assert shown(view).id("prompt").text.strip() == told


@pytest.mark.parametrize("language", ["en", *own_words.languages()])
def test_the_other_pages_are_sound(language: str) -> None:
    table = Table.of("tic_tac_toe")
    view = table.view(0, language)
    context = PageContext(BASE, language)
    entries = [as_json(one) for one in log_entries(table.state, 0, table.handles[0])]
    entry = GameEntry("a", "A", 2, 3, [Variant("V", "v")], [asks("Why?"), asks("And?", "V")])
    made = {
        "table": pages.table_page(view, context),
        "replay": pages.replay_page(view, Replay(0, 4, entries), context),
        "log": pages.log_page(view, context, entries),
        "lobby": pages.lobby_page([], [entry], context, can_import=True),
        "new": pages.new_table_page(entry, [SeatChoice("me")] * 3, {}, context, checked=True),
        "links": pages.links_page("A", [SeatLink("/x", "Ann", 0), SeatLink("/y", "")], context),
        "error": pages.error_page(404, "No such table", language),
    }

    for text in made.values():
        page = Page(text)
        page.check()
        assert page.one("html").get("lang") == language
    others = {one for one in pages.LANGUAGES if one != language}
    switches = Page(made["table"]).all("a")
    assert {one.get("hreflang") for one in switches if one.get("hreflang")} == others


def test_a_step_of_a_replay_leads_on_and_back() -> None:
    view = Table.of("tic_tac_toe").view(0)

    page = Page(pages.replay_page(view, Replay(2, 5), CONTEXT))

    steps = [one.get("href") for one in page.all("a") if "replay?step" in one.get("href")]
    assert steps == [f"{BASE}replay?step={n}" for n in (0, 1, 3, 5)]
    assert not page.choices()


def test_every_reason_leads_to_a_line_of_the_rules() -> None:
    name = "jump_gate_2e"
    found = compile_game(name)
    table = next(iter(played(name, 1)))[0]
    book = book_data(found, table.state.game, ENGLISH)
    page = Page(pages.rules_page(book, CONTEXT, "planet"))
    page.check()
    ids = {one.get("id") for one in page.elements}

    places = {
        reason.place
        for state, seat in played(name, 12)
        for no in (state.view(seat)["question"] or {"cannot": []})["cannot"]
        for reason in why(state.state, seat, no["label"]).reasons
        if reason.place
    }

    assert places
    assert {anchor(one) for one in places} <= ids
    hits = [one.get("href") for one in page.all("a") if one.get("href").startswith("#")]
    assert {one[1:] for one in hits} <= ids
    assert list(page.all("mark"))


@pytest.mark.parametrize("name", shelf_for("rules read twice"))
def test_the_rules_are_shown_of_a_game_that_was_known(name: str) -> None:
    found = compile_game(name)
    model = found.model_or_raise()
    # As it comes out of a cache: its lines are those of another reading of the same files.
    known = copy.deepcopy(model)
    game = attrs.evolve(load_game(name, players=model.least_players), model=known)

    assert book_data(found, game, ENGLISH)["parts"]


def test_what_is_nowhere_in_the_rules_is_said() -> None:
    found = compile_game("tic_tac_toe", ["Misère"])
    book = book_data(found, Table.of("tic_tac_toe").state.game, ENGLISH)

    page = Page(pages.rules_page(book, CONTEXT, "xyzzy <b>"))

    page.check()
    assert "“xyzzy <b>” is nowhere in the rules." in page.one("main").text


# ----------------------------------------------------------------------------------------- phrases

SAID = re.compile(
    r"\b(?:say|rich|tell)\(\s*\"((?:[^\"\\]|\\.)*)\"(?:\s+if\s+[^\"]*?else\s+\"((?:[^\"\\]|\\.)*)\")?"
)


def phrases_said() -> set[str]:
    """Return all that templates and pages say."""
    files = [*rendering.FOLDER.glob("*.j2"), Path(pages.__file__)]
    texts = (file.read_text(encoding="utf-8") for file in files)
    return {one for text in texts for found in SAID.findall(text) for one in found if one}


@pytest.mark.parametrize("language", own_words.languages())
def test_pages_say_everything_and_nothing_else_in_each_language(language: str) -> None:
    own, engine = own_words.own(language), translation.phrases(language)

    said = phrases_said()

    assert said <= {*own, *engine}
    assert set(own) <= said
    assert not set(own) & set(engine), "said twice"


@pytest.mark.parametrize("language", own_words.languages())
def test_a_phrase_of_a_page_has_the_same_holes_in_each_language(language: str) -> None:
    for text, said in own_words.own(language).items():
        holes, others = (
            sorted(field for _, field, _, _ in string.Formatter().parse(one) if field)
            for one in (text, said)
        )
        assert holes == others, text


def test_each_language_of_the_pages_can_be_switched_to() -> None:
    assert set(pages.LANGUAGES) == {"en", *own_words.languages()}
