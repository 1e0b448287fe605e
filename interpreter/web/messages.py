"""What the server says to people, by keys that a link may hold: so no text of a stranger gets on a page."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.web.own_words import page_words
from rulewright.interpreter.words.translation import Words

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


def words_in(language: str) -> Words:
    """Return the words of a language in which pages are written."""
    return page_words(language)


def in_a_line(error: Exception) -> str:
    """Return in one line what is wrong with rules, a request or a saved game."""
    if isinstance(error, RulesError):
        return error.diagnostics[0].headline
    if isinstance(error, PlayError):
        return error.diagnostic().headline
    return str(error)
