"""What a browser sends becomes an answer, or a mistake that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.tableau.handles import Handles


@attrs.frozen
class Given:
    """What somebody sends for the question with the number `n`: one of the members behind it."""

    n: int
    options: tuple[int, ...] = ()
    """Numbers of options (`OptionView.id`), in the order in which they were chosen."""

    amounts: Mapping[int, int] = attrs.field(factory=dict)
    """Of a distribution: what each target gets, by its `index`; others get nothing."""

    number: int | None = None
    """Out of a range that is not listed."""

    undo: bool = False


@attrs.frozen
class Mistake:
    """Why nothing has happened, in the words of the seat."""

    text: str
    stale: bool = False
    """Whether the question is another one by now: nothing is wrong, it was only too late."""

    picked: tuple[int, ...] = ()
    """The options that were chosen, to be shown again."""


@attrs.frozen
class Accepted:
    """An answer that the rules can carry out."""

    record: Mapping[str, Any]
    """The answer as plain data, in the words of the rules, for `play_record`."""

    after: State
    """The state when it has been given; the one before is as it was."""


def read_answer(
    state: State, seat: int, given: Given, handles: Handles, spoken: Game | None = None
) -> Accepted | Mistake:
    """Return what happens by what a seat sends. The state is not changed: a table writes down
    `Accepted.record` and goes on with `Accepted.after`.

    Raises `PlayError` where the rules themselves go wrong.
    """
    raise NotImplementedError


def play_record(state: State, seat: int, record: Mapping[str, Any]) -> State:
    """Return the state after an answer that was written down. Raises `InvalidActionError` (or one of
    its kind) if it is no answer there."""
    raise NotImplementedError
