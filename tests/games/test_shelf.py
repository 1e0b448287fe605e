"""Every game on the shelf, alone and with its variants: clean, its examples come out, it ends.

Games and variants are found on the disk, so that a new one is tested as soon as it is there.
"""

import itertools
from collections.abc import Iterator, Sequence

import brief
import pytest

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import Diagnostic, has_errors
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.play.playout import statistics
from rulewright.interpreter.testing.blame import run_examples
from rulewright.interpreter.testing.verify import verify

NOT_TOGETHER = {"RW504", "RW505"}
"""The codes that say that a set of variants is no legal one."""

FEW, ENOUGH, MANY = 2, 20, 40


def linkings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each game alone, with each of its variants, with each pair, and with all.

    A variant may include others, so that several of these come to the same.
    """
    for name in library.shelf():
        titles = [variant.title for variant in compile_game(name).variants]
        sets = {(), tuple(titles), *((title,) for title in titles)}
        sets |= set(itertools.combinations(titles, 2))
        tried: set[frozenset[str]] = set()
        for chosen in sorted(sets, key=lambda chosen: (len(chosen), chosen)):
            compilation = compile_game(name, chosen)
            codes = {item.code.code for item in compilation.diagnostics}
            linked_ones = frozenset(compilation.game.variants if compilation.game else chosen)
            if not codes & NOT_TOGETHER and linked_ones not in tried:
                tried.add(linked_ones)
                yield name, chosen


def shown(found: Sequence[Diagnostic]) -> list[str]:
    """Return diagnostics as lines that a failing test can show."""
    return ["; ".join((item.one_line(), *item.notes)) for item in found]


LINKINGS = list(linkings())
IDS = ["+".join((name, *variants)) for name, variants in LINKINGS]
QUICK = [
    pytest.param(name, variants, marks=() if variants else pytest.mark.quick)
    for name, variants in LINKINGS
]


def linked(name: str, variants: Sequence[str]) -> model.Game:
    """Return a game with variants, which must be without errors and warnings."""
    compilation = compile_game(name, variants)
    graver = [item for item in compilation.diagnostics if item.severity.value != "note"]
    assert shown(graver) == []
    return compilation.model_or_raise()


def test_there_is_something_on_the_shelf() -> None:
    assert len(library.shelf()) >= 4


@pytest.mark.parametrize(("name", "variants"), QUICK, ids=IDS)
def test_a_game_is_clean_and_its_examples_come_out(name: str, variants: Sequence[str]) -> None:
    game = linked(name, variants)

    assert game.examples, "no example shows how it is played"
    assert shown(run_examples(game)) == []
    assert shown(verify(game)) == []


@pytest.mark.parametrize(("name", "variants"), LINKINGS, ids=IDS)
def test_random_games_end_under_all_laws(name: str, variants: Sequence[str]) -> None:
    game = linked(name, variants)
    # The game alone is tried with all numbers of players, what variants make of it with the ends.
    players = (game.least_players, game.most_players) if variants else None

    options, playouts = brief.options_of(game), 1 if variants else FEW

    assert shown(verify(game, players, playouts=playouts, seed=100, options=options)) == []


@pytest.mark.parametrize("name", library.shelf())
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
