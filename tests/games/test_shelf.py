"""Every game on the shelf, alone and with its variants: clean, its examples come out, it ends.

Games and variants are found on the disk, so that a new one is tested as soon as it is there.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import brief
import pytest
from sharing import shared_out, shelf_for

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.frontend import checked_cache, parsed_cache
from rulewright.dsl.resolve.variants import VariantFile, chosen_set
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic, Report, has_errors
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.play.playout import statistics
from rulewright.interpreter.testing.blame import run_examples
from rulewright.interpreter.testing.verify import verify

NOT_TOGETHER = {"RW504", "RW505"}
"""The codes that say that a set of variants is no legal one."""

FEW, ENOUGH, MANY = 2, 20, 40


def shared_linkings(test: str) -> list[Any]:
    """Return the same as parameters of a test: each game alone, which are quick ones, and a third of
    what variants make of them; the rest is left to CI."""
    return [
        pytest.param(name, variants, marks=marks if variants else pytest.mark.quick, id=linking_id)
        for ((name, variants), linking_id), marks in shared_out(
            zip(LINKINGS, IDS, strict=True), test
        )
    ]


def linkings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each game alone, with each of its variants, with each pair, and with all.

    A variant may include others, so that several of these come to the same. Nothing is linked here: each
    process of a run finds all tests, and runs only some.
    """
    for name in library.shelf():
        known = {one.title: one for one in variants_of(name)}
        sets = {(), tuple(known), *((title,) for title in known)}
        sets |= set(itertools.combinations(known, 2))
        tried: set[frozenset[str]] = set()
        for chosen in sorted(sets, key=lambda chosen: (len(chosen), chosen)):
            report = Report()
            found = chosen_set([known[title] for title in chosen], tuple(known.values()), report)
            codes = {item.code.code for item in report.sorted()}
            together = frozenset(one.variant.title for one in found)
            if not codes & NOT_TOGETHER and together not in tried:
                tried.add(together)
                yield name, chosen


def variants_of(name: str) -> Iterator[VariantFile]:
    """Yield the variants of a game of the shelf, read and not checked."""
    target, _ = library.find_target(name)
    assert target is not None
    for path in library.variant_files(target.folder):
        source, _ = library.read_source(path)
        assert source is not None
        file, _ = parsed_cache.parsed(source)
        assert file is not None and isinstance(file.header, nodes.VariantHeader)
        yield VariantFile(file.header.title.raw, path, file)


def shown(found: Sequence[Diagnostic]) -> list[str]:
    """Return diagnostics as lines that a failing test can show."""
    return ["; ".join((item.one_line(), *item.notes)) for item in found]


LINKINGS = list(linkings())
IDS = ["+".join((name, *variants)) for name, variants in LINKINGS]


@cache
def linked(name: str, variants: Sequence[str]) -> model.Game:
    """Return a game with variants, which must be without errors."""
    known = checked_cache.known(name, variants)
    return known.game if known else checked_cache.compiled(name, variants).model_or_raise()


def test_there_is_something_on_the_shelf() -> None:
    assert len(library.shelf()) >= 4


@pytest.mark.parametrize(("name", "variants"), shared_linkings("test_a_game_is_clean"))
def test_a_game_is_clean_and_its_examples_come_out(name: str, variants: Sequence[str]) -> None:
    compilation = checked_cache.compiled(name, variants)

    graver = [item for item in compilation.diagnostics if item.severity.value != "note"]
    assert shown(graver) == []
    game = compilation.model_or_raise()
    assert game.examples, "no example shows how it is played"
    assert shown(run_examples(game)) == []
    assert shown(verify(game, examples=False)) == []


@pytest.mark.parametrize(("name", "variants"), shared_linkings("test_random_games_end"))
def test_random_games_end_under_all_laws(name: str, variants: Sequence[str]) -> None:
    game = linked(name, variants)
    # The game alone is tried with all numbers of players, what variants make of it with the ends.
    players = (game.least_players, game.most_players) if variants else None

    options, playouts = brief.options_of(game), 1 if variants else FEW

    found = verify(game, players, playouts, seed=100, examples=False, options=options)

    assert shown(found) == []


@pytest.mark.parametrize("name", shelf_for("test_every_seat_can_win"))
def test_every_seat_can_win(name: str) -> None:
    _every_seat_can_win(name, ())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variants"), LINKINGS, ids=IDS)
def test_every_seat_can_win_with_variants(name: str, variants: Sequence[str]) -> None:
    _every_seat_can_win(name, variants)


def _every_seat_can_win(name: str, variants: Sequence[str]) -> None:
    rules = linked(name, variants)
    if brief.is_broken_off(rules):
        pytest.skip("nobody wins by chance: tests of its own show that each seat can")
    game = game_of(rules)

    found = statistics(game, range(ENOUGH))

    assert found.stopped == ()
    assert all(found.wins), f"wins by seat: {found.wins}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variants"), LINKINGS, ids=IDS)
def test_many_random_games_end_under_all_laws(name: str, variants: Sequence[str]) -> None:
    game = linked(name, variants)

    found = verify(game, playouts=MANY, seed=1000, options=brief.options_of(game, brief.MANY))

    assert not has_errors(found)
    assert shown(found) == []
