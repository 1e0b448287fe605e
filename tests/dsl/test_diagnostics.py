"""Diagnostics as values, and the report that collects them."""

import pickle

import pytest

from rulewright.dsl.text.diagnostics import (
    Arguments,
    Label,
    Report,
    RulesError,
    diagnostic,
    has_errors,
)
from rulewright.dsl.text.source import Source

SOURCE = Source("game.rules", "move card to discrad\n")
SPAN = SOURCE.span(13, 20)


def test_a_diagnostic_takes_its_words_from_the_register() -> None:
    item = diagnostic("RW208", SPAN, "expected a zone", name="discrad")

    assert item.headline == "no zone is called `discrad`"
    assert item.severity.value == "error"
    assert item.primary == Label(SPAN, "expected a zone")
    assert item.one_line() == "game.rules:1:14: error[RW208]: no zone is called `discrad`"


def test_arguments_are_a_frozen_mapping_of_texts() -> None:
    item = diagnostic("RW705", SPAN, found=7, expected="3")

    assert item.arguments == {"found": "7", "expected": "3"}
    assert item.arguments["found"] == "7"
    with pytest.raises(KeyError):
        item.arguments["name"]
    assert hash(Arguments((("a", "1"), ("b", "2")))) == hash(Arguments((("b", "2"), ("a", "1"))))


def test_an_unknown_code_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        diagnostic("RW999", SPAN)


def test_diagnostics_are_keys_and_can_be_pickled() -> None:
    item = diagnostic("RW208", SPAN, name="x", notes=["why"], secondary=[Label(SPAN)])

    copy = pickle.loads(pickle.dumps(item))

    assert {item: 1}[item] == 1
    assert copy.one_line() == item.one_line()
    assert copy.notes == ("why",)


def test_a_report_sorts_by_file_place_and_code_without_repeats() -> None:
    other = Source("a.rules", "x\n")
    report = Report()
    report.add(diagnostic("RW208", SPAN, name="x"))
    report.extend(
        [
            diagnostic("RW201", SPAN, name="x"),
            diagnostic("RW208", SPAN, name="x"),
            diagnostic("RW101", other.whole()),
            diagnostic("RW101", SOURCE.span(0, 4)),
        ]
    )

    found = [(item.primary.span.source.name, item.code.code) for item in report.sorted()]

    assert found == [
        ("a.rules", "RW101"),
        ("game.rules", "RW101"),
        ("game.rules", "RW201"),
        ("game.rules", "RW208"),
    ]
    assert len(report) == 5


def test_a_file_that_was_read_twice_is_reported_once() -> None:
    again = Source(SOURCE.name, SOURCE.text)

    report = Report([diagnostic("RW201", SPAN), diagnostic("RW201", again.span(13, 20))])

    assert len(report.sorted()) == 1


def test_only_errors_count_as_errors() -> None:
    warning = diagnostic("RW204", SPAN, name="scan")

    assert not has_errors([warning])
    assert not Report([warning]).has_errors
    assert Report([warning, diagnostic("RW201", SPAN)]).has_errors


def test_the_exception_says_everything_in_one_line_each() -> None:
    error = RulesError([diagnostic("RW208", SPAN, name="x"), diagnostic("RW101", SOURCE.end())])

    assert str(error).splitlines() == [
        "game.rules:1:14: error[RW208]: no zone is called `x`",
        "game.rules:1:21: error[RW101]: something else cannot stand here",
    ]
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
