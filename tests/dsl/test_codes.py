"""The register of codes and the pages that explain them."""

import re
from pathlib import Path
from string import Formatter

import pytest

from rulewright.dsl.text.codes import (
    BY_CODE,
    CODES,
    LONGEST_ARGUMENT,
    Code,
    Severity,
    find_code,
    hint,
    nearest_codes,
    with_article,
)

FIELDS = {"name", "kind", "found", "expected", "where", "construct"}


def name_of(code: Code) -> str:
    """Return the code as a test id."""
    return code.code


def test_codes_and_slugs_are_unique_and_in_order() -> None:
    names = [code.code for code in CODES]

    assert names == sorted(set(names))
    assert len({code.slug for code in CODES}) == len(CODES)
    assert list(BY_CODE) == names


@pytest.mark.parametrize("code", CODES, ids=name_of)
def test_a_code_is_named_like_its_pass(code: Code) -> None:
    assert re.fullmatch(r"RW[0-8]\d\d", code.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.slug)


@pytest.mark.parametrize("code", CODES, ids=name_of)
def test_a_headline_keeps_the_tone(code: Code) -> None:
    headline = code.headline

    assert len(code.format({})) <= 70
    assert headline[0] in "`{" or headline[0].islower() or headline.startswith("RW")
    assert headline[-1] not in ".!"
    assert not re.search(r"\b(invalid|illegal|unexpected|please|oops|sorry)\b", headline)


@pytest.mark.parametrize("code", CODES, ids=name_of)
def test_a_headline_uses_known_arguments_and_needs_none(code: Code) -> None:
    fields = {field for _, field, _, _ in Formatter().parse(code.headline) if field is not None}

    assert {field.removeprefix("a_") for field in fields} <= FIELDS
    assert "..." not in code.format({})


def test_arguments_are_filled_in_with_their_article() -> None:
    code = BY_CODE["RW203"]

    headline = code.format({"name": "discard", "found": "action", "kind": "zone"})

    assert headline == "`discard` is an action, not a zone"


def test_braces_in_an_argument_stay_as_they_are() -> None:
    assert BY_CODE["RW110"].format({"name": "{0.x}"}) == "the placeholder `{0.x}` cannot be read"


def test_a_long_argument_is_cut_and_stays_in_its_line() -> None:
    headline = BY_CODE["RW208"].format({"name": "a\n" * 100})

    assert "\n" not in headline
    assert len(headline) <= len("no zone is called ``") + LONGEST_ARGUMENT


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("verb", "a verb"),
        ("option", "an option"),
        ("unit", "a unit"),
        ("list of Planet", "a list of Planet"),
        ("a verb", "a verb"),
        ("the end of the line", "the end of the line"),
        ("`:`", "`:`"),
        ("3 objects", "3 objects"),
        ("", ""),
    ],
)
def test_articles(words: str, expected: str) -> None:
    assert with_article(words) == expected


@pytest.mark.parametrize("code", CODES, ids=name_of)
def test_every_code_has_a_page(code: Code) -> None:
    page = hint(code.code)

    assert page is not None
    assert page.startswith(f"# {code.code}: {code.slug}\n")
    assert "\nWrong:\n" in page and "\nRight:\n" in page
    assert 10 <= len(page.splitlines()) <= 40


def test_every_page_has_a_code(root: Path) -> None:
    pages = {path.stem for path in (root / "dsl" / "text" / "hints").iterdir()}

    assert pages == set(BY_CODE)


@pytest.mark.parametrize("text", ["RW208", "rw208", "208", "unknown-zone", " Unknown_Zone "])
def test_a_code_is_found_by_number_and_by_slug(text: str) -> None:
    assert find_code(text) is BY_CODE["RW208"]


def test_an_unknown_code_has_no_page_but_near_ones() -> None:
    assert hint("RW999") is None
    assert "RW208" in nearest_codes("RX208")
    assert nearest_codes("unkown-zone") == ("unknown-zone",)


def test_only_errors_stop_a_game() -> None:
    warnings = {code.slug for code in CODES if code.severity is Severity.WARNING}

    assert {"unused-verb", "needs-brackets", "ranking-missing", "no-way-to-end"} <= warnings
