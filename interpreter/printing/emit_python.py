"""What is written in another way for Python than for people who read it, and for mypyc.

*Draws.* Random games are full of them. `random.below` says what a draw is; here its step stands without
a call, where readers see `A.below(n)` if a player draws, and `below` if the game does.

*Lists.* Before Python 3.12 a comprehension is a function that is made and called, and what it reads of
the function around it is slower to read there, too. So the lists that are made in a statement of
their own, which are short as a rule, are made in a loop.
"""

from __future__ import annotations

import ast
import copy
import sys
from typing import TypeVar

from rulewright.interpreter.printing.templates import statements
from rulewright.interpreter.state.random import FIRST_FACTOR, GOLDEN, MASK, SECOND_FACTOR

Part = TypeVar("Part", bound=ast.AST)

SURE = MASK - 2**32
"""Outputs up to here have the same chance for every bound that a list may have; a greater one, once
in four billion draws, is looked at by `below`."""

STEP = f"""
seed = old + {GOLDEN} & {MASK}
mixed = (seed ^ seed >> 30) * {FIRST_FACTOR} & {MASK}
mixed = (mixed ^ mixed >> 27) * {SECOND_FACTOR} & {MASK}
mixed ^= mixed >> 31
"""
"""A step of the generator, as in `random.step`."""

DRAW = f"""{STEP.replace("old", "A.state")}
if mixed <= {SURE}:
    A.state = seed
    which = mixed % bound
else:
    A.state, which = below(A.state, bound)
"""

DEAL = f"""{STEP}
if bound > 1 and mixed <= {SURE}:
    new = seed
    which = mixed % bound
else:
    drawn
"""
"""The same with the generator of the game, whose state stands in the store."""

MAYBE = "if bound > 1:\n    draw\nelse:\n    which = 0"
"""Of one thing, none is drawn."""

LIST = "made = []\nfor item in items:\n    if test:\n        made.append(item)"
INLINE = sys.version_info >= (3, 12)
"""Whether Python writes such a list without calling a function."""


def written_out(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function with its draws `which = A.below(bound)` and its lists
    `made = [item for item in items if test]` written out; it is left alone. The bound of a draw is
    the length of a list that has an item. (Where the game draws, `state, which = below(state, bound)`,
    it may be 0.)"""
    return _in(function)


def _in(part: Part) -> Part:
    made = part
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(part, name, None)
        if isinstance(block, list) and block:
            lines = _lines(block)
            if lines is not block:
                if made is part:
                    made = copy.copy(part)
                setattr(made, name, lines)
    return made


def _lines(block: list[ast.stmt]) -> list[ast.stmt]:
    lines: list[ast.stmt] = []
    for statement in block:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=which)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="A"), attr="below"), args=[bound]
                ),
            ):
                lines += _drawn(which, bound)
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Subscript() as state, ast.Name(id=which)])],
                value=ast.Call(func=ast.Name(id="below"), args=[old, ast.Name() as bound]),
            ):
                drawn: list[ast.stmt] = [statement]
                lines += statements(DEAL, old=old, new=state, which=which, bound=bound, drawn=drawn)
            case ast.Assign(
                targets=[ast.Name(id=made)],
                value=ast.ListComp(
                    elt=ast.Name(id=element),
                    generators=[
                        ast.comprehension(target=ast.Name(id=item), iter=items, ifs=[test])
                    ],
                ),
            ) if element == item and not (INLINE or _speaks_of(made, items, test)):
                lines += statements(LIST, made=made, item=item, items=items, test=test)
            case _:
                lines.append(_in(statement))
    same = len(lines) == len(block) and all(map(lambda one, other: one is other, lines, block))
    return block if same else lines


def _drawn(which: str, bound: ast.expr) -> list[ast.stmt]:
    lines: list[ast.stmt] = []
    match bound:
        case ast.Constant(value=int(size)) if size > 1:
            return statements(DRAW, which=which, bound=bound)
        case ast.Name():
            pass
        case _:
            lines = statements("which = bound", which=which, bound=bound)
            bound = ast.Name(which, ast.Load())
    draw = statements(DRAW, which=which, bound=bound)
    return [*lines, *statements(MAYBE, which=which, bound=bound, draw=draw)]


def _speaks_of(name: str, *trees: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name for tree in trees for part in ast.walk(tree)
    )
