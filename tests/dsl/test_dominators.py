"""Which nodes all ways to another one pass, and where they come together."""

import networkx
import pytest
from hypothesis import given, settings, strategies as st

from rulewright.dsl.ir.dominators import END, dominators, meetings, reached

pytestmark = pytest.mark.quick

COUNT = 8


@settings(database=None, deadline=None, derandomize=True)
@given(st.lists(st.lists(st.integers(0, COUNT - 1), max_size=3), min_size=COUNT, max_size=COUNT))
def test_the_last_node_before_another_is_the_one_that_networkx_finds(
    graph: list[list[int]],
) -> None:
    edges = dict(enumerate(graph))
    other = networkx.DiGraph()
    other.add_nodes_from(edges)
    other.add_edges_from((here, there) for here, found in edges.items() for there in found)
    wanted = {
        node: one for node, one in networkx.immediate_dominators(other, 0).items() if node != 0
    }

    assert dominators(edges, 0) == wanted
    assert set(reached(edges, 0)) == {0, *networkx.descendants(other, 0)}


def test_ways_come_together_where_both_arms_have_ended() -> None:
    #   0 -> 1 -> 3 -> 4, 0 -> 2 -> 3; 5 goes round for ever
    graph = {0: [1, 2, 5], 1: [3], 2: [3], 3: [4], 4: [], 5: [5]}

    assert meetings(graph) == {0: END, 1: 3, 2: 3, 3: 4, 4: END, 5: END}
