"""The visitor of the model enters every block of every statement."""

import re

import attrs
import pytest

from rulewright.dsl.model import statements, visitor

CLASSES = [
    one
    for one in vars(statements).values()
    if isinstance(one, type) and attrs.has(one) and one.__module__ == statements.__name__
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_each_field_with_a_block_is_known_as_one(kind: type[attrs.AttrsInstance]) -> None:
    holding = {
        field.name for field in attrs.fields(kind) if re.search(r"\bBlock\b", str(field.type))
    }

    assert set(visitor._block_names(kind)) == holding


def test_there_are_statements_with_blocks() -> None:
    assert sum(bool(visitor._block_names(kind)) for kind in CLASSES) > 5
