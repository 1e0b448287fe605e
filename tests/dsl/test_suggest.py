"""Did you mean."""

import pytest
from hypothesis import given, strategies as st

from rulewright.dsl.text.suggest import edit_distance, nearest


@pytest.mark.parametrize(
    ("name", "candidates", "found"),
    [
        ("discrad", ["discard", "draw", "hand"], ("discard",)),
        ("colectable", ["collected", "collectable", "selectable"], ("collectable", "selectable")),
        ("Hand_Size", ["hand", "handsize"], ("handsize",)),
        ("jump gate", ["jump_gate", "jump_gates"], ("jump_gate", "jump_gates")),
        ("xyz", ["discard", "draw"], ()),
        ("dig", ["dog", "dug", "big", "dag"], ("dog", "dug", "big")),
        ("a", ["b", "ab"], ("ab",)),
        ("hand", ["hand"], ()),
        ("", ["a"], ()),
        ("___", ["_"], ()),
    ],
)
def test_near_names_come_by_distance_and_then_as_given(
    name: str, candidates: list[str], found: tuple[str, ...]
) -> None:
    assert nearest(name, candidates) == found


def test_the_same_but_for_case_and_underscores_comes_first() -> None:
    assert nearest("setaside", ["set_asides", "set_aside"]) == ("set_aside", "set_asides")


def test_at_most_the_limit_is_suggested_and_each_once() -> None:
    candidates = ["hant", "hant", "hans", "hang", "hank"]

    assert nearest("hand", candidates, limit=2) == ("hant", "hans")


def test_a_swap_of_neighbours_is_one_slip() -> None:
    assert edit_distance("discrad", "discard") == 1
    assert edit_distance("", "abc") == 3
    assert edit_distance("ca", "abc") == 3


def test_endless_names_are_not_compared() -> None:
    assert nearest("x" * 100_000, ["x" * 99_999]) == ()


@given(st.text(alphabet="abc", max_size=8), st.text(alphabet="abc", max_size=8))
def test_the_distance_is_symmetric_and_bounded(first: str, second: str) -> None:
    distance = edit_distance(first, second)

    assert distance == edit_distance(second, first)
    assert abs(len(first) - len(second)) <= distance <= max(len(first), len(second))
    assert (distance == 0) == (first == second)
