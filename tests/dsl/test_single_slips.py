"""Single slips in rule files: never a traceback, and nearly always exactly one error.

The slips are drawn from seeds, which are printed, so that a batch can be repeated. A batch holds a
thousand; this makes twenty of them, with the seeds 7 to 26:

    SLIPS=20000 SEED=7 pytest -s --slow tests/dsl/test_single_slips.py
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
import single_slips
from single_slips import Original, OutOfTime, Tally, limits, originals, outcomes

FEW = 40
BATCH = 1000
MANY = int(os.environ.get("SLIPS", str(BATCH)))
SEED = int(os.environ.get("SEED", "1"))
ENOUGH = 0.85
"""Least share of slips with one error in a small sample."""

ENOUGH_OF_MANY = 0.9
"""Least share in a large sample."""


def judge(
    folder: Path, number: int, seed: int, enough: float, groups: Sequence[Sequence[Original]]
) -> None:
    tally = Tally()
    for batch, start in enumerate(range(0, number, BATCH)):
        print(f"seed {seed + batch}", flush=True)
        for outcome in outcomes(folder, min(BATCH, number - start), seed + batch, groups):
            tally.add(outcome)
    print("\n".join(tally.lines()))
    assert tally.share >= enough


def test_a_single_slip_gives_one_error(tmp_path: Path) -> None:
    judge(tmp_path, FEW, SEED, ENOUGH, originals()[-1:])


@pytest.mark.slow
@pytest.mark.bounded
def test_a_thousand_single_slips_give_one_error_each(tmp_path: Path) -> None:
    judge(tmp_path, MANY, SEED, ENOUGH_OF_MANY, originals())


def test_a_check_that_takes_too_long_is_stopped() -> None:
    if single_slips.resource is None:
        pytest.skip("nothing can be limited on this system")

    with pytest.raises(OutOfTime), limits(seconds=0.05):
        while True:
            pass


def test_a_check_that_takes_too_much_memory_is_stopped() -> None:
    if not Path("/proc/self/statm").is_file():
        pytest.skip("nobody knows how much is used on this system")

    with pytest.raises(MemoryError), limits(memory=1 << 26):
        bytearray(1 << 27)
