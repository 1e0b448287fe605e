"""The effective rule book: nothing of any file is lost, and what is amended says so."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sharing import shared_out

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.source import Source

FILES = Path(__file__).parent / "files"
PORCH = str(FILES / "porch")
HEADING = re.compile(r"#\s*[-=]{3,}\s*(.+?)\s*[-=]*")


def linked() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every game of the shelf alone and with each of its variants."""
    for name in (*library.shelf(), PORCH):
        target, _ = library.find_target(name)
        assert target is not None
        yield name, ()
        for path in library.variant_files(target.folder):
            yield name, (path.stem,)


def shared_linkings(test: str) -> list[Any]:
    """Return the same as parameters of a test, which leaves most of them to CI."""
    return [pytest.param(*one, marks=marks) for one, marks in shared_out(linked(), test)]


def words(text: str) -> str:
    """Return a text with all white space alike."""
    return " ".join(text.split())


def sources(named: str, variants: tuple[str, ...]) -> set[Source]:
    """Return all files that take part."""
    world = compile_game(named, variants).world
    assert world is not None
    return {one.file.span.source for one in (*world.instances, *world.examples)}


def shown(rulewright: Callable[..., Any], named: str, *more: str) -> str:
    done = rulewright(["rules", named, *more])
    assert done.status == 0, done.stderr
    return str(done.stdout)


def switched(variants: tuple[str, ...]) -> list[str]:
    return [word for one in variants for word in ("--variant", one)]


@pytest.mark.parametrize(
    ("named", "variants"),
    shared_linkings("test_no_line_of_any_file_is_lost"),
)
def test_no_line_of_any_file_is_lost(
    named: str, variants: tuple[str, ...], rulewright: Callable[..., Any]
) -> None:
    text = shown(rulewright, named, *switched(variants), "--library", "--examples")

    # Marks stand before every line, also before the rest of one that was broken.
    found = words(" ".join(line[2:] if line[:1] in "+-~ " else line for line in text.split("\n")))
    for source in sources(named, variants):
        for line in source.text.split("\n"):
            heading = HEADING.fullmatch(line)
            assert words(heading[1] if heading else line) in found, (source.name, line)


@pytest.mark.parametrize(
    ("named", "variants"),
    shared_linkings("test_all_that_a_variant_says_is_shown_where_it_acts"),
)
def test_all_that_a_variant_says_is_shown_where_it_acts(
    named: str, variants: tuple[str, ...], rulewright: Callable[..., Any]
) -> None:
    text = shown(rulewright, named, *switched(variants), "--examples", "--library")

    # What acts elsewhere is there as a whole, not only its first line.
    compilation = compile_game(named, variants)
    game = compilation.game
    assert game is not None
    amendments = [
        one
        for found in (
            *(verb.amendments for verb in game.verbs.values()),
            *game.step_amendments.values(),
        )
        for one in found
    ]
    for one in amendments:
        for line in one.span.text.strip().split("\n"):
            assert words(line)[:60] in words(text), line
        if one.title:
            place = f"> {one.title}, {one.span.source.name}:{one.span.line}\n"
            assert place in text or f"> replaced by {place[2:]}" in text


def test_a_change_stands_behind_what_it_changes(rulewright: Callable[..., Any]) -> None:
    text = shown(rulewright, PORCH, "--variant", "frost")

    assert re.search(
        r"define limit = 2 .*\n> Frost, .*frost.rules:14\n~   change limit by 1 .*\n"
        r"> Frost, .*frost.rules:15\n~   change limit to at least 2\n",
        text,
    )
    assert re.search(
        r"> replaced by Frost, .*\n-   extra:  bonus\(me\)\n~     change score.extra to 0\n", text
    )


def test_instead_of_stands_before_what_it_replaces(rulewright: Callable[..., Any]) -> None:
    text = shown(rulewright, PORCH, "--variant", "frost")

    # With a guard the block of the verb still holds.
    assert re.search(
        r"\+   instead of eat when my.cold is 1\n\+     choose apple from my.hand\n"
        r"\+     discard apple\n\+   # otherwise:\n    choose apple from my.hand\n",
        text,
    )
    assert re.search(r"\+     nothing\n-   move d.discards to d.pile\n-   shuffle d.pile\n", text)


def test_modules_are_shown_if_they_are_amended_or_asked_for(
    rulewright: Callable[..., Any],
) -> None:
    assert "Library:" not in shown(rulewright, PORCH)
    amended = shown(rulewright, PORCH, "--variant", "frost")
    assert "Library: module deck as basket" in amended
    assert "to refill" not in amended and "module turns" not in amended
    everything = shown(rulewright, PORCH, "--library")
    assert "to refill" in everything and "Library: module turns" in everything


def test_options_have_the_value_that_is_in_force(rulewright: Callable[..., Any]) -> None:
    assert "option apples_each = 2. How many" in shown(rulewright, PORCH)
    assert "apples_each = 3 (otherwise 2)" in shown(rulewright, PORCH, "--variant", "frost")
    assert "apples_each = 1 (otherwise 2)" in shown(
        rulewright, PORCH, "--variant", "frost", "--option", "apples_each=1"
    )


def test_rows_of_a_table_file_are_shown(rulewright: Callable[..., Any]) -> None:
    assert "    | Boskoop | 3      |\n" in shown(rulewright, PORCH)


def test_markdown_has_headings_and_fences_that_close(rulewright: Callable[..., Any]) -> None:
    text = shown(rulewright, PORCH, "--variant", "frost", "--format", "markdown")

    assert text.startswith("# Porch, for 1 to 3 players\n")
    assert "\n### numbers\n" in text
    assert text.count("```diff\n") == text.count("```\n") > 2


def test_nothing_is_marked_without_a_variant(rulewright: Callable[..., Any]) -> None:
    assert not re.search(r"^[+~-] ", shown(rulewright, PORCH), re.MULTILINE)


def test_what_cannot_be_shown_is_refused_in_one_line(rulewright: Callable[..., Any]) -> None:
    for line, message in (
        ("rules tic_tac_teo", "did you mean `tic_tac_toe`?"),
        ("rules stdlib/deck.rules", "is a module"),
        (f"rules {PORCH} --variant forst", "did you mean `Frost`?"),
        (f"rules {PORCH} --option aples_each=1", "did you mean `apples_each`?"),
        (f"rules {PORCH} --players 7", "is for 1 to 3 players, not for 7"),
        (f"rules {PORCH} --format html", "known: text, markdown"),
    ):
        done = rulewright(line)
        assert done.status == 2 and message in done.stderr and done.stderr.count("\n") == 1
