"""What cannot be asked of agents and matches, told in one line, and the checks of numbers that are given to them."""

from __future__ import annotations

from math import isfinite

from rulewright.interpreter.words.text import shortened

MOST = 10**9
"""The greatest number of iterations, seconds or decisions that can be asked for."""


class AgentError(ValueError):
    """No agent is called so, what is given is no agent, or a budget or another number is out of range; one line.

    >>> make_agent("serach")
    Traceback (most recent call last):
    AgentError: no agent is called `serach`; did you mean `search`?
    """


def whole_number(given: object, what: str, least: int = 1, most: int = MOST) -> int:
    """Return a number that somebody has given; `what` it is, for the error. Raises `AgentError` if it is no
    whole number, or out of range."""
    if isinstance(given, int) and not isinstance(given, bool) and least <= given <= most:
        return given
    raise AgentError(
        f"{what} is a whole number from {least:,} to {most:,}, and this is {shown(given)}"
    )


def above_zero(given: object, what: str) -> float:
    """Return the same of a number that need not be whole."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        if 0 < given <= MOST and isfinite(given):
            return given
    raise AgentError(f"{what} is a number above 0 and at most {MOST:,}, and this is {shown(given)}")


def shown(given: object) -> str:
    """Return what somebody has given, on one line and not too long."""
    try:
        text = repr(given)
    except Exception:  # of a class of somebody else, or a number with too many digits
        text = f"a {type(given).__name__}"
    return shortened(" ".join(text.split()))
