"""Walking the syntax tree: the nodes inside a node, the blocks inside a step, all steps of a block.

This looks at a file before its names are known: what it cites, which names a verb sets, which steps
it has, what it may write (`typecheck/block_writes`).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl.syntax import nodes

_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(kind: type[nodes.Node]) -> tuple[str, ...]:
    if kind not in _PARTS:
        fields = attrs.fields(kind)
        _PARTS[kind] = tuple(one.name for one in fields if one.name not in ("span", "see"))
    return _PARTS[kind]


def children(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the nodes directly inside a node, in order; citations are no part of it."""
    for name in _parts(type(node)):
        value = getattr(node, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, nodes.Node):
                yield one


def nodes_in(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and all nodes inside it, outer first; citations are no part of them."""
    yield node
    for inner in children(node):
        yield from nodes_in(inner)


def blocks_in(step: nodes.Step) -> tuple[nodes.Block, ...]:
    """Return the blocks directly inside a step."""
    match step:
        case nodes.May() | nodes.ForEach() | nodes.Repeat() | nodes.As() | nodes.StepBlock():
            return (step.block,)
        case nodes.Either(arms=arms):
            return tuple(arm.block for arm in arms)
        case nodes.If(branches=branches, otherwise=otherwise):
            return (*(branch.block for branch in branches), otherwise)
    return ()


def steps_in(block: nodes.Block) -> Iterator[nodes.Step]:
    """Yield every step of a block and of the blocks inside it, outer first."""
    for step in block:
        yield step
        for inner in blocks_in(step):
            yield from steps_in(inner)
