"""Pages in a real browser: what axe says of them, their widths, the size of what is clicked, and the script."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from page_views import SHELF, Table, ended, played, some_answer

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")
pytest.importorskip("playwright", reason="Playwright is not installed")

import playwright.sync_api as playwright

from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.tableau.answers import Given
from rulewright.interpreter.web import pages
from rulewright.interpreter.web.forms import read_form
from rulewright.interpreter.web.pages import GameEntry, PageContext, SeatChoice, SeatLink, Variant

pytestmark = pytest.mark.browser

STATIC = Path(pages.__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SMALL = 24
"""So many pixels wide and high is at least what can be clicked."""

TOO_SMALL = """() => [...document.querySelectorAll("button, a, select, summary, input:not([type=hidden])")]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.closest(".skip, .vh"))
  .map(one => [one.outerHTML.slice(0, 120), (one.closest("label") || one).getBoundingClientRect()])
  .filter(([text, box]) => box.width > 0 && (box.width < SMALL || box.height < SMALL))
  .map(([text, box]) => `${text}: ${box.width} x ${box.height}`)""".replace("SMALL", str(SMALL))

HIDDEN = """() => {
  const boxes = [...document.querySelectorAll(".ring .place, .ring .middle, .mine, .player, .log, .outcome, .shared")].map(one => [one, one.getBoundingClientRect()]);
  const said = one => `${one.className}: ${one.textContent.trim().slice(0, 20)}`;
  return boxes.flatMap(([one, a], n) => boxes.slice(n + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => `${said(one)} lies over ${said(other)}`));
}"""
"""What lies over something else."""

CUT = """() => [...document.querySelectorAll(".tile .fv, .tile .tt, .chip > *, .tag, .cell b, .sheet th, .podium li > *")]
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .map(one => [one, one.getBoundingClientRect(), one.closest(".tile, .chip, .cell, dd, td, th, li, .place")?.getBoundingClientRect()])
  .filter(([one, box, around]) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth || around && (box.right > around.right + 1 || box.bottom > around.bottom + 1))
  .map(([one]) => `cut: ${one.outerHTML.slice(0, 120)}`)"""
"""Texts that are cut off by the edge of what they stand on."""


class Served:
    """Pages by their paths, and a table that can be played."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.table: Table | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                file = STATIC / path.removeprefix("/static/")
                if path.startswith("/static/") and file.is_file():
                    self.send(file.read_bytes(), TYPES[file.suffix])
                elif path == "/t/a/b/":
                    self.send(outer.seat_page().encode(), "text/html; charset=utf-8")
                elif path in outer.pages:
                    self.send(outer.pages[path].encode(), "text/html; charset=utf-8")
                else:
                    self.send(b"", "text/plain", 404)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                found = outer.answer(dict_of(body))
                if found is None:
                    self.send_response(303)
                    self.send_header("Location", "/t/a/b/")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    self.send(found.encode(), "text/html; charset=utf-8", 422)

            def send(self, body: bytes, kind: str, status: int = 200) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", POLICY)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def seat_page(self, **more: Any) -> str:
        """Return the page of seat 0."""
        assert self.table is not None
        view = self.table.view(0)
        return pages.table_page(view, PageContext("/t/a/b/", news=False, **more))

    def answer(self, given: Given) -> str | None:
        """Let seat 0 answer, and then the others as it comes."""
        table, chance = self.table, Generator(1)
        assert table is not None
        found = table.answer(0, given)
        if found is not None:
            return self.seat_page(message=found.text, picked=found.picked)
        while not table.state.is_terminal() and table.state.current_players()[0] != 0:
            seat = table.state.current_players()[0]
            assert table.answer(seat, some_answer(table.view(seat), chance)) is None
        return None


def dict_of(body: str) -> Given:
    """Return the answer that a form holds."""
    form = read_form(parse_qsl(body, keep_blank_values=True))
    return Given(form.n, form.options, form.amounts, form.number, form.undo)


@pytest.fixture(scope="module", name="served")
def _served() -> Iterator[Served]:
    found = Served()
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture(scope="module", name="axe")
def _axe() -> str:
    package = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


LOOKS: list[Mapping[str, Any]] = [
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "is_mobile": True},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "is_mobile": True},
]


def faults(page: playwright.Page, axe: str) -> list[str]:
    """Return what is wrong with a page as it is shown."""
    found = []
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if wide > inner:
        found.append(f"{wide} pixels wide where there are {inner}")
    size = page.viewport_size
    bar = page.locator("form.ask").bounding_box() if page.locator("form.ask").count() else None
    if size is not None and bar is not None and size["width"] < 800:
        if bar["height"] > 0.4 * size["height"]:
            found.append(f"the question takes {bar['height']} of {size['height']}")
    for looked_for in (TOO_SMALL, HIDDEN, CUT):
        found += page.evaluate(looked_for)
    page.evaluate(axe)
    told = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    for one in told["violations"]:
        found.append(f"{one['id']}: {[node['html'][:200] for node in one['nodes']][:3]}")
    return found


def look(chromium: playwright.Browser, served: Served, axe: str, made: Mapping[str, str]) -> None:
    """Assert that nothing is wrong with pages, wide and narrow, light and dark."""
    served.pages = dict(made)
    wrong: list[str] = []
    for kind in LOOKS:
        context = chromium.new_context(**kind)
        for path in made:
            page = context.new_page()
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "console",
                lambda line: wrong.append(line.text) if line.type == "error" else None,
            )
            page.goto(served.address + path)
            for one in faults(page, axe):
                wrong.append(f"{path} {kind['viewport']['width']} {kind['color_scheme']}: {one}")
            page.close()
        context.close()
    assert not wrong, "\n".join(wrong)


