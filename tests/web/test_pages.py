"""The pages of the web table as text: every answer has a control, and nothing is on them that may not be."""

from __future__ import annotations

import copy
import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from page_views import GAMES, SHELF, Table, View, name_of, played
from parsed_page import Page

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.tableau.answers import Given
from rulewright.interpreter.tableau.tableau import log_entries, why
from rulewright.interpreter.tableau.view_model import as_json
from rulewright.interpreter.web import own_words, pages, rendering
from rulewright.interpreter.web.pages import (
    GameEntry,
    Hint,
    HintLine,
    PageContext,
    Question,
    Replay,
    SeatChoice,
    SeatLink,
    TableLine,
    Variant,
)
from rulewright.interpreter.web.rulebook import anchor, book_data
from rulewright.interpreter.words import translation
from rulewright.interpreter.words.translation import ENGLISH

BASE = "/t/table/token/"
CONTEXT = PageContext(BASE)
HOSTILE = "<script>alert(1)</script>\"onclick='x' &amp; {{ 7 * 7 }} </title>\u0007"

FEW = 8
"""So many decisions of each game are looked at in a short run."""


def shown(view: View, context: PageContext = CONTEXT) -> Page:
    """Return the page of a view."""
    page = Page(pages.table_page(view, context))
    page.check()
    return page


def asked(game: str, most: int = FEW) -> Iterator[View]:
    """Yield the views of those who are asked."""
    for table, seat in played(game, most):
        view = table.view(seat)
        if view["question"] is not None:
            yield view


# --------------------------------------------------------------------------------------- questions


def check_answers(view: View, page: Page) -> None:
    """Assert that each answer can be given on a page."""
    question = view["question"]
    names = {one.get("name") for one in page.controls()}
    if question["targets"]:
        fields = [one for one in page.controls() if one.get("name").startswith("amount-")]
        # Of alike targets there are no more fields than can get something.
        for group in {one["group"] for one in question["targets"]}:
            some = [one["index"] for one in question["targets"] if one["group"] == group]
            given = [one for one in fields if int(one.get("name")[7:]) in some]
            assert len(given) == min(len(some), max(question["left"], 1))
    elif question["range"]:
        (field,) = (one for one in page.controls() if one.get("name") == "number")
        assert [int(field.get("min")), int(field.get("max"))] == list(question["range"])
    choices = page.choices()
    ids = {str(one["id"]) for one in question["options"]}
    if not question["targets"]:
        assert set(choices) == ids
    for option in question["options"]:
        some = choices.get(str(option["id"]), [])
        kinds = {one.get("type") or one.tag for one in some}
        if question["whole"] and option["kind"] != "offer":
            assert kinds <= {"checkbox"}, "what is one of several is sent at once"
        # One of them does not lie on the table, where it might be out of sight.
        plain = [one for one in some if "form" not in one.attributes]
        assert plain or question["targets"], f"{option['label']} is no entry of the bar or its list"
    assert ("whole" in names) == bool(
        question["whole"]
        or question["targets"]
        or question["range"]
        or any(one.tag == "select" for one in page.controls())
    )


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_answer_has_a_control(game: str) -> None:
    found = list(asked(game))

    assert found, "nobody is asked"
    for view in found:
        check_answers(view, shown(view))


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_every_answer_of_a_long_game_has_a_control(game: str) -> None:
    for view in asked(game, 120):
        check_answers(view, shown(view))


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_others_and_watchers_get_a_page_without_answers(game: str) -> None:
    for table, _ in played(game, 3):
        seats: list[int | None] = [None, *range(table.state.game.num_players)]
        for seat in seats:
            view = table.view(seat)
            page = shown(view)
            if view["question"] is None:
                assert not page.choices()
            if seat is None:
                assert not [one for one in page.elements if one.get("id") == "mine"]


def test_a_number_out_of_a_range_is_a_field() -> None:
    view = with_question(kind="numbers", range=[3, 900], options=[])

    page = shown(view, PageContext(BASE, number=40))

    (field,) = (one for one in page.controls() if one.get("name") == "number")
    assert (field.get("min"), field.get("max"), field.get("value")) == ("3", "900", "40")


