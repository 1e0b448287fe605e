"""Single slips in rule files: never a traceback, and nearly always exactly one error.

The slips are drawn from a seed, which is printed, so that a batch can be repeated:

    SLIPS=20000 SEED=7 pytest -s --slow tests/dsl/test_single_slips.py
"""

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from mutations import SINGLE_SLIPS

from rulewright.dsl import library
from rulewright.dsl.compile import compile_game
from rulewright.dsl.diagnostics import Severity

FEW = 40
MANY = int(os.environ.get("SLIPS", "1000"))
SEED = int(os.environ.get("SEED", "1"))
ENOUGH = 0.85
"""Least share of slips with one error in a small sample."""

ENOUGH_OF_MANY = 0.9
"""Least share in a large sample."""


@attrs.frozen
class Original:
    """The file of a small game, beside which the other files of its folder lie."""

    name: str
    text: str
    others: tuple[tuple[str, str], ...]


def originals(tests: Path) -> Iterator[Original]:
    """Yield the games of the shelf, and small games that use the library."""
    folders = [library.find_target(name)[0].folder for name in library.shelf()]  # type: ignore[union-attr]
    for folder in folders:
        others = [
            (path.name, path.read_text(encoding="utf-8"))
            for path in sorted((*folder.glob("*.csv"), *folder.glob("[!g]*.rules")))
        ]
        text = (folder / "game.rules").read_text(encoding="utf-8")
        yield Original(folder.name, text, tuple(others))
    for path in sorted((tests / "dsl" / "stdlib").glob("*.rules")):
        yield Original(path.stem, path.read_text(encoding="utf-8"), ())


def slipped(folder: Path, number: int, seed: int) -> Iterator[tuple[str, int]]:
    """Yield for each slip its kind and how many errors the checker reports."""
    chance = random.Random(seed)
    games = list(originals(Path(__file__).parent.parent))
    for _ in range(number):
        game, slip = chance.choice(games), chance.choice(SINGLE_SLIPS)
        base = folder / game.name
        base.mkdir(exist_ok=True)
        for name, text in game.others:
            (base / name).write_text(text, encoding="utf-8")
        (base / "game.rules").write_text(slip(game.text, chance.choice), encoding="utf-8")
        found = compile_game(str(base)).diagnostics
        yield slip.__name__, sum(item.severity is Severity.ERROR for item in found)


def judge(folder: Path, number: int, seed: int, enough: float) -> None:
    print(f"seed {seed}")
    wrong: Counter[str] = Counter()
    single: Counter[str] = Counter()
    for kind, errors in slipped(folder, number, seed):
        wrong[kind] += errors > 0
        single[kind] += errors == 1
    for kind in wrong:
        print(
            f"{kind:16} {wrong[kind]:5} wrong, {single[kind] / max(1, wrong[kind]):6.1%} one error"
        )
    share = single.total() / wrong.total()
    print(f"{'all':16} {wrong.total():5} wrong, {share:6.1%} one error")
    assert share >= enough


def test_a_single_slip_gives_one_error(tmp_path: Path) -> None:
    judge(tmp_path, FEW, SEED, ENOUGH)


@pytest.mark.slow
@pytest.mark.bounded
def test_a_thousand_single_slips_give_one_error_each(tmp_path: Path) -> None:
    judge(tmp_path, MANY, SEED, ENOUGH_OF_MANY)