def pages_of(game: str, most: int, every: int) -> dict[str, str]:
    """Return pages of a game by paths: some decisions, the end, and what those who watch see."""
    made: dict[str, str] = {}
    context = PageContext("/t/a/b/", news=False, can_hint=True, connected=frozenset({0}))
    for number, (table, seat) in enumerate(played(game, most)):
        if number % every == 0 or table.state.is_terminal():
            made[f"/{game}/{number}"] = pages.table_page(table.view(seat), context)
            made[f"/{game}/watch"] = pages.table_page(table.view(None), context)
    return made


def test_the_pages_around_a_table_are_sound(
    chromium: playwright.Browser, served: Served, axe: str
) -> None:
    entry = GameEntry("a", "A game", 2, 3, [Variant("V", "v", ["excludes W"]), Variant("W", "w")])
    context = PageContext("/")
    seats = [SeatChoice("me", "Ann"), SeatChoice(), SeatChoice("none")]
    links = [SeatLink("http://h/t/a/b/", "Ann", 0, yours=True), SeatLink("http://h/t/a/c/", "")]
    made = {
        "/lobby": pages.lobby_page([], [entry], context, can_import=True),
        "/new": pages.new_table_page(entry, seats, {"random": "random"}, context, ["No."]),
        "/links": pages.links_page("A game", links, context),
        "/error": pages.error_page(404, "There is no such table."),
    }

    look(chromium, served, axe, made)


def test_a_table_is_sound(chromium: playwright.Browser, served: Served, axe: str) -> None:
    look(chromium, served, axe, pages_of(SHELF[0], 2, 9))


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("game", SHELF)
def test_the_tables_of_a_game_are_sound(
    chromium: playwright.Browser, served: Served, axe: str, game: str
) -> None:
    look(chromium, served, axe, pages_of(game, 40, 6))


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("game", SHELF)
def test_the_end_of_a_game_is_sound(
    chromium: playwright.Browser, served: Served, axe: str, game: str
) -> None:
    table = ended(game, 3_000)
    assert table is not None

    context = PageContext("/t/a/b/", news=False)
    look(chromium, served, axe, {"/end": pages.table_page(table.view(0), context)})


def test_a_board_is_played_by_keys_alone(chromium: playwright.Browser, served: Served) -> None:
    served.table = Table.of("tic_tac_toe")
    page = chromium.new_page()
    page.goto(f"{served.address}/t/a/b/")
    labels = []

    for count, key in enumerate(("5", "1"), 1):
        page.keyboard.press(key)
        labels.append(page.evaluate("document.activeElement.dataset.thing"))
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        playwright.expect(page.locator(".disc")).to_have_count(2 * count)
        playwright.expect(page.locator("#prompt")).to_be_focused()

    assert all(labels)
    page.close()


def test_what_stands_above_a_table_is_of_now(chromium: playwright.Browser, served: Served) -> None:
    served.table = Table.of("tic_tac_toe")
    page = chromium.new_page()
    page.goto(f"{served.address}/t/a/b/")
    playwright.expect(page.locator(".top .where")).to_have_count(1)

    for _ in range(5):
        if page.locator(".podium").count():
            break
        before = page.locator("body").get_attribute("data-n")
        page.locator("button.cell.can").first.click()
        playwright.expect(page.locator("body")).not_to_have_attribute("data-n", before or "")

    playwright.expect(page.locator(".podium")).to_have_count(1)
    playwright.expect(page.locator(".top .where")).to_have_count(0)
    page.close()


def test_without_a_script_a_click_answers(chromium: playwright.Browser, served: Served) -> None:
    served.table = Table.of("tic_tac_toe")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served.address}/t/a/b/")

    for count in (1, 2):
        page.locator("button.cell.can").first.click()
        playwright.expect(page.locator(".disc")).to_have_count(2 * count)

    context.close()


def test_several_things_are_counted_and_keep_their_order(
    chromium: playwright.Browser, served: Served
) -> None:
    view = dict(Table.of("tic_tac_toe").view(0))
    options = [{**one, "kind": "piece"} for one in view["question"]["options"]]
    view["question"] = {
        **view["question"], "kind": "several", "whole": True, "ordered": True, "low": 2, "high": 2,
        "options": options,
    }  # fmt: skip
    served.pages = {"/several": pages.table_page(view, PageContext("/t/a/b/", news=False))}
    page = chromium.new_page()
    page.goto(f"{served.address}/several")
    confirm = page.locator(".answer.main")
    cells = page.locator("label.cell.can")
    assert confirm.is_disabled()

    cells.nth(4).click()
    cells.nth(1).click()

    value = page.locator("input[name=order]").input_value()
    boxes = page.locator("label.cell.can input")
    assert value == ",".join(str(boxes.nth(n).get_attribute("value")) for n in (4, 1))
    assert confirm.is_enabled()
    assert boxes.nth(0).is_disabled()
    page.locator(".chosen button").first.click()
    assert page.locator("output.count b").inner_text() == "1"
    assert confirm.is_disabled()
    page.close()
