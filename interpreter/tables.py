"""A game, the number of players and the options in; all things, printed values and the start out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.dsl import model
from rulewright.interpreter.evaluate import Evaluator
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value


def load_layout(
    game: model.Game,
    players: int,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] = (),
) -> Layout:
    """Return the layout of a game for so many players, with all its things.

    `options` gives chosen values (an enumeration value may be given by its word), the others have
    their defaults; `names` are the names of the seats, `P1` and so on if missing.
    """
    raise NotImplementedError


def start_store(evaluator: Evaluator, seed: int | str = 0) -> Store:
    """Return the start of a game: all fields and zones as declared."""
    raise NotImplementedError
