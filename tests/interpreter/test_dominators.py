"""Which nodes all ways to another one pass."""

import networkx
import pytest
from hypothesis import given, settings, strategies as st

from rulewright.interpreter.knowledge.dominators import dominators, reached

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
