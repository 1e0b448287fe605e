"""The three forms of a report."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.render import LIMIT, render, summary
from rulewright.dsl.text.source import Source, Span

FOLDER = Path(__file__).parent / "drawings"

GAME = Source(
    "games/little_jump/game.rules",
    "language 1\n"
    'game "Little Jump" for 2..4 players\n'
    "\n"
    "each Player has\n"
    "  hand: cards of Code, seen by owner\n"
    "the game has, seen by players\n"
    "  discards: pile of Code\n"
    "\n"
    "to tidy\n"
    "  choose card from my.hand\n"
    "  move card to discrads\n"
    "  if my.hand is empty\n"
    "    nothing\n"
    "    stop\n",
)
VARIANT = Source(
    "games/little_jump/variants/toll.rules",
    'language 1\nvariant "Toll" of little_jump\nchange hand_size to 5\n',
)


def at(words: str, source: Source = GAME) -> Span:
    """Return the span of the first place where the words stand."""
    start = source.text.index(words)
    return source.span(start, start + len(words))


def unknown_zone() -> Diagnostic:
    """Return the message that most of the tests draw."""
    return diagnostic(
        "RW208",
        at("discrads"),
        "expected a zone",
        help="did you mean `discards`?",
        rule=['Little Jump, "Tidying up"'],
        secondary=[Label(at("discards"), "closest name of this kind")],
        name="discrads",
    )


DRAWINGS: dict[str, list[Diagnostic]] = {
    "two_places": [unknown_zone()],
    "two_files": [
        diagnostic(
            "RW502",
            at("hand_size", VARIANT),
            "here it is 5",
            secondary=[Label(at("hand:"), "here it is given"), Label(at("language 1"))],
            notes=["variants apply as a set, so neither of them wins"],
            name="hand_size",
        )
    ],
    "several_lines": [
        diagnostic("RW601", GAME.span(GAME.text.index("choose"), len(GAME.text)), "all of this"),
        diagnostic("RW603", GAME.span(at("if my").start, len(GAME.text)), "this block"),
        diagnostic("RW601", GAME.span(at("each").start, at("to tidy").end), "from here to there"),
    ],
    "end_of_file": [diagnostic("RW106", GAME.end(), "expected a step", kind="verb")],
    "one_line_twice": [
        diagnostic(
            "RW311",
            at("my.hand is"),
            "a list",
            secondary=[Label(at("empty"), "a word"), Label(at("if"), "this is a test")],
            expected="list",
            found="word",
        )
    ],
    "file_not_found": [
        diagnostic(
            "RW001",
            Source("games/little_jmup/game.rules", "").end(),
            help="did you mean `little_jump`?",
            name="games/little_jmup/game.rules",
        )
    ],
    "tabs_and_wide_letters": [
        diagnostic("RW109", at("?", Source("tab.rules", "\t日本 é ? x\n")), "here", name="?")
    ],
    "control_characters": [
        diagnostic(
            "RW109",
            at("!", Source("evil\x1b[2J.rules", "a\x1b[31m b\u202ec !\n")),
            "\x07bell",
            help="one\ntwo \x1b[0m",
            name="\x1b",
        )
    ],
    "long_line": [
        diagnostic(
            "RW101",
            at("HERE", Source("long.rules", "a b " * 100 + "HERE" + " c d" * 100)),
            "too far",
            found="`HERE`",
        )
    ],
    "all_severities": [
        unknown_zone(),
        diagnostic("RW204", at("tidy"), "declared here", name="tidy"),
        diagnostic("RW604", at("choose card"), name="choose card"),
        diagnostic("RW101", at("2..4"), found="`2..4`"),
    ],
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_text_form(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(FOLDER / f"{name}.txt", render(DRAWINGS[name]))


def test_every_drawing_has_its_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(DRAWINGS)


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_text_form_is_printable_and_ends_its_lines(name: str) -> None:
    text = render(DRAWINGS[name])

    assert text.endswith("\n") and not text.endswith("\n\n")
    assert all(line.isprintable() and line == line.rstrip() for line in text.split("\n"))


def test_colour_adds_nothing_but_colour() -> None:
    coloured = render([unknown_zone()], colour=True)

    assert "\x1b[1;31merror[RW208]\x1b[0m" in coloured
    for code in ("1;31", "1;34", "1", "0"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    plain = [line.rstrip() for line in coloured.splitlines()]
    assert plain == render([unknown_zone()]).splitlines()


def test_a_file_shows_its_gravest_twenty_in_order() -> None:
    notes = [diagnostic("RW604", GAME.span(i, i + 1), name=f"step {i}") for i in range(30)]
    error = diagnostic("RW201", at("stop"), name="stop")
    elsewhere = diagnostic("RW201", at("Toll", VARIANT), name="toll")

    text = render([*notes, error, elsewhere])

    assert text.count("[RW604]") == LIMIT - 1
    assert "`step 18`" in text and "`step 19`" not in text
    assert "... and 11 more in games/little_jump/game.rules\n" in text
    assert text.index("... and 11 more") < text.index("`toll`")
    assert text.endswith("\n2 errors, 30 notes\n")


def test_the_short_form_is_one_line_each() -> None:
    assert render(DRAWINGS["all_severities"], "short").splitlines() == [
        "games/little_jump/game.rules:2:24: error[RW101]: `2..4` cannot stand here",
        "games/little_jump/game.rules:9:4: warning[RW204]: "
        "the verb `tidy` is never done or offered",
        "games/little_jump/game.rules:10:3: note[RW604]: "
        "it is assumed that `choose card` is always possible",
        "games/little_jump/game.rules:11:16: error[RW208]: no zone is called `discrads`",
    ]


def test_the_json_form_has_offsets_from_zero_and_lines_from_one() -> None:
    data = json.loads(render([unknown_zone()], "json"))

    assert data["errors"] == 1 and data["warnings"] == 0 and data["notes"] == 0
    (item,) = data["diagnostics"]
    assert item["code"] == "RW208"
    assert item["headline"] == "no zone is called `discrads`"
    assert item["arguments"] == {"name": "discrads"}
    place = item["primary"]
    assert GAME.text[place["start"] : place["end"]] == "discrads"
    assert (place["line"], place["column"]) == (11, 16)
    assert (place["end_line"], place["end_column"]) == (11, 24)
    assert item["secondary"][0]["text"] == "closest name of this kind"
    assert item["rule"] == ['Little Jump, "Tidying up"']


def test_nothing_wrong_gives_no_text_and_empty_json() -> None:
    assert render([]) == ""
    assert render([], "short") == ""
    assert json.loads(render([], "json"))["diagnostics"] == []


def test_another_style_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="text, short or json"):
        render([], "xml")


def test_the_summary_writes_plurals_out() -> None:
    error, warning = diagnostic("RW201", at("stop")), diagnostic("RW204", at("stop"))

    assert summary([error]) == "1 error"
    assert summary([error, warning, error, warning]) == "2 errors, 2 warnings"
    assert summary([]) == ""
