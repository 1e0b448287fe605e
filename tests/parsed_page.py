"""An HTML page taken apart: its elements, the controls of its forms, and what must never be in it."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import attrs

VOID = {"meta", "link", "input", "br", "hr", "img"}
INTERACTIVE = {"a", "button", "input", "select", "textarea", "label", "summary"}
PHRASING = {"button", "label", "span", "p", "h1", "h2", "h3", "summary"}
BLOCKS = {"div", "p", "ul", "ol", "dl", "section", "h1", "h2", "h3", "table", "form"}


@attrs.define
class Element:
    """One element with what stands around it, outermost first."""

    tag: str
    attributes: dict[str, str]
    around: tuple[Element, ...]
    text: str = ""

    def get(self, name: str) -> str:
        """Return an attribute; "" if it has none of the name."""
        return self.attributes.get(name, "")

    @property
    def classes(self) -> set[str]:
        """Its classes."""
        return set(self.get("class").split())


class Page(HTMLParser):
    """A page; markup that does not fit together is an assertion."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open[-1].tag}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and what it may not stand in."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, tuple(self.open))
        outer = [one.tag for one in self.open]
        if tag in BLOCKS:
            wrong = PHRASING & set(outer)
            assert not wrong, f"<{tag}> inside of {wrong}"
        if tag in INTERACTIVE and element.get("type") != "hidden":
            inside = {"a", "button", "summary"} & set(outer)
            assert not inside, f"<{tag}> inside of {inside}"
            if "label" in outer:
                assert tag in ("input", "select"), f"<{tag}> inside of a label"
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        """Note text for all elements around it."""
        for one in self.open:
            one.text += data

    def all(self, *tags: str) -> Iterator[Element]:
        """Yield the elements with one of these tags."""
        return (one for one in self.elements if one.tag in tags)

    def one(self, tag: str) -> Element:
        """Return the only element with a tag."""
        (found,) = self.all(tag)
        return found

    def id(self, name: str) -> Element:
        """Return the element with an id."""
        (found,) = (one for one in self.elements if one.get("id") == name)
        return found

    def controls(self, form: str = "ask") -> list[Element]:
        """Return what a form holds, also if it stands elsewhere on the page."""
        return [
            one
            for one in self.all("button", "input", "select")
            if one.get("name")
            and (
                one.get("form") == form
                or (
                    "form" not in one.attributes
                    and any(outer.tag == "form" and outer.get("id") == form for outer in one.around)
                )
            )
        ]

    def choices(self) -> dict[str, list[Element]]:
        """Return the controls by the number of the option that they give."""
        found: dict[str, list[Element]] = {}
        for one in self.controls():
            if one.tag == "select":
                for option in self.all("option"):
                    if one in option.around:
                        found.setdefault(option.get("value"), []).append(one)
            elif one.get("name") == "option":
                found.setdefault(one.get("value"), []).append(one)
        return found

    def check(self) -> None:
        """Assert what holds for every page: nothing that a policy forbids, and what readers need."""
        assert self.source.startswith("<!doctype html>")
        assert self.one("html").get("lang"), "a page without a language"
        assert self.one("title").text.strip(), "a page without a title"
        assert len(list(self.all("h1"))) == 1
        assert len(list(self.all("main"))) == 1
        ids = [one.get("id") for one in self.elements if one.get("id")]
        assert len(ids) == len(set(ids)), sorted(one for one in ids if ids.count(one) > 1)
        for one in self.elements:
            assert one.tag not in ("style", "iframe", "object", "base"), one.tag
            assert "style" not in one.attributes, one
            assert not [name for name in one.attributes if name.startswith("on")], one
            assert not one.get("href").lower().startswith(("javascript:", "data:")), one
            for name in ("popovertarget", "for", "aria-labelledby", "aria-describedby"):
                for wanted in one.get(name).split():
                    assert wanted in ids, f"{name} leads nowhere: {wanted}"
            if one.tag == "script":
                assert one.get("src").startswith("/static/") and not one.text.strip()
