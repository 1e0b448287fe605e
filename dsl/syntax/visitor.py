"""Walking the syntax tree: the nodes inside a node, the blocks inside a step, all steps of a block.

This looks at a file before its names are known: what it cites, which names a verb sets, which steps
it has, what it may write (`typecheck/block_writes`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import attrs

from rulewright.dsl.syntax import nodes

_PARTS: dict[type, tuple[str, ...]] = {}


def _parts(kind: type[nodes.Node]) -> tuple[str, ...]:
    if kind not in _PARTS:
        fields = attrs.fields(kind)
        _PARTS[kind] = tuple(one.name for one in fields if one.name not in ("span", "see"))
    return _PARTS[kind]


def children(node: nodes.Node) -> list[nodes.Node]:
    """Return the nodes directly inside a node, in order; citations are no part of it."""
    found: list[nodes.Node] = []
    for name in _parts(type(node)):
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found += [one for one in value if isinstance(one, nodes.Node)]
    return found


def nodes_in(node: nodes.Node, without: Collection[type] = frozenset()) -> Iterator[nodes.Node]:
    """Yield a node and all nodes inside it, outer first; citations are no part of them. Nodes of some classes are
    left out with all that is inside them."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [inner for inner in children(one)[::-1] if type(inner) not in without]


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