@pytest.mark.parametrize(("count", "tag"), [(11, "button"), (13, "select")])
def test_few_numbers_are_buttons_and_many_are_a_list(count: int, tag: str) -> None:
    options = [option(n, str(2 * n), kind="number", number=2 * n) for n in range(count)]

    page = shown(with_question(kind="numbers", options=options))

    choices = page.choices()
    assert set(choices) == {str(n) for n in range(count)}
    assert {one.tag for some in choices.values() for one in some} == {tag}


def test_an_order_can_be_given_without_a_script() -> None:
    view = with_question(
        kind="several",
        whole=True,
        ordered=True,
        low=2,
        high=2,
        options=[option(0, "a"), option(1, "b")],
    )
    view["question"]["options"] = [
        {**one, "refs": [f"p{one['id']}"]} for one in view["question"]["options"]
    ]

    page = shown(view, PageContext(BASE, picked=(1, 0)))

    places = {one.get("name"): one.get("value") for one in page.controls()}
    assert (places["place-1"], places["place-0"]) == ("1", "2")
    assert places["order"] == ""


def test_what_was_chosen_is_shown_again_with_what_is_wrong() -> None:
    options = [option(0, "a"), option(1, "b")]
    view = with_question(kind="several", whole=True, low=2, high=2, options=options)

    page = shown(view, PageContext(BASE, message="Two are wanted.", picked=(1,)))

    ticked = {one.get("value") for one in page.controls() if "checked" in one.attributes}
    (alert,) = (one for one in page.elements if one.get("role") == "alert")
    assert ticked == {"1"}
    assert alert.text == "Two are wanted."


def test_several_answers_at_one_place_are_a_menu() -> None:
    view = with_question(options=[{**option(n, f"b{n}"), "refs": ["p1"]} for n in range(3)])

    page = shown(view)

    (at,) = (one for one in page.elements if one.get("data-thing") == "p1")
    menu = page.id(at.get("popovertarget"))
    assert [one.get("value") for one in page.all("button") if menu in one.around][:3] == list("012")


def test_a_hint_is_wanted_with_what_is_chosen_and_shown_at_the_answers() -> None:
    view = with_question(options=[option(0, "left"), option(1, "right")])
    hint = Hint((HintLine("right", 61, 70, (1,)), HintLine("left", 40, 30, (0,))), 100)

    page = shown(view, PageContext(BASE, can_hint=True, hint=hint))

    (button,) = (one for one in page.controls() if one.get("name") == "hint")
    assert button.get("formaction") == f"{BASE}hint"
    assert "right" in next(one for one in page.elements if "hints" in one.classes).text
    assert {one.get("value") for one in page.controls() if "best" in one.classes} == {"0", "1"}


def test_who_is_asked_can_agree_during_a_game_and_at_its_end() -> None:
    during = Table.of("tic_tac_toe").view(0)
    table = ended("tic_tac_toe", 9)
    assert table is not None

    for view in (during, table.view(0)):
        page = shown(view, PageContext(BASE, consent=(7, "Ben asks.")))
        buttons = [one for one in page.all("button") if one.get("name") == "agree"]
        assert [one.get("value") for one in buttons] == ["yes", "no"]
        assert [one.get("value") for one in page.all("input") if one.get("name") == "asked"] == [
            "7"
        ]


def test_what_is_possible_changes_nothing_in_what_is_not() -> None:
    reason = {
        "text": "too dear", "rule": "need x", "place": "games/a/game.rules:7", "variant": "",
        "values": [["x", "3"]], "changed": [], "quotes": [], "behind": [],
    }  # fmt: skip
    view = with_question(options=[option(0, "a")])
    view["question"]["cannot"] = [{"label": "B & C", "refs": ["p1"], "reasons": [reason]}]

    page = shown(view)

    why_not = page.id("why0")
    links = [one.get("href") for one in page.all("a") if why_not in one.around]
    assert "too dear" in why_not.text
    assert f"{BASE}rules#{anchor('games/a/game.rules:7')}" in links
    assert f"{BASE}why?option=B%20%26%20C" in links
    assert set(page.choices()) == {"0"}


# ------------------------------------------------------------------------------------ hostile texts


