"""The benchmark of the web table runs, and its figures are what they are called. No test looks at a time."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `web`)")
pytest.importorskip("httpx", reason="httpx is not installed")

from web_load import Figures, main, quantile, report


def test_a_quantile_is_one_of_the_numbers() -> None:
    numbers = [5.0, 1.0, 4.0, 2.0, 3.0]

    assert [quantile(numbers, part) for part in (0.2, 0.5, 0.95, 1.0)] == [1.0, 3.0, 5.0, 5.0]


def test_the_figures_stand_in_a_table() -> None:
    figures = Figures(
        [0.1, 0.2], [0.05], answers=10, requests=40, memory=5_000_000, seconds=2.0, load=[1.0]
    )

    lines = list(report("a game", figures, 0, 0.5, 10, 4.0))

    assert "| post to event at others, p95 | 200 ms |" in lines
    assert "| answers | 10 (5.0/s) |" in lines and "| lost answers | 0 |" in lines
    assert "| engine alone, CPU for each answer | 50.00 ms (10 answers) |" in lines


@pytest.mark.slow
@pytest.mark.bounded
def test_a_short_run_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--tables", "2", "--streams", "3", "--seconds", "3", "--think", "0.1"])

    told = capsys.readouterr().out
    assert status == 0 and "| lost answers | 0 |" in told
    answers = re.search(r"\| answers \| (\d+)", told)
    events = re.search(r"\| events measured \| (\d+)", told)
    assert answers is not None and events is not None
    assert int(answers[1]) and int(events[1]) == 2 * int(answers[1])
