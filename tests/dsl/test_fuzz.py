"""Damaged games: whatever is done to a rule file, the checker answers with a model or with messages."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import attrs
import pytest
from chunks import all_chunks
from hypothesis import HealthCheck, given, settings, strategies as st
from mutations import MUTATIONS

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import has_errors
from rulewright.dsl.text.render import render

T = TypeVar("T")
GAMES = Path(str(library.find_target("kuhn_poker")[0].folder)).parent  # type: ignore[union-attr]
SOME = 60
MANY = 3000


@attrs.frozen
class Original:
    """A game that is fine: its files by their names, and the titles of its variants."""

    name: str
    files: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]


def originals() -> Iterator[Original]:
    """Yield the games of the shelf, and the cases in which nothing is wrong."""
    for name in library.shelf():
        folder = GAMES / name
        files = tuple(
            (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".rules", ".csv")
        )
        variants = tuple(path.stem for path in sorted((folder / "variants").glob("*.rules")))
        yield Original(name, files, variants)
    for chunk in all_chunks():
        if not chunk.marks:
            yield Original(chunk.path.stem, chunk.files, chunk.variants)


ORIGINALS = tuple(originals())


@st.composite
def damaged(draw: st.DrawFn) -> Original:
    """A game with one to three damages in one of its files, with or without its variants."""

    def pick(things: Sequence[T]) -> T:
        return draw(st.sampled_from(things))

    original = pick(ORIGINALS)
    name, text = pick(original.files)
    for damage in draw(st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=3)):
        text = damage(text, pick)
    files = tuple((one, text if one == name else other) for one, other in original.files)
    variants = original.variants if draw(st.booleans()) else ()
    return Original(original.name, files, variants)


def check(game: Original) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        for name, text in game.files:
            path = folder / game.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")

        compilation = compile_game(str(folder / game.name), game.variants)

        assert compilation.game is not None or compilation.diagnostics
        assert (compilation.game is None) == has_errors(compilation.diagnostics)
        assert render(compilation.diagnostics) or not compilation.diagnostics
    finally:
        shutil.rmtree(folder)


common = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(common, max_examples=SOME)
@given(damaged())
def test_a_damaged_game_gives_a_model_or_messages(game: Original) -> None:
    check(game)


@pytest.mark.slow
@settings(common, max_examples=MANY)
@given(damaged())
def test_many_damaged_games_give_a_model_or_messages(game: Original) -> None:
    check(game)
