"""The pages of the web table as text: every answer has a control, and nothing is on them that may not be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from page_views import GAMES, Table, View, ended, name_of, option, played, with_question
from parsed_page import Page

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.interpreter.tableau.answers import Given
from rulewright.interpreter.web import pages
from rulewright.interpreter.web.pages import (
    GameEntry,
    Hint,
    HintLine,
    PageContext,
    Question,
    SeatChoice,
    SeatLink,
    TableLine,
    Variant,
)
from rulewright.interpreter.web.rings import FRAMES
from rulewright.interpreter.web.rulebook import anchor

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
    for one_of in question["options"]:
        some = choices.get(str(one_of["id"]), [])
        kinds = {one.get("type") or one.tag for one in some}
        if question["whole"] and one_of["kind"] != "offer":
            assert kinds <= {"checkbox"}, "what is one of several is sent at once"
        # One of them does not lie on the table, where it might be out of sight.
        plain = [one for one in some if "form" not in one.attributes]
        assert plain or question["targets"], f"{one_of['label']} is no entry of the bar or its list"
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
    lines = (HintLine("right", 61, 70, (1,)), HintLine("left", 40, 30, (0,)))
    hint = Hint(lines, 100, noticed="12 of 100 were cut off <b>")

    page = shown(view, PageContext(BASE, can_hint=True, hint=hint))

    (button,) = (one for one in page.controls() if one.get("name") == "hint")
    assert button.get("formaction") == f"{BASE}hint"
    told = next(one for one in page.elements if "hints" in one.classes).text
    assert "right" in told
    assert "12 of 100 were cut off <b>" in told
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


# -------------------------------------------------------------------------------------------- maps


def with_map(shape: str, at: list[tuple[int, int]]) -> dict[str, Any]:
    """Return a view with a map whose places are there."""
    view = with_question(options=[option(0, "a", refs=["m0"])])
    place = view["maps"][0]["places"][0]
    places = [
        {
            **place, "id": f"m{n}", "name": f"place {n}", "across": across, "up": up, "marks": [],
            "thing": {**place["thing"], "id": f"m{n}", "zones": []},
        }
        for n, (across, up) in enumerate(at)
    ]  # fmt: skip
    view["maps"] = [{**view["maps"][0], "shape": shape, "places": places, "columns": {}}]
    return view


def test_hexagons_stand_half_a_width_aside() -> None:
    page = shown(with_map("hexagons", [(0, 1), (2, 1), (1, 0), (5, 0)]))

    rows = [one for one in page.elements if one.get("role") == "row"]
    found = [
        [
            "gap" if "gap" in one.classes else "cell"
            for one in page.elements
            if one.around[-1:] == (row,)
        ]
        for row in rows
    ]
    assert found == [
        ["cell", "cell", "gap", "gap", "gap"],
        ["gap", "cell", "gap", "gap", "cell"],
    ]


@pytest.mark.parametrize(("width", "scrolls"), [(8, False), (13, True), (30, True)])
def test_a_wide_board_scrolls_inside(width: int, scrolls: bool) -> None:
    page = shown(with_map("board", [(2 * n, 0) for n in range(width)]))

    (frame,) = (one for one in page.elements if "boardscroll" in one.classes)
    assert (frame.get("tabindex") == "0") == scrolls
    assert set(page.choices()) == {"0"}


def test_the_places_of_a_ring_stand_around_its_piles_clockwise() -> None:
    def ring(places: int) -> set[str]:
        page = shown(with_map("ring", [(n, 0) for n in range(places)]))
        return next(one for one in page.elements if "ring" in one.classes).classes

    assert ring(8) == {"ring", "framed", "wide3", "sides1"}
    assert ring(12) == {"ring", "framed", "wide4", "sides2"}
    assert "columns" in ring(13)
    for number, frame in FRAMES.items():
        at = frame.positions()
        assert len(set(at)) == number
        middle = (1 + max(row for row, _ in at)) / 2
        turned = [math.atan2(row - middle, col - frame.columns) for row, col in at]
        behind = [one for n, one in enumerate(turned) if one < turned[n - 1]]
        assert len(behind) <= 1


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


def asks(text: str, variant: str | None = None) -> Question:
    """Return a question that is decided before a game."""
    return Question(f"q{len(text)}{variant or ''}", "ruling", text, "flag", "no", variant=variant)


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


def test_a_late_answer_carries_the_number_of_its_question() -> None:
    table = Table.of("tic_tac_toe")
    page = shown(table.view(0))
    (n,) = (one.get("value") for one in page.controls() if one.get("name") == "n")

    assert table.answer(0, Given(int(n), options=(0,))) is None
    late = table.answer(0, Given(int(n), options=(1,)))

    assert late is not None and late.stale


NAMELESS = """\
language 1
game " " for 2..2 players
use turns(turn)
each Card has
  name: text
  rank: number
table Card for each rank in 1..3, name in ["", " "]
each Player has, seen by players
  hand: cards of Card
the game has, seen by players
  heap: cards of Card = Card
to play
  play_in_turns
to turn
  choose card from heap ask ""
  either ""
    move card to my.hand
  or " "
ranking
  most count(my.hand)
"""


def test_what_has_no_name_can_be_chosen_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "nameless").mkdir()
    (tmp_path / "nameless" / "game.rules").write_text(NAMELESS)

    views = [table.view(seat) for table, seat in played(str(tmp_path / "nameless"), 4)][:4]

    for view in views:
        page = shown(view)
        check_answers(view, page)
        assert page.id("prompt").text.strip() and page.one("h1").text.strip()
        for control in page.all("button", "a", "summary"):
            name = control.get("aria-label") or control.text
            assert name.strip() or control.get("aria-labelledby"), control
