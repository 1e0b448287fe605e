"""What the server says to people, by keys that a link may hold: so no text of a stranger gets on a page."""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Mapping
from pathlib import Path

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.web import own_words
from rulewright.interpreter.words.translation import Words

FOLDER = Path(__file__).parent / "phrases" / "server"
"""What this module and those that make tables say, in each language."""

SAID: Mapping[str, str] = {
    "late": "That came too late: the question is another one by now. Nothing has changed.",
    "replaced": "The table had to be opened again. Nothing is lost; look whether your answer is there.",
    "undone": "Taken back.",
    "asked": "Those who have answered since are asked whether that may be taken back.",
    "nothing": "there is no answer of yours to take back",
    "learned": "nothing can be taken back: somebody has learned something since",
}

REFUSED: Mapping[int, str] = {
    400: "That cannot be read.",
    403: "That came from another site and is not done.",
    404: "There is nothing here. Is the link complete?",
    405: "That cannot be done here.",
    413: "That is too large.",
    421: "This server does not answer to that name.",
    422: "That cannot be read.",
    429: "That is too much at once. Try again in a moment.",
    503: "That did not work out here. Nothing is lost: load the page again.",
    504: "That took too long and was cut off. Nothing is lost, and nothing has changed.",
}


def told(key: str, words: Words) -> str | None:
    """Return what a key says; None if it says nothing."""
    return words(SAID[key]) if key in SAID else None


@functools.cache
def own(language: str) -> Mapping[str, str]:
    """Return what the server says in a language, by what it is in English."""
    path = FOLDER / f"{language}.csv"
    if language not in own_words.languages() or not path.is_file():
        return {}
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    return {row[0]: row[1] for row in rows[1:] if row}


@functools.cache
def words_in(language: str) -> Words:
    """Return the words of a language in which pages are written."""
    return Words({**own_words.page_words(language).known, **own(language)})


def in_a_line(error: Exception) -> str:
    """Return in one line what is wrong with rules, a request or a saved game."""
    if isinstance(error, RulesError):
        return error.diagnostics[0].headline
    if isinstance(error, PlayError):
        return error.diagnostic().headline
    return str(error)
