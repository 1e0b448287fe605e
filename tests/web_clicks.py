"""People at real browsers: each looks at a page, clicks what can be clicked there, and waits for what comes of it.

They know no game and send nothing by themselves. What goes wrong in a browser meanwhile is kept: mistakes of
scripts, what the policy of a page forbids, requests that fail, and pages that should not come.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import attrs
import playwright.sync_api as playwright

from rulewright.interpreter.state.random import Generator

Item = TypeVar("Item")

DESKTOP: Mapping[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: Mapping[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}

LOOKS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "desktops": (DESKTOP,),
    "phones": (PHONE,),
    "both": (PHONE, DESKTOP),
}
"""What people sit at: each takes the next one."""

WITHIN = 120.0
REFUSED = 422
TRIES = 200
"""So often somebody tries to find things that go together."""

MOST_OF_A_PHONE = 0.45
"""The question leaves room for the table."""

LOOK = """() => {
  const form = document.querySelector("form#ask");
  const seen = one => one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 0;
  const controls = [], at = [];
  for (const one of document.querySelectorAll("main button, main input, main select")) {
    const step = one.closest(".stepper"), menu = one.matches("button.can[popovertarget]");
    const chip = one.matches(".chosen button");
    if (one.disabled || !(menu || (one.form === form && form))) continue;
    const where = one.type === "checkbox" ? one.closest("label") : one;
    if (!where || !seen(where)) continue;
    const field = step && step.querySelector("input, select");
    let kind = {option: "answer", whole: "confirm", undo: "undo", hint: "hint"}[one.name];
    if (menu) kind = "menu";
    else if (chip) kind = "chip";
    else if (step && one.tagName === "BUTTON") kind = one === step.firstElementChild ? "less" : "more";
    else if (step || one.type === "number") kind = "field";
    else if (one.type === "checkbox") kind = "box";
    else if (one.matches(".offer")) kind = "offer";
    if (!kind) continue;
    at.push(where);
    controls.push({
      kind, value: chip ? one.dataset.value : one.value, picked: !!one.checked || chip, menu: !!one.closest(".pop"), listed: !!one.closest(".aslist"),
      text: (one.getAttribute("aria-label") || where.innerText || "").trim(), name: field ? field.name : one.name,
      low: field && field.min, high: field && (field.max || field.length), now: field && (field.tagName === "SELECT" ? field.selectedIndex : +field.value),
    });
  }
  window.controlsSeen = at;
  const marked = [...document.querySelectorAll("main .can")].filter(seen);
  const count = form && form.querySelector("output.count[data-high]");
  const left = form && form.querySelector(".amounts[data-left] output b");
  return {
    title: document.title, n: document.body.dataset.n, prompt: document.querySelector("#prompt")?.innerText || "",
    yours: document.body.classList.contains("yours"), over: !!document.querySelector(".outcome"),
    lost: document.querySelector("#lost")?.textContent || "", controls,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    far: marked.length > 0 && !marked.some(one => one.getBoundingClientRect().bottom > 40 && one.getBoundingClientRect().top < innerHeight),
    bar: innerWidth < 800 && form ? form.getBoundingClientRect().height / innerHeight : 0,
    alerts: [...document.querySelectorAll("[role=alert]")].map(one => one.innerText),
    low: count && +count.dataset.low, high: count && +count.dataset.high, left: left && +left.textContent,
    list: !!document.querySelector(".aslist:not([open]) > summary"), popped: !!document.querySelector(":popover-open"),
  };
}"""
"""What somebody sees on the page of a table, and a list of what can be clicked there, which the page keeps."""

CHANGED = "() => document.querySelector('main') !== window.mainSeen || document.querySelector('#lost').textContent"


ALL = """() => {
  const body = document.body.cloneNode(true);
  for (const one of body.querySelectorAll("noscript, .there, .stepper button, .chosen, #told")) one.remove();
  return [document.title, ...body.textContent.split(/\\s+/)].join(" ");
}"""
"""All that a page says, but for who is there just now."""


@attrs.frozen
class Control:
    """Something that can be clicked."""

    number: int
    kind: str
    """`answer`, `box`, `menu`, `offer`, `confirm`, `chip`, `less`, `more`, `field`, `undo` or `hint`."""

    value: str
    text: str
    picked: bool
    listed: bool
    """Whether it stands in the list of all answers."""

    menu: bool
    """Whether it stands in a menu that a click has opened."""

    name: str
    now: int | None
    high: int | None


@attrs.frozen
class Sight:
    """What somebody sees."""

    n: str
    title: str
    prompt: str
    yours: bool
    over: bool
    lost: str
    alerts: tuple[str, ...]
    controls: tuple[Control, ...]
    low: int | None
    high: int | None
    left: int | None
    list: bool
    popped: bool

    def all(self, *kinds: str) -> list[Control]:
        """Return what there is of some kinds."""
        return [one for one in self.controls if one.kind in kinds]


class Person:
    """Somebody at a browser of his own."""

    def __init__(self, chromium: playwright.Browser, chance: Generator, **look: Any) -> None:
        self.context = chromium.new_context(**look)
        self.context.grant_permissions([])
        self.touches = bool(look.get("has_touch"))
        self.chance = chance
        self.faults: list[str] = []
        self.told: list[str] = []
        """Where a page was refused because somebody has chosen what does not go together."""

        self.sent: set[frozenset[str]] = set()
        """What was chosen for the question that is asked now, and refused."""

        self.far = False
        """Whether none of what can be chosen on the table is in view."""

        self.clicks = 0
        self.answers = 0
        self.away = False
        """Whether the server is known to be away: what fails then is no fault."""

        self.page = self.tab()

    def tab(self) -> playwright.Page:
        """Open a new tab; what goes wrong there is kept."""
        page = self.context.new_page()
        page.set_default_timeout(WITHIN * 1000)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("console", self._said)
        page.on("requestfailed", self._failed)
        page.on("response", self._came)
        return page

    def _said(self, line: playwright.ConsoleMessage) -> None:
        # The browser says what comes with a refusal, too; `_came` and `_failed` judge that.
        if line.type in ("error", "warning") and "Failed to load resource" not in line.text:
            self.faults.append(f"console: {line.text}")

    def _failed(self, request: playwright.Request) -> None:
        # Who leaves a page ends what it still fetches; what is saved as a file is shown on no page.
        ended = request.failure == "net::ERR_ABORTED" and request.method == "GET"
        if not (self.away or ended):
            self.faults.append(f"{request.method} {request.url}: {request.failure}")

    def _came(self, response: playwright.Response) -> None:
        asked = response.request
        if response.status == REFUSED and asked.method == "POST" and "answer" in asked.url:
            self.told.append(response.url)
        elif response.status >= 400 and not self.away:
            self.faults.append(f"{asked.method} {response.url}: {response.status}")

    def close(self) -> None:
        """Close the browser."""
        self.context.close()

    # ------------------------------------------------------------------------------------ looking

    def sees(self) -> Sight:
        """Return what stands on the page now."""
        found = self.page.evaluate(LOOK)
        if found["wide"] > 0:
            self.faults.append(f"{found['wide']} pixels too wide: {found['prompt']}")
        if found["bar"] > MOST_OF_A_PHONE:
            self.faults.append(f"the question takes {found['bar']:.0%}: {found['prompt']}")
        controls = tuple(
            Control(
                number,
                *(
                    one[key]
                    for key in ("kind", "value", "text", "picked", "listed", "menu", "name")
                ),
                None if one["now"] is None else int(one["now"]),
                int(one["high"]) if one["high"] else None,
            )
            for number, one in enumerate(found["controls"])
        )
        names = ("n", "title", "prompt", "yours", "over", "lost")
        more = ("low", "high", "left", "list", "popped")
        self.far = bool(found["far"])
        return Sight(
            **{name: found[name] for name in (*names, *more)},
            alerts=tuple(found["alerts"]),
            controls=controls,
        )

    def sees_no_more_when_it_is_loaded_again(self) -> None:
        """Assert that a page that has gone on by news says what it says when it is loaded."""
        before = self.page.evaluate(ALL)
        self.page.reload()
        after = self.page.evaluate(ALL)
        if before != after:
            pairs = enumerate(zip(before, after, strict=False))
            same = next(
                (n for n, (one, other) in pairs if one != other), min(len(before), len(after))
            )
            said = [text[max(same - 60, 0) : same + 60] for text in (after, before)]
            self.faults.append("loaded again it says “{}”, not “{}”".format(*said))

    def until(self, true: Callable[[Sight], Any], within: float = WITHIN) -> Sight:
        """Wait until a page looks like something; it is not loaded again meanwhile."""
        end = time.monotonic() + within
        while not true(seen := self.sees()):
            assert time.monotonic() < end, f"it does not come: {seen.title}, {seen.prompt}"
            self.page.wait_for_timeout(30)
        return seen

    # ----------------------------------------------------------------------------------- clicking

    def click(self, control: Control) -> None:
        """Click something that was seen last; whatever lies upon it would get the click."""
        at = self.page.evaluate_handle(f"() => window.controlsSeen[{control.number}]").as_element()
        assert at is not None
        self.press(at)

    def press(self, at: Any) -> None:
        """Click or, on a phone, tap."""
        self.clicks += 1
        if self.touches:
            at.tap()
        else:
            at.click()

    def send(self, control: Control) -> Sight:
        """Click what gives an answer; return what the page shows then."""
        before = len(self.told)
        self.page.evaluate("() => { window.mainSeen = document.querySelector('main') }")
        self.click(control)
        self.page.wait_for_function(CHANGED)
        seen = self.sees()
        assert not seen.lost, seen.lost
        if len(self.told) == before:
            self.answers += 1
            if self.far:
                self.faults.append(f"what can be chosen is out of view: {seen.prompt}")
        else:
            assert seen.alerts, "it was refused, and nobody says why"
        return seen

    # ---------------------------------------------------------------------------------- answering

    def answer(self) -> Sight:
        """Answer what is asked, somehow; return what comes of it."""
        seen = self.sees()
        self.sent.clear()
        for _ in range(TRIES):
            before = len(self.told)
            seen = self._try(seen)
            if len(self.told) == before:
                return seen
            assert seen.yours, "a refused answer is asked for again"
        raise AssertionError(f"nothing is taken: {seen.prompt}: {seen.alerts}")

    def _try(self, seen: Sight) -> Sight:
        offers = seen.all("offer")
        others = [one for one in seen.controls if one.kind not in ("offer", "undo", "hint")]
        if offers and (not others or not self.chance.below(4)):
            return self.send(self.chance.pick(offers))
        if seen.left is not None:
            return self._distribute(seen)
        if seen.all("less", "more"):
            return self._number(seen)
        if seen.low is not None:
            return self._several(seen)
        return self._one(seen)

    def _one(self, seen: Sight) -> Sight:
        """Choose one answer: a button, a thing on the table, one of a menu, or one of the list."""
        if seen.list and (not seen.all("answer", "menu") or not self.chance.below(6)):
            self.press(self.page.locator(".aslist > summary"))
            seen = self.sees()
            assert any(one.listed for one in seen.controls), "the list is open"
        while True:
            some = seen.all("answer", "menu")
            assert some, f"there is nothing to answer with: {seen.prompt}"
            one = self.chance.pick(some)
            if one.kind == "answer":
                return self.send(one)
            self.click(one)
            seen = self.sees()
            inside = [one for one in seen.all("answer") if one.menu]
            assert inside, f"a menu is empty: {one.text}"
            if self.chance.below(5):
                return self.send(self.chance.pick(inside))
            self._close()
            seen = self.sees()

    def _close(self) -> None:
        """Close a menu again."""
        self.press(self.page.locator(":popover-open button.primary"))

    def _several(self, seen: Sight) -> Sight:
        """Choose so many things as are wanted, other ones than were refused; now and then one is put back."""
        seen = self._all_boxes(seen)
        values = sorted({one.value for one in seen.all("box")})
        wanted = self._selection(seen, values)
        back = 2
        while (picked := {one.value for one in seen.all("box") if one.picked}) != wanted:
            wrong = [one for one in seen.controls if one.picked and one.value not in wanted]
            if wrong or (back and picked and not self.chance.below(4)):
                back -= not wrong
                one = self.chance.pick(wrong or [one for one in seen.controls if one.picked])
            else:
                more = [one for one in seen.all("box") if one.value in wanted - picked]
                assert more, f"{wanted - picked} cannot be added: {seen.prompt}"
                one = self.chance.pick(more)
            self.click(one)
            seen = self.sees()
        (confirm,) = seen.all("confirm")
        self.sent.add(frozenset(wanted))
        return self.send(confirm)

    def _all_boxes(self, seen: Sight) -> Sight:
        """Look at all that can be chosen: what is in a menu is in the list, too."""
        menus = seen.all("menu")
        if menus and self.chance.below(2):
            self.click(self.chance.pick(menus))
            seen = self.sees()
            self.click(self.chance.pick([one for one in seen.all("box") if one.menu]))
            self._close()
            seen = self.sees()
        if seen.list and (menus or not seen.all("box") or not self.chance.below(6)):
            self.press(self.page.locator(".aslist > summary"))
            seen = self.sees()
        return seen

    def _selection(self, seen: Sight, values: list[str]) -> set[str]:
        assert seen.low is not None and seen.high is not None
        most = min(seen.high, max(len(values), seen.low))
        for _ in range(TRIES):
            found: set[str] = set()
            count = seen.low + self.chance.below(most - seen.low + 1)
            while len(found) < count:
                found.add(self.chance.pick([one for one in values if one not in found]))
            if frozenset(found) not in self.sent:
                return found
        raise AssertionError(f"nothing is taken: {seen.prompt}: {seen.alerts}")

    def _distribute(self, seen: Sight) -> Sight:
        """Give all away, one by one; now and then one is taken back."""
        for _ in range(4 * (seen.left or 0) + 8):
            if not seen.left and self.chance.below(4):
                break
            given = [one for one in seen.all("less") if one.now]
            free = [
                one for one in seen.all("more") if one.high is None or (one.now or 0) < one.high
            ]
            back = given and (not seen.left or not self.chance.below(6))
            if not back and not free:
                break
            self.click(self.chance.pick(given if back else free))
            seen = self.sees()
        while seen.left:
            self.click(self.chance.pick(seen.all("more")))
            seen = self.sees()
        (confirm,) = seen.all("confirm")
        return self.send(confirm)

    def _number(self, seen: Sight) -> Sight:
        """Make a number larger or smaller, and confirm it."""
        for _ in range(self.chance.below(6)):
            self.click(self.chance.pick(seen.all("less", "more")))
            seen = self.sees()
        (confirm,) = seen.all("confirm")
        return self.send(confirm)


# -------------------------------------------------------------------------------------------- tables


def bring(person: Person, address: str, record: str) -> list[str]:
    """Let somebody open a table with a saved game; return the links of the others."""
    page = person.page
    page.goto(address)
    # As if it was pasted: to type so many lines takes a browser long.
    page.get_by_role("textbox").evaluate("(at, text) => { at.value = text }", record)
    person.press(page.get_by_role("button", name="Go on with it"))
    return links(person)


def links(person: Person) -> list[str]:
    """Return the links that somebody can hand out, and let him go to his own seat."""
    page = person.page
    page.wait_for_url(re.compile("/links$"))
    fields = page.get_by_role("textbox").all()
    own = page.get_by_role("link", name="To my seat")
    mine = own.get_attribute("href")
    found = [one.input_value() for one in fields]
    person.press(own)
    page.wait_for_url(re.compile("/$"))
    return [one for one in found if one != mine]


def come(people: Sequence[Person], address: str, record: str) -> None:
    """Let the first of some people open a table with a saved game, and the others come by their links."""
    for one, link in zip(people[1:], bring(people[0], address, record), strict=False):
        one.page.goto(link)


def play(people: Sequence[Person], most: int, chance: Generator) -> bool:
    """Let people answer whatever they are asked, until the game is over for all of them or so many
    answers were given; return whether it is over."""
    before = sum(one.answers for one in people)
    while sum(one.answers for one in people) - before < most:
        asked = waiting(people)
        if not asked:
            return True
        chance.pick(asked).answer()
    return False


def waiting(people: Sequence[Person], within: float = WITHIN) -> list[Person]:
    """Wait until somebody is asked, and return who is; nobody when all see that the game is over."""
    end = time.monotonic() + within
    while True:
        seen = [one.sees() for one in people]
        asked = [one for one, sight in zip(people, seen, strict=True) if sight.yours]
        if asked or all(sight.over for sight in seen):
            return asked
        assert time.monotonic() < end, f"nobody is asked: {[one.prompt for one in seen]}"
        people[0].page.wait_for_timeout(30)


def faults(people: Sequence[Person]) -> list[str]:
    """Return what went wrong in the browsers of some people."""
    return [text for one in people for text in one.faults]