def hostile(part: Any) -> Any:
    """Return a view in which all texts for people are hostile."""
    texts = (
        "name",
        "text",
        "title",
        "label",
        "words",
        "prompt",
        "rest",
        "kind_",
        "note",
        "game",
        "symbol",
    )
    if isinstance(part, Mapping):
        return {
            key: f"{one}{HOSTILE}" if key in texts and isinstance(one, str) else hostile(one)
            for key, one in part.items()
        }
    return [hostile(one) for one in part] if isinstance(part, list | tuple) else part


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_texts_of_rules_and_people_are_never_markup(game: str) -> None:
    for view in asked(game, 4):
        before = shown(view)
        after = Page(pages.table_page(hostile(view), CONTEXT))
        after.check()

        assert len(list(after.all("script"))) == len(list(before.all("script"))) == 1
        assert "alert(1)" in after.one("h1").text
        assert "\u0007" not in after.source


def test_what_the_server_says_is_text_as_well() -> None:
    context = PageContext(
        BASE,
        message=HOSTILE,
        notice=HOSTILE,
        hint=Hint((HintLine(HOSTILE, 1, 1),), 1),
    )
    made = [
        pages.table_page(with_question(options=[option(0, "a")]), context),
        pages.error_page(404, HOSTILE),
        pages.links_page(HOSTILE, [SeatLink(HOSTILE, HOSTILE, 0)], context, [HOSTILE]),
        pages.lobby_page(
            [TableLine("/t/a/b/", HOSTILE, [(HOSTILE, True)], "yours", HOSTILE)],
            [GameEntry(HOSTILE, HOSTILE, 2, 4)],
            context,
        ),
        pages.new_table_page(
            GameEntry("a", HOSTILE, 2, 2, [Variant(HOSTILE, "b", [HOSTILE])], [asks(HOSTILE)]),
            [SeatChoice("me", HOSTILE), SeatChoice()],
            {HOSTILE: HOSTILE},
            context,
            [HOSTILE],
        ),
    ]

    for text in made:
        page = Page(text)
        page.check()
        assert len(list(page.all("script"))) == 1
        assert "alert(1)" in text


# ------------------------------------------------------------------------------------- other pages


def ended(game: str, most: int) -> Table | None:
    """Return a table where a game has ended after so many random decisions; None if it has not."""
    table, chance = Table.of(game, 3), Generator(3)
    for _ in range(most):
        if table.state.is_terminal():
            return table
        (seat, *_) = table.state.current_players()
        table.state.apply_action(chance.pick(table.state.legal_actions(seat)), seat)
    return None


def check_end(table: Table) -> None:
    """Assert that the page says who has won, with the whole score sheet."""
    view = table.view(0)
    page = shown(view)
    told = page.id("prompt").text
    assert all(view["seats"][seat]["name"] in told for seat in view["end"]["winners"])
    for line in view["end"]["sheet"]:
        assert line["name"] in page.id("sheet").text
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


# ------------------------------------------------------------------------------------- made by hand


def option(id: int, label: str, **more: Any) -> dict[str, Any]:
    """Return an option."""
    return {
        "id": id, "label": label, "kind": "choose", "refs": [], "touches": [], "verb": None,
        "unproved": False, "number": None, **more,
    }  # fmt: skip


def with_question(**more: Any) -> dict[str, Any]:
    """Return a view in which something is asked."""
    view = copy.deepcopy(dict(Table.of("tic_tac_toe").view(0)))
    view["question"] = {**view["question"], "options": [], "cannot": [], **more}
    return view


def asks(text: str, variant: str | None = None) -> Question:
    """Return a question that is decided before a game."""
    return Question(f"q{len(text)}{variant or ''}", "ruling", text, "flag", "no", variant=variant)


def test_a_late_answer_carries_the_number_of_its_question() -> None:
    table = Table.of("tic_tac_toe")
    page = shown(table.view(0))
    (n,) = (one.get("value") for one in page.controls() if one.get("name") == "n")

    assert table.answer(0, Given(int(n), options=(0,))) is None
    late = table.answer(0, Given(int(n), options=(1,)))

    assert late is not None and late.stale
