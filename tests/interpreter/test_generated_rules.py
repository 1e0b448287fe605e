"""The tests of the executor once more, with Python that is generated from the rules.

Generated code has to do what the walker does: the same decisions, options, events, states and
errors. So it passes the same tests.
"""

from collections.abc import Iterator

import pytest
from test_amendments import *  # noqa: F403
from test_answers import *  # noqa: F403
from test_calls import *  # noqa: F403
from test_can import *  # noqa: F403
from test_changes import *  # noqa: F403
from test_choices import *  # noqa: F403
from test_creation import *  # noqa: F403
from test_decisions import *  # noqa: F403
from test_during import *  # noqa: F403
from test_errors import *  # noqa: F403
from test_events import *  # noqa: F403
from test_formulas import *  # noqa: F403
from test_horizon import *  # noqa: F403
from test_lookahead import *  # noqa: F403
from test_loops import *  # noqa: F403
from test_moves import *  # noqa: F403
from test_needed import *  # noqa: F403
from test_neutral import *  # noqa: F403
from test_offers import *  # noqa: F403
from test_outcomes import *  # noqa: F403
from test_powers import *  # noqa: F403
from test_reactions import *  # noqa: F403
from test_reasons import *  # noqa: F403
from test_splits import *  # noqa: F403
from test_stops import *  # noqa: F403
from test_until import *  # noqa: F403
from test_viewers import *  # noqa: F403
from test_visibility import *  # noqa: F403
from test_watched import *  # noqa: F403

import written as games  # isort: skip


@pytest.fixture(autouse=True)
def _generated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(games, "GENERATED", True)
    yield
