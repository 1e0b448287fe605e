"""The tests of the executor once more, with Python that is generated from the rules.

Generated code has to do what the walker does: the same decisions, options, events, states and
errors. So it passes the same tests.
"""

from collections.abc import Iterator

import pytest
from test_changes import *  # noqa: F403
from test_decisions import *  # noqa: F403
from test_errors import *  # noqa: F403
from test_events import *  # noqa: F403
from test_execute import *  # noqa: F403
from test_lookahead import *  # noqa: F403
from test_visibility import *  # noqa: F403

import written as games  # isort: skip


@pytest.fixture(autouse=True)
def _generated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(games, "GENERATED", True)
    yield
