"""Values in words, as a player sees them."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.evaluate import Evaluator
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Thing, Value


def show(value: Value, viewer: Thing | None, store: Store, evaluator: Evaluator) -> str:
    """Return a value in words, with the eyes of a player; None: of everybody."""
    raise NotImplementedError


def distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of one decision with ` #2` and so on behind repeated ones."""
    raise NotImplementedError
