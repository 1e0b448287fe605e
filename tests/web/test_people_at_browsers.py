"""What people at browsers meet besides a plain game: choosing at once, being asked in between, taking back, pages that
are loaded again, a server that is killed, the back button, two tabs.

The positions are looked for in random games of the shelf, and brought to the server as saved games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright", reason="Playwright is not installed")

import playwright.sync_api as playwright
from page_views import SHELF, Table, loaded, played
from web_clicks import Control, Person, come, faults, play, waiting
from web_table import Server, until

from rulewright.interpreter.bridges.extent import has_secrets
from rulewright.interpreter.play.record import save
from rulewright.interpreter.state.random import Generator

pytestmark = pytest.mark.browser

MOST = 120
"""So many answers of a random game are looked through."""

SEEDS = (1, 2, 3)


def found(wanted: Callable[[Table, int], bool]) -> tuple[str, int, int]:
    """Return a saved game of the shelf in which something is the case, how many play, and who is asked."""
    for seed in SEEDS:
        for name in SHELF:
            for table, seat in played(name, MOST, seed):
                if not table.state.is_terminal() and wanted(table, seat):
                    return save(table.state), table.state.game.num_players, seat
    raise AssertionError("there is no such position")


def asks_for_several(table: Table, seat: int) -> bool:
    """Return whether somebody is to choose two things or more, alone."""
    question = table.view(seat)["question"]
    several = question["whole"] and not question["targets"] and question["low"] >= 2
    return bool(several) and len(table.state.current_players()) == 1


def asks_all(table: Table, seat: int) -> bool:
    """Return whether several choose at once."""
    return len(table.state.current_players()) > 1


def asks_in_between() -> tuple[str, int, int]:
    """Return a game in which one of three or more is asked while the turn of another goes on: right after
    him that one is asked again."""
    for seed in SEEDS:
        for name in SHELF:
            players = loaded(name).num_players
            if players < 3:
                continue
            before: list[tuple[int, str]] = []
            for table, seat in played(name, MOST, seed):
                players = table.state.game.num_players
                if (
                    table.state.is_terminal()
                    or players < 3
                    or len(table.state.current_players()) > 1
                ):
                    before.clear()
                    continue
                if not before or before[-1][0] != seat:
                    before.append((seat, save(table.state)))
                if len(before) > 2 and before[-3][0] == seat:
                    return before[-2][1], players, before[-2][0]
    raise AssertionError("there is no such position")


@pytest.fixture(name="come_to", scope="module")
def _come_to() -> Callable[..., Any]:
    def coming(sit: Any, server: Server, position: tuple[str, int, int], look: str = "both") -> Any:
        record, players, seat = position
        people = sit(players, look)
        come(people, server.address, record)
        return people, people[seat]

    return coming


def main_of(person: Person) -> str:
    """Return what stands on the page of a table."""
    text: str = person.page.locator("main").inner_html()
    return text


@pytest.mark.slow
@pytest.mark.bounded
def test_who_chooses_at_once_notices_nothing_of_the_others(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, _ = come_to(sit, server, found(asks_all))
    first, *others = [one for one in people if one.sees().yours]
    before = [main_of(one) for one in others]
    asked: list[str] = []
    for one in others:
        one.page.on("request", lambda request: asked.append(request.url))

    while first.sees().yours:
        first.answer()
    first.page.wait_for_timeout(700)

    assert asked == []
    assert [main_of(one) for one in others] == before
    assert "choos" in first.sees().prompt
    n = first.sees().n
    play_until(others, lambda: first.sees().n != n)
    assert faults(people) == []


def play_until(people: Sequence[Person], true: Callable[[], bool]) -> None:
    """Let some people answer until something is true."""

    def goes_on() -> bool:
        if true():
            return True
        asked = [one for one in people if one.sees().yours]
        if asked:
            asked[0].answer()
        else:
            people[0].page.wait_for_timeout(30)
        return False

    until(goes_on)


@pytest.mark.slow
@pytest.mark.bounded
def test_somebody_is_asked_while_the_turn_of_another_goes_on(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, asked = come_to(sit, server, asks_in_between())
    assert waiting(people) == [asked]

    for _ in range(8):
        (now,) = waiting(people)
        name = name_of(now)
        for one in people:
            if one is not now:
                playwright.expect(one.page.locator("#prompt")).to_have_text(f"{name} is choosing …")
                seen = one.sees()
                assert not seen.all("answer", "box", "menu", "confirm", "more")
        now.answer()
        people[0].page.wait_for_timeout(200)

    assert faults(people) == []


def is_open(table: Table, seat: int) -> bool:
    """Return whether nothing is hidden in a game, and more than one has answered."""
    game, given = table.state.game, table.state.history()
    return not has_secrets(game.program) and len({answer.player for answer in given}) > 1


def name_of(person: Person) -> str:
    """Return the name of somebody who sits at a table."""
    return person.page.locator("#mine .whoami").inner_text().split()[1]


def undo(person: Person) -> Control:
    """Return the button that takes something back."""
    (found,) = person.sees().all("undo")
    return found


@pytest.mark.slow
@pytest.mark.bounded
def test_taking_back_needs_the_consent_of_who_has_answered_since(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, asker = come_to(sit, server, found(is_open))
    (other,) = [one for one in people if one is not asker]
    asker.answer()
    before = asker.sees()
    other.until(lambda seen: seen.yours)
    other.answer()
    asker.until(lambda seen: seen.yours)
    shown = asker.sees().n

    asker.send(undo(asker))
    playwright.expect(asker.page.locator(".notice")).to_contain_text("may that be taken back?")
    other.press(other.page.get_by_role("button", name="Refuse"))
    playwright.expect(asker.page.locator(".notice")).to_contain_text("would not have it")
    assert asker.sees().yours

    asker.send(undo(asker))
    other.press(other.page.get_by_role("button", name="Agree"))
    asker.until(lambda seen: seen.yours and seen.n != shown)
    playwright.expect(other.page.locator(".notice")).to_contain_text("has taken back an answer")
    assert not other.sees().yours and before.n != asker.sees().n
    asker.answer()
    other.until(lambda seen: seen.yours)
    assert faults(people) == []


def choose(person: Person, count: int) -> list[str]:
    """Let somebody choose some of several things, and not confirm it; return which."""
    chosen: list[str] = []
    for _ in range(count):
        seen = person.sees()
        box = next(one for one in seen.all("box") if one.value not in chosen)
        person.click(box)
        chosen.append(box.value)
    assert chips(person) == chosen
    return chosen


def chips(person: Person) -> list[str]:
    """Return what somebody has chosen, in its order."""
    return [one.value for one in person.sees().all("chip")]


def test_what_is_chosen_stays_when_a_page_is_loaded_again(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, asked = come_to(sit, server, found(asks_for_several))
    chosen = choose(asked, 2)

    asked.page.reload()
    assert chips(asked) == chosen
    count = asked.page.locator("output.count b")
    assert count.inner_text() == "2"

    asked.press(asked.page.get_by_role("link", name="Rules"))
    asked.page.wait_for_url("**/rules")
    asked.page.go_back()
    assert chips(asked) == chosen
    asked.answer()
    people[0].page.wait_for_timeout(100)
    asked.page.reload()
    assert chips(asked) == []
    assert faults(people) == []


@pytest.mark.slow
@pytest.mark.bounded
def test_a_page_goes_on_when_the_server_is_killed_and_begun_again(
    begin: Callable[..., Server], sit: Any, come_to: Any
) -> None:
    server = begin()
    people, asked = come_to(sit, server, found(asks_for_several))
    other = next(one for one in people if one is not asked)
    chosen = choose(asked, 2)
    for one in people:
        one.away = True

    server.kill()
    (confirm,) = asked.sees().all("confirm")
    if confirm:
        asked.click(confirm)
    playwright.expect(asked.page.locator("#lost")).to_contain_text("did not arrive")
    playwright.expect(other.page.locator("#lost")).to_contain_text(
        "Connection lost", timeout=20_000
    )
    assert chips(asked) == chosen
    server.begin()

    playwright.expect(other.page.locator("#lost")).to_be_empty(timeout=20_000)
    n = other.sees().n
    asked.page.wait_for_timeout(100)
    asked.answer()
    play_until([asked], lambda: other.sees().n != n)
    for one in people:
        one.away = False
    play(people, 6, Generator(1))
    assert faults(people) == []
    assert not asked.sees().lost


@pytest.mark.slow
@pytest.mark.bounded
def test_the_back_button_leads_to_no_old_question(server: Server, sit: Any, come_to: Any) -> None:
    people, asked = come_to(sit, server, found(is_open))
    (other,) = [one for one in people if one is not asked]
    address = asked.page.url
    asked.answer()
    other.until(lambda seen: seen.yours)

    asked.page.go_back()
    asked.page.go_forward()
    assert asked.page.url == address and not asked.sees().yours

    asked.press(asked.page.get_by_role("link", name="Rules"))
    asked.page.wait_for_url("**/rules")
    other.answer()
    asked.page.go_back()
    asked.until(lambda seen: seen.yours)
    asked.answer()
    other.until(lambda seen: seen.yours)
    assert faults(people) == []


def test_a_late_click_in_an_old_tab_changes_nothing_and_is_told(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, asked = come_to(sit, server, found(is_open))
    (other,) = [one for one in people if one is not asked]
    old = asked.page
    asked.away = True
    asked.page = asked.tab()
    asked.page.route("**/news", lambda route: route.abort())
    asked.page.goto(old.url)
    asked.page, old = old, asked.page
    asked.answer()
    n = other.until(lambda seen: seen.yours).n

    asked.page, new = old, asked.page
    seen = asked.sees()
    assert seen.yours, "this tab has not heard of it"
    asked.send(seen.all("answer")[0])

    assert any("late" in text for text in asked.sees().alerts), asked.sees().alerts
    assert not asked.sees().yours and other.sees().n == n
    asked.page = new
    other.answer()
    asked.until(lambda seen: seen.yours)
    assert faults(people) == []


class Held:
    """What a page asks of a table is answered at once, but reaches the page only when it is let through."""

    def __init__(self, person: Person, method: str) -> None:
        self.method = method
        self.holds = True
        self.kept: list[tuple[playwright.Route, playwright.APIResponse]] = []
        person.page.route("**/t/**", self.keep)

    def keep(self, route: playwright.Route) -> None:
        """Keep an answer back."""
        asked = route.request
        if self.holds and asked.method == self.method and asked.resource_type == "fetch":
            self.kept.append((route, route.fetch()))
        else:
            route.fallback()

    def let_through(self) -> None:
        """Let all come in the order in which it was asked for."""
        self.holds = False
        for route, came in self.kept:
            route.fulfill(response=came)


def test_no_news_are_lost_while_others_are_on_their_way(
    server: Server, sit: Any, come_to: Any
) -> None:
    record, players, seat = found(is_open)
    people = sit(players + 1)
    come(people, server.address, record)
    *sitting, watcher = people
    held = Held(watcher, "GET")

    sitting[seat].answer()
    (now,) = waiting(sitting)
    watcher.until(lambda _: held.kept)
    now.answer()
    watcher.page.wait_for_timeout(500)
    held.let_through()

    (now,) = waiting(sitting)
    playwright.expect(watcher.page.locator("#prompt .who")).to_have_text(name_of(now))
    assert faults(people) == []


def test_no_news_are_lost_while_an_answer_is_on_its_way(
    server: Server, sit: Any, come_to: Any
) -> None:
    people, asked = come_to(sit, server, found(is_open))
    (other,) = [one for one in people if one is not asked]
    held = Held(asked, "POST")

    asked.click(asked.sees().all("answer")[0])
    asked.until(lambda _: held.kept)
    other.until(lambda seen: seen.yours)
    other.answer()
    asked.page.wait_for_timeout(500)
    held.let_through()

    asked.until(lambda seen: seen.yours)
    assert faults(people) == []
