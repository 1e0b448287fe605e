"""Walking the steps of the syntax tree: the blocks inside a step, and all steps of a block.

This looks at a verb before its names are known: which names it sets, which steps it has, what it
may write (`writes`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import nodes


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
