"""Templates become pages here, and nowhere else: all text is escaped, nothing is undefined in silence."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

from rulewright.interpreter.words.text import printable
from rulewright.interpreter.words.translation import Words

FOLDER = Path(__file__).parent / "templates"


@functools.cache
def environment() -> jinja2.Environment:
    """Return the templates, read and compiled once in a process."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalized,
        auto_reload=False,
    )
    made.globals.update(count=_bold, code=_code)
    made.filters["sort_places"] = _by_place
    return made


def render(template: str, words: Words, **data: Any) -> str:
    """Return a page; templates say their own texts by way of `say("…")`, or `rich("…")` where tags are filled in."""
    page = environment().get_template(f"{template}.html.j2")
    text: str = page.render(say=words, rich=_rich(words), **data)
    return text


def _rich(words: Words) -> Callable[..., markupsafe.Markup]:
    def rich(text: str, /, **filled: object) -> markupsafe.Markup:
        # What is filled in is escaped as well, unless a template has made it.
        return markupsafe.escape(words(text)).format(**filled)

    return rich


def _finalized(value: Any) -> Any:
    """Return what is printed for a value: None would be a mistake that nobody sees."""
    if value is None:
        raise TypeError("a template prints None")
    if isinstance(value, str) and not isinstance(value, markupsafe.Markup):
        return printable(value)
    return value


def _bold(value: object) -> markupsafe.Markup:
    return markupsafe.Markup("<b>{}</b>").format(value)


def _code(text: str) -> markupsafe.Markup:
    return markupsafe.Markup("<code>{}</code>").format(printable(text))


def _by_place(seats: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """Return seats in the order of the ranking."""
    return sorted(seats, key=lambda one: places[one["seat"]])
