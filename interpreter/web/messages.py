"""What the server says to people, by keys that a link may hold: so no text of a stranger gets on a page."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.dsl.text.codes import Severity
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
    "waits": "Agents are playing alone at too many tables: here they go on when those at another one have ended.",
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

CONFLICTS: Sequence[str] = (
    "nobody sits at this table",
    "two players are called {name}",
    "{name} cannot be the name of a player",
    "{name} has no seat: it is the name of a neutral player",
    "{game} is for {low} to {high} players, not for {number}",
    "{game} is for {wanted} players, not for {number}",
    "{game} is for 1 player, not for {number}",
    "an agent may think for {seconds} seconds here, or play {number} times",
    "`{value}` is no value of `{name}`; it is one of {values}",
    "`{value}` is no value of the option `{name}`",
    "the variants `{name}` and `{other}` exclude each other",
    "the variant `{name}` needs `{other}`",
    "two variants disagree about `{name}`",
)
"""What is said where a table cannot be made so, by those who find it out: they say it in English."""

PARTS: Sequence[str] = ("{game} with {variants}", "{variants} and {other}")
"""What may stand in their holes."""


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


def in_words(error: Exception, words: Words) -> str:
    """Return in one line what is wrong, in a language as far as it says that."""
    return _said(in_a_line(error), CONFLICTS, words)


def _said(text: str, known: Sequence[str], words: Words) -> str:
    for one in known:
        found = _pattern(one).fullmatch(text)
        if found is not None:
            filled = {name: _said(part, PARTS, words) for name, part in found.groupdict().items()}
            return words(one, **filled)
    return words.name(text)


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    """Return what finds a text again with whatever stands in its holes."""
    pieces = re.split(r"\{(\w+)\}", text)
    return re.compile(
        "".join(
            f"(?P<{piece}>.+)" if number % 2 else re.escape(piece)
            for number, piece in enumerate(pieces)
        )
    )


def in_a_line(error: Exception) -> str:
    """Return in one line what is wrong with rules, a request or a saved game."""
    if isinstance(error, RulesError):
        # Notes may stand before it.
        errors = (one for one in error.diagnostics if one.severity is Severity.ERROR)
        return next(errors, error.diagnostics[0]).headline
    if isinstance(error, PlayError):
        return error.diagnostic().headline
    return str(error)
