"""An alarm for tests of rules from anybody: a hang or a flood of memory is a failure."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from types import FrameType

import pytest

ALARM = 20
"""Seconds of work after which a test has hung."""

MEMORY = 4 << 30


@pytest.fixture(autouse=True)
def _alarm() -> Iterator[None]:
    def hung(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("the rules have hung the interpreter")

    before = signal.signal(signal.SIGPROF, hung)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    most = MEMORY if limits[1] == resource.RLIM_INFINITY else min(MEMORY, limits[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, ALARM)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    resource.setrlimit(resource.RLIMIT_AS, limits)
    signal.signal(signal.SIGPROF, before)
