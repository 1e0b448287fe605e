"""Every name of the public API says what it is, and the examples in its docstrings come out."""

import doctest
import inspect
import re
from functools import cached_property

import pytest

import rulewright

NAMES = [name for name in rulewright.__all__ if name != "__version__"]


class Checker(doctest.OutputChecker):
    """Compares what is raised without the module where an error lies."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, re.sub(r"^rulewright\.[\w.]+\.", "", got), optionflags)


def examples(name: str) -> list[doctest.DocTest]:
    """Return the docstrings with examples of a name and of its methods."""
    found = getattr(rulewright, name)
    return [
        one
        for one in doctest.DocTestFinder().find(found, name, module=inspect.getmodule(found))
        if one.examples
    ]


def at_hand() -> dict[str, object]:
    """Return what all examples know: the public names, a game, and its first state."""
    game = rulewright.load_game("kuhn_poker")
    public = {name: getattr(rulewright, name) for name in NAMES}
    state = game.new_initial_state(seed=7)
    return {
        **public,
        "game": game,
        "state": state,
        "seat": rulewright.Seat(state, 0),
        "simulation": rulewright.Simulation.of(state),
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_come_out(name: str) -> None:
    found = examples(name)
    told: list[str] = []

    for one in found:
        one.globs = at_hand()
        doctest.DocTestRunner(Checker()).run(one, out=told.append)

    assert not told, "".join(told)
    assert any(one.name == name for one in found), f"{name} has no example"


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_is_public_says_what_it_is(name: str) -> None:
    found = getattr(rulewright, name)
    members = inspect.getmembers(found) if inspect.isclass(found) else []
    own = [
        (f"{name}.{member}", value)
        for member, value in members
        if not member.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, property | cached_property))
        and value.__doc__ is None
    ]

    assert found.__doc__
    assert not own
