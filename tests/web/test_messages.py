"""What the server says: in each language, and by keys only."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")
pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.web import (
    messages,
    new_table_routes,
    new_tables,
    own_words,
    routing,
    table_routes,
    table_worker,
)
from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.storage import Setup

SAID = re.compile(
    r"(?:words(?:_in\([^()]*\))?|Refusal|Refused)\(\s*(?:\d+,\s*)?((?:\"(?:[^\"\\]|\\.)*\"\s*)+)"
)


def said() -> set[str]:
    """Return all texts that the server says."""
    found = {*messages.SAID.values(), *messages.REFUSED.values(), *new_tables.AGENTS.values()}
    found |= {*messages.CONFLICTS, *messages.PARTS}
    for module in (table_worker, new_tables, routing, table_routes, new_table_routes):
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


GAME = """\
language 1
game "Pairs" for 2..3 players
option limit: number in 1..3 = 2 "How many?"
neutral bank "The Bank"
each Player has
  points: number = 0, seen by players
to play
  as players
    guess
to guess
  choose n from 1..limit
  add n to my.points
ranking
  most my.points
"""
VARIANTS = {
    "A": "",
    "B": 'excludes "A"\n',
    "C": 'requires "A"\n',
    "D": "instead of guess\n  nothing\n",
    "E": "instead of guess\n  choose n from 1..2\n",
    "F": "requires count(players) is 3\n",
}


@pytest.mark.parametrize(
    ("variants", "names", "options", "told"),
    [
        ("", "x", {}, "Pairs ist für 2 bis 3 Spieler, nicht für 1"),
        ("A", "x", {}, "Pairs mit `A` ist für 2 bis 3 Spieler, nicht für 1"),
        ("AD", "wxyz", {}, "Pairs mit `A` und `D` ist für 2 bis 3 Spieler, nicht für 4"),
        ("", "xx", {}, "zwei Spieler heißen x"),
        ("", ["x", "The Bank"], {}, "The Bank hat keinen Platz: So heißt jemand, für den der Zufall spielt"),
        ("", ["x", "\u202e"], {}, "'\\u202e' kann kein Name eines Spielers sein"),
        ("", "xy", {"limit": "7"}, "„7“ ist kein Wert von „limit“; möglich sind 1, 2, 3"),
        ("AB", "xy", {}, "die Varianten „B“ und „A“ schließen einander aus"),
        ("DE", "xy", {}, "zwei Varianten widersprechen einander bei „guess“"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_said_in_the_language_of_the_page(
    tmp_path: Path, variants: str, names: str | list[str], options: dict[str, str], told: str
) -> None:
    (tmp_path / "pairs" / "variants").mkdir(parents=True)
    (tmp_path / "pairs" / "game.rules").write_text(GAME)
    for name, text in VARIANTS.items():
        path = tmp_path / "pairs" / "variants" / f"{name}.rules"
        path.write_text(f'language 1\nvariant "{name}" of pairs\n{text}')
    games = served(str(tmp_path / "pairs"))

    with pytest.raises((ValueError, RulesError)) as found:
        games.load("pairs", Setup(tuple(variants), options, tuple(names)))

    assert messages.in_words(found.value, messages.words_in("de")) == told
    in_english = messages.in_words(found.value, messages.words_in("en"))
    assert in_english == messages.in_a_line(found.value)
