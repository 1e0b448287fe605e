"""What the server says: in each language, and by keys only."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.interpreter.web import desk, messages, opening, own_words

SAID = re.compile(
    r"(?:words(?:_in\([^()]*\))?|Refusal)\(\s*(?:\d+,\s*)?((?:\"(?:[^\"\\]|\\.)*\"\s*)+)"
)


def said() -> set[str]:
    """Return all texts that the server says."""
    found = {*messages.SAID.values(), *messages.REFUSED.values(), *opening.AGENTS.values()}
    for module in (desk, opening):
        for parts in SAID.findall(Path(module.__file__).read_text(encoding="utf-8")):
            found.add("".join(re.findall(r"\"((?:[^\"\\]|\\.)*)\"", parts)))
    return found


@pytest.mark.parametrize("language", own_words.languages())
def test_the_server_says_everything_and_nothing_else_in_each_language(language: str) -> None:
    known, own = own_words.page_words(language).known, messages.own(language)

    assert said() <= {*known, *own}
    assert set(own) <= said()
    assert not set(own) & set(known), "said twice"


@pytest.mark.parametrize("language", own_words.languages())
def test_a_text_of_the_server_has_the_same_holes_in_each_language(language: str) -> None:
    for text, told in messages.own(language).items():
        holes = [
            sorted(field for _, field, _, _ in string.Formatter().parse(one) if field)
            for one in (text, told)
        ]
        assert holes[0] == holes[1], text


def test_a_link_can_say_nothing_of_its_own() -> None:
    assert messages.told("<b>", messages.words_in("en")) is None
    assert messages.told("undone", messages.words_in("de")) == "Zurückgenommen."
